//! The rule that an automaton accepts the digits of some cells.
//!
//! A forward pass marks the reachable states layer by layer. A backward pass marks the states that
//! lead to an accepting state, and keeps the digits of transitions between marked states. Only
//! transitions of reached states are processed, which are few deep in a search. For automata over
//! few cells each state also tracks the digits common to all paths to it. A digit common to all
//! accepting paths must occur, so the common peers of the cells that can have it lose the digit.
//!
//! Source: the filtering of G. Pesant's regular constraint (CP 2004). Tried and dropped:
//! branch-free processing of all transitions of a layer (slow for thousands of transitions).

use super::super::board::CandidateGrid;
use super::super::{Contradiction, DigitSet};
use super::require;

/// Transitions from one state to a state of the next layer, for a set of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WalkStep {
    /// Number of the state before the cell.
    pub from: u16,
    /// The digits that allow the transition.
    pub digits: DigitSet,
    /// Number of the state after the cell.
    pub to: u16,
}

/// Maximum number of cells of an automaton whose required digits are tracked; with more cells, they
/// rarely restrict a peer.
const REQUIRED_CELLS_MAX: usize = 6;

/// An automaton whose states are numbered by layer. All states of the last layer are accepting.
#[derive(Debug)]
pub(crate) struct Walk {
    cells: Box<[u16]>,
    layers: Vec<WalkLayer>,
    starts: usize,
    words: usize,
    is_narrow: bool,
    is_required: bool,
    /// Whether the rule need not run again after its own changes: no cell occurs twice, and the
    /// rule removes only digits that are on no path.
    is_exact: bool,
}

#[derive(Debug)]
struct WalkLayer {
    begins: Vec<u32>,
    /// The digits of each transition, and the number of the state after it.
    steps: Vec<(DigitSet, u16)>,
    at: usize,
}

impl Walk {
    pub(crate) fn new(cells: Vec<u16>, starts: usize, mut steps: Vec<Vec<WalkStep>>) -> Self {
        steps.iter_mut().for_each(|steps| steps.sort_unstable());
        let mut states = vec![starts; 1];
        states.resize(steps.len() + 1, 0);
        for (place, steps) in steps.iter().enumerate() {
            for step in steps {
                states[place] = states[place].max(usize::from(step.from) + 1);
                states[place + 1] = states[place + 1].max(usize::from(step.to) + 1);
            }
        }
        let mut words = 0;
        let mut layers = Vec::new();
        for (steps, &states) in steps.iter().zip(&states) {
            let begin =
                |state: usize| steps.partition_point(|step| usize::from(step.from) < state) as u32;
            layers.push(WalkLayer {
                begins: (0..=states).map(begin).collect(),
                steps: steps.iter().map(|step| (step.digits, step.to)).collect(),
                at: words,
            });
            words += states.div_ceil(64);
        }
        words += states[steps.len()].div_ceil(64);
        let is_required = cells.len() <= REQUIRED_CELLS_MAX;
        let is_once = (1..cells.len()).all(|place| !cells[..place].contains(&cells[place]));
        let is_exact = is_once && !is_required;
        let is_narrow = states.iter().all(|&states| states <= 64);
        Self { cells: cells.into(), layers, starts, words, is_narrow, is_required, is_exact }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.is_exact
    }

    pub(crate) fn size(&self) -> usize {
        self.layers.iter().map(|layer| layer.steps.len()).sum()
    }

    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        let (mut states, mut all) = (std::mem::take(&mut board.states), std::mem::take(&mut board.all));
        let kept = match (self.is_narrow, self.is_required) {
            (true, true) => self.filter_narrow::<true>(board, &mut states),
            (true, false) => self.filter_narrow::<false>(board, &mut states),
            (false, _) => self.filter_in(board, &mut states, &mut all),
        };
        (board.states, board.all) = (states, all);
        kept
    }

    /// Filters the candidates if the states of each layer fit into a word, which is the usual case.
    fn filter_narrow<const REQUIRED: bool>(
        &self,
        board: &mut CandidateGrid<'_>,
        reached: &mut Vec<u64>,
    ) -> Result<(), Contradiction> {
        reached.clear();
        let mut before = if self.starts == 64 { u64::MAX } else { (1 << self.starts) - 1 };
        let mut musts = [0; 64];
        for (&cell, layer) in self.cells.iter().zip(&self.layers) {
            reached.push(before);
            let digits = board.digits(cell);
            let (mut behind, mut musts_behind) = (0_u64, [DigitSet::MAX; 64]);
            let mut left = before;
            while left != 0 {
                let state = left.trailing_zeros() as usize;
                left &= left - 1;
                for &(own, to) in layer.steps(state) {
                    let own = own & digits;
                    if own != 0 {
                        behind |= 1 << (to % 64);
                        if REQUIRED {
                            let sure = if own.is_power_of_two() { own } else { 0 };
                            musts_behind[usize::from(to % 64)] &= musts[state] | sure;
                        }
                    }
                }
            }
            if behind == 0 {
                return Err(Contradiction);
            }
            before = behind;
            if REQUIRED {
                musts = musts_behind;
            }
        }
        let mut required = if REQUIRED { DigitSet::MAX } else { 0 };
        let mut left = if REQUIRED { before } else { 0 };
        while left != 0 {
            required &= musts[left.trailing_zeros() as usize];
            left &= left - 1;
        }
        let mut wanted = before;
        for ((&cell, layer), &before) in self.cells.iter().zip(&self.layers).zip(&*reached).rev() {
            let digits = board.digits(cell);
            let (mut kept, mut next, mut left) = (0, 0, before);
            while left != 0 {
                let bit = left & left.wrapping_neg();
                left ^= bit;
                let mut own_kept = 0;
                for &(own, to) in layer.steps(bit.trailing_zeros() as usize) {
                    own_kept |= own & ((wanted >> (to % 64) & 1) as DigitSet).wrapping_neg();
                }
                next |= if own_kept & digits == 0 { 0 } else { bit };
                kept |= own_kept;
            }
            wanted = next;
            board.keep(cell, kept)?;
        }
        if required == 0 { Ok(()) } else { require(board, &self.cells, required) }
    }

    fn filter_in(
        &self,
        board: &mut CandidateGrid<'_>,
        states: &mut Vec<u64>,
        musts: &mut Vec<DigitSet>,
    ) -> Result<(), Contradiction> {
        states.clear();
        states.resize(self.words, 0);
        if self.is_required {
            musts.clear();
            musts.resize(self.words * 64, DigitSet::MAX);
            musts[..self.starts].fill(0);
        }
        for state in 0..self.starts {
            states[state / 64] |= 1 << (state % 64);
        }
        for (&cell, layer) in self.cells.iter().zip(&self.layers) {
            let digits = board.digits(cell);
            let from = layer.behind();
            let (before, behind) = states.split_at_mut(from);
            for_each_state(&before[layer.at..], |state| {
                for &(own, to) in layer.steps(state) {
                    let own = own & digits;
                    if own != 0 {
                        behind[usize::from(to / 64)] |= 1 << (to % 64);
                        if self.is_required {
                            let sure = if own.is_power_of_two() { own } else { 0 };
                            let must = musts[layer.at * 64 + state] | sure;
                            musts[from * 64 + usize::from(to)] &= must;
                        }
                    }
                }
            });
        }
        let last = self.layers.last().map_or(0, WalkLayer::behind);
        let mut required = if self.is_required { DigitSet::MAX } else { 0 };
        let mut is_end = self.layers.is_empty();
        for_each_state(&states[last..], |state| {
            is_end = true;
            if self.is_required {
                required &= musts[last * 64 + state];
            }
        });
        if !is_end {
            return Err(Contradiction);
        }
        for (&cell, layer) in self.cells.iter().zip(&self.layers).rev() {
            let digits = board.digits(cell);
            let from = layer.behind();
            let (before, behind) = states.split_at_mut(from);
            let mut kept = 0;
            for (word, states) in before[layer.at..].iter_mut().enumerate() {
                let mut left = *states;
                while left != 0 {
                    let bit = left & left.wrapping_neg();
                    left ^= bit;
                    let mut own_kept = 0;
                    for &(own, to) in layer.steps(word * 64 + bit.trailing_zeros() as usize) {
                        if behind[usize::from(to / 64)] >> (to % 64) & 1 == 1 {
                            own_kept |= own;
                        }
                    }
                    if own_kept & digits == 0 {
                        *states ^= bit;
                    }
                    kept |= own_kept;
                }
            }
            board.keep(cell, kept)?;
        }
        if required == 0 { Ok(()) } else { require(board, &self.cells, required) }
    }
}

impl WalkLayer {
    fn behind(&self) -> usize {
        self.at + (self.begins.len() - 1).div_ceil(64)
    }

    #[inline]
    fn steps(&self, state: usize) -> &[(DigitSet, u16)] {
        &self.steps[self.begins[state] as usize..self.begins[state + 1] as usize]
    }
}

#[inline]
fn for_each_state(states: &[u64], mut call: impl FnMut(usize)) {
    for (word, &states) in states.iter().enumerate() {
        let mut left = states;
        while left != 0 {
            call(word * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}
