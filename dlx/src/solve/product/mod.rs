//! Counts or lists the covers of a problem as the product of the covers of its independent parts.
//!
//! Counts are multiplied. Before counting, each part is searched for a first cover, the smallest
//! part first; if a part has no cover, the search ends. The combinations of the covers of several
//! parts are enumerated like the numbers of an odometer (`odometer.rs`). A part is never searched
//! for more covers than are wanted in total. An option may represent several equal options, which
//! multiplies the number of covers too.
//!
//! Invariants: no search runs inside another search; except for the first cover of each part, a
//! search runs only when needed; memory is bounded by `ROOM` options per part, for any number of
//! covers.

mod odometer;

use std::ops::ControlFlow;
use std::sync::Arc;

use self::odometer::Odometer;
use super::turns::Part;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{Groups, OptionId, Problem, Subtree};
use crate::parallel::Parallel;
use crate::portfolio::Total;
use crate::prepare::{Parts, Weighted};
use crate::search::{End, Engine, Meter, Report, Visit};

/// The smallest number of covers that exceeds a `u64`.
const TOO_MANY: u128 = 1 << 64;

fn ways(product: u128, group: &[OptionId]) -> u128 {
    (product * group.len() as u128).min(TOO_MANY)
}

/// Work to show a cover, in addition to one unit per option (ns); about the time to write a short
/// line.
const SHOW_WORK: u64 = 500;

fn finished(report: &Report) -> Result<(), End> {
    match report.end {
        End::Exhausted | End::Stopped | End::Limit(Limit::Solutions) => Ok(()),
        end => Err(end),
    }
}

pub(super) struct Product {
    whole: Arc<Parts>,
    parts: Vec<Part>,
}

impl Product {
    pub(super) fn new(whole: Arc<Parts>, parts: Vec<Part>) -> Self {
        Self { whole, parts }
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub(super) fn into_engines(self) -> Vec<Parallel<'static>> {
        self.parts.into_iter().map(Part::into_engine).collect()
    }

    /// Returns whether the engines are in their initial state, as built for `problems`.
    pub(super) fn is_at_rest(&self, mut problems: impl Iterator<Item = Problem>) -> bool {
        let mut parts = self.parts.iter();
        problems.all(|problem| parts.next().is_some_and(|part| part.is_at_rest(&problem)))
    }

    fn enter(total: &mut Total<'_>) -> Result<(), End> {
        let limits = total.left(None);
        let mut meter = Meter::new(&limits, 0);
        let entered = meter.enter(0, 0, || 0.0);
        total.add(&meter.report(End::Exhausted, 0));
        entered.map_err(End::Limit)
    }

    pub(super) fn count(&mut self, total: &mut Total<'_>) -> End {
        let product = match self.count_product(total) {
            Ok(product) => product,
            Err((known, end)) => {
                total.solutions = u64::try_from(known).unwrap_or(u64::MAX);
                return end;
            }
        };
        let limit = total.limits().solutions.unwrap_or(u64::MAX);
        total.solutions = limit.min(u64::try_from(product).unwrap_or(u64::MAX));
        match total.limits().solutions {
            Some(_) if total.solutions == limit => End::Limit(Limit::Solutions),
            None if product == TOO_MANY => End::Limit(Limit::Numbers),
            _ => End::Exhausted,
        }
    }

    /// Counts each part separately. The result is `None` for a part whose search is expected to be
    /// long or whose count exceeds a `u64`.
    pub(super) fn count_each(&mut self, total: &mut Total<'_>) -> Result<Vec<Option<u64>>, End> {
        let mut counts = Vec::with_capacity(self.parts.len());
        for (part, Weighted { groups, .. }) in self.parts.iter_mut().zip(&self.whole.parts) {
            let mut count = 0;
            let report = Self::count_part(part, groups, &total.left(None), TOO_MANY, &mut count);
            total.add(&report);
            match finished(&report) {
                Ok(()) => counts.push(u64::try_from(count).ok()),
                Err(End::Limit(Limit::Nodes)) => counts.push(None),
                Err(end) => return Err(end),
            }
            if count == 0 && finished(&report).is_ok() {
                break;
            }
        }
        Ok(counts)
    }

    /// Counts the covers of a part up to `wanted`, where each cover counts as the product of the
    /// sizes of its options' groups.
    fn count_part(
        part: &mut Part,
        groups: &Groups,
        limits: &Limits,
        wanted: u128,
        count: &mut u128,
    ) -> Report {
        if groups.is_plain() {
            let report = part.count(&[], limits);
            *count = report.solutions.into();
            return report;
        }
        part.search(&[], limits, &mut |cover| {
            *count += cover.iter().map(|&option| groups.of(option)).fold(1, ways);
            if *count >= wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    }

    /// Returns the number of covers up to [`TOO_MANY`] and the limit. On an error, returns a lower
    /// bound and the end of the search.
    fn count_product(&mut self, total: &mut Total<'_>) -> Result<u128, (u128, End)> {
        if self.parts.is_empty() {
            Self::enter(total).map_err(|end| (0, end))?;
        }
        if self.parts.len() > 1 {
            for part in &mut self.parts {
                let report = part.count(&[], &total.left(Some(1)));
                total.add(&report);
                finished(&report).map_err(|end| (0, end))?;
                if report.solutions == 0 {
                    return Ok(0);
                }
            }
        }
        let enough = total.limits().solutions.map_or(TOO_MANY, u128::from);
        let mut product = self.whole.forced.iter().fold(1, ways);
        let has_several = self.parts.len() > 1;
        for (part, Weighted { groups, .. }) in self.parts.iter_mut().zip(&self.whole.parts) {
            if product >= enough && has_several {
                break;
            }
            let wanted = enough.div_ceil(product);
            let mut count = 0;
            let limits = total.left(u64::try_from(wanted).ok());
            let report = Self::count_part(part, groups, &limits, wanted, &mut count);
            total.add(&report);
            let known = u128::from(has_several);
            product = (product * count.clamp(known, TOO_MANY)).min(TOO_MANY);
            finished(&report).map_err(|end| (product, end))?;
        }
        Ok(product)
    }

    pub(super) fn list(
        &mut self,
        given: &[OptionId],
        mut total: Total<'_>,
        visit: &mut Visit<'_>,
    ) -> Report {
        let Self { whole, parts } = self;
        let mut output = Output::new(given, &whole.forced, total.limits(), visit);
        let mut rest = None;
        let ended = match &mut parts[..] {
            [] => Self::enter(&mut total).and_then(|()| output.show()),
            [part] => {
                let groups = &whole.parts[0].groups;
                let limits = total.left(total.limits().solutions).rest(total.limits().rest);
                let mut ended = Ok(());
                let report = part.search(&[], &limits, &mut |cover| {
                    output.place(0, groups, cover);
                    ended = output.show();
                    if ended.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
                total.add(&report);
                if groups.is_plain() && whole.forced.is_plain() {
                    // The forced options can be omitted, because they are in every cover.
                    let original = |option: OptionId| groups.of(option)[0];
                    let originals = |options: &[OptionId]| -> Vec<_> {
                        options.iter().copied().map(original).collect()
                    };
                    let full = |part: &Subtree| {
                        Subtree::new(
                            [given, &originals(&part.given())].concat(),
                            originals(part.without()),
                        )
                        .within(part.share())
                    };
                    rest = report.rest.as_ref().map(|rest| rest.iter().map(full).collect());
                }
                ended.and_then(|()| finished(&report))
            }
            parts => Odometer::new(parts, &whole.parts, &mut total, &mut output).run(),
        };
        total.solutions = output.solutions;
        Report { rest, ..total.report(ended.err().unwrap_or(End::Exhausted)) }
    }
}

struct Output<'g, 'o, 'v, 'l> {
    visit: &'o mut Visit<'v>,
    wanted: Option<u64>,
    pace: Pace<'l>,
    solutions: u64,
    /// The given options, the forced options, and the options of each part.
    cover: Vec<OptionId>,
    wheels: Vec<Wheel<'g>>,
    /// The lengths of `cover` and `wheels` before each part, starting with the slowest part.
    lens: Vec<(usize, usize)>,
}

/// A position in the cover that can hold any option of `group`; it holds the option at index `at`.
struct Wheel<'g> {
    place: usize,
    group: &'g [OptionId],
    at: usize,
}

impl<'g, 'o, 'v, 'l> Output<'g, 'o, 'v, 'l> {
    fn new(
        given: &[OptionId],
        forced: &'g Groups,
        limits: &'l Limits,
        visit: &'o mut Visit<'v>,
    ) -> Self {
        let mut cover: Vec<OptionId> = Vec::new();
        for option in given {
            if !cover.contains(option) {
                cover.push(*option);
            }
        }
        let (wheels, lens) = (Vec::new(), Vec::new());
        let (wanted, pace) = (limits.solutions, Pace::new(limits));
        let mut this = Self { visit, wanted, pace, solutions: 0, cover, wheels, lens };
        forced.iter().for_each(|group| this.push(group));
        this
    }

    fn push(&mut self, group: &'g [OptionId]) {
        if group.len() > 1 {
            self.wheels.push(Wheel { place: self.cover.len(), group, at: 0 });
        }
        self.cover.push(group[0]);
    }

    /// Writes a cover of a part after the covers of all slower parts. `part` is the index from the
    /// slowest.
    fn place(&mut self, part: usize, groups: &'g Groups, cover: &[OptionId]) {
        if let Some(&(cover_len, wheel_count)) = self.lens.get(part) {
            self.cover.truncate(cover_len);
            self.wheels.truncate(wheel_count);
            self.lens.truncate(part);
        }
        self.lens.push((self.cover.len(), self.wheels.len()));
        cover.iter().for_each(|&option| self.push(groups.of(option)));
    }

    /// Shows all covers that the current one represents, within the limits. The number of these
    /// covers is a product of group sizes.
    fn show(&mut self) -> Result<(), End> {
        loop {
            self.pace.spend(SHOW_WORK + self.cover.len() as u64).map_err(End::Limit)?;
            self.solutions += 1;
            if (self.visit)(&self.cover).is_break() {
                return Err(End::Stopped);
            }
            if self.wanted.is_some_and(|wanted| self.solutions >= wanted) {
                return Err(End::Limit(Limit::Solutions));
            }
            let mut has_turned = false;
            for wheel in self.wheels.iter_mut().rev() {
                wheel.at = (wheel.at + 1) % wheel.group.len();
                self.cover[wheel.place] = wheel.group[wheel.at];
                has_turned = wheel.at > 0;
                if has_turned {
                    break;
                }
            }
            if !has_turned {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;
    use crate::model::samples::rows;
    use crate::solve::Solver;

    fn list(problem: &Problem, limits: &Limits) -> (BTreeSet<Vec<OptionId>>, Report) {
        let mut covers = BTreeSet::new();
        let mut solver = Solver::new(problem.clone());
        let report = solver.search(&[], limits, &mut |cover| {
            let mut cover = cover.to_vec();
            cover.sort_unstable();
            assert_eq!(crate::trust::verify(problem, &[], &cover), Ok(()));
            assert!(covers.insert(cover), "a cover is visited once");
            ControlFlow::Continue(())
        });
        assert_eq!(report.solutions, covers.len() as u64);
        assert!(solver.is_at_rest(problem));
        (covers, report)
    }

    #[test]
    fn covers_of_parts_that_exceed_the_buffer_are_listed_exactly_once() {
        // Rows with 2, 5 and 8 covers. Covers of four or more items exceed the room available in
        // tests.
        for (counts, expected) in [
            (&[4, 4][..], 25),
            (&[2, 4], 10),
            (&[5, 5], 64),
            (&[5, 5, 5], 512),
            (&[2, 5, 2, 5, 4], 1280),
        ] {
            let (_, report) = list(&rows(counts), &Limits::default());
            assert_eq!((report.count(), counts), (Some(expected), counts));
        }
    }

    #[test]
    fn listing_covers_with_equal_options_stops_soon_after_cancellation() {
        // One part with 3^30 covers, and forced options with 3^30 combinations.
        let pairs: String = (0..30).map(|pair| format!("a{pair} b{pair}\n").repeat(3)).collect();
        let items = |range: std::ops::Range<u32>| -> String {
            range.map(|pair| format!("a{pair} b{pair} ")).collect()
        };
        let chosen = format!("{}\nx\nx y\ny\n", "p q\np\nq\n".repeat(3));
        for text in
            [format!("{}\n{pairs}", items(0..30)), format!("{}x y p q\n{pairs}{chosen}", items(0..30))]
        {
            let problem: Problem = text.parse().unwrap();
            let flag = Arc::new(AtomicBool::new(false));
            let limits = Limits::new().cancel(Arc::clone(&flag));
            let report = Solver::new(problem).search(&[], &limits, &mut |_| {
                flag.store(true, Relaxed);
                ControlFlow::Continue(())
            });
            assert_eq!(report.end, End::Limit(Limit::Cancelled));
            assert!(report.solutions < 1000, "{}", report.solutions);
        }
    }

    #[test]
    fn limits_hold_for_the_sum_of_all_parts() {
        let problem = rows(&[4, 5, 3]);
        let (all, report) = list(&problem, &Limits::default());
        assert_eq!(report.count(), Some(5 * 8 * 3));
        for nodes in 0..=report.nodes {
            let limits = Limits::new().nodes(nodes);
            let (some, part) = list(&problem, &limits);
            assert!(some.is_subset(&all));
            let end = if nodes < report.nodes { End::Limit(Limit::Nodes) } else { End::Exhausted };
            assert_eq!((part.end, part.nodes), (end, nodes));
            let counted = Solver::new(problem.clone()).count(&[], &limits);
            assert!(counted.nodes <= nodes && counted.solutions <= 120);
        }
        for solutions in 1..=120 {
            let limits = Limits::new().solutions(solutions);
            let end = End::Limit(Limit::Solutions);
            let (some, report) = list(&problem, &limits);
            assert_eq!((some.len() as u64, report.end), (solutions, end));
            // Short searches run as trials, unless the solver reduces the problem first.
            for solver in [Solver::new(problem.clone()), Solver::new(problem.clone()).at_once()] {
                let report = { solver }.count(&[], &limits);
                assert_eq!((report.solutions, report.end), (solutions, end));
            }
        }
    }

    #[test]
    fn a_larger_node_limit_never_lowers_the_count() {
        // A partial count is the product of the counts of the finished parts and of the covers
        // found in the interrupted part, at least one.
        let count = |limits: &Limits| Solver::new(rows(&[6, 5, 6])).at_once().count(&[], limits);
        let whole = count(&Limits::default());
        assert_eq!(whole.count(), Some(13 * 8 * 13));
        let mut last = 0;
        for nodes in 0..=whole.nodes {
            let report = count(&Limits::new().nodes(nodes));
            assert!((last..=13 * 8 * 13).contains(&report.solutions), "{nodes} nodes: {report:?}");
            last = report.solutions;
        }
        assert_eq!(last, 13 * 8 * 13);
    }

    #[test]
    fn the_remaining_subtrees_are_exact_or_absent_if_forced_options_have_duplicates() {
        // Item `x` has two equal options, and the other items form a row. If the rest omitted the
        // second option of `x`, half of the covers would be missing.
        let problem: Problem =
            "x a b c d e\nx\nx\na\na b\nb\nb c\nc\nc d\nd\nd e\ne\n".parse().unwrap();
        let limits = Limits::new().solutions(1).rest(true);
        let mut solver = Solver::new(problem).at_once();
        let mut covers = 0;
        let report = solver.search(&[], &limits, &mut |_| {
            covers += 1;
            ControlFlow::Continue(())
        });
        assert_eq!((covers, report.end), (1, End::Limit(Limit::Solutions)));
        if let Some(rest) = report.rest {
            for part in rest {
                covers += solver.count_subtree(&part, &Limits::default()).solutions;
            }
            assert_eq!(covers, 2 * 8);
        }
    }

    #[test]
    fn a_count_above_u64_ends_with_a_limit() {
        let report = Solver::new(rows(&[2; 63])).count(&[], &Limits::default());
        assert_eq!(report.count(), Some(1 << 63));
        let report = Solver::new(rows(&[2; 64])).count(&[], &Limits::default());
        assert_eq!((report.end, report.solutions), (End::Limit(Limit::Numbers), u64::MAX));
    }

    #[test]
    fn represented_options_are_listed_and_counted() {
        // Item `a` has three options. The other items have two combinations, one with two equal
        // options.
        let problem: Problem = "a b c\na\na\nb\na\nb c\nc\nc\nc b\n".parse().unwrap();
        let (covers, report) = list(&problem, &Limits::default());
        assert_eq!((covers.len(), report.end), (3 * (2 + 2), End::Exhausted));
        assert_eq!(crate::count(&problem), 12u32.into());
    }

    #[test]
    fn a_part_without_covers_ends_the_search_of_the_other_parts() {
        // Five items cannot be paired, but no reduction detects this. The other part has 10^41
        // covers.
        let mut text = String::from("a b c d e");
        let mut options = String::from("a b\na c\na d\na e\nb c\nb d\nb e\nc d\nc e\nd e\n");
        for item in 0..200 {
            text += &format!(" {item}");
            options += &format!("{item}\n{item} {}\n", (item + 1) % 200);
        }
        let problem: Problem = format!("{text}\n{options}").parse().unwrap();
        let (covers, report) = list(&problem, &Limits::default());
        assert_eq!((covers.len(), report.end), (0, End::Exhausted));
        assert_eq!(crate::count(&problem), 0u32.into());
    }

    #[test]
    fn the_first_covers_of_many_parts_are_found_quickly() {
        let problem = rows(&[10; 200]);
        let (covers, report) = list(&problem, &Limits::new().solutions(100));
        assert_eq!((covers.len(), report.end), (100, End::Limit(Limit::Solutions)));
    }

    #[test]
    fn a_search_for_one_cover_of_a_single_part_returns_the_remaining_subtrees() {
        // After the first option, seven items in a row are left to cover.
        let mut solver = Solver::new(rows(&[8])).at_once();
        let limits = Limits::new().solutions(1).rest(true);
        let mut visit = |_: &[OptionId]| ControlFlow::Continue(());
        let report = solver.search(&[OptionId::new(0)], &limits, &mut visit);
        let mut covers = report.solutions;
        for part in report.rest.expect("clause learning, which could not tell, has no turn") {
            covers += solver.count_subtree(&part, &Limits::default()).solutions;
        }
        assert_eq!(covers, 21);
    }
}
