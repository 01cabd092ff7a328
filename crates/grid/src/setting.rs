//! The boxes and extra rules of grids, which most texts do not state.

use std::sync::Arc;

use super::shape::check_order;
use super::{GridRule, MAX_ORDER, Shape};

/// The boxes and extra rules of the grids in a file that does not state them.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// Whether grids have only rows and columns, unless the text itself draws regions.
    pub is_latin: bool,
    /// Width and height of the boxes. The default boxes are as square as possible and at least as
    /// wide as high.
    pub boxes: Option<(usize, usize)>,
    /// The extra rules.
    pub rules: Vec<GridRule>,
    /// The last shape that was built, so that the grids of a batch can share it.
    last: Option<Arc<Shape>>,
}

impl Setting {
    /// Returns the setting for Latin squares if `is_latin`, otherwise for Sudoku, with the given
    /// boxes and rules.
    #[must_use]
    pub fn new(is_latin: bool, boxes: Option<(usize, usize)>, rules: Vec<GridRule>) -> Self {
        Self { is_latin, boxes, rules, last: None }
    }

    /// Adds rules to the existing ones.
    pub fn add_rules(&mut self, more: &[GridRule]) {
        self.rules.extend_from_slice(more);
        self.rules.sort_unstable();
        self.rules.dedup();
    }

    /// Parses width and height of boxes.
    ///
    /// ```
    /// assert_eq!(grid::Setting::parse_boxes("3x2"), Ok((3, 2)));
    /// ```
    ///
    /// # Errors
    /// If the text is not two numbers from 1 to [`MAX_ORDER`] separated by `x`.
    pub fn parse_boxes(text: &str) -> Result<(usize, usize), String> {
        let size = |text: &str| text.trim().parse().ok().filter(|size| (1..=MAX_ORDER).contains(size));
        let sizes =
            text.split_once('x').and_then(|(width, height)| Some((size(width)?, size(height)?)));
        sizes
            .ok_or_else(|| format!("expected width x height of the boxes, such as 3x2, found `{text}`"))
    }

    /// Returns the shape of a grid of order `order` whose text draws no regions.
    ///
    /// If no boxes fit the order (a prime), the shape has only rows and columns.
    ///
    /// # Errors
    /// If the order is out of range, the boxes do not fit the order, or a rule does not fit.
    pub fn shape(&mut self, order: usize) -> Result<Arc<Shape>, String> {
        let boxes = self.boxes.or_else(|| default_boxes(order)).filter(|_| !self.is_latin);
        let is_same = |last: &&Arc<Shape>| {
            let is_plain = last.order() == order && last.boxes() == boxes && !last.is_jigsaw();
            is_plain && last.rules() == self.rules
        };
        if let Some(shape) = self.last.as_ref().filter(is_same) {
            return Ok(Arc::clone(shape));
        }
        check_order(order)?;
        let shape = match boxes {
            Some((width, height)) => {
                if width * height != order {
                    return Err(format!("boxes of {width}x{height} do not fit order {order}"));
                }
                Shape::sudoku(width, height, &self.rules)?
            }
            None => Shape::with_regions(order, None, &[], &self.rules)?,
        };
        Ok(self.remember(shape))
    }

    /// Returns the shape of a grid of order `order` with a region label for each cell. If all
    /// regions are boxes of one size, the shape is a Sudoku with these boxes.
    ///
    /// # Errors
    /// As [`Shape::jigsaw`], or if boxes were requested and the regions differ from them.
    pub fn jigsaw<L: Ord>(&mut self, order: usize, labels: &[L]) -> Result<Arc<Shape>, String> {
        let drawn = boxes_of(&Shape::jigsaw(order, labels, &[])?);
        if let Some((width, height)) = self.boxes.filter(|_| self.boxes != drawn) {
            return Err(format!("expected regions that are boxes of {width}x{height}, found others"));
        }
        let shape = match drawn {
            Some((width, height)) => Shape::sudoku(width, height, &self.rules)?,
            None => Shape::jigsaw(order, labels, &self.rules)?,
        };
        if let Some(last) = self.last.as_ref().filter(|last| ***last == shape) {
            return Ok(Arc::clone(last));
        }
        Ok(self.remember(shape))
    }

    fn remember(&mut self, shape: Shape) -> Arc<Shape> {
        let shape = Arc::new(shape);
        self.last = Some(Arc::clone(&shape));
        shape
    }

    /// Returns the header lines that a reader needs, in addition to the text of a grid, to
    /// reconstruct this shape.
    ///
    /// ```
    /// use grid::{GridRule, Setting, Shape};
    ///
    /// let shape = Shape::sudoku(2, 3, &[GridRule::Diagonals])?;
    /// assert_eq!(Setting::head(&shape), "# boxes: 2x3\n# rules: diagonals\n");
    /// assert_eq!(Setting::head(&Shape::latin(4)?), "# puzzle: latin\n");
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn head(shape: &Shape) -> String {
        let mut head = String::new();
        match (shape.boxes(), default_boxes(shape.order())) {
            (Some(boxes), default) if Some(boxes) != default => {
                head.push_str(&format!("# boxes: {}x{}\n", boxes.0, boxes.1));
            }
            // A grid of fewer than 16 cells is recognized only if the header states its kind.
            (None, default) if !shape.is_jigsaw() && (default.is_some() || shape.order() < 4) => {
                head.push_str("# puzzle: latin\n");
            }
            _ => {}
        }
        if !shape.rules().is_empty() {
            let rules: Vec<&str> = shape.rules().iter().map(|rule| rule.name()).collect();
            head.push_str(&format!("# rules: {}\n", rules.join(" ")));
        }
        head
    }
}

/// Returns the width and the height of the boxes, if the regions of a shape are boxes.
fn boxes_of(shape: &Shape) -> Option<(usize, usize)> {
    let (order, regions) = (shape.order(), shape.region_of_cells());
    let first = |cell: usize, (width, height): (usize, usize)| {
        let (row, column) = (cell / order, cell % order);
        row / height * height * order + column / width * width
    };
    (2..order)
        .filter(|height| order.is_multiple_of(*height))
        .map(|height| (order / height, height))
        .find(|&boxes| (0..shape.cell_count()).all(|cell| regions[cell] == regions[first(cell, boxes)]))
}

/// Returns the width and height of boxes that have `size` cells and tile a grid. The boxes are as
/// square as possible, and wide rather than high.
///
/// ```
/// assert_eq!(grid::boxes_of_size(6, 8, 8), Some((4, 2)));
/// assert_eq!(grid::boxes_of_size(9, 8, 9), None);
/// ```
#[must_use]
pub fn boxes_of_size(rows: usize, columns: usize, size: usize) -> Option<(usize, usize)> {
    let fits = |&(width, height): &(usize, usize)| {
        columns.is_multiple_of(width) && rows.is_multiple_of(height)
    };
    (2..=size.isqrt())
        .rev()
        .filter(|short| size.is_multiple_of(*short))
        .flat_map(|short| [(size / short, short), (short, size / short)])
        .find(fits)
}

/// Returns the cells of each box of a grid. Boxes and cells are in row-by-row order. The boxes must
/// tile the grid.
pub fn boxes(rows: usize, columns: usize, (width, height): (usize, usize)) -> Vec<Vec<usize>> {
    let corners = (0..rows).step_by(height.max(1));
    let corners =
        corners.flat_map(|top| (0..columns).step_by(width.max(1)).map(move |left| (top, left)));
    let cells = |(top, left): (usize, usize)| {
        (0..width * height).map(|i| (top + i / width) * columns + left + i % width).collect()
    };
    corners.map(cells).collect()
}

/// Returns the width and height of the squarest boxes of `order` cells that are at least as wide as
/// high and at least 2 high.
fn default_boxes(order: usize) -> Option<(usize, usize)> {
    (2..=order.isqrt())
        .rev()
        .find(|height| order.is_multiple_of(*height))
        .map(|height| (order / height, height))
}
