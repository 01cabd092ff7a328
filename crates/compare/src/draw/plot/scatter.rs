//! A scatter plot of the times of the two best contenders, with a dot for each puzzle.

use std::collections::BTreeMap;

use super::super::show;

use super::frame::PlotFrame;
use super::scale::Scale;
use super::svg::{Anchor, Svg};
use super::{Plot, finished};
use crate::{Comparison, Contender};

pub(super) const SCATTER: Plot = Plot {
    name: "scatter",
    summary: "the two best contenders, puzzle by puzzle",
    reading: "Each dot is a puzzle: above the diagonal the contender of the lower axis was faster, \
        below it the one \
              of the upright axis, beyond a dashed line more than ten times; triangles in the border \
              were not \
              finished by the one whose border it is.",
    draw,
};

const HEIGHT: f64 = 600.0;

const BORDER: f64 = 24.0;

/// Minimum number of dots, because fewer show no pattern.
const PUZZLE_COUNT_MIN: usize = 3;

struct Pair {
    puzzle: usize,
    times: [f64; 2],
}

fn draw(comparison: &Comparison) -> Option<String> {
    let mut rivals = (0..comparison.contenders.len()).filter(|&index| {
        let contender = &comparison.contenders[index];
        contender.refusal.is_none() && contender.runs.iter().any(|run| finished(run).is_some())
    });
    let rivals = [rivals.next()?, rivals.next()?];
    let contenders = rivals.map(|index| &comparison.contenders[index]);
    let pairs = pairs(comparison, contenders);
    if pairs.len() < PUZZLE_COUNT_MIN {
        return None;
    }
    let names = contenders.map(|contender| show::shorten(&contender.name, 30));
    let frame = PlotFrame { left: 84.0, top: 68.0, right: 564.0, bottom: HEIGHT - 52.0 };
    let inner = PlotFrame { top: frame.top + BORDER, right: frame.right - BORDER, ..frame };
    let x = Scale::log(pairs.iter().flat_map(|pair| pair.times), inner.x())?;
    let y = x.between(inner.y());

    let subtitle = format!("{}, both log scales", show::count(pairs.len(), "puzzle"));
    let mut svg = Svg::new(HEIGHT, "The two best, puzzle by puzzle", &subtitle);
    svg.rect("band", (frame.left, frame.top), (frame.width(), BORDER));
    svg.rect("band", (inner.right, inner.top), (BORDER, inner.bottom - inner.top));
    frame.draw_y(&mut svg, &y, show::tick_seconds);
    inner.draw_x(&mut svg, &x, show::tick_seconds, &format!("time of {} →", names[0]));
    let place = (frame.left + 10.0, frame.top + 17.0);
    svg.text(place, "sub", Anchor::Start, &format!("↑ time of {}", names[1]));
    let (low, high) = x.ends();
    for (factor, class) in [(1.0, "axis"), (10.0, "guide"), (0.1, "guide")] {
        let (from, to) = (low.max(low / factor), high.min(high / factor));
        if from < to {
            svg.line(class, (x.at(from), y.at(from * factor)), (x.at(to), y.at(to * factor)));
        }
    }
    for (side, rival) in rivals.into_iter().enumerate() {
        svg.open_series(rival, "");
        draw_points(&mut svg, comparison, contenders, &pairs, side, (&frame, &x, &y));
        svg.close_series();
    }
    let faster = |side: usize| {
        let count = pairs.iter().filter(|pair| pair.times[side] < pair.times[1 - side]).count();
        format!("{} faster: {}", show::shorten(&names[side], 14), show::group(&count.to_string()))
    };
    svg.text((inner.left + 10.0, inner.top + 22.0), "strong", Anchor::Start, &faster(0));
    svg.text((inner.right - 10.0, inner.bottom - 12.0), "strong", Anchor::End, &faster(1));
    Some(svg.finish())
}

fn pairs(comparison: &Comparison, contenders: [&Contender; 2]) -> Vec<Pair> {
    let pairs = (0..comparison.puzzles.len()).map(|puzzle| {
        let times = contenders
            .map(|contender| contender.runs.get(puzzle).and_then(finished).unwrap_or(f64::INFINITY));
        Pair { puzzle, times }
    });
    pairs.filter(|pair| pair.times.iter().any(|time| time.is_finite())).collect()
}

/// Draws a dot for each puzzle where contender `side` (0 or 1) was faster. Dots at the same
/// position are merged.
fn draw_points(
    svg: &mut Svg,
    comparison: &Comparison,
    contenders: [&Contender; 2],
    pairs: &[Pair],
    side: usize,
    (frame, x, y): (&PlotFrame, &Scale, &Scale),
) {
    let radius = match pairs.len() {
        0..50 => 4.5,
        50..1000 => 3.0,
        _ => 1.8,
    };
    let mut places: BTreeMap<(i64, i64), (&Pair, usize)> = BTreeMap::new();
    for pair in pairs {
        let [one, other] = pair.times;
        if usize::from(one > other) != side {
            continue;
        }
        let left = if one.is_finite() { x.at(one) } else { frame.right - BORDER / 2.0 };
        let top = if other.is_finite() { y.at(other) } else { frame.top + BORDER / 2.0 };
        places.entry((left.round() as i64, top.round() as i64)).or_insert((pair, 0)).1 += 1;
    }
    for ((left, top), (pair, count)) in places {
        let mut title = format!("{}:", comparison.puzzles[pair.puzzle].name);
        for (contender, time) in contenders.iter().zip(pair.times) {
            let time = if time.is_finite() { show::seconds(time) } else { "not finished".to_owned() };
            push!(title, " {} {time},", contender.name);
        }
        title.pop();
        if count > 1 {
            push!(title, " (and {} more here)", count - 1);
        }
        let place = (left as f64, top as f64);
        if pair.times.iter().all(|time| time.is_finite()) {
            svg.circle("point", place, (radius + (count as f64).ln()).min(8.0), &title);
        } else {
            svg.beyond("open", place, pair.times[0].is_finite(), &title);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn unfinished_puzzles_are_drawn_in_the_border_of_the_contender_that_did_not_finish() {
        let mut samples = samples::all().into_iter();
        let (_, mut comparison) = samples.find(|(name, _)| *name == "time-outs").unwrap();
        let (upper, right) = (" 75Z\"", "d=\"M548 ");
        let svg = draw(&comparison).unwrap();
        assert_eq!((svg.matches(upper).count(), svg.matches(right).count()), (3, 0), "{svg}");
        comparison.contenders.swap(0, 1);
        let svg = draw(&comparison).unwrap();
        assert_eq!((svg.matches(upper).count(), svg.matches(right).count()), (0, 3), "{svg}");
    }
}
