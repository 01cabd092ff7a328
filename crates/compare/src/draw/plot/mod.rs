//! Plots of a comparison, as SVG.
//!
//! [`PLOTS`] lists all plots. A new plot needs a file, its `mod` and an entry in that list. Each
//! plot is a standalone document that can also be embedded in a page. A plot follows the reader's
//! light or dark mode, is readable on a phone, and has tooltips. A contender has the same color in
//! every plot, from the palette of Okabe and Ito, which color-blind readers can distinguish. The
//! contender's name is at the end of its curve, so no plot needs a legend.

mod bars;
mod cactus;
mod distribution;
mod frame;
mod growth;
mod profile;
mod scale;
mod scatter;
pub(super) mod svg;

use std::collections::HashSet;

use crate::{Comparison, PuzzleOutcome, PuzzleRun};

/// A kind of plot.
#[derive(Clone, Copy, Debug)]
pub struct Plot {
    /// Name of the plot.
    pub name: &'static str,
    /// Description of the plot in one line.
    pub summary: &'static str,
    /// Sentence that explains how to read the plot.
    pub reading: &'static str,
    /// Draws the plot; returns `None` if it would be empty, for example a growth plot of puzzles
    /// without sizes.
    pub draw: fn(&Comparison) -> Option<String>,
}

/// All plots, in their order on a page.
///
/// ```
/// use compare::Comparison;
/// use compare::plot::PLOTS;
///
/// // All plots of an empty comparison are empty.
/// assert!(PLOTS.iter().all(|plot| (plot.draw)(&Comparison::default()).is_none()));
/// ```
pub const PLOTS: &[Plot] = &[
    bars::BARS,
    cactus::CACTUS,
    scatter::SCATTER,
    growth::GROWTH,
    profile::PROFILE,
    distribution::DISTRIBUTION,
];

/// Returns the plot named `name`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Plot> {
    PLOTS.iter().find(|plot| plot.name == name)
}

/// Minimum time shown (s), because a logarithmic axis has no zero.
const TIME_MIN: f64 = 1e-9;

fn names(comparison: &Comparison, owners: &[usize]) -> String {
    let names = owners.iter().map(|&owner| comparison.contenders[owner].name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// Returns the time of a contender for a puzzle, or the time until its search was stopped (s).
fn time(run: &PuzzleRun) -> Option<f64> {
    run.time().map(|time| time.median.max(TIME_MIN)).filter(|time| time.is_finite())
}

fn finished(run: &PuzzleRun) -> Option<f64> {
    time(run).filter(|_| run.outcome == PuzzleOutcome::Finished)
}

/// Returns whether all puzzles have different sizes, so that times can be plotted over the size.
fn is_range(comparison: &Comparison) -> bool {
    let sizes: Option<HashSet<u64>> = comparison.puzzles.iter().map(|puzzle| puzzle.size).collect();
    sizes.is_some_and(|sizes| sizes.len() == comparison.puzzles.len() && sizes.len() > 1)
}

fn limit(comparison: &Comparison) -> Option<f64> {
    let runs = comparison.contenders.iter().flat_map(|contender| &contender.runs);
    let stopped =
        runs.filter(|run| matches!(&run.outcome, PuzzleOutcome::Limit(limit) if limit == "time"));
    let longest = stopped.filter_map(time).reduce(f64::max)?;
    let each = comparison.settings.each.filter(|each| each.is_finite() && *each > 0.0);
    Some(each.map_or(longest, |each| each.max(longest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn all() -> impl Iterator<Item = (&'static str, &'static Plot, Option<String>)> {
        samples::all().into_iter().flat_map(|(name, comparison)| {
            PLOTS.iter().map(move |plot| (name, plot, (plot.draw)(&comparison)))
        })
    }

    #[test]
    fn all_plots_have_different_names() {
        let names: HashSet<_> = PLOTS.iter().map(|plot| plot.name).collect();
        assert_eq!(names.len(), PLOTS.len());
        assert!(PLOTS.iter().all(|plot| by_name(plot.name).is_some()));
    }

    #[test]
    fn plots_are_svg_documents_whose_coordinates_are_within_the_sheet() {
        let mut count = 0;
        for (sample, plot, svg) in all() {
            let Some(svg) = svg else { continue };
            let name = plot.name;
            let document = roxmltree::Document::parse(&svg)
                .unwrap_or_else(|error| panic!("{name} of {sample}: {error}"));
            let root = document.root_element();
            let height: f64 = root.attribute("height").unwrap().parse().unwrap();
            for node in document.descendants() {
                for attribute in node.attributes() {
                    let max = match attribute.name() {
                        "x" | "x1" | "x2" | "cx" | "width" => svg::WIDTH,
                        "y" | "y1" | "y2" | "cy" | "height" => height,
                        _ => continue,
                    };
                    let value = attribute.value();
                    let is_inside = value == "100%"
                        || value.parse::<f64>().is_ok_and(|value| (0.0..=max).contains(&value));
                    assert!(is_inside, "{name} of {sample}: {attribute:?}");
                }
                if let Some(data) = node.attribute("d") {
                    let numbers = data.split(['M', 'L', 'Z', ' ']).filter(|number| !number.is_empty());
                    for number in numbers {
                        let is_number =
                            number.parse::<f64>().is_ok_and(|value| (0.0..=1000.0).contains(&value));
                        assert!(is_number, "{name} of {sample}: {data}");
                    }
                }
            }
            assert!(svg.len() < 600_000, "{name} of {sample} has {} bytes", svg.len());
            count += 1;
        }
        assert!(count > 20, "only {count} plots were drawn");
    }

    #[test]
    fn empty_plots_are_not_drawn() {
        let drawn = |wanted: &str| -> Vec<&str> {
            all()
                .filter(|(name, ..)| *name == wanted)
                .filter(|(.., svg)| svg.is_some())
                .map(|(_, plot, _)| plot.name)
                .collect()
        };
        assert_eq!(drawn("one contender"), ["bars", "cactus", "profile", "distribution"]);
        assert_eq!(drawn("none finished"), ["bars", "profile"]);
        assert_eq!(drawn("one puzzle"), ["bars", "profile"]);
        assert_eq!(drawn("range"), ["bars", "scatter", "growth", "profile"]);
        assert!(drawn("all refused").is_empty());
        assert!(drawn("nothing").is_empty());
    }

    #[test]
    fn plots_contain_the_expected_texts() {
        let mut wrong = Vec::new();
        let mut check = |wanted: &str, sample: &str, said: &[&str], unsaid: &[&str]| {
            let found = all().find(|(name, plot, _)| *name == sample && plot.name == wanted);
            let svg = found.and_then(|(.., svg)| svg).expect("the sample has the plot");
            for (text, is_said) in
                said.iter().map(|text| (text, true)).chain(unsaid.iter().map(|text| (text, false)))
            {
                if svg.contains(text) != is_said {
                    wrong.push(format!("{wanted} of {sample} says {text}: not {is_said}"));
                }
            }
        };
        check(
            "bars",
            "refusals",
            &["contender 2: 11.3 ms (11.0 ms to 11.5 ms)", "×3.00"],
            &["contender 3"],
        );
        check(
            "bars",
            "time-outs",
            &["contender 1: not finished after", "&gt; 3.0"],
            &["contender 1: 3"],
        );
        check("bars", "crashes", &["contender 0"], &["contender 1", "contender 2"]);
        check(
            "cactus",
            "time-outs",
            &["not finished within 1.00 s", "contender 1: 27 of 30 puzzles", " 27<"],
            &[],
        );
        check("cactus", "refusals", &["contender 2: 12 of 12"], &["not finished", "contender 3"]);
        check("scatter", "time-outs", &["contender 0 faster: 30", "contender 1 not finished"], &[]);
        check("scatter", "refusals", &["12 puzzles"], &["not finished"]);
        check("scatter", "no time at all", &["contender 0 faster: 0", "contender 1 faster: 0"], &[]);
        check("growth", "range", &["size 12: 1.01 s, not finished", "nodes (log scale) by size"], &[]);
        check("profile", "one contender", &["contender 0: 340 nodes"], &[]);
        check(
            "profile",
            "refusals",
            &["contender 0: 204 nodes", "contender 1: 216 nodes"],
            &["contender 2"],
        );
        check("profile", "same trees", &["contender 0, contender 1: 51 nodes", " +1<"], &[]);
        check("distribution", "time-outs", &["contender 1: 3 not finished"], &["contender 0: 3 not"]);
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn plots_show_every_contender_that_took_part() {
        for (sample, plot, svg) in all() {
            let Some(svg) = svg.filter(|_| sample == "strange names") else { continue };
            if plot.name != "scatter" {
                assert!(svg.contains("a&lt;b&amp;&quot;c&quot;"), "{}", plot.name);
            }
            assert!(!svg.contains("a<b"), "{}", plot.name);
        }
    }
}
