//! Finds all symmetries of a problem, if they are few.
//!
//! Items get colors that depend on nothing but the structure, round by round on the colors in their options (color
//! refinement). While several items share a color, one of them is singled out, and the rounds go on: until all differ. That is the
//! reference. A symmetry maps the items that were singled out there to others of the same color, which lead to the same colors,
//! step by step. So all such choices are gone through, and given up at the first step whose colors are others. What is left in
//! the end is a symmetry, unless colors collide, and [`SymmetryGroup`](super::SymmetryGroup) looks at it in full.
//!
//! An item with a color that options give to it stands beside the item itself, so colors may be exchanged with each other. Options
//! that have the same items stay in their order: their exchanges are no symmetries here.
//!
//! # Bounds
//! The work is told beforehand, that for the look in full included. As many symmetries as wanted at most are found; if there are
//! more, none.
//!
//! Source: McKay, "Practical graph isomorphism" (1981), without what large groups need.

use std::collections::HashMap;

use super::group::Symmetry;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{Bounds, OptionId, Problem};
use crate::numbers::split_mix;

/// The work for each entry when a symmetry is looked at in full, in steps of about a nanosecond.
const CHECK_ENTRY: usize = 40;

/// Why not all symmetries were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfound {
    /// There are too many, or it takes too long.
    TooMany,
    /// A limit was reached.
    Limit(Limit),
}

impl From<Limit> for Unfound {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// Returns all symmetries of a problem that map given options to given ones, the one that changes nothing among them: at most `most`
/// of them, by at most so much work in steps of about a nanosecond.
pub(super) fn symmetries(
    problem: &Problem,
    given: &[OptionId],
    most: usize,
    work: u64,
    limits: &Limits,
) -> Result<Vec<Symmetry>, Unfound> {
    let mut finder = Finder {
        graph: Hypergraph::new(problem, given),
        levels: Vec::new(),
        leaf: Vec::new(),
        found: Vec::new(),
        most,
        work,
        pace: Pace::new(limits),
    };
    let mut colors = finder.graph.kinds.clone();
    finder.refine(&mut colors)?;
    finder.refer(colors.clone())?;
    finder.images(0, &colors)?;
    Ok(finder.found)
}

/// The items and their colors as vertices; options, and items with each of their colors, as edges.
struct Hypergraph {
    /// What tells vertices apart from the start.
    kinds: Vec<u64>,
    /// Edge `e` has the vertices `vertices[starts[e]..starts[e + 1]]`, and `salts[e]` tells it from others. The first edges
    /// are the options.
    starts: Vec<u32>,
    vertices: Vec<u32>,
    salts: Vec<u64>,
    option_count: usize,
}

impl Hypergraph {
    fn new(problem: &Problem, given: &[OptionId]) -> Self {
        let bounds = |bounds: Option<Bounds>| match bounds {
            Some(Bounds { low, high }) => split_mix(2 + (u64::from(low) << 32 | u64::from(high))),
            None => split_mix(1),
        };
        let mut graph = Self {
            kinds: problem.items().map(|item| bounds(problem.bounds(item))).collect(),
            starts: vec![0],
            vertices: Vec::with_capacity(problem.entry_count()),
            salts: Vec::with_capacity(problem.option_count()),
            option_count: problem.option_count(),
        };
        let mut colored: HashMap<_, u32> = HashMap::new();
        for option in problem.options() {
            for entry in problem.option(option) {
                let vertex = match entry.color {
                    None => entry.item.index() as u32,
                    Some(color) => *colored.entry((entry.item, color)).or_insert_with(|| {
                        graph.kinds.push(split_mix(3));
                        graph.kinds.len() as u32 - 1
                    }),
                };
                graph.vertices.push(vertex);
            }
            graph.starts.push(graph.vertices.len() as u32);
            graph.salts.push(split_mix(problem.cost(option)));
        }
        for option in given {
            graph.salts[option.index()] = split_mix(!graph.salts[option.index()]);
        }
        let mut colored: Vec<_> = colored.into_iter().collect();
        colored.sort_unstable_by_key(|&(_, vertex)| vertex);
        for ((item, _), vertex) in colored {
            graph.vertices.extend([item.index() as u32, vertex]);
            graph.starts.push(graph.vertices.len() as u32);
            graph.salts.push(split_mix(4));
        }
        graph
    }

    /// Iterates over the edges: each with its vertices.
    fn edges(&self) -> impl Iterator<Item = (u64, &[u32])> {
        let ends = self.starts.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
        self.salts.iter().copied().zip(ends.map(|range| &self.vertices[range]))
    }

    /// Returns the color of an edge.
    fn edge_color(colors: &[u64], (salt, vertices): (u64, &[u32])) -> u64 {
        vertices.iter().fold(salt, |sum, &vertex| sum.wrapping_add(colors[vertex as usize]))
    }

    /// Returns the options in the order of their colors.
    fn options_by_color(&self, colors: &[u64]) -> Vec<(u64, OptionId)> {
        let options = self.edges().take(self.option_count).enumerate();
        let mut options: Vec<_> = options
            .map(|(option, edge)| (split_mix(Self::edge_color(colors, edge)), OptionId::new(option)))
            .collect();
        options.sort_unstable();
        options
    }
}

/// A step of the reference: the color of the vertices of which one is singled out, and what all colors are then.
struct Level {
    color: u64,
    palette: Palette,
}

/// How many colors there are, and a sum of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Palette {
    count: usize,
    sum: u64,
}

struct Finder<'l> {
    graph: Hypergraph,
    levels: Vec<Level>,
    /// The options of the reference in the order of their colors.
    leaf: Vec<(u64, OptionId)>,
    found: Vec<Symmetry>,
    most: usize,
    /// The work that is left.
    work: u64,
    pace: Pace<'l>,
}

impl Finder<'_> {
    fn spend(&mut self, work: usize) -> Result<(), Unfound> {
        let work = work as u64;
        self.work = self.work.checked_sub(work).ok_or(Unfound::TooMany)?;
        Ok(self.pace.spend(work)?)
    }

    /// Colors the vertices again until a round tells no more of them apart.
    fn refine(&mut self, colors: &mut [u64]) -> Result<Palette, Unfound> {
        let mut count = 0;
        loop {
            // Hashing, and sorting by color.
            self.spend(4 * self.graph.vertices.len() + 40 * colors.len())?;
            let mut sorted = colors.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            let sum = colors.iter().fold(0_u64, |sum, &color| sum.wrapping_add(split_mix(color)));
            if sorted.len() <= count || sorted.len() == colors.len() {
                return Ok(Palette { count: sorted.len(), sum });
            }
            count = sorted.len();
            let mut sums = vec![0_u64; colors.len()];
            for (salt, vertices) in self.graph.edges() {
                let color = split_mix(Hypergraph::edge_color(colors, (salt, vertices)));
                for &vertex in vertices {
                    let sum = &mut sums[vertex as usize];
                    *sum = sum.wrapping_add(color);
                }
            }
            for (color, sum) in colors.iter_mut().zip(sums) {
                *color = split_mix(color.wrapping_mul(3).wrapping_add(sum));
            }
        }
    }

    /// Colors the vertices after one of them was singled out.
    fn single_out(&mut self, colors: &mut [u64], vertex: usize) -> Result<Palette, Unfound> {
        colors[vertex] = split_mix(!colors[vertex]);
        self.refine(colors)
    }

    /// Makes the reference: vertices of the smallest cells are singled out until all differ.
    fn refer(&mut self, mut colors: Vec<u64>) -> Result<(), Unfound> {
        loop {
            let mut sorted = colors.clone();
            sorted.sort_unstable();
            let cells = sorted.chunk_by(|one, other| one == other).filter(|cell| cell.len() > 1);
            let Some(cell) = cells.min_by_key(|cell| cell.len()) else { break };
            let color = cell[0];
            let vertex = colors.iter().position(|&other| other == color);
            let palette = self.single_out(&mut colors, vertex.expect("the cell has vertices"))?;
            self.levels.push(Level { color, palette });
        }
        self.leaf = self.graph.options_by_color(&colors);
        Ok(())
    }

    /// Goes through the vertices to which that of a level may be mapped.
    fn images(&mut self, level: usize, colors: &[u64]) -> Result<(), Unfound> {
        let Some(&Level { color, palette }) = self.levels.get(level) else { return self.end(colors) };
        for vertex in (0..colors.len()).filter(|&vertex| colors[vertex] == color) {
            let mut colors = colors.to_vec();
            if self.single_out(&mut colors, vertex)? == palette {
                self.images(level + 1, &colors)?;
            }
        }
        Ok(())
    }

    /// Notes a symmetry: options of equal colors go to each other.
    fn end(&mut self, colors: &[u64]) -> Result<(), Unfound> {
        let mut images = vec![OptionId::new(0); self.leaf.len()];
        for ((color, option), (other, image)) in
            self.leaf.iter().zip(self.graph.options_by_color(colors))
        {
            if *color != other {
                return Ok(());
            }
            images[option.index()] = image;
        }
        if self.found.len() == self.most {
            return Err(Unfound::TooMany);
        }
        // What it takes to look at it in full.
        self.spend(CHECK_ENTRY * self.graph.vertices.len())?;
        self.found.extend(Symmetry::new(images));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples::{latin, queens};
    use crate::numbers::Random;
    use crate::symmetries::SymmetryGroup;
    use std::sync::Arc;

    fn order(problem: Problem) -> usize {
        let limits = Limits::default();
        SymmetryGroup::find(&Arc::new(problem), &[], (10_000, u64::MAX), &limits).unwrap().order()
    }

    /// Returns how many permutations of the options come from permutations of the items, each with its bounds; options have
    /// different items.
    fn order_by_trying(problem: &Problem) -> usize {
        let count = problem.item_count();
        let sets = |images: &[usize]| -> Vec<Vec<usize>> {
            let option = |option| {
                let entries = problem.option(option).iter();
                let mut set: Vec<usize> = entries.map(|entry| images[entry.item.index()]).collect();
                set.sort_unstable();
                set
            };
            problem.options().map(option).collect()
        };
        let is_primary = |item: usize| problem.is_primary(crate::model::ItemId::new(item));
        let mut images: Vec<usize> = (0..count).collect();
        let plain = sets(&images);
        let mut found = std::collections::HashSet::new();
        // All permutations, by Heap's algorithm.
        let mut counters = vec![0; count];
        let mut place = 0;
        loop {
            let is_kind = (0..count).all(|item| is_primary(item) == is_primary(images[item]));
            let place_of = |set: &Vec<usize>| plain.iter().position(|other| other == set);
            if is_kind
                && let Some(option_images) =
                    sets(&images).iter().map(place_of).collect::<Option<Vec<_>>>()
            {
                found.insert(option_images);
            }
            while place < count && counters[place] >= place {
                counters[place] = 0;
                place += 1;
            }
            if place == count {
                return found.len();
            }
            let other = if place.is_multiple_of(2) { 0 } else { counters[place] };
            images.swap(other, place);
            counters[place] += 1;
            place = 0;
        }
    }

    #[test]
    fn boards_of_queens_have_the_symmetries_of_the_square() {
        for size in 4..9 {
            assert_eq!(order(queens(size)), 8, "{size}");
        }
    }

    #[test]
    fn rows_columns_and_symbols_are_exchanged_among_themselves_and_with_each_other() {
        assert_eq!(order(latin(3)), 6 * 6 * 6 * 6);
        assert_eq!(order(latin(2)), 2 * 2 * 2 * 6);
    }

    fn random_set(random: &mut Random) -> Vec<usize> {
        let mut set: Vec<_> = (0..2 + random.below(2)).map(|_| random.below(6)).collect();
        set.sort_unstable();
        set.dedup();
        set
    }

    #[test]
    fn all_symmetries_of_small_problems_are_found() {
        let mut random = Random::new(11);
        let mut several = 0;
        for _ in 0..300 {
            // Options that differ, of two or three of four primary and two secondary items.
            let mut sets: Vec<Vec<usize>> = (0..6).map(|_| random_set(&mut random)).collect();
            sets.sort_unstable();
            sets.dedup();
            let mut text = "0 1 2 3 | 4 5\n".to_owned();
            for set in sets {
                text += &(set.iter().map(usize::to_string).collect::<Vec<_>>().join(" ") + "\n");
            }
            let problem: Problem = text.parse().unwrap();
            let expected = order_by_trying(&problem);
            several += usize::from(expected > 1);
            assert_eq!(order(problem.clone()), expected, "{problem:?}");
        }
        assert!(several > 30, "{several}");
    }

    #[test]
    fn work_and_number_are_kept_to() {
        let limits = Limits::default();
        let find = |most, work| symmetries(&queens(6), &[], most, work, &limits).err();
        assert_eq!(find(8, u64::MAX), None);
        assert_eq!(find(7, u64::MAX), Some(Unfound::TooMany));
        assert_eq!(find(8, 1000), Some(Unfound::TooMany));
        let given = [OptionId::new(0)];
        assert_eq!(symmetries(&queens(6), &given, 8, u64::MAX, &limits).unwrap().len(), 2);
    }
}
