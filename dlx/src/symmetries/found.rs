//! Finds all symmetries of a problem, if there are few.
//!
//! Color refinement gives items colors that depend only on the structure of the problem. The
//! reference is a sequence of refinements: while several items share a color, it individualizes one
//! of them (gives it a new color) and refines again. A symmetry maps the individualized items to
//! items that have the same colors at each step. So the search tries all items with these colors,
//! and prunes a branch at the first step whose colors differ from the reference. When all colors
//! differ, they determine a permutation of the options, which
//! [`SymmetryGroup`](super::SymmetryGroup) verifies exactly.
//!
//! Each color of a secondary item is a separate vertex, so symmetries may also exchange colors.
//! Exchanges of options with the same items do not count as symmetries here.
//!
//! The work is limited, including the verification. If there are more symmetries than the limit,
//! the search fails.
//!
//! Source: McKay, "Practical graph isomorphism" (1981), without the techniques for large groups.

use std::collections::HashMap;

use super::group::Symmetry;
use crate::limits::{Limit, Limits, Pace};
use crate::model::{Bounds, OptionId, Problem};
use crate::numbers::split_mix;

const CHECK_ENTRY: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfound {
    /// The number of symmetries or the work exceeds its limit.
    TooMany,
    Limit(Limit),
}

impl From<Limit> for Unfound {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// Returns all symmetries of a problem that map given options to given options, including the
/// identity. `most` limits their number, and `work` the work (ns).
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
    finder.build_reference(colors.clone())?;
    finder.images(0, &colors)?;
    Ok(finder.found)
}

/// A hypergraph. The vertices are the items and their colors. The edges are the options, and the
/// pairs of an item and one of its colors.
struct Hypergraph {
    kinds: Vec<u64>,
    /// The vertices of edge `e` are `vertices[starts[e]..starts[e + 1]]`. `salts[e]` distinguishes
    /// kinds of edges. The first edges are the options.
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

    fn edges(&self) -> impl Iterator<Item = (u64, &[u32])> {
        let ends = self.starts.windows(2).map(|ends| ends[0] as usize..ends[1] as usize);
        self.salts.iter().copied().zip(ends.map(|range| &self.vertices[range]))
    }

    fn edge_color(colors: &[u64], (salt, vertices): (u64, &[u32])) -> u64 {
        vertices.iter().fold(salt, |sum, &vertex| sum.wrapping_add(colors[vertex as usize]))
    }

    fn options_by_color(&self, colors: &[u64]) -> Vec<(u64, OptionId)> {
        let options = self.edges().take(self.option_count).enumerate();
        let mut options: Vec<_> = options
            .map(|(option, edge)| (split_mix(Self::edge_color(colors, edge)), OptionId::new(option)))
            .collect();
        options.sort_unstable();
        options
    }
}

/// A step of the reference: the color of the individualized vertex, and the palette after
/// refinement.
struct Level {
    color: u64,
    palette: Palette,
}

/// The number of different colors, and a hash of the colors of all vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Palette {
    count: usize,
    sum: u64,
}

struct Finder<'l> {
    graph: Hypergraph,
    levels: Vec<Level>,
    leaf: Vec<(u64, OptionId)>,
    found: Vec<Symmetry>,
    most: usize,
    work: u64,
    pace: Pace<'l>,
}

impl Finder<'_> {
    fn spend(&mut self, work: usize) -> Result<(), Unfound> {
        let work = work as u64;
        self.work = self.work.checked_sub(work).ok_or(Unfound::TooMany)?;
        Ok(self.pace.spend(work)?)
    }

    fn refine(&mut self, colors: &mut [u64]) -> Result<Palette, Unfound> {
        let mut count = 0;
        loop {
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

    fn individualize(&mut self, colors: &mut [u64], vertex: usize) -> Result<Palette, Unfound> {
        colors[vertex] = split_mix(!colors[vertex]);
        self.refine(colors)
    }

    /// Builds the reference: individualizes a vertex of a smallest color class until all colors
    /// differ.
    fn build_reference(&mut self, mut colors: Vec<u64>) -> Result<(), Unfound> {
        loop {
            let mut sorted = colors.clone();
            sorted.sort_unstable();
            let cells = sorted.chunk_by(|one, other| one == other).filter(|cell| cell.len() > 1);
            let Some(cell) = cells.min_by_key(|cell| cell.len()) else { break };
            let color = cell[0];
            let vertex = colors.iter().position(|&other| other == color);
            let palette = self.individualize(&mut colors, vertex.expect("the cell has vertices"))?;
            self.levels.push(Level { color, palette });
        }
        self.leaf = self.graph.options_by_color(&colors);
        Ok(())
    }

    /// Tries all vertices as the image of the vertex that the reference individualizes at `level`.
    fn images(&mut self, level: usize, colors: &[u64]) -> Result<(), Unfound> {
        let Some(&Level { color, palette }) = self.levels.get(level) else { return self.end(colors) };
        for vertex in (0..colors.len()).filter(|&vertex| colors[vertex] == color) {
            let mut colors = colors.to_vec();
            if self.individualize(&mut colors, vertex)? == palette {
                self.images(level + 1, &colors)?;
            }
        }
        Ok(())
    }

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

    /// Returns the number of permutations of the options that permutations of the items with equal
    /// bounds induce. No two options may have the same items.
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
    fn all_symmetries_of_latin_squares_are_found() {
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
            // Random distinct options with two or three of four primary and two secondary items.
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
    fn the_search_stops_at_the_work_limit_and_at_the_maximum_number_of_symmetries() {
        let limits = Limits::default();
        let find = |most, work| symmetries(&queens(6), &[], most, work, &limits).err();
        assert_eq!(find(8, u64::MAX), None);
        assert_eq!(find(7, u64::MAX), Some(Unfound::TooMany));
        assert_eq!(find(8, 1000), Some(Unfound::TooMany));
        let given = [OptionId::new(0)];
        assert_eq!(symmetries(&queens(6), &given, 8, u64::MAX, &limits).unwrap().len(), 2);
    }
}
