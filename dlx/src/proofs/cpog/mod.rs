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
//! `nodes` writes the lines, `clauses` the auxiliary nodes and their clauses, and `propagation`
//! collects the hints of the lemmas.
//!
//! Source: Bryant, Nawrocki, Avigad and Heule 2023 for CPOG. The lemmas of states have no published
//! source. Tried and dropped: lemmas from the calls of a SAT solver, which need another program.

mod clauses;
mod nodes;
mod propagation;

use std::collections::{BTreeSet, HashMap, VecDeque};

use num_bigint::BigUint;

use self::nodes::{NodeLog, Product};
use self::propagation::Propagation;
use super::states::{Expansion, ProofStep, Successor, Transition, Use, use_of};
use super::{PairClauses, ProofFault, ProofFormat, RuleIds, Sink};
use crate::limits::{Limit, Limits, Pace};
use crate::model::{ItemId, OptionId, Problem};
use crate::portfolio::{Budget, Cut};
use crate::trust::formula::{self, FormulaFault, variable};

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
    let clauses = FormulaClauses { long, never, pairs };
    let log = NodeLog::new(clause_count, problem.option_count(), sink, pace);
    Writer::new(&walk, clauses, log, bytes).write()
}

/// The numbers of the clauses of the formula.
struct FormulaClauses {
    /// The clause of all options of each item that must be covered, otherwise 0.
    long: Vec<u64>,
    /// The options that are never chosen, with their clauses.
    never: Vec<(OptionId, u64)>,
    pairs: PairClauses,
}

/// The options of a step that use an item in the same way.
struct NodeLink {
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

/// A choice of a state that can be completed.
struct DiagramBranch {
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
    links: HashMap<ItemUse, Vec<NodeLink>>,
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
        let mut links: HashMap<ItemUse, Vec<NodeLink>> = HashMap::new();
        let mut places = vec![0; problem.option_count()];
        for (step, ProofStep { options, .. }) in walk.steps.iter().enumerate() {
            for (place, &option) in options.iter().enumerate() {
                places[option.index()] = place;
                for entry in problem.option(option) {
                    let links = links.entry((entry.item, use_of(entry))).or_default();
                    match links.last_mut().filter(|link| link.step == step) {
                        Some(link) => link.options.push(option),
                        None => links.push(NodeLink { step, options: vec![option], open: None }),
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
                branches.push(DiagramBranch { place, product });
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
        branches: &[DiagramBranch],
    ) -> Result<(Option<i32>, Vec<Descent>), ProofFault> {
        let options = &self.walk.steps[step].options;
        let option = |place: usize| variable(options[place]);
        let Some(last) = branches.last() else { return Ok((None, Vec::new())) };
        let choice = |branch: &DiagramBranch| branch.place.map_or(-option(0), option);
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
