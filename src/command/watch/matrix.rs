//! Draws the matrix as Knuth does: a column per item, a row per option, and the links between
//! nodes.
//!
//! A vertical link bypasses the nodes that were removed from its list. A removed option keeps its
//! horizontal links, which are needed to restore it.

use dlx::{ItemId, OptionId, Problem};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::state::WatchState;

/// Maximum number of items of a matrix that is drawn by default.
const ITEMS_SMALL: usize = 20;
/// Maximum number of options of a matrix that is drawn by default.
const OPTIONS_SMALL: usize = 24;

const DIM: Style = Style::new().fg(Color::DarkGray);
/// Largest height of item names (lines).
const NAME_HEIGHT: usize = 5;
/// Width of the option number at the start of a row (columns).
const LABEL: usize = 4;

/// Returns whether the matrix is small enough to be drawn by default.
pub(super) fn is_small(problem: &Problem) -> bool {
    (1..=ITEMS_SMALL).contains(&problem.item_count()) && problem.option_count() <= OPTIONS_SMALL
}

struct MatrixView<'s> {
    state: &'s WatchState,
    cover: Vec<OptionId>,
    /// The items that fit on the screen, and the width of each (screen columns).
    items: Vec<ItemId>,
    item_width: usize,
    /// The last option in the list of each item.
    ends: Vec<Option<OptionId>>,
}

/// Draws the matrix into an area of the given size. A larger matrix is cropped around the current
/// option.
pub(super) fn lines(state: &WatchState, width: usize, height: usize) -> Vec<Line<'static>> {
    let problem = state.problem();
    let room = width.saturating_sub(LABEL);
    let item_width = (room / problem.item_count().max(1)).clamp(2, 5);
    let mut ends = vec![None; problem.item_count()];
    for option in problem.options().filter(|&option| state.is_shown(option)) {
        for entry in problem.option(option) {
            ends[entry.item.index()] = Some(option);
        }
    }
    let items = problem.items().take(room / item_width + 1).collect();
    let matrix = MatrixView { state, cover: state.cover(), items, item_width, ends };
    let mut lines = matrix.head();
    lines.push(matrix.sizes());
    let rows = height.saturating_sub(lines.len());
    let current = state.path().iter().rev().find_map(|choice| choice.option);
    let current = current.map_or(0, OptionId::index);
    let last_start = problem.option_count().saturating_sub(rows);
    let start = current.saturating_sub(rows / 2).min(last_start);
    lines.extend(problem.options().skip(start).take(rows).map(|option| matrix.row(option)));
    lines
}

impl MatrixView<'_> {
    fn style(&self, item: ItemId) -> Style {
        let is_chosen = self.state.path().last().is_some_and(|choice| choice.item == item);
        match (is_chosen, self.state.is_settled(item)) {
            (true, _) => Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD),
            (false, true) => DIM,
            (false, false) => Style::new().add_modifier(Modifier::BOLD),
        }
    }

    /// Writes the names of the items, vertically if they are wider than their columns.
    fn head(&self) -> Vec<Line<'static>> {
        let name = |item| self.state.problem().item_name(item).chars();
        let longest = self.items.iter().map(|&item| name(item).count()).max().unwrap_or(0);
        let is_upright = longest >= self.item_width;
        let height = if is_upright { longest.min(NAME_HEIGHT) } else { 1 };
        let line = |row: usize| {
            let mut spans = vec![Span::raw(" ".repeat(LABEL))];
            for &item in &self.items {
                let (start, length) = if is_upright { (row, 1) } else { (0, longest) };
                let part: String = name(item).skip(start).take(length).collect();
                let width = self.item_width;
                spans.push(Span::styled(format!("{part:<width$}"), self.style(item)));
            }
            Line::from(spans)
        };
        (0..height).map(line).collect()
    }

    fn sizes(&self) -> Line<'static> {
        let (state, width) = (self.state, self.item_width);
        let mut spans = vec![Span::raw(" ".repeat(LABEL))];
        for &item in &self.items {
            let (text, style) = match (state.is_settled(item), state.size(item)) {
                (true, _) => ("-".to_owned(), DIM),
                (false, 0) if state.is_active(item) => ("0".to_owned(), Style::new().fg(Color::Red)),
                (false, size) => (size.to_string(), Style::new()),
            };
            spans.push(Span::styled(format!("{text:<width$}"), style));
        }
        Line::from(spans)
    }

    fn row(&self, option: OptionId) -> Line<'static> {
        let (state, problem) = (self.state, self.state.problem());
        let is_chosen = self.cover.contains(&option);
        let (mark, style) = match (is_chosen, state.is_changed(option), state.is_shown(option)) {
            (true, ..) => ('▶', Style::new().fg(Color::Green).add_modifier(Modifier::BOLD)),
            (false, true, false) => ('-', Style::new().fg(Color::Red)),
            (false, true, true) => ('+', Style::new().fg(Color::Cyan)),
            (false, false, true) => (' ', Style::new()),
            (false, false, false) => (' ', DIM),
        };
        let is_solid = is_chosen || state.is_shown(option);
        let mut spans = vec![Span::styled(format!("{:>2}{mark} ", option.index() + 1), style)];
        let entries = problem.option(option);
        let places = || entries.iter().map(|entry| entry.item.index());
        let (first, last) = (places().min().unwrap_or(0), places().max().unwrap_or(0));
        for &item in &self.items {
            let entry = entries.iter().find(|entry| entry.item == item);
            // The vertical line of an item runs from its name down to the last option in its list.
            let is_passed = !state.is_settled(item) && self.ends[item.index()] > Some(option);
            let is_inside = (first..last).contains(&item.index());
            let is_across = is_inside && item.index() > first;
            let (symbol, style) = match entry {
                Some(entry) => {
                    let color = entry.color.and_then(|color| problem.color_name(color).chars().next());
                    (color.unwrap_or(if is_solid { '●' } else { '○' }), style)
                }
                None if is_across && is_passed => ('┼', if is_solid { style } else { Style::new() }),
                None if is_across => (if is_solid { '─' } else { '╌' }, style),
                None if is_passed => ('│', Style::new()),
                None => (' ', style),
            };
            spans.push(Span::styled(symbol.to_string(), style));
            let link = match (is_inside, is_solid) {
                (true, true) => "─",
                (true, false) => "╌",
                (false, _) => " ",
            };
            spans.push(Span::styled(link.repeat(self.item_width - 1), style));
        }
        Line::from(spans)
    }
}
