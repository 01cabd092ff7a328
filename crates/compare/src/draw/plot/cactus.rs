//! A cactus plot, as in solver competitions: the number of puzzles solved within each time.

use super::super::show;

use super::frame::{Name, PlotFrame, draw_names};
use super::scale::Scale;
use super::svg::{Anchor, Svg};
use super::{Plot, finished, is_range, limit};
use crate::Comparison;

pub(super) const CACTUS: Plot = Plot {
    name: "cactus",
    summary: "how many puzzles are solved, each within what time",
    reading: "Lower and further right is better: the puzzles of each contender stand in the order of \
        its own times, \
              so a curve at 100 puzzles and 1 ms means that 100 puzzles take at most 1 ms each; one \
              that turns up \
              (dashed) before the right edge left the rest unfinished.",
    draw,
};

const HEIGHT: f64 = 420.0;

const BORDER: f64 = 24.0;

fn draw(comparison: &Comparison) -> Option<String> {
    let puzzle_count = comparison.puzzles.len();
    if puzzle_count < 2 || is_range(comparison) {
        return None;
    }
    let times: Vec<Vec<f64>> = comparison
        .contenders
        .iter()
        .map(|contender| {
            let mut times: Vec<f64> = contender.runs.iter().filter_map(finished).collect();
            times.sort_unstable_by(f64::total_cmp);
            times
        })
        .collect();
    let limit = limit(comparison);
    let shown = |index: &usize| {
        let contender = &comparison.contenders[*index];
        contender.refusal.is_none() && (!times[*index].is_empty() || !contender.runs.is_empty())
    };
    let shown: Vec<usize> = (0..times.len()).filter(shown).collect();
    let most = times.iter().filter_map(|times| times.last().copied()).reduce(f64::max)?;
    let is_cut = shown.iter().any(|&index| times[index].len() < puzzle_count);
    let ceiling = limit.filter(|_| is_cut).unwrap_or(most).max(most);
    let ends = times.iter().filter_map(|times| times.first().copied()).chain([ceiling]);
    let frame = PlotFrame::with_names(HEIGHT);
    let inner = if is_cut { (frame.bottom, frame.top + BORDER) } else { frame.y() };
    let y = Scale::log(ends, inner)?;
    let x = Scale::linear((0.0, puzzle_count as f64), frame.x());
    let what = show::count(puzzle_count, "puzzle");
    let mut svg = Svg::new(
        HEIGHT,
        "Puzzles solved within a time",
        &format!("time of a puzzle (log scale), {what}"),
    );
    frame.draw_y(&mut svg, &y, show::tick_seconds);
    frame.draw_x(&mut svg, &x, show::tick_count, "puzzles solved");
    if is_cut {
        svg.rect("band", (frame.left, frame.top), (frame.width(), BORDER));
    }
    let (mut names, mut cuts) = (Vec::new(), Vec::new());
    for &index in &shown {
        let (contender, times) = (&comparison.contenders[index], &times[index]);
        let is_done = times.len() == puzzle_count;
        let rest =
            if is_done { String::new() } else { format!(" {}", show::group(&times.len().to_string())) };
        let title = format!("{}: {} of {what}", contender.name, show::group(&times.len().to_string()));
        svg.open_series(index, &title);
        let curve: Vec<_> =
            (1..).zip(times).map(|(count, time)| (x.at(f64::from(count)), y.at(*time))).collect();
        svg.path("hit", &curve);
        svg.path("curve", &curve);
        let top = frame.top + BORDER / 2.0;
        let last = curve.last().copied().unwrap_or((frame.left, frame.bottom));
        if !is_done {
            cuts.push(last.0);
            svg.path("fit", &[last, (last.0, top)]);
            svg.beyond("open", (last.0, top), true, "");
        } else if let Some(time) = times.last() {
            svg.circle("fill", last, 3.5, &format!("{title}, the hardest in {}", show::seconds(*time)));
        }
        svg.close_series();
        let end = if is_done { last } else { (frame.right, top) };
        names.push(Name { index, name: contender.name.clone(), rest, end, title });
    }
    if is_cut {
        draw_limit(&mut svg, &frame, comparison.settings.each, &cuts);
    }
    draw_names(&mut svg, &frame, &names);
    Some(svg.finish())
}

/// Labels the upper border, at an end where no marks are.
fn draw_limit(svg: &mut Svg, frame: &PlotFrame, each: Option<f64>, marks: &[f64]) {
    let text = match each {
        Some(each) => format!("not finished within {}", show::seconds(each)),
        None => "not finished".to_owned(),
    };
    let room = 10.0 * text.len() as f64;
    let y = frame.top + 17.0;
    if marks.iter().all(|x| *x > frame.left + room) {
        svg.text((frame.left + 8.0, y), "sub", Anchor::Start, &text);
    } else if marks.iter().all(|x| *x < frame.right - room) {
        svg.text((frame.right - 8.0, y), "sub", Anchor::End, &text);
    }
}
