//! Plain 9x9 Sudoku, a line each: blocks of lines go from the input through the lanes of [`sudoku9`] to the output.
//!
//! A solution takes the place of its puzzle, so that a block comes out as the bytes that came in, in their order
//! though the lanes answer in any. Every block is a run of its own. Which lines it has depends on the text
//! alone, if that is a file; of a pipe it is the lines that are there, so that no answer waits for what has not come. (Which of several
//! solutions is shown depends on the other puzzles of the block; nothing else does.) All else goes the usual way,
//! a puzzle at a time, with the same output: lines of another form, blocks of a file that would be too small, and
//! puzzles that a run did not end. These are searched once all others of their block are done, and those before
//! them are written.
//!
//! Limits hold for each puzzle. What a block finds within the time of one puzzle was found in time, and a puzzle of
//! which the block entered no more nodes than it may have is answered; each of the others is searched again,
//! alone, with the whole limit.
//!
//! Measured on one core with AVX-512 that also reads and writes: 17-clue puzzles 0.43 s a million solved, 0.41 s
//! counted, of which the lanes alone take 0.38 s; naked singles 0.23 s and 0.15 s, of which 0.18 s and 0.11 s.

use std::io::Cursor;
use std::ops::{ControlFlow, RangeInclusive};

use std::time::{Duration, Instant};

use dlx::Limits;
use sudoku9::{Batch, Board, End, Lanes, Leaf, Limit, Tally};

use crate::io::args::{LimitArgs, RunArgs, ShowArgs};
use crate::io::bar::BarPause;
use crate::io::batch::Jobs;
use crate::io::source::{NumberedPuzzle, Origin, Puzzles};
use crate::search::Goal;
use farandole::algorithm::nine;
use farandole::stream::{Stream, StreamHints};
use grid::format::NineLine;
use puzzle::Puzzle;

/// Number of lines of a block: the first blocks are small, so that all threads soon have work.
const SIZES: RangeInclusive<usize> = 128..=4096;
/// Nodes (about 3 ms) after which an unfinished puzzle leaves its block, so that the others need not wait for it.
const STRAGGLER_NODES: u64 = 1 << 15;
/// Node budget of a block (about a second): what is unfinished then is solved one by one, on idle cores.
const NODES_MAX: u64 = 1 << 24;
/// Node budget of a puzzle that is alone in the registers (about 2 ms): what is unfinished then goes to the solver.
const NODES_ALONE: u64 = 1 << 14;

/// The work for a worker: a puzzle, or the puzzles from `number` on, one on each line.
pub(super) enum BatchItem {
    Puzzle(NumberedPuzzle),
    Lines { number: u64, origin: Origin, lines: Vec<NineLine> },
}

/// Iterates over the puzzles of all inputs, in blocks where that suits.
pub(super) struct BatchItems {
    puzzles: Puzzles,
    has_blocks: bool,
    /// The most lines of the next block.
    size: usize,
    /// Who is to know while somebody types.
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

/// Tells whether a command may solve blocks: it asks nothing of the single puzzle but its answer.
pub(super) fn suit(run: &RunArgs, show: Option<&ShowArgs>, goal: Goal) -> bool {
    let LimitArgs { limit: _, time: _, nodes: _, memory } = run.limits;
    matches!(&*run.engine, "auto" | "lanes")
        && matches!(goal, Goal::Show(Some(1)) | Goal::Count(_))
        && show.and_then(|show| show.to.as_deref()).is_none_or(|to| to == "line")
        && memory.is_none()
        && !show.is_some_and(|show| show.pictures.is_wanted())
        && !run.profile
        && run.up_to_symmetry.is_none()
}

/// Solves blocks, one after the other.
pub(super) struct LineSolver {
    lanes: Lanes,
    limits: Limits,
    /// The time that a puzzle may take.
    time: Option<Duration>,
    /// The nodes that a puzzle may have.
    nodes: Option<u64>,
    wants_solutions: bool,
    /// What was found of each puzzle of the last block, if that is its answer.
    tallies: Vec<Option<Tally>>,
    /// The solutions that were found of each, also if there may be more.
    found: Vec<u64>,
}

/// The cost of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockCost {
    pub(super) steps: u64,
    pub(super) time: Duration,
}

impl LineSolver {
    /// Makes a solver; of `limits` those on solutions and nodes and the cancel flag are heeded, and `time`, all of them for
    /// each puzzle.
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

    /// Searches all puzzles of a block; if solutions are wanted, they take the places of the puzzles. Returns what
    /// was found of each if that is its answer, how many solutions were, and what it took.
    pub(super) fn solve(&mut self, lines: &mut [NineLine]) -> (&[Option<Tally>], &[u64], BlockCost) {
        let started = Instant::now();
        self.tallies.clear();
        self.tallies.resize(lines.len(), None);
        let wants_solutions = self.wants_solutions;
        let leaf = self.lanes.leaf();
        let most = self.nodes.unwrap_or(u64::MAX);
        // So few are searched as the usual way does, so that a pipe has the answers of a short file.
        let is_alone = lines.len() < *SIZES.start();
        let (together, nodes_max) = if is_alone { (1, NODES_ALONE) } else { (lines.len(), NODES_MAX) };
        let mut steps = 0;
        for (lines, tallies) in lines.chunks_mut(together).zip(self.tallies.chunks_mut(together)) {
            let mut limits = self.limits.clone();
            limits.nodes = Some(most.saturating_mul(together as u64).min(nodes_max));
            if let Some(time) = self.time {
                limits = limits.within(time);
            }
            let limits = nine::limits(&limits);
            let mut block = LineBlock { leaf, lines, taken: 0, wants_solutions, most, tallies };
            let effort = match is_alone {
                true => self.lanes.run_alone(&mut block, &limits, None),
                false => self.lanes.run(&mut block, &limits),
            };
            steps += effort.steps;
        }
        self.found.clear();
        self.found.extend(self.tallies.iter().map(|tally| tally.map_or(0, |tally| tally.solutions)));
        // How many solutions there were before an interrupt is an answer.
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

/// Reads the puzzles of a block whose search did not end.
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

/// A block that is being solved.
struct LineBlock<'b> {
    leaf: &'static Leaf,
    lines: &'b mut [NineLine],
    taken: usize,
    wants_solutions: bool,
    /// The nodes that a puzzle may have.
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
    fn what_a_run_did_not_end_is_left_in_order() {
        // The last one is solved; the others leave out more and more of it.
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
