//! The layout of solution texts.

use grid::{Format, Grid};

/// The parts of a solution text that each get one color on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUnits {
    /// Characters at the same positions as in the text of the puzzle with its clues.
    Cells,
    /// Characters below a line `tiling`. Each character names a piece.
    Pieces,
    /// Words. Equal words get the same color.
    Numbers,
    /// Lines. Each line is a chosen option.
    Lines,
}

/// How the solution texts of a puzzle are put together.
#[derive(Clone, Copy, Debug)]
pub struct TextLayout<'p> {
    /// The units of a solution text. On a terminal, each unit has one color.
    pub units: TextUnits,
    /// Whether a solution takes a single line.
    pub is_line: bool,
    /// The text between two solutions.
    pub separator: &'static str,
    /// The grid whose format writes the other texts.
    grid: Option<&'p Grid>,
}

impl<'p> TextLayout<'p> {
    /// Returns the layout of solutions that take one line or, with empty lines between them,
    /// several lines.
    #[must_use]
    pub fn new(units: TextUnits, is_line: bool) -> Self {
        Self { units, is_line, separator: if is_line { "" } else { "\n" }, grid: None }
    }

    /// Returns the layout that the format of a grid prescribes.
    pub(super) fn of(grid: &'p Grid) -> Self {
        let &Format { is_line, separator, .. } = grid.style.format;
        Self { units: TextUnits::Cells, is_line, separator, grid: Some(grid) }
    }

    /// Writes the text before the first solution.
    pub fn show_head(&self, out: &mut String) {
        out.extend(self.grid.map(|grid| (grid.style.format.head)(grid, true)));
    }

    /// Writes the text for a puzzle without a solution.
    pub fn show_unsolvable(&self, out: &mut String) {
        match self.grid {
            Some(grid) => (grid.style.format.write_unsolvable)(grid, out),
            None => out.push_str("no solution\n"),
        }
    }
}
