//! The candidates of all cells during a search, and the queue of rules to run.

use super::rules::Rule;
use super::{Contradiction, DigitSet, Network};

/// Share of the blame for a filled cell of a failed sum; an open cell has share 1. Chosen by node
/// counts on killer Sudoku without visible cages and on other variants.
const FILLED_PART: u32 = 5;
/// Maximum number of cells of a sum, divided by the number of digits, for [`FILLED_PART`] to apply.
/// In a longer sum most cells are filled when it fails, so they explain little.
const LONG: usize = 2;

/// The state of a search: the candidates of each cell, and the rules and cells still to process.
#[derive(Debug)]
pub(crate) struct CandidateGrid<'n> {
    pub(crate) network: &'n Network,
    grid: Vec<DigitSet>,
    /// Filled cells whose digit was not yet removed from their peers.
    news: Vec<u16>,
    /// Bit set of the rules to run. Cheap rules have low numbers and run first.
    queue: Vec<u64>,
    /// The cell that lost its last candidate, and the rule that was running when the contradiction
    /// was found.
    emptied: Option<u16>,
    looking: Option<usize>,
    pub(crate) updates: u64,
    pub(crate) states: Vec<u64>,
    pub(crate) all: Vec<DigitSet>,
}

impl<'n> CandidateGrid<'n> {
    pub(crate) fn new(network: &'n Network) -> Self {
        let mut board = Self {
            network,
            grid: network.digits.clone(),
            news: Vec::new(),
            queue: vec![0; network.words],
            emptied: None,
            looking: None,
            updates: 0,
            states: Vec::new(),
            all: Vec::new(),
        };
        for rule in 0..network.rules.len() {
            board.queue[rule / 64] |= 1 << (rule % 64);
        }
        let is_single = |&cell: &u16| board.grid[usize::from(cell)].is_power_of_two();
        board.news = (0..network.digits.len() as u16).filter(is_single).collect();
        board
    }

    #[inline]
    pub(crate) fn grid(&self) -> &[DigitSet] {
        &self.grid
    }

    #[inline]
    pub(crate) fn digits(&self, cell: u16) -> DigitSet {
        self.grid[usize::from(cell)]
    }

    #[inline]
    pub(crate) fn keep(&mut self, cell: u16, digits: DigitSet) -> Result<(), Contradiction> {
        let old = self.grid[usize::from(cell)];
        if old & !digits == 0 { Ok(()) } else { self.put(cell, old & digits) }
    }

    fn put(&mut self, cell: u16, digits: DigitSet) -> Result<(), Contradiction> {
        if digits == 0 {
            self.emptied = Some(cell);
            return Err(Contradiction);
        }
        let (network, place) = (self.network, usize::from(cell));
        self.grid[place] = digits;
        self.updates += 1;
        if digits.is_power_of_two() {
            self.news.push(cell);
        }
        let watchers = &network.watchers[place * network.words..][..network.words];
        for (queue, watchers) in self.queue.iter_mut().zip(watchers) {
            *queue |= watchers;
        }
        Ok(())
    }

    pub(crate) fn settle(&mut self) -> Result<(), Contradiction> {
        (self.emptied, self.looking) = (None, None);
        let settled = self.settle_queue();
        if settled.is_err() {
            self.news.clear();
            self.queue.fill(0);
        }
        settled
    }

    fn settle_queue(&mut self) -> Result<(), Contradiction> {
        let network = self.network;
        loop {
            while let Some(cell) = self.news.pop() {
                let digit = self.digits(cell);
                for &peer in network.peers.of(cell) {
                    let digits = self.digits(peer);
                    if digits & digit != 0 {
                        self.put(peer, digits & !digit)?;
                    }
                }
                let place = usize::from(cell) * network.order + digit.trailing_zeros() as usize;
                for &(other, gone) in &network.exclusions[place] {
                    self.keep(other, !gone)?;
                }
            }
            let Some(word) = self.queue.iter().position(|&word| word != 0) else { return Ok(()) };
            let rule = word * 64 + self.queue[word].trailing_zeros() as usize;
            let bit = self.queue[word] & self.queue[word].wrapping_neg();
            self.queue[word] ^= bit;
            self.looking = Some(rule);
            network.rules[rule].filter(self)?;
            self.looking = None;
            self.queue[word] &= !(network.exact[word] & bit);
        }
    }

    /// Calls `call` for each cell that is blamed for the last contradiction, with its share of the
    /// blame. Blamed are the cell without a candidate and the cells of the rule that was running.
    /// In a sum, filled cells have the greater share, because they left no value to the open cells.
    /// The cells of a rank are not blamed, because they are the whole grid.
    pub(crate) fn blame(&self, mut call: impl FnMut(u16, u32)) {
        self.emptied.into_iter().for_each(|cell| call(cell, 1));
        let cells = match self.failed_rule() {
            None | Some(Rule::Rank(_)) => &[][..],
            Some(rule) => rule.cells(),
        };
        let is_sum = matches!(self.failed_rule(), Some(Rule::Sum(_) | Rule::Sets(_)))
            && cells.len() <= LONG * self.network.order;
        for &cell in cells {
            let is_filled = self.digits(cell).is_power_of_two();
            call(cell, if is_sum && is_filled { FILLED_PART } else { 1 });
        }
    }

    fn failed_rule(&self) -> Option<&Rule> {
        self.looking.map(|rule| &self.network.rules[rule])
    }

    /// Returns whether the cell of the last decision is blamed too: a sum or a rank has failed.
    pub(crate) fn blames_decision(&self) -> bool {
        matches!(self.failed_rule(), Some(Rule::Sum(_) | Rule::Sets(_) | Rule::Rank(_)))
    }

    /// Discards all rules and cells still to process, and continues with the candidates of `grid`.
    pub(crate) fn restart(&mut self, grid: &[DigitSet]) {
        self.news.clear();
        self.queue.fill(0);
        self.go_back(grid);
    }

    pub(crate) fn go_back(&mut self, grid: &[DigitSet]) {
        self.grid.copy_from_slice(grid);
    }
}
