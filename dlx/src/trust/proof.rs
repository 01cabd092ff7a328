//! Writes the proof of a count as a text, which can be checked independently: all states with their
//! choices and sums.
//!
//! ```text
//! farandole count trace 1
//! problem 7 items 6 options
//! step item 1
//! step item 2
//! step option 4
//! state 1 at 3 | 2 5*2 6:red | 0>0 4>x7 | 1
//! state 2 at 1 | | 2>1 5>0 | 2
//! root 2
//! ```
//!
//! Items and options are numbered from 1, in the order of the problem's text. *Steps* decide
//! options, as chosen or not chosen. Given options are chosen before the first step. Options
//! without primary items and options in conflict with a given option are not chosen. The line `step
//! item i`, where `i` must be covered exactly once, decides all undecided options with `i`: one of
//! them is chosen, unless an earlier option covers `i`. The line `step option o` decides whether
//! option `o` is chosen. After the last step, all options are decided.
//!
//! A *state* belongs to a step and has a number. A state lists the items *used* by earlier choices
//! that also occur in options of this step or later ones: `2` once, `5*2` twice, `6:red` in a
//! color. The options of the step that fit follow in order, each with its successor; option 0
//! stands for choosing no option. A successor is a state from an earlier line, or state 0 if all
//! options are decided. The successor `x7` is a dead end, because item 7 stays below its lower
//! bound even with all remaining options that fit. Steps where no option fits are skipped. The last
//! number of the line is the sum over all choices, which is the number of ways to complete the
//! state to a cover. The root is the successor of the given options, and the number stored for the
//! root is the count of all covers.
//!
//! If linear algebra proves that there is no cover, one line replaces all steps and states:
//!
//! ```text
//! combination modulo 2 | 1 4*3 7
//! combination | 1 2 3 4*-1 5*-1
//! ```
//!
//! The line gives coefficients to items, 1 by default. An option contributes the sum of the
//! coefficients of its items. The remaining options are neither given nor in conflict with a given
//! option. With a modulus, each remaining option contributes 0 modulo it, but the items that these
//! options must cover, with their multiplicities, have another sum. Without a modulus, the positive
//! contributions of all remaining options together are less than the smallest sum that a cover
//! needs; there an item with a negative coefficient counts with its upper bound. Only without a
//! modulus may items be secondary or have different bounds, and they must have no color.
//!
//! So each line can be checked against the problem and the lines above it
//! ([`check`](mod@crate::trust::check)).

use std::fmt::Write as _;

use indexmap::IndexSet;
use num_bigint::BigUint;

use crate::algebra::{self, Certificate};
use crate::frontier::order;
use crate::limits::{Limit, Limits};
use crate::model::{Bounds, Entry, ItemId, OptionId, Problem, restrict};
use crate::portfolio::{Budget, Cut, costs};

/// Writes the proof of a count of the covers of `problem` that contain the options of `given`, and
/// returns the count. Calls `sink` with one line at a time, including the line break.
///
/// Keeps all states in memory, at most about `bytes` bytes, before it writes the first line.
///
/// ```
/// use dlx::{Limits, trust::{check, proof}};
///
/// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
/// let mut text = String::new();
/// let count = proof::write(&problem, &[], &Limits::new(), 1 << 20, &mut |line| text += line);
/// assert_eq!(count, Ok(2_u32.into()));
/// assert_eq!(check::check(&problem, &[], &text)?, 2_u32.into());
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// The limit that was reached: memory, time, or a flag. Limits on solutions and nodes are ignored.
/// Some lines may have been written before the error.
///
/// # Panics
/// If an option of `given` does not belong to the problem.
pub fn write(
    problem: &Problem,
    given: &[OptionId],
    limits: &Limits,
    bytes: usize,
    sink: &mut dyn FnMut(&str),
) -> Result<BigUint, Limit> {
    let mut budget = Budget::new(limits, u64::MAX, bytes);
    let mut trace = || {
        if let Some(certificate) = refute(problem, given, limits, bytes)? {
            write_head(problem, sink);
            sink(&show_certificate(problem, &certificate));
            return Ok(BigUint::ZERO);
        }
        let mut walk = Expansion::new(problem, given, &mut budget)?;
        walk.go(&mut budget)?;
        walk.write(sink, &mut budget)
    };
    trace().map_err(Cut::limit)
}

fn refute(
    problem: &Problem,
    given: &[OptionId],
    limits: &Limits,
    bytes: usize,
) -> Result<Option<Certificate>, Cut> {
    let Ok(restricted) = restrict(problem, given) else { return Ok(None) };
    let mut budget = Budget::new(limits, costs::ALGEBRA_HOPE, bytes);
    match algebra::refute(&restricted.problem, &mut budget) {
        Err(Cut::Limit(limit)) => Err(Cut::Limit(limit)),
        found => Ok(found.unwrap_or_default()),
    }
}

fn write_head(problem: &Problem, sink: &mut dyn FnMut(&str)) {
    sink("farandole count trace 1\n");
    sink(&format!("problem {} items {} options\n", problem.item_count(), problem.option_count()));
}

/// Returns the line of a certificate. The items added to force given options are omitted, because
/// the given options imply them.
fn show_certificate(problem: &Problem, certificate: &Certificate) -> String {
    let mut line = String::from("combination");
    if let Some(modulus) = certificate.modulus {
        let _ = write!(line, " modulo {modulus}");
    }
    line.push_str(" |");
    for &(item, coefficient) in &certificate.terms {
        let number = item.index() + 1;
        let _ = match coefficient {
            _ if number > problem.item_count() => Ok(()),
            1 => write!(line, " {number}"),
            _ => write!(line, " {number}*{coefficient}"),
        };
    }
    line + "\n"
}

const ENTRY_WORK: u64 = 100;
const CHOICE_WORK: u64 = 500;
const BYTE_WORK: u64 = 10;

/// The use of an item. For a primary item, the number of times it is covered. For a secondary item,
/// 0 if it is unused, 1 if it is used without a color, otherwise 2 plus the index of its color.
type Use = u32;

fn use_of(entry: &Entry) -> Use {
    entry.color.map_or(1, |color| color.index() as Use + 2)
}

/// A choice of a state (an option or none), and its successor.
type Transition = (Option<OptionId>, Successor);

#[derive(Clone, Copy)]
enum Successor {
    Done,
    State(u32, u32),
    Dead(ItemId),
}

struct ProofStep {
    /// The covered item, or `None` for a step that decides a single option.
    item: Option<ItemId>,
    options: Vec<OptionId>,
    states: IndexSet<Box<[(ItemId, Use)]>>,
    /// The choices of all states in one list, and the end of each state's choices in it.
    ways: Vec<Transition>,
    ends: Vec<usize>,
}

/// The step of an option that is decided before all steps.
const NEVER: usize = usize::MAX;

struct Expansion<'p> {
    problem: &'p Problem,
    steps: Vec<ProofStep>,
    step_of: Vec<usize>,
    /// The options of each item that steps decide, the last one first.
    lists: Vec<Vec<OptionId>>,
    uses: Vec<Use>,
    root: Successor,
    bytes: usize,
}

impl<'p> Expansion<'p> {
    fn new(problem: &'p Problem, given: &[OptionId], budget: &mut Budget<'_>) -> Result<Self, Cut> {
        budget.spend(ENTRY_WORK * problem.entry_count() as u64)?;
        let mut walk = Self {
            problem,
            steps: Vec::new(),
            step_of: vec![NEVER; problem.option_count()],
            lists: vec![Vec::new(); problem.item_count()],
            uses: vec![0; problem.item_count()],
            root: Successor::Done,
            bytes: 0,
        };
        let mut given = given.to_vec();
        given.sort_unstable();
        given.dedup();
        let restricted = match restrict(problem, &given) {
            Ok(restricted) => restricted.problem,
            Err(conflict) => {
                walk.root = Successor::Dead(conflict.item);
                return Ok(walk);
            }
        };
        given.iter().for_each(|&option| walk.choose(option));
        let mut own = vec![Vec::new(); problem.item_count()];
        for option in problem.options() {
            let is_idle = !problem.option(option).iter().any(|entry| problem.is_primary(entry.item));
            if !is_idle && given.binary_search(&option).is_err() && walk.fits(option) {
                problem.option(option).iter().for_each(|entry| own[entry.item.index()].push(option));
            }
        }
        let order = order::candidates(&restricted, budget)?.into_iter().next().map(|order| order.items);
        let items = order.unwrap_or_default().into_iter().filter(|item| item.index() < own.len());
        for item in items {
            let is_new = |option: &&OptionId| walk.step_of[option.index()] == NEVER;
            let options: Vec<_> = own[item.index()].iter().filter(is_new).copied().collect();
            let has_one = problem.bounds(item) == Some(Bounds::ONE);
            for options in options.chunks(if has_one { options.len().max(1) } else { 1 }) {
                let options = options.to_vec();
                options.iter().for_each(|option| walk.step_of[option.index()] = walk.steps.len());
                walk.steps.push(ProofStep {
                    item: has_one.then_some(item),
                    options,
                    states: IndexSet::new(),
                    ways: Vec::new(),
                    ends: Vec::new(),
                });
            }
        }
        for (list, mut options) in walk.lists.iter_mut().zip(own) {
            options.sort_by_key(|option| std::cmp::Reverse(walk.step_of[option.index()]));
            *list = options;
        }
        walk.root = match problem.items().find(|&item| walk.is_dead(item, 0)) {
            Some(item) => Successor::Dead(item),
            None => walk.arrive(0),
        };
        Ok(walk)
    }

    fn fits(&self, option: OptionId) -> bool {
        self.problem.option(option).iter().all(|entry| {
            let used = self.uses[entry.item.index()];
            match self.problem.bounds(entry.item) {
                Some(bounds) => used < bounds.high,
                None => used == 0 || (used > 1 && used == use_of(entry)),
            }
        })
    }

    fn choose(&mut self, option: OptionId) {
        for entry in self.problem.option(option) {
            let used = &mut self.uses[entry.item.index()];
            *used = match self.problem.bounds(entry.item) {
                Some(_) => *used + 1,
                None => use_of(entry),
            };
        }
    }

    /// Returns whether the options from `step` on cannot raise an item to its lower bound.
    fn is_dead(&self, item: ItemId, step: usize) -> bool {
        let low = self.problem.bounds(item).map_or(0, |bounds| bounds.low);
        let mut missing = low.saturating_sub(self.uses[item.index()]);
        let mut left = self.lists[item.index()].iter();
        while missing > 0 {
            match left.next() {
                Some(option) if self.step_of[option.index()] < step => return true,
                Some(&option) => missing -= u32::from(self.fits(option)),
                None => return true,
            }
        }
        false
    }

    /// Returns an item that a choice leaves without enough options. The returned item belongs to an
    /// option that no longer fits.
    fn victim(&self, choice: Option<OptionId>, refused: OptionId, next: usize) -> Option<ItemId> {
        let dead = |option: OptionId| {
            let mut items = self.problem.option(option).iter().map(|entry| entry.item);
            items.find(|&item| self.is_dead(item, next))
        };
        let Some(choice) = choice else { return dead(refused) };
        self.problem.option(choice).iter().find_map(|entry| {
            let left = self.lists[entry.item.index()].iter();
            left.take_while(|option| self.step_of[option.index()] + 1 >= next)
                .find_map(|&option| if self.fits(option) { None } else { dead(option) })
        })
    }

    /// Returns the state for the items in use, at the first step from `step` on with a fitting
    /// option.
    fn arrive(&mut self, step: usize) -> Successor {
        let is_open = |step: &ProofStep| step.options.iter().any(|&option| self.fits(option));
        let Some(skipped) = self.steps[step..].iter().position(is_open) else { return Successor::Done };
        let step = step + skipped;
        let is_open = |item: &ItemId| {
            let last = self.lists[item.index()].first();
            self.uses[item.index()] > 0 && last.is_some_and(|last| self.step_of[last.index()] >= step)
        };
        let items = self.problem.items().filter(is_open);
        let state: Box<[_]> = items.map(|item| (item, self.uses[item.index()])).collect();
        let size = size_of_val(&*state);
        let (place, is_new) = self.steps[step].states.insert_full(state);
        if is_new {
            self.bytes += size + 64;
        }
        Successor::State(step as u32, place as u32)
    }

    fn go(&mut self, budget: &mut Budget<'_>) -> Result<(), Cut> {
        for step in 0..self.steps.len() {
            let options = self.steps[step].options.clone();
            let has_none = self.steps[step].item.is_none();
            let choices = has_none.then_some(None).into_iter().chain(options.iter().copied().map(Some));
            let choices: Vec<_> = choices.collect();
            for place in 0..self.steps[step].states.len() {
                let state = self.steps[step].states[place].clone();
                for &choice in &choices {
                    budget.spend(CHOICE_WORK + self.uses.len() as u64)?;
                    self.uses.fill(0);
                    state.iter().for_each(|&(item, used)| self.uses[item.index()] = used);
                    if choice.is_some_and(|option| !self.fits(option)) {
                        continue;
                    }
                    choice.into_iter().for_each(|option| self.choose(option));
                    let next = match self.victim(choice, options[0], step + 1) {
                        Some(item) => Successor::Dead(item),
                        None => self.arrive(step + 1),
                    };
                    self.steps[step].ways.push((choice, next));
                    self.bytes += size_of::<Transition>();
                }
                let end = self.steps[step].ways.len();
                self.steps[step].ends.push(end);
                if self.bytes > budget.bytes {
                    return Err(Cut::Memory);
                }
            }
        }
        Ok(())
    }

    fn write(&self, sink: &mut dyn FnMut(&str), budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        let problem = self.problem;
        write_head(problem, sink);
        for step in &self.steps {
            sink(&match step.item {
                Some(item) => format!("step item {}\n", item.index() + 1),
                None => format!("step option {}\n", step.options[0].index() + 1),
            });
        }
        // The number of the first state of each step, and the counts of all states.
        let mut first = vec![0; self.steps.len()];
        let mut counts = vec![BigUint::from(1_u32)];
        let show = |next: Successor, first: &[usize]| match next {
            Successor::Done => (0, String::from("0")),
            Successor::State(step, place) => {
                let number = first[step as usize] + place as usize;
                (number, number.to_string())
            }
            Successor::Dead(item) => (usize::MAX, format!("x{}", item.index() + 1)),
        };
        for (index, step) in self.steps.iter().enumerate().rev() {
            first[index] = counts.len();
            let mut start = 0;
            for (state, &end) in step.states.iter().zip(&step.ends) {
                let mut line = format!("state {} at {} |", counts.len(), index + 1);
                state.iter().for_each(|&(item, used)| self.show_use(item, used, &mut line));
                line.push_str(" |");
                let mut count = BigUint::ZERO;
                for &(choice, next) in &step.ways[start..end] {
                    let (number, next) = show(next, &first);
                    count += counts.get(number).unwrap_or(&BigUint::ZERO);
                    let option = choice.map_or(0, |option| option.index() + 1);
                    let _ = write!(line, " {option}>{next}");
                }
                let _ = writeln!(line, " | {count}");
                budget.spend(BYTE_WORK * line.len() as u64)?;
                sink(&line);
                counts.push(count);
                start = end;
            }
        }
        let (number, root) = show(self.root, &first);
        sink(&format!("root {root}\n"));
        Ok(counts.get(number).cloned().unwrap_or_default())
    }

    fn show_use(&self, item: ItemId, used: Use, line: &mut String) {
        let number = item.index() + 1;
        let _ = match used {
            1 => write!(line, " {number}"),
            _ if self.problem.is_primary(item) => write!(line, " {number}*{used}"),
            _ => {
                let color = crate::model::Color::new(used as usize - 2);
                write!(line, " {number}:{}", self.problem.color_name(color))
            }
        };
    }
}
