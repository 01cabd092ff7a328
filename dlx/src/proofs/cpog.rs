//! Writes the proof of a count as CPOG, which [`trust::cpog`](mod@crate::trust::cpog) defines and
//! checks.
//!
//! The root is the decision diagram of all covers. Its nodes are built from the states of a count
//! ([`states`](super::states)), from the last step back. The node of a state represents all ways to
//! complete the state to a cover, by the options of its step and of all later steps. An option `x`
//! that the state chooses becomes the product of `x`, the negations of the other options that are
//! decided at once, and the node of the next state. The choices of a state become sums: the product
//! of the choice `x`, or the product of `-x` and the sum of the remaining choices.
//!
//! The proof shows that each cover is a model of the root, without a search. A node `open(i, k)` is
//! true if no option of the first k steps contains item i. The *lemma* of a state is a clause: if
//! the earlier options use exactly the items that the state uses, then the node of the state is
//! true. The lemma follows by unit propagation from the lemmas of the choices, and these from the
//! lemmas of the next states. A state that cannot be completed has no node, and its lemma excludes
//! the state. A lemma mentions only the items on which it depends.
//!
//! Each auxiliary node and lemma is written before the line that first needs it:
//! - `open(i, k)`, the product of `open(i, k - 1)` and the negated options of step k with item i
//! - `rest(s, k)`, the product of the negations of all options of step s from the k-th on
//! - `exclusion`: if `open(i, k)` is false, a later option that contains i is not chosen
//! - `only`: if option x of step s is chosen, `rest` of the options after x is true
//! - `passed`: if the item of step s is covered before, `rest(s, 1)` is true
//! - `kept`: if `open(i, k - 1)` is true, and `rest(k, 1)` is true or an option of step k without i
//!   is chosen, then `open(i, k)` is true
//! - `need`: if no option before the last step of item i contains it, then an option of this step
//!   does
//!
//! Source: Bryant, Nawrocki, Avigad and Heule 2023 for CPOG. The lemmas of states have no published
//! source. Tried and dropped: lemmas from the calls of a SAT solver, which need another program.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::states::{Expansion, ProofStep, Successor, Transition, Use, use_of};
use super::{ProofFault, ProofFormat, RuleIds, Sink};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{ItemId, OptionId, Problem};
use crate::portfolio::{Budget, Cut};
use crate::trust::formula::{self, FormulaFault, variable};

/// Estimated work per byte of the text (ns).
const BYTE_WORK: u64 = 10;
/// The size of the text that is passed to the sink at once (bytes).
const BLOCK: usize = 1 << 16;

/// Proves the number of covers of `problem` as CPOG, and returns it. The formula of the proof is
/// [`formula::cnf`] without blocked covers.
///
/// The limits on time and memory and the flags apply. The states of the count take at most about
/// `bytes` bytes.
///
/// ```
/// use dlx::Limits;
/// use dlx::{proofs::prove_count, trust::{cpog, formula}};
/// use std::ops::ControlFlow;
///
/// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
/// let (limits, mut text) = (Limits::new(), String::new());
/// let formula = formula::cnf(&problem, &[], &limits).expect("no limit");
/// let count = prove_count(&problem, &limits, 1 << 20, &mut |part| {
///     text += part;
///     ControlFlow::Continue(())
/// });
/// assert_eq!(count, Ok(2_u32.into()));
/// assert_eq!(cpog::check(&problem, &formula, text.as_bytes(), &limits), Ok(2_u32.into()));
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Errors
/// A feature that CNF cannot hold, or the limit that was reached. Some text may have been passed to
/// `sink` before the error.
pub fn prove_count(
    problem: &Problem,
    limits: &Limits,
    bytes: usize,
    sink: &mut Sink<'_>,
) -> Result<BigUint, ProofFault> {
    let mut pace = Pace::new(limits);
    let rules = formula::rules(problem, &mut pace)?;
    let (ids, clause_count) = RuleIds::new(problem, &rules, ProofFormat::Lrat, &mut pace)?;
    let mut budget = Budget::new(limits, u64::MAX, bytes);
    let mut walk = Expansion::new(problem, &[], &mut budget).map_err(Cut::limit)?;
    walk.go(&mut budget).map_err(Cut::limit)?;
    let RuleIds::Clauses { low, pairs } = ids else { return Err(FormulaFault::Pairs.into()) };
    let (mut long, mut never) = (vec![0; problem.item_count()], Vec::new());
    for (rule, id) in rules.iter().zip(low) {
        match rule.item {
            Some(item) if rule.low > 0 => long[item.index()] = id,
            None if rule.high == 0 => never.push((rule.options[0], id)),
            _ => {}
        }
    }
    let log = NodeLog {
        next_clause: clause_count + 1,
        next_node: problem.option_count() as i32 + 1,
        text: String::new(),
        sink,
        pace,
    };
    let clauses = FormulaClauses { long, never, pairs };
    Writer::new(&walk, clauses, log, bytes).write()
}

/// The numbers of the clauses of the formula.
struct FormulaClauses {
    /// The clause of all options of each item that must be covered, otherwise 0.
    long: Vec<u64>,
    /// The options that are never chosen, with their clauses.
    never: Vec<(OptionId, u64)>,
    /// For each option the later options that it excludes, with their clauses.
    pairs: Vec<Vec<(OptionId, u64)>>,
}

impl FormulaClauses {
    /// Returns the clause by which two options exclude each other, if there is one.
    fn pair(&self, one: OptionId, other: OptionId) -> Option<u64> {
        let others = &self.pairs[one.min(other).index()];
        let found = others.binary_search_by_key(&one.max(other), |&(option, _)| option);
        found.ok().map(|place| others[place].1)
    }
}

/// A variable that is true exactly when all factors are: a node, or the only factor itself.
#[derive(Clone, Copy, Debug)]
struct Product {
    literal: i32,
    /// The clause `literal -factor -factor ...`. The clause of `-literal` and factor k, from 0,
    /// comes k + 1 clauses later. A factor itself has the number 0.
    definition: u64,
}

impl Product {
    fn is_node(self) -> bool {
        self.definition > 0
    }

    /// Returns the clause `-literal factor` for factor k, from 0.
    fn implies(self, factor: usize) -> u64 {
        self.definition + 1 + factor as u64
    }
}

/// Writes the lines of the proof.
struct NodeLog<'s, 'l> {
    next_clause: u64,
    next_node: i32,
    text: String,
    sink: &'s mut Sink<'s>,
    pace: Pace<'l>,
}

impl NodeLog<'_, '_> {
    fn product(&mut self, factors: &[i32]) -> Result<Product, ProofFault> {
        let (clause, node) = (self.next_clause, self.next_node);
        let _ = write!(self.text, "{clause} p {node}");
        self.write_numbers(factors);
        self.next_clause += 1 + factors.len() as u64;
        self.next_node = self.node_after(node)?;
        self.end_line()?;
        Ok(Product { literal: node, definition: clause })
    }

    /// Writes a product, unless it has a single factor.
    fn product_or_factor(&mut self, factors: &[i32]) -> Result<Product, ProofFault> {
        match *factors {
            [literal] => Ok(Product { literal, definition: 0 }),
            _ => self.product(factors),
        }
    }

    /// Writes the sum of two terms that exclude each other by the clauses of `hints`. Returns the
    /// node and its first clause, `-node term term`. The clause of `node` and `-term` k, from 0,
    /// comes k + 1 clauses later.
    fn sum(&mut self, terms: [i32; 2], hints: [u64; 2]) -> Result<(i32, u64), ProofFault> {
        let (clause, node) = (self.next_clause, self.next_node);
        let [first, second] = terms;
        let _ = write!(self.text, "{clause} s {node} {first} {second}");
        self.write_numbers(&hints);
        self.next_clause += 3;
        self.next_node = self.node_after(node)?;
        self.end_line()?;
        Ok((node, clause))
    }

    /// Writes a clause that follows by unit propagation from the clauses of `hints`, in order.
    fn clause(&mut self, literals: &[i32], hints: &[u64]) -> Result<u64, ProofFault> {
        let clause = self.next_clause;
        let _ = write!(self.text, "{clause} a");
        self.write_numbers(literals);
        self.write_numbers(hints);
        self.next_clause += 1;
        self.end_line()?;
        Ok(clause)
    }

    fn root(&mut self, node: i32) -> Result<(), ProofFault> {
        let _ = write!(self.text, "r {node}");
        self.end_line()
    }

    fn node_after(&self, node: i32) -> Result<i32, ProofFault> {
        node.checked_add(1).ok_or(Limit::Memory.into())
    }

    fn write_numbers<N: std::fmt::Display>(&mut self, numbers: &[N]) {
        for number in numbers {
            let _ = write!(self.text, " {number}");
        }
        self.text.push_str(" 0");
    }

    fn end_line(&mut self) -> Result<(), ProofFault> {
        self.text.push('\n');
        if self.text.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ProofFault> {
        self.pace.spend(BYTE_WORK * self.text.len() as u64)?;
        let passed = (self.sink)(&self.text);
        self.text.clear();
        match passed {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ProofFault::Stopped),
        }
    }
}

/// The options of a step that use an item in the same way.
struct Link {
    step: usize,
    options: Vec<OptionId>,
    /// True if no option of this link and of the earlier ones is chosen.
    open: Option<Product>,
}

/// A use of an item.
type ItemUse = (ItemId, Use);

/// Part of a state: the item is used in this way, or unused for the use 0.
type Condition = (ItemId, Use);
const UNUSED: Use = 0;

/// The node and the lemma of a state.
struct Proven {
    /// The node, or `None` if the state cannot be completed.
    node: Option<i32>,
    lemma: u64,
    /// The conditions of the state that the lemma mentions.
    conditions: Box<[Condition]>,
    count: BigUint,
}

/// Unit propagation on the way to a contradiction.
struct Propagation<'s> {
    step: usize,
    state: &'s [ItemUse],
    /// The option that is chosen at the step, if any.
    choice: Option<OptionId>,
    /// The conditions of the state that the propagation assumes.
    conditions: BTreeSet<Condition>,
    /// The literals that are true.
    known: HashSet<i32>,
    hints: Vec<u64>,
}

impl<'s> Propagation<'s> {
    fn new(step: usize, state: &'s [ItemUse], assumed: Option<i32>) -> Self {
        let known = assumed.into_iter().collect();
        let (conditions, hints) = (BTreeSet::new(), Vec::new());
        Self { step, state, choice: None, conditions, known, hints }
    }

    fn knows(&self, literal: i32) -> bool {
        self.known.contains(&literal)
    }

    /// Adds a hint, whose clause makes `literal` true.
    fn add(&mut self, hint: u64, literal: i32) {
        self.hints.push(hint);
        self.known.insert(literal);
    }
}

/// A choice of a state that can be completed.
struct Branch {
    /// The place of the option in its step; `None` for choosing no option.
    place: Option<usize>,
    product: Product,
}

/// The hints that make the product of a branch false if the node of the state is false and the
/// earlier options are not chosen.
struct Descent {
    /// Each hint with the literal that it makes true.
    hints: VecDeque<(u64, i32)>,
    /// The literal of the branch's choice.
    choice: i32,
}

/// The lemma of a choice.
struct ChoiceLemma {
    /// The option, or its negation.
    literal: i32,
    id: u64,
    conditions: BTreeSet<Condition>,
}

struct Writer<'w, 's, 'l> {
    walk: &'w Expansion<'w>,
    clauses: FormulaClauses,
    log: NodeLog<'s, 'l>,
    /// The links of each use of an item, in the order of their steps.
    links: HashMap<ItemUse, Vec<Link>>,
    /// The place of each option in its step.
    places: Vec<usize>,
    /// For each step, `rest` from each option on.
    rests: Vec<Vec<Product>>,
    /// By the index of a link's use and link, and by the option.
    exclusions: HashMap<(ItemUse, usize, OptionId), u64>,
    only: HashMap<OptionId, u64>,
    passed: Vec<u64>,
    /// By the chosen option, or by the step if no option is chosen.
    kept: HashMap<(Result<OptionId, usize>, ItemId, usize), u64>,
    needs: Vec<u64>,
    /// The states of each step.
    proven: Vec<Vec<Proven>>,
    /// The memory of `proven`, and of the walk (bytes).
    bytes: usize,
    bytes_max: usize,
}

impl<'w, 's, 'l> Writer<'w, 's, 'l> {
    fn new(
        walk: &'w Expansion<'w>,
        clauses: FormulaClauses,
        log: NodeLog<'s, 'l>,
        bytes_max: usize,
    ) -> Self {
        let problem = walk.problem;
        let mut links: HashMap<ItemUse, Vec<Link>> = HashMap::new();
        let mut places = vec![0; problem.option_count()];
        for (step, ProofStep { options, .. }) in walk.steps.iter().enumerate() {
            for (place, &option) in options.iter().enumerate() {
                places[option.index()] = place;
                for entry in problem.option(option) {
                    let links = links.entry((entry.item, use_of(entry))).or_default();
                    match links.last_mut().filter(|link| link.step == step) {
                        Some(link) => link.options.push(option),
                        None => links.push(Link { step, options: vec![option], open: None }),
                    }
                }
            }
        }
        Self {
            walk,
            clauses,
            log,
            links,
            places,
            rests: walk.steps.iter().map(|_| Vec::new()).collect(),
            exclusions: HashMap::new(),
            only: HashMap::new(),
            passed: vec![0; walk.steps.len()],
            kept: HashMap::new(),
            needs: vec![0; problem.item_count()],
            proven: walk.steps.iter().map(|_| Vec::new()).collect(),
            bytes: walk.bytes,
            bytes_max,
        }
    }

    /// Returns the memory of all that grows with the proof (bytes).
    fn held(&self) -> usize {
        let exclusion = size_of::<((ItemUse, usize, OptionId), u64)>() + 1;
        self.bytes + exclusion * (self.exclusions.capacity() + self.kept.capacity())
    }

    fn write(mut self) -> Result<BigUint, ProofFault> {
        for step in (0..self.walk.steps.len()).rev() {
            let mut start = 0;
            for (place, state) in self.walk.steps[step].states.iter().enumerate() {
                let end = self.walk.steps[step].ends[place];
                let ways = &self.walk.steps[step].ways[start..end];
                let proven = self.prove_state(step, state, ways)?;
                self.bytes += size_of::<Proven>() + size_of_val(&*proven.conditions);
                self.proven[step].push(proven);
                if self.held() > self.bytes_max {
                    return Err(Limit::Memory.into());
                }
                start = end;
            }
        }
        let (mut factors, mut hints) = (Vec::new(), Vec::new());
        for &(option, clause) in &self.clauses.never {
            factors.push(-variable(option));
            hints.push(clause);
        }
        let mut count = BigUint::from(1_u32);
        match self.walk.root {
            Successor::Done => {}
            Successor::State(step, place) => {
                let proven = &self.proven[step as usize][place as usize];
                count.clone_from(&proven.count);
                hints.push(proven.lemma);
                factors.extend(proven.node);
            }
            Successor::Dead(item) => {
                count = BigUint::ZERO;
                hints.push(self.clauses.long[item.index()]);
            }
        }
        if count == BigUint::ZERO {
            // The lemma of the first state is the empty clause.
            self.log.root(0)?;
            let last = hints.pop().unwrap_or_default();
            self.log.clause(&[], &[last])?;
        } else {
            let root = self.log.product(&factors)?;
            hints.push(root.definition);
            self.log.root(root.literal)?;
            self.log.clause(&[root.literal], &hints)?;
        }
        self.log.flush()?;
        Ok(count)
    }

    fn links(&self, item_use: ItemUse) -> &[Link] {
        self.links.get(&item_use).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of links of a use before a step.
    fn links_before(&self, item_use: ItemUse, step: usize) -> usize {
        self.links(item_use).partition_point(|link| link.step < step)
    }

    /// Returns the node that is true if no option of the first `count` links is chosen.
    fn open(&mut self, item_use: ItemUse, count: usize) -> Result<Product, ProofFault> {
        let known = self.links(item_use)[..count].iter().rposition(|link| link.open.is_some());
        let mut last = known.and_then(|place| self.links(item_use)[place].open);
        for place in known.map_or(0, |place| place + 1)..count {
            let options = self.links(item_use)[place].options.iter();
            let mut factors: Vec<i32> = last.map(|last| last.literal).into_iter().collect();
            factors.extend(options.map(|&option| -variable(option)));
            let product = self.log.product_or_factor(&factors)?;
            if let Some(links) = self.links.get_mut(&item_use) {
                links[place].open = Some(product);
            }
            last = Some(product);
        }
        last.ok_or(ProofFault::Stopped)
    }

    /// Returns the node that is true if no option of a step from place `from` on is chosen, or
    /// `None` if there is no such option.
    fn rest(&mut self, step: usize, from: usize) -> Result<Option<Product>, ProofFault> {
        if self.rests[step].is_empty() {
            let mut rests: Vec<Product> = Vec::new();
            for &option in self.walk.steps[step].options.iter().rev() {
                let mut factors = vec![-variable(option)];
                factors.extend(rests.last().map(|rest| rest.literal));
                rests.push(self.log.product_or_factor(&factors)?);
            }
            rests.reverse();
            self.rests[step] = rests;
        }
        Ok(self.rests[step].get(from).copied())
    }

    /// Writes a clause without conditions: if `assumed` are true, then `literal` is.
    fn imply(
        &mut self,
        assumed: &[i32],
        literal: i32,
        derive: impl FnOnce(&mut Self, &mut Propagation<'_>) -> Result<(), ProofFault>,
    ) -> Result<u64, ProofFault> {
        let mut p = Propagation::new(0, &[], None);
        p.known.extend(assumed);
        derive(self, &mut p)?;
        let mut clause: Vec<i32> = assumed.iter().map(|literal| -literal).collect();
        clause.push(literal);
        self.log.clause(&clause, &p.hints)
    }

    /// Returns the clause: unless no option of the first `count` links is chosen, `option` is not.
    fn exclusion(
        &mut self,
        item_use: ItemUse,
        count: usize,
        option: OptionId,
    ) -> Result<u64, ProofFault> {
        let key = (item_use, count, option);
        if let Some(&id) = self.exclusions.get(&key) {
            return Ok(id);
        }
        let open = self.open(item_use, count)?;
        let id = if open.is_node() {
            // Suppose that the option is chosen. Then no option of the links is.
            let mut hints = Vec::new();
            let links = self.links.get(&item_use).map_or(&[][..], Vec::as_slice);
            for link in &links[..count] {
                hints.extend(link.options.iter().filter_map(|&other| self.clauses.pair(option, other)));
            }
            let opens = links[..count].iter().filter_map(|link| link.open);
            hints.extend(opens.filter(|open| open.is_node()).map(|open| open.definition));
            self.log.clause(&[open.literal, -variable(option)], &hints)?
        } else {
            self.clauses.pair(option, self.links(item_use)[0].options[0]).unwrap_or_default()
        };
        self.exclusions.insert(key, id);
        Ok(id)
    }

    /// Returns the clause: if `option` is chosen, the later options of its step are not.
    fn only(&mut self, option: OptionId, rest: i32) -> Result<u64, ProofFault> {
        if let Some(&id) = self.only.get(&option) {
            return Ok(id);
        }
        let (step, from) = (self.walk.step_of[option.index()], self.places[option.index()] + 1);
        let others = &self.walk.steps[step].options[from..];
        let pairs = others.iter().filter_map(|&other| self.clauses.pair(option, other));
        let mut hints: Vec<u64> = pairs.collect();
        let id = match hints[..] {
            [pair] => pair,
            _ => {
                let rests = self.rests[step][from..].iter().rev().filter(|rest| rest.is_node());
                hints.extend(rests.map(|rest| rest.definition));
                self.log.clause(&[-variable(option), rest], &hints)?
            }
        };
        self.only.insert(option, id);
        Ok(id)
    }

    /// Returns the clause: if the item of a step is covered before, its options are not chosen.
    fn passed(&mut self, step: usize, item: ItemId, rest: i32) -> Result<u64, ProofFault> {
        if self.passed[step] == 0 {
            let count = self.links_before((item, 1), step);
            let options = &self.walk.steps[step].options;
            let exclusions = options.iter().map(|&option| self.exclusion((item, 1), count, option));
            let mut hints: Vec<u64> = exclusions.collect::<Result<_, _>>()?;
            self.passed[step] = match hints[..] {
                [exclusion] => exclusion,
                _ => {
                    let open = self.open((item, 1), count)?;
                    let rests = self.rests[step].iter().rev().filter(|rest| rest.is_node());
                    hints.extend(rests.map(|rest| rest.definition));
                    self.log.clause(&[open.literal, rest], &hints)?
                }
            };
        }
        Ok(self.passed[step])
    }

    /// Returns the clause: if no earlier option of an item is chosen, one of its last link is.
    fn need(&mut self, item: ItemId) -> Result<u64, ProofFault> {
        let long = self.clauses.long[item.index()];
        let count = self.links((item, 1)).len();
        if count < 2 {
            return Ok(long);
        }
        if self.needs[item.index()] == 0 {
            let open = self.open((item, 1), count - 1)?;
            let links = self.links((item, 1));
            let mut hints = Vec::new();
            for (place, link) in links[..count - 1].iter().enumerate().rev() {
                let Some(open) = link.open.filter(|open| open.is_node()) else { continue };
                let factor_count = link.options.len() + usize::from(place > 0);
                hints.extend((0..factor_count).rev().map(|factor| open.implies(factor)));
            }
            hints.push(long);
            let mut clause = vec![-open.literal];
            clause.extend(links[count - 1].options.iter().map(|&option| variable(option)));
            self.needs[item.index()] = self.log.clause(&clause, &hints)?;
        }
        Ok(self.needs[item.index()])
    }

    /// Assumes a condition of the state.
    fn assume(&mut self, condition: Condition, p: &mut Propagation<'_>) -> Result<(), ProofFault> {
        if p.conditions.insert(condition) {
            let literal = self.literal(condition, p.step)?;
            p.known.insert(literal);
        }
        Ok(())
    }

    /// Returns the literal that is true if a state at a step meets a condition.
    fn literal(&mut self, (item, used): Condition, step: usize) -> Result<i32, ProofFault> {
        let item_use = (item, used.max(1));
        let count = self.links_before(item_use, step);
        let open = self.open(item_use, count)?.literal;
        Ok(if used == UNUSED { open } else { -open })
    }

    /// Makes the condition that an item is used true at a step. The state uses it, or the choice.
    fn carry_used(
        &mut self,
        item_use: ItemUse,
        step: usize,
        p: &mut Propagation<'_>,
    ) -> Result<(), ProofFault> {
        let mut from = self.links_before(item_use, p.step);
        let to = self.links_before(item_use, step);
        if p.state.contains(&item_use) {
            self.assume(item_use, p)?;
        } else if let Some(choice) = p.choice {
            // The link of the choice follows.
            let open = self.open(item_use, from + 1)?;
            let place = self.links(item_use)[from].options.iter().position(|&option| option == choice);
            if !p.knows(-open.literal) {
                let factor = usize::from(from > 0) + place.unwrap_or_default();
                p.add(open.implies(factor), -open.literal);
            }
            from += 1;
        }
        for count in from + 1..=to {
            let open = self.open(item_use, count)?;
            if !p.knows(-open.literal) {
                p.add(open.implies(0), -open.literal);
            }
        }
        Ok(())
    }

    /// Makes the negation of an option true that does not fit the state or the choice.
    fn refute(&mut self, option: OptionId, p: &mut Propagation<'_>) -> Result<(), ProofFault> {
        let literal = -variable(option);
        if p.knows(literal) {
            return Ok(());
        }
        if let Some(pair) = p.choice.and_then(|choice| self.clauses.pair(choice, option)) {
            p.add(pair, literal);
            return Ok(());
        }
        let excludes = |&&(item, used): &&ItemUse| {
            let entries = self.walk.problem.option(option).iter();
            let mut same = entries.filter(|entry| entry.item == item);
            same.any(|entry| used == 1 || used != use_of(entry))
        };
        let Some(&item_use) = p.state.iter().find(excludes) else { return Ok(()) };
        let step = self.walk.step_of[option.index()];
        self.carry_used(item_use, step, p)?;
        let count = self.links_before(item_use, step);
        let exclusion = self.exclusion(item_use, count, option)?;
        p.add(exclusion, literal);
        Ok(())
    }

    /// Makes `open` of the first `count` links of an item true if the options of the last link are
    /// known to be false, and so is `open` of the links before.
    fn conclude_open(
        &mut self,
        item: ItemId,
        count: usize,
        p: &mut Propagation<'_>,
    ) -> Result<(), ProofFault> {
        let open = self.open((item, 1), count)?;
        if !p.knows(open.literal) {
            p.add(open.definition, open.literal);
        }
        Ok(())
    }

    /// Makes the condition that an item is unused true at a later step. The steps in between are
    /// passed, and the choice does not contain the item.
    fn carry_unused(
        &mut self,
        item: ItemId,
        step: usize,
        p: &mut Propagation<'_>,
    ) -> Result<(), ProofFault> {
        let item_use = (item, 1);
        let from = self.links_before(item_use, p.step);
        if from > 0 {
            self.assume((item, UNUSED), p)?;
        }
        for place in from..self.links_before(item_use, step) {
            let link_step = self.links(item_use)[place].step;
            let open = self.open(item_use, place + 1)?;
            let last = if place > 0 { Some(self.open(item_use, place)?.literal) } else { None };
            if link_step > p.step {
                self.pass(link_step, p)?;
            }
            let is_single = self.walk.steps[link_step].item.is_none();
            let id = match p.choice.filter(|_| link_step == p.step) {
                // The only option of the step is known to be false.
                _ if p.knows(open.literal) => continue,
                _ if is_single => open.definition,
                Some(choice) => self.kept(Ok(choice), item, place, open, last)?,
                None => self.kept(Err(link_step), item, place, open, last)?,
            };
            p.add(id, open.literal);
        }
        Ok(())
    }

    /// Returns the clause: if `last` is true, and an option without the item (`Ok`) or no option
    /// (`Err`) is chosen at the step of a link, then `open` is true.
    fn kept(
        &mut self,
        key: Result<OptionId, usize>,
        item: ItemId,
        place: usize,
        open: Product,
        last: Option<i32>,
    ) -> Result<u64, ProofFault> {
        if let Some(&id) = self.kept.get(&(key, item, place)) {
            return Ok(id);
        }
        let options = self.links((item, 1))[place].options.clone();
        let id = match key {
            Ok(choice) => {
                let mut assumed = vec![variable(choice)];
                assumed.extend(last);
                self.imply(&assumed, open.literal, |writer, p| {
                    p.choice = Some(choice);
                    options.iter().try_for_each(|&option| writer.refute(option, p))?;
                    if open.is_node() {
                        p.hints.push(open.definition);
                    }
                    Ok(())
                })?
            }
            Err(step) => {
                let Some(rest) = self.rest(step, 0)? else { return Ok(0) };
                let mut assumed = vec![rest.literal];
                assumed.extend(last);
                self.imply(&assumed, open.literal, |writer, p| {
                    writer.unfold_rest(step, &options, p);
                    if open.is_node() {
                        p.hints.push(open.definition);
                    }
                    Ok(())
                })?
            }
        };
        self.kept.insert((key, item, place), id);
        Ok(id)
    }

    /// Makes the negations of some options of a step true, if `rest` of the step is.
    fn unfold_rest(&self, step: usize, options: &[OptionId], p: &mut Propagation<'_>) {
        let rests = &self.rests[step];
        let last = options.iter().map(|option| self.places[option.index()]).max().unwrap_or(0);
        for (place, rest) in rests.iter().enumerate().take(last + 1) {
            if !rest.is_node() {
                continue;
            }
            let option = self.walk.steps[step].options[place];
            if options.contains(&option) {
                p.add(rest.implies(0), -variable(option));
            }
            if place < last {
                p.add(rest.implies(1), rests[place + 1].literal);
            }
        }
    }

    /// Writes the node and the lemma of a state.
    fn prove_state(
        &mut self,
        step: usize,
        state: &[ItemUse],
        ways: &[Transition],
    ) -> Result<Proven, ProofFault> {
        let (mut branches, mut lemmas) = (Vec::new(), Vec::new());
        let mut count = BigUint::ZERO;
        // An option comes before the choice of no option.
        let refusal = ways.iter().filter(|way| way.0.is_none());
        for &(choice, next) in ways.iter().filter(|way| way.0.is_some()).chain(refusal) {
            let (product, lemma) = self.prove_choice(step, state, choice, next)?;
            if let Some(product) = product {
                let place = choice.map(|option| self.places[option.index()]);
                branches.push(Branch { place, product });
                count += match next {
                    Successor::State(step, place) => {
                        self.proven[step as usize][place as usize].count.clone()
                    }
                    _ => BigUint::from(1_u32),
                };
            }
            lemmas.push(lemma);
        }
        let (node, descents) = self.join(step, &branches)?;
        let mut p = Propagation::new(step, state, node.map(|node| -node));
        for (place, &option) in self.walk.steps[step].options.iter().enumerate() {
            if branches.iter().any(|branch| branch.place == Some(place)) {
                continue;
            }
            // The option does not fit, or leads to no cover.
            match lemmas.iter().find(|lemma| lemma.literal == variable(option)) {
                Some(lemma) => self.apply(lemma, &mut p)?,
                None => self.refute(option, &mut p)?,
            }
        }
        for Descent { hints, choice } in descents {
            hints.into_iter().for_each(|(hint, literal)| p.add(hint, literal));
            if let Some(lemma) = lemmas.iter().find(|lemma| lemma.literal == choice) {
                self.apply(lemma, &mut p)?;
            }
        }
        match self.walk.steps[step].item {
            Some(item) => {
                if self.links((item, 1)).len() > 1 {
                    self.assume((item, UNUSED), &mut p)?;
                }
                let need = self.need(item)?;
                p.hints.push(need);
            }
            None => {
                let open = lemmas.iter().find(|lemma| lemma.literal < 0);
                if let Some(lemma) = open
                    && p.hints.last() != Some(&lemma.id)
                {
                    self.apply(lemma, &mut p)?;
                }
            }
        }
        let lemma = self.write_lemma(&p, None, node)?;
        Ok(Proven { node, lemma, conditions: p.conditions.into_iter().collect(), count })
    }

    /// Adds the lemma of a choice: its literal becomes false.
    fn apply(&mut self, lemma: &ChoiceLemma, p: &mut Propagation<'_>) -> Result<(), ProofFault> {
        for &condition in &lemma.conditions {
            self.assume(condition, p)?;
        }
        p.add(lemma.id, -lemma.literal);
        Ok(())
    }

    /// Writes the clause: unless the conditions of `p` are violated or `choice` is false, `node` is
    /// true.
    fn write_lemma(
        &mut self,
        p: &Propagation<'_>,
        choice: Option<i32>,
        node: Option<i32>,
    ) -> Result<u64, ProofFault> {
        let conditions = p.conditions.iter().map(|&condition| self.literal(condition, p.step));
        let mut clause: Vec<i32> =
            conditions.map(|literal| literal.map(|literal| -literal)).collect::<Result<_, _>>()?;
        clause.extend(choice.map(|literal| -literal));
        clause.extend(node);
        self.log.clause(&clause, &p.hints)
    }

    /// Writes the product and the lemma of a choice. There is no product if the choice leads to no
    /// cover.
    fn prove_choice(
        &mut self,
        step: usize,
        state: &[ItemUse],
        choice: Option<OptionId>,
        next: Successor,
    ) -> Result<(Option<Product>, ChoiceLemma), ProofFault> {
        let literal = match choice {
            Some(option) => variable(option),
            None => -variable(self.walk.steps[step].options[0]),
        };
        let mut p = Propagation::new(step, state, Some(literal));
        p.choice = choice;
        let product = match next {
            Successor::Dead(item) => {
                self.refute_item(item, &mut p)?;
                None
            }
            Successor::Done => self.reach(literal, self.walk.steps.len(), None, &mut p)?,
            Successor::State(next, place) => {
                let next = next as usize;
                match self.proven[next][place as usize].node {
                    Some(_) => self.reach(literal, next, Some(place), &mut p)?,
                    None => {
                        self.follow(next, place, &mut p)?;
                        None
                    }
                }
            }
        };
        let id = self.write_lemma(&p, Some(literal), product.map(|product| product.literal))?;
        Ok((product, ChoiceLemma { literal, id, conditions: p.conditions }))
    }

    /// Leads to a contradiction, because no remaining option with an item fits.
    fn refute_item(&mut self, item: ItemId, p: &mut Propagation<'_>) -> Result<(), ProofFault> {
        let item_use = (item, 1);
        let (from, count) = (self.links_before(item_use, p.step), self.links(item_use).len());
        if from > 0 {
            self.assume((item, UNUSED), p)?;
        }
        for place in from..count {
            let options = self.links(item_use)[place].options.clone();
            options.iter().try_for_each(|&option| self.refute(option, p))?;
            if place + 1 < count {
                self.conclude_open(item, place + 1, p)?;
            }
        }
        let need = self.need(item)?;
        p.hints.push(need);
        Ok(())
    }

    /// Makes the conditions of the next state true, and adds its lemma.
    fn follow(&mut self, next: usize, place: u32, p: &mut Propagation<'_>) -> Result<(), ProofFault> {
        let Proven { lemma, ref conditions, .. } = self.proven[next][place as usize];
        for &(item, used) in &conditions.clone() {
            match used {
                UNUSED => self.carry_unused(item, next, p)?,
                _ => self.carry_used((item, used), next, p)?,
            }
        }
        p.hints.push(lemma);
        Ok(())
    }

    /// Makes the negations of the options of a later step true that is passed, because no option
    /// of the step fits. Returns the literal that stands for all negations.
    fn pass(&mut self, step: usize, p: &mut Propagation<'_>) -> Result<i32, ProofFault> {
        let first = self.walk.steps[step].options[0];
        let rest = self.rest(step, 0)?.map_or(-variable(first), |rest| rest.literal);
        if !p.knows(rest) {
            match self.walk.steps[step].item {
                Some(item) => {
                    self.carry_used((item, 1), step, p)?;
                    let passed = self.passed(step, item, rest)?;
                    p.add(passed, rest);
                }
                None => self.refute(first, p)?,
            }
        }
        Ok(rest)
    }

    /// Writes the product of a choice and the node of the next state, and leads to a contradiction
    /// if the product is false.
    fn reach(
        &mut self,
        literal: i32,
        next: usize,
        place: Option<u32>,
        p: &mut Propagation<'_>,
    ) -> Result<Option<Product>, ProofFault> {
        let mut factors = vec![literal];
        if let Some(choice) = p.choice
            && let Some(rest) = self.rest(p.step, self.places[choice.index()] + 1)?
        {
            let only = self.only(choice, rest.literal)?;
            p.add(only, rest.literal);
            factors.push(rest.literal);
        }
        for step in p.step + 1..next {
            factors.push(self.pass(step, p)?);
        }
        if let Some(place) = place {
            factors.extend(self.proven[next][place as usize].node);
            self.follow(next, place, p)?;
        }
        let product = self.log.product(&factors)?;
        p.hints.push(product.definition);
        Ok(Some(product))
    }

    /// Writes the sum of the branches of a state. Returns its node, and the hints that make one
    /// branch after the other false if the node is false.
    fn join(
        &mut self,
        step: usize,
        branches: &[Branch],
    ) -> Result<(Option<i32>, Vec<Descent>), ProofFault> {
        let options = &self.walk.steps[step].options;
        let option = |place: usize| variable(options[place]);
        let Some(last) = branches.last() else { return Ok((None, Vec::new())) };
        let choice = |branch: &Branch| branch.place.map_or(-option(0), option);
        let mut node = last.product.literal;
        let mut descents = vec![Descent { hints: VecDeque::new(), choice: choice(last) }];
        for pair in branches.windows(2).rev() {
            let [branch, next] = pair else { continue };
            let (product, place) = (branch.product, branch.place.unwrap_or_default());
            // If the option is not chosen, neither are the options up to the next branch.
            let mut hints = VecDeque::new();
            let (other, excludes) = match next.place {
                Some(end) => {
                    let mut factors: Vec<i32> = (place..end).map(|place| -option(place)).collect();
                    factors.push(node);
                    let other = self.log.product(&factors)?;
                    hints.push_back((other.definition, -node));
                    (other.literal, other.implies(0))
                }
                None => (node, next.product.implies(0)),
            };
            let (sum, clause) =
                self.log.sum([product.literal, other], [product.implies(0), excludes])?;
            hints.push_front((clause + 2, -other));
            if let Some(descent) = descents.last_mut() {
                hints.append(&mut descent.hints);
                descent.hints = hints;
            }
            let hints = [(clause + 1, -product.literal)].into();
            descents.push(Descent { hints, choice: choice(branch) });
            node = sum;
        }
        if let Some(end) = branches[0].place.filter(|&place| place > 0) {
            let mut factors: Vec<i32> = (0..end).map(|place| -option(place)).collect();
            factors.push(node);
            let top = self.log.product(&factors)?;
            if let Some(descent) = descents.last_mut() {
                descent.hints.push_front((top.definition, -node));
            }
            node = top.literal;
        }
        descents.reverse();
        Ok((Some(node), descents))
    }
}
