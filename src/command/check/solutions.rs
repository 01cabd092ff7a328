//! Counts the solutions of a puzzle, and finds its redundant clues.
//!
//! A clue is redundant if every solution of the other clues contains it. Each clue is tested by a
//! search that stops at the first solution without the clue. For 9x9 Sudoku all these searches form
//! one batch of the SIMD lanes. Node limits bound the work, so that the result does not depend on
//! the machine. One limit applies to the count, another one to the tests of all clues together.

use std::sync::Arc;
use std::time::Duration;

use dlx::parallel::Cores;
use dlx::{End, Engine as _, Limit, Limits, OptionId, Problem, Solver};
use sudoku9::{Batch, Board, Lanes, Tally};

use super::clues::{self, ClueCounter, ClueId, TRANSLATION_NODES};
use crate::io::{interrupt, memory};
use farandole::algorithm::nine::as_sudoku;
use farandole::algorithm::{self, Algorithm};
use puzzle::{Fill, Puzzle};

pub(super) struct SolutionsFound {
    /// The number of solutions found.
    pub(super) count: u64,
    /// The limit that stopped the count, if any.
    pub(super) cut: Option<Limit>,
    /// Clues of rules that no filling of the grid satisfies; filled only for a puzzle without a
    /// solution.
    pub(super) unmet: Vec<ClueId>,
    /// The redundant clues, or `None` unless the puzzle has clues and exactly one solution.
    pub(super) clues: Option<Clues>,
}

pub(super) struct Clues {
    /// The clues that can each be omitted while all others stay. They are clues of the puzzle, or
    /// of its version [with open clues](Puzzle::with_open_clues).
    pub(super) spare: Vec<ClueId>,
    /// The limit that left some clues untested, if any.
    pub(super) cut: Option<Limit>,
}

pub(super) struct Examiner {
    nodes: u64,
    time: Option<Duration>,
    algorithm: Box<dyn Algorithm>,
    lanes: Option<Lanes>,
    counter: Option<ClueCounter>,
    /// The solver of the last problem, kept in case the next puzzle has the same problem.
    solver: Option<(Arc<Problem>, Solver)>,
}

impl Examiner {
    pub(super) fn new(nodes: u64, time: Option<Duration>) -> Self {
        let auto = algorithm::by_name("auto").expect("it is in the table");
        Self {
            nodes,
            time,
            algorithm: auto.build_on(&Cores::new(0)),
            lanes: None,
            counter: None,
            solver: None,
        }
    }

    pub(super) fn examine(&mut self, puzzle: &dyn Puzzle) -> SolutionsFound {
        // Memory of the previous puzzle is free again.
        memory::recover();
        let (nodes, cancel) = (Some(self.nodes), Some(interrupt::flag()));
        let limits = Limits::new().nodes(nodes).cancel(cancel).within(self.time);
        let limits = memory::guard(limits, None);
        let mut count =
            |limits: &Limits| self.algorithm.count(puzzle, limits).expect("it takes every puzzle");
        let digits = by_digits(puzzle).and_then(|mut digits| digits.count(puzzle, &limits).ok());
        let mut counted = match digits {
            Some(report) if report.end != End::Limit(Limit::Nodes) => report,
            fewer => {
                let mut counted = count(&limits);
                counted.solutions = counted.solutions.max(fewer.map_or(0, |report| report.solutions));
                counted
            }
        };
        if counted.end == End::Limit(Limit::Nodes) && counted.solutions == 0 {
            // A search for one solution may also use methods that do not count, so it can still
            // prove that there is no solution.
            let one = count(&limits.clone().solutions(1));
            match one.end {
                End::Exhausted => counted = one,
                _ => counted.solutions = one.solutions,
            }
        }
        let cut = match counted.end {
            End::Limit(limit) => Some(limit),
            _ => None,
        };
        let mut found =
            SolutionsFound { count: counted.solutions, cut, unmet: Vec::new(), clues: None };
        if found.count == 0 && found.cut.is_none() {
            found.unmet = self.unmet(puzzle, &limits);
        }
        if found.count == 1 && found.cut.is_none() {
            let open = match puzzle.with_open_clues(&limits) {
                Ok(open) => open,
                Err(limit) => {
                    found.clues = Some(Clues { spare: Vec::new(), cut: Some(limit) });
                    return found;
                }
            };
            let puzzle = open.as_deref().unwrap_or(puzzle);
            let has_clues = match puzzle.as_symbols() {
                // In a grid with pencil marks, clues and marks cannot be distinguished.
                Some(symbols) => symbols.grid().is_plain(),
                None => !puzzle.given().is_empty(),
            };
            found.clues = match (puzzle.as_ruled(), as_sudoku(puzzle)) {
                (Some(_), _) => Some(self.try_rules(puzzle, has_clues, &limits)),
                _ if !has_clues => None,
                (None, Some(fill)) => Some(self.try_in_lanes(fill, &limits)),
                (None, None) => Some(self.try_one_by_one(puzzle, &limits)),
            };
        }
        found
    }

    fn try_in_lanes(&mut self, fill: &Fill, limits: &Limits) -> Clues {
        let limits = limits.clone().solutions(1);
        let mut batch = WithoutClue::new(fill);
        self.lanes.get_or_insert_with(Lanes::new).run(&mut batch, &limits);
        let (cells, ends) = (batch.clues, batch.ends);
        let is_spare = |&&(_, tally): &&(usize, Option<Tally>)| {
            tally.is_some_and(|tally| tally.end == End::Exhausted && tally.solutions == 0)
        };
        let tried: Vec<(usize, Option<Tally>)> = cells.into_iter().zip(ends).collect();
        let cut = tried.iter().find_map(|(_, tally)| match tally.map(|tally| tally.end) {
            Some(End::Exhausted | End::Limit(Limit::Solutions)) => None,
            Some(End::Limit(limit)) => Some(limit),
            _ => Some(Limit::Nodes),
        });
        let option =
            |&(cell, _): &(usize, _)| fill.option(cell, fill.grid().symbol(cell)?).map(ClueId::Given);
        Clues { spare: tried.iter().filter(is_spare).filter_map(option).collect(), cut }
    }

    /// Finds the clues of rules that cannot be satisfied even without all other clues.
    fn unmet(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> Vec<ClueId> {
        let mut nodes = limits.nodes.unwrap_or(u64::MAX);
        let open = puzzle.as_ruled().and_then(|_| puzzle.with_open_clues(limits).ok()?);
        let Some(open) = open else { return Vec::new() };
        let counter = self.counter.get_or_insert_with(ClueCounter::new);
        let rules = clues::all(open.as_ref()).into_iter().filter(|clue| clue.option().is_none());
        let is_unmet = |clue: &ClueId| {
            let limits = limits.clone().solutions(1).nodes(nodes);
            let Ok(alone) = clues::with(open.as_ref(), &[*clue], &limits) else { return false };
            let counted = counter.count(alone.as_ref(), &limits);
            nodes = nodes.saturating_sub(counted.nodes.max(TRANSLATION_NODES));
            (counted.end, counted.solutions) == (End::Exhausted, 0)
        };
        rules.filter(is_unmet).collect()
    }

    /// Tests each clue of a rule by counting the puzzle without that clue. If `has_digits`, tests
    /// each given digit as well.
    fn try_rules(&mut self, puzzle: &dyn Puzzle, has_digits: bool, limits: &Limits) -> Clues {
        let all = clues::all(puzzle);
        let counter = self.counter.get_or_insert_with(ClueCounter::new);
        let mut found = Clues { spare: Vec::new(), cut: None };
        let mut nodes = limits.nodes.unwrap_or(u64::MAX);
        for &clue in all.iter().filter(|clue| has_digits || clue.option().is_none()) {
            let rest: Vec<ClueId> = all.iter().copied().filter(|&other| other != clue).collect();
            // Spend at most a quarter of the remaining nodes on one clue.
            let limits = limits.clone().solutions(2).nodes(nodes.div_ceil(4));
            let counted = match clues::with(puzzle, &rest, &limits) {
                Ok(rest) => counter.count(rest.as_ref(), &limits),
                Err(limit) => {
                    found.cut = Some(limit);
                    if limit == Limit::Memory {
                        continue;
                    }
                    break;
                }
            };
            nodes = nodes.saturating_sub(counted.nodes.max(TRANSLATION_NODES));
            match counted.end {
                End::Limit(Limit::Solutions) => {}
                End::Limit(limit) if counted.solutions < 2 => {
                    found.cut = Some(limit);
                    if limit != Limit::Nodes || nodes == 0 {
                        break;
                    }
                }
                _ if counted.solutions == 1 => found.spare.push(clue),
                _ => {}
            }
        }
        found
    }

    fn try_one_by_one(&mut self, puzzle: &dyn Puzzle, limits: &Limits) -> Clues {
        let problem = puzzle.problem();
        let known = self.solver.take().filter(|(known, _)| Arc::ptr_eq(known, problem));
        let (_, solver) = self
            .solver
            .insert(known.unwrap_or_else(|| (Arc::clone(problem), Solver::new(Arc::clone(problem)))));
        let given = puzzle.given();
        let mut clues = Clues { spare: Vec::new(), cut: None };
        let mut nodes = limits.nodes.unwrap_or(u64::MAX);
        for (place, &clue) in given.iter().enumerate() {
            let others: Vec<OptionId> = [&given[..place], &given[place + 1..]].concat();
            let limits = limits.clone().solutions(1).nodes(nodes);
            let report = solver.run(&others, &[clue], &limits, None);
            nodes = nodes.saturating_sub(report.nodes.max(1));
            match report.end {
                End::Limit(Limit::Solutions) => {}
                End::Limit(limit) => {
                    clues.cut = Some(limit);
                    break;
                }
                _ if report.solutions == 0 => clues.spare.push(ClueId::Given(clue)),
                _ => {}
            }
        }
        clues
    }
}

/// Returns the digit search for a grid with clues of rules. Its nodes decide far more than nodes of
/// the exact cover, where each step of an automaton is an option.
pub(super) fn by_digits(puzzle: &dyn Puzzle) -> Option<Box<dyn Algorithm>> {
    puzzle.as_ruled().map(|_| algorithm::by_name("digits").expect("it is in the table").build())
}

/// A batch of grids, one per clue, in which the clue's cell must have another symbol.
struct WithoutClue<'f> {
    fill: &'f Fill,
    clues: Vec<usize>,
    taken: usize,
    ends: Vec<Option<Tally>>,
}

impl<'f> WithoutClue<'f> {
    fn new(fill: &'f Fill) -> Self {
        let clues: Vec<usize> = (0..81).filter(|&cell| fill.grid().symbol(cell).is_some()).collect();
        let ends = vec![None; clues.len()];
        Self { fill, clues, taken: 0, ends }
    }
}

impl Batch for WithoutClue<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        let Some(&left) = self.clues.get(self.taken) else { return false };
        self.taken += 1;
        let grid = self.fill.grid();
        *board = Board::from_candidates(|cell| {
            let symbols = grid.candidates(cell) as u16;
            if cell == left { !symbols & 0x1ff } else { symbols }
        });
        true
    }

    fn wants_solutions(&self) -> bool {
        false
    }

    fn done(&mut self, puzzle: usize, tally: Tally) {
        self.ends[puzzle] = Some(tally);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farandole::stream::{Stream, StreamHints};

    fn read(text: &str) -> Box<dyn Puzzle> {
        let mut puzzles =
            Stream::open(std::io::Cursor::new(text.to_owned()), &StreamHints::default()).unwrap();
        puzzles.next().unwrap().unwrap()
    }

    fn cells(puzzle: &dyn Puzzle, clues: &Clues) -> Vec<usize> {
        let grid = puzzle.as_symbols().unwrap();
        let option = |clue: &ClueId| clue.option().unwrap();
        clues.spare.iter().map(|clue| grid.placed_by(option(clue)).unwrap().0).collect()
    }

    fn spare(text: &str) -> Vec<usize> {
        let mut auto = algorithm::by_name("auto").unwrap().build();
        let cells = text.char_indices().filter(|(_, c)| c.is_ascii_digit());
        let cells = cells.filter(|&(cell, _)| {
            let mut left = text.to_owned();
            left.replace_range(cell..=cell, ".");
            auto.count(read(&left).as_ref(), &Limits::new().solutions(2)).unwrap().solutions == 1
        });
        cells.map(|(cell, _)| cell).collect()
    }

    #[test]
    fn a_clue_is_redundant_if_the_solution_stays_unique_without_it() {
        let hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
        let easy = hard.replacen("8...", "8127", 1);
        for text in [hard, &easy, "12343412....43.1", "1...3........3.."] {
            let mut examiner = Examiner::new(1_000_000, None);
            let puzzle = read(text);
            let found = examiner.examine(puzzle.as_ref());
            let expected = (found.count == 1).then(|| spare(text));
            let clues = found.clues.map(|clues| {
                assert!(clues.cut.is_none(), "{text}");
                cells(puzzle.as_ref(), &clues)
            });
            assert_eq!(clues, expected, "{text}");
        }
        // The lanes and the general search agree.
        let puzzle = read(&easy);
        let mut examiner = Examiner::new(1_000_000, None);
        let limits = Limits::new().nodes(1_000_000);
        let clues = examiner.try_one_by_one(puzzle.as_ref(), &limits);
        assert_eq!(cells(puzzle.as_ref(), &clues), spare(&easy));
    }

    #[test]
    fn a_node_limit_is_reported_when_clues_are_untested() {
        let puzzle = read("12343412....43.1");
        let mut examiner = Examiner::new(1_000_000, None);
        let limits = Limits::new().nodes(2);
        let clues = examiner.try_one_by_one(puzzle.as_ref(), &limits);
        assert_eq!(clues.cut, Some(Limit::Nodes));
    }
}
