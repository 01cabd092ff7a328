//! Groups of cells that must differ: rows, columns, boxes or other regions, and the groups of extra
//! rules.
//!
//! A square has as many symbols as rows and columns. A [`GridLayout`] describes other shapes, which
//! may have different row and column counts, more symbols than a row has cells, cells in no region,
//! and cells outside all rows and columns. A group may then have fewer cells than there are
//! symbols, and each symbol occurs in the group at most once.

use std::collections::BTreeMap;

use super::MAX_ORDER;

/// An extra rule on top of rows, columns and regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GridRule {
    /// Both long diagonals contain every symbol (Sudoku X).
    Diagonals,
    /// Extra boxes contain every symbol. One line of cells separates them from each other and from
    /// the border, so a 9x9 Sudoku has four.
    Windoku,
    /// Two cells a knight's move apart have different symbols.
    AntiKnight,
    /// Two cells that touch at a corner have different symbols.
    AntiKing,
}

impl GridRule {
    /// All rules.
    pub const ALL: [Self; 4] = [Self::Diagonals, Self::Windoku, Self::AntiKnight, Self::AntiKing];

    /// Returns the name of the rule.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Diagonals => "diagonals",
            Self::Windoku => "windoku",
            Self::AntiKnight => "anti-knight",
            Self::AntiKing => "anti-king",
        }
    }

    /// Parses a list of names, separated by spaces or commas.
    ///
    /// ```
    /// use grid::GridRule;
    /// assert_eq!(GridRule::parse_list("windoku, diagonals")?, [GridRule::Diagonals, GridRule::Windoku]);
    /// assert!(GridRule::parse_list("diagonal").unwrap_err().starts_with("expected a rule"));
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// If a name is unknown.
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

/// The kind of a group of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box or another region.
    Region,
    /// A long diagonal.
    Diagonal,
    /// An extra box of the rule Windoku.
    Window,
    /// Two cells that are a knight's move apart or touch at a corner. Such a group has fewer cells
    /// than there are symbols.
    Apart,
}

impl GroupKind {
    /// Returns the first letter of the names of this kind's items.
    pub const fn letter(self) -> char {
        match self {
            Self::Row => 'r',
            Self::Column => 'c',
            Self::Region => 'b',
            Self::Diagonal => 'd',
            Self::Window => 'w',
            Self::Apart => 'a',
        }
    }

    /// Returns the name of the kind, such as "row".
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

/// Cells that must all differ. If there are as many cells as symbols, each symbol occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellGroup {
    /// The kind of the group.
    pub kind: GroupKind,
    /// The 0-based index among the groups of its kind.
    pub number: usize,
    /// The cells, in ascending order.
    pub cells: Vec<usize>,
}

/// Describes a shape that may differ from a square with as many symbols as rows.
#[derive(Clone, Copy, Debug)]
pub struct GridLayout<'l> {
    /// The number of rows, 1 to [`MAX_ORDER`].
    pub rows: usize,
    /// The number of columns, 1 to [`MAX_ORDER`].
    pub columns: usize,
    /// The number of symbols, 1 to [`MAX_ORDER`].
    pub symbols: usize,
    /// The number of cells outside the rows, at most [`OUTSIDE_MAX`], which have the highest cell
    /// numbers.
    pub outside: usize,
    /// Whether the cells of each row must differ, and those in each column too.
    pub has_lines: bool,
    /// Disjoint sets of cells that must differ. Some cells may be in no region.
    pub regions: &'l [Vec<usize>],
    /// The extra rules.
    pub rules: &'l [GridRule],
}

/// Maximum number of cells outside the rows of a shape.
pub const OUTSIDE_MAX: usize = 1000;

/// The groups of a grid, and its row, column and symbol counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    order: usize,
    rows: usize,
    columns: usize,
    outside: usize,
    is_square: bool,
    boxes: Option<(usize, usize)>,
    rules: Vec<GridRule>,
    groups: Vec<CellGroup>,
}

impl Shape {
    /// Returns the shape of a Latin square: rows and columns.
    ///
    /// # Errors
    /// If the order is 0 or above [`MAX_ORDER`].
    pub fn latin(order: usize) -> Result<Self, String> {
        Self::with_regions(order, None, &[], &[])
    }

    /// Returns the shape of a Sudoku with boxes of this width and height. The order is the product
    /// of both.
    ///
    /// ```
    /// let shape = grid::Shape::sudoku(3, 2, &[])?;
    /// assert_eq!((shape.order(), shape.groups().len()), (6, 18));
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// If the order is 0 or above [`MAX_ORDER`], or a rule does not fit.
    pub fn sudoku(width: usize, height: usize, rules: &[GridRule]) -> Result<Self, String> {
        let order = width.saturating_mul(height);
        check_order(order)?;
        let mut regions = vec![Vec::with_capacity(order); order];
        for cell in 0..order * order {
            let (row, column) = (cell / order, cell % order);
            regions[row / height * height + column / width].push(cell);
        }
        Self::with_regions(order, Some((width, height)), &regions, rules)
    }

    /// Returns the shape of a square with one region label per cell. Each label that occurs must
    /// occur `order` times.
    ///
    /// # Errors
    /// If the order or the size of a region is wrong, or a rule does not fit.
    pub fn jigsaw<L: Ord>(order: usize, labels: &[L], rules: &[GridRule]) -> Result<Self, String> {
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
        rules: &[GridRule],
    ) -> Result<Self, String> {
        check_order(order)?;
        let layout = GridLayout {
            rows: order,
            columns: order,
            symbols: order,
            outside: 0,
            has_lines: true,
            regions,
            rules,
        };
        Self::build(&layout, boxes)
    }

    /// Returns a shape that need not be a square.
    ///
    /// Regions that are boxes of one size and tile the grid count as boxes.
    ///
    /// ```
    /// use grid::{GridLayout, Shape};
    ///
    /// let layout = GridLayout {
    ///     rows: 2, columns: 3, symbols: 4, outside: 1, has_lines: true, regions: &[], rules: &[],
    /// };
    /// let shape = Shape::of(&layout)?;
    /// assert_eq!((shape.order(), shape.cell_count(), shape.groups().len()), (4, 7, 5));
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// If a number is out of range, a group has more cells than there are symbols, a region
    /// contains a cell that does not exist or is in another region, or a rule does not fit.
    pub fn of(layout: &GridLayout<'_>) -> Result<Self, String> {
        [layout.rows, layout.columns, layout.symbols].into_iter().try_for_each(check_order)?;
        if layout.outside > OUTSIDE_MAX {
            return Err(format!(
                "expected at most {OUTSIDE_MAX} cells beside the grid, found {}",
                layout.outside
            ));
        }
        let mut free = vec![true; layout.rows * layout.columns];
        for &cell in layout.regions.iter().flatten() {
            if !free.get_mut(cell).is_some_and(std::mem::take) {
                return Err(format!(
                    "expected each cell in one region at most, found cell {cell} again"
                ));
            }
        }
        let shape = Self::build(layout, boxes_of(layout))?;
        match shape.groups.iter().find(|group| group.cells.len() > layout.symbols) {
            Some(group) => Err(format!(
                "expected at most {} cells, one a symbol, in each {}, found {}",
                layout.symbols,
                group.kind.name(),
                group.cells.len()
            )),
            None => Ok(shape),
        }
    }

    fn build(layout: &GridLayout<'_>, boxes: Option<(usize, usize)>) -> Result<Self, String> {
        let &GridLayout { rows, columns, symbols, outside, .. } = layout;
        let rules = layout.rules.to_vec();
        let is_square = layout.has_lines
            && (rows, columns, outside) == (symbols, symbols, 0)
            && (layout.regions.is_empty() || layout.regions.len() == symbols)
            && layout.regions.iter().all(|region| region.len() == symbols);
        let groups = Vec::new();
        let mut shape =
            Self { order: symbols, rows, columns, outside, is_square, boxes, rules, groups };
        if layout.has_lines {
            for row in 0..rows {
                shape.push(GroupKind::Row, (0..columns).map(|column| row * columns + column));
            }
            for column in 0..columns {
                shape.push(GroupKind::Column, (0..rows).map(|row| row * columns + column));
            }
        }
        for region in layout.regions {
            shape.push(GroupKind::Region, region.iter().copied());
        }
        for &rule in layout.rules {
            shape.add_rule(rule)?;
        }
        Ok(shape)
    }

    fn add_rule(&mut self, rule: GridRule) -> Result<(), String> {
        let (rows, columns) = (self.rows, self.columns);
        match rule {
            GridRule::Diagonals => {
                if rows != columns {
                    return Err(format!(
                        "the rule diagonals needs a square, found {rows} rows of {columns} cells"
                    ));
                }
                self.push(GroupKind::Diagonal, (0..rows).map(|i| i * rows + i));
                self.push(GroupKind::Diagonal, (0..rows).map(|i| i * rows + rows - 1 - i));
            }
            GridRule::Windoku => {
                // The extra boxes have the size of the boxes, and one line of cells separates them.
                let boxes = if (rows, columns) == (9, 9) { Some((3, 3)) } else { self.boxes };
                let (width, height) = boxes.unwrap_or((0, 0));
                if width < 2 || height < 2 || rows <= height || columns <= width {
                    return Err(format!(
                        "the rule windoku needs boxes, found a grid of order {} without",
                        self.order
                    ));
                }
                let starts = |side: usize, size: usize| (1..side - size).step_by(size + 1);
                for (top, left) in starts(rows, height)
                    .flat_map(|top| starts(columns, width).map(move |left| (top, left)))
                {
                    let cell = |i: usize| (top + i / width) * columns + left + i % width;
                    self.push(GroupKind::Window, (0..width * height).map(cell));
                }
            }
            GridRule::AntiKnight => {
                for cell in 0..rows * columns {
                    let (row, column) = (cell / columns, cell % columns);
                    for (down, right) in [(1, -2), (1, 2), (2, -1), (2, 1)] {
                        let other = column.checked_add_signed(right).filter(|&c| c < columns);
                        if let Some(other) = other.filter(|_| row + down < rows) {
                            self.push(GroupKind::Apart, [cell, (row + down) * columns + other]);
                        }
                    }
                }
            }
            GridRule::AntiKing => {
                let is_corner =
                    |cell: &usize| cell / columns + 1 < rows && cell % columns + 1 < columns;
                for cell in (0..rows * columns).filter(is_corner) {
                    self.push(GroupKind::Apart, [cell, cell + 1, cell + columns, cell + columns + 1]);
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

    /// Returns the number of symbols, which in a square equals the number of rows and columns.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of cells outside the rows, which have the highest cell numbers.
    #[must_use]
    pub fn outside(&self) -> usize {
        self.outside
    }

    /// Returns whether the symbol, row and column counts are equal, no cells are outside the rows,
    /// and each row, column and region contains every symbol.
    #[must_use]
    pub fn is_square(&self) -> bool {
        self.is_square
    }

    /// Returns whether the cells of each row must differ, and also the cells of each column.
    #[must_use]
    pub fn has_lines(&self) -> bool {
        self.groups.first().is_some_and(|group| group.kind == GroupKind::Row)
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.rows * self.columns + self.outside
    }

    /// Returns the row and column of a cell, from 0. Cells outside the rows are placed below the
    /// others, after an empty row.
    #[must_use]
    pub fn place(&self, cell: usize) -> (usize, usize) {
        let row = cell / self.columns;
        (if row < self.rows { row } else { row + 1 }, cell % self.columns)
    }

    /// Returns the width and height of the boxes, or `None` if the regions are not boxes, or
    /// without regions.
    #[must_use]
    pub fn boxes(&self) -> Option<(usize, usize)> {
        self.boxes
    }

    /// Returns whether the shape has regions that are not boxes.
    #[must_use]
    pub fn is_jigsaw(&self) -> bool {
        self.boxes.is_none() && self.regions().next().is_some()
    }

    /// Returns the extra rules in ascending order.
    #[must_use]
    pub fn rules(&self) -> &[GridRule] {
        &self.rules
    }

    /// Returns the groups in the order rows, columns, regions, groups of the extra rules.
    #[must_use]
    pub fn groups(&self) -> &[CellGroup] {
        &self.groups
    }

    /// Returns the boxes or other regions.
    pub fn regions(&self) -> impl Iterator<Item = &CellGroup> {
        self.groups.iter().filter(|group| group.kind == GroupKind::Region)
    }

    /// Returns the index of the region of each cell. A cell in no region has the number of regions
    /// as its index. Returns an empty list if the shape has no regions.
    #[must_use]
    pub fn region_of_cells(&self) -> Vec<usize> {
        let mut numbers = vec![self.regions().count(); self.cell_count()];
        let mut any = false;
        for group in self.regions() {
            any = true;
            for &cell in &group.cells {
                numbers[cell] = group.number;
            }
        }
        if any { numbers } else { Vec::new() }
    }

    /// Returns the candidates of a blank cell, with one bit for each symbol.
    #[must_use]
    pub fn all_symbols(&self) -> u64 {
        u64::MAX >> (MAX_ORDER - self.order)
    }

    /// Returns the groups that contain each cell, as indices into [`groups`](Self::groups).
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

    /// Returns for each cell the other cells that share a group with it, in ascending order.
    ///
    /// ```
    /// let shape = grid::Shape::sudoku(3, 3, &[])?;
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

fn boxes_of(layout: &GridLayout<'_>) -> Option<(usize, usize)> {
    let (columns, first) = (layout.columns, layout.regions.first()?);
    let (start, end) = (*first.iter().min()?, *first.iter().max()?);
    let (width, height) =
        ((end % columns).checked_sub(start % columns)? + 1, (end / columns - start / columns) + 1);
    if width < 2 || height < 2 || !columns.is_multiple_of(width) || !layout.rows.is_multiple_of(height)
    {
        return None;
    }
    let box_of = |cell: usize| (cell / columns / height, cell % columns / width);
    let is_box = |region: &Vec<usize>| {
        region.len() == width * height && region.iter().all(|&cell| box_of(cell) == box_of(region[0]))
    };
    let covered = layout.regions.len() * width * height;
    (covered == layout.rows * columns && layout.regions.iter().all(is_box)).then_some((width, height))
}

pub(super) fn check_order(order: usize) -> Result<(), String> {
    if (1..=MAX_ORDER).contains(&order) {
        Ok(())
    } else {
        Err(format!("expected an order from 1 to {MAX_ORDER}, found {order}"))
    }
}
