//! Subsets: naked, locked and hidden pairs, triples, quadruples and quintuples.
//!
//! A naked subset is a set of `n` cells of a house with `n` digits together; no other cell that
//! sees them has these digits. If the cells lie in two houses and both lose candidates, the subset
//! is called locked. A hidden subset is a set of `n` digits with `n` cells in a house; these cells
//! have no other digit. No part of a subset is itself a subset.
//!
//! Both kinds are sets of `n` rows of a bit matrix with `n` columns together: cells by digits, or
//! digits by cells. The complement of a hidden subset is naked; the smaller of both has the lower
//! score, so that players see that one.
//!
//! Bound: per house at most 462 sets of rows of one size, for 11 open cells and quintuples.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::layout::Layout;
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::technique::{Family, Technique};
use crate::words::Words;

/// Pairs and triples.
pub(crate) const SMALL: Family = Family {
    techniques: &[
        &DIRECT_HIDDEN_PAIR,
        &DIRECT_HIDDEN_TRIPLE,
        &LOCKED_PAIR,
        &NAKED_PAIR,
        &HIDDEN_PAIR,
        &LOCKED_TRIPLE,
        &NAKED_TRIPLE,
        &HIDDEN_TRIPLE,
    ],
    find: find_small,
};

/// Quadruples, and quintuples on boards with more than nine digits.
pub(crate) const LARGE: Family = Family {
    techniques: &[&NAKED_QUADRUPLE, &HIDDEN_QUADRUPLE, &NAKED_QUINTUPLE, &HIDDEN_QUINTUPLE],
    find: find_large,
};

static DIRECT_HIDDEN_PAIR: Technique = Technique {
    name: "direct hidden pair",
    score: 20,
    summary: "A hidden pair after which another digit of the house has one cell left.",
    is_uniqueness: false,
    tell: tell_hidden,
};

static DIRECT_HIDDEN_TRIPLE: Technique = Technique {
    name: "direct hidden triple",
    score: 25,
    summary: "A hidden triple after which another digit of the house has one cell left.",
    is_uniqueness: false,
    tell: tell_hidden,
};

static HIDDEN_PAIR: Technique = Technique {
    name: "hidden pair",
    score: 34,
    summary: "Two digits of a house have the same two cells, which lose all other candidates.",
    is_uniqueness: false,
    tell: tell_hidden,
};

static HIDDEN_TRIPLE: Technique = Technique {
    name: "hidden triple",
    score: 40,
    summary: "Three digits of a house have three cells together, which lose all other candidates.",
    is_uniqueness: false,
    tell: tell_hidden,
};

static LOCKED_PAIR: Technique = Technique {
    name: "locked pair",
    score: 29,
    summary: "A naked pair whose cells lie in a box and in a line, which both lose the two digits.",
    is_uniqueness: false,
    tell: tell_naked,
};

static NAKED_PAIR: Technique = Technique {
    name: "naked pair",
    score: 30,
    summary: "Two cells of a house have the same two candidates, so its other cells lose these digits.",
    is_uniqueness: false,
    tell: tell_naked,
};

static LOCKED_TRIPLE: Technique = Technique {
    name: "locked triple",
    score: 35,
    summary: "A naked triple whose cells lie in a box and in a line, which both lose the three digits.",
    is_uniqueness: false,
    tell: tell_naked,
};

static NAKED_TRIPLE: Technique = Technique {
    name: "naked triple",
    score: 36,
    summary: "Three cells of a house have three candidates together, so its other cells lose these \
              digits.",
    is_uniqueness: false,
    tell: tell_naked,
};

static NAKED_QUADRUPLE: Technique = Technique {
    name: "naked quadruple",
    score: 50,
    summary: "Four cells of a house have four candidates together, so its other cells lose these \
              digits.",
    is_uniqueness: false,
    tell: tell_naked,
};

static HIDDEN_QUADRUPLE: Technique = Technique {
    name: "hidden quadruple",
    score: 54,
    summary: "Four digits of a house have four cells together, which lose all other candidates.",
    is_uniqueness: false,
    tell: tell_hidden,
};

static NAKED_QUINTUPLE: Technique = Technique {
    name: "naked quintuple",
    score: 57,
    summary: "Five cells of a house have five candidates together, so its other cells lose these \
              digits. Only on boards with more than nine digits.",
    is_uniqueness: false,
    tell: tell_naked,
};

static HIDDEN_QUINTUPLE: Technique = Technique {
    name: "hidden quintuple",
    score: 61,
    summary: "Five digits of a house have five cells together, which lose all other candidates. Only \
              on boards with more than nine digits.",
    is_uniqueness: false,
    tell: tell_hidden,
};

/// Work per search and size, in ns: about 27 houses with 84 sets of rows each.
const WORK: u64 = 5_000;
/// Largest subset, which bounds the depth of the search.
const SIZE_MAX: usize = 5;

/// The open cells of a house as a bit matrix, both ways round.
#[derive(Clone, Copy)]
struct HouseMatrix {
    house: usize,
    /// Number of open cells, which is that of the missing digits in a valid position.
    open: usize,
    cells: [usize; Layout::SIZE_MAX],
    /// For each open cell by its place in `cells`, its digits.
    digits_of: [u16; Layout::SIZE_MAX],
    /// For each digit, its cells by their places in `cells`.
    cells_of: [u16; Layout::SIZE_MAX],
}

impl HouseMatrix {
    fn new(board: &Board, house: usize) -> Self {
        let mut matrix = Self {
            house,
            open: 0,
            cells: [0; Layout::SIZE_MAX],
            digits_of: [0; Layout::SIZE_MAX],
            cells_of: [0; Layout::SIZE_MAX],
        };
        for cell in (board.houses()[house].cells & board.open()).iter() {
            for digit in board.marks(cell).iter() {
                matrix.digits_of[matrix.open] |= 1 << digit;
                matrix.cells_of[digit] |= 1 << matrix.open;
            }
            matrix.cells[matrix.open] = cell;
            matrix.open += 1;
        }
        matrix
    }

    fn cells(&self, places: u16) -> Cells {
        (0..self.open).filter(|place| places >> place & 1 == 1).map(|place| self.cells[place]).collect()
    }
}

fn find_small(search: &mut Search<'_>) -> Result<(), Limit> {
    let matrices = matrices(search.board());
    find_hidden(search, &matrices, 2, &HIDDEN_PAIR, &DIRECT_HIDDEN_PAIR)?;
    find_hidden(search, &matrices, 3, &HIDDEN_TRIPLE, &DIRECT_HIDDEN_TRIPLE)?;
    find_naked(search, &matrices, 2, &NAKED_PAIR, &LOCKED_PAIR)?;
    find_naked(search, &matrices, 3, &NAKED_TRIPLE, &LOCKED_TRIPLE)
}

fn find_large(search: &mut Search<'_>) -> Result<(), Limit> {
    let matrices = matrices(search.board());
    find_naked(search, &matrices, 4, &NAKED_QUADRUPLE, &NAKED_QUADRUPLE)?;
    find_hidden(search, &matrices, 4, &HIDDEN_QUADRUPLE, &HIDDEN_QUADRUPLE)?;
    if search.board().layout().size() > 9 {
        find_naked(search, &matrices, 5, &NAKED_QUINTUPLE, &NAKED_QUINTUPLE)?;
        find_hidden(search, &matrices, 5, &HIDDEN_QUINTUPLE, &HIDDEN_QUINTUPLE)?;
    }
    Ok(())
}

fn matrices(board: &Board) -> Vec<HouseMatrix> {
    (0..board.houses().len()).map(|house| HouseMatrix::new(board, house)).collect()
}

fn find_naked(
    search: &mut Search<'_>,
    matrices: &[HouseMatrix],
    size: usize,
    naked: &'static Technique,
    locked: &'static Technique,
) -> Result<(), Limit> {
    if !search.wants(locked.score) {
        return Ok(());
    }
    search.spend(WORK)?;
    for matrix in matrices.iter().filter(|matrix| matrix.open >= size) {
        subsets(&matrix.digits_of[..matrix.open], size, &mut |rows, columns| {
            offer_naked(search, naked, locked, matrix, matrix.cells(rows), columns);
        });
    }
    Ok(())
}

fn find_hidden(
    search: &mut Search<'_>,
    matrices: &[HouseMatrix],
    size: usize,
    technique: &'static Technique,
    direct: &'static Technique,
) -> Result<(), Limit> {
    if !search.wants(direct.score) {
        return Ok(());
    }
    search.spend(WORK)?;
    for matrix in matrices.iter().filter(|matrix| matrix.open > size) {
        subsets(&matrix.cells_of, size, &mut |rows, columns| {
            offer_hidden(search, technique, direct, matrix, rows, matrix.cells(columns));
        });
    }
    Ok(())
}

/// Calls `visit` with each set of `size` rows that have `size` columns together, and with these
/// columns, unless part of the rows is such a set. Both are bit masks.
///
/// `size` is at most [`SIZE_MAX`].
pub(crate) fn subsets(rows: &[u16], size: usize, visit: &mut dyn FnMut(u16, u16)) {
    debug_assert!(size <= SIZE_MAX, "the stack is large enough");
    // The rows chosen so far, by their indices, and the columns of those before each.
    let (mut chosen, mut columns) = ([0; SIZE_MAX], [0; SIZE_MAX + 1]);
    let (mut depth, mut next) = (0, 0);
    loop {
        if next + size - depth > rows.len() {
            // Too few rows are left: replace the row chosen last.
            if depth == 0 {
                return;
            }
            depth -= 1;
            next = chosen[depth] + 1;
            continue;
        }
        let row = rows[next];
        let together = columns[depth] | row;
        if row == 0 || together.count_ones() as usize > size {
            next += 1;
            continue;
        }
        chosen[depth] = next;
        next += 1;
        if depth + 1 < size {
            depth += 1;
            columns[depth] = together;
        } else if together.count_ones() as usize == size && is_irreducible(rows, &chosen[..size]) {
            visit(chosen[..size].iter().fold(0, |mask, &index| mask | 1 << index), together);
        }
    }
}

/// Returns whether each proper part of the chosen rows has more columns than rows.
fn is_irreducible(rows: &[u16], chosen: &[usize]) -> bool {
    (1..(1_usize << chosen.len()) - 1).all(|part| {
        let mut columns = 0;
        for (place, &index) in chosen.iter().enumerate() {
            if part >> place & 1 == 1 {
                columns |= rows[index];
            }
        }
        columns.count_ones() > part.count_ones()
    })
}

fn offer_naked(
    search: &mut Search<'_>,
    naked: &'static Technique,
    locked: &'static Technique,
    matrix: &HouseMatrix,
    cells: Cells,
    digits: u16,
) {
    let board = search.board();
    let layout = board.layout();
    let digits = Digits::from_bits(digits);
    let removed: Vec<Candidate> = board.candidates(layout.common_peers(cells), digits).collect();
    // Every house around the cells finds the subset; the first one offers it.
    if removed.is_empty() || layout.houses_around(cells).next() != Some(matrix.house) {
        return;
    }
    let loses =
        |house: usize| removed.iter().any(|removed| board.houses()[house].cells.has(removed.cell));
    let houses: Vec<usize> = layout.houses_around(cells).filter(|&house| loses(house)).collect();
    let technique = if houses.len() > 1 { locked } else { naked };
    if !search.wants(technique.score) {
        return;
    }
    let mut step = Step::new(technique);
    step.removed = removed;
    step.houses = if houses.is_empty() { vec![matrix.house] } else { houses };
    step.groups = vec![Group { part: Part::Body, cells, digits }];
    step.truths = cells.iter().map(Truth::Cell).collect();
    search.offer(step);
}

fn offer_hidden(
    search: &mut Search<'_>,
    technique: &'static Technique,
    direct: &'static Technique,
    matrix: &HouseMatrix,
    digits: u16,
    cells: Cells,
) {
    let board = search.board();
    let digits = Digits::from_bits(digits);
    let others = board.marks_of(cells) - digits;
    if others.is_empty() {
        return;
    }
    let leads = |digit: usize| (board.spots_in(matrix.house, digit) - cells).len() == 1;
    let technique = if others.iter().any(leads) { direct } else { technique };
    if !search.wants(technique.score) {
        return;
    }
    let house = matrix.house;
    let mut step = Step::new(technique);
    step.removed = board.candidates(cells, others).collect();
    step.houses = vec![house];
    step.groups = vec![Group { part: Part::Body, cells, digits }];
    step.truths = digits.iter().map(|digit| Truth::Place { house, digit }).collect();
    search.offer(step);
}

fn tell_naked(step: &Step, words: &Words<'_>) -> String {
    let Some(group) = step.groups.first() else { return String::new() };
    let (cells, digits) = (words.cells(group.cells), words.digits(group.digits));
    let rest = match step.houses[..] {
        [house] => format!("the rest of {}", words.house(house)),
        _ => format!("the rest of {}", words.houses(&step.houses)),
    };
    format!("{cells} have only {digits} and take all of them, so {rest} has none of them")
}

fn tell_hidden(step: &Step, words: &Words<'_>) -> String {
    let (Some(group), Some(&house)) = (step.groups.first(), step.houses.first()) else {
        return String::new();
    };
    let (cells, digits) = (words.cells(group.cells), words.digits(group.digits));
    let house = words.house(house);
    format!(
        "In {house}, {digits} stand only in {cells} and fill them, so these cells have no other digit"
    )
}
