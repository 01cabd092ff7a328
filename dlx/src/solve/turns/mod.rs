//! Searches a problem or an independent part by a race of all methods that can answer the question.
//!
//! The contenders work in turns (`race.rs`), and each resumes where it stopped:
//! - *Depth-first search* by the chosen engine (`depth.rs`).
//! - *Clause learning* (`learning.rs`), if one or two covers are wanted. Clause learning recovers
//!   from bad first choices, where depth-first search is stuck, but its nodes take some ten times
//!   longer.
//! - *Search with the engine `filter`* (`filtering.rs`). Nodes of `filter` take a hundred times
//!   longer than nodes of bit masks, but hard puzzles need ten thousand times fewer.
//! - The *counting methods* (`counting.rs`), which may show whether there is a cover, or another
//!   cover. If all or many covers are wanted, the counting methods take part unless a cover is
//!   found at once. The counting methods support neither given options nor level profiles.
//! - *Algebra* (`refuting.rs`), which proves that there is no cover. Algebra takes part under the
//!   same conditions as the counting methods, if items have no bounds.
//! - *Matchings* (`pairing.rs`), if options have at most two items. Matchings yield covers, or
//!   prove that there is none.
//!
//! Matchings run first, then algebra if its estimate is short. The chosen engine starts next, then
//! the other contenders, in slices that double. Contenders without an estimate get their shares of
//! the time ([`Contender::share`]). An estimate of the size of a tree limits the time of the other
//! contenders. So a search takes at most a few times longer than the best contender alone.
//!
//! The race runs on a work clock: contenders count their own work, and a node of the engine counts
//! as its average cost (`costs.rs`). Short slices use one thread, so the covers found do not depend
//! on wall time or the number of threads. Longer slices use all cores: the engine from
//! `TURN_SHARED` on, with one shared tree, and clause learning from `TURN_HELPED` on, with one seed
//! per core and no exchange of clauses. The first core that is done ends such a slice. With a node
//! limit, all slices use one thread.
//!
//! Tried and dropped: dancing cells with dom/wdeg branching, binary branches and restarts, as a
//! contender (slower on average in the bench `find`).
//!
//! Sources: Huberman, Lukose and Hogg, "An economics approach to hard computational problems"
//! (Science, 1997), and Gomes and Selman, "Algorithm portfolios" (Artificial Intelligence, 2001),
//! on running several algorithms in parallel against heavy tails.
//!
//! Invariants: the covers of the engine's slices and of the subtrees in `open` partition the covers
//! of the tree. If one cover is wanted, the tree may be reduced to one representative per class of
//! equivalent first choices. A cover that two contenders find is passed to the visitor once; if
//! necessary, it is held back until it is known which contender shows all covers. The nodes of all
//! slices together respect the node limit exactly.

mod counting;
mod depth;
mod filtering;
mod learning;
mod pairing;
mod refuting;
mod sum;

use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::time::Duration;

use self::counting::ByNumber;
use self::depth::{Depth, nodes_in};
use self::filtering::Filtering;
use self::learning::Learning;
use self::pairing::Pairing;
use self::refuting::Refuting;
use self::sum::{Question, Turns};
use crate::engine::{Filter, Learn, Session};
use crate::limits::{Limit, Limits};
use crate::methods::{Basis, Tally};
use crate::model::{OptionId, Problem};
use crate::parallel::{Cores, Parallel};
use crate::portfolio::costs::{DEPTH_PART, NODE_MIN, TURN_DENSE, TURN_SPARSE};
use crate::portfolio::{
    BYTES, Choice, Contender, Cut, PartPlan, Race, Rules, Slices, Total, WorkClock,
};
use crate::search::{End, Engine, Report, Visit, go_on};

pub(crate) const LATE: &str = "the search in depth was not over soon";
const COUNTED: &str = "the number of covers says enough";
const PAIRED: &str = "an option has at most two items";
const REFUTED: &str = "a combination of items shows that there is no cover";

/// Returns whether so small a number of covers is wanted that clause learning takes part.
pub(crate) fn is_few(limits: &Limits) -> bool {
    Question::new(limits, true) == Question::Few
}

fn learner<'l>(learn: &'l OnceCell<Arc<Learn>>, problem: &Problem) -> &'l Arc<Learn> {
    learn.get_or_init(|| Arc::new(Learn::new(problem).expect("bounds allow no turns")))
}

/// A problem or an independent part, with its engines.
pub(crate) struct Part {
    problem: Arc<Problem>,
    engine: Parallel<'static>,
    learn: OnceCell<Arc<Learn>>,
    filter: Option<Filter>,
    /// Time per node of the chosen engine, and of clause learning (ns).
    nodes: [f64; 2],
    slices: Slices,
    is_dense: bool,
    /// The chosen engine, and the contender that ended the last search.
    chosen: PartPlan,
    plan: PartPlan,
}

impl Part {
    /// Creates a part with its chosen engine. If `is_node_by_node`, each slice has one node.
    pub(crate) fn new(
        problem: Arc<Problem>,
        choice: Choice,
        is_node_by_node: bool,
        cores: &Arc<Cores>,
    ) -> Self {
        let chosen = PartPlan::new(&problem, choice.spec.name, choice.reason);
        let mut nodes = [choice.node.max(NODE_MIN), choice.node_of_learn];
        let first = if choice.is_dense { TURN_DENSE } else { TURN_SPARSE };
        let mut slices = Slices { first, longest: u64::MAX };
        if is_node_by_node {
            (nodes, slices) = ([1.0; 2], Slices { first: 1, longest: 1 });
        }
        let engine = choice.engine(&problem, cores);
        let (learn, plan) = (OnceCell::new(), chosen.clone());
        let filter = None;
        Self { problem, engine, learn, filter, nodes, slices, is_dense: choice.is_dense, chosen, plan }
    }

    pub(crate) fn alone(&mut self) -> &mut dyn Engine {
        self.engine.alone()
    }

    pub(crate) fn learner(&self) -> Arc<Learn> {
        Arc::clone(learner(&self.learn, &self.problem))
    }

    pub(crate) fn into_engine(self) -> Parallel<'static> {
        self.engine
    }

    pub(crate) fn plan(&self) -> &PartPlan {
        &self.plan
    }

    /// Returns whether a short search on this thread finds a cover or proves that there is none.
    /// After a short search, the engine alone should find all covers, on all cores from the first
    /// node.
    fn is_decided_soon(&mut self, before: &mut Total<'_>) -> bool {
        let nodes = nodes_in(self.slices.first, self.nodes[0]);
        let limits = before.left(Some(1)).nodes(nodes);
        let report = self.engine.alone().count(&[], &limits);
        before.add(&report);
        report.end != End::Limit(Limit::Nodes)
    }

    /// Visits the covers that contain all options of `given`. Clause learning continues `session`,
    /// a trial of the same search that ended before it found a cover.
    pub(crate) fn resume(
        &mut self,
        given: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
        session: Option<Session<'_>>,
    ) -> Report {
        self.answer(given, &[], limits, visit, session)
    }

    fn answer(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
        session: Option<Session<'_>>,
    ) -> Report {
        let question = Question::new(limits, visit.is_some());
        let is_whole = without.is_empty() && !limits.rest && limits.nodes_expected.is_none();
        let knows_number = given.is_empty() && limits.nodes.is_none() && !limits.profile;
        let mut before = Total::new(limits);
        let has_turns = is_whole
            && match question {
                Question::Few => true,
                Question::All | Question::AtMost => knows_number && !self.is_decided_soon(&mut before),
                Question::Number => false,
            };
        if !has_turns {
            self.plan.clone_from(&self.chosen);
            return before.end_with(self.engine.run(given, without, limits, visit));
        }
        let go_on: &mut Visit<'_> = &mut go_on;
        let mut turns = Turns::new(question, limits, visit.unwrap_or(go_on));
        turns.total = before;
        let end = self.take_turns(given, &mut turns, session);
        turns.report(end)
    }

    /// Runs the race and returns the end of the search. Clause learning continues `session`.
    fn take_turns(
        &mut self,
        given: &[OptionId],
        turns: &mut Turns<'_, '_, '_>,
        session: Option<Session<'_>>,
    ) -> End {
        self.plan.clone_from(&self.chosen);
        let limits = turns.total.limits();
        let (basis, method) = (Basis::default(), Cell::new(None));
        let is_node_by_node = self.slices.longest == 1;
        let cores = Arc::clone(self.engine.cores());
        let begin = if is_node_by_node { 0.0 } else { DEPTH_PART };
        // Any cover will do, and node counts need not be reproducible.
        let is_one = limits.solutions == Some(1) && given.is_empty() && !is_node_by_node;
        let alike = (is_one && limits.nodes.is_none() && !limits.profile).then_some(&self.problem);
        let (first_choices, node) = (Cell::new(None), [self.nodes[0], begin]);
        let depth =
            Depth::new(self.chosen.engine, &mut self.engine, node, given, alike, &first_choices);
        let mut field: Vec<Box<dyn Contender<_, Output = End> + '_>> = vec![Box::new(depth)];
        if turns.question == Question::Few && !self.problem.has_bounds() {
            field.push(Box::new(Learning {
                problem: &self.problem,
                learn: &self.learn,
                given,
                is_dense: self.is_dense,
                is_node_by_node,
                session,
                helpers: Vec::new(),
                cores: &cores,
                spent: 0,
            }));
        }
        if !self.problem.has_bounds() && !limits.profile {
            field.push(Box::new(Filtering::new(
                &self.problem,
                &mut self.filter,
                given,
                self.is_dense,
                is_node_by_node,
            )));
        }
        // The following methods support neither given options nor level profiles.
        if given.is_empty() && !limits.profile {
            let mut tally = Tally::new(&self.problem, &basis, limits, &cores);
            // With a node limit or with bounds, algebra runs as one of the counting methods
            // instead. The counting methods have a work limit, and algebra rarely succeeds with
            // bounds.
            if limits.nodes.is_none() && !self.problem.has_bounds() {
                // Algebra precedes depth-first search, because a short attempt takes a fraction of
                // a millisecond.
                field.insert(0, Box::new(Refuting::new(&self.problem)));
                tally = tally.without_algebra();
            }
            // The work limit is the work of clause learning for the allowed nodes.
            let work = limits.nodes.map(|nodes| (nodes as f64 * self.nodes[1]) as u64);
            field.push(Box::new(ByNumber::new(&self.problem, tally, work, &method)));
            // Matchings enter no nodes.
            if let Some(pairing) = Pairing::new(&self.problem, limits) {
                field.insert(0, Box::new(pairing));
            }
        }
        let mut race = Race::new(field, self.slices);
        let bytes = limits.memory.unwrap_or(BYTES);
        let rules = Rules { limits, clock: &WorkClock::default(), bytes, time: Duration::MAX };
        let result = race.run(turns, &rules, &mut |_| ());
        let winner = race.last().and_then(|place| race.contender(place)).map(Contender::name);
        drop(race);
        turns.show_held();
        if winner == Some(learning::NAME) {
            (self.plan.engine, self.plan.reason) = (learning::NAME, LATE);
        } else if winner == Some(filtering::NAME) {
            (self.plan.engine, self.plan.reason) = (filtering::NAME, LATE);
        } else if winner == Some(pairing::NAME) {
            (self.plan.engine, self.plan.reason) = (pairing::NAME, PAIRED);
        } else if winner == Some(refuting::NAME) {
            (self.plan.engine, self.plan.reason) = (refuting::NAME, REFUTED);
        } else if winner == Some(counting::NAME) {
            let method = method.get().unwrap_or(counting::NAME);
            (self.plan.engine, self.plan.reason) = (method, COUNTED);
        } else {
            self.plan.first_choices = first_choices.get();
        }
        match result {
            Ok(end) => end,
            Err(Cut::Limit(limit)) => turns.end().unwrap_or(End::Limit(limit)),
            Err(_) => unreachable!("the engine is never out, and the time has no end"),
        }
    }
}

impl Engine for Part {
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report {
        self.answer(given, without, limits, visit, None)
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        let is_learn_at_rest = self.learn.get().is_none_or(|learn| learn.is_at_rest(problem));
        self.engine.is_at_rest(problem) && is_learn_at_rest
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::AtomicBool;

    use super::sum::LOOK_NODES;
    use super::*;
    use crate::model::Subtree;
    use crate::model::samples::latin;

    #[test]
    fn a_time_slice_of_clause_learning_ends_exactly_at_its_work_limit() {
        let learn = Learn::new(&latin(5)).unwrap();
        let cores = Cores::new(0);
        let all = |limits: &Limits| {
            let mut session = learn.begin(&[]);
            session.search(limits, &mut |_| ControlFlow::Continue(()));
            session.work()
        };
        for nodes in [1, LOOK_NODES - 1, LOOK_NODES, LOOK_NODES + 1, 2 * LOOK_NODES, 3 * LOOK_NODES + 1]
        {
            let work = all(&Limits::new().nodes(nodes));
            let limits = Limits::default();
            let visit: &mut Visit<'_> = &mut |_| ControlFlow::Continue(());
            let mut turns = Turns::new(Question::Few, &limits, visit);
            let end = turns.learn(&mut learn.begin(&[]), work, &cores, &AtomicBool::new(false));
            assert_eq!(end, End::Limit(Limit::Nodes));
            assert_eq!(turns.report(end).nodes, nodes);
        }
    }

    #[test]
    fn contenders_alternate_after_each_node_if_slices_have_one_node() {
        let problem = Arc::new(latin(5));
        let choice = Choice::new(&problem);
        let mut part = Part::new(problem, choice, true, &Cores::new(0));
        for (nodes, engine) in
            [(1, choice.spec.name), (2, "learn"), (3, "filter"), (4, choice.spec.name), (5, "learn")]
        {
            let limits = Limits::new().solutions(1).nodes(nodes);
            assert_eq!(part.count(&[], &limits).nodes, nodes);
            assert_eq!(part.plan().engine, engine, "{nodes} nodes");
        }
    }

    #[test]
    fn clause_learning_in_the_race_resumes_its_trial() {
        let problem = Arc::new(latin(5));
        let choice = Choice::new(&problem);
        let mut part = Part::new(problem, choice, true, &Cores::new(0));
        let first = Limits::new().solutions(1);
        let learn = part.learner();
        let visit: &mut Visit<'_> = &mut |_| ControlFlow::Continue(());
        let all = learn.begin(&[]).search(&first, visit).nodes;
        let mut session = learn.begin(&[]);
        session.search(&first.clone().nodes(all - 1), visit);
        // One node of the engine, and the last node of clause learning.
        let report = part.resume(&[], &first, Some(visit), Some(session));
        assert_eq!((report.solutions, report.nodes, part.plan().engine), (1, 2, "learn"));
        assert!(part.count(&[], &first).nodes > 2, "another search begins anew");
    }

    #[test]
    fn there_is_no_race_if_options_are_excluded() {
        let problem = Arc::new(latin(5));
        let mut part = Part::new(Arc::clone(&problem), Choice::new(&problem), true, &Cores::new(0));
        // Exclude all values of the first cell but one. Clause learning does not support this.
        let without: Vec<OptionId> = problem.options().take(4).collect();
        let subtree = Subtree::new(Vec::new(), without.clone());
        let report = part.search_subtree(&subtree, &Limits::new().solutions(2), &mut |cover| {
            assert!(without.iter().all(|option| !cover.contains(option)));
            ControlFlow::Continue(())
        });
        assert_eq!((report.solutions, report.end), (2, End::Limit(Limit::Solutions)));
    }

    /// Builds the problem of assigning pigeons to holes, where a hole takes at most one pigeon.
    /// Each hole has two items, so that the problem is not a matching.
    fn pigeons(count: usize, holes: usize) -> Problem {
        let mut builder = crate::model::ProblemBuilder::new();
        let pigeons: Vec<_> =
            (0..count).map(|pigeon| builder.primary(&format!("p{pigeon}")).unwrap()).collect();
        let mut hole =
            |name| ["a", "b"].map(|more| builder.secondary(&format!("h{name}{more}")).unwrap());
        let holes: Vec<_> = (0..holes).map(&mut hole).collect();
        for &pigeon in &pigeons {
            holes.iter().for_each(|&[a, b]| _ = builder.option([pigeon, a, b]).unwrap());
        }
        builder.build()
    }

    #[test]
    fn the_algebra_method_refutes_a_problem_before_a_long_search_starts() {
        let problem = Arc::new(pigeons(12, 11));
        let choice = Choice::new(&problem);
        let mut part = Part::new(Arc::clone(&problem), choice, false, &Cores::new(0));
        for limits in [Limits::new().solutions(1), Limits::new().solutions(2), Limits::new()] {
            let report = part.search(&[], &limits, &mut |_| unreachable!("there is no cover"));
            assert_eq!((report.end, report.solutions), (End::Exhausted, 0));
            assert_eq!((part.plan().engine, part.plan().reason), (refuting::NAME, REFUTED));
            // The searches get only their first slices. Without algebra they need tens of millions
            // of nodes.
            assert!(report.nodes < 1_000_000, "{} nodes", report.nodes);
        }
    }

    #[test]
    fn the_algebra_method_leaves_the_race_if_it_cannot_refute_the_problem() {
        // With one hole per pigeon there are covers, so algebra must not end the search.
        let problem = Arc::new(pigeons(5, 5));
        let mut part = Part::new(Arc::clone(&problem), Choice::new(&problem), false, &Cores::new(0));
        let report = part.search(&[], &Limits::new(), &mut |_| ControlFlow::Continue(()));
        assert_eq!((report.end, report.solutions), (End::Exhausted, 120));
        assert_ne!(part.plan().engine, refuting::NAME);
    }

    #[test]
    fn the_matching_method_answers_before_a_long_search_starts() {
        // Domino boards: a complete board, one without two corners of one color, and a path, which
        // has one cover.
        let board = |width: usize, height: usize, holes: &[usize]| {
            let mut builder = crate::model::ProblemBuilder::new();
            let items: Vec<_> = (0..width * height)
                .map(|place| {
                    let item = |name: String| builder.primary(&name).unwrap();
                    (!holes.contains(&place)).then(|| place.to_string()).map(item)
                })
                .collect();
            for place in 0..width * height {
                let right = (place % width + 1 < width).then(|| place + 1);
                let below = (place + width < width * height).then(|| place + width);
                for next in [right, below].into_iter().flatten() {
                    if let (Some(one), Some(other)) = (items[place], items[next]) {
                        builder.option([one, other]).unwrap();
                    }
                }
            }
            Arc::new(builder.build())
        };
        let cases = [(board(30, 30, &[]), 2), (board(30, 30, &[0, 899]), 0), (board(1, 60, &[]), 1)];
        for (problem, covers) in cases {
            for wanted in [1, 2] {
                let mut part =
                    Part::new(Arc::clone(&problem), Choice::new(&problem), false, &Cores::new(0));
                let mut shown = Vec::new();
                let limits = Limits::new().solutions(wanted);
                let report = part.search(&[], &limits, &mut |cover| {
                    assert_eq!(crate::trust::verify(&problem, &[], cover), Ok(()));
                    shown.push(cover.iter().copied().collect::<std::collections::BTreeSet<_>>());
                    ControlFlow::Continue(())
                });
                let few = wanted.min(covers);
                let end = if few == wanted { End::Limit(Limit::Solutions) } else { End::Exhausted };
                assert_eq!((report.end, report.solutions, shown.len() as u64), (end, few, few));
                assert!(shown.len() < 2 || shown[0] != shown[1]);
                assert_eq!((part.plan().engine, part.plan().reason), (pairing::NAME, PAIRED));
                assert_eq!(report.nodes, 0);
            }
        }
        // A search lists all covers; matchings only prove that there is none.
        let problem = board(30, 30, &[0, 899]);
        let mut part = Part::new(Arc::clone(&problem), Choice::new(&problem), false, &Cores::new(0));
        let report = part.search(&[], &Limits::new(), &mut |_| unreachable!("there is no cover"));
        assert_eq!((report.end, part.plan().engine), (End::Exhausted, pairing::NAME));
    }

    #[test]
    fn helper_threads_respect_the_given_options() {
        let problem = Arc::new(latin(5));
        let cores = Cores::new(2);
        let mut part = Part::new(Arc::clone(&problem), Choice::new(&problem), true, &cores);
        for option in problem.options() {
            let given = [option];
            let report = part.search(&given, &Limits::new().solutions(1), &mut |cover| {
                assert_eq!(crate::trust::verify(&problem, &given, cover), Ok(()));
                ControlFlow::Continue(())
            });
            assert_eq!((report.solutions, report.end), (1, End::Limit(Limit::Solutions)));
        }
    }
}
