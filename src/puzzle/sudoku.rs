//! Sudoku: every row, column and region contains each symbol once.
//!
//! The regions are boxes of any width and height up to 8x8, or drawn in the text (jigsaw). Extra rules
//! are diagonals, windoku, anti-knight and anti-king. The translation is that of [`fill`](super::fill).

use super::{Kind, Parameter, Source, empty_grid};
use crate::grid::Setting;

pub(super) const KIND: Kind = Kind {
    name: "sudoku",
    summary: "a square with boxes or regions; each symbol once in every row, column and region",
    parameter: Some(Parameter {
        meaning: "the order of an empty grid, or width x height of its boxes",
        example: "2x2",
        make: |text, setting, _| {
            let order = match text.parse() {
                Ok(order) => order,
                Err(_) => {
                    let (width, height) = Setting::parse_boxes(text).map_err(|_| {
                        format!("expected an order or `width x height` of the boxes, found `{text}`")
                    })?;
                    setting.boxes = Some((width, height));
                    width * height
                }
            };
            Ok(empty_grid(setting.shape(order)?))
        },
    }),
    source: Source::Grids {
        is_latin: false,
        example: "800000000003600000070090200050007000000045700000100030001000068008500010090000400\n",
    },
};
