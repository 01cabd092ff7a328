//! Colors on a terminal: the clues bold, the answers in color.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};

use crate::puzzle::Puzzle;

/// Whether to use colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, unless the environment has `NO_COLOR`.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Tells whether to use colors on `stream`.
#[must_use]
pub fn use_color(color: Color, stream: &impl IsTerminal) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
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
pub struct Painter {
    puzzle: String,
}

impl Painter {
    /// Prepares to paint solutions of `puzzle`.
    #[must_use]
    pub fn new(puzzle: &dyn Puzzle) -> Self {
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
    pub fn paint(&self, solution: &str, out: &mut String) {
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
