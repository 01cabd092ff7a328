//! The cells, their candidates, and the rules on them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::board::CandidateGrid;
use super::combine::{PlainSum, combine};
use super::peers::Peers;
use super::rules::{
    Between, Combinations, Crossing, EachOf, House, Often, Pair, Prefix, Rank, Rule, Runs, Same, Sets,
    Sum, Walk, WalkStep,
};
use super::{CELLS_MAX, DigitSet, ORDER_MAX, all_digits};

/// Cells and rules, prepared for a search.
#[derive(Debug)]
pub struct Network {
    pub(crate) digits: Vec<DigitSet>,
    pub(crate) peers: Peers,
    pub(crate) rules: Vec<Rule>,
    pub(crate) watchers: Vec<u64>,
    pub(crate) words: usize,
    /// Bit set of the rules that need not run again after their own changes.
    pub(crate) exact: Vec<u64>,
    pub(crate) priorities: Vec<u32>,
    pub(crate) houses: Vec<Box<[u16]>>,
    /// Digits whose place is worth a decision.
    pub(crate) places: Vec<WantedPlace>,
    /// For each digit of each cell: other cells that lose digits when the cell is filled with this
    /// digit. Peers are not included.
    pub(crate) exclusions: Vec<Vec<(u16, DigitSet)>>,
    pub(crate) order: usize,
}

/// A digit that one of some cells must have, and the weight of a decision about its place, in units
/// of the weight of its cells.
#[derive(Debug)]
pub(crate) struct WantedPlace {
    pub(crate) cells: Box<[u16]>,
    pub(crate) digit: DigitSet,
    pub(crate) factor: u32,
}

impl WantedPlace {
    /// Returns the digits of ranked lines for each house of first cells of lines. Its factor is the
    /// number of ranked lines that begin with the digit.
    fn of_ranks(ranks: &[Rank], houses: &[Box<[u16]>]) -> Vec<Self> {
        let mut places: Vec<Self> = Vec::new();
        for rank in ranks {
            let heads = rank.heads();
            for house in houses.iter().filter(|house| house.iter().all(|cell| heads.contains(cell))) {
                let is_known = |place: &&mut Self| place.digit == rank.first() && place.cells == *house;
                match places.iter_mut().find(is_known) {
                    Some(place) => place.factor += 1,
                    None => {
                        let (cells, digit) = (house.clone(), rank.first());
                        places.push(Self { cells, digit, factor: 1 });
                    }
                }
            }
        }
        places
    }
}

impl Network {
    /// Returns the number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.digits.len()
    }

    /// Removes from the candidates of each cell the digits that the rules exclude without search:
    /// each rule runs until none removes a digit. Returns `false` on a contradiction, and then the
    /// candidates are unspecified.
    ///
    /// ```
    /// let mut builder = digits::NetworkBuilder::new(2, 4).expect("it is small");
    /// builder.thermometer(&[0, 1]);
    /// let network = builder.build();
    /// let mut candidates = [0b1111, 0b1011];
    /// assert!(network.narrow(&mut candidates));
    /// assert_eq!(candidates, [0b0111, 0b1010]);
    /// ```
    ///
    /// # Panics
    /// If the number of candidate sets is not the number of cells.
    #[must_use]
    pub fn narrow(&self, candidates: &mut [DigitSet]) -> bool {
        assert_eq!(candidates.len(), self.cell_count(), "a set of candidates for each cell");
        let mut board = CandidateGrid::new(self);
        let mut sets = (0..).zip(candidates.iter());
        if sets.any(|(cell, &digits)| board.keep(cell, digits).is_err()) || board.settle().is_err() {
            return false;
        }
        candidates.copy_from_slice(board.grid());
        true
    }
}

/// Builder of a [`Network`]. Cells are numbered from 0. Digits too, except in
/// [`clue`](Self::clue), [`cage`](Self::cage) and [`thermometer`](Self::thermometer).
#[derive(Debug)]
pub struct NetworkBuilder {
    order: usize,
    digits: Vec<DigitSet>,
    peers: Peers,
    houses: Vec<Box<[u16]>>,
    pairs: Vec<Pair>,
    sets: Vec<(Vec<u16>, Vec<DigitSet>)>,
    same: Vec<Same>,
    equal: Vec<[u16; 2]>,
    sums: Vec<(Vec<(u16, i32)>, i32)>,
    between: Vec<Between>,
    prefixes: Vec<Prefix>,
    often: Vec<(Vec<u16>, Vec<u128>)>,
    each_of: Vec<EachOf>,
    runs: Vec<Runs>,
    ranks: Vec<Rank>,
    walks: Vec<Walk>,
}

impl NetworkBuilder {
    /// Starts a network whose cells may have any digit. Returns `None` if there are more cells or
    /// digits than the search supports.
    #[must_use]
    pub fn new(cells: usize, order: usize) -> Option<Self> {
        (1..=ORDER_MAX).contains(&order).then_some(())?;
        (cells <= CELLS_MAX).then(|| Self {
            order,
            digits: vec![all_digits(order); cells],
            peers: Peers::new(cells),
            houses: Vec::new(),
            pairs: Vec::new(),
            sets: Vec::new(),
            same: Vec::new(),
            equal: Vec::new(),
            sums: Vec::new(),
            between: Vec::new(),
            prefixes: Vec::new(),
            often: Vec::new(),
            each_of: Vec::new(),
            runs: Vec::new(),
            ranks: Vec::new(),
            walks: Vec::new(),
        })
    }

    pub(crate) fn order(&self) -> usize {
        self.order
    }

    /// Removes all digits but `digits` from a cell.
    pub fn keep(&mut self, cell: usize, digits: DigitSet) {
        self.digits[cell] &= digits;
    }

    /// Returns the digits that a cell may have.
    #[must_use]
    pub fn digits(&self, cell: usize) -> DigitSet {
        self.digits[cell]
    }

    /// Requires that some cells have different digits. If there are as many cells as digits, each
    /// digit occurs.
    pub fn differ(&mut self, cells: &[usize]) {
        self.apart(cells);
        let cells = numbers(cells).into_boxed_slice();
        if cells.len() == self.order && !self.houses.contains(&cells) {
            self.houses.push(cells);
        }
    }

    /// Requires that some cells have different digits, without the conclusions of a house: a digit
    /// is only removed from other cells once a cell is filled.
    pub fn apart(&mut self, cells: &[usize]) {
        let cells = numbers(cells);
        for (index, &one) in cells.iter().enumerate() {
            cells[..index].iter().for_each(|&other| self.peers.add(one, other));
        }
    }

    /// Requires that `is_right` holds for the digits of two cells.
    pub fn pair(&mut self, one: usize, other: usize, mut is_right: impl FnMut(usize, usize) -> bool) {
        let (one, other, order) = (one as u16, other as u16, self.order);
        let row = |digit: usize, is_right: &mut dyn FnMut(usize, usize) -> bool| {
            (0..order)
                .filter(|&second| is_right(digit, second))
                .fold(0, |row, second| row | 1 << second)
        };
        let rows: Vec<DigitSet> = (0..order).map(|digit| row(digit, &mut is_right)).collect();
        if one == other {
            let equal = (0..order).filter(|&digit| rows[digit] >> digit & 1 == 1);
            self.digits[usize::from(one)] &= equal.fold(0, |set, digit| set | 1 << digit);
            return;
        }
        let all = all_digits(order);
        if (0..order).all(|digit| rows[digit] == all & !(1 << digit)) {
            self.peers.add(one, other);
        } else {
            if (0..order).all(|digit| rows[digit] == 1 << digit) {
                self.equal.push([one, other]);
            }
            self.pairs.push(Pair::new(one, other, &rows));
        }
    }

    /// Requires that two lists of equal length have the same digits, in any order. The cells within
    /// each list must differ.
    pub fn same(&mut self, left: &[usize], right: &[usize]) {
        self.same.push(Same::new(numbers(left), numbers(right)));
    }

    /// Requires that the digits of some cells form one of the given sets. The cells must differ.
    pub fn sets(&mut self, cells: &[usize], sets: Vec<DigitSet>) {
        self.sets.push((numbers(cells), sets));
    }

    /// Requires that the digits of cells, each multiplied by the factor of its cell, have the given
    /// sum.
    pub fn sum(&mut self, terms: impl IntoIterator<Item = (usize, i32)>, sum: i32) {
        let mut factors: BTreeMap<u16, i32> = BTreeMap::new();
        for (cell, factor) in terms {
            *factors.entry(cell as u16).or_default() += factor;
        }
        let terms: Vec<(u16, i32)> = factors.into_iter().filter(|&(_, factor)| factor != 0).collect();
        match terms[..] {
            [] if sum == 0 => {}
            [] => self.digits.fill(0),
            [(cell, factor)] => {
                let is_right = |digit: &usize| factor * *digit as i32 == sum;
                let digits = (0..self.order).filter(is_right).fold(0, |set, digit| set | 1 << digit);
                self.keep(usize::from(cell), digits);
            }
            [(one, first), (other, second)] => self.pair(one.into(), other.into(), |one, other| {
                first * one as i32 + second * other as i32 == sum
            }),
            _ => self.sums.push((terms, sum)),
        }
    }

    /// Requires that the digits of the cells between two end cells form one of the given sets. All
    /// of `cells` must differ. The end cells are the two of `cells` that have the digits `ends` or,
    /// if `ends` is empty, the smallest and the largest digit of `cells`.
    ///
    /// # Panics
    /// If `ends` has a number of digits other than 0 or 2, or there are more cells than digits.
    pub fn between(&mut self, cells: &[usize], ends: DigitSet, sets: &[DigitSet]) {
        assert!(matches!(ends.count_ones(), 0 | 2), "ends are two digits or none");
        assert!(cells.len() <= self.order, "cells that differ are no more than digits");
        self.between.push(Between::new(self.order, numbers(cells), ends, sets));
    }

    /// Requires that the cells after the first one begin with a prefix whose digits form one of
    /// several sets; all of `cells` must differ. `sets` gives, for each digit of the first cell,
    /// the length of the prefix and its sets, or `None` if the digit is impossible. The lengths
    /// must not decrease from a digit to the next.
    ///
    /// # Panics
    /// If there are no cells or more cells than digits, or a length is too large.
    pub fn prefix(&mut self, cells: &[usize], sets: Vec<Option<(usize, Vec<DigitSet>)>>) {
        assert!((1..=self.order).contains(&cells.len()), "cells that differ are no more than digits");
        assert!(
            sets.iter().flatten().is_sorted_by_key(|(count, _)| *count),
            "numbers grow with the digits of the first cell"
        );
        assert!(
            sets.len() == self.order && sets.iter().flatten().all(|(count, _)| *count < cells.len()),
            "each digit tells the number of some of the cells"
        );
        self.prefixes.push(Prefix::new(self.order, numbers(cells), sets));
    }

    /// Restricts the number of occurrences of each digit in `cells`. Bit n of the digit's word in
    /// `counts` means that n occurrences are allowed. `cells` has at most 127 cells, each named
    /// once.
    pub fn often(&mut self, cells: &[usize], counts: Vec<u128>) {
        self.often.push((numbers(cells), counts));
    }

    /// Requires one cell of each kind. A kind lists a set of digits for each cell, and at least one
    /// cell must have a digit of its set. At most 64 cells.
    ///
    /// # Panics
    /// If there are more cells, or a kind does not have a set for each cell.
    pub fn each_of(&mut self, cells: &[usize], kinds: &[Vec<DigitSet>]) {
        assert!(cells.len() <= 64, "cells of kinds are at most 64");
        assert!(kinds.iter().all(|kind| kind.len() == cells.len()), "a kind has a set for each cell");
        self.each_of.push(EachOf::new(numbers(cells), kinds));
    }

    /// Requires that a line of cells splits into consecutive runs with sum `sum` each. The first
    /// digit has the value `first`. In a loop, a run may continue from the last cell to the first.
    /// Returns `false` if the rule is not supported: `sum` must be 1 to 40, and `first` at most 8
    /// and, in a loop, at least 1.
    pub fn runs(&mut self, cells: &[usize], first: u32, sum: u32, is_loop: bool) -> bool {
        let is_ruled = (1..=Runs::SUM_MAX).contains(&sum)
            && (u32::from(is_loop)..=Runs::FIRST_MAX).contains(&first);
        if is_ruled {
            self.runs.push(Runs::new(numbers(cells), first, sum, is_loop));
        }
        is_ruled
    }

    /// Requires a rank of a line of cells, which is read as a number. `lines` has the cells of the
    /// line and then of other lines, `len` each. The line begins with the digit `first`. Among the
    /// other lines that begin with this digit, `needed[0]` are less than the line, and `needed[1]`
    /// are not: they are greater, or equal if `may_tie`. The digits of each line must differ.
    ///
    /// # Panics
    /// If `lines` is empty or no multiple of `len`, or there are more than 64 other lines.
    pub fn rank(
        &mut self,
        lines: &[usize],
        len: usize,
        first: usize,
        needed: [usize; 2],
        may_tie: bool,
    ) {
        self.ranks.push(Rank::new(numbers(lines), len, 1 << first, needed, may_tie));
    }

    /// Requires that an automaton accepts the digits of cells. The states of each layer are
    /// numbered from 0. The first `starts` states of the first layer are initial, and all states
    /// after the last cell are accepting.
    pub fn walk(&mut self, cells: &[usize], starts: usize, steps: Vec<Vec<WalkStep>>) {
        self.walks.push(Walk::new(numbers(cells), starts, steps));
    }

    /// Builds the network.
    #[must_use]
    pub fn build(self) -> Network {
        let Self {
            order,
            digits,
            mut peers,
            houses,
            pairs,
            mut sets,
            mut sums,
            same: alike,
            equal,
            between,
            prefixes,
            often,
            each_of,
            runs,
            ranks,
            walks,
        } = self;
        for [one, other] in equal {
            for (one, other) in [(one, other), (other, one)] {
                peers.of(one).to_vec().into_iter().for_each(|peer| peers.add(other, peer));
            }
        }
        let plain: Vec<PlainSum> =
            sums.iter().filter_map(|(terms, sum)| PlainSum::of(terms, *sum)).collect();
        sums.extend(combine(order, &peers, &plain).into_iter().map(|together| {
            (together.cells.into_iter().map(|cell| (cell, 1)).collect(), together.sum)
        }));
        let mut tables: BTreeMap<usize, Arc<Combinations>> = BTreeMap::new();
        let mut table = |size: usize| {
            Arc::clone(tables.entry(size).or_insert_with(|| Arc::new(Combinations::new(order, size))))
        };
        // A sum over cells that all differ becomes a list of allowed sets.
        sums.retain(|(terms, sum)| {
            let cells: Vec<u16> = terms.iter().map(|&(cell, _)| cell).collect();
            let factor = terms[0].1;
            let is_set =
                terms.iter().all(|term| term.1 == factor) && peers.cliques_in_order(&cells).len() == 1;
            if is_set {
                let all = table(cells.len());
                let allowed =
                    if sum % factor == 0 { all.between(sum / factor, sum / factor) } else { &[] };
                if cells.len() < order || allowed.is_empty() {
                    sets.push((cells, allowed.to_vec()));
                }
            }
            !is_set
        });
        // A pair rule that can remove digits only when a cell is filled becomes a list of
        // exclusions.
        let mut exclusions = vec![Vec::new(); digits.len() * order];
        let mut rules = Vec::new();
        let places = WantedPlace::of_ranks(&ranks, &houses);
        for pair in pairs {
            let pair = pair.with_common(&peers);
            match pair.exclusions(order) {
                Some(gone) => {
                    for (cell, digit, other, digits) in gone {
                        exclusions[usize::from(cell) * order + digit].push((other, digits));
                    }
                }
                None => rules.push(Rule::Pair(pair)),
            }
        }
        rules.extend(houses.iter().map(|cells| Rule::House(House::new(cells))));
        rules.extend(
            sums.into_iter()
                .map(|(terms, sum)| Rule::Sum(Sum::new(order, &peers, &terms, sum, &mut table))),
        );
        rules.extend(
            sets.into_iter().map(|(cells, sets)| Rule::Sets(Sets::new(order, cells, sets, &houses))),
        );
        rules.extend(Crossing::all(&houses).into_iter().map(Rule::Crossing));
        rules.extend(alike.into_iter().map(Rule::Same));
        rules.extend(between.into_iter().map(Rule::Between));
        rules.extend(prefixes.into_iter().map(Rule::Prefix));
        rules.extend(
            often
                .into_iter()
                .map(|(cells, counts)| Rule::Often(Often::new(cells, counts, &peers, &houses))),
        );
        rules.extend(each_of.into_iter().map(Rule::EachOf));
        rules.extend(runs.into_iter().map(Rule::Runs));
        rules.extend(ranks.into_iter().map(Rule::Rank));
        rules.extend(walks.into_iter().map(Rule::Walk));
        rules.sort_by_key(Rule::cost);
        Network { exclusions, places, ..Network::new(order, digits, peers, rules, houses) }
    }
}

impl Network {
    fn new(
        order: usize,
        digits: Vec<DigitSet>,
        peers: Peers,
        rules: Vec<Rule>,
        houses: Vec<Box<[u16]>>,
    ) -> Self {
        let words = rules.len().div_ceil(64).max(1);
        let mut watchers = vec![0; digits.len() * words];
        let mut exact = vec![0; words];
        let mut priorities = vec![0; digits.len()];
        for (index, rule) in rules.iter().enumerate() {
            exact[index / 64] |= u64::from(rule.is_exact()) << (index % 64);
            for &cell in rule.cells() {
                watchers[usize::from(cell) * words + index / 64] |= 1 << (index % 64);
                priorities[usize::from(cell)] += rule.priority(order);
            }
        }
        let (exclusions, places) = (Vec::new(), Vec::new());
        Self {
            digits,
            peers,
            rules,
            watchers,
            words,
            exact,
            priorities,
            houses,
            places,
            exclusions,
            order,
        }
    }
}

fn numbers(cells: &[usize]) -> Vec<u16> {
    cells.iter().map(|&cell| cell as u16).collect()
}
