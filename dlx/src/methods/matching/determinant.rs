//! Counts the perfect matchings of a planar graph modulo a prime, by multifrontal elimination.
//!
//! Let A be the skew-symmetric matrix of the signed weights. Order the vertices by the pairs of a
//! perfect matching M, and direct each edge of M from the first to the second vertex of its pair. A
//! perfect matching of the vertices of some pairs, together with the other pairs of M, is a perfect
//! matching of the whole graph, so it has the positive sign of M. Hence the Pfaffian of each such
//! principal submatrix of A is the total weight of its matchings, which is not 0. So elimination
//! pair by pair, in any order, meets a zero pivot only if the prime divides one of these totals;
//! then another prime is used. The product of the pivots is the count itself, with the right sign.
//!
//! In a bipartite graph, the rows of one side and the columns of the other side suffice: one row
//! and column per pair. Otherwise a pair has two rows and two columns. The two rows of a pair are
//! swapped, so that the pivots -a and a are on the diagonal. The Pfaffian is the product of the
//! second pivots.
//!
//! A front (a small dense matrix) is factored by sums of products (Crout), and each sum is reduced
//! modulo the prime once.
//!
//! Invariant: when a front is factored, the borders of its children are on top of the stack, the
//! border of the last child topmost.
//!
//! Tried and dropped, because both were slower: one sum at a time over transposed columns; inverses
//! by Fermat powers.

use super::elimination;
use super::elimination::FrontalMatrix;
use crate::numbers::modular::PrimeField;
use crate::pairs::graph::{Graph, lists_by};
use crate::portfolio::{Budget, Cut};

#[derive(Debug)]
struct FrontStep {
    /// The number of pivots, and the number of rows and columns of the front.
    pivots: u32,
    size: u32,
    children: u32,
    entries: u32,
    places: Vec<u32>,
    work: u64,
}

#[derive(Clone, Copy, Debug)]
struct MatrixEntry {
    place: usize,
    edge: u32,
    is_negative: bool,
}

/// The plan for eliminating the matrix of a graph, independent of the prime.
#[derive(Debug, Default)]
pub(super) struct Determinant {
    lines: usize,
    steps: Vec<FrontStep>,
    entries: Vec<MatrixEntry>,
    residues: usize,
}

#[derive(Debug, Default)]
pub(super) struct EliminationBuffers {
    weights: Vec<u64>,
    front: Vec<u64>,
    column: Vec<u64>,
    stack: Vec<u64>,
    open: Vec<u32>,
}

struct VertexPairs {
    of: Vec<u32>,
    is_second: Vec<bool>,
}

impl Determinant {
    /// Plans the elimination, given a perfect matching. `is_turned` contains whether each edge is
    /// reversed.
    pub(super) fn new(
        graph: &Graph,
        partners: &[u32],
        is_turned: &[bool],
        budget: &mut Budget<'_>,
    ) -> Result<Self, Cut> {
        let sides = graph.sides();
        let lines = if sides.is_some() { 1 } else { 2 };
        let pairs = VertexPairs::new(graph, partners, is_turned);
        let count = partners.len() / 2;
        let mut neighbors = vec![Vec::new(); count];
        for ends in &graph.ends {
            let [a, b] = ends.map(|vertex| pairs.of[vertex as usize]);
            if a != b {
                neighbors[a as usize].push(b);
                neighbors[b as usize].push(a);
            }
        }
        for list in &mut neighbors {
            list.sort_unstable();
            list.dedup();
        }
        let order = elimination::minimum_degree(neighbors.clone(), budget)?;
        let fronts = elimination::fronts(&neighbors, &order, lines, budget)?;
        let mut this =
            Self { lines, steps: Vec::with_capacity(fronts.len()), entries: Vec::new(), residues: 0 };
        this.fill(graph, &pairs, is_turned, sides.as_deref(), &fronts);
        this.residues += graph.edge_count();
        Ok(this)
    }

    fn fill(
        &mut self,
        graph: &Graph,
        pairs: &VertexPairs,
        is_turned: &[bool],
        sides: Option<&[bool]>,
        fronts: &[FrontalMatrix],
    ) {
        let lines = self.lines;
        let mut places = vec![0_u32; pairs.of.len() / 2];
        let mut owners = vec![0; places.len()];
        for (front, id) in fronts.iter().zip(0_u32..) {
            front.pivots.iter().for_each(|&pair| owners[pair as usize] = id);
        }
        let ends = |edge: u32| graph.ends[edge as usize].map(|vertex| vertex as usize);
        let owner =
            |edge: u32| ends(edge).map(|vertex| owners[pairs.of[vertex] as usize]).into_iter().min();
        let edges = 0..graph.edge_count() as u32;
        let lists = edges.map(|edge| (owner(edge).unwrap_or_default(), edge));
        let (starts, owned) = lists_by::<u32>(fronts.len(), lists);
        let mut parents = vec![Vec::new(); fronts.len()];
        let (mut open, mut height, mut front_most) = (Vec::new(), 0, 0);
        for (id, front) in fronts.iter().enumerate() {
            let pairs_here = front.pivots.iter().chain(&front.border);
            pairs_here.zip(0..).for_each(|(&pair, place)| places[pair as usize] = place);
            let size = front.size() * lines;
            let border = front.border.len() * lines;
            let mut work = front.work(lines);
            for _ in &front.children {
                let child: usize = open.pop().unwrap_or_default();
                let list = &fronts[child].border;
                let rows = |&pair: &u32| (0..lines as u32).map(move |line| (pair, line));
                parents[child] = list
                    .iter()
                    .flat_map(rows)
                    .map(|(pair, line)| places[pair as usize] * lines as u32 + line)
                    .collect();
                work += ((list.len() * lines) as u64).pow(2);
                height -= (list.len() * lines).pow(2);
            }
            front_most = front_most.max(size * (size + 1));
            height += border * border;
            self.residues = self.residues.max(height + front_most);
            open.push(id);
            self.steps.push(FrontStep {
                pivots: (front.pivots.len() * lines) as u32,
                size: size as u32,
                children: front.children.len() as u32,
                entries: self.entries.len() as u32,
                places: Vec::new(),
                work,
            });
            let place = |vertex: usize| places[pairs.of[vertex] as usize] as usize;
            for &edge in &owned[starts[id] as usize..starts[id + 1] as usize] {
                let [mut a, mut b] = ends(edge);
                let mut is_negative = is_turned[edge as usize];
                match sides {
                    Some(sides) => {
                        if sides[a] {
                            (a, b) = (b, a);
                            is_negative = !is_negative;
                        }
                        // Negate the entry if the matched edge is directed to the first side.
                        is_negative ^= pairs.is_second[a];
                        let [row, column] = [a, b].map(place);
                        self.entries.push(MatrixEntry {
                            place: row * size + column,
                            edge,
                            is_negative,
                        });
                    }
                    None => {
                        let line =
                            |vertex: usize| 2 * place(vertex) + usize::from(pairs.is_second[vertex]);
                        for (a, b, is_negative) in [(a, b, is_negative), (b, a, !is_negative)] {
                            let place = (line(a) ^ 1) * size + line(b);
                            self.entries.push(MatrixEntry { place, edge, is_negative });
                        }
                    }
                }
            }
        }
        for (step, places) in self.steps.iter_mut().zip(parents) {
            step.places = places;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.residues * size_of::<u64>()
            + self.entries.len() * size_of::<MatrixEntry>()
            + self
                .steps
                .iter()
                .map(|step| size_of::<FrontStep>() + 4 * step.places.len())
                .sum::<usize>()
    }

    pub(super) fn work(&self) -> u64 {
        self.steps.iter().map(|step| step.work).sum()
    }

    /// Returns the total weight of the perfect matchings modulo the prime, or `None` if a pivot is
    /// 0.
    pub(super) fn residue(
        &self,
        field: PrimeField,
        graph: &Graph,
        scratch: &mut EliminationBuffers,
        budget: &mut Budget<'_>,
    ) -> Result<Option<u64>, Cut> {
        scratch.stack.clear();
        scratch.open.clear();
        scratch.weights.clear();
        scratch.weights.extend(graph.weights.iter().map(|&weight| field.enter(weight)));
        let mut product = field.one;
        for (index, step) in self.steps.iter().enumerate() {
            budget.spend(step.work)?;
            let size = step.size as usize;
            scratch.front.clear();
            scratch.front.resize(size * size, 0);
            let end =
                self.steps.get(index + 1).map_or(self.entries.len(), |next| next.entries as usize);
            for entry in &self.entries[step.entries as usize..end] {
                let weight = scratch.weights[entry.edge as usize];
                let value = if entry.is_negative { field.sub(0, weight) } else { weight };
                let place = &mut scratch.front[entry.place];
                *place = field.add(*place, value);
            }
            self.add_children(field, step, scratch);
            match self.factor(field, step, scratch) {
                Some(pivots) => product = field.mul(product, pivots),
                None => return Ok(None),
            }
            self.add_border(field, step, scratch);
            scratch.open.push(index as u32);
        }
        Ok(Some(field.leave(product)))
    }

    /// Pops the borders of the children of a front from the stack and adds them to the front.
    fn add_children(&self, field: PrimeField, step: &FrontStep, scratch: &mut EliminationBuffers) {
        let size = step.size as usize;
        for _ in 0..step.children {
            let Some(child) = scratch.open.pop() else { break };
            let places = &self.steps[child as usize].places;
            let start = scratch.stack.len() - places.len() * places.len();
            for (row, &place) in scratch.stack[start..].chunks_exact(places.len()).zip(places) {
                let front = &mut scratch.front[place as usize * size..][..size];
                for (&value, &column) in row.iter().zip(places) {
                    let entry = &mut front[column as usize];
                    *entry = field.add(*entry, value);
                }
            }
            scratch.stack.truncate(start);
        }
    }

    /// Eliminates the pivots of a front. Returns the product of the counted pivots, or `None` if a
    /// pivot is 0.
    fn factor(
        &self,
        field: PrimeField,
        step: &FrontStep,
        scratch: &mut EliminationBuffers,
    ) -> Option<u64> {
        let [pivots, size] = [step.pivots, step.size].map(|count| count as usize);
        let EliminationBuffers { front, column, .. } = scratch;
        let mut product = field.one;
        let mut inverse = 0;
        for place in 0..pivots {
            let (above, row) = front.split_at_mut(place * size);
            let (factors, values) = row[..size].split_at_mut(place);
            field.eliminate(values, factors, &above[place.min(above.len())..], size);
            let pivot = values[0];
            if pivot == 0 {
                return None;
            }
            // The two pivots of a pair are negatives of each other, and only the second is counted.
            let is_second = self.lines == 2 && place % 2 == 1;
            inverse = if is_second { field.sub(0, inverse) } else { field.invert(pivot) };
            if is_second || self.lines == 1 {
                product = field.mul(product, pivot);
            }
            column.clear();
            column.extend(above.chunks_exact(size).map(|row| row[place]));
            for row in row.chunks_exact_mut(size).skip(1) {
                let (factors, values) = row.split_at_mut(place);
                field.eliminate(&mut values[..1], factors, column, 1);
                values[0] = field.mul(values[0], inverse);
            }
        }
        Some(product)
    }

    fn add_border(&self, field: PrimeField, step: &FrontStep, scratch: &mut EliminationBuffers) {
        let [pivots, size] = [step.pivots, step.size].map(|count| count as usize);
        let EliminationBuffers { front, stack, .. } = scratch;
        let border = size - pivots;
        let start = stack.len();
        stack.resize(start + border * border, 0);
        let rest = &mut stack[start..];
        let (above, rows) = front.split_at_mut(pivots * size);
        for (row, values) in rows.chunks_exact_mut(size).enumerate() {
            // The rows of each pair are swapped, but not the columns.
            let from = if self.lines == 2 { row & !1 } else { 0 };
            let (factors, values) = values.split_at_mut(pivots);
            field.eliminate(&mut values[from..], factors, &above[pivots + from..], size);
            rest[row * border + from..][..border - from].copy_from_slice(&values[from..]);
            if self.lines == 2 {
                for column in from..border {
                    rest[(column ^ 1) * border + (row ^ 1)] = field.sub(0, values[column]);
                }
            }
        }
    }
}

impl VertexPairs {
    fn new(graph: &Graph, partners: &[u32], is_turned: &[bool]) -> Self {
        let mut this = Self { of: vec![0; partners.len()], is_second: vec![false; partners.len()] };
        let matched =
            graph.ends.iter().zip(is_turned).filter(|(ends, _)| partners[ends[0] as usize] == ends[1]);
        for (pair, (ends, &is_turned)) in (0..).zip(matched) {
            ends.iter().for_each(|&end| this.of[end as usize] = pair);
            this.is_second[ends[usize::from(!is_turned)] as usize] = true;
        }
        this
    }
}
