//! Reads and writes automata and expressions in base64.
//!
//! An automaton is a bit string, with the most significant bit of each byte first. It begins with 2
//! bits for the packing, 4 bits for the width of a state minus one, and 4 bits for the number of
//! symbols minus one. The number of start states and the number of other accepting states follow,
//! then one bit per start state that says whether it accepts. Then follow the states. In one
//! packing, a state is one bit per symbol and a target for each set bit. In the other packing, it
//! is the number of transitions, and the symbol and target of each. Start states come first, then
//! the other accepting states. The symbol after the last digit ends a group of cells.

use std::collections::BTreeMap;

use super::super::base64::{ADDRESS, EITHER};
use crate::VariantBoard;
use crate::clue::Digit;
use crate::rules::Args;
use crate::rules::machines::Machine;

const WAYS_MAX: usize = 1_000_000;

fn bytes(text: &str) -> Result<Vec<u8>, String> {
    EITHER.bytes(text).map_err(|letter| format!("expected letters of base64, found `{letter}`"))
}

pub(super) fn pattern(text: &str) -> Result<String, String> {
    let text = String::from_utf8(bytes(text.trim_end_matches('='))?);
    let text = text.map_err(|_| "expected an expression in letters of base64".to_owned())?;
    Ok(text.chars().filter(|letter| !letter.is_whitespace()).collect())
}

/// A reader of bits, with the most significant bit of each byte first.
struct BitSource {
    bytes: Vec<u8>,
    at: usize,
}

impl BitSource {
    fn left(&self) -> usize {
        8 * self.bytes.len() - self.at
    }

    fn take(&mut self, count: usize) -> Result<usize, String> {
        if count > self.left() {
            return Err("expected a whole automaton, found its beginning".to_owned());
        }
        let bit = |at: usize| usize::from(self.bytes[at / 8] >> (7 - at % 8) & 1);
        let value = (self.at..self.at + count).fold(0, |value, at| value << 1 | bit(at));
        self.at += count;
        Ok(value)
    }
}

/// An automaton whose first states are its start states.
pub(super) struct CodedMachine {
    starts: Vec<usize>,
    ends: Vec<bool>,
    /// For each state, the symbols that lead to each target.
    states: Vec<BTreeMap<usize, Vec<usize>>>,
}

pub(super) fn read(text: &str) -> Result<CodedMachine, String> {
    let mut bits = BitSource { bytes: bytes(text)?, at: 0 };
    let is_packed = match bits.take(2)? {
        0 => false,
        1 => true,
        other => return Err(format!("expected the packing 0 or 1 of an automaton, found {other}")),
    };
    let state_bits = bits.take(4)? + 1;
    let signs = bits.take(4)? + 1;
    let (starts, others) = (bits.take(state_bits)?, bits.take(state_bits)?);
    let mut ends = vec![false; starts + others];
    for end in &mut ends[..starts] {
        *end = bits.take(1)? == 1;
    }
    ends[starts..].fill(true);
    let sign_bits = width(signs - 1);
    let count_bits = if is_packed { signs } else { bits.take(4)? };
    let mut states: Vec<BTreeMap<usize, Vec<usize>>> = Vec::new();
    let mut way_count = 0;
    // The bits after the last state are padding, which is decoded as states without transitions.
    while count_bits > 0 && bits.left() >= count_bits && states.len() < 1 << state_bits {
        let head = bits.take(count_bits)?;
        let mut ways = BTreeMap::<usize, Vec<usize>>::new();
        let signs: Vec<usize> = match is_packed {
            true => (0..signs).filter(|sign| head >> sign & 1 == 1).collect(),
            false => vec![0; head],
        };
        for sign in signs {
            let sign = if is_packed { sign } else { bits.take(sign_bits)? };
            ways.entry(bits.take(state_bits)?).or_default().push(sign);
        }
        way_count += ways.len();
        if way_count > WAYS_MAX {
            return Err(format!("expected at most {WAYS_MAX} ways in an automaton"));
        }
        states.push(ways);
    }
    let last = states.iter().filter_map(|ways| ways.keys().max()).max().map_or(0, |&last| last + 1);
    let count = ends.len().max(last).max(1);
    states.resize(count, BTreeMap::new());
    ends.resize(count, false);
    Ok(CodedMachine { starts: (0..starts).collect(), ends, states })
}

fn width(number: usize) -> usize {
    (usize::BITS - number.leading_zeros()) as usize
}

impl CodedMachine {
    /// Writes the text of the rule `machine`, which starts with `leading` and ends with `trailing`
    /// ends of groups.
    pub(super) fn text(&self, board: &VariantBoard, leading: usize, trailing: usize) -> String {
        let digits = board.order();
        let has_break = |to: &(&usize, &Vec<usize>)| to.1.contains(&digits);
        let behind = |state: usize| {
            self.states[state].iter().filter(has_break).map(|(&to, _)| to).collect::<Vec<_>>()
        };
        let (mut starts, mut ends) = (self.starts.clone(), self.ends.clone());
        for _ in 0..leading {
            starts = starts.iter().flat_map(|&state| behind(state)).collect();
        }
        for _ in 0..trailing {
            ends = (0..ends.len()).map(|state| behind(state).iter().any(|&to| ends[to])).collect();
        }
        let sign = |&sign: &usize| match sign {
            sign if sign < digits => Some((i64::from(board.first) + sign as i64).to_string()),
            sign if sign == digits => Some("/".to_owned()),
            _ => None,
        };
        let state = |(number, ways): (usize, &BTreeMap<usize, Vec<usize>>)| {
            let mut words = Vec::new();
            words.extend(starts.contains(&number).then(|| ">".to_owned()));
            words.extend(ends[number].then(|| "*".to_owned()));
            for (to, signs) in ways {
                let signs: Vec<String> = signs.iter().filter_map(sign).collect();
                words.extend((!signs.is_empty()).then(|| format!("{}:{to}", signs.join(","))));
            }
            words.join(" ")
        };
        self.states.iter().enumerate().map(state).collect::<Vec<_>>().join("; ")
    }
}

/// Writes an expression.
pub(super) fn letters(pattern: &str) -> String {
    ADDRESS.text(pattern.as_bytes())
}

/// Writes the automaton of a clue.
pub(super) fn write(board: &VariantBoard, args: &Args) -> Result<String, String> {
    let machine = Machine::read(&args.text)?;
    let sign = |digit: Option<Digit>| match digit {
        None => Some(board.order()),
        Some(digit) => board.digits().position(|known| known == digit),
    };
    let state = |number: usize| {
        let ways = machine.ways[number].iter();
        let ways: Vec<(usize, usize)> =
            ways.filter_map(|&(digit, to)| Some((sign(digit)?, to))).collect();
        (machine.starts.contains(&number), machine.ends[number], ways)
    };
    let states: Vec<_> = (0..machine.ends.len()).map(state).collect();
    let signs = board.order() + usize::from(args.groups.len() > 1);
    let has_break = states.iter().any(|(_, _, ways)| ways.iter().any(|way| way.0 >= signs));
    coded(&states, signs + usize::from(has_break))
}

/// A state: whether it is a start state, whether it accepts, and its transitions as (symbol,
/// target).
type CodedState = (bool, bool, Vec<(usize, usize)>);

fn coded(states: &[CodedState], signs: usize) -> Result<String, String> {
    let order = |wanted: (bool, bool)| {
        let is_of = move |state: &usize| (states[*state].0, states[*state].1) == wanted;
        (0..states.len()).filter(is_of)
    };
    let starts: Vec<usize> = (0..states.len()).filter(|&state| states[state].0).collect();
    let others: Vec<usize> = order((false, true)).collect();
    let all: Vec<usize> = starts.iter().chain(&others).copied().chain(order((false, false))).collect();
    let mut number = vec![0; states.len()];
    all.iter().enumerate().for_each(|(place, &state)| number[state] = place);
    let (state_bits, sign_bits) = (width(states.len() - 1).max(1), width(signs - 1));
    let count_bits = width(states.iter().map(|state| state.2.len()).max().unwrap_or(0));
    let is_too_much =
        starts.is_empty() || [starts.len(), others.len()].iter().any(|&count| count >= 1 << state_bits);
    if is_too_much || signs > 16 || state_bits > 16 || count_bits > 15 {
        return Err("iss cannot hold this automaton".to_owned());
    }
    let mut bits: Vec<bool> = Vec::new();
    let mut put =
        |value: usize, count: usize| bits.extend((0..count).rev().map(|at| value >> at & 1 == 1));
    put(0, 2);
    put(state_bits - 1, 4);
    put(signs - 1, 4);
    put(starts.len(), state_bits);
    put(others.len(), state_bits);
    starts.iter().for_each(|&state| put(usize::from(states[state].1), 1));
    put(count_bits, 4);
    for &state in &all {
        put(states[state].2.len(), count_bits);
        for &(sign, to) in &states[state].2 {
            put(sign, sign_bits);
            put(number[to], state_bits);
        }
    }
    let byte = |bits: &[bool]| {
        bits.iter().enumerate().fold(0, |byte, (at, &bit)| byte | u8::from(bit) << (7 - at))
    };
    Ok(ADDRESS.text(&bits.chunks(8).map(byte).collect::<Vec<_>>()))
}
