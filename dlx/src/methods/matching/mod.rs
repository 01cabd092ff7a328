//! Counts perfect matchings of planar graphs in polynomial time.
//!
//! If each option has two items, the items are the vertices of a graph, the options are its edges,
//! and the covers are its perfect matchings; domino and lozenge tilings are examples. Counting
//! perfect matchings is #P-hard in general. But the edges of a planar graph can be given signs with
//! which the count is a Pfaffian (Kasteleyn, see `embedding`). The Pfaffian is computed modulo
//! enough primes that their product exceeds a bound of the count (`determinant`, `elimination`,
//! `modular`), and reconstructed by the Chinese remainder theorem. Each prime is a separate task
//! for the idle cores.
//!
//! Vertices with one or two neighbors are contracted first (`contraction`).
//!
//! The bound of the count follows from Hadamard's inequality. The square of the Pfaffian is a
//! determinant, so the product of the squared row norms bounds the fourth power of the count. In a
//! bipartite graph, the smaller one of the products of the two sides bounds the square of the
//! count. Hadamard's bound is tighter than Bregman's if vertices have three or more neighbors.
//!
//! Sources: P. W. Kasteleyn, Dimer statistics and phase transitions (1963); the submodules name
//! their own.

mod contraction;
mod determinant;
mod elimination;
mod embedding;
mod method;
#[cfg(test)]
mod tests;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use num_bigint::BigUint;

use self::contraction::contract;
use self::determinant::{Determinant, EliminationBuffers};
use self::embedding::Embedding;
pub(super) use self::method::METHOD;
use crate::methods::together::{HELPERS_MAX, TOGETHER};
use crate::model::OptionId;
use crate::numbers::modular::{self, PrimeField, Primes};
use crate::pairs::graph::Graph;
use crate::pairs::{Blossoms, NONE, Reading};
use crate::parallel;
use crate::parallel::{Cores, lock};
use crate::portfolio::{Budget, Cut};
use crate::prepare::Weighted;

const STEPS_PER_OPTION: u64 = 500;

const BYTES_PER_OPTION: usize = 300;

/// The count of perfect matchings of a planar graph. An interrupted count resumes after the last
/// finished prime.
#[derive(Debug)]
pub(crate) struct Matching {
    graph: Graph,
    factor: BigUint,
    determinant: Determinant,
    /// Exponent of a power of 2 that exceeds the count of the contracted graph.
    bits: u64,
    primes: Primes,
    begun: Vec<u64>,
    /// The product of the finished primes, and the count modulo this product.
    modulus: BigUint,
    count: BigUint,
    scratch: EliminationBuffers,
    others: Vec<EliminationBuffers>,
    cores: Arc<Cores>,
}

struct Todo {
    primes: Primes,
    begun: Vec<u64>,
    left: u64,
    /// Each finished prime with its residue, or `None` if a pivot was 0.
    done: Vec<(u64, Option<u64>)>,
}

impl Default for Matching {
    fn default() -> Self {
        Self {
            graph: Graph::default(),
            factor: BigUint::ZERO,
            determinant: Determinant::default(),
            bits: 0,
            primes: Primes::new(),
            begun: Vec::new(),
            modulus: BigUint::from(1_u32),
            count: BigUint::ZERO,
            scratch: EliminationBuffers::default(),
            others: Vec::new(),
            cores: Cores::new(0),
        }
    }
}

impl Matching {
    /// Prepares the count in about linear time. Fails with `Cut::Unsuited` unless the part is a
    /// planar graph. The count will use idle `cores`, one per prime.
    pub(crate) fn new(
        part: &Weighted,
        cores: &Arc<Cores>,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        let size = part.problem.option_count() + part.problem.item_count();
        let graph = read(part, budget)?;
        // A planar graph with at least three vertices has at most 3n - 6 edges.
        if graph.edge_count() + 6 > (3 * graph.vertex_count()).max(7) {
            return Err(Cut::Unsuited);
        }
        budget.fits::<[u8; BYTES_PER_OPTION]>(size)?;
        budget.spend(STEPS_PER_OPTION * size as u64)?;
        let Some((graph, factors)) = contract(&graph) else {
            return Ok(Self::default());
        };
        let embedding = Embedding::new(&graph).ok_or(Cut::Unsuited)?;
        let vertex_count = graph.vertex_count();
        let mut blossoms = Blossoms::new(graph, vec![false; vertex_count]);
        if vertex_count % 2 == 1 || !blossoms.complete(budget)? {
            return Ok(Self::default());
        }
        let Blossoms { graph, partners, .. } = blossoms;
        let determinant = Determinant::new(&graph, &partners, &embedding.directions(), budget)?;
        budget.fits::<u8>(determinant.bytes())?;
        let (factor, bits) = (product(factors), bits(&graph));
        let cores = Arc::clone(cores);
        Ok(Self { graph, factor, determinant, bits, cores, ..Self::default() })
    }

    /// Returns a lower bound of the count: the covers of one perfect matching, if there is one.
    pub(crate) fn known(&self) -> BigUint {
        if self.bits > 0 { self.factor.clone() } else { BigUint::ZERO }
    }

    pub(crate) fn work(&self) -> u64 {
        self.primes_left().saturating_mul(self.determinant.work())
    }

    fn primes_left(&self) -> u64 {
        (self.bits + 1).saturating_sub(self.modulus.bits()).div_ceil(modular::BITS)
    }

    pub(crate) fn explain(&self) -> String {
        let primes = self.modulus.bits() / modular::BITS;
        format!("a planar graph, modulo {primes} primes")
    }

    pub(crate) fn count(&mut self, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
        while self.modulus.bits() <= self.bits {
            let left = self.primes_left().max(1);
            let room = budget.bytes / self.determinant.bytes().max(1);
            let most = room.saturating_sub(1).min(HELPERS_MAX).min(left as usize - 1);
            let most = if self.work().min(budget.work()) < TOGETHER { 0 } else { most };
            let (primes, begun) = (self.primes.clone(), std::mem::take(&mut self.begun));
            let todos = Mutex::new(Todo { primes, begun, left, done: Vec::new() });
            let (todo, graph, determinant, limits) =
                (&todos, &self.graph, &self.determinant, budget.limits());
            let (cores, others, scratch) = (&self.cores, &mut self.others, &mut self.scratch);
            let result = parallel::beside(
                cores,
                most,
                others,
                |_| EliminationBuffers::default(),
                |scratch, flag| {
                    let mut budget = Budget::new(limits, u64::MAX, usize::MAX);
                    while !flag.load(Relaxed)
                        && Todo::take_one(todo, determinant, graph, scratch, &mut budget) == Ok(true)
                    {
                    }
                },
                |_| loop {
                    if budget.work() < determinant.work() {
                        return Err(Cut::Work);
                    }
                    if !Todo::take_one(todo, determinant, graph, scratch, budget)? {
                        return Ok(());
                    }
                },
            );
            let todo = todos.into_inner().unwrap_or_else(PoisonError::into_inner);
            (self.primes, self.begun) = (todo.primes, todo.begun);
            for (prime, residue) in todo.done {
                if let Some(residue) = residue {
                    self.add_residue(PrimeField::new(prime), residue);
                }
            }
            result?;
        }
        Ok(&self.factor * &self.count)
    }

    fn add_residue(&mut self, field: PrimeField, residue: u64) {
        let prime = field.modulus;
        let enter = |number: &BigUint| {
            let digits = (number % prime).iter_u64_digits().next();
            field.enter(digits.unwrap_or(0))
        };
        let missing = field.sub(field.enter(residue), enter(&self.count));
        let factor = field.mul(missing, field.invert(enter(&self.modulus)));
        self.count += &self.modulus * field.leave(factor);
        self.modulus *= prime;
    }
}

impl Todo {
    fn take_one(
        todo: &Mutex<Self>,
        determinant: &Determinant,
        graph: &Graph,
        scratch: &mut EliminationBuffers,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Cut> {
        let prime = {
            let mut todo = lock(todo);
            if todo.left == 0 {
                return Ok(false);
            }
            let prime = todo.begun.pop().or_else(|| todo.primes.next()).ok_or(Cut::Unsuited)?;
            todo.left -= 1;
            prime
        };
        let residue = determinant.residue(PrimeField::new(prime), graph, scratch, budget);
        let mut todo = lock(todo);
        match residue {
            Ok(residue) => todo.done.push((prime, residue)),
            Err(_) => todo.begun.push(prime),
        }
        residue.map(|_| true)
    }
}

/// Reads a part as a graph, where each option is an edge between two primary items.
fn read(part: &Weighted, budget: &mut Budget<'_>) -> Result<Graph, Cut> {
    let Reading { is_primary, options } = Reading::of(&part.problem, budget)?;
    let is_edge = |&([_, end], _): &([u32; 2], OptionId)| end != NONE;
    if !is_primary.iter().all(|&is_primary| is_primary) || !options.iter().all(is_edge) {
        return Err(Cut::Unsuited);
    }
    let edge = |(ends, option): ([u32; 2], OptionId)| (ends, part.weights[option.index()]);
    Graph::new(is_primary.len(), options.into_iter().map(edge).collect()).ok_or(Cut::Unsuited)
}

/// Returns the exponent of a power of 2 that exceeds the count.
fn bits(graph: &Graph) -> u64 {
    let square = |half: &u32| BigUint::from(graph.weights[*half as usize / 2]).pow(2);
    let norm = |vertex: u32| graph.halves(vertex).iter().map(square).sum();
    let vertices = 0..graph.vertex_count() as u32;
    match graph.sides() {
        Some(sides) => {
            let side_of = |vertex: u32| sides[vertex as usize];
            let side = |side| vertices.clone().filter(move |&vertex| side_of(vertex) == side).map(norm);
            product(side(false).collect()).min(product(side(true).collect())).bits().div_ceil(2)
        }
        None => product(vertices.map(norm).collect()).bits().div_ceil(4),
    }
}

fn product(mut factors: Vec<BigUint>) -> BigUint {
    while factors.len() > 1 {
        factors = factors.chunks(2).map(|pair| pair.iter().product()).collect();
    }
    factors.pop().unwrap_or_else(|| BigUint::from(1_u32))
}
