//! Colouring: remote pairs, simple colouring and multi colouring.
//!
//! Candidates of which neighbours exclude and force each other get two colours in turn: either all
//! of the first colour hold, or all of the second.
//!
//! Bound: each component is visited once; multi colouring compares each two components of a digit.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::chains::tenths;
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const REMOTE: Family = Family { techniques: &[&REMOTE_PAIR], find: find_remote };
pub(crate) const SIMPLE: Family = Family { techniques: &[&SIMPLE_COLOURING], find: find_simple };
pub(crate) const MULTI: Family = Family { techniques: &[&MULTI_COLOURING], find: find_multi };

static REMOTE_PAIR: Technique = Technique {
    name: "remote pair",
    score: 61,
    summary: "Four or more cells with the same two candidates, each of which sees the next. Cells at \
              an odd distance are different, so what sees both is neither digit.",
    is_uniqueness: false,
    tell: tell_remote,
};

static SIMPLE_COLOURING: Technique = Technique {
    name: "simple colouring",
    score: 66,
    summary: "Conjugate pairs of a digit get two colours in turn, of which one holds. A cell that sees \
              both colours loses the digit; so does a colour of which two cells see each other.",
    is_uniqueness: false,
    tell: tell_simple,
};

static MULTI_COLOURING: Technique = Technique {
    name: "multi colouring",
    score: 67,
    summary: "Two groups of conjugate pairs of a digit get two colours each. If two colours see each \
              other, one of the two opposite colours holds; a colour that sees both colours of the \
              other group is false.",
    is_uniqueness: false,
    tell: tell_multi,
};

/// The two colours of a component.
type Colours = [Cells; 2];

/// Returns the components of some cells, in two colours: `near` are the neighbours of a cell.
fn components(mut rest: Cells, near: impl Fn(usize) -> Cells) -> Vec<Colours> {
    let mut found = Vec::new();
    while let Some(first) = rest.least() {
        let mut colours = [Cells::one(first), Cells::NONE];
        let (mut front, mut side) = (colours[0], 0);
        while !front.is_empty() {
            let seen = front.iter().fold(Cells::NONE, |all, cell| all | near(cell));
            side = 1 - side;
            front = (seen & rest) - (colours[0] | colours[1]);
            colours[side] |= front;
        }
        rest -= colours[0] | colours[1];
        found.push(colours);
    }
    found
}

/// Returns the cells that see a cell of a colour.
fn seen_by(board: &Board, cells: Cells) -> Cells {
    cells.iter().fold(Cells::NONE, |all, cell| all | board.layout().peers(cell))
}

fn colours(components: &[Colours], digits: Digits) -> Vec<Group> {
    let group = |(number, &cells)| Group { part: Part::Set(number as u8), cells, digits };
    components.iter().flatten().enumerate().map(group).collect()
}

fn find_remote(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    let mut pairs = board.cells_with(2);
    search.spend(2_000)?;
    while let Some(first) = pairs.least() {
        let digits = board.marks(first);
        let same: Cells = pairs.iter().filter(|&cell| board.marks(cell) == digits).collect();
        pairs -= same;
        if same.len() < 4 {
            continue;
        }
        for component in components(same, |cell| board.layout().peers(cell)) {
            let [one, other] = component;
            let cells = one | other;
            let seen = (seen_by(board, one) & seen_by(board, other)) - cells;
            // What sees two neighbours falls to a naked pair already.
            let is_remote = |cell: usize| {
                let near = board.layout().peers(cell);
                let meets = |end: usize| board.layout().peers(end).meets(other & near);
                board.marks(cell).meets(digits) && !(one & near).iter().any(meets)
            };
            if cells.len() < 4 || !seen.iter().any(is_remote) {
                continue;
            }
            let mut step = Step::new(&REMOTE_PAIR);
            step.score += tenths(cells.len());
            step.removed = board.candidates(seen, digits).collect();
            step.groups = colours(&[component], digits);
            step.truths = cells.iter().map(Truth::Cell).collect();
            search.offer(step);
        }
    }
    Ok(())
}

/// The conjugate pairs of a digit.
struct Conjugates {
    near: [Cells; Cells::CAPACITY],
    cells: Cells,
    houses: Vec<usize>,
}

impl Conjugates {
    fn new(board: &Board, digit: usize) -> Self {
        let mut found =
            Self { near: [Cells::NONE; Cells::CAPACITY], cells: Cells::NONE, houses: Vec::new() };
        for house in 0..board.houses().len() {
            let spots = board.spots_in(house, digit);
            if spots.len() == 2 {
                spots.iter().for_each(|cell| found.near[cell] |= spots - Cells::one(cell));
                found.cells |= spots;
                found.houses.push(house);
            }
        }
        found
    }

    fn components(&self) -> Vec<Colours> {
        components(self.cells, |cell| self.near[cell])
    }

    /// Adds the conjugate pairs of some components to a step.
    fn prove(&self, board: &Board, step: &mut Step, components: &[Colours], digit: usize) {
        let cells = components.iter().flatten().fold(Cells::NONE, |all, &cells| all | cells);
        let is_used = |&house: &usize| board.spots_in(house, digit).is_within(cells);
        step.houses = self.houses.iter().copied().filter(is_used).collect();
        step.truths = step.houses.iter().map(|&house| Truth::Place { house, digit }).collect();
        step.groups = colours(components, Digits::one(digit));
    }
}

/// Returns the candidates of a digit in some cells.
fn candidates(board: &Board, cells: Cells, digit: usize) -> Vec<Candidate> {
    board.candidates(cells & board.spots(digit), Digits::one(digit)).collect()
}

/// Returns whether two of these cells see each other.
fn clash(board: &Board, cells: Cells) -> bool {
    seen_by(board, cells).meets(cells)
}

fn find_simple(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    search.spend(5_000)?;
    for digit in board.layout().digits().iter() {
        let pairs = Conjugates::new(board, digit);
        for component in pairs.components() {
            let [one, other] = component;
            let mut offer = |removed: Vec<Candidate>| {
                if !removed.is_empty() {
                    let mut step = Step::new(&SIMPLE_COLOURING);
                    step.removed = removed;
                    pairs.prove(board, &mut step, &[component], digit);
                    search.offer(step);
                }
            };
            for colour in component {
                if clash(board, colour) {
                    offer(candidates(board, colour, digit));
                }
            }
            let seen = (seen_by(board, one) & seen_by(board, other)) - (one | other);
            // A single pair is a locked set.
            if (one | other).len() > 2 {
                offer(candidates(board, seen, digit));
            }
        }
    }
    Ok(())
}

fn find_multi(search: &mut Search<'_>) -> Result<(), Limit> {
    let board = search.board();
    search.spend(10_000)?;
    for digit in board.layout().digits().iter() {
        let pairs = Conjugates::new(board, digit);
        let components = pairs.components();
        for (number, &first) in components.iter().enumerate() {
            for &second in &components[number + 1..] {
                let removed = candidates(board, excluded(board, first, second), digit);
                if !removed.is_empty() {
                    let mut step = Step::new(&MULTI_COLOURING);
                    step.removed = removed;
                    pairs.prove(board, &mut step, &[first, second], digit);
                    search.offer(step);
                }
            }
        }
    }
    Ok(())
}

/// Returns the cells that lose a digit by the colours of two components.
fn excluded(board: &Board, first: Colours, second: Colours) -> Cells {
    let seen = [first.map(|cells| seen_by(board, cells)), second.map(|cells| seen_by(board, cells))];
    let mut out = Cells::NONE;
    for colour in 0..2 {
        let sees_both = |seen: &Colours, cells: Cells| seen.iter().all(|seen| seen.meets(cells));
        if sees_both(&seen[1], first[colour]) {
            out |= first[colour];
        }
        if sees_both(&seen[0], second[colour]) {
            out |= second[colour];
        }
        for other in 0..2 {
            if seen[0][colour].meets(second[other]) {
                out |= seen[0][1 - colour] & seen[1][1 - other];
            }
        }
    }
    out
}

fn set(step: &Step, words: &Words<'_>, number: u8) -> String {
    words.cells(step.cells(Part::Set(number)))
}

fn tell_remote(step: &Step, words: &Words<'_>) -> String {
    let digits: Vec<&str> = step.digits(Part::Set(0)).iter().map(|digit| words.digit(digit)).collect();
    format!(
        "The cells {} and {} have only the candidates {}, and each sees the next, so all of the former \
         are one of the digits and all of the latter are the other",
        set(step, words, 0),
        set(step, words, 1),
        digits.join(" and "),
    )
}

fn tell_simple(step: &Step, words: &Words<'_>) -> String {
    let digit = words.digits(step.digits(Part::Set(0)));
    let start = format!(
        "Conjugate pairs connect the cells of {digit} in {} and {}, so it stands in all of the former \
         or in all of the latter",
        set(step, words, 0),
        set(step, words, 1),
    );
    let removed: Cells = step.removed.iter().map(|removed| removed.cell).collect();
    match (0..2).find(|&colour| removed.is_within(step.cells(Part::Set(colour)))) {
        Some(_) => format!("{start}; but two cells of {} see each other", words.cells(removed)),
        None => format!("{start}, and each cell that sees both colours has no {digit}"),
    }
}

fn tell_multi(step: &Step, words: &Words<'_>) -> String {
    let digit = words.digits(step.digits(Part::Set(0)));
    let layout = words.layout();
    let sees = |a: u8, b: u8| {
        let other = step.cells(Part::Set(b));
        step.cells(Part::Set(a)).iter().any(|cell| layout.peers(cell).meets(other))
    };
    let mut clashes = Vec::new();
    for (a, b) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
        if sees(a, b) {
            clashes.push(format!("{} and {}", set(step, words, a), set(step, words, b)));
        }
    }
    format!(
        "Conjugate pairs connect {digit} in {} with {}, and {digit} in {} with {}: in each group all of \
         one colour hold. Cells of {} see each other, so one of their opposite colours holds",
        set(step, words, 0),
        set(step, words, 1),
        set(step, words, 2),
        set(step, words, 3),
        clashes.join(", and of "),
    )
}
