//! Makes automata deterministic and minimal.
//!
//! If an automaton accepted a sequence of digits in two ways, one grid would have two covers. To
//! avoid this, the subset construction follows all reachable states together, one layer per cell.
//! Then states of the same layer with equal continuations are merged, from the last layer to the
//! first, which gives the minimal layered automaton.
//!
//! # Bounds
//! At most [`STATES_MAX`] states before merging. Larger automata are refused.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use super::board::VariantBoard;
use super::budget;
use super::clue::{Automaton, CluePart, Digit};

/// Maximum number of states before merging.
pub(super) const STATES_MAX: usize = 200_000;
/// Marks a missing transition, and a state that cannot reach an accepting state.
const DEAD: u32 = u32::MAX;
/// Work charged for a transition, and for merging a state, in units of [`budget::spend`].
const STEP_WORK: u64 = 500;

/// Builds the minimal automaton for `len` cells from a deterministic step function.
pub(super) fn determined<S: Clone + Eq + Hash>(
    board: &VariantBoard,
    len: usize,
    start: S,
    mut step: impl FnMut(usize, &S, Digit) -> Result<Option<S>, String>,
    mut is_end: impl FnMut(&S) -> bool,
) -> Result<Automaton, String> {
    let order = board.order();
    let mut layer = vec![start];
    // For each cell, the number of the next state for each state and digit.
    let mut tables: Vec<Vec<u32>> = Vec::with_capacity(len);
    let mut count = 1;
    for place in 0..len {
        let (mut next, mut numbers) = (Vec::new(), HashMap::new());
        let mut table = Vec::with_capacity(layer.len() * order);
        for state in &layer {
            budget::spend_each(order, STEP_WORK)?;
            for digit in board.digits() {
                table.push(match step(place, state, digit)? {
                    None => DEAD,
                    Some(after) => match numbers.entry(after) {
                        Entry::Occupied(known) => *known.get(),
                        Entry::Vacant(new) => {
                            next.push(new.key().clone());
                            *new.insert(next.len() as u32 - 1)
                        }
                    },
                });
            }
            if count + next.len() > STATES_MAX {
                return Err(format!(
                    "the clue has more than {STATES_MAX} states on its way through the cells"
                ));
            }
        }
        count += next.len();
        tables.push(table);
        layer = next;
    }
    // The class of each state in the next layer, or `DEAD` if the state cannot reach an accepting
    // state.
    let mut classes: Vec<u32> =
        layer.iter().map(|state| if is_end(state) { 0 } else { DEAD }).collect();
    let mut ways = vec![DEAD; order];
    for table in tables.iter_mut().rev() {
        budget::spend_each(table.len() / order, STEP_WORK)?;
        let mut known: HashMap<Box<[u32]>, u32> = HashMap::new();
        let (mut merged, mut of_table) = (Vec::new(), Vec::with_capacity(table.len() / order));
        for state in table.chunks_exact(order) {
            let class = |&to: &u32| if to == DEAD { DEAD } else { classes[to as usize] };
            ways.iter_mut().zip(state).for_each(|(way, to)| *way = class(to));
            let number = known.len() as u32;
            of_table.push(match known.get(&ways[..]) {
                Some(&known) => known,
                None if ways.iter().all(|&to| to == DEAD) => DEAD,
                None => {
                    known.insert(ways.clone().into(), number);
                    merged.extend(&ways);
                    number
                }
            });
        }
        (*table, classes) = (merged, of_table);
    }
    let (tables, first) = (Arc::new(tables), board.first);
    let starts = classes.first().filter(|&&class| class != DEAD);
    Ok(Automaton {
        starts: starts.map(|&class| i64::from(class)).into_iter().collect(),
        step: Box::new(move |place, state, digit| {
            let index = usize::try_from(digit - first).ok().filter(|&index| index < order)?;
            let state = usize::try_from(state).ok()?;
            let to = *tables.get(place)?.get(state * order + index)?;
            (to != DEAD).then_some(i64::from(to))
        }),
        is_end: Box::new(|_| true),
        meaning: None,
    })
}

/// Returns the state after a digit, given the index of its cell, or `None` if there is no
/// transition.
type PartStep = Box<dyn Fn(usize, &[i64], Digit) -> Option<Vec<i64>>>;
type PartEnd = Box<dyn Fn(&[i64]) -> bool>;

pub(super) struct PartAutomaton {
    pub(super) cells: Vec<usize>,
    pub(super) start: Vec<i64>,
    step: PartStep,
    is_end: PartEnd,
}

impl PartAutomaton {
    /// Builds the automaton of a part.
    ///
    /// # Errors
    /// If a deferred part has too many states, or a limit is reached.
    pub(super) fn of(board: &VariantBoard, part: CluePart) -> Result<Self, String> {
        let first = board.first;
        let bit = move |digit: Digit| 1_i64 << (digit - first);
        Ok(match part {
            CluePart::Only(cell, is_right) => Self {
                cells: vec![cell],
                start: vec![],
                step: Box::new(move |_, _, digit| is_right(digit).then(Vec::new)),
                is_end: Box::new(|_| true),
            },
            CluePart::Relate(one, other, is_right) => Self {
                cells: vec![one, other],
                start: vec![],
                step: Box::new(move |place, state, digit| match place {
                    0 => Some(vec![i64::from(digit)]),
                    _ => is_right(state[0] as Digit, digit).then(Vec::new),
                }),
                is_end: Box::new(|_| true),
            },
            CluePart::Differ(cells) => Self {
                cells,
                start: vec![0],
                step: Box::new(move |_, seen, digit| {
                    (seen[0] & bit(digit) == 0).then(|| vec![seen[0] | bit(digit)])
                }),
                is_end: Box::new(|_| true),
            },
            CluePart::Set(cells, is_right) => Self {
                cells,
                start: vec![0],
                step: Box::new(move |_, seen, digit| {
                    (seen[0] & bit(digit) == 0).then(|| vec![seen[0] | bit(digit)])
                }),
                is_end: Box::new({
                    let digits = board.digits();
                    move |seen| {
                        let set: Vec<Digit> =
                            digits.clone().filter(|&digit| seen[0] & bit(digit) != 0).collect();
                        is_right(&set)
                    }
                }),
            },
            CluePart::SameSets(groups) => {
                // The state consists of the digits of the first group and the digits of the current
                // group.
                let begins: Vec<bool> =
                    groups.iter().flat_map(|cells| (0..cells.len()).map(|place| place == 0)).collect();
                let split = groups.first().map_or(0, Vec::len);
                Self {
                    cells: groups.concat(),
                    start: vec![0, 0],
                    step: Box::new(move |place, state, digit| {
                        if place < split {
                            let seen = state[0] | bit(digit);
                            return (state[0] != seen).then(|| vec![seen, seen]);
                        }
                        let before =
                            if begins[place] { (state[0] == state[1]).then_some(0)? } else { state[1] };
                        let seen = before | bit(digit);
                        (before != seen && state[0] & bit(digit) != 0).then(|| vec![state[0], seen])
                    }),
                    is_end: Box::new(|state| state[0] == state[1]),
                }
            }
            CluePart::Sum(terms, sum) => {
                let factors: Vec<i64> = terms
                    .iter()
                    .flat_map(|(cells, factor)| cells.iter().map(move |_| *factor))
                    .collect();
                Self {
                    cells: terms.into_iter().flat_map(|(cells, _)| cells).collect(),
                    start: vec![0],
                    step: Box::new(move |place, state, digit| {
                        Some(vec![state[0] + factors[place] * i64::from(digit)])
                    }),
                    is_end: Box::new(move |state| state[0] == sum),
                }
            }
            CluePart::Often(cells, digit, often) => {
                return Self::of(board, CluePart::Automaton(cells, Automaton::counting(digit, often)));
            }
            CluePart::Deferred(deferred) => return Self::of(board, deferred.to_part()?),
            CluePart::Automaton(cells, walk) => {
                let Automaton { starts, step, is_end, .. } = walk;
                Self {
                    cells,
                    start: starts,
                    step: Box::new(move |place, states, digit| {
                        let after: BTreeSet<i64> =
                            states.iter().filter_map(|&state| step(place, state, digit)).collect();
                        (!after.is_empty()).then(|| after.into_iter().collect())
                    }),
                    is_end: Box::new(move |states| states.iter().any(|&state| is_end(state))),
                }
            }
        })
    }
}

/// The state of an automaton for alternatives. `Done`: an alternative holds. `Failed`: the current
/// alternative has failed. `In`: the state within the current part of the current alternative.
#[derive(Clone, PartialEq, Eq, Hash)]
enum AlternativesState {
    Done,
    Failed,
    In(Vec<i64>),
}

/// Builds a part that requires at least one of several alternatives. Each alternative is a
/// conjunction of parts.
///
/// The automaton reads the cells of the first alternative, then those of the second, and so on.
/// Once an alternative holds, it accepts all further digits. Its number of states is therefore the
/// sum over all parts, and each filling has exactly one run. A cell may be read several times.
pub(super) fn any_of(
    board: &VariantBoard,
    alternatives: Vec<Vec<CluePart>>,
) -> Result<CluePart, String> {
    let alternatives: Vec<Vec<PartAutomaton>> = alternatives
        .into_iter()
        .map(|parts| parts.into_iter().map(|part| PartAutomaton::of(board, part)).collect())
        .collect::<Result<_, String>>()?;
    if let Some(part) = together(board, &alternatives) {
        return Ok(part);
    }
    let mut cells = Vec::new();
    // For each step: the number of the alternative, the number of its part, and the index in that
    // part.
    let mut places = Vec::new();
    for (alternative, parts) in alternatives.iter().enumerate() {
        for (number, part) in parts.iter().enumerate() {
            cells.extend(&part.cells);
            places.extend((0..part.cells.len()).map(|place| (alternative, number, place)));
        }
    }
    let begin = |alternative: usize| alternatives.get(alternative).map(|parts| parts[0].start.clone());
    let first = begin(0).ok_or("expected an alternative")?;
    let step = |at: usize, course: &AlternativesState, digit: Digit| {
        let (alternative, number, place) = places[at];
        let parts = &alternatives[alternative];
        let part = &parts[number];
        let is_over = place + 1 == part.cells.len();
        let is_last = is_over && number + 1 == parts.len();
        let after = match course {
            AlternativesState::Done => return Ok(Some(AlternativesState::Done)),
            AlternativesState::Failed => None,
            AlternativesState::In(state) => (part.step)(place, state, digit),
        };
        Ok(match after.filter(|after| !is_over || (part.is_end)(after)) {
            Some(_) if is_last => Some(AlternativesState::Done),
            Some(_) if is_over => Some(AlternativesState::In(parts[number + 1].start.clone())),
            Some(after) => Some(AlternativesState::In(after)),
            // If the last alternative fails, the automaton rejects the digits.
            None if is_last => begin(alternative + 1).map(AlternativesState::In),
            None => Some(AlternativesState::Failed),
        })
    };
    let walk = determined(board, cells.len(), AlternativesState::In(first), step, |course| {
        *course == AlternativesState::Done
    })?;
    Ok(CluePart::Automaton(cells, walk))
}

/// Builds the product automaton of the alternatives; returns `None` if they are not one part each
/// on the same cells, or if the product has too many states. The product reads each cell once, so
/// engines can make all inferences.
fn together(board: &VariantBoard, alternatives: &[Vec<PartAutomaton>]) -> Option<CluePart> {
    let parts: Option<Vec<&PartAutomaton>> = alternatives
        .iter()
        .map(|parts| match &parts[..] {
            [part] => Some(part),
            _ => None,
        })
        .collect();
    let parts = parts?;
    let cells = &parts.first()?.cells;
    if parts.iter().any(|part| part.cells != *cells) {
        return None;
    }
    let start: Vec<Option<Vec<i64>>> = parts.iter().map(|part| Some(part.start.clone())).collect();
    let step = |place: usize, states: &Vec<Option<Vec<i64>>>, digit: Digit| {
        let after = |(part, state): (&&PartAutomaton, &Option<Vec<i64>>)| {
            state.as_ref().and_then(|state| (part.step)(place, state, digit))
        };
        let states: Vec<_> = parts.iter().zip(states).map(after).collect();
        Ok(states.iter().any(Option::is_some).then_some(states))
    };
    let is_end = |states: &Vec<Option<Vec<i64>>>| {
        let mut both = parts.iter().zip(states);
        both.any(|(part, state)| state.as_ref().is_some_and(|state| (part.is_end)(state)))
    };
    let walk = determined(board, cells.len(), start, step, is_end).ok()?;
    Some(CluePart::Automaton(cells.clone(), walk))
}
