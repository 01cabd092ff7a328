//! True candidates: the digits of each cell that occur in some solution, and in how many.
//!
//! One solution shows a true candidate in every cell. So the search places a candidate that no
//! solution has shown yet, and prefers other such candidates in its branches: some dozen solutions
//! show all true candidates of a 9x9 grid, of which there may be hundreds. A candidate without a
//! solution is removed for good, which makes all later searches smaller.
//!
//! Each search has a node budget. A candidate whose search reaches it is tried again with a larger
//! budget, when the cells of all dead ends since then have a greater weight; restarts of this kind
//! find solutions that one long search would miss.
//!
//! To count up to a limit, the search of a candidate goes on until the candidate has that many
//! solutions. All solutions are kept, so that none is counted twice.
//!
//! Invariant: `possible` contains every digit of every solution, and no rule can remove a digit
//! from it. `found` contains all solutions of each digit in `exact`.
//!
//! Source: the mask of digits not yet seen is that of Interactive Sudoku Solver (2026), which uses
//! it to prune one search tree.
//!
//! Tried and dropped: one search tree, pruned where no unseen digit is left. It refutes the same
//! candidate again below each branch.

use std::collections::BTreeSet;

use limits::{End, Limit, Limits};

use super::board::CandidateGrid;
use super::search::LOOK_INTERVAL;
use super::{DigitSet, Network, Search, StepResult};

/// Node budget of the first search of each candidate. About ten times the nodes of a solution of an
/// empty 9x9 grid, so that only hard candidates are tried again.
const BUDGET_FIRST: u64 = 512;
/// Factor between the node budgets of two searches of a candidate. The last search takes three
/// quarters of the nodes of all.
const BUDGET_FACTOR: u64 = 4;

/// The true candidates of a network: the digits of each cell that occur in some solution.
///
/// ```
/// use digits::{End, Limits, NetworkBuilder, TrueCandidates};
///
/// // A Sudoku of order 4 with a thermometer.
/// let open = || {
///     let mut builder = NetworkBuilder::sudoku(2, 2).expect("it is small");
///     builder.thermometer(&[0, 1, 2]);
///     builder
/// };
/// let network = open().build();
/// let mut candidates = TrueCandidates::new(&network);
/// assert_eq!(candidates.search(&network, &Limits::new()), End::Exhausted);
/// // The first cell has 1 or 2, the second 2 or 3.
/// assert_eq!([0, 1].map(|cell| candidates.digits(cell)), [0b0011, 0b0110]);
/// assert!((0..16).all(|cell| candidates.unknown(cell) == 0));
///
/// // When a clue is added, the search starts from what is known.
/// let mut builder = open();
/// builder.clue(4, 4);
/// assert_eq!(candidates.search(&builder.build(), &Limits::new()), End::Exhausted);
/// assert_eq!(candidates.digits(4), 0b1000);
/// ```
#[derive(Clone, Debug)]
pub struct TrueCandidates {
    order: usize,
    limit: u32,
    possible: Vec<DigitSet>,
    /// The number of solutions in `found` for each digit of each cell.
    counts: Vec<u32>,
    exact: Vec<DigitSet>,
    found: BTreeSet<Box<[u8]>>,
    nodes: u64,
}

/// How the search of one candidate ended.
enum DecisionResult {
    Known,
    Budget,
}

impl TrueCandidates {
    /// Prepares a search that decides which candidates occur in some solution.
    #[must_use]
    pub fn new(network: &Network) -> Self {
        let cells = network.cell_count();
        Self {
            order: network.order,
            limit: 1,
            possible: network.digits.clone(),
            counts: vec![0; cells * network.order],
            exact: vec![0; cells],
            found: BTreeSet::new(),
            nodes: 0,
        }
    }

    /// Also counts the solutions of each candidate, up to `limit`, which is at least 1.
    ///
    /// ```
    /// use digits::{Limits, NetworkBuilder, TrueCandidates};
    ///
    /// let network = NetworkBuilder::sudoku(2, 2).expect("it is small").build();
    /// let mut candidates = TrueCandidates::new(&network).up_to(100);
    /// candidates.search(&network, &Limits::new());
    /// // A quarter of the 288 grids has a 1 in the first cell.
    /// assert_eq!((candidates.count(0, 0), candidates.is_exact(0, 0)), (72, true));
    /// let mut candidates = TrueCandidates::new(&network).up_to(10);
    /// candidates.search(&network, &Limits::new());
    /// assert_eq!((candidates.count(0, 0), candidates.is_exact(0, 0)), (10, false));
    /// ```
    #[must_use]
    pub fn up_to(mut self, limit: u32) -> Self {
        self.limit = limit.max(1);
        self
    }

    /// Searches until all candidates are decided. A later call continues the search.
    ///
    /// The network is that of earlier calls, possibly with more rules and clues: candidates without
    /// a solution stay impossible, and known solutions that satisfy all rules stay known. The limit
    /// on nodes applies to this call; a limit on solutions is ignored.
    ///
    /// # Panics
    /// If the network has other numbers of cells or digits than that of [`Self::new`].
    pub fn search(&mut self, network: &Network, limits: &Limits) -> End {
        self.narrow(network);
        let (nodes, work, whole_nodes, whole_work) = (0, 0, 0, 0);
        let mut meter = WorkMeter { limits, nodes, work, whole_nodes, whole_work, next_look: 0 };
        let end = self.decide_all(network, &mut meter);
        self.nodes += meter.nodes;
        end.map_or_else(End::Limit, |()| End::Exhausted)
    }

    /// Returns whether a network has the numbers of cells and digits of that of [`Self::new`].
    #[must_use]
    pub fn fits(&self, network: &Network) -> bool {
        (self.possible.len(), self.order) == (network.cell_count(), network.order)
    }

    /// Keeps what is true of a network with more rules and clues.
    fn narrow(&mut self, network: &Network) {
        assert!(self.fits(network), "the networks have the same cells and digits");
        self.possible.iter_mut().zip(&network.digits).for_each(|(left, digits)| *left &= digits);
        self.found.retain(|solution| is_solution(network, solution));
        self.counts.fill(0);
        for solution in &self.found {
            for (cell, &digit) in solution.iter().enumerate() {
                self.counts[cell * self.order + usize::from(digit)] += 1;
            }
        }
    }

    fn decide_all(&mut self, network: &Network, meter: &mut WorkMeter<'_>) -> Result<(), Limit> {
        let mut search = Search::new(network);
        (0..self.possible.len()).for_each(|cell| search.keep(cell, self.possible[cell]));
        meter.look(&search)?;
        self.settle(&mut search);
        let mut wanted: Vec<DigitSet> = (0..self.possible.len()).map(|cell| self.open(cell)).collect();
        let mut budget = BUDGET_FIRST;
        let mut whole = Search::new(network);
        whole.restart(&self.possible, &[]);
        loop {
            let mut is_open = false;
            // Without a known solution, first ask whether there is one: else each candidate would
            // have to be refuted by its own search.
            if self.found.is_empty()
                && wanted.iter().any(|&digits| digits != 0)
                && let DecisionResult::Known =
                    self.decide(&mut search, None, budget, &mut wanted, meter)?
                && self.found.is_empty()
            {
                self.possible.fill(0);
                return Ok(());
            }
            for cell in 0..wanted.len() {
                let mut untried = wanted[cell];
                while untried & wanted[cell] != 0 {
                    let digit = (untried & wanted[cell]).trailing_zeros() as usize;
                    untried &= !(1 << digit);
                    let (one, start) = (Some((cell, digit)), search.nodes());
                    if let DecisionResult::Budget =
                        self.decide(&mut search, one, budget, &mut wanted, meter)?
                    {
                        is_open = true;
                    }
                    // Visiting all solutions is faster if there are few, because the search of each
                    // candidate visits them again.
                    let nodes = search.nodes() - start;
                    if self.limit > 1 && self.visit_all(&mut whole, nodes, &mut wanted, meter)? {
                        return Ok(());
                    }
                }
            }
            is_open |= self.found.is_empty() && wanted.iter().any(|&digits| digits != 0);
            if !is_open {
                return Ok(());
            }
            budget = budget.saturating_mul(BUDGET_FACTOR);
        }
    }

    /// Continues the search of all solutions for some nodes; returns whether all were visited.
    fn visit_all(
        &mut self,
        whole: &mut Search<'_>,
        nodes: u64,
        wanted: &mut [DigitSet],
        meter: &mut WorkMeter<'_>,
    ) -> Result<bool, Limit> {
        let (start, start_work) = (whole.nodes(), whole.work());
        let (before, before_work) = (meter.nodes, meter.work);
        while whole.nodes() - start < nodes {
            meter.check(before + whole.nodes() - start, before_work + whole.work() - start_work)?;
            match whole.step() {
                StepResult::Nothing => {}
                // A solution whose candidates all have reached the limit is not needed.
                StepResult::Solution => {
                    let is_needed = |(digits, wanted): (&DigitSet, &DigitSet)| digits & wanted != 0;
                    if whole.digits().iter().zip(wanted.iter()).any(is_needed) {
                        self.add(whole.digits(), wanted);
                    }
                }
                StepResult::End => {
                    self.exact.iter_mut().zip(wanted).for_each(|(exact, open)| *exact |= *open);
                    return Ok(true);
                }
            }
        }
        meter.whole_nodes += whole.nodes() - start;
        meter.whole_work += whole.work() - start_work;
        Ok(false)
    }

    /// Searches the solutions of a candidate, or any solution, until its answer is known.
    fn decide(
        &mut self,
        search: &mut Search<'_>,
        candidate: Option<(usize, usize)>,
        budget: u64,
        wanted: &mut [DigitSet],
        meter: &mut WorkMeter<'_>,
    ) -> Result<DecisionResult, Limit> {
        search.restart(&self.possible, wanted);
        if let Some((cell, digit)) = candidate {
            search.keep(cell, 1 << digit);
        }
        let start = search.nodes();
        loop {
            if search.nodes() - start >= budget {
                return Ok(DecisionResult::Budget);
            }
            meter.look(search)?;
            match search.step() {
                StepResult::Nothing => {}
                StepResult::Solution => {
                    self.add(search.digits(), wanted);
                    if candidate.is_none_or(|(cell, digit)| wanted[cell] >> digit & 1 == 0) {
                        return Ok(DecisionResult::Known);
                    }
                }
                StepResult::End => {
                    let Some((cell, digit)) = candidate else { return Ok(DecisionResult::Known) };
                    self.exact[cell] |= 1 << digit;
                    wanted[cell] &= !(1 << digit);
                    if self.count(cell, digit) == 0 {
                        search.restart(&self.possible, &[]);
                        search.keep(cell, !(1 << digit));
                        meter.look(search)?;
                        self.settle(search);
                        wanted.iter_mut().zip(&self.possible).for_each(|(open, left)| *open &= left);
                    }
                    return Ok(DecisionResult::Known);
                }
            }
        }
    }

    /// Removes the candidates that the rules exclude without a decision.
    fn settle(&mut self, search: &mut Search<'_>) {
        match search.settle() {
            true => self.possible.copy_from_slice(search.digits()),
            false => self.possible.fill(0),
        }
    }

    fn add(&mut self, solution: &[DigitSet], wanted: &mut [DigitSet]) {
        let digits: Box<[u8]> = solution.iter().map(|set| set.trailing_zeros() as u8).collect();
        if self.found.contains(&digits) {
            return;
        }
        for (cell, &digit) in digits.iter().enumerate() {
            let count = &mut self.counts[cell * self.order + usize::from(digit)];
            *count = count.saturating_add(1);
            if *count >= self.limit {
                wanted[cell] &= !(1 << digit);
            }
        }
        self.found.insert(digits);
    }

    /// Returns the digits of a cell that need more search.
    fn open(&self, cell: usize) -> DigitSet {
        let is_open = |&digit: &usize| self.count(cell, digit) < self.limit;
        let open = (0..self.order).filter(is_open).fold(0, |set, digit| set | 1 << digit);
        open & self.possible[cell] & !self.exact[cell]
    }

    /// Returns the digits of a cell that occur in a known solution. Bit 0 is the first digit.
    #[must_use]
    pub fn digits(&self, cell: usize) -> DigitSet {
        let is_true = |&digit: &usize| self.count(cell, digit) > 0;
        (0..self.order).filter(is_true).fold(0, |set, digit| set | 1 << digit)
    }

    /// Returns the digits of a cell of which it is not known whether they occur in a solution.
    /// There are none after a search that no limit has ended.
    #[must_use]
    pub fn unknown(&self, cell: usize) -> DigitSet {
        self.possible[cell] & !self.exact[cell] & !self.digits(cell)
    }

    /// Returns the number of known solutions with a digit (from 0) in a cell, at most the limit of
    /// [`Self::up_to`].
    ///
    /// # Panics
    /// If there is no such cell or digit.
    #[must_use]
    pub fn count(&self, cell: usize, digit: usize) -> u32 {
        self.known(cell, digit).min(self.limit)
    }

    fn known(&self, cell: usize, digit: usize) -> u32 {
        assert!(digit < self.order, "the network must have the digit");
        self.counts[cell * self.order + digit]
    }

    /// Returns whether the count of a digit (from 0) in a cell is the number of all its solutions.
    ///
    /// # Panics
    /// If there is no such cell or digit.
    #[must_use]
    pub fn is_exact(&self, cell: usize, digit: usize) -> bool {
        let is_possible = self.possible[cell] >> digit & 1 == 1;
        let are_all_known = self.exact[cell] >> digit & 1 == 1;
        !is_possible || are_all_known && self.known(cell, digit) <= self.limit
    }

    /// Iterates over the known solutions: the digit (from 0) of each cell.
    pub fn solutions(&self) -> impl Iterator<Item = &[u8]> {
        self.found.iter().map(|solution| &**solution)
    }

    /// Returns the number of nodes of all searches so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// Returns whether a filled grid satisfies all rules of a network.
fn is_solution(network: &Network, solution: &[u8]) -> bool {
    let mut board = CandidateGrid::new(network);
    let mut cells = solution.iter().enumerate();
    cells.all(|(cell, &digit)| board.keep(cell as u16, 1 << digit).is_ok()) && board.settle().is_ok()
}

/// Checks the limits of all searches of a call.
struct WorkMeter<'l> {
    limits: &'l Limits,
    /// Nodes and work of all searches so far, and those of the search of all solutions.
    nodes: u64,
    work: u64,
    whole_nodes: u64,
    whole_work: u64,
    next_look: u64,
}

impl WorkMeter<'_> {
    fn look(&mut self, search: &Search<'_>) -> Result<(), Limit> {
        self.check(search.nodes() + self.whole_nodes, search.work() + self.whole_work)
    }

    fn check(&mut self, nodes: u64, work: u64) -> Result<(), Limit> {
        (self.nodes, self.work) = (nodes, work);
        if self.limits.nodes.is_some_and(|most| nodes >= most) {
            return Err(Limit::Nodes);
        }
        if work >= self.next_look {
            self.next_look = work + LOOK_INTERVAL;
            self.limits.check()?;
        }
        Ok(())
    }
}
