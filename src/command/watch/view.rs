//! Lays out the screen: the puzzle or the matrix, the active items, the choices, and the last
//! event.

use dlx::engine::events::Event;
use dlx::{ItemId, OptionId};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

use super::history::NextEvent;
use super::player::{Destination, Mode, Player};
use super::state::WatchState;
use super::{board, matrix};
use puzzle::Puzzle;

const DIM: Style = Style::new().fg(Color::DarkGray);
const MARKED: Style = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
const KEYS: &str = "space pause  n step  b back  +/- speed  s solution  d dead end  m matrix  q quit";
/// Shorter lists of keys for narrow screens, the longest first.
const KEYS_SHORT: [&str; 2] = ["space n b +/- s d m  q quit", "q quit"];
/// Smallest width of the lists at the right of a wide screen (columns).
const LISTS_WIDTH: u16 = 32;
/// Smallest width of the drawing at the left of a wide screen (columns).
const DRAWING_WIDTH: u16 = 24;
/// Largest width of a drawn matrix (columns).
const MATRIX_WIDTH: usize = 96;

pub(super) fn draw<S: FnMut() -> NextEvent>(
    frame: &mut Frame<'_>,
    puzzle: &dyn Puzzle,
    title: &str,
    player: &Player<S>,
) {
    let state = player.state();
    let rows =
        [Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1), Constraint::Length(1)];
    let [body, what, counters, keys] = Layout::vertical(rows).areas(frame.area());
    let shows_matrix = player.shows_matrix.unwrap_or_else(|| matrix::is_small(state.problem()));
    let drawn = match shows_matrix {
        true => None,
        false => Some(board::lines(puzzle, state)),
    };
    // The lists get all of the width that the drawing does not need, because names of options are
    // long.
    let widest = |lines: &[Line<'_>]| lines.iter().map(Line::width).max().unwrap_or(0);
    let needed = match &drawn {
        Some(lines) => widest(lines),
        None => widest(&matrix::lines(state, MATRIX_WIDTH, usize::from(body.height))),
    };
    let needed = u16::try_from(needed + 4).unwrap_or(u16::MAX).clamp(DRAWING_WIDTH, 100);
    let lists = LISTS_WIDTH.min(body.width / 2).max(body.width.saturating_sub(needed));
    let [left, right] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(lists)]).areas(body);
    let [items, path] = Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(right);

    let block = Block::bordered().title(format!(" {title} "));
    let inner = block.inner(left);
    let (width, height) = (usize::from(inner.width), usize::from(inner.height));
    let lines = drawn.unwrap_or_else(|| matrix::lines(state, width, height));
    frame.render_widget(Paragraph::new(lines).block(block), left);
    draw_items(frame, state, items);
    draw_path(frame, puzzle, state, path);
    frame.render_widget(what_happened(puzzle, player), what);
    frame.render_widget(count(player), counters);
    frame.render_widget(Line::styled(key_line(keys.width), DIM), keys);
}

fn key_line(width: u16) -> &'static str {
    let lines = [KEYS].into_iter().chain(KEYS_SHORT);
    lines.into_iter().find(|line| line.len() <= usize::from(width)).unwrap_or(KEYS_SHORT[1])
}

/// Draws the active items, in ascending order of their degrees.
fn draw_items(frame: &mut Frame<'_>, state: &WatchState, area: Rect) {
    let problem = state.problem();
    let chosen = match state.last() {
        Some(Event::Choose { item, degree, .. }) => Some((degree, item)),
        Some(Event::DeadEnd { item, .. }) => Some((0, item)),
        _ => None,
    };
    // Show the degree that the chosen item had before it was chosen.
    let degree = |item| match chosen {
        Some((degree, chosen)) if chosen == item => Some(degree),
        _ => state.degree(item),
    };
    let active = problem.items().filter(|&item| state.is_active(item));
    let mut items: Vec<(u32, ItemId)> = active.filter_map(|item| Some((degree(item)?, item))).collect();
    items.sort_unstable();
    let block = Block::bordered().title(format!(" items to cover: {} ", items.len()));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let rows = usize::from(inner.height).max(1);
    let mut left = usize::from(inner.width);
    let mut x = inner.x;
    // Fill columns of names from top to bottom, as long as they fit.
    for column in items.chunks(rows) {
        let name = |&(_, item): &(u32, ItemId)| problem.item_name(item).chars().count();
        let width = (column.iter().map(name).max().unwrap_or(0) + 6).min(left);
        if width < 8 && x > inner.x {
            break;
        }
        let lines = column.iter().map(|&(degree, item)| {
            let (mark, style) = match (chosen == Some((degree, item)), degree) {
                (true, _) => ('▶', MARKED),
                (false, 0) => (' ', Style::new().fg(Color::Red)),
                (false, 1) => (' ', Style::new().fg(Color::Cyan)),
                (false, _) => (' ', Style::new()),
            };
            Line::styled(format!("{mark}{degree:>2} {}", problem.item_name(item)), style)
        });
        let column = Rect { x, width: width as u16, ..inner };
        frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), column);
        x += width as u16;
        left -= width;
    }
}

/// Draws the last choices that fit on the screen.
fn draw_path(frame: &mut Frame<'_>, puzzle: &dyn Puzzle, state: &WatchState, area: Rect) {
    let path = state.path();
    let block = Block::bordered().title(format!(" level {}: item, tried/of ", path.len()));
    let width = usize::from(block.inner(area).width);
    let rows = usize::from(block.inner(area).height);
    let first = path.len().saturating_sub(rows);
    let lines = path.iter().enumerate().skip(first).map(|(level, choice)| {
        let item = state.problem().item_name(choice.item);
        let forced = if choice.degree == 1 { DIM } else { Style::new() };
        let mut spans = vec![Span::styled(format!("{level:>2} {item} "), forced)];
        if choice.is_tried {
            let share = format!("{}/{} ", choice.ordinal, choice.degree);
            spans.push(Span::styled(share, if choice.degree == 1 { DIM } else { MARKED }));
            let left = width.saturating_sub(spans.iter().map(Span::width).sum());
            spans.push(Span::raw(cut(&option_name(puzzle, choice.option), left)));
        } else {
            spans.push(Span::styled(format!("{}/{}", choice.ordinal, choice.degree), DIM));
        }
        Line::from(spans)
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(block), area);
}

/// Shortens a name to `columns` by cutting its middle. The end is kept, since the last word often
/// names the piece.
fn cut(name: &str, columns: usize) -> String {
    let count = name.chars().count();
    if count <= columns || columns < 5 {
        return name.to_owned();
    }
    let (head, tail) = ((columns - 2) / 2, columns - 2 - (columns - 2) / 2);
    name.chars().take(head).chain("..".chars()).chain(name.chars().skip(count - tail)).collect()
}

/// Names an option: the cell and the symbol of a grid, or the items of another puzzle.
fn option_name(puzzle: &dyn Puzzle, option: Option<OptionId>) -> String {
    let Some(option) = option else { return "no more".to_owned() };
    match puzzle.as_fill() {
        Some(fill) => {
            let (cell, symbol) = fill.placement(option);
            let order = fill.grid().shape().order();
            format!("r{}c{}={}", cell / order + 1, cell % order + 1, board::name(fill, symbol))
        }
        None => puzzle.problem().show(option).to_string(),
    }
}

/// Describes the last event and the mode of the player.
fn what_happened<S: FnMut() -> NextEvent>(puzzle: &dyn Puzzle, player: &Player<S>) -> Line<'static> {
    let state = player.state();
    let name = |item| state.problem().item_name(item).to_owned();
    let options = |count: u32| format!("{count} option{}", if count == 1 { "" } else { "s" });
    let (text, style) = match state.last() {
        _ if player.is_over() => ("the search is over".to_owned(), MARKED),
        None => ("the beginning".to_owned(), Style::new()),
        Some(_) if player.is_first() => {
            ("what was before is no longer kept".to_owned(), Style::new().fg(Color::Red))
        }
        Some(Event::Given { option, .. }) => {
            (format!("given: {}", option_name(puzzle, Some(option))), Style::new())
        }
        Some(Event::Choose { item, degree, .. }) => {
            (format!("choose {}: {} left", name(item), options(degree)), MARKED)
        }
        Some(Event::Cover { item, color: None, hidden, .. }) => {
            (format!("cover {}: hide {}", name(item), options(hidden)), Style::new())
        }
        Some(Event::Cover { item, color: Some(color), hidden, .. }) => {
            let color = state.problem().color_name(color);
            let text = format!("purify {} to {color}: hide {}", name(item), options(hidden));
            (text, Style::new())
        }
        Some(Event::Try { option, ordinal, degree, .. }) => {
            let text = format!("try {} ({ordinal} of {degree})", option_name(puzzle, option));
            (text, Style::new().fg(Color::Green))
        }
        Some(Event::DeadEnd { item, .. }) => {
            (format!("dead end: too few options left for {}", name(item)), Style::new().fg(Color::Red))
        }
        Some(Event::Solution { .. }) => {
            let style = Style::new().fg(Color::Black).bg(Color::Green);
            (format!("solution {}", state.counters().solutions), style)
        }
        Some(Event::Back { level }) => {
            let item = state.path().last().map(|choice| name(choice.item)).unwrap_or_default();
            (format!("back to level {level}, {item}: its links return"), Style::new())
        }
        Some(Event::Leave { level }) => {
            (format!("leave level {level}: its item is uncovered"), Style::new())
        }
        Some(_) => ("another step".to_owned(), Style::new()),
    };
    let speed = player.speed();
    let mode = match player.mode() {
        Mode::Paused => "paused".to_owned(),
        Mode::Playing => format!("{speed} events/s"),
        Mode::Seeking(Destination::Solution) => "to the next solution".to_owned(),
        Mode::Seeking(Destination::DeadEnd) => "to the next dead end".to_owned(),
    };
    Line::from(vec![Span::styled(format!("[{mode}] "), DIM), Span::styled(text, style)])
}

fn count<S: FnMut() -> NextEvent>(player: &Player<S>) -> Line<'static> {
    let counters = player.state().counters();
    let parts = [
        ("nodes", counters.nodes),
        ("updates", counters.updates),
        ("solutions", counters.solutions),
        ("dead ends", counters.dead_ends),
        ("events", counters.events),
    ];
    let spans = parts.into_iter().flat_map(|(name, count)| {
        [Span::styled(format!("{name} "), DIM), Span::raw(format!("{count}  "))]
    });
    Line::from(spans.collect::<Vec<_>>())
}
