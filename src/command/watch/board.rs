//! Draws the puzzle with the symbols placed so far.

use dlx::OptionId;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::state::WatchState;
use puzzle::{Fill, Puzzle};

const CLUE: Style = Style::new().add_modifier(Modifier::BOLD);
const TRIED: Style = Style::new().fg(Color::Cyan);
const LAST: Style = Style::new().fg(Color::Black).bg(Color::Yellow);
const DIM: Style = Style::new().fg(Color::DarkGray);

pub(super) fn lines(puzzle: &dyn Puzzle, state: &WatchState) -> Vec<Line<'static>> {
    match puzzle.as_fill() {
        Some(fill) => grid(fill, state),
        None => text(puzzle, state),
    }
}

/// Draws a grid, with lines between regions.
fn grid(fill: &Fill, state: &WatchState) -> Vec<Line<'static>> {
    let (shape, alphabet) = (fill.grid().shape(), fill.grid().style.alphabet);
    let order = shape.order();
    let regions = shape.region_of_cells();
    let region = |row: usize, column: usize| regions.get(row * order + column).copied();
    let cover = state.cover();
    let mut symbols = vec![None; order * order];
    for &option in &cover {
        let (cell, symbol) = fill.placement(option);
        symbols[cell] = Some(symbol);
    }
    let last = state.path().iter().rev().find_map(|choice| choice.option);
    let last = last.map(|option| fill.placement(option).0);
    let width = if alphabet.character(0).is_some() { 1 } else { order.to_string().len() };
    // Widen the gap between two columns if any row needs a line there.
    let is_bar = |row: usize, column: usize| region(row, column) != region(row, column + 1);
    let is_edge = |row: usize, column: usize| region(row, column) != region(row + 1, column);
    let is_wide: Vec<bool> =
        (1..order).map(|column| (0..order).any(|row| is_bar(row, column - 1))).collect();
    let mut lines = Vec::new();
    for row in 0..order {
        let mut spans = vec![Span::raw(" ")];
        for column in 0..order {
            let cell = row * order + column;
            let style = match symbols[cell] {
                None => DIM,
                Some(_) if Some(cell) == last => LAST,
                Some(_) if fill.grid().symbol(cell).is_some() => CLUE,
                Some(_) => TRIED,
            };
            let text = symbols[cell].map_or_else(|| "·".to_owned(), |symbol| name(fill, symbol));
            spans.push(Span::styled(format!("{text:>width$}"), style));
            let gap = match is_wide.get(column) {
                Some(true) if is_bar(row, column) => " │ ",
                Some(true) => "   ",
                Some(false) => " ",
                None => "",
            };
            spans.push(Span::styled(gap, DIM));
        }
        lines.push(Line::from(spans));
        if row + 1 == order || (0..order).all(|column| !is_edge(row, column)) {
            continue;
        }
        let line = |is_edge: bool| if is_edge { '─' } else { ' ' };
        let mut below = String::from(" ");
        for column in 0..order {
            let here = is_edge(row, column);
            below.extend(std::iter::repeat_n(line(here), width));
            let Some(&is_wide) = is_wide.get(column) else { continue };
            let next = is_edge(row, column + 1);
            let bars = is_bar(row, column) || is_bar(row + 1, column);
            match (is_wide, bars) {
                (false, _) => below.push(line(here && next)),
                (true, true) => {
                    let joint = if here || next { '┼' } else { '│' };
                    below.extend([line(here), joint, line(next)]);
                }
                (true, false) => below.extend([line(here), line(here && next), line(next)]),
            }
        }
        lines.push(Line::styled(below, DIM));
    }
    lines
}

pub(super) fn name(fill: &Fill, symbol: usize) -> String {
    let character = fill.grid().style.alphabet.character(symbol);
    character.map_or_else(|| (symbol + 1).to_string(), |character| character.to_string())
}

/// Draws the puzzle in its own text format. Symbols that are present before the first try are
/// clues.
fn text(puzzle: &dyn Puzzle, state: &WatchState) -> Vec<Line<'static>> {
    let show = |cover: &[OptionId]| {
        let mut text = String::new();
        puzzle.show(cover, 1, &mut text);
        text
    };
    let cover = state.cover();
    let (now, clues) = (show(&cover), show(puzzle.given()));
    let last = state.path().iter().rposition(|choice| choice.option.is_some());
    let before = last.map(|last| {
        let path = state.path()[..last].iter().filter_map(|choice| choice.option);
        show(&puzzle.given().iter().copied().chain(path).collect::<Vec<_>>())
    });
    let is_alike = |other: &str| other.chars().count() == now.chars().count();
    if !is_alike(&clues) {
        return now.lines().map(|line| Line::raw(format!(" {line}"))).collect();
    }
    let before = before.filter(|before| is_alike(before)).unwrap_or_else(|| now.clone());
    let rows = now.lines().zip(clues.lines()).zip(before.lines());
    rows.map(|((now, clues), before)| {
        let mut spans = vec![Span::raw(" ")];
        spans.extend(now.chars().zip(clues.chars()).zip(before.chars()).map(
            |((now, clue), before)| {
                let style = match now {
                    _ if !now.is_alphanumeric() => DIM,
                    _ if now != before => LAST,
                    _ if now == clue => CLUE,
                    _ => TRIED,
                };
                Span::styled(now.to_string(), style)
            },
        ));
        Line::from(spans)
    })
    .collect()
}
