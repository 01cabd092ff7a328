//! A plot of the total time of each contender for all puzzles, the best first.

use super::super::show;

use super::Plot;
use super::frame::PlotFrame;
use super::scale::Scale;
use super::svg::{Anchor, Svg, WIDTH};
use crate::{Comparison, Contender, MedianInterval, PuzzleRun};

pub(super) const BARS: Plot = Plot {
    name: "bars",
    summary: "the time of each contender, with its interval",
    reading: "Shorter is faster: each bar is the median time for all puzzles, the thin line on it the \
              interval of the true median; an arrow means that it was stopped there. On a log scale, dots \
              replace bars.",
    draw,
};

/// Ratio of the longest to the shortest time above which the plot has dots on a logarithmic axis
/// instead of bars.
const LINEAR_MAX: f64 = 20.0;

const STEP: f64 = 30.0;

struct BarTotal {
    index: usize,
    time: MedianInterval,
    is_finished: bool,
}

fn draw(comparison: &Comparison) -> Option<String> {
    let totals: Vec<BarTotal> = comparison
        .contenders
        .iter()
        .enumerate()
        .filter_map(|(index, contender)| total(index, contender))
        .collect();
    let (least, most) = (
        totals.iter().map(|total| total.time.median).reduce(f64::min)?,
        totals.iter().map(|total| total.time.median).reduce(f64::max)?,
    );
    let height = 68.0 + STEP * totals.len() as f64 + 60.0;
    let frame = PlotFrame { left: 150.0, top: 68.0, right: WIDTH - 160.0, bottom: height - 52.0 };
    let is_linear = most / least <= LINEAR_MAX;
    let ends = totals.iter().flat_map(|BarTotal { time, .. }| [time.low, time.median, time.high]);
    let scale = if is_linear {
        Scale::linear((0.0, ends.fold(0.0, f64::max) * 1e3), frame.x())
    } else {
        Scale::log(ends.map(|time| time * 1e3), frame.x())?
    };
    let subtitle = format!(
        "median for {} and its interval{}",
        match comparison.puzzles.len() {
            1 => "the puzzle".to_owned(),
            count => format!("all {}", show::count(count, "puzzle")),
        },
        if is_linear { "" } else { ", log scale" }
    );
    let mut svg = Svg::new(height, "Time", &subtitle);
    frame.draw_x(&mut svg, &scale, |ms| show::tick_seconds(ms / 1e3), "time, less is better");
    let best = totals.first().filter(|best| best.is_finished && comparison.mismatch.is_none());
    for (row, total) in totals.iter().enumerate() {
        let y = frame.top + STEP * (row as f64 + 0.5) + 4.0;
        let ratio = best.filter(|_| total.is_finished).and_then(|best| {
            comparison.contenders[total.index].ratio_to(&comparison.contenders[best.index])
        });
        draw_one(
            &mut svg,
            (&frame, &scale),
            y,
            (&comparison.contenders[total.index].name, total),
            ratio,
        );
    }
    Some(svg.finish())
}

fn draw_one(
    svg: &mut Svg,
    (frame, scale): (&PlotFrame, &Scale),
    y: f64,
    (name, BarTotal { index, time, is_finished }): (&str, &BarTotal),
    ratio: Option<MedianInterval>,
) {
    let median = show::seconds(time.median);
    let title = if *is_finished {
        format!("{name}: {median} ({} to {})", show::seconds(time.low), show::seconds(time.high))
    } else {
        format!("{name}: not finished after {median}")
    };
    let x = |seconds: f64| scale.at(seconds * 1e3);
    svg.open_series(*index, &title);
    svg.name((frame.left - 12.0, y), frame.left - 12.0, Anchor::End, name, "");
    let is_linear = scale.ends().0 <= 0.0;
    if is_linear {
        svg.rect("area", (frame.left, y - 8.0), (x(time.median) - frame.left, 16.0));
    } else {
        svg.path("leader", &[(frame.left, y), (x(time.median), y)]);
    }
    if *is_finished {
        svg.path("thin", &[(x(time.low), y), (x(time.high), y)]);
        svg.circle("fill", (x(time.median), y), 5.0, "");
    } else {
        svg.beyond("open", (x(time.median), y), false, "");
    }
    let text = if *is_finished { median } else { format!("> {median}") };
    svg.text((frame.right + 90.0, y + 4.5), "strong", Anchor::End, &text);
    if let Some(ratio) = ratio {
        let text = format!("×{}", show::factor(ratio.median));
        svg.text((WIDTH - 6.0, y + 4.5), "tick", Anchor::End, &text);
    }
    svg.close_series();
}

/// Returns the time of a contender for all puzzles, or its time until it was stopped. Returns
/// `None` if it failed or has no time.
fn total(index: usize, contender: &Contender) -> Option<BarTotal> {
    if contender.runs.iter().any(PuzzleRun::has_failed) {
        return None;
    }
    let rounds = contender.time().filter(|_| contender.is_finished());
    let is_finished = rounds.is_some();
    let stopped = || {
        let times: Vec<f64> = contender.runs.iter().filter_map(super::time).collect();
        (!times.is_empty()).then(|| MedianInterval::of([times.iter().sum()])).flatten()
    };
    let time = rounds.or_else(stopped)?;
    let at_least = |seconds: f64| seconds.max(super::TIME_MIN);
    let time = MedianInterval {
        median: at_least(time.median),
        low: at_least(time.low),
        high: at_least(time.high),
    };
    time.high.is_finite().then_some(BarTotal { index, time, is_finished })
}
