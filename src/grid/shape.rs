//! Which cells belong together: rows, columns, boxes or other regions, and the extra rules.

use std::collections::BTreeMap;

use super::MAX_ORDER;

/// An extra rule on top of rows, columns and regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// Both long diagonals contain every symbol (Sudoku X).
    Diagonals,
    /// Four more 3x3 boxes, one cell inside each corner, contain every symbol; order 9 only.
    Windoku,
    /// Cells a knight's move apart differ.
    AntiKnight,
    /// Cells that touch at a corner differ.
    AntiKing,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 4] = [Self::Diagonals, Self::Windoku, Self::AntiKnight, Self::AntiKing];

    /// Returns the name by which the rule is chosen.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Diagonals => "diagonals",
            Self::Windoku => "windoku",
            Self::AntiKnight => "anti-knight",
            Self::AntiKing => "anti-king",
        }
    }

    /// Reads a list of names, separated by blanks or commas.
    ///
    /// ```
    /// use farandole::grid::Rule;
    /// assert_eq!(Rule::parse_list("windoku, diagonals")?, [Rule::Diagonals, Rule::Windoku]);
    /// assert!(Rule::parse_list("diagonal").unwrap_err().starts_with("expected a rule"));
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// If a name is not a rule's.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let names = text.split([',', ' ']).filter(|name| !name.is_empty());
        let rules: Result<Vec<_>, _> = names
            .map(|name| {
                Self::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| {
                    let known = Self::ALL.map(Self::name).join(", ");
                    format!("expected a rule ({known}), found `{name}`")
                })
            })
            .collect();
        let mut rules = rules?;
        rules.sort_unstable();
        rules.dedup();
        Ok(rules)
    }
}

/// What the cells of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum GroupKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box or another region.
    Region,
    /// A long diagonal.
    Diagonal,
    /// One of the four boxes of windoku.
    Window,
    /// A knight's move, or the cells round a corner: fewer cells than symbols.
    Apart,
}

impl GroupKind {
    /// Returns what a group is called: "row".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Region => "region",
            Self::Diagonal => "diagonal",
            Self::Window => "window",
            Self::Apart => "cells that must differ",
        }
    }
}

/// Cells that must all differ. As many cells as symbols also means that each symbol occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellGroup {
    /// What they have in common.
    pub kind: GroupKind,
    /// The 0-based number among the groups of its kind.
    pub number: usize,
    /// The cells, ascending.
    pub cells: Vec<usize>,
}

/// The groups of an n x n square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    order: usize,
    /// Width and height of the boxes, if the regions are boxes.
    boxes: Option<(usize, usize)>,
    rules: Vec<Rule>,
    groups: Vec<CellGroup>,
}

impl Shape {
    /// Makes the shape of a Latin square: rows and columns.
    ///
    /// # Errors
    /// If the order is 0 or above [`MAX_ORDER`].
    pub fn latin(order: usize) -> Result<Self, String> {
        Self::with_regions(order, None, &[], &[])
    }

    /// Makes the shape of a Sudoku with boxes of that width and height; its order is their product.
    ///
    /// ```
    /// let shape = farandole::grid::Shape::sudoku(3, 2, &[])?;
    /// assert_eq!((shape.order(), shape.groups().len()), (6, 18));
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// If the order is 0 or above [`MAX_ORDER`], or a rule does not fit.
    pub fn sudoku(width: usize, height: usize, rules: &[Rule]) -> Result<Self, String> {
        let order = width.saturating_mul(height);
        check_order(order)?;
        let mut regions = vec![Vec::with_capacity(order); order];
        for cell in 0..order * order {
            let (row, column) = (cell / order, cell % order);
            regions[row / height * height + column / width].push(cell);
        }
        Self::with_regions(order, Some((width, height)), &regions, rules)
    }

    /// Makes the shape of a square with a region a cell: `regions` has n * n labels, and each label
    /// that occurs must occur n times.
    ///
    /// # Errors
    /// If the order or the size of a region is wrong, or a rule does not fit.
    pub fn jigsaw<L: Ord>(order: usize, labels: &[L], rules: &[Rule]) -> Result<Self, String> {
        check_order(order)?;
        if labels.len() != order * order {
            return Err(format!("expected {} region labels, found {}", order * order, labels.len()));
        }
        let mut regions: BTreeMap<&L, Vec<usize>> = BTreeMap::new();
        for (cell, label) in labels.iter().enumerate() {
            regions.entry(label).or_default().push(cell);
        }
        let regions: Vec<_> = regions.into_values().collect();
        if let Some(cells) = regions.iter().find(|cells| cells.len() != order) {
            let (row, column) = (cells[0] / order + 1, cells[0] % order + 1);
            let found = cells.len();
            return Err(format!(
                "expected {order} cells in each region, found {found} in that of row {row}, column \
                 {column}"
            ));
        }
        Self::with_regions(order, None, &regions, rules)
    }

    pub(super) fn with_regions(
        order: usize,
        boxes: Option<(usize, usize)>,
        regions: &[Vec<usize>],
        rules: &[Rule],
    ) -> Result<Self, String> {
        check_order(order)?;
        let mut shape = Self { order, boxes, rules: rules.to_vec(), groups: Vec::new() };
        for row in 0..order {
            shape.push(GroupKind::Row, (0..order).map(|column| row * order + column));
        }
        for column in 0..order {
            shape.push(GroupKind::Column, (0..order).map(|row| row * order + column));
        }
        for region in regions {
            shape.push(GroupKind::Region, region.iter().copied());
        }
        for &rule in rules {
            shape.add_rule(rule)?;
        }
        Ok(shape)
    }

    fn add_rule(&mut self, rule: Rule) -> Result<(), String> {
        let n = self.order;
        match rule {
            Rule::Diagonals => {
                self.push(GroupKind::Diagonal, (0..n).map(|i| i * n + i));
                self.push(GroupKind::Diagonal, (0..n).map(|i| i * n + n - 1 - i));
            }
            Rule::Windoku => {
                if n != 9 {
                    return Err(format!("the rule windoku needs order 9, found order {n}"));
                }
                for corner in [10, 14, 46, 50] {
                    self.push(GroupKind::Window, (0..9).map(|i| corner + i / 3 * 9 + i % 3));
                }
            }
            Rule::AntiKnight => {
                for cell in 0..n * n {
                    let (row, column) = (cell / n, cell % n);
                    for (down, right) in [(1, -2), (1, 2), (2, -1), (2, 1)] {
                        let other = column.checked_add_signed(right).filter(|&c| c < n);
                        if let Some(other) = other.filter(|_| row + down < n) {
                            self.push(GroupKind::Apart, [cell, (row + down) * n + other]);
                        }
                    }
                }
            }
            Rule::AntiKing => {
                for cell in (0..n * n).filter(|cell| cell / n + 1 < n && cell % n + 1 < n) {
                    self.push(GroupKind::Apart, [cell, cell + 1, cell + n, cell + n + 1]);
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, kind: GroupKind, cells: impl IntoIterator<Item = usize>) {
        let last = self.groups.last().filter(|group| group.kind == kind);
        let number = last.map_or(0, |group| group.number + 1);
        self.groups.push(CellGroup { kind, number, cells: cells.into_iter().collect() });
    }

    /// Returns n: the number of rows, columns and symbols.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns n * n.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.order * self.order
    }

    /// Returns width and height of the boxes, `None` for other regions or none.
    #[must_use]
    pub fn boxes(&self) -> Option<(usize, usize)> {
        self.boxes
    }

    /// Tells whether the regions are other than boxes.
    #[must_use]
    pub fn is_jigsaw(&self) -> bool {
        self.boxes.is_none() && self.regions().next().is_some()
    }

    /// Returns the extra rules, ascending.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the groups: rows, columns, regions, then those of the rules.
    #[must_use]
    pub fn groups(&self) -> &[CellGroup] {
        &self.groups
    }

    /// Returns the regions, boxes or other.
    pub fn regions(&self) -> impl Iterator<Item = &CellGroup> {
        self.groups.iter().filter(|group| group.kind == GroupKind::Region)
    }

    /// Returns for each cell the number of its region, nothing if there are no regions.
    #[must_use]
    pub fn region_of_cells(&self) -> Vec<usize> {
        let mut numbers = vec![0; self.cell_count()];
        let mut any = false;
        for group in self.regions() {
            any = true;
            for &cell in &group.cells {
                numbers[cell] = group.number;
            }
        }
        if any { numbers } else { Vec::new() }
    }

    /// Returns the candidates of a blank cell: one bit a symbol.
    #[must_use]
    pub fn all_symbols(&self) -> u64 {
        u64::MAX >> (MAX_ORDER - self.order)
    }

    /// Returns for each cell the groups that it is in, by index into [`groups`](Self::groups).
    #[must_use]
    pub fn groups_of_cells(&self) -> Vec<Vec<usize>> {
        let mut groups = vec![Vec::new(); self.cell_count()];
        for (index, group) in self.groups.iter().enumerate() {
            for &cell in &group.cells {
                groups[cell].push(index);
            }
        }
        groups
    }

    /// Returns for each cell the other cells that share a group with it, ascending.
    ///
    /// ```
    /// let shape = farandole::grid::Shape::sudoku(3, 3, &[])?;
    /// assert!(shape.peers().iter().all(|peers| peers.len() == 20));
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn peers(&self) -> Vec<Vec<usize>> {
        let mut peers = vec![Vec::new(); self.cell_count()];
        for group in &self.groups {
            for &cell in &group.cells {
                peers[cell].extend(group.cells.iter().copied().filter(|&other| other != cell));
            }
        }
        for peers in &mut peers {
            peers.sort_unstable();
            peers.dedup();
        }
        peers
    }
}

pub(super) fn check_order(order: usize) -> Result<(), String> {
    if (1..=MAX_ORDER).contains(&order) {
        Ok(())
    } else {
        Err(format!("expected an order from 1 to {MAX_ORDER}, found {order}"))
    }
}
