//! A problem with the engine that was chosen for it, and clause learning beside it where few covers are
//! wanted.
//!
//! A search for one cover, or for a second one, has a heavy tail: depth first it is over at once, or
//! lost below a bad choice for good. Clause learning gets out of there, but its nodes take some fifty
//! times as long, and where dead ends teach little it is lost itself. Which it will be cannot be seen
//! beforehand. So the two race (`race.rs`), and each goes on where it was: the chosen engine by what it left
//! ([`Report::rest`]), clause learning with all that it learned ([`Session`]). Neither knows how long it will take, so
//! each has its share of the time, the engine first, in slices that double. In dense problems both have the same,
//! but for the first 16 ms, of which clause learning has a quarter; in sparse ones, where it mostly wins, it has
//! [`SHARE`] times as much. So a search takes at most about 2 or 1 + `SHARE` times as long as with the engine alone, and
//! what is over in the first slice takes as long as ever.
//!
//! The clock of the race is that of the nodes, each of which takes what it costs on average (`costs.rs`), and the slices
//! begin on one thread, so that the same cover is found whatever the wall's clock and the number of threads. What takes
//! longer goes to all cores: the engine's slices from [`TURN_SHARED`] on, which share one tree, and those of clause
//! learning from [`TURN_HELPED`] on. There
//! each core learns with a seed of its own, for the same slice, and the first one that is done ends it:
//! where times differ by a factor of ten from seed to seed, two searches take the shorter of two
//! times. Nothing is exchanged among them. A limit on nodes keeps all on one thread.
//!
//! Sources: Huberman, Lukose and Hogg, "An economics approach to hard computational problems" (Science,
//! 1997), and Gomes and Selman, "Algorithm portfolios" (Artificial Intelligence, 2001), on running
//! several algorithms side by side against heavy tails.
//!
//! Measured, one cover, in milliseconds (- is more than 2000):
//!
//! ```text
//!                                     cells   masks   learn   turns
//! quasigroup, order 30, 340 holes         -       -      55      40
//! 100 queens                              -       -       1      23
//! Langford pairs, 64                      -       -       1      12
//! Langford pairs, 13: no cover         1400     580       -     660
//! 15x15 Y-pentominoes                   490      90      75      75
//! one-sided pentominoes, 3x30             9       3    1160       4
//! 500 random sets of 60 items           145      30       -      37
//! 10x10 board without two corners         -       -     110     360
//! ```
//!
//! Most of what 100 queens and Langford take is the tables of `masks`.
//!
//! Invariants: the covers in the engine's slices and the parts in `open` partition the tree;
//! a cover that both find is shown once; the nodes of all slices together keep the limit exactly.

use std::cell::OnceCell;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::engine::{Learn, Session};
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem, Subtree};
use crate::parallel;
use crate::parallel::{Cores, Parallel};
use crate::portfolio::costs::{NODE_MIN, TURN_DENSE, TURN_EVEN, TURN_HELPED, TURN_SHARED, TURN_SPARSE};
use crate::portfolio::{
    Budget, Choice, Contender, Cut, PartPlan, Race, Rules, Slices, Total, WorkClock,
};
use crate::search::{End, Engine, Report, Visit, go_on};

/// Clause learning takes part where no more covers than this are wanted: one, or a second one that tells
/// whether there are several.
const FEW: u64 = 2;
/// The share of clause learning in sparse problems, where the engine has 1.
const SHARE: f64 = 4.0;
/// The share of clause learning in dense problems, in its first time.
const SHARE_AT_FIRST: f64 = 0.25;
/// No more searches than this learn beside that of the caller's thread.
const HELPERS_MAX: usize = 15;
/// Nodes of clause learning between two looks at what the others found.
const LOOK_NODES: u64 = 512;
/// Why clause learning ended a search.
pub(crate) const LATE: &str = "the search in depth was not over soon";

/// Tells whether so few covers are wanted that clause learning may take part.
pub(crate) fn is_few(limits: &Limits) -> bool {
    limits.solutions.is_some_and(|wanted| (1..=FEW).contains(&wanted))
}

/// A problem, or an independent part of one, and how it is searched.
pub(crate) struct Part {
    problem: Arc<Problem>,
    engine: Parallel<'static>,
    /// Built when it is first needed.
    learn: OnceCell<Learn>,
    /// Nanoseconds for a node of the engine, and of clause learning.
    nodes: [f64; 2],
    slices: Slices,
    is_dense: bool,
    /// The engine that was chosen, and the one that ended the last search.
    chosen: PartPlan,
    plan: PartPlan,
}

impl Part {
    /// Makes a part with the engine that was chosen for it; `is_node_by_node` with slices of a node each.
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
        Self { problem, engine, learn, nodes, slices, is_dense: choice.is_dense, chosen, plan }
    }

    /// Returns the chosen engine for a trial: without turns, and on the caller's thread.
    pub(crate) fn alone(&mut self) -> &mut dyn Engine {
        self.engine.alone()
    }

    /// Returns clause learning, likewise.
    pub(crate) fn learn_alone(&mut self) -> &mut dyn Engine {
        self.learn.get_or_init(|| Learn::new(&self.problem).expect("bounds allow no turns"));
        self.learn.get_mut().expect("it was built just now")
    }

    /// Gives the chosen engine away.
    pub(crate) fn into_engine(self) -> Parallel<'static> {
        self.engine
    }

    /// Returns which engine ended the last search, and why that one.
    pub(crate) fn plan(&self) -> &PartPlan {
        &self.plan
    }

    /// Tells whether clause learning is to take part.
    fn has_turns(&self, without: &[OptionId], limits: &Limits) -> bool {
        is_few(limits) && !limits.rest && without.is_empty() && !self.problem.has_bounds()
    }

    /// Searches in turns until all is known, or enough, and returns how that ended.
    fn take_turns(&mut self, given: &[OptionId], turns: &mut Turns<'_, '_, '_>) -> End {
        self.plan.clone_from(&self.chosen);
        let limits = turns.total.limits();
        let clock = &WorkClock::default();
        let is_node_by_node = self.slices.longest == 1;
        let cores = Arc::clone(self.engine.cores());
        let depth = Depth {
            name: self.chosen.engine,
            engine: &mut self.engine,
            clock,
            node: self.nodes[0],
            open: vec![Subtree::from(given.to_vec())],
        };
        let learning = Learning {
            problem: &self.problem,
            learn: &self.learn,
            given,
            clock,
            node: self.nodes[1],
            is_dense: self.is_dense,
            is_node_by_node,
            session: None,
            helpers: Vec::new(),
            cores: &cores,
            spent: 0,
        };
        let field: [Box<dyn Contender<_, Output = End> + '_>; 2] =
            [Box::new(depth), Box::new(learning)];
        let mut race = Race::new(field, self.slices);
        let rules = Rules { limits, clock, bytes: usize::MAX, time: Duration::MAX };
        let result = race.run(turns, &rules, &mut |_| ());
        let is_by_learning = race.last() == Some(1);
        drop(race);
        if is_by_learning {
            (self.plan.engine, self.plan.reason) = ("learn", LATE);
        }
        match result {
            Ok(end) => end,
            Err(Cut::Limit(limit)) => End::Limit(limit),
            Err(_) => unreachable!("the engine is never out, and the time has no end"),
        }
    }
}

/// The search in depth by the chosen engine.
struct Depth<'p> {
    name: &'static str,
    engine: &'p mut Parallel<'static>,
    clock: &'p WorkClock,
    /// Nanoseconds for a node.
    node: f64,
    /// What the engine left, the first in its order last.
    open: Vec<Subtree>,
}

impl<'l, 'o, 'v> Contender<Turns<'l, 'o, 'v>> for Depth<'_> {
    type Output = End;

    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, turns: &mut Turns<'l, 'o, 'v>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        let mut nodes = nodes_in(budget.work(), self.node);
        while nodes > 0
            && let Some(part) = self.open.pop()
        {
            let limits = Limits { rest: true, ..turns.limits(nodes) };
            let engine: &mut dyn Engine =
                if budget.work() < TURN_SHARED { self.engine.alone() } else { self.engine };
            let report = engine.search_subtree(&part, &limits, &mut |cover| turns.show(cover));
            nodes = nodes.saturating_sub(report.nodes);
            self.clock.pass((report.nodes as f64 * self.node) as u64);
            match turns.add(&report) {
                Err(end) => return Ok(end),
                Ok(true) => {}
                // An engine that cannot tell what it left starts anew.
                Ok(false) => self.open.extend(report.rest.unwrap_or(vec![part]).into_iter().rev()),
            }
        }
        if self.open.is_empty() { Ok(End::Exhausted) } else { Err(Cut::Work) }
    }
}

/// Returns the nodes in a slice: one at least.
fn nodes_in(slice: u64, node: f64) -> u64 {
    ((slice as f64 / node) as u64).max(1)
}

/// Clause learning, with helpers on other cores in long slices.
struct Learning<'p> {
    problem: &'p Problem,
    /// Built when it is first needed.
    learn: &'p OnceCell<Learn>,
    given: &'p [OptionId],
    clock: &'p WorkClock,
    /// Nanoseconds for a node.
    node: f64,
    is_dense: bool,
    is_node_by_node: bool,
    session: Option<Session<'p>>,
    helpers: Vec<Helper<'p>>,
    cores: &'p Arc<Cores>,
    /// The time that it had, on the clock.
    spent: u64,
}

impl<'l, 'o, 'v> Contender<Turns<'l, 'o, 'v>> for Learning<'_> {
    type Output = End;

    fn name(&self) -> &'static str {
        "learn"
    }

    fn run(&mut self, turns: &mut Turns<'l, 'o, 'v>, budget: &mut Budget<'_>) -> Result<End, Cut> {
        // What a search with limited nodes finds must not depend on the clock.
        let is_long = self.is_node_by_node || budget.work() as f64 / self.share() >= TURN_HELPED as f64;
        let Self { learn, given, cores, .. } = *self;
        let build = || Learn::new(self.problem).expect("bounds allow no turns");
        let session = self.session.get_or_insert_with(|| learn.get_or_init(build).begin(given));
        let is_helped = is_long && turns.total.limits().nodes.is_none();
        let hire = |number: usize| {
            let learn = learn.get().expect("the first session was begun with it");
            Helper::new(learn.begin_with(given, number as u64 + 1))
        };
        let wanted = turns.total.limits().solutions;
        let nodes = nodes_in(budget.work(), self.node);
        let end = parallel::beside(
            cores,
            if is_helped { HELPERS_MAX } else { 0 },
            &mut self.helpers,
            hire,
            |helper, flag| helper.search(wanted, flag),
            |flag| turns.learn(session, nodes, cores, flag),
        );
        let time = (nodes as f64 * self.node) as u64;
        self.spent += time;
        self.clock.pass(time);
        let mut is_done = false;
        for helper in &mut self.helpers {
            is_done |= turns.add_helper(helper);
        }
        match turns.judge(if is_done { End::Exhausted } else { end }) {
            Err(end) => Ok(end),
            Ok(true) => Ok(End::Exhausted),
            // Learned clauses have no more room.
            Ok(false) if end == End::Limit(Limit::Memory) => Err(Cut::Memory),
            Ok(false) => Err(Cut::Work),
        }
    }

    fn share(&self) -> f64 {
        if self.is_node_by_node {
            return 1.0;
        }
        if !self.is_dense {
            return SHARE;
        }
        // So that the engine is ahead by what it had more at first, and both have the same from then on.
        let ahead = (1.0 - SHARE_AT_FIRST) * TURN_EVEN as f64;
        let spent = self.spent as f64;
        SHARE_AT_FIRST.max(spent / (spent + ahead))
    }
}

/// A search by clause learning on another core, with a seed of its own.
struct Helper<'m> {
    session: Session<'m>,
    /// What the last turn came to.
    report: Report,
    found: Vec<Vec<OptionId>>,
}

impl<'m> Helper<'m> {
    fn new(session: Session<'m>) -> Self {
        Self { session, report: Report::empty(End::Limit(Limit::Nodes)), found: Vec::new() }
    }

    /// Goes on until the flag is set, or sets it when all is known or enough.
    fn search(&mut self, wanted: Option<u64>, flag: &Arc<AtomicBool>) {
        let limits = Limits { solutions: wanted, cancel: Some(Arc::clone(flag)), ..Limits::default() };
        self.report = self.session.search(&limits, &mut |cover| {
            self.found.push(cover.to_vec());
            ControlFlow::Continue(())
        });
        if matches!(self.report.end, End::Exhausted | End::Limit(Limit::Solutions)) {
            flag.store(true, Relaxed);
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
        if !self.has_turns(without, limits) {
            self.plan.clone_from(&self.chosen);
            return self.engine.run(given, without, limits, visit);
        }
        let go_on: &mut Visit<'_> = &mut go_on;
        let visit = visit.unwrap_or(go_on);
        let mut turns = Turns { total: Total::new(limits), visit, shown: Vec::new(), end: None };
        let end = self.take_turns(given, &mut turns);
        Report { solutions: turns.shown.len() as u64, ..turns.total.report(end) }
    }

    fn is_at_rest(&self, problem: &Problem) -> bool {
        let is_learn_at_rest = self.learn.get().is_none_or(|learn| learn.is_at_rest(problem));
        self.engine.is_at_rest(problem) && is_learn_at_rest
    }
}

/// What the turns came to so far.
struct Turns<'l, 'o, 'v> {
    total: Total<'l>,
    visit: &'o mut Visit<'v>,
    /// The covers shown, as sets.
    shown: Vec<Vec<OptionId>>,
    /// How showing a cover ended the search.
    end: Option<End>,
}

impl Turns<'_, '_, '_> {
    /// Returns the limits of the next turn.
    fn limits(&self, nodes: u64) -> Limits {
        let limits = self.total.left(self.total.limits().solutions);
        Limits { nodes: Some(limits.nodes.map_or(nodes, |left| left.min(nodes))), ..limits }
    }

    /// Shows a cover, unless that was done before.
    fn show(&mut self, cover: &[OptionId]) -> ControlFlow<()> {
        let mut set = cover.to_vec();
        set.sort_unstable();
        if self.shown.contains(&set) {
            return ControlFlow::Continue(());
        }
        self.shown.push(set);
        if (self.visit)(cover).is_break() {
            self.end = Some(End::Stopped);
        } else if Some(self.shown.len() as u64) == self.total.limits().solutions {
            self.end = Some(End::Limit(Limit::Solutions));
        }
        if self.end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Takes a turn of clause learning of that many nodes, ended by a helper that sets the flag.
    fn learn(
        &mut self,
        session: &mut Session<'_>,
        mut nodes: u64,
        cores: &Cores,
        flag: &AtomicBool,
    ) -> End {
        let mut is_helped = true;
        loop {
            // If a core is needed elsewhere, all helpers go.
            if is_helped && cores.is_overdrawn() {
                is_helped = false;
                flag.store(true, Relaxed);
            }
            let limits = self.limits(nodes.min(LOOK_NODES));
            let report = session.search(&limits, &mut |cover| self.show(cover));
            self.total.add(&report);
            nodes -= report.nodes;
            let is_spent = nodes == 0 || self.total.is_spent();
            if report.end != End::Limit(Limit::Nodes) || is_spent || is_helped && flag.load(Relaxed) {
                return report.end;
            }
        }
    }

    /// Shows what a helper found and adds what that cost; tells whether there is no more.
    fn add_helper(&mut self, helper: &mut Helper<'_>) -> bool {
        let report = mem::replace(&mut helper.report, Report::empty(End::Limit(Limit::Nodes)));
        self.total.add(&report);
        for cover in helper.found.drain(..) {
            if self.end.is_none() {
                _ = self.show(&cover);
            }
        }
        report.end == End::Exhausted
    }

    /// Adds what a turn cost, and tells whether it searched all that was asked of it.
    ///
    /// # Errors
    /// The end of the whole search.
    fn add(&mut self, report: &Report) -> Result<bool, End> {
        self.total.add(report);
        self.judge(report.end)
    }

    /// Tells whether a turn that ended so searched all that was asked of it.
    ///
    /// # Errors
    /// The end of the whole search.
    fn judge(&self, end: End) -> Result<bool, End> {
        match self.end.unwrap_or(end) {
            End::Exhausted => Ok(true),
            // Where learned clauses have no more room, the turns of the engine are left; not so where
            // nothing has.
            End::Limit(Limit::Nodes) if !self.total.is_spent() => Ok(false),
            End::Limit(Limit::Memory) if !self.total.is_spent() && !self.total.is_full() => Ok(false),
            end => Err(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples::latin;

    #[test]
    fn a_turn_of_clause_learning_has_its_nodes_however_often_it_looks_at_the_helpers() {
        let learn = Learn::new(&latin(5)).unwrap();
        let cores = Cores::new(0);
        for nodes in [1, LOOK_NODES - 1, LOOK_NODES, LOOK_NODES + 1, 2 * LOOK_NODES, 3 * LOOK_NODES + 1]
        {
            let limits = Limits::default();
            let visit: &mut Visit<'_> = &mut |_| ControlFlow::Continue(());
            let mut turns = Turns { total: Total::new(&limits), visit, shown: Vec::new(), end: None };
            let end = turns.learn(&mut learn.begin(&[]), nodes, &cores, &AtomicBool::new(false));
            assert_eq!(end, End::Limit(Limit::Nodes));
            assert_eq!(turns.total.report(end).nodes, nodes);
        }
    }

    #[test]
    fn a_turn_of_the_engine_has_its_nodes_however_many_parts_are_left() {
        let problem = Arc::new(latin(5));
        let choice = Choice::new(&problem);
        let mut part = Part::new(problem, choice, true, &Cores::new(0));
        // Slices of a node each.
        for (nodes, engine) in
            [(1, choice.spec.name), (2, "learn"), (3, choice.spec.name), (4, "learn")]
        {
            let limits = Limits { nodes: Some(nodes), ..Limits::new().solutions(1) };
            assert_eq!(part.count(&[], &limits).nodes, nodes);
            assert_eq!(part.plan().engine, engine, "{nodes} nodes");
        }
    }

    #[test]
    fn where_options_are_left_out_there_are_no_turns() {
        let problem = Arc::new(latin(5));
        let mut part = Part::new(Arc::clone(&problem), Choice::new(&problem), true, &Cores::new(0));
        // All values of the first cell but one: clause learning would not know.
        let without: Vec<OptionId> = problem.options().take(4).collect();
        let subtree = Subtree::new(Vec::new(), without.clone());
        let report = part.search_subtree(&subtree, &Limits::new().solutions(2), &mut |cover| {
            assert!(without.iter().all(|option| !cover.contains(option)));
            ControlFlow::Continue(())
        });
        assert_eq!((report.solutions, report.end), (2, End::Limit(Limit::Solutions)));
    }

    #[test]
    fn helpers_keep_to_the_given_options() {
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
