//! Cells that take an automaton to an end.

use super::super::board::Board;
use super::super::{Dead, DigitSet};

/// The way from a state by some digits to a state of the next layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WalkStep {
    /// The state before.
    pub from: u16,
    /// The digits that lead on.
    pub digits: DigitSet,
    /// The state behind.
    pub to: u16,
}

/// An automaton whose states are numbered by layer. All states of the last layer are ends.
#[derive(Debug)]
pub(crate) struct Walk {
    cells: Box<[u16]>,
    /// For each cell the steps, by the state before.
    steps: Vec<Vec<WalkStep>>,
    /// Where the bits of each layer of states begin, in words.
    layers: Vec<usize>,
    starts: usize,
}

impl Walk {
    pub(crate) fn new(cells: Vec<u16>, starts: usize, mut steps: Vec<Vec<WalkStep>>) -> Self {
        steps.iter_mut().for_each(|steps| steps.sort_unstable());
        // States that nothing leads to, or that lead nowhere, count as well.
        let mut states = vec![starts; 1];
        states.resize(steps.len() + 1, 0);
        for (place, step) in steps
            .iter()
            .enumerate()
            .flat_map(|(place, steps)| steps.iter().map(move |step| (place, step)))
        {
            states[place] = states[place].max(usize::from(step.from) + 1);
            states[place + 1] = states[place + 1].max(usize::from(step.to) + 1);
        }
        let mut layers = vec![0];
        for states in states {
            layers.push(layers[layers.len() - 1] + states.div_ceil(64));
        }
        Self { cells: cells.into(), steps, layers, starts }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn size(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// Marks the states that can be reached from the beginning, then those from which an end can be, and keeps the digits
    /// of steps between states that are both.
    pub(crate) fn filter(&self, board: &mut Board<'_>) -> Result<(), Dead> {
        let mut states = std::mem::take(&mut board.states);
        let kept = self.filter_in(board, &mut states);
        board.states = states;
        kept
    }

    fn filter_in(&self, board: &mut Board<'_>, states: &mut Vec<u64>) -> Result<(), Dead> {
        let Some(&words) = self.layers.last() else { return Ok(()) };
        states.clear();
        states.resize(words, 0);
        for state in 0..self.starts {
            states[state / 64] |= 1 << (state % 64);
        }
        for (place, (&cell, steps)) in self.cells.iter().zip(&self.steps).enumerate() {
            let digits = board.digits(cell);
            let (from, to) = (self.layers[place], self.layers[place + 1]);
            let (before, behind) = states[from..].split_at_mut(to - from);
            for step in steps {
                let is_reached = before[usize::from(step.from / 64)] >> (step.from % 64) & 1 == 1;
                let bit = u64::from(is_reached && step.digits & digits != 0);
                behind[usize::from(step.to / 64)] |= bit << (step.to % 64);
            }
        }
        for (place, (&cell, steps)) in self.cells.iter().zip(&self.steps).enumerate().rev() {
            let digits = board.digits(cell);
            let (from, to) = (self.layers[place], self.layers[place + 1]);
            let (before, behind) = states[from..].split_at_mut(to - from);
            let mut kept = 0;
            let (mut word, mut alive) = (0, 0);
            for step in steps {
                if usize::from(step.from / 64) != word {
                    before[word] &= alive;
                    alive = 0;
                    before[word + 1..usize::from(step.from / 64)].fill(0);
                    word = usize::from(step.from / 64);
                }
                let is_both = before[word] >> (step.from % 64) & 1 == 1
                    && behind[usize::from(step.to / 64)] >> (step.to % 64) & 1 == 1;
                if is_both && step.digits & digits != 0 {
                    kept |= step.digits;
                    alive |= 1 << (step.from % 64);
                }
            }
            if !before.is_empty() {
                before[word] &= alive;
                before[word + 1..].fill(0);
            }
            board.keep(cell, kept)?;
        }
        Ok(())
    }
}
