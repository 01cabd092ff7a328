//! Rules given as text: regular expressions and automata that read the digits of cells, and
//! alternatives of other clues.

use std::cell::RefCell;
use std::collections::BTreeSet;

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::DFA;
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

use super::{Args, ClueList, Rule, by_name};
use crate::automaton::{any_of, determined};
use crate::board::VariantBoard;
use crate::clue::{Clue, CluePart, Digit};
use crate::sketch::Sketch;
use crate::{PLACED_WORK, args, budget};
use puzzle::Ink;

/// Longest regular expression (characters). Largest memory of its automaton, and of the states that
/// were reached (bytes).
const PATTERN_MAX: usize = 10_000;
const TABLES_MAX: usize = 8 << 20;
/// Work charged for compiling a character of an expression, in units of [`budget::spend`]. A
/// repetition compiles its content several times.
const CHARACTER_WORK: u64 = 20_000;
/// Maximum number of states and of transitions of an automaton.
const STATES_MAX: usize = 1 << 16;
const WAYS_MAX: usize = 1_000_000;

fn letter(digit: Digit) -> Option<u8> {
    char::from_digit(digit as u32, 36).map(|letter| letter as u8)
}

/// The clue becomes the automaton of the expression. Only states that the digits of the cells can
/// reach are built, because the total number can be exponential.
pub(super) fn regex(board: &VariantBoard, args: &Args) -> ClueList {
    let (cells, pattern) = (&args.groups[0], &args.text);
    if pattern.len() > PATTERN_MAX {
        return Err(format!("expected at most {PATTERN_MAX} characters, found {}", pattern.len()));
    }
    if board.digits().end() > &35 {
        return Err("expected digits up to 35, which have letters in expressions".to_owned());
    }
    budget::spend_each(pattern.len(), CHARACTER_WORK)?;
    let automaton = DFA::builder()
        .configure(DFA::config().cache_capacity(TABLES_MAX).skip_cache_capacity_check(true))
        .syntax(syntax::Config::new().unicode(false).utf8(false).case_insensitive(true))
        .thompson(thompson::Config::new().utf8(false).nfa_size_limit(Some(TABLES_MAX)))
        .build(&format!(r"\A(?:{pattern})\z"));
    let automaton = automaton.map_err(|error| {
        // The innermost cause describes the error. The outer errors only add context.
        let mut cause: &dyn std::error::Error = &error;
        while let Some(deeper) = cause.source() {
            cause = deeper;
        }
        let why = cause.to_string();
        let why = why.lines().last().unwrap_or("").trim_start_matches("error: ").to_owned();
        format!("expected an expression of digits such as (12|3.)*, found `{pattern}`: {why}")
    })?;
    let cache = RefCell::new(automaton.create_cache());
    let start = automaton
        .start_state_forward(&mut cache.borrow_mut(), &Input::new("").anchored(Anchored::Yes))
        .map_err(|error| error.to_string())?;
    let step = |_: usize, state: &LazyStateID, digit: Digit| {
        let Some(letter) = letter(digit) else { return Ok(None) };
        let mut cache = cache.borrow_mut();
        let next =
            automaton.next_state(&mut cache, *state, letter).map_err(|error| error.to_string())?;
        // The cache was cleared, so the states built so far are invalid.
        if cache.clear_count() > 0 {
            return Err(format!("the states of `{pattern}` take more than {TABLES_MAX} bytes"));
        }
        Ok((!next.is_dead() && !next.is_quit()).then_some(next))
    };
    let is_end = |state: &LazyStateID| {
        let end = automaton.next_eoi_state(&mut cache.borrow_mut(), *state);
        end.is_ok_and(|end| end.is_match())
    };
    let walk = determined(board, cells.len(), start, step, is_end)?;
    let holds = move |digits: &[Digit]| {
        let text: Option<Vec<u8>> = digits.iter().map(|&digit| letter(digit)).collect();
        let found = text.map(|text| {
            let input = Input::new(&text).anchored(Anchored::Yes);
            automaton.try_search_fwd(&mut automaton.create_cache(), &input)
        });
        matches!(found, Some(Ok(Some(_))))
    };
    Ok(vec![Clue::new(cells, holds, vec![CluePart::Automaton(cells.clone(), walk)])])
}

/// A nondeterministic finite automaton.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    pub(crate) starts: Vec<usize>,
    pub(crate) ends: Vec<bool>,
    /// The transitions of each state: the digit, or `None` for the end of a group, and the next
    /// state.
    pub(crate) ways: Vec<Vec<(Option<Digit>, usize)>>,
}

impl Machine {
    /// Reads states separated by `;`. `>` marks a start state, `*` an accepting state, and `1,3:2`
    /// transitions with the digits 1 and 3 to state 2. States are numbered from 0.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut machine = Self::default();
        let count = text.split(';').count();
        if count > STATES_MAX {
            return Err(format!("expected at most {STATES_MAX} states, found {count}"));
        }
        let mut way_count = 0;
        for (number, state) in text.split(';').enumerate() {
            let (mut is_end, mut ways) = (false, Vec::new());
            for word in state.split_whitespace() {
                match word {
                    ">" => machine.starts.push(number),
                    "*" => is_end = true,
                    _ => {
                        let fault = || {
                            format!(
                                "expected `>`, `*` or a way such as 1,3:2 in state {number}, found `{word}`"
                            )
                        };
                        let (digits, to) = word.split_once(':').ok_or_else(fault)?;
                        let to = to.parse().ok().filter(|&to: &usize| to < count);
                        let to = to.ok_or_else(|| {
                            format!("expected a state from 0 to {} in `{word}`", count - 1)
                        })?;
                        for digit in digits.split(',') {
                            let digit = match digit {
                                "/" => None,
                                _ => Some(digit.parse().map_err(|_| fault())?),
                            };
                            ways.push((digit, to));
                        }
                    }
                }
            }
            way_count += ways.len();
            if way_count > WAYS_MAX {
                return Err(format!("expected at most {WAYS_MAX} ways between states"));
            }
            machine.ends.push(is_end);
            machine.ways.push(ways);
        }
        Ok(machine)
    }

    fn next(&self, states: &BTreeSet<usize>, digit: Option<Digit>) -> BTreeSet<usize> {
        let ways = states.iter().flat_map(|&state| &self.ways[state]);
        ways.filter(|(known, _)| *known == digit).map(|&(_, to)| to).collect()
    }
}

/// The clue becomes an automaton whose states are sets of states of the given automaton.
pub(super) fn machine(board: &VariantBoard, args: &Args) -> ClueList {
    let machine = Machine::read(&args.text)?;
    let starts: BTreeSet<usize> = machine.starts.iter().copied().collect();
    // For each cell, whether a new group starts with it.
    let begins: Vec<bool> = args
        .groups
        .iter()
        .enumerate()
        .flat_map(|(group, cells)| (0..cells.len()).map(move |place| group > 0 && place == 0))
        .collect();
    let step = |place: usize, states: &BTreeSet<usize>, digit: Digit| {
        let after = match begins[place] {
            true => machine.next(&machine.next(states, None), Some(digit)),
            false => machine.next(states, Some(digit)),
        };
        Ok((!after.is_empty()).then_some(after))
    };
    let is_end = |states: &BTreeSet<usize>| states.iter().any(|&state| machine.ends[state]);
    let cells = args.groups.concat();
    let walk = determined(board, cells.len(), starts.clone(), step, is_end)?;
    let holds = move |digits: &[Digit]| {
        let mut here: Vec<bool> =
            (0..machine.ends.len()).map(|state| starts.contains(&state)).collect();
        let signs = digits.iter().zip(&begins);
        let signs =
            signs.flat_map(|(&digit, &begins)| begins.then_some(None).into_iter().chain([Some(digit)]));
        for sign in signs {
            let mut next = vec![false; here.len()];
            for (_, ways) in machine.ways.iter().enumerate().filter(|(state, _)| here[*state]) {
                ways.iter().filter(|(known, _)| *known == sign).for_each(|&(_, to)| next[to] = true);
            }
            here = next;
        }
        here.iter().zip(&machine.ends).any(|(&is_here, &is_end)| is_here && is_end)
    };
    Ok(vec![Clue::new(&cells, holds, vec![CluePart::Automaton(cells.clone(), walk)])])
}

/// A conjunction of clues.
type Alternative = Vec<(&'static Rule, Args)>;

fn alternatives(board: &VariantBoard, text: &str) -> Result<Vec<Alternative>, String> {
    let clue = |clue: &str| {
        let (name, rest) = clue.split_once(':').unwrap_or((clue, ""));
        let name = name.trim();
        let rule = by_name(name).filter(|rule| rule.name != "either");
        let rule =
            rule.ok_or_else(|| format!("expected a clue such as `sum: r1c1 = 3`, found `{name}`"))?;
        let args =
            args::read_words(board, rule, rest).map_err(|message| format!("{message} ({name})"))?;
        Ok((rule, args))
    };
    text.split(" or ").map(|together| together.split(" and ").map(clue).collect()).collect()
}

/// The clue becomes one automaton that reads the parts of all alternatives, one alternative after
/// the other.
pub(super) fn either(board: &VariantBoard, args: &Args) -> ClueList {
    let mut made: Vec<Vec<Clue>> = Vec::new();
    for alternative in alternatives(board, &args.text)? {
        let mut together = Vec::new();
        for (rule, args) in alternative {
            budget::spend(PLACED_WORK)?;
            let clues = rule.clues(board, &args);
            together.extend(clues.map_err(|message| format!("{message} ({})", rule.name))?);
        }
        made.push(together);
    }
    // An alternative without parts always holds.
    if made.iter().any(|clues| clues.iter().all(|clue| clue.parts.is_empty())) {
        return Ok(Vec::new());
    }
    let (mut cells, mut parts, mut tests) = (Vec::new(), Vec::new(), Vec::new());
    for clues in made {
        let (mut of_parts, mut of_tests) = (Vec::new(), Vec::new());
        for clue in clues {
            let start = cells.len();
            cells.extend(clue.cells);
            of_tests.push((start..cells.len(), clue.holds));
            of_parts.extend(clue.parts);
        }
        parts.push(of_parts);
        tests.push(of_tests);
    }
    let holds = move |digits: &[Digit]| {
        tests.iter().any(|clues| clues.iter().all(|(range, holds)| holds(&digits[range.clone()])))
    };
    Ok(vec![Clue::new(&cells, holds, vec![any_of(board, parts)?])])
}

pub(super) fn draw_regex(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.lettered_line(&args.groups, Ink::Teal, false, &format!("= {}", args.text));
}

pub(super) fn draw_machine(sketch: &mut Sketch<'_>, args: &Args) {
    sketch.lettered_line(&args.groups, Ink::Purple, true, &format!("= {}", args.text));
}

pub(super) fn draw_either(sketch: &mut Sketch<'_>, args: &Args) {
    let alternatives = alternatives(sketch.board(), &args.text).unwrap_or_default();
    let letter = sketch.explain(&args.text, true);
    for (number, clues) in (1..).zip(&alternatives) {
        let cells: Vec<usize> = clues.iter().flat_map(|(_, args)| args.groups.concat()).collect();
        if !cells.is_empty() {
            sketch.cage(&cells, Ink::Muted, false, &format!("{letter}{number}"));
        }
    }
}
