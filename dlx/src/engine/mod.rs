//! The engines: different ways to search the same tree of covers.
//!
//! [`ENGINES`] lists all engines, and help texts, tests and benches iterate over it. A new engine
//! is one file, its `mod` line and its entry in [`ENGINES`]. No engine imports another.

pub(crate) mod cells;
pub(crate) mod counts;
pub(crate) mod filter;
mod learn;
mod links;
pub(crate) mod masks;
mod naive;
pub(crate) mod unchecked;

pub use cells::{Cells, Ties};
pub use counts::Counts;
pub use filter::Filter;
pub(crate) use filter::Session as FilterSession;
pub use learn::Learn;
pub(crate) use learn::Session;
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub use links::events;
pub use links::{Links, LinksCovers};
pub(crate) use masks::Cutoff;
pub use masks::Masks;
pub use naive::Naive;

use crate::search::EngineSpec;

/// Every engine, the simplest first.
///
/// ```
/// let problem: dlx::Problem = "a b\na\nb\n".parse()?;
/// for spec in dlx::ENGINES {
///     let mut engine = (spec.build)(&problem)?;
///     assert_eq!(engine.count(&[], &dlx::Limits::new()).count(), Some(1), "{}", spec.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const ENGINES: &[EngineSpec] =
    &[links::SPEC, cells::SPEC, masks::SPEC, counts::SPEC, filter::SPEC, learn::SPEC, naive::SPEC];

/// Variants of engines that differ in one decision, for measuring the benefit of that decision.
///
/// ```
/// let problem: dlx::Problem = "a b\na\nb\n".parse()?;
/// for spec in dlx::engine::VARIANTS {
///     let mut engine = (spec.build)(&problem)?;
///     assert_eq!(engine.count(&[], &dlx::Limits::new()).count(), Some(1), "{}", spec.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub const VARIANTS: &[EngineSpec] = &[links::NO_MRV, cells::LAST, cells::RANDOM, cells::WIDE];

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::limits::{Limit, Limits};
    use crate::model::{OptionId, Problem, ProblemBuilder};
    use crate::search::{End, Engine};
    use crate::solve::Solver;

    pub(super) fn let_a_visitor_panic(engine: &mut dyn Engine) {
        let search = AssertUnwindSafe(|| {
            engine.search(&[], &Limits::default(), &mut |_| panic!("the visitor does not want it"))
        });
        assert!(catch_unwind(search).is_err());
    }

    fn engines(problem: &Problem) -> Vec<(&'static str, Box<dyn Engine>)> {
        let specs = ENGINES.iter().chain(VARIANTS);
        let mut engines: Vec<_> =
            specs.filter_map(|spec| Some((spec.name, (spec.build)(problem).ok()?))).collect();
        engines.push(("auto", Box::new(Solver::new(problem.clone()))));
        engines.push(("auto at once", Box::new(Solver::new(problem.clone()).at_once())));
        engines
    }

    #[test]
    fn an_option_of_another_problem_panics_whether_given_or_excluded() {
        let problem: Problem = "a b\na\nb\na b\n".parse().unwrap();
        let foreign = [OptionId::new(3)];
        for (name, mut engine) in engines(&problem) {
            for (given, without) in [(&foreign[..], &[][..]), (&[], &foreign)] {
                let run = || engine.run(given, without, &Limits::default(), None);
                assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "{name}: {given:?} {without:?}");
            }
        }
    }

    #[test]
    fn a_limit_reached_at_the_start_ends_every_engine_before_it_builds_tables() {
        // Each option conflicts with all others, so the conflict tables are large.
        let mut builder = ProblemBuilder::new();
        let items: Vec<_> =
            (0..300).map(|item| builder.primary(&format!("i{item}")).unwrap()).collect();
        for end in 1..=items.len() {
            builder.option(items[..end].iter().copied()).unwrap();
            builder.option(items[end - 1..].iter().copied()).unwrap();
        }
        let problem = builder.build();
        let set = || Some(Arc::new(AtomicBool::new(true)));
        for (limits, expected) in [
            (Limits::new().cancel(set()), Limit::Cancelled),
            (Limits::new().full(set()), Limit::Memory),
            (Limits::default().within(std::time::Duration::ZERO), Limit::Time),
        ] {
            for (name, mut engine) in engines(&problem) {
                let report = engine.count(&[], &limits);
                assert_eq!((report.end, report.nodes), (End::Limit(expected), 0), "{name}");
                assert!(engine.is_at_rest(&problem), "{name}");
                if name == "naive" {
                    // The naive engine enumerates all sets of options, which would take too long
                    // here.
                    continue;
                }
                let few = Limits::new().solutions(1);
                let listed = engine
                    .search(&[], &limits.clone().solutions(1), &mut |_| ControlFlow::Continue(()));
                assert_eq!(listed.end, End::Limit(expected), "{name}");
                assert_eq!(engine.count(&[], &few).solutions, 1, "{name} goes on afterwards");
            }
        }
    }
}
