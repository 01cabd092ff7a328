//! Solves plain 9x9 Sudoku, one per line. Blocks of lines pass from the input through the SIMD
//! lanes of [`sudoku9`] to the output.
//!
//! The solution of a puzzle replaces the puzzle in the buffer, so a block keeps its order although
//! the lanes finish in any order. The lanes start anew for each block. The blocks of a file depend
//! only on its text. A block of a pipe contains the available lines, so that no answer waits for
//! input. If a puzzle has several solutions, the printed solution may depend on the other puzzles
//! in the block. Everything else is independent of them. Some puzzles are solved one at a time by
//! the general solver with the same output: lines of another format, lines of a file that is too
//! small for a block, and puzzles that a block did not finish. Unfinished puzzles are solved after
//! the rest of their block, once the answers before them are written.
//!
//! Limits apply to each puzzle. If a block ends within the time limit of one puzzle, all its
//! solutions count as found in time. If the block used more nodes for a puzzle than the node limit,
//! that puzzle is searched again alone with the full limits.

use std::io::Cursor;
use std::ops::{ControlFlow, RangeInclusive};

use std::time::{Duration, Instant};

use dlx::Limits;
use sudoku9::{Batch, Board, End, Lanes, Leaf, Limit, Tally};

use crate::io::args::{LimitArgs, RunArgs, ShowArgs};
use crate::io::bar::BarPause;
use crate::io::batch::Jobs;
use crate::io::host;
use crate::io::source::{NumberedPuzzle, Origin, Puzzles};
use crate::search::Goal;
use farandole::algorithm::nine;
use farandole::stream::{Stream, StreamHints};
use grid::format::NineLine;
use puzzle::Puzzle;

/// Number of lines in a block. The first blocks are small, so that all threads soon have work.
const SIZES: RangeInclusive<usize> = 128..=4096;
/// Number of nodes (about 3 ms) after which an unfinished puzzle leaves its block, so that it does
/// not delay the other puzzles.
const STRAGGLER_NODES: u64 = 1 << 15;
/// Node limit of a block (about a second). Unfinished puzzles are then solved one at a time with
/// the help of idle cores.
const NODES_MAX: u64 = 1 << 24;
/// Node limit of a puzzle that the lanes search alone (about 2 ms). An unfinished puzzle goes to
/// the general solver.
const NODES_ALONE: u64 = 1 << 14;

/// A task for a worker: one puzzle, or a block of lines whose first puzzle has the number `number`.
pub(super) enum BatchItem {
    Puzzle(NumberedPuzzle),
    Lines { number: u64, origin: Origin, lines: Vec<NineLine> },
}

/// Iterates over the puzzles of all inputs, in blocks where possible.
pub(super) struct BatchItems {
    puzzles: Puzzles,
    has_blocks: bool,
    /// Largest number of lines of the next block.
    size: usize,
    /// Pauses the progress bar while the user types the input.
    waiting: BarPause,
}

impl BatchItems {
    pub(super) fn new(puzzles: Puzzles, has_blocks: bool, waiting: BarPause) -> Self {
        Self { puzzles, has_blocks, size: 2 * SIZES.start(), waiting }
    }

    fn take(&mut self) -> Option<BatchItem> {
        if self.has_blocks {
            self.puzzles.wait();
            let number = self.puzzles.number() + 1;
            let lines = self.puzzles.next_lines(*SIZES.start()..=self.size);
            if let Some(origin) = self.puzzles.origin_of(lines.len()) {
                self.size = (2 * self.size).min(*SIZES.end());
                return Some(BatchItem::Lines { number, origin, lines });
            }
        }
        self.puzzles.next().map(BatchItem::Puzzle)
    }
}

impl Iterator for BatchItems {
    type Item = BatchItem;

    fn next(&mut self) -> Option<BatchItem> {
        if self.is_ready() {
            return self.take();
        }
        self.waiting.begin();
        let task = self.take();
        self.waiting.end();
        task
    }
}

impl Jobs for BatchItems {
    fn is_ready(&mut self) -> bool {
        self.puzzles.is_ready()
    }

    fn weight(task: &BatchItem) -> usize {
        match task {
            BatchItem::Puzzle(_) => 1,
            BatchItem::Lines { lines, .. } => lines.len(),
        }
    }
}

/// Returns whether a command can solve whole blocks of puzzles, because it needs only the answer of
/// each puzzle.
pub(super) fn suit(run: &RunArgs, show: Option<&ShowArgs>, goal: Goal) -> bool {
    let LimitArgs { limit: _, time: _, nodes: _, memory } = run.limits;
    matches!(&*run.engine, "auto" | "lanes")
        && matches!(goal, Goal::Show(Some(1)) | Goal::Count(_))
        && show.and_then(|show| show.to.as_deref()).is_none_or(|to| to == "line")
        && memory.is_none()
        && !show.is_some_and(|show| show.pictures.is_wanted())
        && !run.profile
        && run.up_to_symmetry.is_none()
        && host::only().is_none()
}

pub(super) struct LineSolver {
    lanes: Lanes,
    limits: Limits,
    time: Option<Duration>,
    nodes: Option<u64>,
    wants_solutions: bool,
    /// The result for each puzzle of the last block, or `None` if the puzzle must be searched
    /// again.
    tallies: Vec<Option<Tally>>,
    /// The number of solutions found for each puzzle of the last block, finished or not.
    found: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BlockCost {
    pub(super) steps: u64,
    pub(super) time: Duration,
}

impl LineSolver {
    /// Creates a solver with the solution limit, the node limit and the flags of `limits`, and with
    /// the time limit `time`. All limits apply to each puzzle.
    pub(super) fn new(goal: Goal, limits: &Limits, time: Option<Duration>) -> Self {
        let (solutions, cancel, full) = (limits.solutions, limits.cancel.clone(), limits.full.clone());
        Self {
            lanes: nine::lanes(),
            limits: Limits::new().solutions(solutions).cancel(cancel).full(full),
            time,
            nodes: limits.nodes,
            wants_solutions: matches!(goal, Goal::Show(_)),
            tallies: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Searches all puzzles of a block. If solutions are wanted, they replace the puzzles in
    /// `lines`. Returns the final result of each finished puzzle, the number of solutions of each
    /// puzzle, and the cost.
    pub(super) fn solve(&mut self, lines: &mut [NineLine]) -> (&[Option<Tally>], &[u64], BlockCost) {
        let started = Instant::now();
        self.tallies.clear();
        self.tallies.resize(lines.len(), None);
        let wants_solutions = self.wants_solutions;
        let leaf = self.lanes.leaf();
        let most = self.nodes.unwrap_or(u64::MAX);
        // Search a small number of lines one at a time, so that a short file gives the same answers
        // as a pipe.
        let is_alone = lines.len() < *SIZES.start();
        let (together, nodes_max) = if is_alone { (1, NODES_ALONE) } else { (lines.len(), NODES_MAX) };
        let mut steps = 0;
        for (lines, tallies) in lines.chunks_mut(together).zip(self.tallies.chunks_mut(together)) {
            let nodes = most.saturating_mul(together as u64).min(nodes_max);
            let limits = self.limits.clone().nodes(nodes).within(self.time);
            let mut block = LineBlock { leaf, lines, taken: 0, wants_solutions, most, tallies };
            let effort = match is_alone {
                true => self.lanes.run_alone(&mut block, &limits, None),
                false => self.lanes.run(&mut block, &limits),
            };
            steps += effort.steps;
        }
        self.found.clear();
        self.found.extend(self.tallies.iter().map(|tally| tally.map_or(0, |tally| tally.solutions)));
        // After an interrupt, the solutions found so far are an answer.
        let is_interrupted = self.limits.check().is_err();
        for tally in &mut self.tallies {
            tally.take_if(|tally| match tally.end {
                End::Exhausted | End::Limit(Limit::Solutions) => tally.nodes > most,
                _ => !is_interrupted || tally.solutions == 0,
            });
        }
        (&self.tallies, &self.found, BlockCost { steps, time: started.elapsed() })
    }
}

/// Reads the puzzles of a block whose results are missing in `tallies`.
pub(super) fn rest(
    lines: &[NineLine],
    tallies: &[Option<Tally>],
) -> impl Iterator<Item = Box<dyn Puzzle>> + use<> {
    let left = lines.iter().zip(tallies).filter(|(_, tally)| tally.is_none());
    let text: Vec<u8> = left.flat_map(|(line, _)| *line).collect();
    let hints = StreamHints {
        kind: farandole::kinds::by_name("sudoku"),
        format: Some("line".into()),
        ..StreamHints::default()
    };
    let puzzles = Stream::open(Cursor::new(text), &hints).expect("kind and format are known");
    puzzles.map(|puzzle| puzzle.expect("the line was looked at"))
}

struct LineBlock<'b> {
    leaf: &'static Leaf,
    lines: &'b mut [NineLine],
    taken: usize,
    wants_solutions: bool,
    /// Node limit per puzzle.
    most: u64,
    tallies: &'b mut [Option<Tally>],
}

impl Batch for LineBlock<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        let line = self.lines.get(self.taken).and_then(|line| line.first_chunk());
        self.taken += 1;
        line.map(|cells| self.leaf.read_line(cells, board)).is_some()
    }

    fn wants_solutions(&self) -> bool {
        self.wants_solutions
    }

    fn nodes_max(&self) -> u64 {
        STRAGGLER_NODES.min(self.most)
    }

    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        if let Some(cells) = self.lines[puzzle].first_chunk_mut() {
            self.leaf.write_line(board, cells);
        }
        ControlFlow::Continue(())
    }

    fn done(&mut self, puzzle: usize, tally: Tally) {
        self.tallies[puzzle] = Some(tally);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_puzzles_are_returned_in_input_order() {
        // The last puzzle is nearly solved. Each earlier puzzle has fewer clues than the next.
        let solved =
            *b"812753649943682175675491283154237896369845721287169534521974368438526917796318452\n";
        let blanked = |count: usize| {
            let mut line = solved;
            line[..count].fill(b'.');
            line
        };
        let mut lines: Vec<NineLine> = (0..200).map(|index| blanked(80 - index * 2 / 5)).collect();
        let before = lines.clone();
        for nodes in [0, 10, 1000] {
            let goal = Goal::Count(None);
            let limits = Limits::new().nodes(nodes);
            let mut solver = LineSolver::new(goal, &limits, None);
            let (tallies, _, cost) = solver.solve(&mut lines);
            assert!(cost.steps > 0 || nodes == 0, "no step is made before all lanes have a puzzle");
            assert_eq!(lines, before, "puzzles are only counted");
            let left: Vec<_> = (0..200).filter(|&index| tallies[index].is_none()).collect();
            assert!(left.len() > 1, "the first ones have many solutions");
            let rest: Vec<_> = rest(&lines, tallies).map(|puzzle| puzzle.given().len()).collect();
            let clues = |index: &usize| before[*index][..81].iter().filter(|&&c| c != b'.').count();
            assert_eq!(rest, left.iter().map(clues).collect::<Vec<_>>());
        }
    }
}
