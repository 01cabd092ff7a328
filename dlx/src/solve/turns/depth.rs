//! Depth-first search by the chosen engine, as a contender.
//!
//! Each slice resumes the subtrees that the previous one left ([`Report::rest`]). Subtrees have
//! *shares* of the tree, so the searched share and its node count yield an estimate of the size of
//! the tree. The estimate is reliable once two consecutive estimates agree.
//!
//! Bit masks count covers up to three times faster than they list them. So if no covers were found
//! early, a subtree is counted first, and searched again only if it has covers.
//!
//! If one cover is wanted and the search will be long, first choices are compared
//! (`methods/alike`). Equivalent first choices all have a cover or all have none, so the search
//! restarts with one representative per class.
//!
//! [`Report::rest`]: crate::search::Report::rest

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use super::sum::{Question, Turns};
use crate::engine::masks;
use crate::limits::{Limit, Limits};
use crate::methods::{Comparison, EARLY, ExpectedSearch};
use crate::model::{OptionId, Problem, Subtree};
use crate::parallel::{Parallel, run_part};
use crate::portfolio::costs::TURN_SHARED;
use crate::portfolio::{Budget, Contender, Cut, Estimate};
use crate::search::{End, Report, Visit};

/// Minimum number of nodes before the size of the tree is estimated.
const SURE_NODES: u64 = 1000;
/// Largest ratio of two estimates of the tree that agree.
const AGREEMENT: f64 = 2.0;

/// Number of nodes after which subtrees are counted before they are listed. Each count takes at
/// most the nodes so far divided by `COUNTED`, because a subtree with covers is searched again.
const COUNTED_FROM: u64 = 20_000;
const COUNTED: u64 = 8;
/// Counting subtrees before listing them pays off up to this time per node (ns).
const COUNTED_NODE: f64 = 50.0;

const COMPARED: f64 = 0.3;
/// Estimated time above which comparing first choices cannot make the search feasible (ns).
const LONG: f64 = 1e12;

pub(super) fn nodes_in(slice: u64, node: f64) -> u64 {
    ((slice as f64 / node) as u64).max(1)
}

pub(super) struct Depth<'p> {
    name: &'static str,
    engine: &'p mut Parallel<'static>,
    /// Time per node, and time to resume a subtree (ns). Each given option of the subtree costs the
    /// time of another node.
    node: f64,
    begin: f64,
    /// The unsearched subtrees. The first subtree in search order is the last element.
    open: Vec<Subtree>,
    nodes: u64,
    /// The number of nodes before the restart, and the share of the tree that is searched since the
    /// restart.
    before: u64,
    whole: f64,
    /// The last two estimates of the number of nodes of the tree, and the number of nodes searched
    /// at the first of them.
    foreseen: [f64; 2],
    looked: u64,
    /// The problem, if equivalent first choices may be skipped; and the comparison of first
    /// choices.
    problem: Option<&'p Arc<Problem>>,
    comparison: Comparison,
    /// The number of first choices that are searched, and the number of all first choices.
    first_choices: &'p Cell<Option<[usize; 2]>>,
}

impl<'p> Depth<'p> {
    pub(super) fn new(
        name: &'static str,
        engine: &'p mut Parallel<'static>,
        [node, begin]: [f64; 2],
        given: &[OptionId],
        problem: Option<&'p Arc<Problem>>,
        first_choices: &'p Cell<Option<[usize; 2]>>,
    ) -> Self {
        let (open, comparison) = (vec![Subtree::from(given.to_vec())], Comparison::default());
        let (nodes, before, whole, looked, foreseen) = (0, 0, 1.0, 0, [f64::INFINITY; 2]);
        Self {
            name,
            engine,
            node,
            begin,
            open,
            nodes,
            before,
            whole,
            foreseen,
            looked,
            problem,
            comparison,
            first_choices,
        }
    }

    /// Compares first choices if that may pay off. Restarts the search if far fewer choices are
    /// left.
    fn compare(&mut self, budget: &mut Budget<'_>) -> Result<(), Limit> {
        let work = (COMPARED * budget.work() as f64) as u64;
        let outlook = ExpectedSearch { nodes: self.foreseen[1], pace: self.node, work };
        let Some(problem) = self.problem.filter(|_| self.is_sure() && outlook.time() < LONG) else {
            return Ok(());
        };
        if !self.comparison.is_due(work) {
            return Ok(());
        }
        budget.charge(work);
        let is_better = self.comparison.look(problem, outlook, self.engine.alone(), budget.limits())?;
        let left: f64 = self.open.iter().map(Subtree::share).sum();
        let nodes = self.nodes as f64;
        let is_early = nodes < EARLY * (self.foreseen[1] - nodes);
        if is_better
            && (is_early || self.comparison.saves_of(self.whole * left))
            && let Some(alike) = self.comparison.alike()
        {
            self.whole = alike.choices().map(Subtree::share).sum();
            let choices = alike.choices().map(|choice| choice.clone().within(1.0 / self.whole));
            self.open = choices.collect();
            self.first_choices.set(Some(alike.counts()));
            self.before += self.nodes;
            (self.nodes, self.looked, self.foreseen) = (0, 0, [f64::INFINITY; 2]);
        }
        Ok(())
    }

    fn is_sure(&self) -> bool {
        let [before, now] = self.foreseen;
        let is_agreed = (1.0 / AGREEMENT..=AGREEMENT).contains(&(now / before));
        self.nodes >= SURE_NODES && is_agreed
    }

    /// Returns whether to count subtrees before listing their covers, because counting is faster
    /// and most subtrees have no cover.
    fn counts(&self, turns: &Turns<'_, '_, '_>) -> bool {
        let is_wanted = match turns.question {
            Question::Few => true,
            Question::All => turns.solutions() == 0,
            Question::AtMost | Question::Number => false,
        };
        let limits = turns.total.limits();
        let first = if self.begin > 0.0 { COUNTED_FROM } else { 1 };
        let is_exact = limits.nodes.is_some() || limits.profile;
        let is_faster = self.name == masks::SPEC.name && self.node <= COUNTED_NODE;
        is_faster && self.before + self.nodes >= first && is_wanted && !is_exact
    }

    fn look_ahead(&mut self) {
        let left: f64 = self.open.iter().map(Subtree::share).sum();
        let all = self.nodes as f64 / (1.0 - left).max(1e-300);
        if self.is_due() {
            (self.foreseen[0], self.looked) = (self.foreseen[1], self.nodes);
        }
        self.foreseen[1] = all;
    }

    fn is_due(&self) -> bool {
        self.before == 0 || self.nodes >= 2 * self.looked
    }
}

impl<'l, 'o, 'v> Contender<Turns<'l, 'o, 'v>> for Depth<'_> {
    type Output = End;

    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, turns: &mut Turns<'l, 'o, 'v>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        self.compare(budget).map_err(Cut::Limit)?;
        // If all covers are wanted and some are found, the race is decided for this contender.
        let is_alone = turns.question == Question::All && turns.solutions() > 0;
        let mut nodes = if is_alone { u64::MAX } else { nodes_in(budget.work(), self.node) };
        let is_short = !is_alone && budget.work() < TURN_SHARED;
        while nodes > 0 && !self.open.is_empty() {
            let counts = self.counts(turns);
            let mut most = nodes;
            if counts {
                most = most.min(((self.before + self.nodes) / COUNTED).max(1));
            }
            if self.before > 0 {
                // After a restart within a long slice, use shorter pieces, so that two estimates
                // can agree before its end.
                most = most.min(self.nodes.max(SURE_NODES));
            }
            let limits = turns.limits(most).rest(true);
            let parts: Vec<_> = if is_short {
                self.open.pop().into_iter().collect()
            } else {
                self.engine.next_parts(&mut self.open, turns.question != Question::AtMost)
            };
            let count = parts.len();
            let given: usize = parts.iter().map(Subtree::given_count).sum();
            let mut run = |limits: &Limits, visit: Option<&mut Visit<'_>>| match &parts[..] {
                [part] if is_short => run_part(self.engine.alone(), part, limits, visit),
                _ => self.engine.run_parts(parts.clone(), limits, visit),
            };
            let counted = counts.then(|| run(&limits.clone().solutions(None).rough(true), None));
            let (report, more) = match counted {
                Some(report) if report.solutions == 0 => (report, 0),
                Some(Report { nodes, updates, .. }) => {
                    turns.total.add(&Report { nodes, updates, ..Report::empty(End::Exhausted) });
                    (turns.search(&limits, run), nodes)
                }
                None => (turns.search(&limits, run), 0),
            };
            self.nodes += report.nodes;
            let mut work = (more + report.nodes) as f64 * self.node;
            if self.begin > 0.0 {
                let begun = self.engine.effort().tasks.max(1) as f64;
                work += begun * (self.begin + given as f64 / count as f64 * self.node);
            }
            nodes = nodes.saturating_sub((work / self.node) as u64);
            budget.charge(work as u64);
            match turns.add(&report) {
                Err(end) => return Ok(end),
                Ok(true) => {}
                Ok(false) => match report.rest {
                    Some(rest) => self.open.extend(rest.into_iter().rev()),
                    // An engine that cannot return its unsearched subtrees must start again.
                    None => self.open.extend(parts.into_iter().rev()),
                },
            }
            if self.before > 0 && self.is_due() {
                self.look_ahead();
            }
        }
        self.look_ahead();
        if self.open.is_empty() { Ok(End::Exhausted) } else { Err(Cut::Work) }
    }

    fn estimate(&self, spent: Duration) -> Estimate {
        if self.is_sure() {
            Estimate::at_most((self.foreseen[1] - self.nodes as f64) * self.node, AGREEMENT)
        } else {
            Estimate::guess(spent.as_nanos() as f64)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::engine::Naive;
    use crate::model::samples::{problems_with_isomorphic_choices, queens};
    use crate::numbers::Random;
    use crate::parallel::Cores;
    use crate::portfolio::Choice;
    use crate::portfolio::budget::free;
    use crate::search::Engine as _;

    #[test]
    fn a_search_that_skips_equivalent_first_choices_still_finds_a_cover() {
        let mut random = Random::new(29);
        let mut problems = problems_with_isomorphic_choices(&mut random, 100);
        problems.extend((2..5).map(queens));
        let (mut spared, mut refuted) = (0, 0);
        for problem in problems {
            let expected = Naive::new(&problem).count(&[], &Limits::new().solutions(1)).solutions;
            let problem = Arc::new(problem);
            for helpers in 0..2 {
                let (choice, cores) = (Choice::new(&problem), Cores::new(helpers));
                let mut engine = choice.engine(&problem, &cores).patience(Duration::ZERO);
                let (limits, first_choices) = (Limits::new().solutions(1), Cell::new(None));
                let (node, slice) = ([1e6, 0.0], 1 + random.below(20) as u64);
                let name = choice.spec.name;
                let mut depth =
                    Depth::new(name, &mut engine, node, &[], Some(&problem), &first_choices);
                (depth.nodes, depth.foreseen) = (SURE_NODES, [1e5; 2]);
                let mut visit = |cover: &[OptionId]| {
                    assert_eq!(crate::trust::verify(&problem, &[], cover), Ok(()));
                    ControlFlow::Continue(())
                };
                let mut turns = Turns::new(Question::Few, &limits, &mut visit);
                depth.compare(&mut free()).unwrap();
                let left: f64 = depth.open.iter().map(Subtree::share).sum();
                assert!((left - 1.0).abs() < 1e-9, "{left}");
                // The search does not restart if it already searches one representative per class
                // of choices.
                let (before, known) = (depth.before, (depth.nodes, depth.foreseen));
                (depth.nodes, depth.foreseen) = (SURE_NODES, [1e5; 2]);
                depth.compare(&mut free()).unwrap();
                assert_eq!(depth.before, before);
                (depth.nodes, depth.foreseen) = known;
                let end = loop {
                    let mut budget = Budget::new(&limits, slice * 1_000_000, usize::MAX);
                    match depth.run(&mut turns, &mut budget) {
                        Ok(end) => break end,
                        Err(cut) => assert_eq!(cut, Cut::Work),
                    }
                };
                assert_eq!(turns.report(end).solutions, expected, "{problem:?}");
                if let Some([searched, all]) = first_choices.get() {
                    assert!(searched < all);
                    spared += 1;
                    refuted += 1 - expected;
                }
            }
        }
        assert!(spared >= 20 && refuted >= 4, "{spared} {refuted}");
    }
}
