//! Checks LRAT proofs that a problem has no covers other than the listed ones.
//!
//! The CNF must be the formula of the problem ([`formula`]), clause by clause, and
//! then the clauses that block different covers. Each line of the proof adds a clause or deletes
//! clauses:
//!
//! ```text
//! 12 -3 5 0 4 7 10 0
//! 12 d 4 9 0
//! ```
//!
//! Clause 12 is `-3 5`. It follows by unit propagation: suppose that all its literals are false.
//! Then each clause of the hints 4, 7, 10 has a single literal left, which must be true, and the
//! last one is false. The proof ends with the empty clause. The proofs of Farandole need no other
//! rule of LRAT (resolution asymmetric tautologies), and the checker refuses it.

use std::collections::{BTreeSet, HashMap};
use std::io::BufRead;

use super::fault::{CheckFault, CheckedFile};
use super::formula::{self, FormulaFault};
use super::lines::{LineFault, check_lines};
use super::propagation::Propagation;
use super::verify;
use crate::limits::{Limits, Pace};
use crate::model::{OptionId, Problem};

/// Estimated work per literal (ns).
const LITERAL_WORK: u64 = 10;

/// Checks a proof, and returns the number of covers that `problem` has.
///
/// # Errors
/// The first line of the formula or of the proof that does not hold.
pub fn check(
    problem: &Problem,
    formula: &str,
    proof: impl BufRead,
    limits: &Limits,
) -> Result<usize, CheckFault> {
    check_part(problem, &[], formula, proof, limits)
}

/// Checks a proof about the covers that satisfy the unit clauses `units`, and returns their number.
///
/// # Errors
/// As [`check`].
pub fn check_part(
    problem: &Problem,
    units: &[i32],
    formula: &str,
    proof: impl BufRead,
    limits: &Limits,
) -> Result<usize, CheckFault> {
    let mut pace = Pace::new(limits);
    let (clauses, count) = read_formula(problem, units, formula, &mut pace)?;
    let mut checker = Checker::new(problem.option_count(), clauses);
    let line_count = check_lines(proof, &mut pace, &mut |_, line, pace| checker.read(line, pace))?;
    if !checker.is_refuted {
        let message = "expected the empty clause, found the end of the proof";
        return Err(CheckFault::new(CheckedFile::Proof, line_count + 1, message));
    }
    Ok(count)
}

/// Reads the CNF, which must be the formula of the problem, the unit clauses `units`, and clauses
/// that block covers. Returns all clauses and the number of blocked covers.
pub(super) fn read_formula(
    problem: &Problem,
    units: &[i32],
    text: &str,
    pace: &mut Pace<'_>,
) -> Result<(Vec<Vec<i32>>, usize), CheckFault> {
    let mut line_number = 0;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('c'));
    let mut next = || {
        let (index, line) = lines.next().unwrap_or_else(|| (text.lines().count(), ""));
        line_number = index + 1;
        (line_number, line)
    };
    let fault = |line: usize, message: String| CheckFault::new(CheckedFile::Formula, line, message);
    let unwritten = |line, what: FormulaFault| match what {
        FormulaFault::Limit(limit) => CheckFault::limited(CheckedFile::Formula, line, limit),
        what => fault(line, what.to_string()),
    };
    let (line, head) = next();
    formula::check_cnf(problem).map_err(|what| unwritten(line, what))?;
    let count = head.strip_prefix(&format!("p cnf {} ", problem.option_count()));
    let Some(count) = count.and_then(|count| count.parse::<usize>().ok()) else {
        let expected = format!("expected `p cnf {} ` and a number", problem.option_count());
        return Err(fault(line, format!("{expected}, found `{head}`")));
    };
    let mut clauses: Vec<Vec<i32>> = Vec::new();
    let mut expect = |clauses: &[Vec<i32>]| -> Result<(), CheckFault> {
        for clause in clauses {
            let (line, found) = next();
            if parse_clause(found).as_ref() != Some(clause) {
                let clause: Vec<_> = clause.iter().map(i32::to_string).collect();
                let expected = format!("expected the clause `{} 0` of the problem", clause.join(" "));
                return Err(fault(line, format!("{expected}, found `{found}`")));
            }
        }
        Ok(())
    };
    let rules = formula::rules(problem, pace).map_err(|what| unwritten(line, what))?;
    formula::clauses(&rules, pace, &mut |clause| clauses.push(clause.to_vec()))
        .map_err(|what| unwritten(line, what))?;
    clauses.extend(units.iter().map(|&unit| vec![unit]));
    expect(&clauses)?;
    let Some(blocked) = count.checked_sub(clauses.len()) else {
        let message = format!("expected at least {} clauses, found {count}", clauses.len());
        return Err(fault(line, message));
    };
    let is_free = formula::free_options(problem);
    let mut seen = BTreeSet::new();
    for _ in 0..blocked {
        let (line, found) = next();
        let clause = parse_clause(found).unwrap_or_default();
        let what = blocked_cover(problem, &is_free, &clause, &mut seen).and_then(|()| {
            let is_inside = |&unit: &i32| clause.contains(&-unit.abs()) == (unit > 0);
            let outside = units.iter().find(|&unit| !is_inside(unit));
            outside.map_or(Ok(()), |unit| Err(format!("expected a cover that satisfies {unit}")))
        });
        what.map_err(|what| fault(line, format!("{what}, found `{found}`")))?;
        pace.spend(LITERAL_WORK * is_free.len() as u64)
            .map_err(|limit| CheckFault::limited(CheckedFile::Formula, line, limit))?;
        clauses.push(clause);
    }
    match next() {
        (_, "") => Ok((clauses, blocked)),
        (line, found) => Err(fault(line, format!("expected the end of the formula, found `{found}`"))),
    }
}

/// Checks that `clause` blocks a cover that is not in `seen`, and adds the cover to `seen`.
pub(super) fn blocked_cover(
    problem: &Problem,
    is_free: &[bool],
    clause: &[i32],
    seen: &mut BTreeSet<Vec<OptionId>>,
) -> Result<(), String> {
    let mut cover = Vec::new();
    for &literal in clause.iter().filter(|&&literal| literal < 0) {
        let index = literal.unsigned_abs() as usize - 1;
        if index >= is_free.len() {
            return Err(format!("expected the options of a cover ({} is too large)", index + 1));
        }
        cover.push(OptionId::new(index));
    }
    verify::verify(problem, &[], &cover)
        .map_err(|wrong| format!("expected a clause that blocks a cover ({})", wrong.show(problem)))?;
    let expected = formula::blocking_clause(is_free, &cover);
    if expected != clause {
        let expected: Vec<_> = expected.iter().map(i32::to_string).collect();
        return Err(format!("expected the literals {} for this cover", expected.join(" ")));
    }
    if seen.insert(cover) { Ok(()) } else { Err("expected a cover that was not blocked before".into()) }
}

/// Reads a clause such as `1 -2 0`, or returns `None` if the text is no clause.
fn parse_clause(text: &str) -> Option<Vec<i32>> {
    let mut numbers: Vec<i32> =
        text.split_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    (numbers.pop() == Some(0) && !numbers.contains(&0)).then_some(numbers)
}

struct Checker {
    clauses: HashMap<u64, Vec<i32>>,
    /// The largest number of a clause so far.
    last: u64,
    propagation: Propagation,
    is_refuted: bool,
}

impl Checker {
    fn new(variable_count: usize, clauses: Vec<Vec<i32>>) -> Self {
        let last = clauses.len() as u64;
        let clauses = (1..).zip(clauses).collect();
        let propagation = Propagation::new(variable_count);
        Self { clauses, last, propagation, is_refuted: false }
    }

    fn read(&mut self, line: &str, pace: &mut Pace<'_>) -> Result<(), LineFault> {
        if self.is_refuted {
            return Err(format!("expected the end of the proof, found `{line}`").into());
        }
        let mut words = line.split_whitespace().peekable();
        let mut number = |what: &str| match words.next() {
            Some(word) => word.parse::<i64>().map_err(|_| format!("expected {what}, found `{word}`")),
            None => Err(format!("expected {what}, found the end of the line")),
        };
        let id = number("the number of a clause")?;
        let id = u64::try_from(id).map_err(|_| format!("expected a positive number, found {id}"))?;
        if words.next_if_eq(&"d").is_some() {
            return Ok(self.delete(&list(&mut words)?)?);
        }
        if id <= self.last {
            return Err(format!("expected a number greater than {}, found {id}", self.last).into());
        }
        let literals = list(&mut words)?;
        let hints = list(&mut words)?;
        if let Some(word) = words.next() {
            return Err(format!("expected the end of the line, found `{word}`").into());
        }
        let variable_count = self.propagation.variable_count();
        let clause: Vec<i32> = literals
            .iter()
            .map(|&literal| match i32::try_from(literal) {
                Ok(literal) if literal.unsigned_abs() as usize <= variable_count => Ok(literal),
                _ => Err(format!("expected an option, found {literal}")),
            })
            .collect::<Result<_, String>>()?;
        let find = |hint: i64| {
            let known = u64::try_from(hint).ok().and_then(|hint| self.clauses.get(&hint));
            known.map(Vec::as_slice).ok_or(format!("expected the number of a clause, found {hint}"))
        };
        self.propagation.check(&clause, &hints, find, pace)?;
        self.last = id;
        self.is_refuted = clause.is_empty();
        self.clauses.insert(id, clause);
        Ok(())
    }

    fn delete(&mut self, ids: &[i64]) -> Result<(), String> {
        for &id in ids {
            if u64::try_from(id).ok().and_then(|id| self.clauses.remove(&id)).is_none() {
                return Err(format!("expected the number of a clause to delete, found {id}"));
            }
        }
        Ok(())
    }
}

/// Reads numbers up to a 0.
fn list<'w>(words: &mut impl Iterator<Item = &'w str>) -> Result<Vec<i64>, String> {
    let mut numbers = Vec::new();
    loop {
        match words.next() {
            Some("0") => return Ok(numbers),
            Some(word) => match word.parse() {
                Ok(number) if number != 0 => numbers.push(number),
                _ => return Err(format!("expected a number, found `{word}`")),
            },
            None => return Err("expected a 0, found the end of the line".into()),
        }
    }
}
