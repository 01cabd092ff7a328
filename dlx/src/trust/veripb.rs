//! Checks proofs in a part of the format of VeriPB: that a problem has no covers other than the
//! listed ones, or no cheaper cover.
//!
//! The OPB must be the formula of the problem ([`formula`]), line by line, and then
//! the clauses that block different covers. The objective, if the formula has one, must be the
//! costs of the problem. Constraints have numbers from 1; an equation has two, its lower bound
//! first. The rules of the proof:
//!
//! ```text
//! pseudo-Boolean proof version 3.0
//! f 9;
//! rup 1 ~x3 1 x5 >= 1 : 4 7 10 ~;
//! pol 3 5 2 * + x4 + 2 d;
//! del id 4 9;
//! soli x1 ~x2 x3;
//! output NONE;
//! conclusion UNSAT : 12;
//! end pseudo-Boolean proof;
//! ```
//!
//! - `rup`: the constraint follows by unit propagation from its negation `~` and the hints.
//! - `pol`: a sum in reverse Polish notation of constraints, literals that are at least 0,
//!   multiples (`*`), and quotients that are rounded up (`d`).
//! - `soli`: a cover. In later lines, only cheaper covers are solutions.
//! - `conclusion UNSAT : id` or, with costs, `conclusion BOUNDS cost : id cost`: constraint `id`
//!   has no solution.
//!
//! All numbers have at most 127 bits; a proof with larger ones is refused.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::BufRead;

use super::fault::{CheckFault, CheckedFile};
use super::formula::{self, FormulaFault};
use super::lines::{LineFault, check_lines};
use super::{lrat, verify};
use crate::limits::{Limits, Pace};
use crate::model::{OptionId, Problem};

/// Estimated work per byte of a line (ns).
const BYTE_WORK: u64 = 10;
const LARGE: &str = "expected numbers of at most 127 bits";

/// What a valid proof shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The problem has this number of covers.
    Count(usize),
    /// The cheapest cover has this cost.
    Cheapest(u128),
}

/// Checks a proof, and returns its claim.
///
/// # Errors
/// The first line of the formula or of the proof that does not hold.
pub fn check(
    problem: &Problem,
    formula: &str,
    proof: impl BufRead,
    limits: &Limits,
) -> Result<Claim, CheckFault> {
    let mut pace = Pace::new(limits);
    let mut checker = Checker::new(problem);
    checker.read_formula(formula, &mut pace)?;
    let line_count =
        check_lines(proof, &mut pace, &mut |number, line, pace| checker.read(number, line, pace))?;
    match checker.claim {
        Some(claim) if checker.is_over => Ok(claim),
        _ => {
            let message = "expected `end pseudo-Boolean proof;`, found the end of the proof";
            Err(CheckFault::new(CheckedFile::Proof, line_count + 1, message))
        }
    }
}

/// A sum of literals with positive factors that is at least `degree`. A literal is a variable, and
/// whether it is negated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Constraint {
    terms: BTreeMap<usize, (i128, bool)>,
    degree: i128,
}

impl Constraint {
    /// Adds `factor` times a literal to the sum. Returns `None` if a number is too large.
    fn add(&mut self, variable: usize, factor: i128, is_negated: bool) -> Option<()> {
        // Count each term as a factor of the variable: c * ~x = c - c * x.
        let (old, was_negated) = self.terms.remove(&variable).unwrap_or((0, false));
        let signed = |factor: i128, is_negated: bool| {
            if is_negated { factor.checked_neg() } else { Some(factor) }
        };
        let constants = if was_negated { old } else { 0 };
        let constants = constants.checked_add(if is_negated { factor } else { 0 })?;
        let sum = signed(old, was_negated)?.checked_add(signed(factor, is_negated)?)?;
        self.degree = self.degree.checked_sub(constants)?;
        if sum < 0 {
            self.degree = self.degree.checked_sub(sum)?;
        }
        if sum != 0 {
            self.terms.insert(variable, (sum.checked_abs()?, sum < 0));
        }
        Some(())
    }

    fn plus(mut self, other: &Self) -> Option<Self> {
        self.degree = self.degree.checked_add(other.degree)?;
        for (&variable, &(factor, is_negated)) in &other.terms {
            self.add(variable, factor, is_negated)?;
        }
        Some(self)
    }

    fn times(mut self, factor: i128) -> Option<Self> {
        self.degree = self.degree.checked_mul(factor)?;
        for (old, _) in self.terms.values_mut() {
            *old = old.checked_mul(factor)?;
        }
        Some(self)
    }

    /// Divides by a positive number, and rounds all numbers up.
    fn divided(mut self, divisor: i128) -> Self {
        let up = |number: i128| number.div_euclid(divisor) + i128::from(number.rem_euclid(divisor) > 0);
        self.degree = up(self.degree);
        self.terms.values_mut().for_each(|(factor, _)| *factor = up(*factor));
        self
    }

    /// The constraint that holds exactly when this one does not.
    fn negation(&self) -> Option<Self> {
        let sum = self.sum()?;
        let degree = sum.checked_sub(self.degree)?.checked_add(1)?;
        let terms = self.terms.iter().map(|(&v, &(factor, is_negated))| (v, (factor, !is_negated)));
        Some(Self { terms: terms.collect(), degree })
    }

    fn sum(&self) -> Option<i128> {
        self.terms.values().try_fold(0_i128, |sum, (factor, _)| sum.checked_add(*factor))
    }

    /// Returns whether no assignment satisfies the constraint.
    fn is_false(&self) -> bool {
        self.sum().is_some_and(|sum| sum < self.degree)
    }
}

struct Checker<'p> {
    problem: &'p Problem,
    constraints: HashMap<u64, Constraint>,
    last: u64,
    count: usize,
    has_objective: bool,
    cost: Option<u128>,
    has_output: bool,
    claim: Option<Claim>,
    is_over: bool,
}

impl<'p> Checker<'p> {
    fn new(problem: &'p Problem) -> Self {
        Self {
            problem,
            constraints: HashMap::new(),
            last: 0,
            count: 0,
            has_objective: false,
            cost: None,
            has_output: false,
            claim: None,
            is_over: false,
        }
    }

    fn push(&mut self, constraint: Constraint) {
        self.last += 1;
        self.constraints.insert(self.last, constraint);
    }

    /// Reads the OPB, which must be the formula of the problem and clauses that block covers.
    fn read_formula(&mut self, text: &str, pace: &mut Pace<'_>) -> Result<(), CheckFault> {
        let problem = self.problem;
        let fault = |line: usize, message: String| CheckFault::new(CheckedFile::Formula, line, message);
        let large = |line: usize| fault(line, LARGE.into());
        let mut lines = (1..).zip(text.lines());
        let head = format!("* #variable= {} #constraint= ", problem.option_count());
        let first = lines.next().map_or("", |(_, line)| line);
        let Some(count) = first.strip_prefix(&head).and_then(|n| n.parse::<usize>().ok()) else {
            return Err(fault(1, format!("expected `{head}` and a number, found `{first}`")));
        };
        let mut lines = lines.filter(|(_, line)| !line.starts_with('*')).peekable();
        if let Some((line, found)) = lines.next_if(|(_, line)| line.starts_with("min:")) {
            let expected = formula::objective_line(problem);
            if found != expected.trim_end() {
                return Err(fault(line, format!("expected the costs of the problem, found `{found}`")));
            }
            self.has_objective = true;
        }
        let rules = formula::rules(problem, pace).map_err(|what| match what {
            FormulaFault::Limit(limit) => CheckFault::limited(CheckedFile::Formula, 1, limit),
            what => fault(1, what.to_string()),
        })?;
        let mut read = 0;
        let end = text.lines().count() + 1;
        for rule in &rules {
            pace.spend(BYTE_WORK * rule.options.len() as u64)
                .map_err(|limit| CheckFault::limited(CheckedFile::Formula, 1, limit))?;
            for expected in formula::linear_lines(rule) {
                let (line, found) = lines.next().unwrap_or((end, ""));
                if found != expected.trim_end() {
                    let expected = expected.trim_end();
                    return Err(fault(
                        line,
                        format!("expected `{expected}` of the problem, found `{found}`"),
                    ));
                }
                read += 1;
            }
            let bounds = [(rule.has_low(), rule.low, false), (rule.has_high(), rule.high, true)];
            for (has, bound, is_upper) in bounds {
                if has {
                    // At most `bound` of n options: at least n - `bound` are not chosen.
                    let left = rule.options.len() as i128 - i128::from(bound);
                    let degree = if is_upper { left } else { i128::from(bound) };
                    let options = rule.options.iter().map(|option| (option.index(), (1, is_upper)));
                    self.push(Constraint { terms: options.collect(), degree });
                }
            }
        }
        let is_free = formula::free_options(problem);
        let mut seen = BTreeSet::new();
        for (line, found) in lines {
            pace.spend(BYTE_WORK * is_free.len() as u64)
                .map_err(|limit| CheckFault::limited(CheckedFile::Formula, line, limit))?;
            let (constraint, clause) = parse_clause(found)
                .ok_or_else(|| fault(line, format!("expected a clause, found `{found}`")))?;
            lrat::blocked_cover(problem, &is_free, &clause, &mut seen)
                .map_err(|what| fault(line, format!("{what}, found `{found}`")))?;
            self.push(constraint.ok_or_else(|| large(line))?);
            read += 1;
        }
        if read != count {
            return Err(fault(1, format!("expected {read} constraints, found the number {count}")));
        }
        self.count = seen.len();
        Ok(())
    }

    fn read(&mut self, number: usize, line: &str, pace: &mut Pace<'_>) -> Result<(), LineFault> {
        if self.is_over {
            return Err(format!("expected the end of the proof, found `{line}`").into());
        }
        if number == 1 {
            return Ok(expect(line, "pseudo-Boolean proof version 3.0")?);
        }
        if number == 2 {
            return Ok(expect(line, &format!("f {};", self.last))?);
        }
        let Some(body) = line.strip_suffix(';') else {
            return Err(format!("expected a `;` at the end of the line, found `{line}`").into());
        };
        if self.claim.is_some() {
            self.is_over = true;
            return Ok(expect(line, "end pseudo-Boolean proof;")?);
        }
        let (rule, rest) = body.split_once(' ').unwrap_or((body, ""));
        if self.has_output {
            return Ok(self.conclude(body)?);
        }
        match rule {
            "rup" => self.propagate(rest, pace),
            "pol" => {
                let sum = self.polish(rest, pace)?;
                self.push(sum);
                Ok(())
            }
            "del" => Ok(self.delete(rest)?),
            "soli" => Ok(self.solution(rest)?),
            "output" => {
                self.has_output = true;
                Ok(expect(line, "output NONE;")?)
            }
            _ => Err(format!("expected rup, pol, del, soli or output, found `{rule}`").into()),
        }
    }

    fn find(&self, word: &str) -> Result<&Constraint, String> {
        let known = word.parse().ok().and_then(|id: u64| self.constraints.get(&id));
        known.ok_or_else(|| format!("expected the number of a constraint, found `{word}`"))
    }

    /// Checks a `rup` line: the constraint, and the constraints that refute its negation.
    fn propagate(&mut self, text: &str, pace: &mut Pace<'_>) -> Result<(), LineFault> {
        let (constraint, hints) = text
            .split_once(" : ")
            .ok_or_else(|| format!("expected ` : ` and hints, found `{text}`"))?;
        let claimed = self.parse_constraint(constraint)?;
        let negation = claimed.negation().ok_or(LARGE)?;
        let mut used = vec![&negation];
        for hint in hints.split_whitespace() {
            used.push(if hint == "~" { &negation } else { self.find(hint)? });
        }
        let mut values: HashMap<usize, bool> = HashMap::new();
        loop {
            let known = values.len();
            for constraint in &used {
                pace.spend(BYTE_WORK * constraint.terms.len() as u64)?;
                // The sum of all literals that are not false, less the degree.
                let mut slack = constraint.degree.checked_neg().ok_or(LARGE)?;
                for (variable, &(factor, is_negated)) in &constraint.terms {
                    if values.get(variable).is_none_or(|&value| value != is_negated) {
                        slack = slack.checked_add(factor).ok_or(LARGE)?;
                    }
                }
                if slack < 0 {
                    self.push(claimed);
                    return Ok(());
                }
                for (&variable, &(factor, is_negated)) in &constraint.terms {
                    if factor > slack && !values.contains_key(&variable) {
                        values.insert(variable, !is_negated);
                    }
                }
            }
            if values.len() == known {
                return Err("the hints lead to no contradiction by unit propagation".into());
            }
        }
    }

    /// Reads a constraint such as `1 ~x3 1 x5 >= 1`.
    fn parse_constraint(&self, text: &str) -> Result<Constraint, String> {
        let unread = || format!("expected a constraint, found `{text}`");
        let (sum, degree) = text.split_once(">= ").ok_or_else(unread)?;
        let mut constraint = Constraint {
            degree: degree.trim().parse().map_err(|_| unread())?,
            ..Constraint::default()
        };
        let mut words = sum.split_whitespace();
        while let Some(factor) = words.next() {
            let factor: i128 = factor.parse().map_err(|_| unread())?;
            let (variable, is_negated) = self.literal(words.next().unwrap_or_default())?;
            constraint.add(variable, factor, is_negated).ok_or(LARGE)?;
        }
        Ok(constraint)
    }

    /// Reads a literal such as `~x3`: the variable, and whether it is negated.
    fn literal(&self, word: &str) -> Result<(usize, bool), String> {
        let (is_negated, name) = word.strip_prefix('~').map_or((false, word), |name| (true, name));
        let number = name.strip_prefix('x').and_then(|number| number.parse::<usize>().ok());
        match number {
            Some(number) if (1..=self.problem.option_count()).contains(&number) => {
                Ok((number - 1, is_negated))
            }
            _ => Err(format!("expected an option such as x1, found `{word}`")),
        }
    }

    /// Evaluates a sum in reverse Polish notation.
    fn polish(&self, text: &str, pace: &mut Pace<'_>) -> Result<Constraint, LineFault> {
        enum Operand<'t> {
            Word(&'t str),
            Sum(Constraint),
        }
        let resolve = |operand: Option<Operand<'_>>| match operand {
            Some(Operand::Sum(sum)) => Ok(sum),
            Some(Operand::Word(word)) if word.contains('x') => {
                let (variable, is_negated) = self.literal(word)?;
                Ok(Constraint { terms: BTreeMap::from([(variable, (1, is_negated))]), degree: 0 })
            }
            Some(Operand::Word(word)) => self.find(word).cloned(),
            None => Err("expected an operand before an operator".to_owned()),
        };
        let mut stack = Vec::new();
        for word in text.split_whitespace() {
            let sum = match word {
                "+" => {
                    let second = resolve(stack.pop())?;
                    resolve(stack.pop())?.plus(&second).ok_or(LARGE)?
                }
                "*" | "d" => {
                    let factor = match stack.pop() {
                        Some(Operand::Word(factor)) => factor.parse::<i128>().ok(),
                        _ => None,
                    };
                    let factor = factor.filter(|&factor| factor > 0);
                    let factor = factor.ok_or("expected a positive number before `*` or `d`")?;
                    let sum = resolve(stack.pop())?;
                    if word == "*" { sum.times(factor).ok_or(LARGE)? } else { sum.divided(factor) }
                }
                _ => {
                    stack.push(Operand::Word(word));
                    continue;
                }
            };
            pace.spend(BYTE_WORK * sum.terms.len() as u64)?;
            stack.push(Operand::Sum(sum));
        }
        let sum = resolve(stack.pop())?;
        if stack.is_empty() { Ok(sum) } else { Err("expected one sum, found several".into()) }
    }

    fn delete(&mut self, text: &str) -> Result<(), String> {
        let ids = text.strip_prefix("id ").ok_or_else(|| format!("expected `id`, found `{text}`"))?;
        for word in ids.split_whitespace() {
            self.find(word)?;
            self.constraints.remove(&word.parse().map_err(|_| LARGE)?);
        }
        Ok(())
    }

    /// Checks a cover, and requires less than its cost from then on.
    fn solution(&mut self, text: &str) -> Result<(), String> {
        if !self.has_objective || self.count > 0 {
            return Err("expected a formula with costs and without blocked covers".into());
        }
        let mut cover = Vec::new();
        let mut seen = BTreeSet::new();
        for word in text.split_whitespace() {
            let (variable, is_negated) = self.literal(word)?;
            if !seen.insert(variable) {
                return Err(format!("expected each option once, found `{word}` again"));
            }
            if !is_negated {
                cover.push(OptionId::new(variable));
            }
        }
        let count = self.problem.option_count();
        if seen.len() < count {
            return Err(format!("expected the values of {count} options, found {}", seen.len()));
        }
        verify::verify(self.problem, &[], &cover)
            .map_err(|wrong| format!("expected a cover: {}", wrong.show(self.problem)))?;
        let cost: u128 = cover.iter().map(|&option| u128::from(self.problem.cost(option))).sum();
        if self.cost.is_some_and(|least| cost >= least) {
            return Err(format!("expected a cover that costs less, found the cost {cost}"));
        }
        self.cost = Some(cost);
        // The costs are at most cost - 1: at least 1 - cost, with negative factors.
        let cost = i128::try_from(cost).map_err(|_| LARGE)?;
        let mut cheaper = Constraint { degree: 1 - cost, ..Constraint::default() };
        for option in self.problem.options() {
            let factor = i128::from(self.problem.cost(option));
            if factor > 0 {
                cheaper.add(option.index(), -factor, false).ok_or(LARGE)?;
            }
        }
        self.push(cheaper);
        Ok(())
    }

    fn conclude(&mut self, body: &str) -> Result<(), String> {
        let words: Vec<&str> = body.split_whitespace().collect();
        let (id, claim) = match words[..] {
            ["conclusion", "UNSAT", ":", id] if self.cost.is_none() => (id, Claim::Count(self.count)),
            ["conclusion", "BOUNDS", low, ":", id, high] if low == high => match self.cost {
                Some(cost) if low == cost.to_string() => (id, Claim::Cheapest(cost)),
                _ => return Err(format!("expected the cost of the last solution, found {low}")),
            },
            _ => return Err(format!("expected a conclusion of this proof, found `{body}`")),
        };
        if !self.find(id)?.is_false() {
            return Err(format!("constraint {id} has a solution"));
        }
        self.claim = Some(claim);
        Ok(())
    }
}

fn expect(line: &str, expected: &str) -> Result<(), String> {
    if line == expected { Ok(()) } else { Err(format!("expected `{expected}`, found `{line}`")) }
}

/// Reads a clause such as `+1 ~x3 +1 x5 >= 1 ;`: as a constraint, and as numbers of literals.
fn parse_clause(text: &str) -> Option<(Option<Constraint>, Vec<i32>)> {
    let sum = text.strip_suffix(">= 1 ;")?;
    let mut literals = Vec::new();
    let mut words = sum.split_whitespace();
    while let Some(factor) = words.next() {
        let word = words.next()?;
        let (sign, name) = word.strip_prefix('~').map_or((1, word), |name| (-1, name));
        let number: i32 = name.strip_prefix('x')?.parse().ok()?;
        if factor != "+1" || number < 1 {
            return None;
        }
        literals.push(sign * number);
    }
    let mut constraint = Some(Constraint { degree: 1, ..Constraint::default() });
    for &literal in &literals {
        let variable = literal.unsigned_abs() as usize - 1;
        constraint = constraint.and_then(|mut constraint| {
            constraint.add(variable, 1, literal < 0)?;
            Some(constraint)
        });
    }
    Some((constraint, literals))
}
