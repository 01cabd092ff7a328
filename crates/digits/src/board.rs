//! The digits that are left, and the rules that have to look at them again.

use super::rules::Rule;
use super::{Dead, DigitSet, Network};

/// The part that a filled cell of a sum has in a dead end, where one with several digits has 1. With 1 Mathemagic killers take 1.8
/// times the nodes, with 3 1.1 times, with 8 or 16 as many, and puzzles of other rules some more.
const FILLED_PART: u32 = 5;
/// Cells for each digit of a sum in which filled cells have no greater part: where a line of 34 cells fails most are filled, and
/// none stands out (Long sums 2 would take seven times the nodes that it takes without such parts).
const LONG: usize = 2;

/// The state of a search: the digits of each cell, and who has not seen the last changes.
#[derive(Debug)]
pub(crate) struct Board<'n> {
    pub(crate) network: &'n Network,
    grid: Vec<DigitSet>,
    /// Cells with a single digit, which their peers do not know of yet.
    news: Vec<u16>,
    /// The rules that have to look, a bit each; the cheapest come first.
    queue: Vec<u64>,
    /// The cell that had no digit left when the board died, and the rule that was looking.
    emptied: Option<u16>,
    looking: Option<usize>,
    /// Digits taken away, in all.
    pub(crate) updates: u64,
    /// Room for rules to work in.
    pub(crate) states: Vec<u64>,
    pub(crate) all: Vec<DigitSet>,
}

impl<'n> Board<'n> {
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

    /// Returns the digits of all cells.
    #[inline]
    pub(crate) fn grid(&self) -> &[DigitSet] {
        &self.grid
    }

    /// Returns the digits of a cell.
    #[inline]
    pub(crate) fn digits(&self, cell: u16) -> DigitSet {
        self.grid[usize::from(cell)]
    }

    /// Takes all digits but these from a cell.
    #[inline]
    pub(crate) fn keep(&mut self, cell: u16, digits: DigitSet) -> Result<(), Dead> {
        let old = self.grid[usize::from(cell)];
        if old & !digits == 0 { Ok(()) } else { self.put(cell, old & digits) }
    }

    fn put(&mut self, cell: u16, digits: DigitSet) -> Result<(), Dead> {
        if digits == 0 {
            self.emptied = Some(cell);
            return Err(Dead);
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

    /// Lets rules look until nothing changes.
    pub(crate) fn settle(&mut self) -> Result<(), Dead> {
        (self.emptied, self.looking) = (None, None);
        let settled = self.settle_queue();
        if settled.is_err() {
            self.news.clear();
            self.queue.fill(0);
        }
        settled
    }

    fn settle_queue(&mut self) -> Result<(), Dead> {
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

    /// Calls for each cell that had to do with the death of the board, with its part in it: the one that had no digit left,
    /// and those of the rule that was looking. Of a sum those have the greater part that are filled: they left the others no way.
    pub(crate) fn blame(&self, mut call: impl FnMut(u16, u32)) {
        self.emptied.into_iter().for_each(|cell| call(cell, 1));
        let cells = self.looking.map_or(&[][..], |rule| self.network.rules[rule].cells());
        let is_sum = self.has_failed_in_sum() && cells.len() <= LONG * self.network.order;
        for &cell in cells {
            let is_filled = self.digits(cell).is_power_of_two();
            call(cell, if is_sum && is_filled { FILLED_PART } else { 1 });
        }
    }

    /// Tells whether a rule of sums or sets was looking when the board died.
    pub(crate) fn has_failed_in_sum(&self) -> bool {
        let rule = self.looking.map(|rule| &self.network.rules[rule]);
        matches!(rule, Some(Rule::Sum(_) | Rule::Sets(_)))
    }

    /// Goes back to a grid that was settled.
    pub(crate) fn go_back(&mut self, grid: &[DigitSet]) {
        self.grid.copy_from_slice(grid);
    }
}
