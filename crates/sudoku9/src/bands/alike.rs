//! Equivalence of states of the first band: for equivalent states, the other two bands have the
//! same number of fillings.
//!
//! A *split* of a box assigns each digit to a column. A *state* of the first band has a split for
//! each of its boxes. The number of fillings of the other two bands depends only on the state and
//! on their own candidates. Digits with equal candidates in both bands may be renamed. Columns,
//! stacks or the two bands may be exchanged (together with digits) if this does not change the
//! candidates. One state represents all states that are equivalent in this way.

use super::box3::ORDERS;
use super::split::{SPLITS, SPLITS_ALL};

/// Equality of neighboring digits: bit d means that the digits d and d + 1 are equivalent.
pub(super) type Links = u8;

pub(super) fn links<K: PartialEq>(keys: &[K; 9]) -> Links {
    (0..8).fold(0, |links, digit| links | u8::from(keys[digit] == keys[digit + 1]) << digit)
}

/// Returns the number of permutations of the digits that map each digit to an equivalent one.
pub(super) fn orders(links: Links) -> u64 {
    let (mut orders, mut size) = (1, 1);
    for digit in 0..8 {
        size = if links >> digit & 1 == 1 { size + 1 } else { 1 };
        orders *= size;
    }
    orders
}

const EXCHANGES_MAX: usize = 1296;

struct Exchange {
    /// The new columns of a digit in the three boxes, for each combination of its old ones; both
    /// are numbers of three base-3 digits.
    columns: [u8; 27],
    names: [u8; 9],
    /// The stack that the exchange moves to the first position.
    first: usize,
    /// Index of the table that maps the splits of that stack; the columns of equivalent digits are
    /// sorted.
    heads: usize,
    /// 0 if the exchange moves only columns of the first stack, 1 if only columns of the first two,
    /// otherwise 2.
    level: usize,
}

/// An order of three columns, and the new name of each digit.
type Head = ([usize; 3], [u8; 9]);

/// The exchanges of columns, stacks, bands and digits that do not change the candidates of the
/// second and the third band.
pub(super) struct BandExchanges {
    free: Links,
    exchanges: Vec<Exchange>,
    heads: Vec<(Head, Vec<u16>)>,
}

/// A state: the splits of the three boxes as numbers of eleven bits; the first box is in the
/// highest bits.
pub(super) type State = u64;

pub(super) fn pack(splits: [u16; 3]) -> State {
    splits.iter().fold(0, |state, &split| state << 11 | u64::from(split))
}

pub(super) fn unpack(state: State) -> [u16; 3] {
    [22, 11, 0].map(|shift| (state >> shift & 0x7ff) as u16)
}

impl BandExchanges {
    /// Finds all exchanges. Digits with equal candidates in both bands must be adjacent.
    pub(super) fn new(second: &[u32; 9], third: &[u32; 9]) -> Self {
        let keys: [_; 9] = std::array::from_fn(|digit| (second[digit], third[digit]));
        let mut alike = Self { free: links(&keys), exchanges: Vec::new(), heads: Vec::new() };
        for stacks in ORDERS {
            for inside in 0..216 {
                let inside = [inside / 36, inside / 6 % 6, inside % 6].map(|k| ORDERS[k]);
                alike.add(second, third, stacks, inside);
            }
        }
        if alike.exchanges.len() == 1 {
            alike.exchanges.clear();
        }
        alike
    }

    /// Adds the exchanges that move stack s to position `stacks[s]` and its column c to position
    /// `inside[s][c]`.
    fn add(
        &mut self,
        second: &[u32; 9],
        third: &[u32; 9],
        stacks: [usize; 3],
        inside: [[usize; 3]; 3],
    ) {
        let start = self.exchanges.len();
        let columns = |cells: u32| {
            (0..9).fold(0, |moved, column| {
                let (stack, inner) = (column / 3, column % 3);
                let place = 9 * stacks[stack] + 3 * inside[stack][inner];
                moved | (cells >> (3 * column) & 7) << place
            })
        };
        let moved = [second, third].map(|band| band.map(columns));
        for (to_second, to_third) in [(second, third), (third, second)] {
            if sizes(&moved[0]) != sizes(to_second) || sizes(&moved[1]) != sizes(to_third) {
                continue;
            }
            for row_order in ORDERS {
                let first = moved[0].map(|cells| rows(cells, row_order));
                if !is_rearranged(&first, to_second) {
                    continue;
                }
                for row_order in ORDERS {
                    let other = moved[1].map(|cells| rows(cells, row_order));
                    let names = names(&first, &other, to_second, to_third);
                    let Some(names) = names.filter(|_| self.exchanges.len() < EXCHANGES_MAX) else {
                        continue;
                    };
                    let columns = std::array::from_fn(|columns| {
                        let mut moved = [0; 3];
                        for (stack, inner) in
                            [columns / 9, columns / 3 % 3, columns % 3].into_iter().enumerate()
                        {
                            moved[stacks[stack]] = inside[stack][inner] as u8;
                        }
                        9 * moved[0] + 3 * moved[1] + moved[2]
                    });
                    let is_known = |other: &Exchange| (other.columns, other.names) == (columns, names);
                    if !self.exchanges[start..].iter().any(is_known) {
                        let first =
                            (0..3).find(|&stack| stacks[stack] == 0).expect("a stack comes first");
                        let heads = self.heads(inside[first], names);
                        let stays = |nth: usize| inside[nth] == [0, 1, 2];
                        let level = match stacks == [0, 1, 2] && stays(2) {
                            true if stays(1) => 0,
                            true => 1,
                            false => 2,
                        };
                        self.exchanges.push(Exchange { columns, names, first, heads, level });
                    }
                }
            }
        }
    }

    /// Returns the index of the table that maps splits by an order of columns and new names of
    /// digits; builds it if necessary.
    fn heads(&mut self, order: [usize; 3], names: [u8; 9]) -> usize {
        let key = (order, names);
        if let Some(known) = self.heads.iter().position(|(other, _)| *other == key) {
            return known;
        }
        let head = |split: u16| {
            let mut moved = [0; 9];
            for (&column, &name) in SPLITS_ALL.columns(split).iter().zip(&names) {
                moved[usize::from(name)] = order[usize::from(column)] as u8;
            }
            SPLITS_ALL.with_columns(&self.sorted(moved))
        };
        let table = (0..SPLITS as u16).map(head).collect();
        self.heads.push((key, table));
        self.heads.len() - 1
    }

    /// Returns whether there are exchanges other than permutations of equivalent digits.
    pub(super) fn has_exchanges(&self) -> bool {
        !self.exchanges.is_empty()
    }

    /// Returns the representative of a state, using only exchanges up to `level`.
    pub(super) fn standard(&self, splits: [u16; 3], level: usize) -> State {
        let [a, b, c] = splits.map(|split| SPLITS_ALL.columns(split));
        let columns: [u8; 9] = std::array::from_fn(|digit| 9 * a[digit] + 3 * b[digit] + c[digit]);
        let standard = if self.exchanges.is_empty() {
            self.sorted(columns)
        } else {
            let head =
                |exchange: &Exchange| self.heads[exchange.heads].1[usize::from(splits[exchange.first])];
            let exchanges = self.exchanges.iter().filter(|exchange| exchange.level <= level);
            let least = exchanges.clone().map(head).min();
            let exchanged = |exchange: &Exchange| {
                let mut moved = [0; 9];
                for (&columns, &name) in columns.iter().zip(&exchange.names) {
                    moved[usize::from(name)] = exchange.columns[usize::from(columns)];
                }
                self.sorted(moved)
            };
            let best = exchanges.filter(|exchange| Some(head(exchange)) == least);
            best.map(exchanged).min().expect("there are exchanges")
        };
        let split = |power: u8| SPLITS_ALL.with_columns(&standard.map(|columns| columns / power % 3));
        pack([split(9), split(3), split(1)])
    }

    fn sorted(&self, mut columns: [u8; 9]) -> [u8; 9] {
        for digit in 1..9 {
            let mut k = digit;
            while k > 0 && self.free >> (k - 1) & 1 == 1 && columns[k - 1] > columns[k] {
                columns.swap(k - 1, k);
                k -= 1;
            }
        }
        columns
    }
}

fn sizes(band: &[u32; 9]) -> [u32; 9] {
    let size = |column: usize, cells: &u32| (cells >> (3 * column) & 7).count_ones();
    std::array::from_fn(|column| band.iter().map(|cells| size(column, cells)).sum())
}

/// Moves row r of some cells to row `order[r]`.
fn rows(cells: u32, order: [usize; 3]) -> u32 {
    const FIRST: u32 = 0o111_111_111;
    (0..3).fold(0, |moved, row| moved | (cells >> row & FIRST) << order[row])
}

fn is_rearranged(a: &[u32; 9], b: &[u32; 9]) -> bool {
    let sorted = |mut cells: [u32; 9]| {
        cells.sort_unstable();
        cells
    };
    sorted(*a) == sorted(*b)
}

/// Returns an injective map from digits to digits. The cells of a digit in `a` and `b` must equal
/// the cells of its image in `to_a` and `to_b`.
fn names(a: &[u32; 9], b: &[u32; 9], to_a: &[u32; 9], to_b: &[u32; 9]) -> Option<[u8; 9]> {
    let (mut names, mut taken) = ([0; 9], 0u16);
    for digit in 0..9 {
        let fits =
            |&name: &usize| taken >> name & 1 == 0 && (to_a[name], to_b[name]) == (a[digit], b[digit]);
        let name = (0..9).find(fits)?;
        taken |= 1 << name;
        names[digit] = name as u8;
    }
    Some(names)
}
