//! A plot of the distribution of the puzzles' times, for each contender.
//!
//! Each contender has a density curve, a kernel estimate of the logarithms of its times with a
//! Gaussian kernel, whose width follows Silverman's rule of thumb. Every curve is scaled to the
//! same height, so heights cannot be compared between contenders.

use std::f64::consts::PI;

use super::super::show;

use super::frame::PlotFrame;
use super::scale::Scale;
use super::svg::{Anchor, Svg, WIDTH};
use super::{Plot, finished, is_range};
use crate::Comparison;

pub(super) const DISTRIBUTION: Plot = Plot {
    name: "distribution",
    summary: "how the times of the puzzles are distributed",
    reading: "Each hill shows where the times of the puzzles of a contender lie; below it the thick \
        bar is the \
              middle half, the thin line all but the outer twentieths, the circle the median. Hills \
              far to the \
              left are fast, wide ones depend much on the puzzle. What was not finished is only \
              counted, at the \
              right.",
    draw,
};

const PUZZLE_COUNT_MIN: usize = 5;

const STEP: f64 = 52.0;

/// Peak height of a density curve (SVG units).
const HILL: f64 = 30.0;

const HILL_COUNT: usize = 120;

struct TimesRow {
    index: usize,
    times: Vec<f64>,
    rest: usize,
}

fn draw(comparison: &Comparison) -> Option<String> {
    if is_range(comparison) {
        return None;
    }
    let mut rows = Vec::new();
    for (index, contender) in comparison.contenders.iter().enumerate() {
        let mut times: Vec<f64> = contender.runs.iter().filter_map(finished).collect();
        times.sort_unstable_by(f64::total_cmp);
        let rest = comparison.puzzles.len().saturating_sub(times.len());
        if contender.refusal.is_none() && !times.is_empty() {
            rows.push(TimesRow { index, times, rest });
        }
    }
    if rows.iter().map(|row| row.times.len()).max()? < PUZZLE_COUNT_MIN {
        return None;
    }
    let has_rest = rows.iter().any(|row| row.rest > 0);
    let height = 68.0 + STEP * rows.len() as f64 + 62.0;
    let right = WIDTH - if has_rest { 84.0 } else { 24.0 };
    let frame = PlotFrame { left: 150.0, top: 68.0, right, bottom: height - 52.0 };
    let scale = Scale::log(rows.iter().flat_map(|row| row.times.iter().copied()), frame.x())?;
    let subtitle = format!("{}, log scale", show::count(comparison.puzzles.len(), "puzzle"));
    let mut svg = Svg::new(height, "Distribution of times", &subtitle);
    frame.draw_x(&mut svg, &scale, show::tick_seconds, "time of a puzzle");
    if has_rest {
        svg.text((WIDTH - 6.0, 46.0), "sub", Anchor::End, "not finished");
    }
    for (number, row) in rows.iter().enumerate() {
        let y = frame.top + STEP * (number as f64 + 1.0) - 10.0;
        draw_row(&mut svg, (&frame, &scale), y, &comparison.contenders[row.index].name, row);
    }
    Some(svg.finish())
}

fn draw_row(svg: &mut Svg, (frame, scale): (&PlotFrame, &Scale), y: f64, name: &str, row: &TimesRow) {
    let [low, first, median, third, high] =
        [0.05, 0.25, 0.5, 0.75, 0.95].map(|part| quantile(&row.times, part));
    let title = format!(
        "{name}: median {}, half of them {} to {}, hardest {}",
        show::seconds(median),
        show::seconds(first),
        show::seconds(third),
        show::seconds(quantile(&row.times, 1.0)),
    );
    svg.open_series(row.index, &title);
    let base = y - 8.0;
    if let Some(hill) = hill(&row.times, scale) {
        let mut outline: Vec<_> = hill.iter().map(|(x, part)| (*x, base - HILL * part)).collect();
        outline.extend([(outline[outline.len() - 1].0, base), (outline[0].0, base)]);
        svg.area("area", &outline);
    } else {
        for time in &row.times {
            svg.circle("point", (scale.at(*time), base - 6.0), 3.0, &show::seconds(*time));
        }
    }
    svg.path("thin", &[(scale.at(low), y), (scale.at(high), y)]);
    svg.path("thick", &[(scale.at(first), y), (scale.at(third), y)]);
    svg.circle("dot", (scale.at(median), y), 4.5, "");
    svg.name((frame.left - 12.0, y - 8.0), frame.left - 12.0, Anchor::End, name, "");
    if row.rest > 0 {
        svg.beyond(
            "open",
            (frame.right + 16.0, y),
            false,
            &format!("{name}: {} not finished", row.rest),
        );
        let count = show::group(&row.rest.to_string());
        svg.text((WIDTH - 6.0, y + 4.5), "strong", Anchor::End, &count);
    }
    svg.close_series();
}

/// Returns the points of the density curve of some times, with heights of at most 1. Returns `None`
/// if there are too few times.
fn hill(times: &[f64], scale: &Scale) -> Option<Vec<(f64, f64)>> {
    let logs: Vec<f64> = times.iter().map(|time| time.ln()).collect();
    let count = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / count;
    let deviation = (logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / count).sqrt();
    if times.len() < PUZZLE_COUNT_MIN {
        return None;
    }
    let middle = (quantile(&logs, 0.75) - quantile(&logs, 0.25)) / 1.34;
    let spread = if middle > 0.0 { deviation.min(middle) } else { deviation };
    let (low, high) = (scale.ends().0.ln(), scale.ends().1.ln());
    let width = (0.9 * spread * count.powf(-0.2)).max((high - low) / 150.0);
    // An evenly spaced sample of at most a thousand times gives nearly the same curve.
    let step = logs.len().div_ceil(1000);
    let density = |at: f64| -> f64 {
        let terms = logs.iter().step_by(step).map(|log| (-((at - log) / width).powi(2) / 2.0).exp());
        terms.sum::<f64>() / (width * (2.0 * PI).sqrt())
    };
    let (from, to) = ((logs[0] - 3.0 * width).max(low), (logs[logs.len() - 1] + 3.0 * width).min(high));
    let places = (0..=HILL_COUNT).map(|k| from + (to - from) * k as f64 / HILL_COUNT as f64);
    let hill: Vec<(f64, f64)> = places.map(|at| (scale.at(at.exp()), density(at))).collect();
    let top = hill.iter().map(|(_, height)| *height).fold(0.0, f64::max);
    (top > 0.0).then(|| hill.into_iter().map(|(x, height)| (x, height / top)).collect())
}

fn quantile(values: &[f64], part: f64) -> f64 {
    let place = part * (values.len() - 1) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    values[below] + (values[above] - values[below]) * (place - place.floor())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_neighbours() {
        let values = [1.0, 2.0, 4.0];
        assert_eq!(
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| quantile(&values, part)),
            [1.0, 1.5, 2.0, 3.0, 4.0]
        );
        assert_eq!(quantile(&[7.0], 0.95), 7.0);
    }

    #[test]
    fn density_curves_peak_at_the_most_common_time() {
        let times = [1.0, 9.0, 10.0, 10.0, 11.0, 100.0];
        let scale = Scale::log(times.into_iter(), (0.0, 1000.0)).unwrap();
        let hill = hill(&times, &scale).unwrap();
        let (top, _) = hill.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert!((top - 500.0).abs() < 15.0, "{top}");
    }
}
