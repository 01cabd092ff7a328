//! Answers questions about all solutions of a puzzle, one function per question.

use std::ffi::OsStr;
use std::hash::{BuildHasher as _, RandomState};

use dlx::limits::Pace;
use dlx::{Limit, Limits, OptionId, Random};
use num_bigint::BigUint;
use serde_json::{Map, Value, json};

use super::solutions::solutions;
use super::subject::{Heading, Subject};
use super::{AnswerOutput, DiagramQuestion, Refusal, Unanswered, counts};
use crate::io::args::Ask;
use crate::io::exit::Exit;
use crate::io::output::writing_time;
use crate::search::OptionLists;
use grid::format;
use puzzle::Puzzle;

/// Approximate time for one level of a walk down a diagram (ns).
const WALK_STEP: u64 = 20;
const COSTS_MAX: usize = 1_000_000;

fn exit_of(count: &BigUint) -> Exit {
    if *count == BigUint::ZERO { Exit::Failed } else { Exit::Done }
}

/// An answer that is computed completely before it is written.
struct WholeAnswer {
    text: String,
    /// The keys of the JSON object in addition to `puzzle` and `count`.
    keys: Map<String, Value>,
    exit: Exit,
}

impl Subject {
    pub(super) fn answer(
        &self,
        ask: &Ask,
        question: &DiagramQuestion,
        out: &mut AnswerOutput,
    ) -> Result<Exit, Unanswered> {
        let WholeAnswer { text, keys, exit } = match question {
            DiagramQuestion::Count => self.count(),
            DiagramQuestion::PerOption => self.per_option(ask.output.json, out)?,
            DiagramQuestion::Histogram => self.histogram()?,
            DiagramQuestion::Rank(name) => self.ranks(name, ask)?,
            DiagramQuestion::Sample { count, seed } => return self.sample(*count, *seed, ask, out),
            DiagramQuestion::Unrank(numbers) => return self.unrank(numbers, ask, out),
        };
        if ask.output.json {
            let Heading { number, ref origin, kind } = self.heading;
            let count = self.diagram.count().to_string();
            let mut object = json!({ "kind": kind, "count": count });
            object.as_object_mut().expect("it is an object").extend(keys);
            pushln!(out.text, "{}", origin.object(number, object));
        } else {
            out.text.push_str(&text);
        }
        Ok(exit)
    }

    fn exit(&self) -> Exit {
        exit_of(&self.diagram.count())
    }

    fn count(&self) -> WholeAnswer {
        let text = format!("{}\n", self.diagram.count());
        WholeAnswer { text, keys: Map::new(), exit: self.exit() }
    }

    /// Counts the solutions that contain each option. For a grid, an option is a symbol in a cell.
    fn per_option(&self, is_json: bool, out: &mut AnswerOutput) -> Result<WholeAnswer, Limit> {
        let counts = self.diagram.counts_within(&self.limits)?;
        let (mut text, mut keys) = (String::new(), Map::new());
        match self.puzzle.as_symbols() {
            Some(grid) if is_json => {
                keys.insert("counts".to_owned(), counts::cells_as_json(grid, &counts));
            }
            Some(grid) => {
                text.push_str(if out.is_first { "" } else { "\n" });
                counts::write_cells(grid, &counts, &mut text);
            }
            None => {
                let problem = self.puzzle.problem();
                let shown = |option| problem.show(option).to_string();
                let options = problem.options().map(shown).map(Value::from).collect();
                keys.insert("options".to_owned(), options);
                let numbers = counts.iter().map(|count| Value::from(count.to_string())).collect();
                keys.insert("counts".to_owned(), numbers);
                for (option, count) in problem.options().zip(&counts) {
                    pushln!(text, "{count}\t{}", problem.show(option));
                }
            }
        }
        out.is_first = false;
        Ok(WholeAnswer { text, keys, exit: self.exit() })
    }

    fn histogram(&self) -> Result<WholeAnswer, Refusal> {
        let costs = self.diagram.histogram_within(COSTS_MAX, &self.limits)?;
        let costs = costs.ok_or_else(|| {
            Refusal::limited(format!("there are more than {COSTS_MAX} different costs"))
        })?;
        let mut text = String::new();
        costs.iter().for_each(|(cost, count)| pushln!(text, "{cost}\t{count}"));
        let pair = |(cost, count): (&u128, &BigUint)| json!([cost.to_string(), count.to_string()]);
        let keys = Map::from_iter([("costs".to_owned(), costs.iter().map(pair).collect())]);
        Ok(WholeAnswer { text, keys, exit: self.exit() })
    }

    /// Finds the index of each solution in a file.
    fn ranks(&self, name: &OsStr, ask: &Ask) -> Result<WholeAnswer, Refusal> {
        let mut pace = Pace::new(&self.limits);
        let mut ranks: Vec<Option<BigUint>> = Vec::new();
        let puzzle = self.puzzle.as_ref();
        for cover in solutions(puzzle, self.heading.kind, name, &ask.input, ask.limits())? {
            pace.spend(self.walk())?;
            ranks.push(cover.and_then(|cover| self.diagram.rank(&cover)));
        }
        let mut text = String::new();
        for rank in &ranks {
            match rank {
                Some(rank) => pushln!(text, "{rank}"),
                None => text.push_str("not a solution\n"),
            }
        }
        let exit = if ranks.contains(&None) { Exit::Failed } else { Exit::Done };
        let shown = |rank: &Option<BigUint>| rank.as_ref().map(ToString::to_string);
        let shown = ranks.iter().map(shown).map(Value::from).collect();
        Ok(WholeAnswer { text, keys: Map::from_iter([("ranks".to_owned(), shown)]), exit })
    }

    fn sample(
        &self,
        count: u64,
        seed: Option<u64>,
        ask: &Ask,
        out: &mut AnswerOutput,
    ) -> Result<Exit, Unanswered> {
        let mut random = Random::new(seed.unwrap_or_else(|| RandomState::new().hash_one(())));
        let draws = (0..count).map(|_| ());
        let draw = |()| self.diagram.sample(&mut || random.next_u64());
        self.shown().show_each(draws, draw, ask, out)
    }

    fn unrank(
        &self,
        numbers: &[BigUint],
        ask: &Ask,
        out: &mut AnswerOutput,
    ) -> Result<Exit, Unanswered> {
        let count = self.diagram.count();
        let is_solvable = count != BigUint::ZERO;
        let missing = numbers.iter().find(|&number| *number >= count).filter(|_| is_solvable);
        let refused = missing.map(|number| {
            Refusal::bad_input(format!(
                "there are {count} solutions, numbered from 0, so none has the number {number}"
            ))
        });
        match refused {
            // A JSON object is written completely or not at all.
            Some(refusal) if ask.output.json => Err(refusal.into()),
            refused => {
                let find = |number: &BigUint| self.diagram.unrank(number);
                let exit = self.shown().show_each(numbers.iter(), find, ask, out)?;
                refused.map_or(Ok(exit), |refusal| Err(refusal.into()))
            }
        }
    }

    /// Returns the estimated time of a walk down the diagram (ns). A walk visits each option at
    /// most once.
    fn walk(&self) -> u64 {
        WALK_STEP * (1 + self.diagram.options().len() as u64)
    }

    fn shown(&self) -> PrintedPuzzle<'_> {
        let Self { heading, puzzle, diagram, limits } = self;
        let (count, walk) = (diagram.count(), self.walk());
        PrintedPuzzle { heading, puzzle: puzzle.as_ref(), limits, count, walk }
    }
}

/// The puzzle whose solutions are printed, with its limits.
pub(super) struct PrintedPuzzle<'s> {
    pub(super) heading: &'s Heading,
    pub(super) puzzle: &'s dyn Puzzle,
    pub(super) limits: &'s Limits,
    pub(super) count: BigUint,
    /// The estimated time to find one solution (ns).
    pub(super) walk: u64,
}

impl PrintedPuzzle<'_> {
    /// Shows the cover that `find` returns for each element of `things`. Stops when `find` returns
    /// `None` or a limit is reached.
    pub(super) fn show_each<T>(
        &self,
        mut things: impl Iterator<Item = T>,
        mut find: impl FnMut(T) -> Option<Vec<OptionId>>,
        ask: &Ask,
        out: &mut AnswerOutput,
    ) -> Result<Exit, Unanswered> {
        let mut pace = Pace::new(self.limits);
        let mut ended = Ok(());
        let is_drawn = out.gallery.is_some();
        let mut shown = 0;
        let covers = |written: usize| {
            let thing = things.next()?;
            ended = pace.spend(self.walk + writing_time(written));
            // Drawing takes longer than the walk down the diagram, so check the clock after each
            // picture.
            if is_drawn && ended.is_ok() {
                ended = self.limits.check();
            }
            ended.ok()?;
            find(thing)
        };
        let printed = self.show(covers, &mut shown, ask, out);
        if ask.output.json {
            out.text.push(']');
            out.numbers.write(self.puzzle, &mut out.text);
            out.numbers = OptionLists::default();
            let incomplete = if ended.is_err() { ",\"complete\":false" } else { "" };
            pushln!(out.text, "{incomplete}}}");
        }
        printed?;
        let Err(limit) = ended else { return Ok(exit_of(&self.count)) };
        let Refusal { exit, message, .. } = limit.into();
        if !ask.output.quiet {
            let printed = compare::show::count(shown, "solution");
            say!("puzzle {}: {message}, {printed} printed", self.heading.number);
        }
        Ok(exit)
    }

    /// Shows the covers, and counts them in `count`. `covers` gets the size of the text of the last
    /// cover (bytes) and returns the next cover. In JSON, writes the object except for its closing
    /// brace.
    fn show(
        &self,
        mut covers: impl FnMut(usize) -> Option<Vec<OptionId>>,
        count: &mut u64,
        ask: &Ask,
        out: &mut AnswerOutput,
    ) -> Result<(), Unanswered> {
        let is_plain = ask.output.json && ask.to.is_none();
        if ask.output.json {
            let Heading { number, ref origin, kind } = *self.heading;
            let kind = Value::from(kind);
            origin.begin_object(number, &mut out.text);
            let all = &self.count;
            push!(out.text, ",\"kind\":{kind},\"count\":\"{all}\",\"solutions\":[");
        }
        let mut written = 0;
        while let Some(cover) = covers(written) {
            *count += 1;
            if out.text.len() > 1 << 15 {
                out.pass_on()?;
            }
            if let Some((maker, gallery)) = &mut out.gallery {
                let Heading { number, ref origin, kind } = *self.heading;
                let caption = format!("{}, solution {count}", origin.caption(kind));
                let drawn = maker.make(|| self.puzzle.picture(&cover), caption, self.limits)?;
                let drawn = drawn.ok_or_else(|| {
                    Refusal::bad_input(format!(
                        "puzzle {number}: {kind} has no picture, or is too large"
                    ))
                })?;
                gallery.add(&drawn).map_err(Unanswered::Undrawn)?;
            }
            let before = out.text.len() + out.numbers.size();
            if ask.output.json {
                let mut text = String::new();
                match self.puzzle.as_fill().filter(|_| is_plain) {
                    Some(fill) => (format::DEFAULT.write)(&fill.filled(&cover), &mut text),
                    None => self.puzzle.show(&cover, *count, &mut text),
                }
                let separator = if *count > 1 { "," } else { "" };
                push!(out.text, "{separator}{}", Value::from(text.trim_end_matches('\n')));
                out.numbers.add(self.puzzle, &cover);
                written = (out.text.len() + out.numbers.size()).saturating_sub(before);
                continue;
            }
            if out.is_first {
                self.puzzle.layout().show_head(&mut out.text);
            } else {
                out.text.push_str(self.puzzle.layout().separator);
            }
            out.is_first = false;
            self.puzzle.show(&cover, *count, &mut out.text);
            written = (out.text.len() + out.numbers.size()).saturating_sub(before);
        }
        if *count == 0 && !ask.output.json && self.count == BigUint::ZERO {
            self.puzzle.layout().show_unsolvable(&mut out.text);
        }
        Ok(())
    }
}
