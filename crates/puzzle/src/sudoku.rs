//! Sudoku: every row, column and region contains each symbol once.
//!
//! The regions are boxes of any width and height up to 8x8, or are drawn in the text (jigsaw). The
//! extra rules are diagonals, windoku, anti-knight and anti-king. [`fill`](super::fill) translates
//! them.

use super::{Kind, Parameter, PuzzleSource, empty_grid};
use grid::{MAX_ORDER, Setting};

/// The kind.
pub const KIND: Kind = Kind {
    name: "sudoku",
    summary: "a square with boxes or regions; each symbol once in every row, column and region",
    parameter: Some(Parameter {
        meaning: "the order of an empty grid, or width x height of its boxes",
        example: "2x2",
        make: |text, setting, _| {
            let order = match text.parse() {
                Ok(order) => order,
                Err(_) => {
                    let boxes = Setting::parse_boxes(text).map_err(|_| {
                        format!("expected an order or `width x height` of the boxes, found `{text}`")
                    })?;
                    use_boxes(boxes, setting)?
                }
            };
            Ok(empty_grid(setting.shape(order)?))
        },
    }),
    source: PuzzleSource::Grids {
        is_latin: false,
        example: "800000000003600000070090200050007000000045700000100030001000068008500010090000400\n",
    },
};

/// Sets the boxes given by a parameter, and returns the order of the grid.
fn use_boxes(boxes: (usize, usize), setting: &mut Setting) -> Result<usize, String> {
    let (width, height) = boxes;
    if let Some((other_width, other_height)) = setting.boxes.filter(|others| *others != boxes) {
        return Err(format!(
            "expected the boxes once, found {width}x{height} and, by --boxes, \
             {other_width}x{other_height}"
        ));
    }
    setting.boxes = Some(boxes);
    let order = width * height;
    if order > MAX_ORDER && width == height {
        // A user who writes 9x9 means a grid of 9 rows and columns, not boxes of that size.
        let meant = Setting::default().shape(width)?;
        if let Some((width, height)) = meant.boxes() {
            return Err(format!(
                "expected the width and height of a box, so {width}x{height} for a grid of {}x{} \
                 cells, found \
                 {}x{}",
                boxes.0, boxes.1, boxes.0, boxes.1
            ));
        }
    }
    Ok(order)
}
