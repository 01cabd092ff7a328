//! Plots of the growth of cost with the size of the puzzle, in time and in nodes.
//!
//! For each curve, a law is fitted to the larger half of the finished sizes, but to at least three
//! sizes if there are three, since small sizes mainly show the startup cost. The law is `a *
//! b^size` or `a * size^b`, whichever fits all curves together better by least squares of the
//! logarithms.

use std::collections::BTreeMap;

use super::super::show;

use super::frame::{Name, PlotFrame, draw_names};
use super::scale::Scale;
use super::svg::{Anchor, Svg};
use super::{Plot, names, time};
use crate::{Comparison, Contender, MedianInterval, PuzzleOutcome, PuzzleRun};

pub(super) const GROWTH: Plot = Plot {
    name: "growth",
    summary: "how time and nodes grow with the size of the puzzle",
    reading: "Next to each name: the growth factor per unit of size (×), or the exponent of the size (^), \
              of the dotted line, which is fitted to the larger half of the finished sizes. A triangle \
              marks a size that was not finished; its point would be above.",
    draw,
};

const PANEL_HEIGHT: f64 = 380.0;

const FIT_COUNT_MIN: usize = 3;

/// A puzzle size, and the median cost of the puzzles of this size.
#[derive(Clone, Copy, PartialEq)]
struct Sample {
    size: f64,
    cost: f64,
    is_finished: bool,
}

/// The contenders that share a curve, and the costs by size. (Several contenders often have the
/// same number of nodes.)
type Curve = (Vec<usize>, Vec<Sample>);

struct CostAxis {
    name: &'static str,
    cost: fn(&PuzzleRun) -> Option<f64>,
    tick: fn(f64) -> String,
    show: fn(f64) -> String,
}

const TIME: CostAxis =
    CostAxis { name: "time", cost: time, tick: show::tick_seconds, show: show::seconds };

const NODES: CostAxis = CostAxis {
    name: "nodes",
    cost: |run| run.nodes.map(|nodes| nodes.max(1) as f64),
    tick: show::tick_count,
    show: |nodes| show::group(&nodes.to_string()),
};

#[derive(Clone, Copy, PartialEq)]
enum Law {
    Exponential,
    Power,
}

impl Law {
    /// Returns the argument of the linear fit of the logarithm of the cost.
    fn argument(self, size: f64) -> f64 {
        if self == Self::Exponential { size } else { size.ln() }
    }

    fn cost(self, fit: &Fit, size: f64) -> f64 {
        (fit.offset + fit.slope * self.argument(size)).exp()
    }

    fn growth(self, fit: &Fit) -> String {
        let (sign, value) = match self {
            Self::Exponential => ('×', fit.slope.exp()),
            Self::Power => ('^', fit.slope),
        };
        let digits = usize::from(value.abs() < 9.95);
        format!(" {sign}{value:.digits$}")
    }
}

#[derive(Clone, Copy, Debug)]
struct Fit {
    slope: f64,
    offset: f64,
    residue: f64,
}

fn draw(comparison: &Comparison) -> Option<String> {
    let panels = [TIME, NODES].map(|measure| (curves(comparison, measure.cost), measure));
    let grows = |curves: &[Curve]| curves.iter().any(|(_, samples)| samples.len() > 1);
    let panels: Vec<_> = panels.into_iter().filter(|(curves, _)| grows(curves)).collect();
    let subtitle = |measure: &CostAxis| format!("{} (log scale) by size", measure.name);
    let (_, first) = panels.first()?;
    let mut svg = Svg::new(PANEL_HEIGHT * panels.len() as f64, "Growth", &subtitle(first));
    for (number, (curves, measure)) in panels.iter().enumerate() {
        let top = PANEL_HEIGHT * number as f64;
        if number > 0 {
            svg.text((8.0, top + 46.0), "sub", Anchor::Start, &subtitle(measure));
        }
        draw_panel(&mut svg, top, comparison, curves, measure)?;
    }
    Some(svg.finish())
}

/// Returns the costs by size of each contender; omits contenders that refused the puzzles.
fn curves(comparison: &Comparison, cost: fn(&PuzzleRun) -> Option<f64>) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for (index, contender) in comparison.contenders.iter().enumerate() {
        let samples = samples(comparison, contender, cost);
        if contender.refusal.is_some() || samples.is_empty() {
            continue;
        }
        match curves.iter_mut().find(|(_, known)| *known == samples) {
            Some((owners, _)) => owners.push(index),
            None => curves.push((vec![index], samples)),
        }
    }
    curves
}

fn samples(
    comparison: &Comparison,
    contender: &Contender,
    cost: fn(&PuzzleRun) -> Option<f64>,
) -> Vec<Sample> {
    let mut sizes: BTreeMap<u64, (Vec<f64>, bool)> = BTreeMap::new();
    for (puzzle, run) in comparison.puzzles.iter().zip(&contender.runs) {
        if run.has_failed() {
            continue;
        }
        let Some((size, cost)) = puzzle.size.zip(cost(run)) else { continue };
        let (costs, is_finished) = sizes.entry(size).or_insert((Vec::new(), true));
        costs.push(cost);
        *is_finished &= run.outcome == PuzzleOutcome::Finished;
    }
    let sizes = sizes.into_iter().filter_map(|(size, (costs, is_finished))| {
        let cost = MedianInterval::of(costs)?.median;
        Some(Sample { size: size as f64, cost, is_finished })
    });
    sizes.collect()
}

fn draw_panel(
    svg: &mut Svg,
    top: f64,
    comparison: &Comparison,
    curves: &[Curve],
    measure: &CostAxis,
) -> Option<()> {
    let frame = PlotFrame::with_names(PANEL_HEIGHT);
    let frame = PlotFrame {
        top: frame.top + top,
        bottom: frame.bottom + top,
        right: frame.right - 8.0,
        ..frame
    };
    let all = || curves.iter().flat_map(|(_, samples)| samples);
    let least = all().map(|sample| sample.size).reduce(f64::min)?;
    let most = all().map(|sample| sample.size).reduce(f64::max)?;
    let y = Scale::log(all().map(|sample| sample.cost), frame.y())?;
    let x = Scale::linear((least - (most - least) * 0.02, most), frame.x());
    frame.draw_y(svg, &y, measure.tick);
    frame.draw_x(svg, &x, show::tick_count, "size");
    let law = law(curves);
    let mut ends = Vec::new();
    for (owners, samples) in curves {
        let fit = fit(law, samples);
        let growth = fit.map_or_else(String::new, |fit| law.growth(&fit));
        let all = names(comparison, owners);
        let title = format!("{all}{growth}");
        let place = |sample: &Sample| (x.at(sample.size), y.at(sample.cost));
        let done: Vec<_> = samples.iter().filter(|sample| sample.is_finished).map(place).collect();
        svg.open_series(owners[0], &title);
        svg.path("hit", &done);
        svg.path("curve", &done);
        if let Some(fit) = fit {
            let at = |sample: &Sample| (x.at(sample.size), y.at(law.cost(&fit, sample.size)));
            svg.path("fit", &fitted(samples).iter().map(at).collect::<Vec<_>>());
        }
        for sample in samples {
            let text = format!("{all}, size {}: {}", sample.size, (measure.show)(sample.cost));
            if sample.is_finished {
                svg.circle("dot", place(sample), 3.0, &text);
            } else {
                svg.beyond("open", place(sample), true, &format!("{text}, not finished"));
            }
        }
        svg.close_series();
        let mut name = Name::of(comparison, owners, samples.last().map(place)?, title);
        name.rest += &growth;
        ends.push(name);
    }
    draw_names(svg, &frame, &ends);
    Some(())
}

fn fitted(samples: &[Sample]) -> Vec<Sample> {
    let done: Vec<Sample> = samples.iter().copied().filter(|sample| sample.is_finished).collect();
    if done.len() < FIT_COUNT_MIN {
        return Vec::new();
    }
    done[done.len() - done.len().div_ceil(2).max(FIT_COUNT_MIN)..].to_vec()
}

/// Returns the law that fits all curves together better; in case of a tie, the exponential one.
fn law(curves: &[Curve]) -> Law {
    let residue = |law| -> f64 {
        curves.iter().filter_map(|(_, samples)| fit(law, samples)).map(|fit| fit.residue).sum()
    };
    let has_zero = curves.iter().flat_map(|(_, samples)| samples).any(|sample| sample.size <= 0.0);
    if !has_zero && residue(Law::Power) < residue(Law::Exponential) {
        Law::Power
    } else {
        Law::Exponential
    }
}

fn fit(law: Law, samples: &[Sample]) -> Option<Fit> {
    let points: Vec<(f64, f64)> =
        fitted(samples).iter().map(|sample| (law.argument(sample.size), sample.cost.ln())).collect();
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let (mut both, mut square) = (0.0, 0.0);
    for (x, y) in &points {
        both += (x - mean_x) * (y - mean_y);
        square += (x - mean_x) * (x - mean_x);
    }
    let slope = both / square;
    let offset = mean_y - slope * mean_x;
    let residue = points.iter().map(|(x, y)| (y - offset - slope * x).powi(2)).sum();
    slope.is_finite().then_some(Fit { slope, offset, residue })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(costs: &[f64]) -> Vec<Sample> {
        (1_u8..)
            .zip(costs)
            .map(|(size, &cost)| Sample { size: size.into(), cost, is_finished: true })
            .collect()
    }

    #[test]
    fn the_growth_law_of_a_curve_is_recognized() {
        let doubling: Vec<f64> = (1..9).map(|size| 3.0 * 2_f64.powi(size)).collect();
        let curve = samples(&doubling);
        assert!(law(&[(vec![0], curve.clone())]) == Law::Exponential);
        let found = fit(Law::Exponential, &curve).unwrap();
        assert!((found.slope.exp() - 2.0).abs() < 1e-9 && found.residue < 1e-9, "{found:?}");

        let cubes: Vec<f64> = (1..9).map(|size| 5.0 * f64::from(size).powi(3)).collect();
        let curve = samples(&cubes);
        assert!(law(&[(vec![0], curve.clone())]) == Law::Power);
        assert!((fit(Law::Power, &curve).unwrap().slope - 3.0).abs() < 1e-9);
    }

    #[test]
    fn only_the_larger_half_of_the_finished_sizes_is_fitted() {
        let mut curve = samples(&[9.0, 9.0, 9.0, 9.0, 10.0, 20.0, 40.0, 80.0, 1.0]);
        curve[8].is_finished = false;
        assert!((fit(Law::Exponential, &curve).unwrap().slope.exp() - 2.0).abs() < 1e-9);
        assert!(fit(Law::Exponential, &curve[..2]).is_none());
    }
}
