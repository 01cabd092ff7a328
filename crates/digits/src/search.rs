//! Backtracking search: tries a digit in a cell, then the cell without it.

use std::ops::ControlFlow;

use limits::{End, Limit, Limits};

use super::board::CandidateGrid;
use super::network::WantedPlace;
use super::{DigitSet, Network};

/// Number of dead ends after which all weights are halved.
const HALVED_AFTER: u32 = 1 << 14;
/// For a branch on a digit with only two cells left in a house, the larger weight of these cells is
/// divided by this number.
const PAIR_PRICE: f64 = 2.5;
/// Work between two checks of the clock and the flags, in updates; well under a millisecond.
pub(crate) const LOOK_INTERVAL: u64 = 1 << 16;
/// Cost of a node, in updates.
const NODE_WORK: u64 = 2000;

/// A search through a network, node by node.
///
/// It branches on the cell with the greatest weight per candidate. Alternatively, it branches on a
/// digit with two cells left in a house, or on the place of the first digit of a ranked line, if
/// that has a higher score. The initial weight of a cell
/// comes from its rules. The weight grows in each dead end where the cell is involved: as a cell of
/// the failed rule, as the cell without a candidate or, if a sum or a rank failed, as the cell of
/// the last decision.
#[derive(Debug)]
pub struct Search<'n> {
    board: CandidateGrid<'n>,
    weights: Vec<u32>,
    dead_ends: u32,
    decisions: Vec<Decision>,
    grids: Vec<DigitSet>,
    nodes: u64,
    state: SearchPhase,
    /// The finished fraction of the search tree, and the share of the current node.
    done: f64,
    share: f64,
    /// For each cell, the digits that a branch tries before others; empty without such digits.
    preferred: Vec<DigitSet>,
}

#[derive(Clone, Copy, Debug)]
struct Decision {
    cell: u16,
    digit: DigitSet,
    /// The share of the branch without the tried digit.
    rest: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchPhase {
    Open,
    Solved,
    Exhausted,
}

/// Result of one step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepResult {
    /// The search entered a node that is not a solution.
    Nothing,
    /// The search found a solution: each cell has one digit.
    Solution,
    /// The search is exhausted.
    End,
}

impl<'n> Search<'n> {
    /// Starts a search of `network`.
    #[must_use]
    pub fn new(network: &'n Network) -> Self {
        let is_empty = network.digits.contains(&0);
        Self {
            board: CandidateGrid::new(network),
            weights: network.priorities.clone(),
            dead_ends: 0,
            decisions: Vec::new(),
            grids: Vec::new(),
            nodes: 0,
            state: if is_empty { SearchPhase::Exhausted } else { SearchPhase::Open },
            done: if is_empty { 1.0 } else { 0.0 },
            share: 1.0,
            preferred: Vec::new(),
        }
    }

    /// Starts another search below `grid`, in which no rule can remove a digit. The search keeps
    /// its weights, and its branches try the digits of `preferred` before others.
    pub(crate) fn restart(&mut self, grid: &[DigitSet], preferred: &[DigitSet]) {
        self.board.restart(grid);
        self.preferred.clear();
        self.preferred.extend_from_slice(preferred);
        self.decisions.clear();
        self.grids.clear();
        self.state = SearchPhase::Open;
        (self.done, self.share) = (0.0, 1.0);
    }

    /// Removes all digits but `digits` from a cell, before the first node of a search. Without any
    /// digit left, the search has no solution.
    pub(crate) fn keep(&mut self, cell: usize, digits: DigitSet) {
        if self.board.keep(cell as u16, digits).is_err() {
            self.state = SearchPhase::Exhausted;
        }
    }

    /// Runs all rules without a decision; returns whether no contradiction was found.
    pub(crate) fn settle(&mut self) -> bool {
        self.nodes += 1;
        if self.state == SearchPhase::Open && self.board.settle().is_err() {
            self.state = SearchPhase::Exhausted;
        }
        self.state == SearchPhase::Open
    }

    /// Returns the number of nodes and updates so far as one measure of work, in updates.
    pub(crate) fn work(&self) -> u64 {
        self.board.updates + self.nodes * NODE_WORK
    }

    /// Returns the number of nodes so far: one for the root and one for each tried digit.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns how many times a cell has lost digits.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.board.updates
    }

    /// Returns the number of open decisions.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.decisions.len()
    }

    /// Returns the candidates of each cell; after a solution, each cell has one.
    #[must_use]
    pub fn digits(&self) -> &[DigitSet] {
        self.board.grid()
    }

    /// Returns the finished fraction of the search tree, where all digits of a cell have equal
    /// shares.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        self.done.min(1.0)
    }

    /// Passes the next solutions to `visit`, which ends the search with `Break`. A later call
    /// continues the search.
    ///
    /// The limits on solutions and nodes apply to this call. The last step of a search, which finds
    /// no further node, counts as a node.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use digits::{End, Limit, Limits, NetworkBuilder, Search};
    ///
    /// let network = NetworkBuilder::sudoku(2, 2).expect("it is small").build();
    /// let mut search = Search::new(&network);
    /// let mut count = 0;
    /// let mut visit = |_: &[digits::DigitSet]| {
    ///     count += 1;
    ///     ControlFlow::Continue(())
    /// };
    /// let end = search.run(&Limits::new().solutions(100), &mut visit);
    /// assert_eq!(end, End::Limit(Limit::Solutions));
    /// assert_eq!(search.run(&Limits::new(), &mut visit), End::Exhausted);
    /// assert_eq!(count, 288);
    /// ```
    pub fn run(
        &mut self,
        limits: &Limits,
        visit: &mut dyn FnMut(&[DigitSet]) -> ControlFlow<()>,
    ) -> End {
        let (nodes_before, updates_before) = (self.nodes, self.updates());
        let (mut solutions, mut next_look) = (0, 0);
        loop {
            let nodes = self.nodes - nodes_before;
            if limits.solutions.is_some_and(|most| solutions >= most) {
                return End::Limit(Limit::Solutions);
            }
            if limits.nodes.is_some_and(|most| nodes >= most) {
                return End::Limit(Limit::Nodes);
            }
            let work = self.updates() - updates_before + nodes * NODE_WORK;
            if work >= next_look {
                next_look = work + LOOK_INTERVAL;
                if let Some(progress) = &limits.progress {
                    progress.set(self.fraction(), nodes, solutions);
                }
                if let Err(limit) = limits.check() {
                    return End::Limit(limit);
                }
            }
            match self.step() {
                StepResult::End => return End::Exhausted,
                StepResult::Nothing => {}
                StepResult::Solution => {
                    solutions += 1;
                    if visit(self.digits()).is_break() {
                        return End::Stopped;
                    }
                }
            }
        }
    }

    /// Enters the next node.
    pub fn step(&mut self) -> StepResult {
        if self.state == SearchPhase::Solved {
            self.retreat();
        }
        if self.state == SearchPhase::Exhausted {
            return StepResult::End;
        }
        self.nodes += 1;
        while self.board.settle().is_err() {
            self.blame();
            self.retreat();
            if self.state == SearchPhase::Exhausted {
                return StepResult::Nothing;
            }
        }
        match self.choose() {
            None => {
                self.state = SearchPhase::Solved;
                StepResult::Solution
            }
            Some((cell, digit)) => {
                self.decide(cell, digit);
                StepResult::Nothing
            }
        }
    }

    fn decide(&mut self, cell: u16, digit: DigitSet) {
        let share = self.share / f64::from(self.board.digits(cell).count_ones());
        let rest = self.share - share;
        self.share = share;
        self.grids.extend_from_slice(self.board.grid());
        self.decisions.push(Decision { cell, digit, rest });
        self.board.keep(cell, digit).expect("the cell has the digit");
    }

    fn retreat(&mut self) {
        self.done += self.share;
        let Some(Decision { cell, digit, rest }) = self.decisions.pop() else {
            self.state = SearchPhase::Exhausted;
            return;
        };
        let at = self.grids.len() - self.board.network.cell_count();
        self.board.go_back(&self.grids[at..]);
        self.grids.truncate(at);
        self.share = rest;
        self.state = SearchPhase::Open;
        self.board.keep(cell, !digit).expect("a decision is made where there are two digits");
    }

    fn choose(&self) -> Option<(u16, DigitSet)> {
        let grid = self.board.grid();
        let (mut best, mut weight, mut count) = (None, 0, 1);
        for (cell, (&digits, &own)) in grid.iter().zip(&self.weights).enumerate() {
            if digits.is_power_of_two() {
                continue;
            }
            let own_count = digits.count_ones();
            // Compare weights per candidate by cross-multiplication, which avoids a division.
            if best.is_none()
                || u64::from(own) * u64::from(count) > u64::from(weight) * u64::from(own_count)
            {
                (best, weight, count) = (Some(cell), own, own_count);
            }
        }
        let cell = best?;
        let wanted = self.preferred.get(cell).map_or(0, |wanted| grid[cell] & wanted);
        let digits = if wanted == 0 { grid[cell] } else { wanted };
        let mut choice = (cell as u16, digits & digits.wrapping_neg());
        if count > 2 {
            let mut score = f64::from(weight) / f64::from(count);
            for house in &self.board.network.houses {
                self.choose_in(house, &mut score, &mut choice);
            }
            for place in &self.board.network.places {
                self.choose_place(place, &mut score, &mut choice);
            }
        }
        Some(choice)
    }

    fn choose_in(&self, house: &[u16], score: &mut f64, choice: &mut (u16, DigitSet)) {
        let (mut once, mut twice, mut more, mut most) = (0, 0, 0, 0);
        for &cell in house {
            let digits = self.board.digits(cell);
            more |= twice & digits;
            twice |= once & digits;
            once |= digits;
            most = most.max(self.weights[usize::from(cell)]);
        }
        let mut pairs = twice & !more;
        if f64::from(most) / PAIR_PRICE < *score {
            return;
        }
        while pairs != 0 {
            let digit = pairs & pairs.wrapping_neg();
            pairs ^= digit;
            let places = house.iter().filter(|&&cell| self.board.digits(cell) & digit != 0);
            let Some(&cell) = places.max_by_key(|&&cell| self.weights[usize::from(cell)]) else {
                continue;
            };
            let own = f64::from(self.weights[usize::from(cell)]) / PAIR_PRICE;
            if own >= *score {
                (*score, *choice) = (own, (cell, digit));
            }
        }
    }

    fn choose_place(&self, place: &WantedPlace, score: &mut f64, choice: &mut (u16, DigitSet)) {
        let has_digit = |&&cell: &&u16| self.board.digits(cell) & place.digit != 0;
        let cells = place.cells.iter().filter(has_digit);
        let count = cells.clone().count();
        let Some(&cell) = cells.max_by_key(|&&cell| self.weights[usize::from(cell)]) else { return };
        let own = self.weights[usize::from(cell)] * place.factor;
        let own = f64::from(own) / count as f64;
        if count > 1 && own >= *score {
            (*score, *choice) = (own, (cell, place.digit));
        }
    }

    fn blame(&mut self) {
        let weights = &mut self.weights;
        self.board.blame(|cell, part| weights[usize::from(cell)] += part);
        if let Some(Decision { cell, .. }) = self.decisions.last()
            && self.board.blames_decision()
        {
            weights[usize::from(*cell)] += 1;
        }
        self.dead_ends += 1;
        if self.dead_ends == HALVED_AFTER {
            self.dead_ends = 0;
            weights.iter_mut().for_each(|weight| *weight /= 2);
        }
    }
}
