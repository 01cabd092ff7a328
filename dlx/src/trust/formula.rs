//! The formula of a problem: constraints on one 0/1 variable per option, as DIMACS CNF or as OPB.
//!
//! Option k (from 1) is the variable `xk`. A primary item requires `low` to `high` of the options
//! that contain it. A secondary item without colors allows at most one. For an item with colors,
//! two options with different colors exclude each other. An option without a primary item is never
//! chosen. The solutions of the formula and the covers therefore correspond one to one.
//!
//! In CNF, a lower bound of 1 is a clause of the options of the item, and an upper bound of 1 is a
//! clause for each pair of these options; a pair that shares several items is written once. CNF has
//! no encoding for other bounds, and leaves costs out. In OPB, an item is one equation, or one or
//! two inequalities if its bounds differ.
//!
//! A formula can also *block* covers: then its solutions are all other covers. The clause of a
//! blocked cover excludes the options of the cover together, unless one of the *free* options joins
//! them. An option is free if each of its primary items has different bounds; any other option
//! would exceed a bound of an item that the cover covers. `convert --to cnf` and `--to opb` write
//! formulas without blocked covers. Proofs refute formulas in which all covers are blocked, so this
//! file is the only code, besides the checker, that a reader of a proof must trust.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::limits::{Limit, Limits, Pace};
use crate::model::{Bounds, Color, ItemId, OptionId, Problem, Subtree};

/// Maximum number of pairs of options that exclude each other. The pairs take about 1 GB of text.
const PAIRS_MAX: usize = 50_000_000;
/// Maximum number of literals of all clauses that block covers. They take about 200 MB in memory,
/// and as much text.
pub const BLOCKED_MAX: usize = 1 << 24;
/// Longest text of a comment (bytes); longer ones continue on the next line. `lrat-check` refuses
/// comments of more than 1024 bytes.
const COMMENT_MAX: usize = 1000;
/// Estimated work per entry of a constraint (ns).
const ENTRY_WORK: u64 = 30;

/// The reason why there is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaFault {
    /// A feature of the problem that the form cannot hold.
    Feature(&'static str),
    /// More pairs of options exclude each other than a formula may have.
    Pairs,
    /// The clauses that block covers have more than [`BLOCKED_MAX`] literals.
    Blocked,
    /// The limit that was reached.
    Limit(Limit),
}

impl From<Limit> for FormulaFault {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl std::fmt::Display for FormulaFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Feature(feature) => write!(f, "CNF cannot hold {feature}"),
            Self::Pairs => write!(
                f,
                "a formula cannot hold more than {PAIRS_MAX} pairs of options that exclude each other"
            ),
            Self::Blocked => write!(
                f,
                "too many solutions: the clauses that block them have more than {BLOCKED_MAX} \
                 literals"
            ),
            Self::Limit(limit) => write!(f, "{limit:?} limit reached"),
        }
    }
}

/// The constraint that at least `low` and at most `high` of `options` are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearRule {
    /// The item, or `None` for two options with different colors and for an option that is never
    /// chosen.
    pub item: Option<ItemId>,
    /// The minimum number of chosen options.
    pub low: u32,
    /// The maximum number of chosen options.
    pub high: u32,
    /// The options, ascending.
    pub options: Vec<OptionId>,
}

impl LinearRule {
    /// Returns whether OPB writes the lower bound: alone, or as a part of an equation.
    #[must_use]
    pub fn has_low(&self) -> bool {
        self.low > 0 || self.low == self.high
    }

    /// Returns whether OPB writes the upper bound: alone, or as a part of an equation.
    #[must_use]
    pub fn has_high(&self) -> bool {
        self.low == self.high || self.options.len() > self.high as usize
    }
}

fn spend(pace: &mut Pace<'_>, entries: usize) -> Result<(), Limit> {
    pace.spend(ENTRY_WORK * (1 + entries as u64))
}

/// Collects the constraints of all items in order, then a constraint for each option that is never
/// chosen.
///
/// # Errors
/// Too many pairs, or the limit that was reached.
pub fn rules(problem: &Problem, pace: &mut Pace<'_>) -> Result<Vec<LinearRule>, FormulaFault> {
    let mut is_idle = vec![false; problem.option_count()];
    for option in problem.idle_options() {
        is_idle[option.index()] = true;
    }
    let mut users: Vec<Vec<(OptionId, Option<Color>)>> = vec![Vec::new(); problem.item_count()];
    for option in problem.options().filter(|option| !is_idle[option.index()]) {
        spend(pace, problem.option(option).len())?;
        for entry in problem.option(option) {
            users[entry.item.index()].push((option, entry.color));
        }
    }
    let mut rules = Vec::new();
    let mut pairs = ExcludedPairs::default();
    for (item, users) in problem.items().zip(users) {
        let bounds = problem.bounds(item);
        if bounds.is_some() || users.iter().all(|(_, color)| color.is_none()) {
            let Bounds { low, high } = bounds.unwrap_or(Bounds { low: 0, high: 1 });
            let options: Vec<_> = users.into_iter().map(|(option, _)| option).collect();
            if low > 0 || options.len() > high as usize {
                rules.push(LinearRule { item: Some(item), low, high, options });
            }
            continue;
        }
        for (index, &(first, color)) in users.iter().enumerate() {
            spend(pace, users.len() - index)?;
            for &(second, _) in users[index + 1..].iter().filter(|(_, c)| c.is_none() || *c != color) {
                if pairs.insert(first, second)? {
                    let options = vec![first, second];
                    rules.push(LinearRule { item: None, low: 0, high: 1, options });
                }
            }
        }
    }
    rules.extend(problem.idle_options().iter().map(|&option| LinearRule {
        item: None,
        low: 0,
        high: 0,
        options: vec![option],
    }));
    Ok(rules)
}

#[derive(Default)]
struct ExcludedPairs {
    seen: HashSet<(OptionId, OptionId)>,
}

impl ExcludedPairs {
    fn insert(&mut self, first: OptionId, second: OptionId) -> Result<bool, FormulaFault> {
        if self.seen.len() >= PAIRS_MAX {
            return Err(FormulaFault::Pairs);
        }
        Ok(self.seen.insert((first, second)))
    }
}

/// Returns the variable of an option, from 1.
#[must_use]
pub fn variable(option: OptionId) -> i32 {
    // A problem has fewer than 2^31 records, and each option takes at least one.
    option.index() as i32 + 1
}

/// Passes each clause of the CNF of `rules` to `push`, as literals: k for option k, -k for its
/// negation.
///
/// The problem of the rules must pass [`check_cnf`].
///
/// # Errors
/// Too many pairs, or the limit that was reached.
pub fn clauses(
    rules: &[LinearRule],
    pace: &mut Pace<'_>,
    push: &mut dyn FnMut(&[i32]),
) -> Result<(), FormulaFault> {
    let mut pairs = ExcludedPairs::default();
    let mut literals = Vec::new();
    for rule in rules {
        if rule.low == 1 {
            literals.clear();
            literals.extend(rule.options.iter().copied().map(variable));
            push(&literals);
        }
        if rule.high == 0 {
            rule.options.iter().for_each(|&option| push(&[-variable(option)]));
        }
        if rule.high != 1 {
            continue;
        }
        for (index, &first) in rule.options.iter().enumerate() {
            spend(pace, 3 * (rule.options.len() - index))?;
            for &second in &rule.options[index + 1..] {
                if pairs.insert(first, second)? {
                    push(&[-variable(first), -variable(second)]);
                }
            }
        }
    }
    Ok(())
}

/// Returns for each option whether it is free: each of its primary items has different bounds, and
/// it has one.
#[must_use]
pub fn free_options(problem: &Problem) -> Vec<bool> {
    let is_free = |option| {
        let entries = problem.option(option).iter();
        let mut bounds = entries.filter_map(|entry| problem.bounds(entry.item)).peekable();
        bounds.peek().is_some() && bounds.all(|bounds| bounds.low < bounds.high)
    };
    problem.options().map(is_free).collect()
}

/// Returns the clause that blocks a cover, sorted by variable. `is_free` comes from
/// [`free_options`].
#[must_use]
pub fn blocking_clause(is_free: &[bool], cover: &[OptionId]) -> Vec<i32> {
    let mut literals: Vec<i32> = cover.iter().map(|&option| -variable(option)).collect();
    let mut is_chosen = vec![false; is_free.len()];
    cover.iter().for_each(|option| is_chosen[option.index()] = true);
    let joining = (0..is_free.len()).filter(|&option| is_free[option] && !is_chosen[option]);
    literals.extend(joining.map(|option| variable(OptionId::new(option))));
    literals.sort_unstable_by_key(|literal| literal.unsigned_abs());
    literals
}

/// Returns the clauses that block `covers`.
///
/// # Errors
/// Too many literals, or the limit that was reached.
pub fn blocking_clauses(
    problem: &Problem,
    covers: &[Vec<OptionId>],
    pace: &mut Pace<'_>,
) -> Result<Vec<Vec<i32>>, FormulaFault> {
    let is_free = free_options(problem);
    let (mut clauses, mut literals) = (Vec::new(), 0);
    for cover in covers {
        spend(pace, is_free.len())?;
        let clause = blocking_clause(&is_free, cover);
        literals += clause.len();
        if literals > BLOCKED_MAX {
            return Err(FormulaFault::Blocked);
        }
        clauses.push(clause);
    }
    Ok(clauses)
}

/// Checks that CNF has an encoding for all bounds of a problem.
///
/// # Errors
/// The feature without an encoding.
pub fn check_cnf(problem: &Problem) -> Result<(), FormulaFault> {
    let is_multiple = |Bounds { low, high }: Bounds| high != 1 || low > 1;
    if problem.items().filter_map(|item| problem.bounds(item)).any(is_multiple) {
        return Err(FormulaFault::Feature("bounds other than 0:1 and 1:1"));
    }
    Ok(())
}

/// Returns the unit clauses that restrict a formula to a part of the covers, sorted by variable.
#[must_use]
pub fn part_literals(part: &Subtree) -> Vec<i32> {
    let chosen = part.given().into_iter().map(variable);
    let mut literals: Vec<i32> =
        chosen.chain(part.without().iter().map(|&option| -variable(option))).collect();
    literals.sort_unstable_by_key(|literal| literal.unsigned_abs());
    literals.dedup();
    literals
}

/// Writes the problem as DIMACS CNF, with a clause for each blocked cover at the end.
///
/// # Errors
/// A feature that CNF cannot hold, too many pairs, or the limit that was reached.
pub fn cnf(
    problem: &Problem,
    blocked: &[Vec<OptionId>],
    limits: &Limits,
) -> Result<String, FormulaFault> {
    cnf_of_part(problem, &[], blocked, limits)
}

/// Writes the problem as DIMACS CNF, then the unit clauses of a part of the covers
/// ([`part_literals`]), then a clause for each blocked cover.
///
/// # Errors
/// As [`cnf`].
pub fn cnf_of_part(
    problem: &Problem,
    units: &[i32],
    blocked: &[Vec<OptionId>],
    limits: &Limits,
) -> Result<String, FormulaFault> {
    check_cnf(problem)?;
    let mut pace = Pace::new(limits);
    let (mut body, mut count) = (String::new(), 0_usize);
    let mut push = |literals: &[i32]| {
        for literal in literals {
            let _ = write!(body, "{literal} ");
        }
        body.push_str("0\n");
        count += 1;
    };
    clauses(&rules(problem, &mut pace)?, &mut pace, &mut push)?;
    units.iter().for_each(|&unit| push(&[unit]));
    blocking_clauses(problem, blocked, &mut pace)?.iter().for_each(|clause| push(clause));
    let mut text = String::new();
    write_options(problem, "c", &mut pace, &mut text)?;
    if !units.is_empty() {
        let _ = writeln!(
            text,
            "c Before them, {} unit clauses restrict the covers to a part.",
            units.len()
        );
    }
    write_covers(blocked, "c", &mut text);
    let _ = writeln!(text, "p cnf {} {count}", problem.option_count());
    Ok(text + &body)
}

/// Writes the problem as OPB, with a clause for each blocked cover at the end. The costs are the
/// objective if `has_costs`.
///
/// # Errors
/// Too many pairs, or the limit that was reached.
pub fn opb(
    problem: &Problem,
    blocked: &[Vec<OptionId>],
    has_costs: bool,
    limits: &Limits,
) -> Result<String, FormulaFault> {
    let mut pace = Pace::new(limits);
    let (mut body, mut count) = (String::new(), 0_usize);
    for rule in rules(problem, &mut pace)? {
        spend(&mut pace, 2 * rule.options.len())?;
        for constraint in linear_lines(&rule) {
            body.push_str(&constraint);
            count += 1;
        }
    }
    for clause in blocking_clauses(problem, blocked, &mut pace)? {
        body.push_str(&clause_line(&clause));
        count += 1;
    }
    let mut text = format!("* #variable= {} #constraint= {count}\n", problem.option_count());
    write_options(problem, "*", &mut pace, &mut text)?;
    write_covers(blocked, "*", &mut text);
    if has_costs && problem.has_costs() {
        text.push_str(&objective_line(problem));
    }
    Ok(text + &body)
}

/// Returns the lines of a constraint in OPB.
pub(super) fn linear_lines(rule: &LinearRule) -> Vec<String> {
    let sum = |factor: i128| sum(rule.options.iter().map(|&option| (factor, option)));
    if rule.low == rule.high {
        return vec![format!("{}= {} ;\n", sum(1), rule.low)];
    }
    let low = rule.has_low().then(|| format!("{}>= {} ;\n", sum(1), rule.low));
    let high = rule.has_high().then(|| format!("{}>= -{} ;\n", sum(-1), rule.high));
    low.into_iter().chain(high).collect()
}

/// Returns the line of a clause in OPB.
pub(super) fn clause_line(literals: &[i32]) -> String {
    let mut line = String::new();
    for &literal in literals {
        let sign = if literal < 0 { "~" } else { "" };
        let _ = write!(line, "+1 {sign}x{} ", literal.unsigned_abs());
    }
    line + ">= 1 ;\n"
}

/// Returns the line of the objective in OPB.
pub(super) fn objective_line(problem: &Problem) -> String {
    let terms = problem.options().map(|option| (i128::from(problem.cost(option)), option));
    format!("min: {};\n", sum(terms))
}

/// Returns a sum such as `+1 x1 +1 x2 `, without the terms of factor 0.
fn sum(terms: impl Iterator<Item = (i128, OptionId)>) -> String {
    let mut text = String::new();
    for (factor, option) in terms.filter(|term| term.0 != 0) {
        let _ = write!(text, "{factor:+} x{} ", variable(option));
    }
    text
}

fn write_options(
    problem: &Problem,
    comment: &str,
    pace: &mut Pace<'_>,
    out: &mut String,
) -> Result<(), Limit> {
    for option in problem.options() {
        spend(pace, problem.option(option).len())?;
        let text = format!("x{} = {}", variable(option), problem.show(option));
        write_comment(&text, comment, out);
    }
    Ok(())
}

/// Writes a comment, on several lines if it is long.
fn write_comment(text: &str, comment: &str, out: &mut String) {
    let mut length = 0;
    out.push_str(comment);
    for mut word in text.split(' ') {
        while length + word.len() > COMMENT_MAX {
            // A word that fits on no line is divided.
            if length == 0 {
                let end = (0..=COMMENT_MAX).rev().find(|&end| word.is_char_boundary(end));
                let (part, rest) = word.split_at(end.unwrap_or_default());
                let _ = write!(out, " {part}");
                word = rest;
            }
            let _ = write!(out, "\n{comment}");
            length = 0;
        }
        let _ = write!(out, " {word}");
        length += 1 + word.len();
    }
    out.push('\n');
}

/// Lists the blocked covers in comments.
fn write_covers(covers: &[Vec<OptionId>], comment: &str, out: &mut String) {
    if covers.is_empty() {
        return;
    }
    let _ = writeln!(out, "{comment} The last {} constraints block these covers:", covers.len());
    for cover in covers {
        let names: Vec<String> = cover.iter().map(|&option| format!("x{}", variable(option))).collect();
        write_comment(&names.join(" "), comment, out);
    }
}
