//! A decision diagram of all covers, and queries on it.
//!
//! The diagram is zero-suppressed. A node represents the sets of its `low` child, and the sets of
//! its `high` child with the node's option added. Options come in the same order on all paths. The
//! nodes are built from the states of a frontier (`build`), so problems with locality have small
//! diagrams even if they have very many covers.
//!
//! Each node stores how many sets it represents, so one walk down the diagram finds a cover by its
//! rank, or draws a cover at random. One pass over the nodes counts the covers of each option or of
//! each cost.
//!
//! Source: Minato 1993 for the diagrams; Knuth, TAOCP 7.1.4 for the queries; Nishino, Yasuda,
//! Minato and Nagata 2017 for building them by exact cover search. Invariants: the children of a
//! node have smaller numbers and larger variables. No two nodes are equal. Tried and dropped: nodes
//! with an edge for each option of a step, which save memory but complicate every query.

mod build;
mod cheapest;
mod layer;
mod nodes;
mod numbers;
mod size;
#[cfg(test)]
mod tests;
mod text;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use num_bigint::BigUint;

pub use self::cheapest::CoversByCost;

use self::build::DiagramPart;
use self::nodes::{NO_VARIABLE, NONE, NodeId, NodeTable, UNIT};
use crate::frontier::order;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{ItemId, OptionId, Problem};
use crate::numbers::limbs;
use crate::portfolio::{Budget, Cut};
use crate::prepare::{Parts, Weighted};

/// Maximum size of a diagram (bytes), so that 32 bits can number its nodes.
const BYTES_MAX: u64 = 1 << 35;
const ORDERS_MAX: usize = 4;

/// All covers of a problem that contain given options, as a decision diagram.
///
/// ```
/// use dlx::{Random, diagram::Diagram};
/// use dlx::{Limits, OptionId};
///
/// // Dominoes on a 2x3 board.
/// let text = "11 12 13 21 22 23\n11 12\n12 13\n21 22\n22 23\n11 21\n12 22\n13 23\n";
/// let problem: dlx::Problem = text.parse()?;
/// let diagram = Diagram::new(&problem, &[], &Limits::new(), 1 << 20)?;
/// assert_eq!(diagram.count(), 3u32.into());
///
/// // In how many tilings is each domino?
/// let counts: Vec<String> = diagram.counts().iter().map(ToString::to_string).collect();
/// assert_eq!(counts, ["1", "1", "1", "1", "2", "1", "2"]);
///
/// // A uniformly random tiling.
/// let mut random = Random::new(1);
/// let tiling = diagram.sample(&mut || random.next_u64()).expect("there are some");
/// assert!(dlx::verify(&problem, &[], &tiling).is_ok());
///
/// // Every tiling has a number.
/// let number = diagram.rank(&tiling).expect("it is one of them");
/// assert_eq!(diagram.unrank(&number), Some(tiling));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Diagram {
    nodes: NodeTable,
    root: NodeId,
    joints: Vec<NodeId>,
    options: Vec<OptionId>,
    variables: Vec<u32>,
    /// The cost of the option of each variable. The list is empty if no option has a cost.
    costs: Vec<u64>,
}

/// The reason why a diagram was not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiagramError {
    /// The limit that was reached: [`Limit::Memory`], [`Limit::Time`] or [`Limit::Cancelled`].
    pub limit: Limit,
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.limit {
            Limit::Time => "the diagram takes more time than allowed",
            Limit::Cancelled => "the diagram was cancelled",
            _ => "the diagram takes more memory than allowed",
        })
    }
}

impl std::error::Error for DiagramError {}

/// An estimate of the size of a diagram; created by [`DiagramPlan::size`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct Size {
    /// The number of nodes, or infinity if the diagram is only known to be too large.
    pub nodes: f64,
    /// The memory to build the diagram (bytes).
    pub bytes: f64,
}

/// Estimated work of updating the count of one cost (ns).
const COST_WORK: u64 = 100;

/// Memory per node while a diagram is built (bytes), including states, choices, nodes and their
/// counts.
const BYTES_PER_NODE: f64 = 48.0;

/// Returns the item order with the fewest estimated nodes of the diagram of all covers.
///
/// # Errors
/// The limit that was reached.
pub(crate) fn best_order(problem: &Problem, budget: &mut Budget<'_>) -> Result<Vec<ItemId>, Cut> {
    let part = Weighted::whole(problem);
    let mut best: Option<(f64, Vec<ItemId>)> = None;
    for order in order::candidates(problem, budget)?.into_iter().take(ORDERS_MAX) {
        let nodes = match build::lay_out(&part, &order.items, budget) {
            Ok(Some(laid_out)) => laid_out.sample(size::BEAMS[0], budget)?.nodes,
            Err(cut @ Cut::Limit(_)) => return Err(cut),
            _ => f64::INFINITY,
        };
        if best.as_ref().is_none_or(|(least, _)| nodes < *least) {
            best = Some((nodes, order.items));
        }
    }
    Ok(best.map_or_else(Vec::new, |(_, items)| items))
}

/// The plan of a diagram: the parts of a problem, each with its best item order according to
/// samples, and a size estimate.
///
/// ```
/// use dlx::Limits;
/// use dlx::diagram::DiagramPlan;
///
/// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
/// let limits = Limits::new();
/// let plan = DiagramPlan::new(&problem, &[], &limits)?;
/// assert!(plan.size().nodes < 10.0);
/// assert_eq!(plan.build(&limits, 1 << 20)?.count(), 2u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub struct DiagramPlan<'p> {
    problem: &'p Problem,
    given: Vec<OptionId>,
    parts: Option<Parts>,
    /// The layout of each part, or `None` if a state of some part would take too many bits.
    laid_out: Option<Vec<Box<dyn DiagramPart>>>,
    nodes: f64,
}

impl fmt::Debug for DiagramPlan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiagramPlan").field("size", &self.size()).finish_non_exhaustive()
    }
}

type Guessed = (Box<dyn DiagramPart>, f64);

const LAYOUT_BYTES: usize = 1 << 28;

impl<'p> DiagramPlan<'p> {
    /// Plans the diagram of all covers of `problem` that contain the options of `given`. Planning
    /// usually takes some milliseconds.
    ///
    /// Only the deadline and the stop flags of `limits` apply.
    ///
    /// # Errors
    /// If a limit is reached.
    ///
    /// # Panics
    /// If an option of `given` is not one of this problem's.
    pub fn new(
        problem: &'p Problem,
        given: &[OptionId],
        limits: &Limits,
    ) -> Result<Self, DiagramError> {
        let mut given = given.to_vec();
        given.sort_unstable();
        given.dedup();
        match Self::within(problem, &given, &mut Budget::new(limits, u64::MAX, LAYOUT_BYTES)) {
            Ok(plan) => Ok(plan),
            Err(Cut::Limit(limit)) => Err(DiagramError { limit }),
            Err(_) => Ok(Self { problem, given, parts: None, laid_out: None, nodes: f64::INFINITY }),
        }
    }

    /// Plans the diagram of a problem that is known to have no cover, in negligible time and
    /// memory.
    ///
    /// ```
    /// use dlx::Limits;
    /// use dlx::diagram::DiagramPlan;
    ///
    /// let problem: dlx::Problem = "a b c\na b\nb c\na c\n".parse()?;
    /// let diagram = DiagramPlan::of_none(&problem).build(&Limits::new(), 1 << 20)?;
    /// assert_eq!(diagram.count(), 0u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_none(problem: &'p Problem) -> Self {
        Self { problem, given: Vec::new(), parts: None, laid_out: None, nodes: 0.0 }
    }

    pub(crate) fn within(
        problem: &'p Problem,
        given: &[OptionId],
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        let mut plan = Self { problem, given: given.to_vec(), parts: None, laid_out: None, nodes: 0.0 };
        plan.lay_out_all(budget)?;
        Ok(plan)
    }

    fn lay_out_all(&mut self, budget: &mut Budget<'_>) -> Result<(), Cut> {
        let parts = Parts::new(self.problem, &self.given, budget.limits()).map_err(Cut::Limit)?;
        let Some(parts) = parts else { return Ok(()) };
        let mut all = Vec::new();
        for part in &parts.parts {
            let Some((best, size)) = Self::lay_out(part, budget)? else { return Ok(()) };
            all.push(best);
            self.nodes += size;
        }
        (self.parts, self.laid_out) = (Some(parts), Some(all));
        Ok(())
    }

    /// Lays out a part in the order with the fewest estimated nodes. Returns `None` if the part has
    /// no cover.
    fn lay_out(part: &Weighted, budget: &mut Budget<'_>) -> Result<Option<Guessed>, Cut> {
        let [narrow, wide] = size::BEAMS;
        let mut best: Option<(f64, Box<dyn DiagramPart>, size::Sampled)> = None;
        for order in order::candidates(&part.problem, budget)?.iter().take(ORDERS_MAX) {
            let laid_out = match build::lay_out(part, &order.items, budget) {
                Ok(Some(laid_out)) => laid_out,
                Ok(None) => return Ok(None),
                Err(cut @ Cut::Limit(_)) => return Err(cut),
                Err(_) => continue,
            };
            let sampled = laid_out.sample(narrow, budget)?;
            if best.as_ref().is_none_or(|(nodes, ..)| sampled.nodes < *nodes) {
                best = Some((sampled.nodes, laid_out, sampled));
            }
        }
        let Some((_, laid_out, sampled)) = best else { return Err(Cut::Unsuited) };
        let nodes = size::nodes([sampled, laid_out.sample(wide, budget)?]);
        Ok(Some((laid_out, nodes)))
    }

    /// Estimates the size of the diagram.
    ///
    /// The estimate comes from a sample, tends to be too high, and is exact for small diagrams.
    #[must_use]
    pub fn size(&self) -> Size {
        Size { nodes: self.nodes, bytes: self.nodes * BYTES_PER_NODE }
    }

    /// Builds the diagram in about `bytes` of memory at most.
    ///
    /// Only the deadline and the stop flags of `limits` apply.
    ///
    /// # Errors
    /// If a limit is reached or the memory does not suffice.
    pub fn build(&self, limits: &Limits, bytes: u64) -> Result<Diagram, DiagramError> {
        let bytes = usize::try_from(bytes.min(BYTES_MAX)).unwrap_or(usize::MAX);
        let mut budget = Budget::new(limits, u64::MAX, bytes);
        self.build_within(&mut budget).map_err(|cut| DiagramError { limit: cut.limit() })
    }

    pub(crate) fn build_within(&self, budget: &mut Budget<'_>) -> Result<Diagram, Cut> {
        let problem = self.problem;
        let mut nodes = NodeTable::new();
        let mut options = Vec::with_capacity(problem.option_count());
        let mut joints = Vec::new();
        let mut root = NONE;
        if self.nodes.is_infinite() {
            return Err(Cut::Unsuited);
        }
        if let (Some(Parts { forced, parts }), Some(laid_out)) = (&self.parts, &self.laid_out) {
            options.extend_from_slice(&self.given);
            let given_count = options.len();
            forced.iter().for_each(|group| options.extend_from_slice(group));
            let forced_count = options.len();
            let mut firsts = Vec::new();
            for (part, laid_out) in parts.iter().zip(laid_out) {
                let mut variables = vec![NO_VARIABLE; part.problem.option_count()];
                for option in laid_out.options() {
                    variables[option.index()] = options.len() as u32;
                    options.extend_from_slice(part.groups.of(option));
                }
                firsts.push(variables);
            }
            root = UNIT;
            for (laid_out, variables) in laid_out.iter().zip(&firsts).rev() {
                joints.push(root);
                root = laid_out.build(variables, root, &mut nodes, budget)?;
            }
            joints.push(root);
            let mut end = forced_count;
            let groups: Vec<usize> = forced.iter().map(<[_]>::len).collect();
            for size in groups.into_iter().rev().chain(std::iter::repeat_n(1, given_count)) {
                let tail = root;
                root = NONE;
                for variable in (end - size..end).rev() {
                    root = nodes.make(variable as u32, root, tail);
                }
                end -= size;
            }
            joints.push(root);
            joints.reverse();
            joints.dedup();
        }
        let mut is_there = vec![false; problem.option_count()];
        options.iter().for_each(|option| is_there[option.index()] = true);
        options.extend(problem.options().filter(|option| !is_there[option.index()]));
        let costs = match problem.has_costs() {
            true => options.iter().map(|&option| problem.cost(option)).collect(),
            false => Vec::new(),
        };
        nodes.finish();
        budget.fits::<u8>(nodes.bytes())?;
        Ok(Diagram::of(nodes, root, joints, options, costs))
    }
}

impl Diagram {
    /// Builds the diagram of all covers of `problem` that contain the options of `given`, in about
    /// `bytes` of memory at most.
    ///
    /// Only the deadline and the stop flags of `limits` apply. Options without primary items belong
    /// to no cover unless they are given. A [`DiagramPlan`] estimates the size of the diagram
    /// before it is built.
    ///
    /// ```
    /// use dlx::Limits;
    /// use dlx::diagram::Diagram;
    ///
    /// let problem: dlx::Problem = "a b c\na b\nc\nb\na c\na\n".parse()?;
    /// let diagram = Diagram::new(&problem, &[dlx::OptionId::new(1)], &Limits::new(), 1 << 20)?;
    /// assert_eq!(diagram.count(), 2u32.into());
    /// assert!(Diagram::new(&problem, &[], &Limits::new(), 0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a limit is reached or the memory does not suffice.
    ///
    /// # Panics
    /// If an option of `given` is not one of this problem's.
    pub fn new(
        problem: &Problem,
        given: &[OptionId],
        limits: &Limits,
        bytes: u64,
    ) -> Result<Self, DiagramError> {
        DiagramPlan::new(problem, given, limits)?.build(limits, bytes)
    }

    fn of(
        nodes: NodeTable,
        root: NodeId,
        joints: Vec<NodeId>,
        options: Vec<OptionId>,
        costs: Vec<u64>,
    ) -> Self {
        let mut variables = vec![NO_VARIABLE; options.len()];
        for (variable, option) in (0..).zip(&options) {
            variables[option.index()] = variable;
        }
        Self { nodes, root, joints, options, variables, costs }
    }

    /// Returns the number of nodes, including both terminals.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn node_count(&self) -> usize {
        self.nodes.list.len()
    }

    /// Returns the memory of the diagram in bytes.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + 8 * (self.options.len() + self.costs.len())
    }

    /// Returns all options in the order of the diagram's variables, including options that belong
    /// to no cover.
    ///
    /// The order is deterministic for the same problem and given options, but may change between
    /// versions.
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn options(&self) -> &[OptionId] {
        &self.options
    }

    /// Replaces the option of each variable: variable `k` gets `options[k]`. Options beyond the
    /// variables belong to no cover. Returns `None` unless `options` is a permutation of the
    /// options from 0 on, with at least as many options as variables.
    ///
    /// ```
    /// use dlx::OptionId;
    /// use dlx::diagram::Diagram;
    ///
    /// let read = || Diagram::from_text("7 2 B T\n9 1 7 T\n.\n");
    /// let [first, second, third] = [0, 1, 2].map(OptionId::new);
    /// assert!(read()?.with_options(vec![first, first]).is_none());
    /// let diagram = read()?.with_options(vec![third, first, second]).expect("each is there once");
    /// let covers: Vec<_> = diagram.covers().collect();
    /// assert_eq!(covers, [[third], [first]]);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[must_use]
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn with_options(self, options: Vec<OptionId>) -> Option<Self> {
        let mut is_seen = vec![false; options.len()];
        for option in &options {
            let seen = is_seen.get_mut(option.index())?;
            if std::mem::replace(seen, true) {
                return None;
            }
        }
        let Self { nodes, root, joints, options: before, .. } = self;
        (options.len() >= before.len()).then(|| Self::of(nodes, root, joints, options, Vec::new()))
    }

    /// Returns the number of covers.
    #[must_use]
    pub fn count(&self) -> BigUint {
        limbs::value(self.nodes.counts.get(self.root))
    }

    /// Returns, for each option, the number of covers that contain it.
    ///
    /// The counts of the options of a primary item that is covered exactly once add up to
    /// [`Diagram::count`].
    #[must_use]
    pub fn counts(&self) -> Vec<BigUint> {
        self.counts_within(&Limits::default()).expect("there is no limit")
    }

    /// Works like [`Diagram::counts`], within limits.
    ///
    /// # Errors
    /// If the deadline, a stop flag or the memory limit of `limits` is reached.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn counts_within(&self, limits: &Limits) -> Result<Vec<BigUint>, Limit> {
        let mut pace = Pace::new(limits);
        // The number of paths to a node times the number of paths from it never exceeds the number
        // of covers, so `width` limbs suffice.
        let width = self.nodes.counts.get(self.root).len();
        let bytes = (8 * width).saturating_mul(self.options.len() + self.nodes.list.len());
        if limits.memory.is_some_and(|most| self.bytes().saturating_add(bytes) > most) {
            return Err(Limit::Memory);
        }
        let mut sums = vec![0; width * self.options.len()];
        let mut ways = vec![0; width * self.nodes.list.len()];
        if let Some(one) = ways.get_mut(width * self.root as usize) {
            *one = 1;
        }
        for (id, node) in (UNIT + 1..=self.root).rev().map(|id| (id, self.nodes.list[id as usize])) {
            let (below, own) = ways.split_at_mut(width * id as usize);
            let own = &own[..width];
            if own.iter().all(|&limb| limb == 0) {
                continue;
            }
            for child in [node.low, node.high].map(|child| width * child as usize) {
                numbers::add(&mut below[child..child + width], own);
            }
            let sum = width * node.variable as usize;
            let on = self.nodes.counts.get(node.high);
            pace.spend((20 + 2 * width * (2 + on.len())) as u64)?;
            numbers::add_product(&mut sums[sum..sum + width], own, on);
        }
        let count = |&variable: &u32| {
            let start = width * variable as usize;
            limbs::value(&sums[start..start + width])
        };
        Ok(self.variables.iter().map(count).collect())
    }

    /// Draws a cover uniformly at random, if `random` returns uniform numbers. Returns `None` if
    /// there is no cover.
    ///
    /// The given options come first, then the others in the order of [`Diagram::options`].
    pub fn sample(&self, random: &mut impl FnMut() -> u64) -> Option<Vec<OptionId>> {
        let count = self.nodes.counts.get(self.root);
        let top = count.last()?;
        let mask = u64::MAX >> top.leading_zeros();
        let mut number: Vec<u64>;
        loop {
            number = count.iter().map(|_| random()).collect();
            number[count.len() - 1] &= mask;
            numbers::trim(&mut number);
            if numbers::compare(&number, count) == Ordering::Less {
                return Some(self.find(number));
            }
        }
    }

    /// Returns the cover with the given 0-based number, or `None` if there are fewer covers.
    ///
    /// The covers are ordered by their first difference. If the first of the
    /// [options](Diagram::options) that belongs to only one of two covers is `o`, the cover with
    /// `o` comes first.
    #[must_use]
    pub fn unrank(&self, number: &BigUint) -> Option<Vec<OptionId>> {
        let limbs: Vec<u64> = number.iter_u64_digits().collect();
        let is_there = numbers::compare(&limbs, self.nodes.counts.get(self.root)) == Ordering::Less;
        is_there.then(|| self.find(limbs))
    }

    fn find(&self, mut number: Vec<u64>) -> Vec<OptionId> {
        let mut cover = Vec::new();
        let mut id = self.root;
        while id > UNIT {
            let node = self.nodes.list[id as usize];
            let count = self.nodes.counts.get(node.high);
            if numbers::compare(&number, count) == Ordering::Less {
                cover.push(self.options[node.variable as usize]);
                id = node.high;
            } else {
                numbers::subtract(&mut number, count);
                id = node.low;
            }
        }
        debug_assert_eq!(id, UNIT, "there are as many sets as were counted");
        cover
    }

    /// Returns the number of a cover, the inverse of [`Diagram::unrank`]. Returns `None` if the
    /// options do not form a cover of this diagram.
    ///
    /// The options may come in any order.
    #[must_use]
    pub fn rank(&self, cover: &[OptionId]) -> Option<BigUint> {
        let variable = |option: &OptionId| self.variables.get(option.index()).copied();
        let mut left: Vec<u32> = cover.iter().map(variable).collect::<Option<_>>()?;
        left.sort_unstable_by(|a, b| b.cmp(a));
        let mut number = BigUint::ZERO;
        let mut id = self.root;
        while id > UNIT {
            let node = self.nodes.list[id as usize];
            id = if left.last() == Some(&node.variable) {
                left.pop();
                node.high
            } else {
                number += limbs::value(self.nodes.counts.get(node.high));
                node.low
            };
        }
        (id == UNIT && left.is_empty()).then_some(number)
    }

    /// Iterates over the covers in ascending order of their ranks.
    ///
    /// ```
    /// use dlx::Limits;
    /// use dlx::diagram::Diagram;
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let diagram = Diagram::new(&problem, &[], &Limits::new(), 1 << 20)?;
    /// let covers: Vec<_> = diagram.covers().collect();
    /// assert_eq!(covers.len(), 2);
    /// assert_eq!(diagram.unrank(&1u32.into()).as_ref(), covers.last());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn covers(&self) -> impl Iterator<Item = Vec<OptionId>> + '_ {
        let node = |id: NodeId| self.nodes.list[id as usize];
        let (mut chosen, mut next): (Vec<NodeId>, _) = (Vec::new(), self.root);
        std::iter::from_fn(move || {
            while next == NONE {
                next = node(chosen.pop()?).low;
            }
            while next > UNIT {
                chosen.push(next);
                next = node(next).high;
            }
            next = NONE;
            let option = |&id: &NodeId| self.options[node(id).variable as usize];
            Some(chosen.iter().map(option).collect())
        })
    }

    /// Counts the covers of each cost, in ascending order of cost. Returns `None` if some node of
    /// the diagram has more than `limit` different costs.
    ///
    /// ```
    /// use dlx::Limits;
    /// use dlx::diagram::Diagram;
    ///
    /// let problem: dlx::Problem = "a b\na |1\nb |2\na b |3\na |4\n".parse()?;
    /// let diagram = Diagram::new(&problem, &[], &Limits::new(), 1 << 20)?;
    /// let costs = diagram.histogram(10).expect("few costs");
    /// assert_eq!(costs.into_iter().collect::<Vec<_>>(), [(3, 2u32.into()), (6, 1u32.into())]);
    /// assert!(diagram.histogram(1).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn histogram(&self, limit: usize) -> Option<BTreeMap<u128, BigUint>> {
        self.histogram_within(limit, &Limits::default()).expect("there is no limit")
    }

    /// Works like [`Diagram::histogram`], within limits.
    ///
    /// # Errors
    /// If the deadline, a stop flag or the memory limit of `limits` is reached.
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    pub fn histogram_within(
        &self,
        limit: usize,
        limits: &Limits,
    ) -> Result<Option<BTreeMap<u128, BigUint>>, Limit> {
        type Costs = BTreeMap<u128, BigUint>;
        let mut pace = Pace::new(limits);
        let mut held = 0_usize;
        let size = 64 + self.nodes.counts.get(self.root).len() * 8;
        let unit = || Costs::from([(0, BigUint::from(1u32))]);
        if self.root == NONE {
            return Ok(Some(Costs::new()));
        }
        // For each node, the costs of the paths to it from the last joint (a node that all paths
        // pass). `total` contains the costs of all paths to the last joint.
        let mut ways = vec![Costs::new(); self.root as usize + 1];
        ways[self.root as usize] = unit();
        held += 1;
        let mut total = unit();
        for id in (UNIT..=self.root).rev() {
            let mut own = std::mem::take(&mut ways[id as usize]);
            held -= own.len();
            pace.spend(COST_WORK)?;
            if own.is_empty() {
                continue;
            }
            if self.joints.contains(&id) || id == UNIT {
                let mut product = Costs::new();
                for (cost, count) in &total {
                    pace.spend(COST_WORK * own.len() as u64)?;
                    for (more, times) in &own {
                        *product.entry(cost + more).or_default() += count * times;
                        if product.len() > limit {
                            return Ok(None);
                        }
                    }
                }
                total = product;
                own = unit();
            }
            let node = self.nodes.list[id as usize];
            if id == UNIT {
                continue;
            }
            let cost = self.cost(node.variable);
            for (child, more) in
                [(node.low, 0), (node.high, cost)].into_iter().filter(|to| to.0 != NONE)
            {
                let costs = &mut ways[child as usize];
                pace.spend(COST_WORK * own.len() as u64)?;
                held -= costs.len();
                for (cost, count) in &own {
                    *costs.entry(cost + more).or_default() += count;
                }
                held += costs.len();
                if costs.len() > limit {
                    return Ok(None);
                }
                let bytes = held.saturating_mul(size).saturating_add(self.bytes());
                if limits.memory.is_some_and(|most| bytes > most) {
                    return Err(Limit::Memory);
                }
            }
        }
        Ok(Some(total))
    }

    /// Returns an iterator over the covers with their costs, in ascending order of cost. The
    /// iterator computes covers on demand.
    ///
    /// Covers of equal cost come in a fixed but arbitrary order.
    ///
    /// ```
    /// use dlx::Limits;
    /// use dlx::diagram::Diagram;
    ///
    /// let problem: dlx::Problem = "a b\na |1\nb |2\na b |3\na |4\n".parse()?;
    /// let diagram = Diagram::new(&problem, &[], &Limits::new(), 1 << 20)?;
    /// let costs: Vec<_> = diagram.cheapest().map(|cover| cover.cost).collect();
    /// assert_eq!(costs, [3, 3, 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cheapest(&self) -> CoversByCost<'_> {
        CoversByCost::new(self)
    }

    fn cost(&self, variable: u32) -> u128 {
        self.costs.get(variable as usize).copied().unwrap_or(0).into()
    }
}
