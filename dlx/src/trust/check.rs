//! Checks the proof of a count line by line, and returns the number of covers that it proves.
//!
//! [`trace`](crate::proofs::trace) defines the lines and writes them. The checker shares no code
//! with the writer of proofs, with any counting method or with any engine; it reads the options of
//! the problem. A line is checked against the problem and the lines above it:
//! - A step decides undecided options. After the last step, all options are decided.
//! - The choices of a state are exactly the options of its step that fit, in order.
//! - The successor of a choice is correct: it has the same items in use, except items that no later
//!   option contains. No option of a skipped step fits, and no finished item is below its lower
//!   bound.
//! - A dead end is correct: even with all remaining options, the item stays below its lower bound.
//! - The sum is correct.
//! - A combination of items proves that there is no cover. With a modulus, each remaining option
//!   contributes 0, but a cover must contribute another residue. Without a modulus, a cover needs
//!   more than all remaining options can contribute.
//!
//! By induction from the last states, the count stated for a state is then the number of its
//! completions. The checker keeps only the states and their counts.

use std::io::BufRead;

use num_bigint::BigUint;

use super::fault::{CheckFault, CheckedFile};
use super::lines::check_lines;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{Bounds, Color, ItemId, OptionId, ParseError, Problem};

/// Checks the text of a proof, and returns the number of covers of `problem` that contain the
/// options of `given`.
///
/// ```
/// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
/// let trace = "farandole count trace 1\nproblem 2 items 3 options\nstep item 1\nstep item 2\n\
///              state 1 at 2 | | 2>0 | 1\nstate 2 at 1 | | 1>1 3>0 | 2\nroot 2\n";
/// assert_eq!(dlx::trust::check::check(&problem, &[], trace)?, 2_u32.into());
///
/// let trace = trace.replace("3>0 | 2", "3>0 | 3");
/// let error = dlx::trust::check::check(&problem, &[], &trace).unwrap_err();
/// assert_eq!(error.to_string(), "6:28: expected the sum 2, found `3`");
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The first invalid line, with the reason.
///
/// # Panics
/// If an option of `given` does not belong to the problem.
pub fn check(problem: &Problem, given: &[OptionId], text: &str) -> Result<BigUint, ParseError> {
    let mut checker = Checker::new(problem, given);
    text.lines().try_for_each(|line| checker.read(line))?;
    checker.finish()
}

/// Works like [`check()`] for a proof that is read line by line, within limits.
///
/// The limits on time and memory and the flags apply.
///
/// # Errors
/// The first invalid line, or the limit that was reached.
///
/// # Panics
/// If an option of `given` does not belong to the problem.
pub fn check_within(
    problem: &Problem,
    given: &[OptionId],
    proof: impl BufRead,
    limits: &Limits,
) -> Result<BigUint, CheckFault> {
    let mut pace = Pace::new(limits);
    let mut checker = Checker::new(problem, given);
    let mut column = None;
    let checked = check_lines(proof, &mut pace, &mut |_, line, _| {
        if limits.memory.is_some_and(|bytes| checker.bytes > bytes) {
            return Err(Limit::Memory.into());
        }
        checker.read(line).map_err(|error| {
            column = Some(error.column);
            error.message.into()
        })
    });
    checked.map_err(|fault| CheckFault { column, ..fault })?;
    checker.finish().map_err(|ParseError { line, column, message, .. }| CheckFault {
        column: Some(column),
        ..CheckFault::new(CheckedFile::Proof, line, message)
    })
}

/// Checks a proof line by line.
///
/// ```
/// let problem: dlx::Problem = "a\na\na\n".parse()?;
/// let mut checker = dlx::trust::check::Checker::new(&problem, &[]);
/// for line in ["farandole count trace 1", "problem 1 items 2 options", "step item 1"] {
///     checker.read(line)?;
/// }
/// let error = checker.read("state 1 at 1 | | 1>0 | 1").unwrap_err();
/// assert_eq!(error.to_string(), "4:22: expected option 2, which fits, found `|`");
/// # Ok::<(), dlx::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Checker<'p> {
    problem: &'p Problem,
    is_void: bool,
    /// The options of each item that steps decide.
    lists: Vec<Vec<OptionId>>,
    /// The step of each option, from 1; 0 if the option is decided before the steps, `None` if
    /// undecided.
    step_of: Vec<Option<usize>>,
    undecided: usize,
    /// The item and the options of each step. A step that decides a single option has no item.
    /// Index 0 is unused.
    steps: Vec<(Option<ItemId>, Vec<OptionId>)>,
    /// The last step of each item's options; and for each step, the items whose last step it is.
    last: Vec<usize>,
    over: Vec<Vec<ItemId>>,
    /// The multiplicity and color of each item: in the current line, and after the given options.
    uses: Vec<ItemUse>,
    given: Vec<ItemUse>,
    states: Vec<CheckedState>,
    count: Option<BigUint>,
    line: usize,
    /// The memory of the states (bytes).
    bytes: usize,
}

type ItemUse = (u32, Option<Color>);

#[derive(Debug)]
struct CheckedState {
    step: usize,
    uses: Vec<(ItemId, ItemUse)>,
    count: BigUint,
}

struct LineWords<'l> {
    line: &'l str,
    rest: std::str::SplitWhitespace<'l>,
}

type Wrong = (usize, String);

impl<'l> LineWords<'l> {
    fn next(&mut self) -> (usize, &'l str) {
        let word = self.rest.next().unwrap_or(&self.line[self.line.trim_end().len()..][..0]);
        (word.as_ptr().addr() - self.line.as_ptr().addr(), word)
    }

    fn expect(&mut self, expected: &str) -> Result<(), Wrong> {
        let (at, word) = self.next();
        if word == expected { Ok(()) } else { Err(wrong(at, &format!("`{expected}`"), word)) }
    }
}

fn wrong(at: usize, expected: &str, found: &str) -> Wrong {
    let found = if found.is_empty() { "the end of the line".into() } else { format!("`{found}`") };
    (at, format!("expected {expected}, found {found}"))
}

fn number(word: &str) -> Option<usize> {
    word.parse().ok().filter(|number: &usize| number.to_string() == word)
}

impl<'p> Checker<'p> {
    /// Creates a checker for the covers of `problem` that contain the options of `given`.
    ///
    /// # Panics
    /// If an option of `given` does not belong to the problem.
    #[must_use]
    pub fn new(problem: &'p Problem, given: &[OptionId]) -> Self {
        let mut checker = Self {
            problem,
            is_void: false,
            lists: vec![Vec::new(); problem.item_count()],
            step_of: vec![None; problem.option_count()],
            undecided: 0,
            steps: vec![(None, Vec::new())],
            last: vec![0; problem.item_count()],
            over: Vec::new(),
            uses: vec![(0, None); problem.item_count()],
            given: Vec::new(),
            states: Vec::new(),
            count: None,
            line: 0,
            bytes: 0,
        };
        for &option in given {
            if checker.step_of[option.index()].replace(0).is_none() {
                checker.is_void |= !checker.fits(option);
                checker.add(option);
            }
        }
        for option in problem.options() {
            if checker.step_of[option.index()].is_some() {
                continue;
            }
            let entries = problem.option(option);
            if !checker.fits(option) || !entries.iter().any(|entry| problem.is_primary(entry.item)) {
                checker.step_of[option.index()] = Some(0);
            } else {
                checker.undecided += 1;
                entries.iter().for_each(|entry| checker.lists[entry.item.index()].push(option));
            }
        }
        checker.given = checker.uses.clone();
        checker
    }

    /// Checks the next line.
    ///
    /// # Errors
    /// The first error in the line.
    pub fn read(&mut self, line: &str) -> Result<(), ParseError> {
        self.line += 1;
        let mut words = LineWords { line, rest: line.split_whitespace() };
        let result = self.read_words(&mut words).and_then(|()| match words.next() {
            (_, "") => Ok(()),
            (at, word) => Err(wrong(at, "the end of the line", word)),
        });
        result.map_err(|(at, message)| {
            let column = line[..at].chars().count() + 1;
            ParseError { line: self.line, column, message }
        })
    }

    /// Returns the proved count.
    ///
    /// # Errors
    /// If the last line of the proof is missing.
    pub fn finish(self) -> Result<BigUint, ParseError> {
        let message = "expected `root`, found the end of the text".into();
        self.count.ok_or(ParseError { line: self.line + 1, column: 1, message })
    }

    fn read_words(&mut self, words: &mut LineWords<'_>) -> Result<(), Wrong> {
        match (self.line, words.next()) {
            (1, (_, "farandole")) => ["count", "trace", "1"].iter().try_for_each(|w| words.expect(w)),
            (1, (at, word)) => Err(wrong(at, "`farandole count trace 1`", word)),
            (2, (_, "problem")) => {
                let (items, options) = (self.problem.item_count(), self.problem.option_count());
                words.expect(&items.to_string())?;
                words.expect("items")?;
                words.expect(&options.to_string())?;
                words.expect("options")
            }
            (2, (at, word)) => Err(wrong(at, "`problem`", word)),
            (_, (at, word)) if self.count.is_some() => Err(wrong(at, "the end of the text", word)),
            (_, (_, "step")) if self.over.is_empty() => self.read_step(words),
            (_, (_, "state")) => self.read_state(words),
            (_, (_, "root")) => self.read_root(words),
            (_, (at, "combination")) => self.read_combination(at, words),
            (_, (at, word)) => Err(wrong(at, "`step`, then `state`, then `root`", word)),
        }
    }

    fn read_step(&mut self, words: &mut LineWords<'_>) -> Result<(), Wrong> {
        let [(at, kind), (place, word)] = [words.next(), words.next()];
        let is_new = |option: &OptionId| self.step_of[option.index()].is_none();
        let (item, options): (_, Vec<_>) = match kind {
            "item" => {
                let item =
                    self.item(word).filter(|&item| self.problem.bounds(item) == Some(Bounds::ONE));
                let options = item.map(|item| self.lists[item.index()].iter().copied().filter(is_new));
                (item, options.into_iter().flatten().collect())
            }
            "option" => {
                let index = number(word).map(|number| number.wrapping_sub(1));
                let index = index.filter(|&index| index < self.problem.option_count());
                (None, index.map(OptionId::new).into_iter().filter(is_new).collect())
            }
            _ => return Err(wrong(at, "`item` or `option`", kind)),
        };
        // A step without options would leave unknown whether its item is covered in the states at
        // the step.
        if options.is_empty() {
            let expected = match kind {
                "item" => "an item to be covered once, with options not yet decided",
                _ => "an option not yet decided",
            };
            return Err(wrong(place, expected, word));
        }
        for &option in &options {
            self.step_of[option.index()] = Some(self.steps.len());
            for entry in self.problem.option(option) {
                self.last[entry.item.index()] = self.steps.len();
            }
        }
        self.undecided -= options.len();
        self.steps.push((item, options));
        Ok(())
    }

    fn begin(&mut self) -> Result<(), Wrong> {
        if self.undecided > 0 {
            return Err((0, format!("no step decides {} of the options", self.undecided)));
        }
        if self.over.is_empty() {
            self.over = vec![Vec::new(); self.steps.len()];
            self.problem.items().for_each(|item| self.over[self.last[item.index()]].push(item));
            let step = self.steps.len();
            self.states.push(CheckedState { step, uses: Vec::new(), count: BigUint::from(1_u32) });
        }
        Ok(())
    }

    fn read_state(&mut self, words: &mut LineWords<'_>) -> Result<(), Wrong> {
        self.begin()?;
        words.expect(&self.states.len().to_string())?;
        words.expect("at")?;
        let (at, word) = words.next();
        let step = number(word).filter(|step| (1..self.steps.len()).contains(step));
        let step = step.ok_or_else(|| wrong(at, "the number of a step", word))?;
        words.expect("|")?;
        let uses = self.read_uses(step, words)?;
        let (item, options) = self.steps[step].clone();
        if let Some(item) = item.filter(|item| uses.iter().any(|(used, _)| used == item)) {
            return Err((at, format!("item {} of the step is already covered", item.index() + 1)));
        }
        let none = item.is_none().then_some(None);
        let mut count = BigUint::ZERO;
        for choice in none.into_iter().chain(options.into_iter().map(Some)) {
            self.uses.fill((0, None));
            uses.iter().for_each(|&(item, used)| self.uses[item.index()] = used);
            if choice.is_some_and(|option| !self.fits(option)) {
                continue;
            }
            choice.into_iter().for_each(|option| self.add(option));
            let (at, word) = words.next();
            let option = choice.map_or(0, |option| option.index() + 1);
            let next = word.split_once('>').filter(|(chosen, _)| number(chosen) == Some(option));
            let (_, next) =
                next.ok_or_else(|| wrong(at, &format!("option {option}, which fits"), word))?;
            count += self.follow(step, next).map_err(|message| (at, message))?;
        }
        words.expect("|")?;
        let (at, word) = words.next();
        if word != count.to_string() {
            return Err(wrong(at, &format!("the sum {count}"), word));
        }
        self.bytes += size_of::<CheckedState>() + size_of_val(&*uses) + count.bits() as usize / 8;
        self.states.push(CheckedState { step, uses, count });
        Ok(())
    }

    fn read_uses(
        &self,
        step: usize,
        words: &mut LineWords<'_>,
    ) -> Result<Vec<(ItemId, ItemUse)>, Wrong> {
        let mut uses: Vec<(ItemId, ItemUse)> = Vec::new();
        loop {
            let (at, word) = words.next();
            if word == "|" {
                return Ok(uses);
            }
            let (name, color) = word.split_once(':').map_or((word, None), |(a, b)| (a, Some(b)));
            let (name, times) = name.split_once('*').map_or((name, "1"), |(a, b)| (a, b));
            let item = self.item(name);
            let times = number(times).and_then(|times| u32::try_from(times).ok());
            let mut colors = (0..self.problem.color_count()).map(Color::new);
            let known = color.map(|name| colors.find(|&color| self.problem.color_name(color) == name));
            match (item, times, known) {
                (Some(item), Some(times @ 1..), None | Some(Some(_)))
                    if uses.last().is_none_or(|&(last, _)| last < item)
                        && self.last[item.index()] >= step =>
                {
                    uses.push((item, (times, known.flatten())));
                }
                _ => return Err(wrong(at, "an item that later options name, or `|`", word)),
            }
        }
    }

    /// Reads the root line: the successor of the given options.
    fn read_root(&mut self, words: &mut LineWords<'_>) -> Result<(), Wrong> {
        let (at, word) = words.next();
        if self.is_void {
            self.count = Some(BigUint::ZERO);
            let message = "expected a dead end, because given options are in conflict".to_owned();
            return if word.starts_with('x') { Ok(()) } else { Err((at, message)) };
        }
        self.begin()?;
        self.uses.clone_from(&self.given);
        self.count = Some(self.follow(0, word).map_err(|message| (at, message))?);
        Ok(())
    }

    fn read_combination(&mut self, start: usize, words: &mut LineWords<'_>) -> Result<(), Wrong> {
        let mut modulus = None;
        let (mut at, mut word) = words.next();
        if word == "modulo" {
            (at, word) = words.next();
            modulus = number(word).filter(|&number| number > 1).map(|number| number as i128);
            modulus.ok_or_else(|| wrong(at, "a number greater than 1", word))?;
            (at, word) = words.next();
        }
        if word != "|" {
            return Err(wrong(at, "`|`", word));
        }
        let mut coefficients = vec![0; self.problem.item_count()];
        let mut cover = 0;
        loop {
            let (at, word) = words.next();
            if word.is_empty() {
                break;
            }
            let (item, coefficient) = word.split_once('*').unwrap_or((word, "1"));
            let term = self.item(item).zip(coefficient.parse::<i64>().ok());
            let (item, coefficient) = term.ok_or_else(|| wrong(at, "an item", word))?;
            if std::mem::replace(&mut coefficients[item.index()], i128::from(coefficient)) != 0 {
                return Err((at, format!("item {} comes twice", item.index() + 1)));
            }
            let times = self.times(item, modulus.is_some(), coefficient);
            let times = times.ok_or_else(|| wrong(at, "an item of which that many are known", word))?;
            cover += i128::from(coefficient) * i128::from(times);
        }
        let left = self.problem.options().filter(|option| self.step_of[option.index()] != Some(0));
        let sums = left.map(|option| {
            let entries = self.problem.option(option).iter();
            (option, entries.map(|entry| coefficients[entry.item.index()]).sum::<i128>())
        });
        let refused = match modulus {
            Some(modulus) => {
                let other = sums.into_iter().find(|(_, sum)| sum % modulus != 0);
                let other =
                    other.map(|(option, sum)| format!("option {} has {sum}", option.index() + 1));
                other.or_else(|| (cover % modulus == 0).then(|| format!("a cover has {cover}")))
            }
            None => {
                let most: i128 = sums.map(|(_, sum)| sum.max(0)).sum();
                (most >= cover).then(|| format!("options have up to {most}, a cover {cover}"))
            }
        };
        if let Some(message) = refused.filter(|_| !self.is_void) {
            return Err((start, message));
        }
        self.count = Some(BigUint::ZERO);
        Ok(())
    }

    /// Returns the number of times that the remaining options must cover an item (positive
    /// coefficient) or may cover it (negative coefficient). Returns `None` if it is unknown, or if
    /// it is not exact although `is_exact`.
    fn times(&self, item: ItemId, is_exact: bool, coefficient: i64) -> Option<u32> {
        let (used, color) = self.given[item.index()];
        let Some(Bounds { low, high }) = self.problem.bounds(item) else {
            let options = self.lists[item.index()].iter();
            let mut entries = options.flat_map(|&option| self.problem.option(option));
            let is_colored = entries.any(|entry| entry.item == item && entry.color.is_some());
            let is_known = !is_exact && coefficient <= 0 && !is_colored && color.is_none();
            return is_known.then(|| 1_u32.saturating_sub(used));
        };
        let (low, high) = (low.saturating_sub(used), high.saturating_sub(used));
        (!is_exact || low == high).then_some(if coefficient < 0 { high } else { low })
    }

    /// Checks that the items in use after a step match the successor `next`. Returns the number of
    /// completions of the successor.
    fn follow(&self, step: usize, next: &str) -> Result<BigUint, String> {
        if let Some(item) = next.strip_prefix('x') {
            let item = self.item(item).ok_or("there is no such item")?;
            let low = self.problem.bounds(item).map_or(0, |bounds| bounds.low as usize);
            let is_left = |option: &&OptionId| self.step_of[option.index()] > Some(step);
            let left = self.lists[item.index()].iter().filter(is_left);
            let left = left.filter(|&&option| self.fits(option)).count();
            let is_dead = self.uses[item.index()].0 as usize + left < low;
            let message = || format!("item {} can still be covered", item.index() + 1);
            return is_dead.then_some(BigUint::ZERO).ok_or_else(message);
        }
        let state = number(next).and_then(|number| self.states.get(number));
        let state = state.ok_or(format!("state {next} is not one from above"))?;
        if state.step <= step {
            return Err(format!("state {next} is not at a later step"));
        }
        for passed in step..state.step {
            let mut options = self.steps[passed].1.iter();
            if passed > step
                && let Some(option) = options.find(|&&option| self.fits(option))
            {
                let option = option.index() + 1;
                return Err(format!("state {next} passes by option {option}, which fits"));
            }
            for &item in &self.over[passed] {
                let low = self.problem.bounds(item).map_or(0, |bounds| bounds.low);
                if self.uses[item.index()].0 < low {
                    return Err(format!("item {} is left uncovered by then", item.index() + 1));
                }
            }
        }
        let is_used =
            |&item: &ItemId| self.uses[item.index()].0 > 0 && self.last[item.index()] >= state.step;
        let uses = self.problem.items().filter(is_used).map(|item| (item, self.uses[item.index()]));
        if !uses.eq(state.uses.iter().copied()) {
            return Err(format!("state {next} has other items in use"));
        }
        Ok(state.count.clone())
    }

    fn item(&self, word: &str) -> Option<ItemId> {
        let index = number(word)?.checked_sub(1)?;
        (index < self.problem.item_count()).then(|| ItemId::new(index))
    }

    fn fits(&self, option: OptionId) -> bool {
        self.problem.option(option).iter().all(|entry| {
            let (times, color) = self.uses[entry.item.index()];
            match self.problem.bounds(entry.item) {
                Some(bounds) => times < bounds.high,
                None => times == 0 || (color.is_some() && color == entry.color),
            }
        })
    }

    fn add(&mut self, option: OptionId) {
        for entry in self.problem.option(option) {
            let (times, color) = &mut self.uses[entry.item.index()];
            *times = if self.problem.is_primary(entry.item) { *times + 1 } else { 1 };
            *color = entry.color;
        }
    }
}
