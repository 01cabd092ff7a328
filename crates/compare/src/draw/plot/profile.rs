//! A plot of the number of search-tree nodes at each depth.

use super::super::show;

use super::frame::{Name, PlotFrame, draw_names};
use super::scale::Scale;
use super::svg::Svg;
use super::{Plot, names};
use crate::{Comparison, PuzzleOutcome};

pub(super) const PROFILE: Plot = Plot {
    name: "profile",
    summary: "the nodes of the search tree at each depth",
    reading: "From left to right the search goes deeper: a tree that stays thin for long chose its \
        items well, and \
              one that swells and then dies tried much in vain. Contenders with the same tree share a \
              curve.",
    draw,
};

const HEIGHT: f64 = 400.0;

fn draw(comparison: &Comparison) -> Option<String> {
    let puzzles = puzzles(comparison);
    let mut trees: Vec<(Vec<u64>, Vec<usize>)> = Vec::new();
    for (index, contender) in comparison.contenders.iter().enumerate() {
        let mut levels = Vec::new();
        for &puzzle in &puzzles {
            let Some(run) = contender.runs.get(puzzle) else { continue };
            levels.resize(levels.len().max(run.levels.len()), 0_u64);
            for (sum, count) in levels.iter_mut().zip(&run.levels) {
                *sum = sum.saturating_add(*count);
            }
        }
        if levels.iter().all(|count| *count == 0) {
            continue;
        }
        match trees.iter_mut().find(|(tree, _)| *tree == levels) {
            Some((_, owners)) => owners.push(index),
            None => trees.push((levels, vec![index])),
        }
    }
    let depth = trees.iter().map(|(levels, _)| levels.len() - 1).max().filter(|depth| *depth > 0)?;
    let frame = PlotFrame::with_names(HEIGHT);
    let counts = trees.iter().flat_map(|(levels, _)| levels).map(|count| *count as f64);
    let y = Scale::log(counts, frame.y())?;
    let x = Scale::linear((0.0, depth as f64), frame.x());
    let of = match puzzles[..] {
        [puzzle] => show::shorten(&comparison.puzzles[puzzle].name, 30),
        _ => format!("{} together", show::count(puzzles.len(), "puzzle")),
    };
    let mut svg = Svg::new(HEIGHT, "Search tree", &format!("nodes at each depth (log scale), {of}"));
    frame.draw_y(&mut svg, &y, show::tick_count);
    frame.draw_x(&mut svg, &x, show::tick_count, "depth: options chosen");
    let mut ends = Vec::new();
    for (levels, owners) in &trees {
        let total = levels.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
        let title = format!("{}: {} nodes", names(comparison, owners), show::group(&total.to_string()));
        svg.open_series(owners[0], &title);
        let known = levels.iter().enumerate().filter(|(_, count)| **count > 0);
        let curve: Vec<_> =
            known.map(|(level, count)| (x.at(level as f64), y.at(*count as f64))).collect();
        svg.path("hit", &curve);
        svg.path("curve", &curve);
        let end = *curve.last()?;
        svg.circle("fill", end, 3.5, "");
        svg.close_series();
        ends.push(Name::of(comparison, owners, end, title));
    }
    draw_names(&mut svg, &frame, &ends);
    Some(svg.finish())
}

/// Returns the puzzles whose search trees are shown: the largest puzzle finished by every contender
/// that reports a tree. If sizes are unknown, returns all puzzles that these contenders finished;
/// if there is none, the first puzzle with a tree.
fn puzzles(comparison: &Comparison) -> Vec<usize> {
    let telling: Vec<_> = comparison
        .contenders
        .iter()
        .filter(|contender| contender.runs.iter().any(|run| !run.levels.is_empty()))
        .collect();
    let is_shared = |puzzle: &usize| {
        telling.iter().all(|contender| {
            let run = contender.runs.get(*puzzle);
            run.is_some_and(|run| run.outcome == PuzzleOutcome::Finished && !run.levels.is_empty())
        })
    };
    let shared: Vec<usize> = (0..comparison.puzzles.len()).filter(is_shared).collect();
    let sized = shared.iter().filter_map(|&puzzle| Some((comparison.puzzles[puzzle].size?, puzzle)));
    if let Some((_, largest)) = sized.max_by_key(|(size, _)| *size) {
        return vec![largest];
    }
    if !shared.is_empty() {
        return shared;
    }
    let has_tree = |puzzle: &usize| {
        telling
            .iter()
            .any(|contender| contender.runs.get(*puzzle).is_some_and(|run| !run.levels.is_empty()))
    };
    (0..comparison.puzzles.len()).find(has_tree).into_iter().collect()
}
