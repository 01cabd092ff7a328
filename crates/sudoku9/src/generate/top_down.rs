//! Top-down generation. Each unit of clues is deleted, in random order, and restored if there are
//! several solutions without it.
//!
//! Each question of a try (whether a puzzle has a second solution) depends on the answers before
//! it. Therefore several tries are in progress at the same time, enough to fill the lanes, and each
//! asks its next question when the previous one is answered. Only the puzzle of a finished try is
//! kept.
//!
//! Memory: [`AT_ONCE`] tries of half a kilobyte, and the puzzles of a run.
//!
//! Tried and dropped: deleting many clues at once and halving on failure (fewer but harder
//! questions, the same speed).

use std::ops::Range;

use limits::{End, Limit, Limits};

use super::clues::ClueBoard;
use super::full;
use super::random::RandomStream;
use super::{Generated, Recipe, Yield};
use crate::lanes::Lanes;
use crate::model::batch::{Batch, Tally};
use crate::model::board::Board;

/// Maximum number of tries in progress, which exceeds the number of puzzles that the lane solver
/// takes at a time (at most 64).
const AT_ONCE: usize = 128;

struct Try {
    number: u64,
    clues: ClueBoard,
    /// The order of the units, and the number of units tried so far.
    order: [u8; 81],
    tried: usize,
    stage: Question,
    least: u32,
}

/// The subject of the pending question of a try.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// Whether the puzzle with the clues of all units has exactly one solution.
    All,
    Unit,
    Clue(usize),
}

enum TryAction {
    Answer,
    Over,
}

struct Tries<'r> {
    recipe: &'r Recipe,
    /// Whether each question excludes the digit of a cell, so that the first solution found answers
    /// it.
    is_by_cell: bool,
    never: Vec<usize>,
    numbers: Range<u64>,
    tries: Vec<Try>,
    ready: Vec<u16>,
    free: Vec<u16>,
    asked: Vec<u16>,
    yielded: Yield,
}

pub(super) fn run(
    lanes: &mut Lanes,
    recipe: &Recipe,
    numbers: Range<u64>,
    limits: &Limits,
) -> Result<Yield, Limit> {
    let in_units = recipe.units.as_flattened_cells();
    let never: Vec<usize> = (0..81).filter(|&cell| in_units >> cell & 1 == 0).collect();
    let is_by_cell = never.is_empty() && recipe.units.iter().all(|unit| unit.len() == 1);
    let limits = limits.clone().solutions(if is_by_cell { 1 } else { 2 });
    let mut tries = Tries {
        recipe,
        is_by_cell,
        never,
        numbers,
        tries: Vec::new(),
        ready: Vec::new(),
        free: Vec::new(),
        asked: Vec::new(),
        yielded: Yield::default(),
    };
    loop {
        tries.asked.clear();
        if let End::Limit(limit) = lanes.run(&mut tries, &limits).end {
            return Err(limit);
        }
        if tries.asked.is_empty() {
            return Ok(tries.yielded);
        }
    }
}

trait Flattened {
    fn as_flattened_cells(&self) -> u128;
}

impl Flattened for Vec<Vec<u8>> {
    fn as_flattened_cells(&self) -> u128 {
        self.iter().flatten().fold(0, |cells, &cell| cells | 1 << cell)
    }
}

impl Try {
    fn new(number: u64, tries: &Tries<'_>) -> Self {
        let recipe = tries.recipe;
        let mut random = RandomStream::new(recipe.seed, number);
        let mut clues = ClueBoard::new(full::grid(&mut random));
        let mut order = std::array::from_fn(|unit| unit as u8);
        random.shuffle(&mut order[..recipe.units.len()]);
        let (first, last) = (*recipe.clues.start(), *recipe.clues.end());
        let least = match recipe.is_minimal {
            true => 0,
            false => first + random.below(last.min(81).saturating_sub(first) + 1) as u32,
        };
        tries.never.iter().for_each(|&cell| clues.delete(cell));
        let stage = if tries.never.is_empty() { Question::Unit } else { Question::All };
        Self { number, clues, order, tried: 0, stage, least }
    }

    fn unit<'r>(&self, recipe: &'r Recipe) -> Option<&'r [u8]> {
        let place = *self.order[..recipe.units.len()].get(self.tried)?;
        Some(&recipe.units[usize::from(place)])
    }

    fn count(&self) -> u32 {
        self.clues.cells.count_ones()
    }

    fn go_on(&mut self, recipe: &Recipe) -> TryAction {
        if self.stage == Question::All {
            return TryAction::Answer;
        }
        while self.stage == Question::Unit {
            let Some(unit) = self.unit(recipe) else {
                let is_single = recipe.units.iter().all(|unit| unit.len() == 1);
                if recipe.is_minimal && is_single || !recipe.clues.contains(&self.count()) {
                    return TryAction::Over;
                }
                self.stage = Question::Clue(0);
                break;
            };
            let is_too_few = self.count() < self.least + unit.len() as u32;
            match *unit {
                _ if is_too_few => self.tried += 1,
                [cell] if self.clues.is_single(cell.into()) => {
                    self.clues.delete(cell.into());
                    self.tried += 1;
                }
                _ => return TryAction::Answer,
            }
        }
        while let Question::Clue(cell) = self.stage {
            if cell == 81 || self.clues.has(cell) {
                break;
            }
            self.stage = Question::Clue(cell + 1);
        }
        if self.stage == Question::Clue(81) { TryAction::Over } else { TryAction::Answer }
    }

    /// Handles the answer to the pending question. Returns the next action of the try.
    fn learn(&mut self, has_other: bool, recipe: &Recipe) -> TryAction {
        match self.stage {
            Question::All if has_other => return TryAction::Over,
            Question::All => self.stage = Question::Unit,
            Question::Unit => {
                let unit = self.unit(recipe).unwrap_or_default();
                if !has_other {
                    unit.iter().for_each(|&cell| self.clues.delete(cell.into()));
                }
                self.tried += 1;
            }
            Question::Clue(_) if !has_other => return TryAction::Over,
            Question::Clue(cell) => self.stage = Question::Clue(cell + 1),
        }
        self.go_on(recipe)
    }

    fn ask(&self, recipe: &Recipe, is_by_cell: bool, board: &mut Board) {
        match self.stage {
            Question::All => self.clues.ask_without_all(&[], board),
            Question::Clue(cell) if is_by_cell => self.clues.ask_without(cell, board),
            Question::Clue(cell) => self.clues.ask_without_all(&[cell as u8], board),
            Question::Unit => match self.unit(recipe).unwrap_or_default() {
                [cell] if is_by_cell => self.clues.ask_without(usize::from(*cell), board),
                unit => self.clues.ask_without_all(unit, board),
            },
        }
    }
}

impl Tries<'_> {
    fn finish(&mut self, place: u16) {
        self.free.push(place);
        let (recipe, over) = (self.recipe, &self.tries[usize::from(place)]);
        if over.stage == Question::All {
            self.yielded.ambiguous += 1;
            return;
        }
        let clues = over.count();
        if !recipe.clues.contains(&clues) {
            self.yielded.add_other(clues, &recipe.clues);
            return;
        }
        self.yielded.puzzles.push(Generated {
            number: over.number,
            puzzle: over.clues.line(),
            solution: over.clues.solution.map(|digit| b'0' + digit),
            clues,
            is_minimal: matches!(over.stage, Question::Unit | Question::Clue(81)),
        });
    }

    fn begin(&mut self) -> Option<u16> {
        loop {
            if self.free.is_empty() && self.tries.len() == AT_ONCE {
                return None;
            }
            let begun = Try::new(self.numbers.next()?, self);
            let place = match self.free.pop() {
                Some(place) => {
                    self.tries[usize::from(place)] = begun;
                    place
                }
                None => {
                    self.tries.push(begun);
                    self.tries.len() as u16 - 1
                }
            };
            match self.tries[usize::from(place)].go_on(self.recipe) {
                TryAction::Answer => return Some(place),
                TryAction::Over => self.finish(place),
            }
        }
    }
}

impl Batch for Tries<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        // A small number of tries stays in the cache, so a new try starts only if the lanes would
        // wait otherwise.
        let Some(place) = self.ready.pop().or_else(|| self.begin()) else { return false };
        self.tries[usize::from(place)].ask(self.recipe, self.is_by_cell, board);
        self.asked.push(place);
        true
    }

    fn wants_solutions(&self) -> bool {
        false
    }

    fn done(&mut self, question: usize, tally: Tally) {
        let place = self.asked[question];
        let has_other = tally.solutions >= if self.is_by_cell { 1 } else { 2 };
        match self.tries[usize::from(place)].learn(has_other, self.recipe) {
            TryAction::Answer => self.ready.push(place),
            TryAction::Over => self.finish(place),
        }
    }
}
