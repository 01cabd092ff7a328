//! The engines: different ways to search the same tree of covers.
//!
//! [`ENGINES`] is the one table; help texts, tests and benches loop over it. A new engine is one
//! file, its `mod` and its line here. No engine imports another.

mod cells;
mod choice;
mod counts;
mod learn;
mod links;
mod masks;
mod naive;

use std::fmt;
use std::ops::ControlFlow;

pub use cells::{Cells, Ties};
pub(crate) use choice::Choice;
pub use choice::choose;
pub use counts::Counts;
pub use learn::Learn;
pub(crate) use learn::Session;
pub use links::{Links, Solutions};
pub(crate) use masks::Cutoff;
pub use masks::Masks;
pub use naive::Naive;

use crate::{End, Limit, Limits, OptionId, Problem, Report, Subtree, Visit};

/// Searches the covers of one problem, any number of times.
pub trait Engine: Send {
    /// Visits or counts the covers that contain all options of `given` and none of `without`: what the
    /// other methods ask for in their ways, and the only one that an engine must have.
    ///
    /// With `visit` each cover is shown as [`Self::search`] says. Without, the engine may count covers
    /// that it never lists.
    ///
    /// # Panics
    /// If an option of `given` or `without` is not one of this problem's.
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report;

    /// Visits every exact cover that contains the options of `given`, each once.
    ///
    /// The slice passed to `visit` lists `given` first. `given` is a set: repeats count once, and
    /// an option without primary items may be given though it is never chosen. If two of its options
    /// conflict there is no cover, and the report is `Exhausted`. On return the engine is as it was
    /// before the call, however the search ended.
    ///
    /// ```
    /// use dlx::{Engine, Limits, OptionId, engine::Links};
    /// use std::ops::ControlFlow;
    ///
    /// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
    /// let mut engine = Links::new(&problem);
    /// let mut covers = Vec::new();
    /// let report = engine.search(&[OptionId::new(2)], &Limits::default(), &mut |cover| {
    ///     covers.push(cover.to_vec());
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(covers, [[OptionId::new(2), OptionId::new(3)]]);
    /// assert_eq!(report.count(), Some(1));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    ///
    /// # Panics
    /// If an option of `given` is not one of this problem's.
    fn search(&mut self, given: &[OptionId], limits: &Limits, visit: &mut Visit<'_>) -> Report {
        self.run(given, &[], limits, Some(visit))
    }

    /// Counts the exact covers that contain the options of `given`.
    ///
    /// # Panics
    /// If an option of `given` is not one of this problem's.
    fn count(&mut self, given: &[OptionId], limits: &Limits) -> Report {
        self.run(given, &[], limits, None)
    }

    /// Visits every exact cover of a part of the tree, as [`Self::search`] does those of the whole.
    ///
    /// ```
    /// use dlx::{Engine, Limits, Subtree, engine::Links};
    ///
    /// // Any of three numbers, or none: eight covers, of which each search finds three.
    /// let problem: dlx::Problem = "0:3|set\nset\nset\nset\n".parse()?;
    /// let mut links = Links::new(&problem);
    /// let mut open = vec![Subtree::default()];
    /// let mut sizes = Vec::new();
    /// while let Some(part) = open.pop() {
    ///     let limits = Limits { rest: true, ..Limits::solutions(3) };
    ///     let report = links.search_subtree(&part, &limits, &mut |cover| {
    ///         sizes.push(cover.len());
    ///         std::ops::ControlFlow::Continue(())
    ///     });
    ///     open.extend(report.rest.into_iter().flatten());
    /// }
    /// sizes.sort();
    /// assert_eq!(sizes, [0, 1, 1, 1, 2, 2, 2, 3]);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    ///
    /// # Panics
    /// If an option of the part is not one of this problem's.
    fn search_subtree(&mut self, subtree: &Subtree, limits: &Limits, visit: &mut Visit<'_>) -> Report {
        self.run(&subtree.given(), subtree.without(), limits, Some(visit))
    }

    /// Counts the exact covers of a part of the tree.
    ///
    /// # Panics
    /// If an option of the part is not one of this problem's.
    fn count_subtree(&mut self, subtree: &Subtree, limits: &Limits) -> Report {
        self.run(&subtree.given(), subtree.without(), limits, None)
    }

    /// Tells whether the engine's structures are exactly those built for `problem`, as they must be
    /// between searches.
    ///
    /// For tests: it builds them anew and compares.
    #[doc(hidden)]
    fn is_at_rest(&self, problem: &Problem) -> bool;
}

/// Does [`Engine::run`] for an engine that cannot leave options out: `search` goes through all covers
/// that contain those given, and the ones with an option of `without` are passed over.
///
/// # Panics
/// If an option of `without` is not among the `option_count` of the problem.
pub(crate) fn sift(
    option_count: usize,
    without: &[OptionId],
    limits: &Limits,
    visit: Option<&mut Visit<'_>>,
    search: impl FnOnce(&Limits, Option<&mut Visit<'_>>) -> Report,
) -> Report {
    if without.is_empty() {
        return search(limits, visit);
    }
    let is_known = |option: &OptionId| option.index() < option_count;
    assert!(without.iter().all(is_known), "the options left out must be this problem's");
    let everyone: &mut Visit<'_> = &mut |_| ControlFlow::Continue(());
    let visit = visit.unwrap_or(everyone);
    // No covers may be wanted at all; else those that are shown are counted here.
    let solutions = limits.solutions.filter(|&wanted| wanted == 0);
    let (mut shown, mut end) = (0, None);
    let all = Limits { solutions, ..limits.clone() };
    let report = search(
        &all,
        Some(&mut |cover| {
            if without.iter().any(|option| cover.contains(option)) {
                return ControlFlow::Continue(());
            }
            shown += 1;
            if visit(cover).is_break() {
                end = Some(End::Stopped);
            } else if limits.solutions == Some(shown) {
                end = Some(End::Limit(Limit::Solutions));
            }
            if end.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }),
    );
    let whole = Subtree::new(Vec::new(), without.to_vec());
    let sifted =
        |rest: Vec<Subtree>| rest.into_iter().map(|part| part.without_those_of(&whole)).collect();
    Report { solutions: shown, end: end.unwrap_or(report.end), rest: report.rest.map(sifted), ..report }
}

/// Why an engine does not take a problem.
///
/// ```
/// # use dlx::engine::Unsupported;
/// let error = Unsupported::new("colors");
/// assert_eq!(error.to_string(), "the engine does not support colors");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    feature: &'static str,
}

impl Unsupported {
    /// Makes the error for an engine without `feature`.
    #[must_use]
    pub fn new(feature: &'static str) -> Self {
        Self { feature }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the engine does not support {}", self.feature)
    }
}

impl std::error::Error for Unsupported {}

/// An entry of the table of engines.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EngineSpec {
    /// The name by which it is chosen.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Builds the engine for a problem.
    pub build: fn(&Problem) -> Result<Box<dyn Engine>, Unsupported>,
}

/// Every engine, the simplest first.
///
/// ```
/// let problem: dlx::Problem = "a b\na\nb\n".parse()?;
/// for spec in dlx::ENGINES {
///     let mut engine = (spec.build)(&problem)?;
///     assert_eq!(engine.count(&[], &dlx::Limits::default()).count(), Some(1), "{}", spec.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const ENGINES: &[EngineSpec] =
    &[links::SPEC, cells::SPEC, masks::SPEC, counts::SPEC, learn::SPEC, naive::SPEC];

/// Variants of engines that differ in one thing, for comparisons: to see what that is worth.
///
/// ```
/// let problem: dlx::Problem = "a b\na\nb\n".parse()?;
/// for spec in dlx::engine::VARIANTS {
///     let mut engine = (spec.build)(&problem)?;
///     assert_eq!(engine.count(&[], &dlx::Limits::default()).count(), Some(1), "{}", spec.name);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const VARIANTS: &[EngineSpec] = &[links::NO_MRV, cells::LAST, cells::RANDOM];

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::{ProblemBuilder, Solver};

    /// Every engine that takes the problem, and the solver in front of them.
    fn engines(problem: &Problem) -> Vec<(&'static str, Box<dyn Engine>)> {
        let specs = ENGINES.iter().chain(VARIANTS);
        let mut engines: Vec<_> =
            specs.filter_map(|spec| Some((spec.name, (spec.build)(problem).ok()?))).collect();
        engines.push(("auto", Box::new(Solver::new(problem.clone()))));
        engines.push(("auto at once", Box::new(Solver::new(problem.clone()).at_once())));
        engines
    }

    #[test]
    fn an_option_of_another_problem_is_a_panic_given_or_left_out() {
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
    fn a_flag_that_is_set_ends_every_engine_before_its_tables_are_made() {
        // Options within one another: each excludes all others, and the tables are large.
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
            (Limits { cancel: set(), ..Limits::default() }, Limit::Cancelled),
            (Limits { full: set(), ..Limits::default() }, Limit::Memory),
            (Limits::default().within(std::time::Duration::ZERO), Limit::Time),
        ] {
            for (name, mut engine) in engines(&problem) {
                let report = engine.count(&[], &limits);
                assert_eq!((report.end, report.nodes), (End::Limit(expected), 0), "{name}");
                assert!(engine.is_at_rest(&problem), "{name}");
                if name == "naive" {
                    // It goes through all sets of options.
                    continue;
                }
                let few = Limits::solutions(1);
                let listed =
                    engine.search(&[], &Limits { solutions: Some(1), ..limits.clone() }, &mut |_| {
                        ControlFlow::Continue(())
                    });
                assert_eq!(listed.end, End::Limit(expected), "{name}");
                assert_eq!(engine.count(&[], &few).solutions, 1, "{name} goes on afterwards");
            }
        }
    }
}
