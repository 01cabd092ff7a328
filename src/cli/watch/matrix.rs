//! The matrix as Knuth draws it: a column an item, a row an option, and the links that hold it together.
//!
//! A vertical link passes what was removed from its list; an option that was removed keeps its horizontal
//! links, by which it finds its way back.

use dlx::{ItemId, OptionId, Problem};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::state::State;

/// The greatest matrix that is drawn without being asked for.
const ITEMS_SMALL: usize = 20;
const OPTIONS_SMALL: usize = 24;

const DIM: Style = Style::new().fg(Color::DarkGray);
/// Columns before the first item: the number of the option.
const LABEL: usize = 4;

/// Tells whether the matrix is so small that it is what one wants to see.
pub(super) fn is_small(problem: &Problem) -> bool {
    (1..=ITEMS_SMALL).contains(&problem.item_count()) && problem.option_count() <= OPTIONS_SMALL
}

/// Draws the matrix into an area of that size; what does not fit is cut off, but not the option in hand.
pub(super) fn lines(state: &State, width: usize, height: usize) -> Vec<Line<'static>> {
    let problem = state.problem();
    let item_width = (width.saturating_sub(LABEL) / problem.item_count().max(1)).clamp(2, 5);
    let mut lines = vec![head(state, item_width), sizes(state, item_width)];
    let rows = height.saturating_sub(lines.len());
    let current = state.path().iter().rev().find_map(|choice| choice.option);
    let current = current.map_or(0, OptionId::index);
    let last_start = problem.option_count().saturating_sub(rows);
    let start = current.saturating_sub(rows / 2).min(last_start);
    let rows = problem.options().skip(start).take(rows);
    lines.extend(rows.map(|option| row(state, option, item_width)));
    lines
}

fn style_of(state: &State, item: ItemId) -> Style {
    let is_chosen = state.path().last().is_some_and(|choice| choice.item == item);
    match (is_chosen, state.is_settled(item)) {
        (true, _) => Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD),
        (false, true) => DIM,
        (false, false) => Style::new().add_modifier(Modifier::BOLD),
    }
}

fn head(state: &State, item_width: usize) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(LABEL))];
    for item in state.problem().items() {
        let name: String = state.problem().item_name(item).chars().take(item_width - 1).collect();
        spans.push(Span::styled(format!("{name:<item_width$}"), style_of(state, item)));
    }
    Line::from(spans)
}

fn sizes(state: &State, item_width: usize) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(LABEL))];
    for item in state.problem().items() {
        let (text, style) = match (state.is_settled(item), state.size(item)) {
            (true, _) => ("-".to_owned(), DIM),
            (false, 0) if state.is_active(item) => ("0".to_owned(), Style::new().fg(Color::Red)),
            (false, size) => (size.to_string(), Style::new()),
        };
        spans.push(Span::styled(format!("{text:<item_width$}"), style));
    }
    Line::from(spans)
}

fn row(state: &State, option: OptionId, item_width: usize) -> Line<'static> {
    let problem = state.problem();
    let is_shown = state.is_shown(option);
    let is_chosen = state.cover().contains(&option);
    let base = match (is_chosen, state.is_changed(option), is_shown) {
        (true, ..) => Style::new().fg(Color::Green).add_modifier(Modifier::BOLD),
        (false, true, false) => Style::new().fg(Color::Red),
        (false, true, true) => Style::new().fg(Color::Cyan),
        (false, false, true) => Style::new(),
        (false, false, false) => DIM,
    };
    let mark = match (is_chosen, state.is_changed(option), is_shown) {
        (true, ..) => '▶',
        (false, true, false) => '-',
        (false, true, true) => '+',
        (false, false, _) => ' ',
    };
    let mut spans = vec![Span::styled(format!("{:>2}{mark} ", option.index() + 1), base)];
    let entries = problem.option(option);
    let places = || entries.iter().map(|entry| entry.item.index());
    let (first, last) = (places().min().unwrap_or(0), places().max().unwrap_or(0));
    for item in problem.items() {
        let entry = entries.iter().find(|entry| entry.item == item);
        // The list of the item comes down from its head to its last option.
        let is_linked =
            |o: OptionId| state.is_shown(o) && problem.option(o).iter().any(|e| e.item == item);
        let is_passed = !state.is_settled(item)
            && (option.index() + 1..problem.option_count()).any(|o| is_linked(OptionId::new(o)));
        let is_inside = (first..last).contains(&item.index());
        let is_across = is_inside && item.index() > first;
        let (symbol, style) = match entry {
            Some(entry) => {
                let color = entry.color.and_then(|color| problem.color_name(color).chars().next());
                let node = if is_shown || is_chosen { '●' } else { '○' };
                (color.unwrap_or(node), base)
            }
            None if is_across && is_passed => ('┼', if is_shown { base } else { Style::new() }),
            None if is_across => (if is_shown || is_chosen { '─' } else { '╌' }, base),
            None if is_passed => ('│', Style::new()),
            None => (' ', base),
        };
        spans.push(Span::styled(symbol.to_string(), style));
        let link = match (is_inside, is_shown || is_chosen) {
            (true, true) => "─",
            (true, false) => "╌",
            (false, _) => " ",
        };
        spans.push(Span::styled(link.repeat(item_width - 1), base));
    }
    Line::from(spans)
}
