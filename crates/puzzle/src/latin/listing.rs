//! One Latin square of each main class, each class under isotopy, or under isomorphism.
//!
//! # The method
//! Rectangles of 1, 2, 3 ... rows are extended row by row, each class once, without a list of what was seen before (*canonical
//! augmentation*, B. McKay, Isomorph-free exhaustive generation, Journal of Algorithms 26, 1998). Of a rectangle all rows that may
//! stand below are tried. A row is kept if it is the last one in the canonical form of the rectangle that it makes, up to the
//! symmetries of that; then each class of rectangles comes from one class of shorter ones, and only the children of one parent
//! need be compared with each other.
//!
//! The canonical form of a rectangle, up to exchanges of rows, columns and symbols: two of its rows are taken as the first ones, numbered such
//! that the first is 1 2 3 ... and the second consists of cycles beside each other, the shorter ones first; the other rows follow in the order
//! of their first symbols. Of all these ways the least text is taken. Only pairs of rows whose cycles can be numbered in the fewest
//! ways are looked at: 42 times 7 ways at most for seven rows that make one cycle of 7 with each other.
//!
//! A square stands for its main class if no conjugate has a lesser canonical form. Classes under isomorphism are parts of those under
//! isotopy: of the squares that exchanges of the rows and of the columns make of one, a square is taken that comes first of all that
//! its symmetries make of it.
//!
//! Measured (whole program, processor time, Xeon): main classes of order 6 in a few milliseconds, of order 7 in 0.2 s; all 1,130,531 of
//! order 6 under isomorphism in 2.2 s. Of order 8 they come one by one, but all take days.
//!
//! # Bounds
//! For each number of rows the children of one rectangle are kept, at most as many as there are permutations without a fixed number
//! (133,496 of order 9, with 81 bytes each), and the symmetries of one square (10,752 of order 8).

use dlx::Limit;
use dlx::limits::Pace;

use super::LatinSort;
use super::classes::ORDER_MAX;

/// A row of symbols; those behind the order are 0.
type SquareRow = [u8; ORDER_MAX];

/// What a pair of rows, a symbol or a canonical form costs, in nanoseconds.
const STEP_WORK: u64 = 20;

/// Lists squares, one of each class.
#[derive(Clone, Debug)]
pub struct LatinListing {
    order: usize,
    wanted: LatinSort,
    /// Rectangles of one row, two rows and so on, whose extensions are still to come; the last ones come first.
    open: Vec<Vec<Vec<SquareRow>>>,
    /// What is left of a class under isotopy.
    isotopes: Option<Isotopes>,
}

/// A numbering that makes the canonical form of a rectangle.
#[derive(Clone, Copy, Debug)]
struct Numbering {
    /// The row of the form that each row becomes.
    rows: SquareRow,
    columns: SquareRow,
    symbols: SquareRow,
}

/// The canonical form of a rectangle.
#[derive(Clone, Debug, Default)]
struct CanonicalForm {
    rows: Vec<SquareRow>,
    /// All numberings that make it, if they were asked for.
    numberings: Vec<Numbering>,
    /// The rows, a bit each, that a numbering makes the last one of those that are most of all unlike others.
    last: u32,
}

impl LatinListing {
    /// Begins a list of squares of an order.
    pub(in super::super) fn new(order: usize, wanted: LatinSort) -> Option<Self> {
        let first = identity(order);
        let is_possible = (1..=ORDER_MAX).contains(&order);
        is_possible.then(|| Self { order, wanted, open: vec![vec![vec![first]]], isotopes: None })
    }

    /// Returns the symbols of the next square from 0, row by row; `None` if there is no other one.
    ///
    /// ```
    /// use dlx::{Limits, limits::Pace};
    /// use farandole::{puzzle::{LatinSort, by_name}, stream::StreamHints};
    ///
    /// let hints = StreamHints { kind: by_name("latin"), ..StreamHints::default() };
    /// let latin = hints.make("4").expect("an order")?;
    /// let mut squares = latin.latin_squares(LatinSort::MainClass).expect("it is empty");
    /// let (limits, mut count) = (Limits::new(), 0);
    /// while squares.next(&mut Pace::new(&limits)).expect("nothing is limited").is_some() {
    ///     count += 1;
    /// }
    /// assert_eq!(count, 2);
    /// # Ok::<(), text::InputError>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached; the list cannot be gone on with then.
    pub fn next(&mut self, pace: &mut Pace<'_>) -> Result<Option<Vec<usize>>, Limit> {
        loop {
            if let Some(isotopes) = &mut self.isotopes {
                if let Some(square) = isotopes.next(pace)? {
                    return Ok(Some(square));
                }
                self.isotopes = None;
            }
            let Some(rows) = self.next_isotopy_class(pace)? else { return Ok(None) };
            match self.wanted {
                LatinSort::Isotopy => return Ok(Some(self.symbols(&rows))),
                LatinSort::MainClass if self.is_first_conjugate(&rows, pace)? => {
                    return Ok(Some(self.symbols(&rows)));
                }
                LatinSort::MainClass => {}
                LatinSort::Isomorphism => self.isotopes = Some(Isotopes::new(self.order, rows, pace)?),
            }
        }
    }

    fn symbols(&self, rows: &[SquareRow]) -> Vec<usize> {
        rows.iter()
            .flat_map(|row| row[..self.order].iter().map(|&symbol| usize::from(symbol)))
            .collect()
    }

    /// Returns the next square that stands for a class under isotopy.
    fn next_isotopy_class(&mut self, pace: &mut Pace<'_>) -> Result<Option<Vec<SquareRow>>, Limit> {
        while let Some(last) = self.open.last_mut() {
            match last.pop() {
                None => drop(self.open.pop()),
                Some(rows) if rows.len() == self.order => return Ok(Some(rows)),
                Some(rows) => {
                    let mut children = self.children(&rows, pace)?;
                    children.reverse();
                    self.open.push(children);
                }
            }
        }
        Ok(None)
    }

    /// Returns the rectangles with one more row, ascending, of which this one is the parent.
    fn children(&self, rows: &[SquareRow], pace: &mut Pace<'_>) -> Result<Vec<Vec<SquareRow>>, Limit> {
        let order = self.order;
        // The symbols that each column still lacks.
        let all = (1_u32 << order) - 1;
        let lacks: Vec<u32> = (0..order)
            .map(|column| rows.iter().fold(all, |lacks, row| lacks & !(1 << row[column])))
            .collect();
        let mut longer = rows.to_vec();
        longer.push([0; ORDER_MAX]);
        let mut children = Vec::new();
        let (mut taken, mut column) = (0_u32, 0);
        let mut left = lacks.clone();
        loop {
            let choices = left[column] & !taken;
            if choices == 0 {
                // The column before it takes its next symbol.
                if column == 0 {
                    break;
                }
                column -= 1;
                taken &= !(1 << longer[rows.len()][column]);
                continue;
            }
            let symbol = choices.trailing_zeros();
            left[column] &= !(1 << symbol) & !((1 << symbol) - 1);
            longer[rows.len()][column] = symbol as u8;
            if column + 1 < order {
                taken |= 1 << symbol;
                column += 1;
                left[column] = lacks[column];
                continue;
            }
            pace.spend(STEP_WORK * (longer.len() * order) as u64)?;
            let kinship = Kinship::of(order, &longer);
            if kinship.is_last(rows.len()) {
                let form = kinship.canonical(&longer, false, pace)?;
                if form.last >> rows.len() & 1 == 1 {
                    children.push(form.rows);
                }
            }
        }
        children.sort_unstable();
        children.dedup();
        Ok(children)
    }

    /// Tells whether no conjugate of a square in canonical form has a lesser one.
    fn is_first_conjugate(&self, rows: &[SquareRow], pace: &mut Pace<'_>) -> Result<bool, Limit> {
        for parts in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut conjugate = vec![[0; ORDER_MAX]; self.order];
            for (row, symbols) in rows.iter().enumerate() {
                for (column, &symbol) in symbols[..self.order].iter().enumerate() {
                    let triple = [row, column, usize::from(symbol)];
                    conjugate[triple[parts[0]]][triple[parts[1]]] = triple[parts[2]] as u8;
                }
            }
            if Kinship::of(self.order, &conjugate).canonical(&conjugate, false, pace)?.rows[..] < *rows
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn identity(order: usize) -> SquareRow {
    let mut row = [0; ORDER_MAX];
    (0..order.min(ORDER_MAX)).for_each(|at| row[at] = at as u8);
    row
}

fn inverse(order: usize, map: &SquareRow) -> SquareRow {
    let mut inverse = [0; ORDER_MAX];
    (0..order).for_each(|at| inverse[usize::from(map[at])] = at as u8);
    inverse
}

/// How the rows of a rectangle lie to each other: the lengths of the cycles of each pair, which no exchange of rows, columns or symbols
/// changes.
struct Kinship {
    order: usize,
    /// By the two rows: in how many ways cycles of these lengths can be numbered, and a number for their lengths.
    cycles: Vec<Vec<(u32, u32)>>,
    /// A number for each row, by the cycles with all others.
    rows: Vec<u64>,
}

impl Kinship {
    fn of(order: usize, rows: &[SquareRow]) -> Self {
        let mut cycles = vec![vec![(u32::MAX, 0); rows.len()]; rows.len()];
        for one in 0..rows.len() {
            for other in 0..one {
                let lengths = cycle_lengths(order, &rows[one], &rows[other]);
                (cycles[one][other], cycles[other][one]) = (lengths, lengths);
            }
        }
        let number = |(row, all): (usize, &Vec<(u32, u32)>)| {
            let others = all.iter().enumerate().filter(|(other, _)| *other != row);
            others.fold(0_u64, |sum, (_, &(_, lengths))| sum.wrapping_add(mixed(u64::from(lengths))))
        };
        let rows = cycles.iter().enumerate().map(number).collect();
        Self { order, cycles, rows }
    }

    /// Tells whether the number of a row is the greatest one.
    fn is_last(&self, row: usize) -> bool {
        self.rows.iter().all(|&other| other <= self.rows[row])
    }

    /// Returns the canonical form of the rectangle.
    fn canonical(
        &self,
        rows: &[SquareRow],
        wants_numberings: bool,
        pace: &mut Pace<'_>,
    ) -> Result<CanonicalForm, Limit> {
        let order = self.order;
        let mut form = CanonicalForm::default();
        let Some(&best) = self.cycles.iter().flatten().min().filter(|_| rows.len() > 1) else {
            // A single row: every order of the columns numbers its symbols. Only a square of one cell asks for numberings.
            let same = identity(order);
            let numberings = vec![Numbering { rows: same, columns: same, symbols: same }];
            return Ok(CanonicalForm { rows: vec![same], numberings, last: 1 });
        };
        let greatest = self.rows.iter().copied().max().unwrap_or(0);
        for first in 0..rows.len() {
            // What each row makes of the symbols of the first one.
            let mut maps = vec![[0_u8; ORDER_MAX]; rows.len()];
            for (row, map) in rows.iter().zip(&mut maps) {
                for column in 0..order {
                    map[usize::from(rows[first][column])] = row[column];
                }
            }
            for second in (0..rows.len()).filter(|&second| self.cycles[first][second] == best) {
                for old in CycleNumberings::new(order, &maps[second]) {
                    pace.spend(STEP_WORK * 2)?;
                    let new = inverse(order, &old);
                    // The row whose first symbol is each; a rectangle lacks some.
                    let mut at = [u8::MAX; ORDER_MAX];
                    for (row, map) in maps.iter().enumerate() {
                        at[usize::from(new[usize::from(map[usize::from(old[0])])])] = row as u8;
                    }
                    let places = at[..order].iter().filter(|&&row| row != u8::MAX);
                    let mut is_better = form.rows.is_empty();
                    let mut is_worse = false;
                    let mut made = [[0_u8; ORDER_MAX]; ORDER_MAX];
                    for (place, &row) in places.clone().enumerate() {
                        let map = &maps[usize::from(row)];
                        for column in 0..order {
                            made[place][column] = new[usize::from(map[usize::from(old[column])])];
                        }
                        if !is_better {
                            let known = &form.rows[place];
                            is_worse = made[place] > *known;
                            is_better = made[place] < *known;
                            if is_worse {
                                break;
                            }
                        }
                    }
                    if is_worse {
                        continue;
                    }
                    if is_better {
                        form.rows = made[..rows.len()].to_vec();
                        (form.last, form.numberings) = (0, Vec::new());
                    }
                    let is_greatest = |row: &&u8| self.rows[usize::from(**row)] == greatest;
                    form.last |= places.clone().rfind(is_greatest).map_or(0, |&row| 1 << row);
                    if wants_numberings {
                        let mut numbering =
                            Numbering { rows: [0; ORDER_MAX], columns: [0; ORDER_MAX], symbols: new };
                        for (place, &row) in places.enumerate() {
                            numbering.rows[usize::from(row)] = place as u8;
                        }
                        for column in 0..order {
                            numbering.columns[column] = new[usize::from(rows[first][column])];
                        }
                        form.numberings.push(numbering);
                    }
                }
            }
        }
        Ok(form)
    }
}

/// Returns in how many ways the cycles from one row to another can be numbered, and a number for their lengths.
fn cycle_lengths(order: usize, one: &SquareRow, other: &SquareRow) -> (u32, u32) {
    let mut map = [0_u8; ORDER_MAX];
    (0..order).for_each(|column| map[usize::from(one[column])] = other[column]);
    let (mut seen, mut counts) = (0_u32, [0_u32; ORDER_MAX + 1]);
    for start in 0..order {
        let (mut at, mut length) = (start, 0);
        while seen >> at & 1 == 0 {
            seen |= 1 << at;
            at = usize::from(map[at]);
            length += 1;
        }
        counts[length] += u32::from(length > 0);
    }
    let (mut ways, mut number) = (1, 0);
    for (length, &count) in counts.iter().enumerate().skip(1) {
        ways *= (1..=count).product::<u32>() * (length as u32).pow(count);
        number = 10 * number + count;
    }
    (ways, number)
}

/// Mixes the bits of a number.
fn mixed(number: u64) -> u64 {
    let mixed = (number ^ 0x9e37_79b9).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 29).wrapping_mul(0x94d0_49bb_1331_11eb)
}

/// All ways to number the cycles of a permutation, so that it is the same one each time: the shorter cycles first, those of one length in any
/// order, each from any of its numbers on.
struct CycleNumberings {
    /// The numbers of each cycle as they follow each other, the shortest cycle first.
    cycles: Vec<Vec<u8>>,
    /// Where each cycle begins.
    starts: Vec<usize>,
    is_over: bool,
}

impl CycleNumberings {
    fn new(order: usize, map: &SquareRow) -> Self {
        let (mut seen, mut cycles) = (0_u32, Vec::new());
        for start in 0..order {
            let (mut at, mut cycle) = (start, Vec::new());
            while seen >> at & 1 == 0 {
                seen |= 1 << at;
                cycle.push(at as u8);
                at = usize::from(map[at]);
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        cycles.sort_by_key(|cycle| (cycle.len(), cycle[0]));
        let starts = vec![0; cycles.len()];
        Self { cycles, starts, is_over: false }
    }

    /// Goes on to the next starts, and behind the last of them to the next order of the cycles.
    fn advance(&mut self) {
        for (cycle, start) in self.cycles.iter().zip(&mut self.starts) {
            *start = (*start + 1) % cycle.len();
            if *start > 0 {
                return;
            }
        }
        // The next order of each run of cycles of one length; the first numbers of cycles tell them apart.
        let mut begin = 0;
        while begin < self.cycles.len() {
            let length = self.cycles[begin].len();
            let count = self.cycles[begin..].iter().take_while(|cycle| cycle.len() == length).count();
            if next_order(&mut self.cycles[begin..begin + count]) {
                return;
            }
            begin += count;
        }
        self.is_over = true;
    }
}

impl Iterator for CycleNumberings {
    /// The old number of each new one.
    type Item = SquareRow;

    fn next(&mut self) -> Option<SquareRow> {
        if self.is_over {
            return None;
        }
        let (mut old, mut at) = ([0; ORDER_MAX], 0);
        for (cycle, &start) in self.cycles.iter().zip(&self.starts) {
            for step in 0..cycle.len() {
                old[at] = cycle[(start + step) % cycle.len()];
                at += 1;
            }
        }
        self.advance();
        Some(old)
    }
}

/// Puts things into the next order; behind the last one comes the first, and it says `false`.
fn next_order<T: Ord>(things: &mut [T]) -> bool {
    let Some(turn) = (1..things.len()).rev().find(|&at| things[at - 1] < things[at]) else {
        things.reverse();
        return false;
    };
    let other = (turn..things.len()).rev().find(|&at| things[turn - 1] < things[at]).unwrap_or(turn);
    things.swap(turn - 1, other);
    things[turn..].reverse();
    true
}

/// The squares that exchanges of rows and of columns make of one, one of each class under isomorphism.
///
/// Exchanges a of the rows and b of the columns make the same class as those that a symmetry of the square makes of them: with rows r,
/// columns c and symbols s they are a r / s and b c / s.
#[derive(Clone, Debug)]
struct Isotopes {
    order: usize,
    square: Vec<SquareRow>,
    symmetries: Vec<Numbering>,
    /// Exchanges of the rows, and the symmetries that leave them as they are; none yet before the first.
    rows: Option<(SquareRow, Vec<Numbering>)>,
    columns: SquareRow,
    is_begun: bool,
}

impl Isotopes {
    fn new(order: usize, square: Vec<SquareRow>, pace: &mut Pace<'_>) -> Result<Self, Limit> {
        let form = Kinship::of(order, &square).canonical(&square, true, pace)?;
        debug_assert_eq!(form.rows, square, "the form of a form is the same");
        // Symbols are only mapped back.
        let back = |it: Numbering| Numbering { symbols: inverse(order, &it.symbols), ..it };
        let symmetries = form.numberings.into_iter().map(back).collect();
        let columns = identity(order);
        Ok(Self { order, square, symmetries, rows: None, columns, is_begun: false })
    }

    fn next(&mut self, pace: &mut Pace<'_>) -> Result<Option<Vec<usize>>, Limit> {
        loop {
            let is_same_rows = self.rows.is_some() && next_order(&mut self.columns[..self.order]);
            if !is_same_rows && !self.next_rows(pace)? {
                return Ok(None);
            }
            let Some((rows, keepers)) = &self.rows else { return Ok(None) };
            pace.spend(STEP_WORK * (1 + keepers.len() as u64))?;
            let is_first = keepers
                .iter()
                .all(|keeper| !is_greater(self.order, &self.columns, &keeper.columns, &keeper.symbols));
            if is_first {
                let mut symbols = vec![0; self.order * self.order];
                for (line, &row) in self.square.iter().zip(rows) {
                    for (&symbol, &column) in line.iter().zip(&self.columns[..self.order]) {
                        symbols[usize::from(row) * self.order + usize::from(column)] = symbol.into();
                    }
                }
                return Ok(Some(symbols));
            }
        }
    }

    /// Goes on to the next exchange of the rows that comes first of all that symmetries make of it; says `false` if there is none.
    fn next_rows(&mut self, pace: &mut Pace<'_>) -> Result<bool, Limit> {
        let mut rows = self.rows.take().map_or(identity(self.order), |(rows, _)| rows);
        loop {
            if self.is_begun && !next_order(&mut rows[..self.order]) {
                return Ok(false);
            }
            self.is_begun = true;
            pace.spend(STEP_WORK * self.symmetries.len() as u64)?;
            let is_first =
                self.symmetries.iter().all(|it| !is_greater(self.order, &rows, &it.rows, &it.symbols));
            if is_first {
                let keeps = |it: &&Numbering| image(self.order, &rows, &it.rows, &it.symbols) == rows;
                let keepers = self.symmetries.iter().filter(keeps).copied().collect();
                self.rows = Some((rows, keepers));
                self.columns = identity(self.order);
                return Ok(true);
            }
        }
    }
}

/// Returns what a symmetry makes of an exchange, whose symbols are mapped back.
fn image(order: usize, exchange: &SquareRow, lines: &SquareRow, back: &SquareRow) -> SquareRow {
    let mut image = [0; ORDER_MAX];
    (0..order).for_each(|at| image[at] = back[usize::from(exchange[usize::from(lines[at])])]);
    image
}

/// Tells whether an exchange comes behind what a symmetry makes of it.
fn is_greater(order: usize, exchange: &SquareRow, lines: &SquareRow, back: &SquareRow) -> bool {
    *exchange > image(order, exchange, lines, back)
}
