//! Rectangles of two digits: unique rectangles, hidden rectangles, avoidable rectangles.
//!
//! If four cells without a clue, in two rows, two columns and two boxes, held only the digits a and
//! b, then exchanging a and b in them would give a second solution. Hence a puzzle with one
//! solution has at least one other digit in these cells: at least one of their extra candidates
//! holds. This stays true when some a or b is no longer a candidate.
//!
//! A rectangle counts only if the exchange keeps every house and every other pair of cells that see
//! each other: what a corner sees outside of the rectangle is also seen by one of the two corners
//! next to it. This also decides for jigsaws, diagonals, windows and Latin squares. Rules that a
//! [`Layout`] does not know (cages, inequalities) must be excluded by the caller, through
//! [`Settings::uniqueness`](crate::Settings::uniqueness).
//!
//! Bound: each unique or hidden rectangle has a corner with two candidates, so there are at most
//! (cells) x (rows) x (columns) rectangles; each avoidable rectangle has a solved corner. Type 3
//! searches sets of at most [`SUBSET_MAX`] cells of one house.
//!
//! Source: the definitions of HoDoKu (types 1 to 6, hidden, avoidable) and SudokuWiki.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::layout::{HouseKind, Layout};
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

pub(crate) const FAMILY: Family = Family {
    techniques: &[&TYPE_1, &TYPE_2, &TYPE_3, &TYPE_4, &TYPE_5, &TYPE_6, &AVOIDABLE, &HIDDEN],
    find,
};

/// Most cells that complete the extra candidates to a subset (type 3): larger sets have a small
/// counterpart in the rest of the house.
pub(crate) const SUBSET_MAX: usize = 4;

/// Score of each cell of a subset after the first, in tenths.
pub(crate) const SUBSET_SCORE: u32 = 1;

static TYPE_1: Technique = Technique {
    name: "unique rectangle type 1",
    score: 45,
    summary: "Three corners of a rectangle have only two digits, so the fourth has neither.",
    is_uniqueness: true,
    tell: tell_first,
};

static TYPE_2: Technique = Technique {
    name: "unique rectangle type 2",
    score: 46,
    summary: "Two neighbouring corners of a rectangle have the same extra candidate, and one of them \
              takes it.",
    is_uniqueness: true,
    tell: tell_same,
};

static TYPE_3: Technique = Technique {
    name: "unique rectangle type 3",
    score: 46,
    summary: "The extra candidates of two neighbouring corners of a rectangle form a subset with other \
              cells of a house.",
    is_uniqueness: true,
    tell: tell_subset,
};

static TYPE_4: Technique = Technique {
    name: "unique rectangle type 4",
    score: 46,
    summary: "One of the two digits of a rectangle must stand in one of two neighbouring corners, which \
              therefore do not have the other.",
    is_uniqueness: true,
    tell: tell_tied,
};

static TYPE_5: Technique = Technique {
    name: "unique rectangle type 5",
    score: 46,
    summary: "Two opposite corners or three corners of a rectangle have the same extra candidate, and \
              one of them takes it.",
    is_uniqueness: true,
    tell: tell_same,
};

static TYPE_6: Technique = Technique {
    name: "unique rectangle type 6",
    score: 46,
    summary: "Two opposite corners of a rectangle have extra candidates, and one of its digits forms an \
              X-wing there, so these corners do not have that digit.",
    is_uniqueness: true,
    tell: tell_wing,
};

static AVOIDABLE: Technique = Technique {
    name: "avoidable rectangle",
    score: 46,
    summary: "Some corners of a rectangle are solved without being clues, and the others must not \
              complete it.",
    is_uniqueness: true,
    tell: tell_avoidable,
};

static HIDDEN: Technique = Technique {
    name: "hidden rectangle",
    score: 48,
    summary: "A corner of a rectangle has two digits, and one of them is confined to the rectangle in \
              the row and the column of the opposite corner, which therefore does not have the other.",
    is_uniqueness: true,
    tell: tell_hidden,
};

/// Score of the second type of an avoidable rectangle above that of the first, in tenths.
const AVOIDABLE_SECOND: u32 = 1;

fn find(search: &mut Search<'_>) -> Result<(), Limit> {
    if search.uniqueness() {
        search.spend(20_000)?;
        find_unique(search);
        find_avoidable(search);
    }
    Ok(())
}

/// The four corners: the first, its neighbours in the row and in the column, the opposite one.
type Corners = [usize; 4];

/// A rectangle of open cells that would hold only two digits without its extra candidates.
#[derive(Clone, Copy)]
struct Rectangle {
    corners: Corners,
    cells: Cells,
    digits: Digits,
    /// The corners with extra candidates.
    roof: Cells,
    /// The extra candidates of all corners.
    extra: Digits,
}

fn cells_of(corners: Corners) -> Cells {
    corners.into_iter().collect()
}

/// Returns whether exchanging two digits that alternate on the corners keeps every rule.
fn is_exchangeable(layout: &Layout, corners: Corners) -> bool {
    let [p, q, r, s] = corners;
    let cells = cells_of(corners);
    let sees = |a, b| layout.peers(a).has(b);
    let is_cycle = sees(p, q) && sees(p, r) && sees(s, q) && sees(s, r);
    if !is_cycle || sees(p, s) || sees(q, r) {
        return false;
    }
    let keeps =
        |a, b, c| (layout.peers(a) - cells).is_within(layout.peers(b) | layout.peers(c) | cells);
    if !(keeps(p, q, r) && keeps(s, q, r) && keeps(q, p, s) && keeps(r, p, s)) {
        return false;
    }
    // A Latin square has no boxes; elsewhere a rectangle spans two.
    let mut boxes: Vec<usize> =
        corners.iter().filter_map(|&cell| layout.house_of(cell, HouseKind::Box)).collect();
    boxes.sort_unstable();
    boxes.dedup();
    matches!(boxes.len(), 0 | 2)
}

fn find_unique(search: &mut Search<'_>) {
    let board = search.board();
    let layout = board.layout();
    let size = layout.size();
    for p in board.cells_with(2).iter() {
        let digits = board.marks(p);
        let is_possible = |cell: usize| cell != p && board.marks(cell).meets(digits);
        let row = p - p % size;
        for q in (row..row + size).filter(|&cell| is_possible(cell)) {
            for r in (0..size).map(|row| row * size + p % size).filter(|&cell| is_possible(cell)) {
                let s = r - r % size + q % size;
                if !is_possible(s) {
                    continue;
                }
                let corners = [p, q, r, s];
                // A rectangle is visited once: from its first corner with only these digits.
                if corners.iter().any(|&cell| cell < p && board.marks(cell) == digits) {
                    continue;
                }
                let fits =
                    |a, b| board.spots(a).has(s) && board.spots(b).has(q) && board.spots(b).has(r);
                let mut each = digits.iter();
                let (Some(a), Some(b)) = (each.next(), each.next()) else { continue };
                if !(fits(a, b) || fits(b, a)) || !is_exchangeable(layout, corners) {
                    continue;
                }
                let extra = board.marks_of(cells_of(corners)) - digits;
                let roof = corners.into_iter().filter(|&cell| !board.marks(cell).is_within(digits));
                let cells = cells_of(corners);
                offer_types(search, Rectangle { corners, cells, digits, roof: roof.collect(), extra });
            }
        }
    }
}

/// Returns a step with the corners as body and the extra candidates as fins.
fn new_step(technique: &'static Technique, rectangle: &Rectangle) -> Step {
    let mut step = Step::new(technique);
    step.groups = vec![
        Group { part: Part::Body, cells: rectangle.cells, digits: rectangle.digits },
        Group { part: Part::Fin, cells: rectangle.roof, digits: rectangle.extra },
    ];
    step.truths = rectangle.cells.iter().map(Truth::Cell).collect();
    step
}

fn offer_types(search: &mut Search<'_>, rectangle: Rectangle) {
    let board = search.board();
    let layout = board.layout();
    let Rectangle { corners, digits, roof, extra, .. } = rectangle;
    if let Some(corner) = roof.only() {
        if search.wants(TYPE_1.score) {
            let mut step = new_step(&TYPE_1, &rectangle);
            step.removed = board.candidates(Cells::one(corner), digits).collect();
            search.offer(step);
        }
        return;
    }
    let [p, q, r, s] = corners;
    let is_opposite = roof == Cells::one(p) | Cells::one(s) || roof == Cells::one(q) | Cells::one(r);
    let is_side = roof.len() == 2 && !is_opposite;
    if let Some(digit) = extra.only() {
        let technique = if is_side { &TYPE_2 } else { &TYPE_5 };
        let seen = layout.common_peers(roof) & board.spots(digit);
        if roof.len() < 4 && !seen.is_empty() && search.wants(technique.score) {
            let mut step = new_step(technique, &rectangle);
            step.removed = seen.iter().map(|cell| Candidate { cell, digit }).collect();
            search.offer(step);
        }
    }
    if is_side {
        if extra.len() > 1 && search.wants(TYPE_3.score) {
            offer_subsets(search, &rectangle);
        }
        offer_tied(search, &rectangle);
    } else {
        if is_opposite {
            offer_wings(search, &rectangle);
        }
        offer_hidden(search, &rectangle);
    }
}

/// Offers type 3: the extra candidates form a subset with other cells of a house.
fn offer_subsets(search: &mut Search<'_>, rectangle: &Rectangle) {
    let board = search.board();
    let floor = rectangle.cells - rectangle.roof;
    for house in board.layout().houses_around(rectangle.roof) {
        subsets(board, house, rectangle.roof, rectangle.extra, floor, &mut |subset| {
            let score = TYPE_3.score + SUBSET_SCORE * (subset.cells.len() as u32 - 1);
            if search.wants(score) {
                let mut step = new_step(&TYPE_3, rectangle);
                step.score = score;
                subset.complete(board, house, &mut step);
                search.offer(step);
            }
        });
    }
}

/// Offers type 4: a digit must stand in one of two corners, which lose the other digit.
fn offer_tied(search: &mut Search<'_>, rectangle: &Rectangle) {
    let board = search.board();
    if !search.wants(TYPE_4.score) {
        return;
    }
    for digit in rectangle.digits.iter() {
        let others = rectangle.digits - Digits::one(digit);
        let tying: Vec<usize> = board
            .layout()
            .houses_around(rectangle.roof)
            .filter(|&house| board.spots_in(house, digit) == rectangle.roof)
            .collect();
        if tying.is_empty() {
            continue;
        }
        let mut step = new_step(&TYPE_4, rectangle);
        step.removed = board.candidates(rectangle.roof, others).collect();
        step.truths.extend(tying.iter().map(|&house| Truth::Place { house, digit }));
        step.houses = tying;
        search.offer(step);
    }
}

/// Offers type 6: a digit forms an X-wing on the corners, so opposite corners with extra candidates
/// do not have it.
fn offer_wings(search: &mut Search<'_>, rectangle: &Rectangle) {
    let board = search.board();
    if !search.wants(TYPE_6.score) {
        return;
    }
    for kind in [HouseKind::Row, HouseKind::Column] {
        let lines = lines_of(board.layout(), rectangle.corners, kind);
        let Some(lines) = lines else { continue };
        for digit in rectangle.digits.iter() {
            let is_confined = |&house: &usize| {
                let spots = board.spots_in(house, digit);
                spots.len() == 2 && spots.is_within(rectangle.cells)
            };
            if !lines.iter().all(is_confined) {
                continue;
            }
            let mut step = new_step(&TYPE_6, rectangle);
            step.removed = board.candidates(rectangle.roof, Digits::one(digit)).collect();
            step.houses = lines.to_vec();
            step.truths.extend(lines.iter().map(|&house| Truth::Place { house, digit }));
            search.offer(step);
        }
    }
}

/// Returns the two rows or the two columns of a rectangle, ascending.
fn lines_of(layout: &Layout, corners: Corners, kind: HouseKind) -> Option<[usize; 2]> {
    let mut lines = [layout.house_of(corners[0], kind)?, layout.house_of(corners[3], kind)?];
    lines.sort_unstable();
    Some(lines)
}

/// Offers hidden rectangles: a corner with two digits, and one of these has only corners left in
/// the row and in the column of the opposite corner.
fn offer_hidden(search: &mut Search<'_>, rectangle: &Rectangle) {
    let board = search.board();
    let layout = board.layout();
    if !search.wants(HIDDEN.score) {
        return;
    }
    let [p, q, r, s] = rectangle.corners;
    for (from, opposite) in [(p, s), (q, r), (r, q), (s, p)] {
        if board.marks(from) != rectangle.digits {
            continue;
        }
        let lines = [HouseKind::Row, HouseKind::Column].map(|kind| layout.house_of(opposite, kind));
        let [Some(row), Some(column)] = lines else { continue };
        for digit in rectangle.digits.iter() {
            let other = rectangle.digits - Digits::one(digit);
            let is_tied = |house| {
                let spots = board.spots_in(house, digit);
                spots.len() == 2 && spots.is_within(rectangle.cells)
            };
            if !is_tied(row) || !is_tied(column) {
                continue;
            }
            let mut step = new_step(&HIDDEN, rectangle);
            step.removed = board.candidates(Cells::one(opposite), other).collect();
            step.houses = vec![row, column];
            step.truths.extend([row, column].map(|house| Truth::Place { house, digit }));
            search.offer(step);
        }
    }
}

/// Offers avoidable rectangles. Of the open corners each has the digit that would complete the
/// exchangeable pattern.
fn find_avoidable(search: &mut Search<'_>) {
    let board = search.board();
    let layout = board.layout();
    let size = layout.size();
    let free = Cells::first(layout.cell_count()) - board.clues();
    let solved = free - board.open();
    if !search.wants(AVOIDABLE.score) {
        return;
    }
    for p in solved.iter() {
        let Some(a) = board.value(p) else { continue };
        let row = p - p % size;
        for q in (row..row + size).filter(|&cell| cell != p && free.has(cell)) {
            for r in (0..size).map(|row| row * size + p % size) {
                let s = r - r % size + q % size;
                let corners = [p, q, r, s];
                let is_first = corners.iter().all(|&cell| cell >= p || !solved.has(cell));
                let is_possible = r != p && free.has(r) && free.has(s) && is_first;
                // A pattern without open corner would be a second solution.
                let open = cells_of(corners) & board.open();
                if !is_possible || open.is_empty() {
                    continue;
                }
                // The candidates, or the digit that stands.
                let choices = |cell| match board.value(cell) {
                    Some(digit) => Digits::one(digit),
                    None => board.marks(cell),
                };
                let shared = choices(q) & choices(r);
                if !choices(s).has(a) || shared.is_within(Digits::one(a)) {
                    continue;
                }
                if is_exchangeable(layout, corners) {
                    for b in (shared - Digits::one(a)).iter() {
                        offer_avoidable(search, corners, open, [a, b, b, a]);
                    }
                }
            }
        }
    }
}

/// Offers the steps of a rectangle that must not be completed with these digits.
fn offer_avoidable(search: &mut Search<'_>, corners: Corners, open: Cells, own: [usize; 4]) {
    let board = search.board();
    let mut step = Step::new(&AVOIDABLE);
    let mut extra = Digits::NONE;
    let mut fins = Cells::NONE;
    for (cell, own) in corners.into_iter().zip(own).filter(|&(cell, _)| open.has(cell)) {
        let others = board.marks(cell) - Digits::one(own);
        extra |= others;
        if !others.is_empty() {
            fins.insert(cell);
        }
        if open.len() == 1 {
            step.removed = vec![Candidate { cell, digit: own }];
        }
    }
    if open.len() > 1 {
        let Some(digit) = extra.only() else { return };
        let seen = board.layout().common_peers(fins) & board.spots(digit);
        if fins.len() < 2 || seen.is_empty() {
            return;
        }
        step.score += AVOIDABLE_SECOND;
        step.removed = seen.iter().map(|cell| Candidate { cell, digit }).collect();
    }
    let digits = own.into_iter().collect();
    step.groups = vec![
        Group { part: Part::Body, cells: cells_of(corners), digits },
        Group { part: Part::Fin, cells: fins, digits: extra },
    ];
    step.truths = open.iter().map(Truth::Cell).collect();
    search.offer(step);
}

/// Cells of a house that form a naked subset with one further cell, whose candidates are `extra`.
pub(crate) struct Subset {
    pub(crate) cells: Cells,
    removed: Vec<Candidate>,
}

impl Subset {
    /// Adds the subset and its conclusion to a step.
    pub(crate) fn complete(self, board: &Board, house: usize, step: &mut Step) {
        step.removed = self.removed;
        step.houses = vec![house];
        let digits = board.marks_of(self.cells);
        step.groups.push(Group { part: Part::Set(0), cells: self.cells, digits });
        step.truths.extend(self.cells.iter().map(Truth::Cell));
    }
}

/// Visits each minimal set of at most [`SUBSET_MAX`] cells of a house, outside of `roof` and
/// `avoid`, that forms a naked subset with a cell of the candidates `extra`, if this eliminates
/// something. One of the extra candidates must stand in `roof`.
pub(crate) fn subsets(
    board: &Board,
    house: usize,
    roof: Cells,
    extra: Digits,
    avoid: Cells,
    visit: &mut dyn FnMut(Subset),
) {
    let others = (board.houses()[house].cells & board.open()) - roof - avoid;
    let others: Vec<usize> =
        others.iter().filter(|&cell| (board.marks(cell) | extra).len() <= SUBSET_MAX + 1).collect();
    let mut chosen = Vec::new();
    extend(&others, 0, &mut chosen, &mut |chosen| {
        let cells: Cells = chosen.iter().copied().collect();
        let digits = board.marks_of(cells) | extra;
        if digits.len() > SUBSET_MAX + 1 {
            return false;
        }
        if digits.len() == chosen.len() + 1 && is_minimal(board, chosen, extra) {
            let mut removed: Vec<Candidate> = Vec::new();
            for digit in digits.iter() {
                let homes = if extra.has(digit) { cells | roof } else { cells };
                let seen = board.layout().common_peers(homes & board.spots(digit));
                let seen = (seen & board.spots(digit)) - cells;
                removed.extend(seen.iter().map(|cell| Candidate { cell, digit }));
            }
            removed.sort_unstable();
            if !removed.is_empty() {
                visit(Subset { cells, removed });
            }
        }
        true
    });
}

/// Visits all nonempty sets of at most [`SUBSET_MAX`] cells; `visit` returns whether to extend a
/// set.
fn extend(
    cells: &[usize],
    from: usize,
    chosen: &mut Vec<usize>,
    visit: &mut dyn FnMut(&[usize]) -> bool,
) {
    for next in from..cells.len() {
        chosen.push(cells[next]);
        if visit(chosen) && chosen.len() < SUBSET_MAX {
            extend(cells, next + 1, chosen, visit);
        }
        chosen.pop();
    }
}

/// Returns whether no smaller part of the cells is a naked subset, alone or with `extra`.
fn is_minimal(board: &Board, cells: &[usize], extra: Digits) -> bool {
    (1..(1_usize << cells.len()) - 1).all(|part| {
        let part: Cells = (0..cells.len()).filter(|n| part >> n & 1 == 1).map(|n| cells[n]).collect();
        let digits = board.marks_of(part);
        digits.len() > part.len() && (digits | extra).len() > part.len() + 1
    }) && board.marks_of(cells.iter().copied().collect()).len() > cells.len()
}

fn tell_first(step: &Step, words: &Words<'_>) -> String {
    let digits = words.digits(step.digits(Part::Body));
    format!(
        "If {} had {}, the cells {} would hold only {digits}, which could be exchanged",
        words.cells(step.cells(Part::Fin)),
        words.digits(step.digits(Part::Body)).replace(" and ", " or "),
        words.cells(step.cells(Part::Body)),
    )
}

/// Returns the sentence that the extra candidates prevent an exchange.
fn warning(step: &Step, words: &Words<'_>) -> String {
    format!(
        "The cells {} must not hold only {}, which could be exchanged",
        words.cells(step.cells(Part::Body)),
        words.digits(step.digits(Part::Body)),
    )
}

fn tell_same(step: &Step, words: &Words<'_>) -> String {
    let (fins, extra) = (step.cells(Part::Fin), step.digits(Part::Fin));
    format!("{}, so one of {} is {}", warning(step, words), words.cells(fins), words.digits(extra))
}

fn tell_subset(step: &Step, words: &Words<'_>) -> String {
    let (fins, extra) = (step.cells(Part::Fin), step.digits(Part::Fin));
    format!(
        "{}, so one of {} has {}; with {} this takes up all {} of {}",
        warning(step, words),
        words.cells(fins),
        words.digits(extra).replace(" and ", " or "),
        words.cells(step.cells(Part::Set(0))),
        words.digits(extra | step.digits(Part::Set(0))),
        words.houses(&step.houses),
    )
}

/// Returns the digit of the houses among the facts.
fn placed_digit<'w>(step: &Step, words: &Words<'w>) -> &'w str {
    let digit = step.truths.iter().find_map(|&truth| match truth {
        Truth::Place { digit, .. } => Some(digit),
        Truth::Cell(_) => None,
    });
    digit.map_or("", |digit| words.digit(digit))
}

fn tell_tied(step: &Step, words: &Words<'_>) -> String {
    let digit = placed_digit(step, words);
    format!(
        "In {}, {digit} stands in one of {}; if the other had the second digit, the cells {} would hold \
         only {}, which could be exchanged",
        words.houses(&step.houses),
        words.cells(step.cells(Part::Fin)),
        words.cells(step.cells(Part::Body)),
        words.digits(step.digits(Part::Body)),
    )
}

fn tell_wing(step: &Step, words: &Words<'_>) -> String {
    let digit = placed_digit(step, words);
    format!(
        "In {}, {digit} stands only in the cells {}; if {digit} were in {}, these cells would hold only {}, \
         which could be exchanged",
        words.houses(&step.houses),
        words.cells(step.cells(Part::Body)),
        words.cells(step.cells(Part::Fin)),
        words.digits(step.digits(Part::Body)),
    )
}

fn tell_hidden(step: &Step, words: &Words<'_>) -> String {
    let digit = placed_digit(step, words);
    let removed = step.removed.first().map_or(String::new(), |&candidate| words.placed(candidate));
    format!(
        "In {}, {digit} has only corners of the rectangle {} left; with {removed} these cells would hold \
         only {}, which could be exchanged",
        words.houses(&step.houses),
        words.cells(step.cells(Part::Body)),
        words.digits(step.digits(Part::Body)),
    )
}

fn tell_avoidable(step: &Step, words: &Words<'_>) -> String {
    let (fins, extra) = (step.cells(Part::Fin), step.digits(Part::Fin));
    let warning = format!(
        "No corner of the rectangle {} is a clue, so it must not hold only {}, which could be exchanged",
        words.cells(step.cells(Part::Body)),
        words.digits(step.digits(Part::Body)),
    );
    if fins.len() < 2 {
        return warning;
    }
    format!("{warning}; hence one of {} is {}", words.cells(fins), words.digits(extra))
}
