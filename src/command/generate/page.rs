//! Prints the puzzles of `generate` in the requested format.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use dlx::{End, Limit, Limits, OptionId};
use serde_json::{Map, Value, json};

use super::{GenerateTask, wishes};
use crate::command::explain::score::{score, shown};
use crate::io::args::GenerateArgs;
use crate::io::bar::Bar;
use crate::io::exit::Exit;
use crate::io::gallery::{Gallery, PictureMaker};
use crate::io::source::Origin;
use crate::io::{interrupt, output};
use farandole::algorithm;
use farandole::explain::Rating;
use farandole::stream::{Stream, StreamHints};
use grid::Setting;
use puzzle::{Fill, Puzzle, PuzzleSource};

#[derive(Debug, Default)]
pub(super) struct MadeSoFar {
    /// The requested ranges.
    wanted_clues: Option<RangeInclusive<u32>>,
    wanted_scores: Option<RangeInclusive<u32>>,
    pub(super) made: u64,
    pub(super) tries: u64,
    /// Smallest and largest number of clues among dropped puzzles.
    pub(super) other_clues: Option<(u32, u32)>,
    /// Smallest and largest score among dropped puzzles, in tenths. The score of a puzzle that is
    /// too hard is a lower bound.
    pub(super) other_ratings: Option<(u32, u32)>,
    /// The number of clues and the score nearest to the requested ranges among dropped puzzles.
    pub(super) nearest_clues: Option<u32>,
    pub(super) nearest_score: Option<u32>,
    /// How often each technique was the hardest step of a dropped puzzle, for `--technique`; at
    /// most [`NAMES_MAX`] names.
    hardest: BTreeMap<String, u64>,
    /// Number of tries that failed because the allowed clues do not determine a unique solution.
    pub(super) ambiguous: u64,
    pub(super) is_unsolvable: bool,
    /// Number of tries since the last puzzle.
    pub(super) in_vain: u64,
}

/// Maximum number of names of hardest steps that are counted. There are about a hundred names.
const NAMES_MAX: usize = 500;

impl MadeSoFar {
    fn new(asked: &GenerateArgs) -> Self {
        Self {
            wanted_clues: asked.clues.clone(),
            wanted_scores: asked.rating.clone(),
            ..Self::default()
        }
    }

    /// Records the smallest and the largest number of clues of dropped puzzles, and the number
    /// nearest to the requested range.
    pub(super) fn add_other(&mut self, (least, most): (u32, u32), nearest: Option<u32>) {
        let (known_least, known_most) = self.other_clues.unwrap_or((least, most));
        self.other_clues = Some((least.min(known_least), most.max(known_most)));
        self.nearest_clues = nearer(self.wanted_clues.as_ref(), self.nearest_clues, nearest);
    }

    pub(super) fn add_other_clues(&mut self, clues: u32) {
        self.add_other((clues, clues), Some(clues));
    }

    pub(super) fn add_other_rating(&mut self, score: u32, hardest: Option<String>) {
        let (least, most) = self.other_ratings.unwrap_or((score, score));
        self.other_ratings = Some((least.min(score), most.max(score)));
        self.nearest_score = nearer(self.wanted_scores.as_ref(), self.nearest_score, Some(score));
        if let Some(name) = hardest
            && (self.hardest.len() < NAMES_MAX || self.hardest.contains_key(&name))
        {
            *self.hardest.entry(name).or_default() += 1;
        }
    }

    /// Describes the dropped puzzle nearest to the request, for example `the nearest had 19 clues`;
    /// `None` if no puzzle was dropped.
    pub(super) fn nearest(&self) -> Option<String> {
        let mut parts = Vec::new();
        if let Some(clues) = self.nearest_clues {
            parts.push(format!("{clues} clues"));
        }
        if let (Some(score), Some(_)) = (self.nearest_score, &self.wanted_scores) {
            parts.push(format!("a step of {}", shown(score)));
        }
        (!parts.is_empty()).then(|| format!("the nearest had {}", parts.join(" or ")))
    }

    /// Returns the names of the hardest steps of dropped puzzles, the most frequent first.
    pub(super) fn hardest_names(&self) -> Vec<&str> {
        let mut names: Vec<(u64, &str)> =
            self.hardest.iter().map(|(name, &count)| (count, name.as_str())).collect();
        names.sort_by_key(|&(count, name)| (Reverse(count), name));
        names.into_iter().map(|(_, name)| name).collect()
    }
}

/// Returns the one of two values that is nearer to a range.
fn nearer(wanted: Option<&RangeInclusive<u32>>, one: Option<u32>, other: Option<u32>) -> Option<u32> {
    let key = |&value: &u32| wanted.map(|wanted| wishes::distance(wanted, value));
    one.into_iter().chain(other).min_by_key(key)
}

pub(super) struct Printed {
    pub(super) number: u64,
    pub(super) puzzle: String,
    pub(super) solution: String,
    pub(super) clues: u32,
    /// The number of cages in a puzzle of `--killer`.
    pub(super) cages: Option<u32>,
    pub(super) is_minimal: Option<bool>,
    /// The statistical weight of the puzzle, if not all puzzles are equally likely.
    pub(super) weight: Option<f64>,
    pub(super) rating: Option<Rating>,
}

pub(super) struct Page<'a> {
    pub(super) report: MadeSoFar,
    stdout: io::BufWriter<output::Stdout>,
    error: Option<io::Error>,
    wanted: u64,
    is_json: bool,
    seed: u64,
    origin: &'a Origin,
    kind: &'static str,
    head: String,
    /// The line to print before each puzzle, if the text of a puzzle does not contain that line
    /// itself.
    line_before: Option<String>,
    separator: &'static str,
    gallery: Option<(PictureMaker, Gallery)>,
    has_answers: bool,
    /// The exit code to return if a picture could not be written.
    pub(super) undrawn: Option<Exit>,
    /// The limit reached while drawing.
    pub(super) cut: Option<Limit>,
    limits: Limits,
    /// Largest number of consecutive tries without a puzzle.
    in_vain_max: u64,
    /// Number of tries up to the last puzzle.
    last_made: u64,
    bar: Option<Bar>,
}

impl<'a> Page<'a> {
    pub(super) fn new(
        task: &GenerateTask<'_>,
        puzzle: &dyn Puzzle,
        origin: &'a Origin,
        kind: &'static str,
        is_nine: bool,
    ) -> Result<Self, Exit> {
        let pictures = &task.asked.pictures;
        let gallery = match PictureMaker::new(pictures) {
            Some(maker) => Some((maker, Gallery::open(pictures, task.asked.output.json)?)),
            None => None,
        };
        let mut head = String::new();
        let mut separator = puzzle.layout().separator;
        let kind_line = format!("# puzzle: {kind}\n");
        let source = farandole::kinds::by_name(kind).map(|kind| kind.source);
        let is_divided = matches!(source, Some(PuzzleSource::Text(source)) if source.divider.is_some());
        // In a format with one puzzle per file, separate several puzzles by lines that name the
        // kind.
        let line_before = (is_divided && task.asked.count > 1).then_some(kind_line);
        if is_divided {
            separator = "\n";
        } else if let Some(fill) = puzzle.as_fill() {
            head.push_str(&Setting::head(fill.grid().shape()));
            head += &(fill.grid().style.format.head)(fill.grid(), false);
            separator = fill.grid().style.format.separator;
        }
        Ok(Self {
            report: MadeSoFar::new(task.asked),
            stdout: io::BufWriter::new(output::stdout()),
            error: None,
            wanted: task.asked.count,
            is_json: task.asked.output.json,
            seed: task.seed,
            origin,
            kind,
            head,
            line_before,
            separator,
            gallery,
            has_answers: task.asked.answers,
            undrawn: None,
            cut: None,
            limits: task.limits.clone().cancel(interrupt::flag()),
            in_vain_max: wishes::tries_in_vain(task.asked, is_nine, task.is_near),
            last_made: 0,
            bar: Some(Bar::start(!task.asked.output.quiet)),
        })
    }

    /// Prints a puzzle; stops the run if it was the last one.
    pub(super) fn print(&mut self, made: &Printed) -> ControlFlow<()> {
        // Drawing takes longer than generating, so check the limits for each puzzle.
        if self.gallery.is_some() {
            self.cut = self.limits.check().err();
            if self.cut.is_some() {
                return ControlFlow::Break(());
            }
        }
        let is_first = self.report.made == 0;
        self.report.made += 1;
        self.last_made = made.number + 1;
        match self.draw(&made.puzzle) {
            Ok(Ok(())) => {}
            Ok(Err(exit)) => {
                self.undrawn = Some(exit);
                return ControlFlow::Break(());
            }
            Err(limit) => {
                self.report.made -= 1;
                self.cut = Some(limit);
                return ControlFlow::Break(());
            }
        }
        let written = if self.gallery.as_ref().is_some_and(|(_, gallery)| gallery.takes_stdout()) {
            Ok(())
        } else if self.is_json {
            let mut object = Map::new();
            object.insert("kind".to_owned(), self.kind.into());
            object.insert("seed".to_owned(), self.seed.into());
            object.insert("try".to_owned(), made.number.into());
            object.insert("clues".to_owned(), made.clues.into());
            if let Some(cages) = made.cages {
                object.insert("cages".to_owned(), cages.into());
            }
            object.insert("minimal".to_owned(), made.is_minimal.into());
            if let Some(weight) = made.weight {
                object.insert("weight".to_owned(), json!(weight));
            }
            if let Some(rating) = &made.rating {
                object.insert("score".to_owned(), score(rating.score));
                object.insert("hardest".to_owned(), rating.hardest.clone().into());
            }
            let head = if self.head.is_empty() { "" } else { &self.head };
            object.insert("text".to_owned(), format!("{head}{}", made.puzzle).trim_end().into());
            object.insert("solution".to_owned(), made.solution.trim_end().into());
            writeln!(self.stdout, "{}", self.origin.object(self.report.made, Value::Object(object)))
        } else {
            let before = if is_first { &*self.head } else { self.separator };
            let line = self.line_before.as_deref().filter(|line| !made.puzzle.starts_with(line));
            write!(self.stdout, "{before}{}{}", line.unwrap_or_default(), made.puzzle)
        };
        if let Err(error) = written {
            self.error = Some(error);
            return ControlFlow::Break(());
        }
        if self.report.made == self.wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Draws a puzzle, if the user asked for pictures.
    fn draw(&mut self, text: &str) -> Result<Result<(), Exit>, Limit> {
        let Some((maker, gallery)) = &mut self.gallery else { return Ok(Ok(())) };
        let hints =
            StreamHints { kind: farandole::kinds::by_name(self.kind), ..StreamHints::default() };
        let read = Stream::first(format!("{}{text}", self.head), &hints).ok().flatten();
        let caption = self.report.made.to_string();
        let compose = || read.as_ref().and_then(|puzzle| puzzle.picture(puzzle.given()));
        let drawn = maker.make(compose, caption.clone(), &self.limits)?;
        let Some(drawn) = drawn else {
            say!("puzzles of the kind {} have no pictures", self.kind);
            return Ok(Err(Exit::BadInput));
        };
        if let Err(exit) = gallery.add(&drawn) {
            return Ok(Err(exit));
        }
        if let Some(puzzle) = read.filter(|_| self.has_answers) {
            let cover = solution(puzzle.as_ref(), &self.limits)?;
            let compose = || cover.and_then(|cover| puzzle.picture(&cover));
            if let Some(drawn) = maker.make(compose, caption, &self.limits)? {
                gallery.add_answer(drawn);
            }
        }
        Ok(Ok(()))
    }

    /// Records the number of tries and flushes the output. Stops the run after too many tries
    /// without a puzzle.
    pub(super) fn after(&mut self, tries: u64) -> ControlFlow<()> {
        let report = &mut self.report;
        report.tries = tries;
        report.in_vain = tries.saturating_sub(self.last_made);
        if let Some(bar) = &self.bar {
            let nearest = report.nearest().map(|nearest| format!(", {nearest}")).unwrap_or_default();
            bar.tell(&format!(
                "{tries} tries, {} of {} puzzles made{nearest}",
                report.made, self.wanted
            ));
        }
        if report.in_vain >= self.in_vain_max {
            return ControlFlow::Break(());
        }
        self.flush()
    }

    fn flush(&mut self) -> ControlFlow<()> {
        if self.stdout.buffer().is_empty() {
            return ControlFlow::Continue(());
        }
        let flushed = match &self.bar {
            Some(bar) => bar.hide_while(|| self.stdout.flush()),
            None => self.stdout.flush(),
        };
        match flushed {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Finishes the output and returns its write error, if any.
    pub(super) fn finish(&mut self) -> Option<io::Error> {
        if let Some(bar) = self.bar.take() {
            bar.finish();
        }
        let _ = self.flush();
        if let Some((_, gallery)) = self.gallery.take()
            && let Err(exit) = gallery.finish()
        {
            self.undrawn.get_or_insert(exit);
        }
        self.error.take()
    }
}

/// Solves a puzzle that was just made.
fn solution(puzzle: &dyn Puzzle, limits: &Limits) -> Result<Option<Vec<OptionId>>, Limit> {
    let mut auto = algorithm::by_name("auto").expect("it is in the table").build();
    let mut found = None;
    let mut visit = |cover: &[OptionId]| {
        found = Some(cover.to_vec());
        ControlFlow::Break(())
    };
    let report = auto.search(puzzle, limits, &mut visit).expect("it takes every puzzle");
    match report.end {
        End::Limit(limit) => Err(limit),
        _ => Ok(found),
    }
}

/// Converts a line of digits into the format of the puzzle.
pub(super) fn write_line(fill: &Fill, line: &[u8; 81]) -> String {
    let style = fill.grid().style;
    if style.format.name == "line" && !style.is_spaced {
        let mut text = String::with_capacity(82);
        text.extend(line.iter().map(|&c| char::from(c)));
        text.push('\n');
        return text;
    }
    let mut grid = grid::Grid::empty(Arc::clone(fill.grid().shape()), style);
    for (cell, &c) in line.iter().enumerate().filter(|&(_, &c)| c != b'.') {
        grid.place(cell, usize::from(c - b'1'));
    }
    let mut text = String::new();
    (style.format.write)(&grid, &mut text);
    text
}
