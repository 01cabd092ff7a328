//! Graph problems (perfect matchings, factors and labelings), and Skolem sequences.

use std::collections::BTreeSet;

use dlx::{Problem, Random};

use super::{Draft, parametric};

fn matchings(vertices: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Problem {
    let mut draft = Draft::default();
    draft.items((0..vertices).map(|vertex| vertex.to_string()));
    edges.into_iter().for_each(|(a, b)| draft.option(&format!("{a} {b}")));
    draft.done()
}

pub(super) fn complete(size: &[usize]) -> Problem {
    matchings(size[0], (0..size[0]).flat_map(|a| (0..a).map(move |b| (a, b))))
}

/// Perfect matchings of a path with added chords, most of them short.
pub(super) fn sparse(size: &[usize]) -> Problem {
    let &[vertices, chords, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let mut edges: BTreeSet<_> = (1..vertices).map(|vertex| (vertex - 1, vertex)).collect();
    while edges.len() < vertices - 1 + chords {
        let from = random.below(vertices);
        let length = 2 + random.below(vertices).min(random.below(vertices)).min(random.below(vertices));
        if from + length < vertices {
            edges.insert((from, from + length));
        }
    }
    matchings(vertices, edges)
}

/// Perfect matchings of a random regular graph of a given degree.
pub(super) fn regular(size: &[usize]) -> Problem {
    let &[vertices, degree, seed] = size else { unreachable!("three numbers") };
    matchings(vertices, regular_edges(vertices, degree, &mut Random::new(seed as u64)))
}

pub(super) fn regular_edges(
    vertices: usize,
    degree: usize,
    random: &mut Random,
) -> BTreeSet<(usize, usize)> {
    // Unite random perfect matchings; redraw each until it shares no edge with the earlier ones.
    let mut edges = BTreeSet::new();
    for _ in 0..degree {
        loop {
            let mut order: Vec<usize> = (0..vertices).collect();
            random.shuffle(&mut order);
            let pairs: Vec<_> =
                order.chunks(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]))).collect();
            if pairs.iter().all(|pair| !edges.contains(pair)) {
                edges.extend(pairs);
                break;
            }
        }
    }
    edges
}

/// The permanent of a random 0/1 matrix with a given percentage of ones, as a matching problem.
pub(super) fn permanents(size: &[usize]) -> Problem {
    let &[n, percent, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let mut edges: BTreeSet<_> = (0..n).map(|row| (row, n + row)).collect();
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        if random.below(100) < percent {
            edges.insert((row, n + column));
        }
    }
    matchings(2 * n, edges)
}

/// Graceful labelings of a wheel: the differences along its m edges are the numbers 1 to m.
pub(super) fn graceful(size: &[usize]) -> Problem {
    let rim = size[0];
    let spokes = (0..rim).map(|vertex| (vertex, rim));
    let edges: Vec<_> = (0..rim).map(|vertex| (vertex, (vertex + 1) % rim)).chain(spokes).collect();
    let mut draft = Draft::default();
    for (edge, (from, to)) in edges.iter().enumerate() {
        for (a, b) in (0..=edges.len()).flat_map(|a| (0..=edges.len()).map(move |b| (a, b))) {
            if a != b {
                draft.option(&format!(
                    "e{edge} d{} ?v{from}:{a} ?v{to}:{b} ?l{a}:{from} ?l{b}:{to}",
                    a.abs_diff(b)
                ));
            }
        }
    }
    draft.done()
}

/// One-factorizations of a complete graph. The first `given` factors are fixed, as is the factor of
/// each edge at vertex 0.
pub(super) fn one_factors(size: &[usize]) -> Problem {
    let &[vertices, given] = size else { unreachable!("two numbers") };
    let mut draft = Draft::default();
    let turn = vertices - 1;
    let round = |a: usize, b: usize| if a == 0 { 2 * (b - 1) % turn } else { (a + b - 2) % turn };
    for a in 0..vertices {
        for b in a + 1..vertices {
            let own = round(a, b);
            if own < given {
                continue;
            }
            for factor in given..turn {
                if a > 0 || factor == own {
                    draft.option(&format!("{a}.{b} {factor}.v{a} {factor}.v{b}"));
                }
            }
        }
    }
    draft.done()
}

pub(super) fn langford(size: &[usize]) -> Problem {
    parametric("langford", &size[0].to_string())
}

/// Skolem sequences: a line contains each number k twice, at distance k.
pub(super) fn skolem(size: &[usize]) -> Problem {
    let n = size[0];
    let mut draft = Draft::default();
    for number in 1..=n {
        for from in 0..2 * n - number {
            draft.option(&format!("n{number} s{from} s{}", from + number));
        }
    }
    draft.done()
}

/// Proper colorings of a random graph. With an odd seed the graph is drawn so that a coloring
/// exists.
pub(super) fn vertex_colors(size: &[usize]) -> Problem {
    let &[vertices, edges, colors, seed] = size else { unreachable!("four numbers") };
    let random = &mut Random::new(seed as u64);
    let hidden: Vec<usize> = (0..vertices).map(|_| random.below(colors)).collect();
    let mut drawn = BTreeSet::new();
    while drawn.len() < edges {
        let [a, b] = [(); 2].map(|()| random.below(vertices));
        if a != b && (seed % 2 == 0 || hidden[a] != hidden[b]) {
            drawn.insert((a.min(b), a.max(b)));
        }
    }
    let mut draft = Draft::default();
    for (vertex, color) in
        (0..vertices).flat_map(|vertex| (0..colors).map(move |color| (vertex, color)))
    {
        let own = drawn.iter().filter(|&&(a, b)| a == vertex || b == vertex);
        let entries: String = own.map(|(a, b)| format!(" ?{a}-{b}.{color}")).collect();
        draft.option(&format!("v{vertex}{entries}"));
    }
    draft.done()
}
