//! Counts Latin squares up to isomorphism, isotopy and main class (species).
//!
//! # The groups
//! A Latin square is a set of triples (row, column, symbol), where any two determine the third.
//! Three permutations of the rows, columns and symbols map the square to an isotopic square. If all
//! three permutations are equal, the result is an isomorphic square (as an operation table).
//! Exchanging the roles of row, column and symbol gives a conjugate of the square. Isotopic squares
//! of all its conjugates form the main class of the square.
//!
//! The group for main classes has 6 n!^3 elements, far too many to list, but Burnside's lemma needs
//! only one element per conjugacy class. The group is the wreath product of S_n with S_3, so its
//! conjugacy classes are known. A class is given by cycle types. If the roles are fixed, these are
//! the cycle types of the three permutations in any order. If two roles are exchanged, they are the
//! cycle types of the product of two permutations and of the third one. If the roles rotate, it is
//! the cycle type of the product of all three. The group has 920 such classes for n = 7 and 2530
//! for n = 8. Most of them fix no square, which is found quickly.
//!
//! Source: B. McKay, A. Meynert, W. Myrvold, *Small Latin squares, quasigroups, and loops* (Journal
//! of Combinatorial Designs 15, 2007). The numbers are A003090, A040082 and A057991 of the OEIS.
//!
//! Invariant: the sizes of the classes add up to the order of the group. Bound: orders up to
//! [`ORDER_MAX`].

use dlx::OptionId;
use dlx::classes::Symmetry;

/// Largest order of a square. From order 10 on, the number of symmetries exceeds 64 bits.
pub(super) const ORDER_MAX: usize = 9;

/// An equivalence relation of Latin squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatinSort {
    /// The same permutation is applied to rows, columns and symbols.
    Isomorphism,
    /// Separate permutations are applied to rows, columns and symbols.
    Isotopy,
    /// Main classes: as isotopy, and rows, columns and symbols may also exchange their roles.
    MainClass,
}

impl LatinSort {
    const ALL: [Self; 3] = [Self::Isomorphism, Self::Isotopy, Self::MainClass];
    /// Names of the equivalences on the command line.
    pub const NAMES: [&str; 3] = ["isomorphism", "isotopy", "main-classes"];

    /// Returns the equivalence called `name`.
    ///
    /// ```
    /// use puzzle::LatinSort;
    ///
    /// assert_eq!(LatinSort::by_name("isotopy"), Some(LatinSort::Isotopy));
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let mut named = Self::ALL.into_iter().zip(Self::NAMES);
        named.find_map(|(sort, known)| (known == name).then_some(sort))
    }
}

/// Returns symmetries of the squares of an order, the identity first. Each comes with the number of
/// symmetries that it represents: one conjugacy class, or several classes that fix equally many
/// squares. `option` returns the option for (row, column, symbol).
pub(in super::super) fn classes(
    order: usize,
    wanted: LatinSort,
    option: impl Fn([usize; 3]) -> OptionId,
) -> Option<Vec<(Symmetry, u64)>> {
    if order > ORDER_MAX {
        return None;
    }
    let types: Vec<CycleType> = cycle_types(order);
    let all: u64 = (1..=order as u64).product();
    let mut classes: Vec<(Symmetry, u64)> = Vec::new();
    let mut add = |count: u64, image: &dyn Fn([usize; 3]) -> [usize; 3]| {
        let cube = order * order * order;
        let mut images = vec![OptionId::new(0); cube];
        for number in 0..cube {
            let triple = [number / order / order, number / order % order, number % order];
            images[option(triple).index()] = option(image(triple));
        }
        classes.push((Symmetry::new(images)?, count));
        Some(())
    };
    for (first, a) in types.iter().enumerate() {
        if wanted == LatinSort::Isomorphism {
            add(a.count, &|triple| triple.map(|at| a.images[at]))?;
            continue;
        }
        for (second, b) in types.iter().enumerate().skip(first) {
            for (third, c) in types.iter().enumerate().skip(second) {
                // Assigning the three permutations to rows, columns and symbols in another order
                // leaves the number of fixed squares unchanged.
                let ways = match (first == second, second == third) {
                    (true, true) => 1,
                    (false, false) => 6,
                    _ => 3,
                };
                add(ways * a.count * b.count * c.count, &|[row, column, symbol]| {
                    [a.images[row], b.images[column], c.images[symbol]]
                })?;
            }
        }
    }
    if wanted == LatinSort::MainClass {
        for around in &types {
            for other in &types {
                add(3 * all * around.count * other.count, &|[row, column, symbol]| {
                    [column, around.images[row], other.images[symbol]]
                })?;
            }
            add(2 * all * all * around.count, &|[row, column, symbol]| {
                [column, symbol, around.images[row]]
            })?;
        }
    }
    Some(classes)
}

#[derive(Debug)]
struct CycleType {
    images: Vec<usize>,
    count: u64,
}

/// Returns all cycle types of permutations of `size` elements, the identity first.
fn cycle_types(size: usize) -> Vec<CycleType> {
    let mut types = Vec::new();
    // Incomplete lists of cycle lengths, each in ascending order.
    let mut open: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(lengths) = open.pop() {
        let left = size - lengths.iter().sum::<usize>();
        if left == 0 {
            types.push(cycle_type(&lengths));
        }
        let least = lengths.last().copied().unwrap_or(1);
        open.extend((least..=left).rev().map(|next| [&lengths[..], &[next]].concat()));
    }
    types
}

fn cycle_type(lengths: &[usize]) -> CycleType {
    let (mut images, mut count) = (Vec::new(), 1);
    for cycle in lengths.chunk_by(|one, next| one == next) {
        for (place, &length) in cycle.iter().enumerate() {
            let start = images.len();
            images.extend((start + 1..start + length).chain([start]));
            // The number of permutations is n! divided by the length of each cycle and by the
            // number of orders of equally long cycles.
            let chosen: u64 = (start as u64 + 1..=images.len() as u64).product();
            count = count * chosen / (length as u64 * (place as u64 + 1));
        }
    }
    CycleType { images, count }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use dlx::parallel::Cores;
    use dlx::{Limits, engine::Links};

    use super::*;
    use grid::Setting;

    fn latin(order: usize) -> Box<dyn crate::Puzzle> {
        let parameter = crate::latin::KIND.parameter.expect("it has one");
        let made = (parameter.make)(&order.to_string(), &mut Setting::default(), &Limits::new());
        made.unwrap_or_else(|error| panic!("{error}"))
    }

    fn permutations(size: usize) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for _ in 0..size {
            let more = |chosen: &Vec<usize>| {
                let left = (0..size).filter(|at| !chosen.contains(at)).collect::<Vec<_>>();
                left.into_iter().map(|at| [&chosen[..], &[at]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(more).collect();
        }
        all
    }

    #[test]
    fn permutation_counts_of_all_cycle_types_add_up_to_the_factorial() {
        for size in 1..7 {
            let types = cycle_types(size);
            let lengths = |images: &[usize]| {
                let length = |start: usize| {
                    let mut at = images[start];
                    let mut length = 1;
                    while at != start {
                        (at, length) = (images[at], length + 1);
                    }
                    length
                };
                let mut all: Vec<usize> = (0..size).map(length).collect();
                all.sort_unstable();
                all
            };
            let permutations = permutations(size);
            assert_eq!(types.iter().map(|it| it.count).sum::<u64>(), permutations.len() as u64);
            for kind in types {
                let wanted = lengths(&kind.images);
                let count = permutations.iter().filter(|images| lengths(images) == wanted).count();
                assert_eq!(kind.count, count as u64, "{:?}", kind.images);
            }
        }
    }

    #[test]
    fn the_sizes_of_all_conjugacy_classes_add_up_to_the_order_of_the_group() {
        for order in 1..=ORDER_MAX {
            let all: u64 = (1..=order as u64).product();
            let sum = |wanted| -> u64 {
                let classes = classes(order, wanted, |[row, column, symbol]| {
                    OptionId::new((row * order + column) * order + symbol)
                });
                let classes = classes.expect("it is not too large");
                let is_all = (0..order.pow(3)).map(OptionId::new);
                assert!(is_all.eq((0..order.pow(3)).map(|at| classes[0].0.image(OptionId::new(at)))));
                classes.iter().map(|(_, count)| count).sum()
            };
            assert_eq!(sum(LatinSort::Isomorphism), all);
            if order < 8 {
                assert_eq!(sum(LatinSort::Isotopy), all.pow(3));
            }
            assert_eq!(sum(LatinSort::MainClass), 6 * all.pow(3));
        }
        assert!(classes(10, LatinSort::Isotopy, |_| OptionId::new(0)).is_none());
    }

    #[test]
    fn class_counts_match_an_enumeration_of_all_squares_under_all_symmetries() {
        for order in 1..5 {
            let puzzle = latin(order);
            let option = |[row, column, symbol]: [usize; 3]| (row * order + column) * order + symbol;
            let triple =
                |option: usize| [option / order / order, option / order % order, option % order];
            let squares: Vec<BTreeSet<usize>> = Links::new(puzzle.problem())
                .into_solutions(&[])
                .map(|cover| cover.iter().map(|option| option.index()).collect())
                .collect();
            let permutations = permutations(order);
            let parts: [[usize; 3]; 6] =
                [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            for wanted in LatinSort::ALL {
                let images = |square: &BTreeSet<usize>| {
                    let mut images = BTreeSet::new();
                    for a in &permutations {
                        for (b, c) in
                            permutations.iter().flat_map(|b| permutations.iter().map(move |c| (b, c)))
                        {
                            if wanted == LatinSort::Isomorphism && (a != b || b != c) {
                                continue;
                            }
                            for part in &parts[..if wanted == LatinSort::MainClass { 6 } else { 1 }] {
                                let image = square.iter().map(|&number| {
                                    let moved = triple(number);
                                    let moved = [a[moved[0]], b[moved[1]], c[moved[2]]];
                                    option(part.map(|at| moved[at]))
                                });
                                images.insert(image.collect::<BTreeSet<usize>>());
                            }
                        }
                    }
                    images
                };
                let mut left: BTreeSet<BTreeSet<usize>> = squares.iter().cloned().collect();
                let mut count = 0;
                while let Some(square) = left.first() {
                    count += 1;
                    for image in images(square) {
                        assert!(left.remove(&image), "classes are disjoint");
                    }
                }
                let grid = puzzle.as_fill().expect("a grid");
                let classes = grid.latin_classes(wanted).expect("an empty square");
                let problem = std::sync::Arc::clone(puzzle.problem());
                let classes = dlx::classes::ConjugateClasses::new(problem, classes, &Limits::new());
                let counted = classes.expect("a group").count(&Cores::new(1), &Limits::new());
                let counted = counted.expect("there are no bounds").report;
                assert_eq!(counted.count(), Some(count), "{order} {wanted:?}");
            }
        }
    }
}
