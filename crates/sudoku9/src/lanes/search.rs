//! Scheduling of the lanes: decides which puzzle and which branch each lane searches.
//!
//! # Method
//! After every step, dead and solved lanes are idle, and lanes without a change want to branch.
//! - A lane whose puzzle is finished takes the next puzzle. A board without candidates, which
//!   readers leave if clues clash, is reported at once and needs no lane.
//! - A lane that found a solution, or died in a puzzle of few nodes, continues with the last branch
//!   of its own puzzle, if this branch is on top of its stack. So a puzzle with a second solution
//!   is searched depth first, and its other branches are then dropped.
//! - One pass branches in all lanes that want to, once [`Compiled::PATIENCE`] lanes are idle or
//!   want to branch. If the puzzle is hard or no puzzle is left, the second branch of a lane goes
//!   to an idle lane, by a permutation of all registers. All other second branches are packed and
//!   pushed on the stacks of their lanes; idle lanes take branches from the stacks.
//! - A lane whose stack holds [`DEEP`] branches continues with the last of them, and takes no other
//!   work.
//!
//! So the lanes are busy as long as there is work, and a single puzzle spreads over all of them. A
//! puzzle that has reached the node limit of the batch is abandoned when it would branch again.
//!
//! # Bound
//! At most [`STACK_MAX`] = 79 branches wait on the stack of a lane, for any puzzle and any search
//! time.
//!
//! Proof: let `a` be a branch on a stack at index `DEEP - 1` or higher, and `b` the branch directly
//! above `a`. While `a` is on the stack, the lane takes only branches above `a`. So all grids of
//! the lane during that time descend from the first branch of the guess that pushed `a`, and `b` is
//! the second branch of a guess in such a grid. Therefore all branches from index `DEEP - 1` on
//! were left by guesses on one path. Each guess fills another cell, and at most eight cells in a
//! box. The reason is that a guess follows a step without a change, so if eight cells of a box are
//! single, the ninth is also single. Therefore the stack has at most `DEEP - 1` branches plus 72. A
//! lane that takes a branch from another stack only shortens that stack.
//!
//! The packs of 32 lanes take at most 4 MB. The number of tasks is at most twice the number of
//! lanes.
//!
//! # Invariant
//! For each puzzle that is not closed, the grids in its lanes and its waiting branches partition
//! the solutions that are not yet found. `Task::open` is the number of these grids and branches.
//!
//! Tried and dropped: `DEEP` below 8 (more packing and loading); writing a resumed branch into its
//! lane through registers (not faster).
#![allow(unsafe_code, reason = "the first register of a leaf; single words are stored one by one")]

use std::mem;

use limits::{End, Limit, Limits};

use super::branch::Choice;
use super::compiled::Compiled;
use super::round::Places;
use super::waiting::{Pack, Pool, Waiting};
use crate::leaf::vector::{words, words_mut};
use crate::model::batch::{Batch, Effort, Tally};
use crate::model::board::{Board, WORDS};

pub(super) trait Run: Send {
    /// Searches the puzzles of the batch. If the search is stopped early, `rest` gets the boards
    /// that are left.
    fn run(&mut self, batch: &mut dyn Batch, limits: &Limits, rest: Option<&mut Vec<Board>>) -> Effort;
}

/// The state of a puzzle that an earlier run began and this run continues; `id` is the number of
/// the last puzzle taken.
#[derive(Debug)]
pub(super) struct BegunPuzzle {
    pub(super) boards: Vec<Board>,
    pub(super) id: usize,
    pub(super) solutions: u64,
    pub(super) nodes: u64,
    pub(super) effort: Effort,
}

impl BegunPuzzle {
    pub(super) const fn nothing() -> Self {
        Self { boards: Vec::new(), id: 0, solutions: 0, nodes: 0, effort: Effort::NONE }
    }
}

/// Minimum number of nodes of a hard puzzle.
const HARD: u64 = 16;
/// Minimum number of waiting branches that restricts a lane to its own stack. With values of at
/// least 8, no set of puzzles is slower than without a bound.
const DEEP: usize = 8;
/// Maximum number of guesses on a path from a puzzle to a grid: eight in each of nine boxes.
const GUESSES_MAX: usize = 8 * 9;
const STACK_MAX: usize = DEEP - 1 + GUESSES_MAX;
const _: () = assert!(STACK_MAX <= 81, "as `Effort` says");
const STEPS_BETWEEN_LOOKS: u64 = 64;
/// Maximum number of puzzles without candidates (clues that clash) that are reported between two
/// steps, so that limits are checked in time.
const VOIDS_AT_ONCE: u32 = 256;

/// Maximum credit of the search for triples. Each lane that loses candidates adds 3 to the credit,
/// every other lane subtracts 1. So the search continues as long as at least one lane in four loses
/// candidates.
const CREDIT_MAX: i32 = 64;
const CREDIT_FIRST: i32 = 8;
/// Number of guesses between two searches for triples while there is no credit.
const CALLS_BETWEEN_TRIALS: u32 = 8;

/// The grids of all lanes, their states and their guesses. The alignment is that of `StackFrame` in
/// `compiled`, for the reason given there.
#[repr(align(4096))]
struct Registers<V> {
    grid: [V; WORDS],
    places: Places<V>,
    choice: Choice<V>,
}

pub(super) struct Search<V: Compiled> {
    registers: Box<Registers<V>>,
    /// Lanes that got a new grid after the last step, so that their entries in `places` are
    /// invalid.
    fresh: u32,
    lanes: [usize; 32],
    idle: u32,
    stacks: Vec<Vec<Waiting>>,
    stocked: u32,
    /// Mask of the lanes with at least [`DEEP`] waiting branches.
    deep: u32,
    waiting: usize,
    waiting_max: usize,
    tasks: Pool<Task>,
    packs: Pool<Pack>,
    credit: i32,
    skipped: u32,
    taken: usize,
    nodes: u64,
    nodes_max: u64,
    steps: u64,
}

#[derive(Clone, Copy, Debug)]
struct Task {
    id: usize,
    solutions: u64,
    nodes: u64,
    /// Number of lanes and waiting branches of the task.
    open: u32,
    /// Whether the result of the task was reported; the remaining branches are then dropped.
    is_closed: bool,
}

fn lanes_of(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (mask != 0).then_some(mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        lane
    })
}

/// Masks of the lanes, by the work they need after a step.
#[derive(Clone, Copy, Default)]
struct LaneRequests {
    next: u32,
    /// Idle lanes that continue with a waiting branch of their own puzzle.
    own: u32,
    branch: u32,
}

struct BatchRun<'b> {
    batch: &'b mut dyn Batch,
    solutions: u64,
    task_nodes_max: u64,
    has_more: bool,
    /// Boards left of the puzzle that an earlier run began; empty if that puzzle is closed.
    begun: Vec<Board>,
    begun_task_id: usize,
    stop: Option<End>,
}

impl BatchRun<'_> {
    fn is_empty(&self) -> bool {
        !self.has_more && self.begun.is_empty()
    }
}

impl<V: Compiled> Search<V> {
    const ALL: u32 = u32::MAX >> (32 - V::LANES);
    const TASKS_MAX: usize = 2 * V::LANES;

    /// Returns a new search.
    ///
    /// # Safety
    /// The processor must have the instructions of the register type.
    pub(super) unsafe fn boxed() -> Box<dyn Run> {
        // SAFETY: the caller guarantees that the processor has the instructions of the register
        // type.
        Box::new(Self::new(unsafe { V::new() }))
    }

    pub(super) fn new(zero: V) -> Self {
        Self {
            registers: Box::new(Registers {
                grid: [zero; WORDS],
                places: Places { alone: [zero; 9], taken: [zero; 9] },
                choice: Choice { cell: [zero; 9], digit: [zero; 9] },
            }),
            fresh: 0,
            lanes: [0; 32],
            idle: Self::ALL,
            stacks: vec![Vec::new(); V::LANES],
            stocked: 0,
            deep: 0,
            waiting: 0,
            waiting_max: 0,
            tasks: Pool::EMPTY,
            packs: Pool::EMPTY,
            credit: 0,
            skipped: 0,
            taken: 0,
            nodes: 0,
            nodes_max: u64::MAX,
            steps: 0,
        }
    }

    fn run_all(&mut self, order: &mut BatchRun<'_>, limits: &Limits) -> End {
        let mut wishes = LaneRequests { next: Self::ALL, ..LaneRequests::default() };
        let mut looks = 0;
        loop {
            self.begin(wishes.next & !self.deep, order);
            for lane in lanes_of(wishes.own & self.idle) {
                let own = self.stacks[lane].last().map(|waiting| waiting.task);
                if own == Some(self.lanes[lane]) && self.may_enter(1, order) {
                    let waiting = self.pop_from(lane).expect("it was looked at");
                    self.resume(lane, waiting);
                }
            }
            for lane in lanes_of(self.deep & self.idle) {
                self.go_on(lane, order);
            }
            let waiting = (wishes.branch | self.idle).count_ones();
            if waiting >= V::PATIENCE {
                if wishes.branch != 0 && self.may_enter(2 * wishes.branch.count_ones(), order) {
                    self.branch(wishes.branch, order);
                }
                self.refill(order);
            }
            if let Some(end) = order.stop {
                return end;
            }
            if self.idle == Self::ALL && order.is_empty() && self.stocked == 0 {
                return End::Exhausted;
            }
            if looks == 0 {
                looks = STEPS_BETWEEN_LOOKS;
                if let Err(limit) = limits.check() {
                    return End::Limit(limit);
                }
            }
            looks -= 1;
            wishes = self.step(order);
            if let Some(end) = order.stop {
                return end;
            }
        }
    }

    fn may_enter(&self, nodes: u32, order: &mut BatchRun<'_>) -> bool {
        let may = self.nodes + u64::from(nodes) <= self.nodes_max;
        if !may {
            order.stop.get_or_insert(End::Limit(Limit::Nodes));
        }
        may
    }

    fn begin(&mut self, mut lanes: u32, order: &mut BatchRun<'_>) {
        let mut board = Board::EMPTY;
        let mut voids = 0;
        while lanes != 0 && voids < VOIDS_AT_ONCE {
            let has_room = self.tasks.used() < Self::TASKS_MAX;
            if order.is_empty() || !has_room || !self.may_enter(1, order) {
                break;
            }
            let at = if let Some(begun) = order.begun.pop() {
                board = begun;
                self.tasks.items[order.begun_task_id].nodes += 1;
                order.begun_task_id
            } else {
                order.has_more = order.batch.next(&mut board);
                if !order.has_more {
                    break;
                }
                let id = self.taken;
                self.taken += 1;
                if board.is_void() {
                    voids += 1;
                    self.nodes += 1;
                    order.batch.done(id, Tally { solutions: 0, nodes: 1, end: End::Exhausted });
                    continue;
                }
                let task = Task { id, solutions: 0, nodes: 1, open: 1, is_closed: false };
                let at = self.tasks.take(|| task);
                self.tasks.items[at] = task;
                at
            };
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            self.nodes += 1;
            self.lanes[lane] = at;
            self.idle &= !(1 << lane);
            self.fresh |= 1 << lane;
            Self::load(&mut self.registers.grid, lane, |row| board.0[row]);
        }
    }

    #[inline(always)]
    fn load(grid: &mut [V; WORDS], lane: usize, word: impl Fn(usize) -> u16) {
        assert!(lane < V::LANES);
        let words = words_mut(grid).as_mut_ptr();
        for row in 0..WORDS {
            // Volatile stores prevent the compiler from collecting the words in registers first,
            // which is slower. SAFETY: a register is `LANES` words, and the grid is `WORDS`
            // registers.
            unsafe { words.add(row * V::LANES + lane).write_volatile(word(row)) };
        }
    }

    fn board(&self, lane: usize) -> Board {
        let words = words(&self.registers.grid);
        Board(std::array::from_fn(|row| words[row * V::LANES + lane]))
    }

    fn resume(&mut self, lane: usize, waiting: Waiting) {
        let Waiting { task, pack, place } = waiting;
        let bundle = &self.packs.items[pack].bundle;
        self.fresh |= 1 << lane;
        Self::load(&mut self.registers.grid, lane, |row| bundle[row][place]);
        self.release(pack);
        self.lanes[lane] = task;
        self.idle &= !(1 << lane);
        self.tasks.items[task].nodes += 1;
        self.nodes += 1;
    }

    fn release(&mut self, pack: usize) {
        let waiting = &mut self.packs.items[pack].waiting;
        *waiting -= 1;
        if *waiting == 0 {
            self.packs.free.push(pack);
        }
    }

    /// Branches in the given lanes, except where a puzzle has reached its node limit; these puzzles
    /// are abandoned.
    fn branch(&mut self, lanes: u32, order: &mut BatchRun<'_>) {
        let lanes = lanes & !self.triples(lanes);
        if lanes == 0 {
            return;
        }
        V::choose(&self.registers.grid, lanes, &mut self.registers.choice);
        let mut source: [u8; 32] = std::array::from_fn(|lane| lane as u8);
        let (mut left, mut waits, mut ends) = (self.idle, 0, 0);
        for lane in lanes_of(lanes) {
            let task = &mut self.tasks.items[self.lanes[lane]];
            if task.nodes >= order.task_nodes_max {
                ends |= 1 << lane;
                continue;
            }
            task.open += 1;
            task.nodes += 1;
            self.nodes += 1;
            if left != 0 && (task.nodes >= HARD || !order.has_more) {
                let twin = left.trailing_zeros() as usize;
                left &= left - 1;
                source[twin] = lane as u8;
                self.lanes[twin] = self.lanes[lane];
                task.nodes += 1;
                self.nodes += 1;
            } else {
                waits |= 1 << lane;
            }
        }
        let twins = mem::replace(&mut self.idle, left) & !left;
        self.pack(waits);
        self.waiting_max = self.waiting_max.max(self.waiting);
        V::branch(
            &mut self.registers.grid,
            &mut self.registers.places,
            &self.registers.choice,
            &source,
            twins,
        );
        for lane in lanes_of(ends) {
            let at = self.lanes[lane];
            if self.tasks.items[at].is_closed {
                continue;
            }
            self.close(at, Limit::Nodes, Self::ALL & !self.idle, order);
            if self.tasks.items[at].open == 0 {
                self.tasks.free.push(at);
            }
        }
    }

    /// Searches for triples before a guess, if this was worthwhile lately. Returns the lanes that
    /// lost candidates; they do more propagation steps before they branch.
    fn triples(&mut self, lanes: u32) -> u32 {
        self.skipped += 1;
        if self.credit <= 0 && self.skipped < CALLS_BETWEEN_TRIALS {
            return 0;
        }
        self.skipped = 0;
        let changed = V::triples(&mut self.registers.grid) & lanes;
        let (gain, cost) = (changed.count_ones(), (lanes & !changed).count_ones());
        let credit = self.credit + 3 * gain.cast_signed() - cost.cast_signed();
        self.credit = credit.clamp(-CREDIT_MAX, CREDIT_MAX);
        changed
    }

    fn pack(&mut self, mut lanes: u32) {
        while lanes != 0 {
            let at = self.packs.take(|| Pack { bundle: Box::new([[0; 8]; WORDS]), waiting: 0 });
            let pack = &mut self.packs.items[at];
            let mut source: [u8; 32] = std::array::from_fn(|lane| lane as u8);
            pack.waiting = 0;
            for lane in lanes_of(lanes).take(8) {
                let place = if V::LANES == 8 { lane } else { pack.waiting };
                source[place] = lane as u8;
                let stack = &mut self.stacks[lane];
                debug_assert!(
                    stack.len() < STACK_MAX,
                    "only what one path left waits above the first few"
                );
                stack.push(Waiting { task: self.lanes[lane], pack: at, place });
                self.waiting += 1;
                self.stocked |= 1 << lane;
                self.deep |= u32::from(stack.len() >= DEEP) << lane;
                pack.waiting += 1;
                lanes &= !(1 << lane);
            }
            V::pack(&self.registers.grid, &self.registers.choice, &source, &mut pack.bundle);
        }
    }

    fn refill(&mut self, order: &mut BatchRun<'_>) {
        // For a single puzzle this code runs after every step, and all other lanes are idle.
        if self.stocked != 0 {
            for lane in lanes_of(self.idle) {
                self.go_on(lane, order);
            }
        }
        self.begin(self.idle, order);
    }

    /// Loads a waiting branch into an idle lane: the last one of its own stack or, if it is empty,
    /// one of another lane.
    fn go_on(&mut self, lane: usize, order: &mut BatchRun<'_>) {
        while self.stocked != 0 && self.may_enter(1, order) {
            let is_own = self.stocked >> lane & 1 == 1;
            let from = if is_own { lane } else { self.stocked.trailing_zeros() as usize };
            let waiting = self.pop_from(from).expect("a lane that is stocked left something");
            if !self.tasks.items[waiting.task].is_closed {
                self.resume(lane, waiting);
                break;
            }
            self.release(waiting.pack);
            self.leave(waiting.task, order);
        }
    }

    fn pop_from(&mut self, lane: usize) -> Option<Waiting> {
        let waiting = self.stacks[lane].pop();
        self.waiting -= usize::from(waiting.is_some());
        let left = self.stacks[lane].len();
        self.stocked &= !(u32::from(left == 0) << lane);
        self.deep &= !(u32::from(left < DEEP) << lane);
        waiting
    }

    fn step(&mut self, order: &mut BatchRun<'_>) -> LaneRequests {
        let events =
            V::step(&mut self.registers.grid, &mut self.registers.places, mem::take(&mut self.fresh));
        let busy = Self::ALL & !self.idle;
        self.steps += u64::from(busy.count_ones());
        let solved = events.solved & !events.dead & busy;
        let ended = solved | events.dead & busy;
        let mut wishes = LaneRequests::default();
        for lane in lanes_of(solved) {
            self.solve(lane, busy & !ended, &mut wishes, order);
        }
        for lane in lanes_of(ended) {
            let Task { is_closed, nodes, .. } = self.tasks.items[self.lanes[lane]];
            let is_done = self.leave(self.lanes[lane], order);
            if is_closed || is_done {
                wishes.next |= 1 << lane;
            } else if solved >> lane & 1 == 1 || nodes < HARD {
                wishes.own |= 1 << lane;
            }
        }
        self.idle |= ended;
        wishes.branch = events.stalled & Self::ALL & !self.idle;
        wishes
    }

    /// Reports the solution that a lane found. If the puzzle has reached its solution limit, the
    /// lanes of `others` that search the same puzzle become idle.
    fn solve(&mut self, lane: usize, others: u32, wishes: &mut LaneRequests, order: &mut BatchRun<'_>) {
        let at = self.lanes[lane];
        if self.tasks.items[at].is_closed || order.stop.is_some() {
            return;
        }
        if order.batch.wants_solutions() {
            let id = self.tasks.items[at].id;
            if order.batch.solution(id, &self.board(lane)).is_break() {
                order.stop = Some(End::Stopped);
            }
        }
        let task = &mut self.tasks.items[at];
        task.solutions += 1;
        if task.solutions < order.solutions {
            return;
        }
        let others = if task.open > 1 { others } else { 0 };
        wishes.next |= self.close(at, Limit::Solutions, others, order);
        while self.stacks[lane].last().is_some_and(|waiting| waiting.task == at) {
            let waiting = self.pop_from(lane).expect("it was looked at");
            self.release(waiting.pack);
            self.tasks.items[at].open -= 1;
        }
    }

    /// Reports a task that ends at a limit. The lanes of `lanes` that searched it become idle and
    /// are returned.
    fn close(&mut self, at: usize, limit: Limit, lanes: u32, order: &mut BatchRun<'_>) -> u32 {
        let task = &mut self.tasks.items[at];
        task.is_closed = true;
        if at == order.begun_task_id {
            task.open -= order.begun.drain(..).len() as u32;
        }
        let end = End::Limit(limit);
        order.batch.done(task.id, Tally { solutions: task.solutions, nodes: task.nodes, end });
        let is_its = |&lane: &usize| self.lanes[lane] == at;
        let its = lanes_of(lanes).filter(is_its).fold(0u32, |its, lane| its | 1 << lane);
        task.open -= its.count_ones();
        self.idle |= its;
        its
    }

    /// Records that a lane or a branch of a task is finished. Returns whether it was the last one,
    /// so that the task is finished.
    fn leave(&mut self, at: usize, order: &mut BatchRun<'_>) -> bool {
        let task = &mut self.tasks.items[at];
        task.open -= 1;
        if task.open > 0 {
            return false;
        }
        if !task.is_closed {
            let tally = Tally { solutions: task.solutions, nodes: task.nodes, end: End::Exhausted };
            order.batch.done(task.id, tally);
        }
        self.tasks.free.push(at);
        true
    }

    /// Drops all remaining work, and adds its boards to `rest`. Boards of closed tasks are not
    /// added.
    fn abandon(
        &mut self,
        end: End,
        begun: Vec<Board>,
        batch: &mut dyn Batch,
        rest: Option<&mut Vec<Board>>,
    ) {
        if let Some(rest) = rest {
            rest.extend(begun);
            let is_open = |task: usize| !self.tasks.items[task].is_closed;
            let lanes = lanes_of(Self::ALL & !self.idle).filter(|&lane| is_open(self.lanes[lane]));
            rest.extend(lanes.map(|lane| self.board(lane)));
            let waiting = self.stacks.iter().flatten().filter(|waiting| is_open(waiting.task));
            rest.extend(waiting.map(|waiting| self.packs.items[waiting.pack].board(waiting.place)));
        }
        self.tasks.free.sort_unstable();
        for (at, task) in self.tasks.items.iter().enumerate() {
            if self.tasks.free.binary_search(&at).is_err() && !task.is_closed {
                let Task { id, solutions, nodes, .. } = *task;
                batch.done(id, Tally { solutions, nodes, end });
            }
        }
        self.idle = Self::ALL;
        (self.stocked, self.deep, self.waiting) = (0, 0, 0);
        self.stacks.iter_mut().for_each(Vec::clear);
        self.tasks.clear();
        self.packs.clear();
    }
}

impl<V: Compiled> Run for Search<V> {
    fn run(&mut self, batch: &mut dyn Batch, limits: &Limits, rest: Option<&mut Vec<Board>>) -> Effort {
        self.run_begun(batch, limits, rest, BegunPuzzle::nothing())
    }
}

impl<V: Compiled> Search<V> {
    pub(super) fn run_begun(
        &mut self,
        batch: &mut dyn Batch,
        limits: &Limits,
        rest: Option<&mut Vec<Board>>,
        begun: BegunPuzzle,
    ) -> Effort {
        let BegunPuzzle { boards, id, solutions, nodes, effort } = begun;
        (self.nodes, self.steps, self.waiting_max) = (effort.nodes, effort.steps, effort.waiting_max);
        self.taken = 0;
        let mut begun_task_id = 0;
        if !boards.is_empty() {
            let open = boards.len() as u32;
            let task = Task { id, solutions, nodes, open, is_closed: false };
            begun_task_id = self.tasks.take(|| task);
            self.tasks.items[begun_task_id] = task;
            self.taken = id + 1;
        }
        (self.credit, self.skipped) = (CREDIT_FIRST, 0);
        self.nodes_max = limits.nodes.unwrap_or(u64::MAX);
        let wanted = limits.solutions.unwrap_or(u64::MAX);
        let task_nodes_max = batch.nodes_max();
        let has_more = wanted > 0;
        let begun = boards;
        let mut order = BatchRun {
            batch,
            solutions: wanted,
            task_nodes_max,
            has_more,
            begun,
            begun_task_id,
            stop: None,
        };
        let end = self.run_all(&mut order, limits);
        self.abandon(end, order.begun, order.batch, rest);
        Effort { end, nodes: self.nodes, steps: self.steps, waiting_max: self.waiting_max }
    }
}
