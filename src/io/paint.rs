//! Colors solutions on a terminal: bold clues, colored answers, and a color for each piece.

use std::io::IsTerminal;

use anstyle::{Ansi256Color, AnsiColor, Color, Style};

use super::args::When;
use super::host;
use puzzle::{Puzzle, TextUnits};

pub(crate) fn use_color(when: When, stream: &impl IsTerminal) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            !host::is_present() && stream.is_terminal() && !is_set("NO_COLOR") && !is_dumb
        }
    }
}

const CLUE: Style = Style::new().bold();
const ANSWER: Style = AnsiColor::Cyan.on_default();

/// Background colors of pieces, for black text. Colors next to each other in the list differ
/// clearly.
const PIECES: [u8; 24] = [
    110, 216, 114, 183, 222, 117, 175, 151, 209, 141, 186, 80, 218, 149, 146, 173, 123, 228, 169, 72,
    153, 137, 105, 203,
];

/// Returns the style of a piece: black on a color.
fn piece(number: usize) -> Style {
    let color = Ansi256Color(PIECES[number % PIECES.len()]);
    Style::new().bg_color(Some(Color::Ansi256(color))).fg_color(Some(Color::Ansi(AnsiColor::Black)))
}

#[derive(Debug)]
pub(crate) struct Painter {
    units: TextUnits,
    /// The text of the puzzle with its clues.
    puzzle: String,
}

impl Painter {
    pub(crate) fn new(puzzle: &dyn Puzzle) -> Self {
        let mut text = String::new();
        match puzzle.as_fill() {
            Some(fill) => {
                let mut grid = fill.grid().clone();
                // A dot is never a symbol, so a placed symbol always differs from an empty cell.
                grid.style.blank = '.';
                grid.style.format.write_solution(&grid, &grid, 1, &mut text);
            }
            None if puzzle.layout().units == TextUnits::Cells => {
                puzzle.show(puzzle.given(), 1, &mut text);
            }
            None => {}
        }
        Self { units: puzzle.layout().units, puzzle: text }
    }

    /// Appends `solution` to `out` with colors. Omits the colors if the text of the solution does
    /// not match the text of the puzzle.
    pub(crate) fn paint(&self, solution: &str, out: &mut String) {
        let mut brush = Brush { out, current: Style::new() };
        match self.units {
            TextUnits::Cells if self.puzzle.chars().count() == solution.chars().count() => {
                for (c, clue) in solution.chars().zip(self.puzzle.chars()) {
                    brush.put(
                        c,
                        match (c.is_alphanumeric(), c == clue) {
                            (false, _) => Style::new(),
                            (true, true) => CLUE,
                            (true, false) => ANSWER,
                        },
                    );
                }
            }
            TextUnits::Cells => brush.out.push_str(solution),
            TextUnits::Pieces => {
                let mut is_drawing = false;
                for line in solution.split_inclusive('\n') {
                    for c in line.chars() {
                        let is_piece = is_drawing && c.is_alphanumeric();
                        brush.put(c, if is_piece { piece(number_of(c)) } else { Style::new() });
                    }
                    is_drawing |= line.split_whitespace().next() == Some("tiling");
                }
            }
            TextUnits::Numbers => {
                for word in solution.split_inclusive(char::is_whitespace) {
                    let style = word.trim_end().parse().map_or(Style::new(), piece);
                    word.chars().for_each(|c| {
                        brush.put(c, if c.is_whitespace() { Style::new() } else { style });
                    });
                }
            }
            TextUnits::Lines => {
                for line in solution.split_inclusive('\n') {
                    let style = if line.starts_with('|') { Style::new() } else { ANSWER };
                    line.chars()
                        .for_each(|c| brush.put(c, if c == '\n' { Style::new() } else { style }));
                }
            }
        }
        brush.put_style(Style::new());
    }
}

/// Returns the color number of the piece with the one-character name `name`.
fn number_of(name: char) -> usize {
    name.to_digit(10).map_or(name as usize - '0' as usize, |digit| digit as usize)
}

/// Writes characters, with an escape sequence where the style changes.
struct Brush<'o> {
    out: &'o mut String,
    current: Style,
}

impl Brush<'_> {
    fn put(&mut self, c: char, style: Style) {
        self.put_style(style);
        self.out.push(c);
    }

    fn put_style(&mut self, style: Style) {
        if style != self.current {
            push!(self.out, "{}{}", self.current.render_reset(), style.render());
            self.current = style;
        }
    }
}
