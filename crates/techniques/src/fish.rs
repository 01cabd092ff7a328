//! Fish: X-wing, swordfish and jellyfish; basic, finned, sashimi, franken and mutant.
//!
//! A fish of size `n` has `n` base houses and `n` cover houses. If no cell for the digit lies in
//! two bases, and every cell of the bases lies in a cover, then the bases need all covers, so other
//! cells of the covers lose the digit. In general, a cell that lies in more bases than covers is a
//! fin; a cell that lies in more covers than bases, and sees all fins, loses the digit.
//!
//! The kinds of houses decide the name. Basic: rows by columns, or columns by rows. Franken: rows
//! and boxes by columns and boxes, or with columns and rows exchanged. Mutant: any others. A basic
//! fish with fins is sashimi if some base has only one cell that is no fin.
//!
//! # Method
//! Basic fish without fins are subsets of a bit matrix. The others are found from their targets: if
//! the digit stood in the target, its peers would lose it, and the `n` bases would need cells in
//! `n - 1` covers. The targets are the candidates that no placement of the digit contains (see
//! `templates.rs`), so most digits have none. For each `n - 1` covers the bases within their union
//! are tried.
//!
//! Siamese fish (the same bases with different covers and fins) stay one step per fish: each is
//! checked alone, and fish of equal score are listed one after the other.
//!
//! A fish contains no smaller one: with fins, no part of its bases would be without cells already
//! for fewer covers.
//!
//! Bound: per target at most all triples of houses as covers, about 2,000 in classic Sudoku, and
//! [`BASES_MAX`] bases within them. A base or cover with another kind than row, column or box makes
//! the fish mutant.

use limits::Limit;

use crate::bits::{Cells, Digits};
use crate::board::{Board, Candidate};
use crate::layout::HouseKind;
use crate::search::Search;
use crate::step::{Group, Part, Step, Truth};
use crate::subsets::subsets;
use crate::technique::{Family, Technique};
use crate::words::Words;

/// X-wing and swordfish.
pub(crate) const SMALL: Family = Family { techniques: &[&BASIC[0], &BASIC[1]], find: find_small };
/// Jellyfish.
pub(crate) const JELLYFISH: Family = Family { techniques: &[&BASIC[2]], find: find_jellyfish };
/// Basic fish with fins.
pub(crate) const FINNED_BASIC: Family = Family {
    techniques: &[&FINNED[0], &SASHIMI[0], &FINNED[1], &SASHIMI[1], &FINNED[2], &SASHIMI[2]],
    find: find_finned,
};
/// Franken fish with and without fins.
pub(crate) const FRANKEN_ALL: Family = Family {
    techniques: &[
        &FRANKEN[0],
        &FRANKEN[1],
        &FRANKEN[2],
        &FINNED_FRANKEN[0],
        &FINNED_FRANKEN[1],
        &FINNED_FRANKEN[2],
    ],
    find: find_franken,
};
/// Mutant fish with and without fins.
pub(crate) const MUTANT_ALL: Family = Family {
    techniques: &[
        &MUTANT[0],
        &MUTANT[1],
        &MUTANT[2],
        &FINNED_MUTANT[0],
        &FINNED_MUTANT[1],
        &FINNED_MUTANT[2],
    ],
    find: find_mutant,
};

const fn fish(name: &'static str, score: u32, summary: &'static str) -> Technique {
    Technique { name, score, summary, is_uniqueness: false, tell }
}

static BASIC: [Technique; 3] = [
    fish(
        "X-wing",
        32,
        "In two rows a digit stands only in two columns, so the rest of these columns loses it; or \
         with rows and columns exchanged.",
    ),
    fish(
        "swordfish",
        38,
        "In three rows a digit stands only in three columns, so the rest of these columns loses it; \
         or with rows and columns exchanged.",
    ),
    fish(
        "jellyfish",
        52,
        "In four rows a digit stands only in four columns, so the rest of these columns loses it; or \
         with rows and columns exchanged.",
    ),
];

static FINNED: [Technique; 3] = [
    fish(
        "finned X-wing",
        65,
        "An X-wing but for some further cells, its fins. Cells that see all fins lose the digit.",
    ),
    fish(
        "finned swordfish",
        68,
        "A swordfish but for some further cells, its fins. Cells that see all fins lose the digit.",
    ),
    fish(
        "finned jellyfish",
        73,
        "A jellyfish but for some further cells, its fins. Cells that see all fins lose the digit.",
    ),
];

static SASHIMI: [Technique; 3] = [
    fish(
        "sashimi X-wing",
        65,
        "A finned X-wing in which a line has only one cell for the digit besides its fins.",
    ),
    fish(
        "sashimi swordfish",
        68,
        "A finned swordfish in which a line has only one cell for the digit besides its fins.",
    ),
    fish(
        "sashimi jellyfish",
        73,
        "A finned jellyfish in which a line has only one cell for the digit besides its fins.",
    ),
];

static FRANKEN: [Technique; 3] = [
    fish("franken X-wing", 74, "An X-wing in which boxes take the place of some lines."),
    fish("franken swordfish", 76, "A swordfish in which boxes take the place of some lines."),
    fish("franken jellyfish", 78, "A jellyfish in which boxes take the place of some lines."),
];

static FINNED_FRANKEN: [Technique; 3] = [
    fish("finned franken X-wing", 78, "A franken X-wing with fins."),
    fish("finned franken swordfish", 80, "A franken swordfish with fins."),
    fish("finned franken jellyfish", 82, "A franken jellyfish with fins."),
];

static MUTANT: [Technique; 3] = [
    fish(
        "mutant X-wing",
        80,
        "An X-wing with any houses as bases and covers. Without fins it needs further houses, \
              such as diagonals.",
    ),
    fish("mutant swordfish", 82, "A swordfish with any houses as bases and covers."),
    fish("mutant jellyfish", 84, "A jellyfish with any houses as bases and covers."),
];

static FINNED_MUTANT: [Technique; 3] = [
    fish("finned mutant X-wing", 84, "A mutant X-wing with fins."),
    fish("finned mutant swordfish", 86, "A mutant swordfish with fins."),
    fish("finned mutant jellyfish", 88, "A mutant jellyfish with fins."),
];

/// Least and largest size of a fish.
const SIZES: std::ops::RangeInclusive<usize> = 2..=4;
/// Largest size of a fish.
const SIZE_MAX: usize = *SIZES.end();
/// Most bases within one set of covers that a search tries. Three covers contain the cells of more
/// bases only in positions with smaller fish or without a solution.
const BASES_MAX: usize = 16;
/// Work per search of basic fish of one size, in ns: 18 matrices with at most 126 sets of rows.
const BASIC_WORK: u64 = 2_000;
/// Work per set of all covers but the last, in ns: about 20 bases with two or three houses each.
const COVERS_WORK: u64 = 150;

/// How far the houses of a fish are from rows and columns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FishShape {
    Basic,
    Franken,
    Mutant,
}

/// The kinds of houses that may be bases, and those that may be covers.
type FishKinds = (&'static [HouseKind], &'static [HouseKind]);

impl FishShape {
    /// Returns the kinds of houses of each search for this shape.
    fn kinds(self) -> &'static [FishKinds] {
        use HouseKind::{Box, Column, Other, Row};
        match self {
            Self::Basic => &[(&[Row], &[Column]), (&[Column], &[Row])],
            Self::Franken => &[(&[Row, Box], &[Column, Box]), (&[Column, Box], &[Row, Box])],
            Self::Mutant => &[(&[Row, Column, Box, Other], &[Row, Column, Box, Other])],
        }
    }

    /// Returns the shape of a fish.
    fn of(board: &Board, bases: &[usize], covers: &[usize]) -> Self {
        let fits = |houses: &[usize], kinds: &[HouseKind]| {
            houses.iter().all(|&house| kinds.contains(&board.houses()[house].kind))
        };
        let is = |shape: Self| {
            shape.kinds().iter().any(|&(base, cover)| fits(bases, base) && fits(covers, cover))
        };
        if is(Self::Basic) {
            Self::Basic
        } else if is(Self::Franken) {
            Self::Franken
        } else {
            Self::Mutant
        }
    }
}

fn find_small(search: &mut Search<'_>) -> Result<(), Limit> {
    find_basic(search, 2)?;
    find_basic(search, 3)
}

fn find_jellyfish(search: &mut Search<'_>) -> Result<(), Limit> {
    find_basic(search, 4)
}

/// Offers the basic fish without fins of a size.
fn find_basic(search: &mut Search<'_>, size: usize) -> Result<(), Limit> {
    let board = search.board();
    let side = board.layout().size();
    let technique = &BASIC[size - 2];
    if !search.wants(technique.score) {
        return Ok(());
    }
    search.spend(BASIC_WORK)?;
    let Some(lines) = lines(board) else { return Ok(()) };
    for digit in board.layout().digits().iter() {
        let spots = board.spots(digit);
        if spots.len() <= size {
            continue;
        }
        let mut matrices = [[0_u16; crate::layout::Layout::SIZE_MAX]; 2];
        for cell in spots.iter() {
            let (row, column) = (cell / side, cell % side);
            matrices[0][row] |= 1 << column;
            matrices[1][column] |= 1 << row;
        }
        for (turn, matrix) in matrices.iter().enumerate() {
            subsets(&matrix[..side], size, &mut |rows, columns| {
                let houses = |lines: &[usize], mask: u16| -> Vec<usize> {
                    (0..side).filter(|n| mask >> n & 1 == 1).map(|n| lines[n]).collect()
                };
                let (bases, covers) = (houses(&lines[turn], rows), houses(&lines[1 - turn], columns));
                Fish::new(board, digit, &bases, &covers).offer(search, FishShape::Basic);
            });
        }
    }
    Ok(())
}

/// Returns the rows and the columns as houses by their numbers, unless some line is no house.
fn lines(board: &Board) -> Option<[Vec<usize>; 2]> {
    let side = board.layout().size();
    let house = |cells: Cells, kind: HouseKind| {
        board.houses().iter().position(|house| house.kind == kind && house.cells == cells)
    };
    let row = |n: usize| house((0..side).map(|k| n * side + k).collect(), HouseKind::Row);
    let column = |n: usize| house((0..side).map(|k| k * side + n).collect(), HouseKind::Column);
    Some([(0..side).map(row).collect::<Option<_>>()?, (0..side).map(column).collect::<Option<_>>()?])
}

fn find_finned(search: &mut Search<'_>) -> Result<(), Limit> {
    find_shape(search, FishShape::Basic, &[&FINNED])
}

fn find_franken(search: &mut Search<'_>) -> Result<(), Limit> {
    find_shape(search, FishShape::Franken, &[&FRANKEN, &FINNED_FRANKEN])
}

fn find_mutant(search: &mut Search<'_>) -> Result<(), Limit> {
    find_shape(search, FishShape::Mutant, &[&MUTANT, &FINNED_MUTANT])
}

/// Offers all fish of a shape from their targets. `techniques` are those of the shape by size,
/// easiest first.
fn find_shape(
    search: &mut Search<'_>,
    shape: FishShape,
    techniques: &[&'static [Technique; 3]],
) -> Result<(), Limit> {
    for size in SIZES {
        for digit in search.board().layout().digits().iter() {
            for target in search.refuted(digit)?.iter() {
                for &kinds in shape.kinds() {
                    if techniques.iter().any(|by_size| search.wants(by_size[size - 2].score)) {
                        let mut hunt = Hunt::new(search, shape, kinds, digit, target, size);
                        hunt.run()?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A house that may be a base or a cover, and its cells that do not see the target.
#[derive(Clone, Copy)]
struct FishNet {
    house: usize,
    cells: Cells,
}

/// The search for the fish of one size and shape with one target.
struct Hunt<'h, 's> {
    search: &'h mut Search<'s>,
    shape: FishShape,
    digit: usize,
    target: usize,
    size: usize,
    bases: Vec<FishNet>,
    covers: Vec<FishNet>,
    /// For each house of the layout, the number of bases that lack only cells of this house.
    counts: Vec<usize>,
    /// The houses of the target that may be the last cover.
    last: Vec<usize>,
}

impl<'h, 's> Hunt<'h, 's> {
    fn new(
        search: &'h mut Search<'s>,
        shape: FishShape,
        (base_kinds, cover_kinds): FishKinds,
        digit: usize,
        target: usize,
        size: usize,
    ) -> Self {
        let board = search.board();
        let left = board.spots(digit) - board.layout().peers(target) - Cells::one(target);
        let nets = |kinds: &[HouseKind]| -> Vec<FishNet> {
            let houses = board.houses().iter().enumerate();
            houses
                .filter(|(_, house)| kinds.contains(&house.kind) && house.cells.meets(left))
                .map(|(house, of)| FishNet { house, cells: of.cells & left })
                .collect()
        };
        let (bases, covers) = (nets(base_kinds), nets(cover_kinds));
        let of_target = board.layout().houses_of(target).iter().copied();
        let last =
            of_target.filter(|&house| cover_kinds.contains(&board.houses()[house].kind)).collect();
        let counts = vec![0; board.houses().len()];
        Self { search, shape, digit, target, size, bases, covers, counts, last }
    }

    /// Tries each set of `size - 1` covers with enough bases within.
    fn run(&mut self) -> Result<(), Limit> {
        let count = self.size - 1;
        // The covers chosen so far, by their indices, but for the last one.
        let mut chosen = [0; SIZE_MAX - 1];
        let (mut depth, mut next) = (0, 0);
        loop {
            if depth + 1 == count {
                self.try_last_covers(&mut chosen, next, count)?;
            }
            if depth + 1 == count || next + count - depth > self.covers.len() {
                if depth == 0 {
                    return Ok(());
                }
                depth -= 1;
                next = chosen[depth] + 1;
            } else {
                chosen[depth] = next;
                next += 1;
                depth += 1;
            }
        }
    }

    /// Tries each last cover from `first` on that leaves enough bases within all `count` covers.
    fn try_last_covers(
        &mut self,
        chosen: &mut [usize; SIZE_MAX - 1],
        first: usize,
        count: usize,
    ) -> Result<(), Limit> {
        self.search.spend(COVERS_WORK)?;
        let layout = self.search.board().layout();
        let union = chosen[..count - 1].iter().fold(Cells::NONE, |all, &n| all | self.covers[n].cells);
        let mut within = 0;
        self.counts.fill(0);
        for base in &self.bases {
            let rest = base.cells - union;
            let Some(cell) = rest.least() else {
                within += 1;
                continue;
            };
            for &house in layout.houses_of(cell) {
                if rest.is_within(self.search.board().houses()[house].cells) {
                    self.counts[house] += 1;
                }
            }
        }
        for last in first..self.covers.len() {
            if within + self.counts[self.covers[last].house] >= self.size {
                chosen[count - 1] = last;
                self.try_covers(&chosen[..count]);
            }
        }
        Ok(())
    }

    /// Offers the fish with these covers, and with one more that contains the target.
    fn try_covers(&mut self, covers: &[usize]) {
        let (mut once, mut twice) = (Cells::NONE, Cells::NONE);
        for &cover in covers {
            twice |= once & self.covers[cover].cells;
            once |= self.covers[cover].cells;
        }
        let is_cover = |house: usize| covers.iter().any(|&cover| self.covers[cover].house == house);
        let mut within = [0; BASES_MAX];
        let mut count = 0;
        for (number, base) in self.bases.iter().enumerate() {
            if base.cells.is_within(once) && !is_cover(base.house) {
                if count == BASES_MAX {
                    return;
                }
                within[count] = number;
                count += 1;
            }
        }
        if count < self.size {
            return;
        }
        // Each set of `size` bases as a bit mask, ascending (Gosper's hack).
        let mut set = (1_u32 << self.size) - 1;
        while set < 1 << count {
            let (mut bases, mut rest) = ([0; SIZE_MAX], set);
            for place in &mut bases[..self.size] {
                *place = within[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            self.try_bases(&bases[..self.size], covers, twice);
            let lowest = set & set.wrapping_neg();
            let carried = set + lowest;
            set = carried | (((set ^ carried) >> 2) / lowest);
        }
    }

    fn try_bases(&mut self, bases: &[usize], covers: &[usize], twice_covered: Cells) {
        let (mut once, mut twice) = (Cells::NONE, Cells::NONE);
        for &base in bases {
            let cells = self.bases[base].cells;
            // A cell in three bases, or in two bases and one cover, would be a fin that the target
            // does not see.
            if cells.meets(twice) || !(cells & once).is_within(twice_covered) {
                return;
            }
            twice |= cells & once;
            once |= cells;
        }
        let board = self.search.board();
        let mut base_houses = [0; SIZE_MAX];
        let mut cover_houses = [0; SIZE_MAX];
        bases.iter().zip(&mut base_houses).for_each(|(&n, house)| *house = self.bases[n].house);
        for last in 0..self.last.len() {
            covers.iter().zip(&mut cover_houses).for_each(|(&n, house)| *house = self.covers[n].house);
            cover_houses[covers.len()] = self.last[last];
            cover_houses[..self.size].sort_unstable();
            let (base_houses, cover_houses) = (&base_houses[..self.size], &cover_houses[..self.size]);
            if FishShape::of(board, base_houses, cover_houses) != self.shape {
                continue;
            }
            let fish = Fish::new(board, self.digit, base_houses, cover_houses);
            debug_assert!(fish.removed.has(self.target), "the target is refuted");
            // Only fish without fins may contain a smaller one for this target.
            let technique = fish.technique(board, self.shape);
            let wants = |technique: &Technique| self.search.wants(technique.score);
            if technique.is_some_and(wants) && (fish.fins.is_empty() || self.is_minimal(bases, covers))
            {
                fish.offer(self.search, self.shape);
            }
        }
    }

    /// Returns whether no part of the bases has its cells within fewer of these covers.
    fn is_minimal(&self, bases: &[usize], covers: &[usize]) -> bool {
        let union = |nets: &[FishNet], chosen: &[usize], part: usize| {
            let chosen = chosen.iter().enumerate().filter(|(n, _)| part >> n & 1 == 1);
            chosen.fold(Cells::NONE, |all, (_, &number)| all | nets[number].cells)
        };
        (1..(1_usize << bases.len()) - 1).all(|part| {
            let cells = union(&self.bases, bases, part);
            (0..1_usize << covers.len())
                .filter(|some| some.count_ones() + 1 == part.count_ones())
                .all(|some| !cells.is_within(union(&self.covers, covers, some)))
        })
    }
}

/// A fish, with its cells by their part.
struct Fish<'f> {
    digit: usize,
    bases: &'f [usize],
    covers: &'f [usize],
    body: Cells,
    fins: Cells,
    removed: Cells,
}

impl<'f> Fish<'f> {
    fn new(board: &Board, digit: usize, bases: &'f [usize], covers: &'f [usize]) -> Self {
        let spots = board.spots(digit);
        // For each count, the cells that lie in more houses than this.
        let above = |houses: &[usize]| {
            let mut above = [Cells::NONE; SIZE_MAX];
            for &house in houses {
                let cells = board.houses()[house].cells & spots;
                for count in (1..SIZE_MAX).rev() {
                    above[count] |= above[count - 1] & cells;
                }
                above[0] |= cells;
            }
            above
        };
        let (based, covered) = (above(bases), above(covers));
        let more = |a: [Cells; SIZE_MAX], b: [Cells; SIZE_MAX]| {
            a.into_iter().zip(b).fold(Cells::NONE, |all, (a, b)| all | (a - b))
        };
        let fins = more(based, covered);
        let removed = more(covered, based) & board.layout().common_peers(fins);
        Self { digit, bases, covers, body: based[0] - fins, fins, removed }
    }

    /// Returns the technique of a fish of this shape; none if it eliminates nothing, or if a house
    /// has no cell of its body.
    fn technique(&self, board: &Board, shape: FishShape) -> Option<&'static Technique> {
        let in_body = |house: usize| board.houses()[house].cells & self.body;
        let is_used = |houses: &[usize]| houses.iter().all(|&house| !in_body(house).is_empty());
        if self.removed.is_empty() || !is_used(self.bases) || !is_used(self.covers) {
            return None;
        }
        let by_size = match (shape, self.fins.is_empty()) {
            (FishShape::Basic, true) => &BASIC,
            (FishShape::Basic, false) if self.bases.iter().any(|&base| in_body(base).len() == 1) => {
                &SASHIMI
            }
            (FishShape::Basic, false) => &FINNED,
            (FishShape::Franken, true) => &FRANKEN,
            (FishShape::Franken, false) => &FINNED_FRANKEN,
            (FishShape::Mutant, true) => &MUTANT,
            (FishShape::Mutant, false) => &FINNED_MUTANT,
        };
        Some(&by_size[self.bases.len() - 2])
    }

    /// Offers the fish, which has this shape.
    fn offer(&self, search: &mut Search<'_>, shape: FishShape) {
        let board = search.board();
        let Some(technique) = self.technique(board, shape) else { return };
        if !search.wants(technique.score) || (self.fins.is_empty() && !self.is_irreducible(board)) {
            return;
        }
        let (digit, digits) = (self.digit, Digits::one(self.digit));
        let mut step = Step::new(technique);
        step.removed = self.removed.iter().map(|cell| Candidate { cell, digit }).collect();
        step.houses = self.bases.to_vec();
        step.covers = self.covers.to_vec();
        step.groups = vec![Group { part: Part::Body, cells: self.body, digits }];
        if !self.fins.is_empty() {
            step.groups.push(Group { part: Part::Fin, cells: self.fins, digits });
        }
        step.truths = self.bases.iter().map(|&house| Truth::Place { house, digit }).collect();
        search.offer(step);
    }

    /// Returns whether no part of the bases has all cells within as many of the covers.
    fn is_irreducible(&self, board: &Board) -> bool {
        let spots = board.spots(self.digit);
        let union = |houses: &[usize], part: usize| {
            let houses = houses.iter().enumerate().filter(|(n, _)| part >> n & 1 == 1);
            houses.fold(Cells::NONE, |all, (_, &house)| all | board.houses()[house].cells & spots)
        };
        let all = 1_usize << self.bases.len();
        (1..all - 1).all(|part| {
            let cells = union(self.bases, part);
            (1..all - 1)
                .filter(|some: &usize| some.count_ones() == part.count_ones())
                .all(|some| !cells.is_within(union(self.covers, some)))
        })
    }
}

fn tell(step: &Step, words: &Words<'_>) -> String {
    let digit = words.digits(step.digits(Part::Body));
    let (bases, covers) = (words.houses(&step.houses), words.houses(&step.covers));
    let fins = step.cells(Part::Fin);
    let cells = |house: &usize| words.layout().houses()[*house].cells;
    let removed: Cells = step.removed.iter().map(|removed| removed.cell).collect();
    let in_bases: Cells =
        removed & step.houses.iter().fold(Cells::NONE, |all, house| all | cells(house));
    let mut told = if fins.is_empty() {
        format!("In {bases}, {digit} stands only in {covers}, so {covers} have no other {digit}")
    } else {
        let (fin, all) = if fins.len() == 1 { ("fin", "it") } else { ("fins", "all fins") };
        let fins = words.cells(fins);
        format!(
            "In {bases}, {digit} stands only in {covers} and in the {fin} {fins}. Without a fin {covers} \
             have no other {digit}, so cells that see {all} have none"
        )
    };
    if !in_bases.is_empty() {
        let cells = words.cells(in_bases);
        told.push_str(&format!("; {digit} in {cells} would take two of them"));
    }
    told
}
