//! Colors on a terminal: the clues bold, the answers in color.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};

use super::args::When;
use crate::puzzle::Puzzle;

/// Tells whether to use colors on `stream`.
pub(in crate::cli) fn use_color(when: When, stream: &impl IsTerminal) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            stream.is_terminal() && !is_set("NO_COLOR") && !is_dumb
        }
    }
}

const CLUE: Style = Style::new().bold();
const ANSWER: Style = AnsiColor::Cyan.on_default();

/// Paints the solutions of one puzzle.
///
/// What a solution's text shares with the puzzle's own is a clue; where they differ it is an answer.
#[derive(Debug)]
pub(in crate::cli) struct Painter {
    puzzle: String,
}

impl Painter {
    /// Prepares to paint solutions of `puzzle`.
    pub(in crate::cli) fn new(puzzle: &dyn Puzzle) -> Self {
        let mut text = String::new();
        if let Some(fill) = puzzle.as_fill() {
            let mut grid = fill.grid().clone();
            // A dot is never a symbol, so that every empty cell differs from its answer.
            grid.style.blank = '.';
            grid.style.format.write_solution(&grid, &grid, 1, &mut text);
        }
        Self { puzzle: text }
    }

    /// Appends `solution` to `out` with colors; without, if the texts do not match line by line.
    pub(in crate::cli) fn paint(&self, solution: &str, out: &mut String) {
        if self.puzzle.chars().count() != solution.chars().count() {
            out.push_str(solution);
            return;
        }
        let mut current = Style::new();
        for (c, clue) in solution.chars().zip(self.puzzle.chars()) {
            let style = match (c.is_alphanumeric(), c == clue) {
                (false, _) => Style::new(),
                (true, true) => CLUE,
                (true, false) => ANSWER,
            };
            if style != current {
                out.push_str(&format!("{}{}", current.render_reset(), style.render()));
                current = style;
            }
            out.push(c);
        }
        out.push_str(&current.render_reset().to_string());
    }
}
