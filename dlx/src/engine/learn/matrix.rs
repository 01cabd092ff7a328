//! The incidence matrix of options and items, stored by option and by item, and the literals over
//! the options.

use std::ops::Not;

use crate::model::{Color, Problem};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) const fn take(option: u32) -> Self {
        Self(option << 1)
    }

    pub(super) const fn reject(option: u32) -> Self {
        Self(option << 1 | 1)
    }

    pub(super) const fn option(self) -> u32 {
        self.0 >> 1
    }

    pub(super) const fn is_take(self) -> bool {
        self.0 & 1 == 0
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) const fn number(self) -> u32 {
        self.0
    }

    pub(super) const fn from_number(number: u32) -> Self {
        Self(number)
    }
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Matrix {
    /// Option `o` has the entries `option_starts[o] .. option_starts[o + 1]` of `items` and
    /// `colors`. The primary items of option `o` come first, up to `primary_ends[o]`.
    option_starts: Vec<u32>,
    primary_ends: Vec<u32>,
    items: Vec<u32>,
    /// The color number of each entry, 0 for no color. The list is empty if the problem has no
    /// colors.
    colors: Vec<u32>,
    /// Item `i` belongs to the options `item_starts[i] .. item_starts[i + 1]` of `options`, which
    /// give it the colors in `option_colors`.
    item_starts: Vec<u32>,
    options: Vec<u32>,
    option_colors: Vec<u32>,
    primary: Vec<u32>,
}

impl Matrix {
    pub(super) fn new(problem: &Problem) -> Self {
        let entry_count = problem.entry_count();
        let colored_count = if problem.has_colors() { entry_count } else { 0 };
        let primary = problem.items().filter(|&item| problem.is_primary(item));
        let mut matrix = Self {
            option_starts: Vec::with_capacity(problem.option_count() + 1),
            primary_ends: Vec::with_capacity(problem.option_count()),
            items: Vec::with_capacity(entry_count),
            colors: Vec::with_capacity(colored_count),
            item_starts: vec![0; problem.item_count() + 1],
            options: vec![0; entry_count],
            option_colors: vec![0; colored_count],
            primary: primary.map(|item| item.index() as u32).collect(),
        };
        matrix.option_starts.push(0);
        for entry in problem.options().flat_map(|option| problem.option(option)) {
            matrix.item_starts[entry.item.index() + 1] += 1;
        }
        for item in 0..problem.item_count() {
            matrix.item_starts[item + 1] += matrix.item_starts[item];
        }
        let mut next = matrix.item_starts.clone();
        for option in problem.options() {
            for is_primary in [true, false] {
                let entries = problem.option(option).iter();
                for entry in entries.filter(|entry| problem.is_primary(entry.item) == is_primary) {
                    let place = next[entry.item.index()] as usize;
                    next[entry.item.index()] += 1;
                    matrix.items.push(entry.item.index() as u32);
                    matrix.options[place] = option.index() as u32;
                    if colored_count > 0 {
                        let color = entry.color.map_or(0, Color::number);
                        matrix.colors.push(color);
                        matrix.option_colors[place] = color;
                    }
                }
                if is_primary {
                    matrix.primary_ends.push(matrix.items.len() as u32);
                }
            }
            matrix.option_starts.push(matrix.items.len() as u32);
        }
        matrix
    }

    pub(super) fn option_count(&self) -> usize {
        self.option_starts.len() - 1
    }

    pub(super) fn entry_count(&self) -> usize {
        self.items.len()
    }

    pub(super) fn item_count(&self) -> usize {
        self.item_starts.len() - 1
    }

    pub(super) fn primary(&self) -> &[u32] {
        &self.primary
    }

    pub(super) fn items_of(&self, option: u32) -> &[u32] {
        let option = option as usize;
        &self.items[self.option_starts[option] as usize..self.option_starts[option + 1] as usize]
    }

    pub(super) fn primary_of(&self, option: u32) -> &[u32] {
        let option = option as usize;
        &self.items[self.option_starts[option] as usize..self.primary_ends[option] as usize]
    }

    pub(super) fn color_of(&self, option: u32, place: usize) -> u32 {
        let record = self.option_starts[option as usize] as usize + place;
        self.colors.get(record).copied().unwrap_or(0)
    }

    pub(super) fn options_of(&self, item: u32) -> &[u32] {
        let item = item as usize;
        &self.options[self.item_starts[item] as usize..self.item_starts[item + 1] as usize]
    }

    pub(super) fn color_in(&self, item: u32, place: usize) -> u32 {
        let record = self.item_starts[item as usize] as usize + place;
        self.option_colors.get(record).copied().unwrap_or(0)
    }
}
