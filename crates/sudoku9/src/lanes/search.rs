//! The lanes at work: which puzzle and which branch each of them has.
//!
//! # Method
//! After every step the lanes that are dead or solved are idle, those that nothing changed want to branch.
//! - A lane whose puzzle is done takes the next puzzle at once.
//! - A lane that found a solution, or died in a puzzle of few nodes, goes on with the branch that its own
//!   puzzle left last, if that waits with this lane: so a puzzle that has a second solution is searched
//!   depth first, and what it left is forgotten as soon as the second is found.
//! - Branching is done for all lanes that want to in a few hundred instructions, so it waits until
//!   [`Compiled::PATIENCE`] lanes are idle or want to. Then each other branch goes to an idle lane, dealt by a
//!   permutation of all registers, which needs no copy; if the puzzle is hard (or no other is left), so
//!   that the branch will have to be searched anyway. The branches for which there is no lane are packed
//!   and wait; idle lanes for which there was no branch take from those.
//!
//! - A lane with which [`DEEP`] branches wait goes on with the last of them at once, and takes nothing else.
//!
//! So the lanes are busy as long as there is anything to do, and a single puzzle comes to use all of them. A
//! puzzle that has had all the nodes that the batch allows is given up when it would branch again.
//!
//! # Bound
//! Lanes that take twins while branches of their own wait do not search depth first, and if nothing stopped them
//! what waits would grow as long as the search goes on. [`DEEP`] stops them: no more than [`STACK_MAX`] = 79
//! branches wait with a lane, fewer than a grid has cells, whatever the puzzles are and however long they take.
//!
//! Call `a` a branch that waits in place [`DEEP`] of its stack or above it, and `b` the one on top of `a`. From
//! when `a` was left until it goes at least [`DEEP`] branches wait with the lane. So the lane takes none but
//! those on top of `a`, which it left after `a`: all of its grids come from the branch with which it went on when it
//! left `a`, and `b` waits beside such a grid. So what waits from place [`DEEP`] on was left by guesses on one
//! path, each of which gave a cell its digit; such a cell is not guessed again. And in a box eight cells are
//! guessed at most: a guess comes after a step that changed nothing and in which the lane was not dead, so if
//! eight cells are single their digits differ and have left the ninth, which is single too. That makes
//! `DEEP - 1` branches and at most 72 above. Who takes from another lane's stack only makes it shorter.
//!
//! A pack holds at least one branch that waits and takes 1.6 KB, so with 32 lanes all packs take 4 MB at most.
//! Tasks are twice as many as lanes.
//!
//! With `DEEP` 1 each lane would search depth first; the hardest puzzles took 18 % longer that way, since nearly
//! every branch was packed and loaded. With 2 it was 11 %, with 4 still 7 to 12 %; from 8 on no set is slower
//! than without a bound.
//!
//! # Invariant
//! Of each puzzle that is not closed, the grids of its lanes and of the branches that wait partition the
//! solutions that were not found yet; `Task::open` counts them.
//!
//! # What it costs
//! With AVX-512 a puzzle is loaded in 25 ns and a branch that waited in 30 to 40 ns: 81 stores of two bytes. A
//! guess costs 130 ns on the hardest puzzles, 60 % of it steps. Before branches were dealt to idle lanes a
//! guess took 190 ns: saving a lane word by word and loading it again took longer than its seven steps.
//!
//! Branching waits for 6 of 16 lanes with AVX2: with 5 the hardest take 3 % longer and 12 clues 6 %, with 7 grids of 17 clues
//! 2 % (Zen 3). With AVX-512 4, 6 or 7 of 16 took up to 10 % longer than 5.
//!
//! Tried and dropped: to write a branch that waited into its lane by registers, so that the next step does not wait for
//! small stores (as long with AVX-512, 8 % longer with AVX2).
#![allow(unsafe_code, reason = "the first register of a leaf; single words are stored one by one")]

use std::mem;

use super::branch::Choice;
use super::compiled::Compiled;
use super::round::Places;
use super::waiting::{Pack, Pool, Waiting};
use crate::leaf::vector::{words, words_mut};
use crate::model::batch::{Batch, Effort, Tally};
use crate::model::board::{Board, WORDS};
use crate::model::limits::{End, Limit, Limits};

/// A search, whatever its registers.
pub(super) trait Run: Send {
    /// Searches the puzzles of the batch.
    fn run(&mut self, batch: &mut dyn Batch, limits: &Limits, rest: Option<&mut Vec<Board>>) -> Effort;
}

/// What was done before a run, the puzzle with `id` being the last that was taken.
#[derive(Debug)]
pub(super) struct Begun {
    /// What is left of that puzzle.
    pub(super) boards: Vec<Board>,
    pub(super) id: usize,
    /// Solutions and nodes of that puzzle.
    pub(super) solutions: u64,
    pub(super) nodes: u64,
    /// Of all puzzles.
    pub(super) effort: Effort,
}

impl Begun {
    /// A run that begins.
    pub(super) const fn nothing() -> Self {
        Self { boards: Vec::new(), id: 0, solutions: 0, nodes: 0, effort: Effort::NONE }
    }
}

/// A puzzle of so many nodes is hard.
const HARD: u64 = 16;
/// A lane with which so many branches wait goes on with those alone.
const DEEP: usize = 8;
/// The most guesses on a path from a puzzle to a grid: eight in each box.
const GUESSES_MAX: usize = 8 * 9;
/// The most branches that wait with a lane.
const STACK_MAX: usize = DEEP - 1 + GUESSES_MAX;
const _: () = assert!(STACK_MAX <= 81, "as `Effort` says");
/// Steps between two looks at the clock and at the flag.
const STEPS_BETWEEN_LOOKS: u64 = 64;

/// Triples are looked for as long as one lane in four gains by it: each that does gives three, each other
/// takes one of so many at most.
const CREDIT_MAX: i32 = 64;
/// What a run begins with.
const CREDIT_FIRST: i32 = 8;
/// Without credit they are looked for once in so many calls.
const CALLS_BETWEEN_TRIALS: u32 = 8;

/// Searches as many puzzles at once as a register has lanes.
pub(super) struct Search<V: Compiled> {
    grid: Box<[V; WORDS]>,
    places: Places<V>,
    /// The lanes that were given a grid since the last step, so that no places of theirs are known.
    fresh: u32,
    choice: Choice<V>,
    /// The task of each lane, the last one if it is idle.
    lanes: [usize; 32],
    idle: u32,
    /// What each lane left, and the lanes that left something.
    stacks: Vec<Vec<Waiting>>,
    stocked: u32,
    /// The lanes that left so much that they go on with that alone.
    deep: u32,
    /// Branches that wait, now and at most.
    waiting: usize,
    waiting_max: usize,
    tasks: Pool<Task>,
    packs: Pool<Pack>,
    /// Whether it pays to look for triples, and how often it was left out.
    credit: i32,
    skipped: u32,
    /// Puzzles that were taken, nodes entered and the most of them, steps of lanes made.
    taken: usize,
    nodes: u64,
    nodes_max: u64,
    steps: u64,
}

/// A puzzle at work.
#[derive(Clone, Copy, Debug)]
struct Task {
    id: usize,
    solutions: u64,
    nodes: u64,
    /// Lanes and waiting branches.
    open: u32,
    /// Whether it was reported: what is open is to be dropped.
    is_closed: bool,
}

/// Lanes of a mask, the lowest first.
fn lanes_of(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (mask != 0).then_some(mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        lane
    })
}

/// What the lanes want after a step.
#[derive(Clone, Copy, Default)]
struct Wishes {
    /// Idle: the next puzzle.
    next: u32,
    /// Idle: what their own puzzle left.
    own: u32,
    /// To branch.
    branch: u32,
}

/// A run over a batch.
struct Order<'b> {
    batch: &'b mut dyn Batch,
    /// Solutions and nodes of a puzzle at most.
    solutions: u64,
    task_nodes_max: u64,
    has_more: bool,
    /// What is left of the task that was begun before; nothing once that is closed.
    begun: Vec<Board>,
    begun_task: usize,
    /// The end that was asked for.
    stop: Option<End>,
}

impl Order<'_> {
    /// Tells whether there is nothing more to begin.
    fn is_empty(&self) -> bool {
        !self.has_more && self.begun.is_empty()
    }
}

impl<V: Compiled> Search<V> {
    const ALL: u32 = u32::MAX >> (32 - V::LANES);
    /// No puzzle is begun while so many are at work.
    const TASKS_MAX: usize = 2 * V::LANES;

    /// Makes a search.
    ///
    /// # Safety
    /// The processor must have the instructions of the register.
    pub(super) unsafe fn boxed() -> Box<dyn Run> {
        // SAFETY: the caller answers for the processor.
        Box::new(Self::new(unsafe { V::new() }))
    }

    pub(super) fn new(zero: V) -> Self {
        Self {
            grid: Box::new([zero; WORDS]),
            places: Places { alone: [zero; 9], taken: [zero; 9] },
            fresh: 0,
            choice: Choice { cell: [zero; 9], digit: [zero; 9] },
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

    /// Runs until all is done or something stops it.
    fn run_all(&mut self, order: &mut Order<'_>, limits: &Limits) -> End {
        let mut wishes = Wishes { next: Self::ALL, ..Wishes::default() };
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
                // Each branch may be a node, or two.
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

    /// Tells whether so many nodes may be entered; if not, the run is to end.
    fn may_enter(&self, nodes: u32, order: &mut Order<'_>) -> bool {
        let may = self.nodes + u64::from(nodes) <= self.nodes_max;
        if !may {
            order.stop.get_or_insert(End::Limit(Limit::Nodes));
        }
        may
    }

    /// Lets idle lanes of `lanes` begin the next puzzles.
    fn begin(&mut self, lanes: u32, order: &mut Order<'_>) {
        let mut board = Board::EMPTY;
        for lane in lanes_of(lanes) {
            let has_room = self.tasks.used() < Self::TASKS_MAX;
            if order.is_empty() || !has_room || !self.may_enter(1, order) {
                break;
            }
            if let Some(board) = order.begun.pop() {
                let task = &mut self.tasks.items[order.begun_task];
                task.nodes += 1;
                self.nodes += 1;
                self.lanes[lane] = order.begun_task;
                self.idle &= !(1 << lane);
                self.fresh |= 1 << lane;
                Self::load(&mut self.grid, lane, |row| board.0[row]);
                continue;
            }
            order.has_more = order.batch.next(&mut board);
            if order.has_more {
                let task = Task { id: self.taken, solutions: 0, nodes: 1, open: 1, is_closed: false };
                let at = self.tasks.take(|| task);
                self.tasks.items[at] = task;
                self.taken += 1;
                self.nodes += 1;
                self.lanes[lane] = at;
                self.idle &= !(1 << lane);
                self.fresh |= 1 << lane;
                Self::load(&mut self.grid, lane, |row| board.0[row]);
            }
        }
    }

    /// Writes a grid into a lane, row by row.
    #[inline(always)]
    fn load(grid: &mut [V; WORDS], lane: usize, word: impl Fn(usize) -> u16) {
        assert!(lane < V::LANES);
        let words = words_mut(grid).as_mut_ptr();
        for row in 0..WORDS {
            // One store after the other: gathered in registers first, as the compiler would like to, it
            // takes longer.
            // SAFETY: a register is `LANES` words, and the grid `WORDS` registers.
            unsafe { words.add(row * V::LANES + lane).write_volatile(word(row)) };
        }
    }

    /// Reads the grid of a lane.
    fn board(&self, lane: usize) -> Board {
        let words = words(self.grid.as_slice());
        Board(std::array::from_fn(|row| words[row * V::LANES + lane]))
    }

    /// Lets an idle lane go on with a branch that waited.
    fn resume(&mut self, lane: usize, waiting: Waiting) {
        let Waiting { task, pack, place } = waiting;
        let bundle = &self.packs.items[pack].bundle;
        self.fresh |= 1 << lane;
        Self::load(&mut self.grid, lane, |row| bundle[row][place]);
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

    /// Branches in the lanes of `lanes`, or gives up their puzzles if these have had their nodes.
    fn branch(&mut self, lanes: u32, order: &mut Order<'_>) {
        let lanes = lanes & !self.triples(lanes);
        if lanes == 0 {
            return;
        }
        V::choose(&self.grid, lanes, &mut self.choice);
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
        V::branch(&mut self.grid, &mut self.places, &self.choice, &source, twins);
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

    /// Looks for triples before lanes branch, if that has paid lately; returns the lanes that have lost
    /// candidates, and so have steps to take before they branch.
    fn triples(&mut self, lanes: u32) -> u32 {
        self.skipped += 1;
        if self.credit <= 0 && self.skipped < CALLS_BETWEEN_TRIALS {
            return 0;
        }
        self.skipped = 0;
        let changed = V::triples(&mut self.grid) & lanes;
        let (gain, cost) = (changed.count_ones(), (lanes & !changed).count_ones());
        let credit = self.credit + 3 * gain.cast_signed() - cost.cast_signed();
        self.credit = credit.clamp(-CREDIT_MAX, CREDIT_MAX);
        changed
    }

    /// Lets the other branches of `lanes` wait.
    fn pack(&mut self, mut lanes: u32) {
        while lanes != 0 {
            let at = self.packs.take(|| Pack { bundle: Box::new([[0; 8]; WORDS]), waiting: 0 });
            let pack = &mut self.packs.items[at];
            let mut source: [u8; 32] = std::array::from_fn(|lane| lane as u8);
            pack.waiting = 0;
            for lane in lanes_of(lanes).take(8) {
                // Where there are no more lanes than places, each has its own.
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
            V::pack(&self.grid, &self.choice, &source, &mut pack.bundle);
        }
    }

    /// Gives idle lanes what waits, or else the next puzzles.
    fn refill(&mut self, order: &mut Order<'_>) {
        // A puzzle that is alone comes here after every step, with all other lanes idle.
        if self.stocked != 0 {
            for lane in lanes_of(self.idle) {
                self.go_on(lane, order);
            }
        }
        self.begin(self.idle, order);
    }

    /// Lets an idle lane go on with what it left last itself or, if that is nothing, with what another one did.
    fn go_on(&mut self, lane: usize, order: &mut Order<'_>) {
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

    /// Takes what a lane left last.
    fn pop_from(&mut self, lane: usize) -> Option<Waiting> {
        let waiting = self.stacks[lane].pop();
        self.waiting -= usize::from(waiting.is_some());
        let left = self.stacks[lane].len();
        self.stocked &= !(u32::from(left == 0) << lane);
        self.deep &= !(u32::from(left < DEEP) << lane);
        waiting
    }

    /// Takes a step in all lanes and sees what became of them.
    fn step(&mut self, order: &mut Order<'_>) -> Wishes {
        let events = V::step(&mut self.grid, &mut self.places, mem::take(&mut self.fresh));
        let busy = Self::ALL & !self.idle;
        self.steps += u64::from(busy.count_ones());
        let solved = events.solved & !events.dead & busy;
        let ended = solved | events.dead & busy;
        let mut wishes = Wishes::default();
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

    /// Reports the solution of a lane; if it is the last that is wanted, `others` that search the same
    /// puzzle become idle.
    fn solve(&mut self, lane: usize, others: u32, wishes: &mut Wishes, order: &mut Order<'_>) {
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
        // Mostly no other lane searches it.
        let others = if task.open > 1 { others } else { 0 };
        wishes.next |= self.close(at, Limit::Solutions, others, order);
        while self.stacks[lane].last().is_some_and(|waiting| waiting.task == at) {
            let waiting = self.pop_from(lane).expect("it was looked at");
            self.release(waiting.pack);
            self.tasks.items[at].open -= 1;
        }
    }

    /// Reports a task that is cut short. Those of `lanes` that search it become idle; they are returned.
    fn close(&mut self, at: usize, limit: Limit, lanes: u32, order: &mut Order<'_>) -> u32 {
        let task = &mut self.tasks.items[at];
        task.is_closed = true;
        if at == order.begun_task {
            // What was not taken up.
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

    /// Takes note that a lane or a branch of a task is done with; returns whether that was the last, so that
    /// the task is over.
    fn leave(&mut self, at: usize, order: &mut Order<'_>) -> bool {
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

    /// Drops what is left; `rest` gets the boards of it, unless they are of closed tasks.
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
        self.run_begun(batch, limits, rest, Begun::nothing())
    }
}

impl<V: Compiled> Search<V> {
    /// Goes on with what was `begun`, and then searches the puzzles of the batch.
    pub(super) fn run_begun(
        &mut self,
        batch: &mut dyn Batch,
        limits: &Limits,
        rest: Option<&mut Vec<Board>>,
        begun: Begun,
    ) -> Effort {
        let Begun { boards, id, solutions, nodes, effort } = begun;
        (self.nodes, self.steps, self.waiting_max) = (effort.nodes, effort.steps, effort.waiting_max);
        self.taken = 0;
        let mut begun_task = 0;
        if !boards.is_empty() {
            let open = boards.len() as u32;
            let task = Task { id, solutions, nodes, open, is_closed: false };
            begun_task = self.tasks.take(|| task);
            self.tasks.items[begun_task] = task;
            self.taken = id + 1;
        }
        (self.credit, self.skipped) = (CREDIT_FIRST, 0);
        self.nodes_max = limits.nodes_max();
        let wanted = limits.solutions_max();
        let task_nodes_max = batch.nodes_max();
        let has_more = wanted > 0;
        let begun = boards;
        let mut order =
            Order { batch, solutions: wanted, task_nodes_max, has_more, begun, begun_task, stop: None };
        let end = self.run_all(&mut order, limits);
        self.abandon(end, order.begun, order.batch, rest);
        Effort { end, nodes: self.nodes, steps: self.steps, waiting_max: self.waiting_max }
    }
}
