//! Counts the fillings of one band, for given splits of its three boxes (a split assigns each digit
//! of a box to a column).
//!
//! Digits with the same candidates in the band are equivalent. The digits are renamed such that
//! equivalent digits are sorted by their columns in the first split. So only a few classes of first
//! splits remain. One table has the filling counts, indexed by the class of the first split, the
//! second split and the third split. Without clues it has 1 x 1680 x 1680 entries, and each clue
//! divides one side by 3. A row of the table is computed at its first use. If equivalent digits can
//! be renamed once more, it is a permutation of another row; otherwise the fillings of the boxes
//! are enumerated.

use std::sync::OnceLock;

use super::box3::Box3;
use super::split::{NONE, Renaming, SPLITS, SPLITS_ALL};

pub(super) struct Band {
    /// The cells that can have each digit, in the layout of [`super::layout`].
    allowed: [u32; 9],
    alike: Vec<Vec<u8>>,
    splits: [Vec<u16>; 3],
    /// For each split, its index in that list; `NONE` if it is not in the list.
    places: [Vec<u16>; 3],
    classes: Vec<u16>,
    /// The representative split of each class.
    heads: Vec<u16>,
    /// For each first split, the index of every second (or third) split after the renaming that
    /// belongs to the first split.
    renamed: [Vec<u16>; 2],
    /// The filling counts by class and second split; `None` if all counts of the row are 0.
    rows: Vec<OnceLock<Option<Box<[u16]>>>>,
}

/// Returns the splits of box `nth` of a band that assign each digit to a column where `allowed` has
/// a cell for it.
pub(super) fn splits_of(allowed: &[u32; 9], nth: usize) -> Vec<u16> {
    let fits = |&split: &u16| {
        let mut columns = SPLITS_ALL.columns(split).iter().zip(allowed);
        columns.all(|(&column, cells)| cells >> (9 * nth + 3 * usize::from(column)) & 7 != 0)
    };
    (0..SPLITS as u16).filter(fits).collect()
}

impl Band {
    pub(super) fn new(allowed: &[u32; 9]) -> Self {
        let mut alike: Vec<Vec<u8>> = Vec::new();
        for digit in 0..9 {
            let same = |set: &&mut Vec<u8>| allowed[usize::from(set[0])] == allowed[usize::from(digit)];
            match alike.iter_mut().find(same) {
                Some(set) => set.push(digit),
                None => alike.push(vec![digit]),
            }
        }
        let splits = [0, 1, 2].map(|nth| splits_of(allowed, nth));
        let places = [0, 1, 2].map(|nth: usize| {
            let mut places = vec![NONE; SPLITS];
            splits[nth]
                .iter()
                .enumerate()
                .for_each(|(k, &split)| places[usize::from(split)] = k as u16);
            places
        });
        let mut class_of = vec![NONE; SPLITS];
        let (mut classes, mut heads) = (Vec::new(), Vec::new());
        let mut renamed =
            [1, 2].map(|nth: usize| Vec::with_capacity(splits[0].len() * splits[nth].len()));
        for &first in &splits[0] {
            let renaming = Renaming::new(&names(SPLITS_ALL.columns(first), &alike));
            let head = renaming.apply(first);
            let class = &mut class_of[usize::from(head)];
            if *class == NONE {
                *class = heads.len() as u16;
                heads.push(head);
            }
            classes.push(*class);
            for nth in [1, 2] {
                let place = |&split: &u16| places[nth][usize::from(renaming.apply(split))];
                renamed[nth - 1].extend(splits[nth].iter().map(place));
            }
        }
        let rows = (0..heads.len() * splits[1].len()).map(|_| OnceLock::new()).collect();
        Self { allowed: *allowed, alike, splits, places, classes, heads, renamed, rows }
    }

    pub(super) fn splits(&self, nth: usize) -> &[u16] {
        &self.splits[nth]
    }

    pub(super) fn class(&self, first: u16) -> u16 {
        self.classes[usize::from(first)]
    }

    /// Returns the index of each second split after the renaming that maps the split `first` to the
    /// representative of its class.
    pub(super) fn second(&self, first: u16) -> &[u16] {
        let count = self.splits[1].len();
        &self.renamed[0][usize::from(first) * count..][..count]
    }

    pub(super) fn third(&self, first: u16) -> &[u16] {
        let count = self.splits[2].len();
        &self.renamed[1][usize::from(first) * count..][..count]
    }

    /// Returns the filling counts for a class and a renamed second split, indexed by the third
    /// split. Returns `None` if all are 0.
    #[inline]
    pub(super) fn row(&self, class: u16, second: u16) -> Option<&[u16]> {
        let row = usize::from(class) * self.splits[1].len() + usize::from(second);
        match self.rows[row].get() {
            Some(row) => row.as_deref(),
            None => self.rows[row].get_or_init(|| self.fill(class, second)).as_deref(),
        }
    }

    #[cold]
    fn fill(&self, class: u16, second: u16) -> Option<Box<[u16]>> {
        let head = self.heads[usize::from(class)];
        let split = self.splits[1][usize::from(second)];
        let (columns, more) = (SPLITS_ALL.columns(head), SPLITS_ALL.columns(split));
        // Equivalent digits with the same first column are adjacent, so this renaming keeps the
        // first split sorted.
        let pairs: [u8; 9] = std::array::from_fn(|digit| 3 * columns[digit] + more[digit]);
        let names = names(&pairs, &self.alike);
        if names == [0, 1, 2, 3, 4, 5, 6, 7, 8] {
            return self.enumerate(head, split);
        }
        let renaming = Renaming::new(&names);
        let known = self.row(class, self.places[1][usize::from(renaming.apply(split))])?;
        let place = |&third: &u16| usize::from(self.places[2][usize::from(renaming.apply(third))]);
        Some(self.splits[2].iter().map(|third| known[place(third)]).collect())
    }

    fn enumerate(&self, first: u16, second: u16) -> Option<Box<[u16]>> {
        let boxes = [0, 1, 2].map(|nth| Box3::new(&self.allowed, nth));
        let (firsts, seconds) = (boxes[0].fillings(first), boxes[1].fillings(second));
        let mut ways = vec![0; self.splits[2].len()];
        let mut is_empty = true;
        for a in &firsts {
            for b in seconds.iter().filter(|b| a.go_together(b)) {
                boxes[2].for_each_split(a.rest(b), |split| {
                    ways[usize::from(self.places[2][usize::from(split)])] += 1;
                    is_empty = false;
                });
            }
        }
        (!is_empty).then(|| ways.into())
    }
}

/// Returns new names of the digits that sort equivalent digits by their columns.
fn names(columns: &[u8; 9], alike: &[Vec<u8>]) -> [u8; 9] {
    let mut names = [0; 9];
    for set in alike {
        let mut sorted = [0; 9];
        let sorted = &mut sorted[..set.len()];
        sorted.copy_from_slice(set);
        sorted.sort_by_key(|&digit: &u8| columns[usize::from(digit)]);
        sorted.iter().zip(set).for_each(|(&digit, &name)| names[usize::from(digit)] = name);
    }
    names
}
