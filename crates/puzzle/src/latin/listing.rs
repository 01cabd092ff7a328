//! Lists one Latin square per main class, isotopy class or isomorphism class.
//!
//! # Method
//! Rectangles of 1, 2, 3 ... rows are extended row by row by *canonical augmentation* (B. McKay,
//! Isomorph-free exhaustive generation, Journal of Algorithms 26, 1998). It generates each class
//! once without a list of earlier classes. All rows that fit below a rectangle are tried. A row is
//! kept if it is the last row in the canonical form of the longer rectangle, up to the symmetries
//! of that form. Each class of rectangles then comes from exactly one class of shorter rectangles,
//! and only the children of the same parent must be compared with each other.
//!
//! The canonical form of a rectangle under exchanges of rows, columns and symbols is defined as
//! follows. Choose two rows as the first ones. Number columns and symbols so that the first row is
//! 1 2 3 ... and the second row is a sequence of cycles, shorter cycles first. The other rows
//! follow in the order of their first symbols. The canonical form is the least of all these texts.
//! Only pairs of rows whose cycles have the fewest numberings are tried. For seven rows that
//! pairwise form one cycle of length 7, these are at most 42 * 7 numberings.
//!
//! A square represents its main class if no conjugate has a smaller canonical form. Isomorphism
//! classes refine isotopy classes. To list them, all squares obtained from one square by exchanges
//! of rows and of columns are considered. Each class is represented by the exchange that is least
//! among its images under the symmetries of the square.
//!
//! # Bounds
//! For each number of rows, the children of one rectangle are stored. Their number is at most the
//! number of derangements (133,496 for order 9, with 81 bytes each). The symmetries of one square
//! are stored too (10,752 for order 8).

use dlx::Limit;
use dlx::limits::Pace;

use super::LatinSort;
use super::classes::ORDER_MAX;

/// A row of symbols. Entries beyond the order are 0.
type SquareRow = [u8; ORDER_MAX];

/// Work charged for each pair of rows, each symbol, or each canonical form (ns).
const STEP_WORK: u64 = 20;

/// Lists Latin squares, one per class.
#[derive(Clone, Debug)]
pub struct LatinListing {
    order: usize,
    wanted: LatinSort,
    /// For each number of rows, the rectangles that are not extended yet, in reverse order.
    open: Vec<Vec<Vec<SquareRow>>>,
    isotopes: Option<Isotopes>,
}

/// A numbering of rows, columns and symbols that produces the canonical form of a rectangle.
#[derive(Clone, Copy, Debug)]
struct Relabeling {
    /// For each row of the rectangle, its row number in the canonical form.
    rows: SquareRow,
    columns: SquareRow,
    symbols: SquareRow,
}

#[derive(Clone, Debug, Default)]
struct CanonicalForm {
    rows: Vec<SquareRow>,
    numberings: Vec<Relabeling>,
    /// A bit set of all rows that have the largest signature and that some numbering places last
    /// among such rows.
    last: u32,
}

impl LatinListing {
    /// Starts a list of the squares of an order; returns `None` if the order is not supported.
    pub(in super::super) fn new(order: usize, wanted: LatinSort) -> Option<Self> {
        let first = identity(order);
        let is_possible = (1..=ORDER_MAX).contains(&order);
        is_possible.then(|| Self { order, wanted, open: vec![vec![vec![first]]], isotopes: None })
    }

    /// Returns the symbols of the next square (from 0), row by row, or `None` at the end.
    ///
    /// ```
    /// use dlx::{Limits, limits::Pace};
    /// use grid::Setting;
    /// use puzzle::{LatinSort, latin};
    ///
    /// let empty = latin::KIND.parameter.expect("an order");
    /// let latin = (empty.make)("4", &mut Setting::default(), &Limits::new())?;
    /// let grid = latin.as_fill().expect("it is a grid");
    /// let mut squares = grid.latin_squares(LatinSort::MainClass).expect("it is empty");
    /// let (limits, mut count) = (Limits::new(), 0);
    /// while squares.next(&mut Pace::new(&limits)).expect("no limits are set").is_some() {
    ///     count += 1;
    /// }
    /// assert_eq!(count, 2);
    /// # Ok::<(), text::InputError>(())
    /// ```
    ///
    /// # Errors
    /// The limit that was reached. The list cannot be continued after that.
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

    /// Returns the rectangles that extend `rows` by one row and whose canonical parent is `rows`,
    /// in ascending order.
    fn children(&self, rows: &[SquareRow], pace: &mut Pace<'_>) -> Result<Vec<Vec<SquareRow>>, Limit> {
        let order = self.order;
        // The symbols that each column does not contain yet.
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
                // Backtrack to the previous column.
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
            let signatures = RowSignatures::of(order, &longer);
            if signatures.is_last(rows.len()) {
                let form = signatures.canonical(&longer, false, pace)?;
                if form.last >> rows.len() & 1 == 1 {
                    children.push(form.rows);
                }
            }
        }
        children.sort_unstable();
        children.dedup();
        Ok(children)
    }

    /// Returns whether no conjugate of a square in canonical form has a smaller canonical form.
    fn is_first_conjugate(&self, rows: &[SquareRow], pace: &mut Pace<'_>) -> Result<bool, Limit> {
        for parts in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut conjugate = vec![[0; ORDER_MAX]; self.order];
            for (row, symbols) in rows.iter().enumerate() {
                for (column, &symbol) in symbols[..self.order].iter().enumerate() {
                    let triple = [row, column, usize::from(symbol)];
                    conjugate[triple[parts[0]]][triple[parts[1]]] = triple[parts[2]] as u8;
                }
            }
            if RowSignatures::of(self.order, &conjugate).canonical(&conjugate, false, pace)?.rows[..]
                < *rows
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

/// The signatures of a rectangle: the cycle lengths of each pair of rows. Exchanges of rows,
/// columns and symbols preserve them.
struct RowSignatures {
    order: usize,
    /// For each pair of rows: the number of numberings of its cycles, and a code of the cycle
    /// lengths.
    cycles: Vec<Vec<(u32, u32)>>,
    /// The signature of each row, computed from its cycles with all other rows.
    rows: Vec<u64>,
}

impl RowSignatures {
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

    fn is_last(&self, row: usize) -> bool {
        self.rows.iter().all(|&other| other <= self.rows[row])
    }

    fn canonical(
        &self,
        rows: &[SquareRow],
        wants_numberings: bool,
        pace: &mut Pace<'_>,
    ) -> Result<CanonicalForm, Limit> {
        let order = self.order;
        let mut form = CanonicalForm::default();
        let Some(&best) = self.cycles.iter().flatten().min().filter(|_| rows.len() > 1) else {
            // With a single row, every order of the columns gives the same form. The numberings of
            // a single row are needed only for order 1.
            let same = identity(order);
            let numberings = vec![Relabeling { rows: same, columns: same, symbols: same }];
            return Ok(CanonicalForm { rows: vec![same], numberings, last: 1 });
        };
        let greatest = self.rows.iter().copied().max().unwrap_or(0);
        for first in 0..rows.len() {
            // For each row, the permutation that maps the symbols of the first row to the symbols
            // of that row.
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
                    // For each symbol, the row that begins with it, if any.
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
                            Relabeling { rows: [0; ORDER_MAX], columns: [0; ORDER_MAX], symbols: new };
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

/// Returns the number of numberings of the cycles from row `one` to row `other`, and a code of the
/// cycle lengths.
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

fn mixed(number: u64) -> u64 {
    let mixed = (number ^ 0x9e37_79b9).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 29).wrapping_mul(0x94d0_49bb_1331_11eb)
}

/// Iterates over all numberings that bring the cycles of a permutation to the same form. Shorter
/// cycles come first, cycles of equal length in any order, and each cycle begins with any of its
/// elements.
struct CycleNumberings {
    /// The elements of each cycle in cyclic order, the shortest cycle first.
    cycles: Vec<Vec<u8>>,
    /// The index of the first element in each cycle.
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

    /// Advances to the next combination of first elements or, after the last combination, to the
    /// next order of the cycles.
    fn advance(&mut self) {
        for (cycle, start) in self.cycles.iter().zip(&mut self.starts) {
            *start = (*start + 1) % cycle.len();
            if *start > 0 {
                return;
            }
        }
        // Permute the cycles of equal length. Cycles compare by their first elements.
        let mut begin = 0;
        while begin < self.cycles.len() {
            let length = self.cycles[begin].len();
            let count = self.cycles[begin..].iter().take_while(|cycle| cycle.len() == length).count();
            if next_permutation(&mut self.cycles[begin..begin + count]) {
                return;
            }
            begin += count;
        }
        self.is_over = true;
    }
}

impl Iterator for CycleNumberings {
    /// Maps each new number to its old number.
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

/// Permutes `things` to the next permutation in lexicographic order. After the last one, restores
/// the first one and returns `false`.
fn next_permutation<T: Ord>(things: &mut [T]) -> bool {
    let Some(turn) = (1..things.len()).rev().find(|&at| things[at - 1] < things[at]) else {
        things.reverse();
        return false;
    };
    let other = (turn..things.len()).rev().find(|&at| things[turn - 1] < things[at]).unwrap_or(turn);
    things.swap(turn - 1, other);
    things[turn..].reverse();
    true
}

/// Iterates over the squares obtained from one square by exchanges of rows and of columns, one per
/// isomorphism class.
///
/// A symmetry of the square with rows r, columns c and symbols s maps row exchange a and column
/// exchange b to a r / s and b c / s, which give the same class.
#[derive(Clone, Debug)]
struct Isotopes {
    order: usize,
    square: Vec<SquareRow>,
    symmetries: Vec<Relabeling>,
    /// The current row exchange, and the symmetries that fix it, or `None` at the beginning.
    rows: Option<(SquareRow, Vec<Relabeling>)>,
    columns: SquareRow,
    is_begun: bool,
}

impl Isotopes {
    fn new(order: usize, square: Vec<SquareRow>, pace: &mut Pace<'_>) -> Result<Self, Limit> {
        let form = RowSignatures::of(order, &square).canonical(&square, true, pace)?;
        debug_assert_eq!(form.rows, square, "the form of a form is the same");
        // Only the inverse symbol maps are used.
        let back = |it: Relabeling| Relabeling { symbols: inverse(order, &it.symbols), ..it };
        let symmetries = form.numberings.into_iter().map(back).collect();
        let columns = identity(order);
        Ok(Self { order, square, symmetries, rows: None, columns, is_begun: false })
    }

    fn next(&mut self, pace: &mut Pace<'_>) -> Result<Option<Vec<usize>>, Limit> {
        loop {
            let is_same_rows = self.rows.is_some() && next_permutation(&mut self.columns[..self.order]);
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

    /// Advances to the next row exchange that is least among its images under the symmetries;
    /// returns `false` at the end.
    fn next_rows(&mut self, pace: &mut Pace<'_>) -> Result<bool, Limit> {
        let mut rows = self.rows.take().map_or(identity(self.order), |(rows, _)| rows);
        loop {
            if self.is_begun && !next_permutation(&mut rows[..self.order]) {
                return Ok(false);
            }
            self.is_begun = true;
            pace.spend(STEP_WORK * self.symmetries.len() as u64)?;
            let is_first =
                self.symmetries.iter().all(|it| !is_greater(self.order, &rows, &it.rows, &it.symbols));
            if is_first {
                let keeps = |it: &&Relabeling| image(self.order, &rows, &it.rows, &it.symbols) == rows;
                let keepers = self.symmetries.iter().filter(keeps).copied().collect();
                self.rows = Some((rows, keepers));
                self.columns = identity(self.order);
                return Ok(true);
            }
        }
    }
}

/// Returns the image of a row or column exchange under a symmetry. `back` is the inverse symbol map
/// of the symmetry.
fn image(order: usize, exchange: &SquareRow, lines: &SquareRow, back: &SquareRow) -> SquareRow {
    let mut image = [0; ORDER_MAX];
    (0..order).for_each(|at| image[at] = back[usize::from(exchange[usize::from(lines[at])])]);
    image
}

/// Returns whether a row or column exchange is greater than its image under a symmetry.
fn is_greater(order: usize, exchange: &SquareRow, lines: &SquareRow, back: &SquareRow) -> bool {
    *exchange > image(order, exchange, lines, back)
}
