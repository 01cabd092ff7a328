//! The solutions in a file, as covers of the puzzle.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;

use dlx::engine::Links;
use dlx::{OptionId, Problem};

use super::Refusal;
use super::subject::{Subject, read_text};
use crate::cli::io::args::InputArgs;
use crate::cli::io::source::Puzzles;
use crate::puzzle::{Fill, cover};

impl Subject {
    /// Reads the solutions of a file, each as a cover; `None` for one with an option that the puzzle does not have.
    pub(super) fn solutions(
        &self,
        name: &OsStr,
        input: &InputArgs,
    ) -> Result<Vec<Option<Vec<OptionId>>>, Refusal> {
        let problem = self.puzzle.problem();
        if self.puzzle.as_fill().is_none()
            && (self.heading.kind == cover::NAME || cover::diagram_by_name(self.heading.kind).is_some())
        {
            return Ok(read_covers(problem, &read_text(name)?));
        }
        let input = InputArgs {
            files: vec![name.to_owned()],
            puzzle: Some(self.heading.kind.to_owned()),
            from: None,
            ..input.clone()
        };
        Puzzles::new(&input)
            .map(|job| {
                let solved = job.puzzle.map_err(|fault| Refusal::unread(fault.to_string()))?;
                Ok(match (self.puzzle.as_fill(), solved.as_fill()) {
                    (Some(fill), Some(solved)) => filled_in(fill, solved),
                    _ => {
                        // A solution is read as a puzzle whose only cover it is, with some of the items.
                        let other = solved.problem();
                        let is_common = |name: &str| {
                            other.item_by_name(name).is_some() && problem.item_by_name(name).is_some()
                        };
                        let names = Names::new(problem, is_common);
                        let cover = Links::new(other).into_solutions(solved.given()).next();
                        cover.and_then(|cover| {
                            let shown = |&option| (words(other, option, is_common), ());
                            names.find(cover.iter().map(shown), |_, ()| true)
                        })
                    }
                })
            })
            .collect()
    }
}

/// Returns the options of a puzzle that put the symbols of a filled grid into its cells.
fn filled_in(fill: &Fill, solved: &Fill) -> Option<Vec<OptionId>> {
    let cells = solved.grid().shape().cell_count();
    if cells != fill.grid().shape().cell_count() {
        return None;
    }
    (0..cells).map(|cell| fill.option(cell, solved.grid().symbol(cell)?)).collect()
}

/// The options of a problem by the words that show them.
struct Names {
    options: BTreeMap<Vec<String>, Vec<OptionId>>,
}

/// Returns the words of an option for the items of some names, sorted.
fn words(problem: &Problem, option: OptionId, is_used: impl Fn(&str) -> bool) -> Vec<String> {
    let name = |word: &'_ str| word.split_once(':').map_or(word.len(), |(name, _)| name.len());
    let shown = problem.show(option).to_string();
    sorted(shown.split(' ').filter(|word| is_used(&word[..name(word)])))
}

fn sorted<'t>(words: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.sort_unstable();
    words
}

impl Names {
    fn new(problem: &Problem, is_used: impl Fn(&str) -> bool) -> Self {
        let mut options: BTreeMap<_, Vec<OptionId>> = BTreeMap::new();
        for option in problem.options() {
            options.entry(words(problem, option, &is_used)).or_default().push(option);
        }
        Self { options }
    }

    /// Returns the options of a cover by their words; of several options with the same words, the first that
    /// `is_meant` and that the cover does not have yet.
    fn find<T>(
        &self,
        cover: impl Iterator<Item = (Vec<String>, T)>,
        is_meant: impl Fn(OptionId, &T) -> bool,
    ) -> Option<Vec<OptionId>> {
        let mut used = BTreeSet::new();
        cover
            .map(|(words, which)| {
                let mut options = self.options.get(&words)?.iter().copied();
                options.find(|&option| is_meant(option, &which) && used.insert(option))
            })
            .collect()
    }
}

/// Reads covers as they are shown: one option a line, a blank line between two covers.
fn read_covers(problem: &Problem, text: &str) -> Vec<Option<Vec<OptionId>>> {
    let names = Names::new(problem, |_| true);
    let lines: Vec<&str> = text.lines().collect();
    let covers = lines.split(|line| line.trim().is_empty()).filter(|lines| !lines.is_empty());
    let covers = covers.map(|lines| {
        let lines = lines.iter().filter(|line| !line.starts_with('|'));
        // The cost follows ` |`, unless it is 0.
        let shown = lines.map(|line| {
            let (option, cost) = line.split_once(" |").unwrap_or((line, "0"));
            (sorted(option.split_whitespace()), cost.trim().parse::<u64>().ok())
        });
        names.find(shown, |option, &cost| cost == Some(problem.cost(option)))
    });
    covers.collect()
}
