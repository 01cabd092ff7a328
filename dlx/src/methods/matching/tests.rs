use std::collections::{HashMap, HashSet};

use super::*;
use crate::limits::{Limit, Limits};
use crate::model::{Groups, ProblemBuilder};
use crate::numbers::Random;

type Edge = (usize, usize, u64);

fn shuffled(random: &mut Random, count: usize) -> Vec<usize> {
    let mut list: Vec<usize> = (0..count).collect();
    random.shuffle(&mut list);
    list
}

fn part(vertex_count: usize, edges: &[Edge]) -> Weighted {
    let mut builder = ProblemBuilder::new();
    let items: Vec<_> = (0..vertex_count).map(|v| builder.primary(&v.to_string()).unwrap()).collect();
    for &(a, b, _) in edges {
        builder.option([items[a], items[b]]).unwrap();
    }
    let weights = edges.iter().map(|&(_, _, weight)| weight).collect();
    Weighted { problem: builder.build(), weights, groups: Groups::default() }
}

fn count_of(part: &Weighted) -> Result<BigUint, Cut> {
    count_with(part, &mut Budget::new(&Limits::default(), u64::MAX, usize::MAX))
}

fn count_with(part: &Weighted, budget: &mut Budget<'_>) -> Result<BigUint, Cut> {
    Matching::new(part, &Cores::new(0), budget)?.count(budget)
}

fn plain(edges: impl IntoIterator<Item = (usize, usize)>) -> Vec<Edge> {
    edges.into_iter().map(|(a, b)| (a, b, 1)).collect()
}

fn check(vertex_count: usize, edges: impl IntoIterator<Item = (usize, usize)>, expected: &str) {
    let count = count_of(&part(vertex_count, &plain(edges)));
    assert_eq!(count.map(|count| count.to_string()), Ok(expected.to_string()));
}

fn brute_force(vertex_count: usize, edges: &[Edge]) -> BigUint {
    fn rest(left: u32, edges: &[Edge], known: &mut HashMap<u32, BigUint>) -> BigUint {
        if left == 0 {
            return BigUint::from(1_u32);
        }
        if let Some(count) = known.get(&left) {
            return count.clone();
        }
        let first = left.trailing_zeros() as usize;
        let mut sum = BigUint::ZERO;
        for &(a, b, weight) in edges.iter().filter(|&&(a, b, _)| a.min(b) == first) {
            let pair = 1 << a | 1 << b;
            if left & pair == pair {
                sum += rest(left & !pair, edges, known) * weight;
            }
        }
        known.insert(left, sum.clone());
        sum
    }
    rest(((1_u64 << vertex_count) - 1) as u32, edges, &mut HashMap::new())
}

fn graph(vertex_count: usize, edges: &[Edge]) -> Graph {
    let edges = edges.iter().map(|&(a, b, weight)| ([a as u32, b as u32], weight));
    Graph::new(vertex_count, edges.collect()).unwrap()
}

fn is_planar(vertex_count: usize, edges: &[Edge]) -> bool {
    Embedding::new(&graph(vertex_count, edges)).is_some()
}

fn grid(rows: usize, columns: usize) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for place in 0..rows * columns {
        if place % columns + 1 < columns {
            edges.push((place, place + 1));
        }
        if place + columns < rows * columns {
            edges.push((place, place + columns));
        }
    }
    edges
}

/// Random edges with random weights of a grid with a diagonal in each square. The vertices are
/// shuffled.
fn random_planar(random: &mut Random, rows: usize, columns: usize) -> Vec<Edge> {
    let mut edges = grid(rows, columns);
    for place in (0..(rows - 1) * columns).filter(|place| place % columns + 1 < columns) {
        let diagonals = [(place, place + columns + 1), (place + 1, place + columns)];
        edges.push(diagonals[random.below(2)]);
    }
    let names = shuffled(random, rows * columns);
    let (kept, most) = (8 + random.below(13), [1, 5, usize::MAX][random.below(3)]);
    let mut list = Vec::new();
    for (a, b) in edges {
        if random.below(20) < kept {
            list.push((names[a], names[b], 1 + random.below(most) as u64));
        }
    }
    list
}

fn random_triangulation(random: &mut Random, vertex_count: usize) -> Vec<(usize, usize)> {
    let mut edges = vec![(0, 1), (0, 2), (1, 2)];
    let mut faces = vec![[0, 1, 2], [0, 1, 2]];
    for vertex in 3..vertex_count {
        let place = random.below(faces.len());
        let [a, b, c] = faces.swap_remove(place);
        faces.extend([[a, b, vertex], [a, c, vertex], [b, c, vertex]]);
        edges.extend([a, b, c].map(|corner| (corner, vertex)));
    }
    edges
}

/// Cells of the plane that satisfy `is_in`, connected if their positions differ by one of `steps`.
fn cells(
    range: std::ops::Range<i32>,
    is_in: impl Fn(i32, i32) -> bool,
    steps: impl Fn(i32, i32) -> Vec<(i32, i32)>,
) -> (usize, Vec<(usize, usize)>) {
    let places = range.clone().flat_map(|x| range.clone().map(move |y| (x, y)));
    let numbers: HashMap<_, _> = places.filter(|&(x, y)| is_in(x, y)).zip(0..).collect();
    let mut edges = Vec::new();
    for (&(x, y), &number) in &numbers {
        let next = steps(x, y).into_iter().filter_map(|(dx, dy)| numbers.get(&(x + dx, y + dy)));
        edges.extend(next.map(|&next| (number, next)));
    }
    (numbers.len(), edges)
}

#[test]
fn domino_tilings_of_boards_have_the_known_counts() {
    check(0, [], "1");
    check(4, grid(2, 2), "2");
    check(64, grid(8, 8), "12988816");
    check(100, grid(10, 10), "258584046368");
    check(256, grid(16, 16), "2444888770250892795802079170816");
    check(400, grid(20, 20), "1269984011256235834242602753102293934298576249856");
    check(81, grid(9, 9), "0");
    // With three rows, f(n) = 4 f(n - 2) - f(n - 4) for n columns.
    for (columns, expected) in [(2, "3"), (4, "11"), (6, "41"), (12, "2131"), (20, "413403")] {
        check(3 * columns, grid(3, columns), expected);
    }
}

#[test]
fn the_domino_tiling_counts_of_aztec_diamonds_are_powers_of_two() {
    for n in [1, 2, 5, 20] {
        let is_in = |x: i32, y: i32| x & y & 1 == 1 && x.abs() + y.abs() <= 2 * n;
        let (count, edges) = cells(-2 * n..2 * n + 1, is_in, |_, _| vec![(0, 2), (2, 0)]);
        check(count, edges, &(BigUint::from(1_u32) << (n * (n + 1) / 2)).to_string());
    }
}

#[test]
fn lozenge_tilings_of_hexagons_have_the_known_counts() {
    for (n, expected) in [(1, "2"), (2, "20"), (3, "980"), (4, "232848"), (5, "267227532")] {
        // A triangle is given by the floors of its three coordinates, whose sum is -1 or -2.
        let third = |x: i32, y: i32| (-1 - (x >> 1) - y, x & 1);
        let is_in = |x: i32, y: i32| {
            let (z, is_down) = third(x, y);
            [x >> 1, y, z - is_down].iter().all(|&coordinate| (-n..n).contains(&coordinate))
        };
        let steps = |x: i32, _: i32| {
            // A triangle with sum -1 has neighbors with one coordinate lower by 1.
            if x & 1 == 1 { vec![] } else { vec![(1, 0), (-1, 0), (1, -1)] }
        };
        let (count, edges) = cells(-4 * n..4 * n, is_in, steps);
        check(count, edges, expected);
    }
}

#[test]
fn well_known_graphs_have_the_known_matching_counts() {
    let complete = |n: usize| (0..n).flat_map(move |b| (0..b).map(move |a| (a, b)));
    check(2, complete(2), "1");
    check(4, complete(4), "3");
    let cycle = |n: usize| (0..n).map(move |v| (v, (v + 1) % n));
    check(6, cycle(6), "2");
    check(7, cycle(7), "0");
    let prism = |n: usize| cycle(n).flat_map(move |(a, b)| [(a, b), (n + a, n + b), (a, n + a)]);
    check(6, prism(3), "4");
    check(8, prism(4), "9");
    check(10, prism(5), "11");
    // The dodecahedron: two pentagons with a cycle of ten between them.
    let ring = (0..10).map(|v| (10 + v, 10 + (v + 1) % 10));
    let caps =
        cycle(5).flat_map(|(a, b)| [(a, b), (5 + a, 5 + b), (a, 10 + 2 * a), (5 + a, 11 + 2 * a)]);
    check(20, ring.chain(caps), "36");
    check(10, (1..10).map(|v| (v - 1, v)), "1");
    check(4, (1..4).map(|v| (0, v)), "0");
    check(10, (0..5).flat_map(|v| [(v, v + 5), (v, (v + 1).min(4))]).filter(|&(a, b)| a != b), "1");
    // Disconnected graphs: two squares and an edge; two triangles; a triangle and a single vertex.
    check(10, [(0, 1), (1, 2), (2, 3), (3, 0), (4, 6), (6, 5), (5, 7), (7, 4), (8, 9)], "4");
    check(6, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)], "0");
    check(4, [(0, 1), (1, 2), (2, 0)], "0");
}

#[test]
fn nonplanar_graphs_are_unsuited() {
    let petersen = (0..5).flat_map(|v| [(v, (v + 1) % 5), (v, v + 5), (v + 5, (v + 2) % 5 + 5)]);
    let complete = (0..5).flat_map(|b| (0..b).map(move |a| (a, b)));
    let houses = (0..9).map(|pair| (pair / 3, 3 + pair % 3));
    let cases: [(usize, Vec<_>); 3] =
        [(10, petersen.collect()), (5, complete.collect()), (6, houses.collect())];
    for (count, edges) in cases {
        assert_eq!(count_of(&part(count, &plain(edges.clone()))), Err(Cut::Unsuited));
        // The graph stays nonplanar if it shares its last vertex with the corner of a grid.
        let board = grid(4, 4).into_iter().map(|(a, b)| (a + count - 1, b + count - 1));
        let all = plain(edges.into_iter().chain(board));
        assert!(!is_planar(count + 15, &all));
    }
}

#[test]
fn parts_that_are_not_graphs_are_unsuited() {
    let is_suited = |text: &str| {
        let problem: crate::model::Problem = text.parse().unwrap();
        let suited = count_of(&Weighted::whole(&problem));
        assert!(suited.is_ok() || suited == Err(Cut::Unsuited));
        suited.is_ok()
    };
    assert!(is_suited("a b c d\na b\nc d\na c\nb d\n"));
    assert!(is_suited("a b c d | x y\na b x\nc d y:1\na c\nb d\n"));
    assert!(!is_suited("a b c d | x\na b x\nc d x\na c\nb d\n"));
    assert!(!is_suited("a b c d\na b c\nc d\na c\nb d\n"));
    assert!(!is_suited("a b c d\na\nc d\na c\nb d\n"));
    assert!(!is_suited("0:1|a b c d\na b\nc d\na c\nb d\n"));
    assert!(!is_suited("2|a b c d\na b\nc d\na c\nb d\n"));
}

#[test]
fn random_planar_graphs_are_counted_as_by_brute_force() {
    let mut random = Random::new(1);
    let mut counts = HashSet::new();
    for round in 0..1000 {
        let (rows, columns) = (1 + random.below(4), [2, 4][random.below(2)]);
        let edges = random_planar(&mut random, rows, columns);
        let expected = brute_force(rows * columns, &edges);
        assert_eq!(count_of(&part(rows * columns, &edges)), Ok(expected.clone()), "round {round}");
        counts.insert(expected);
    }
    assert!(counts.len() > 300, "{}", counts.len());
    for round in 0..200 {
        let count = 3 + random.below(14);
        let names = shuffled(&mut random, count);
        let edges = plain(random_triangulation(&mut random, count));
        let edges: Vec<_> = edges.into_iter().map(|(a, b, w)| (names[a], names[b], w)).collect();
        let expected = brute_force(count, &edges);
        assert_eq!(count_of(&part(count, &edges)), Ok(expected), "round {round}");
    }
}

#[test]
fn parallel_edges_add_their_weights() {
    let edges = [(0, 1, 3), (1, 2, 1), (2, 3, 4), (3, 0, 2), (1, 0, 7), (3, 2, 1), (1, 2, 1)];
    assert_eq!(count_of(&part(4, &edges)), Ok(BigUint::from(10 * 5 + 2 * 2_u32)));
    let most = BigUint::from(u64::MAX);
    assert_eq!(count_of(&part(2, &[(0, 1, u64::MAX)])), Ok(most));
    assert_eq!(count_of(&part(2, &[(0, 1, u64::MAX), (1, 0, 1)])), Err(Cut::Unsuited));
}

#[test]
fn a_graph_is_embedded_exactly_when_it_is_planar() {
    /// Returns whether contracting at most `most` edges leads to K5 or K3,3.
    fn has_minor(rows: &[u32], most: usize) -> bool {
        let count = rows.len();
        let joined = |a: usize, b: usize| rows[a] >> b & 1 == 1;
        let list = |set: u32| (0..count).filter(|v| set >> v & 1 == 1).collect::<Vec<_>>();
        let is_minor = (0..1_u32 << count).any(|set| match set.count_ones() {
            5 => list(set).iter().all(|&v| rows[v] | 1 << v == rows[v] | 1 << v | set),
            3 => (0..1_u32 << count).any(|other| {
                other.count_ones() == 3
                    && other & set == 0
                    && list(set).iter().all(|&v| rows[v] & other == other)
            }),
            _ => false,
        });
        is_minor
            || most > 0
                && (0..count).any(|b| {
                    (0..b).filter(|&a| joined(a, b)).any(|a| {
                        let mut rows = rows.to_vec();
                        let both = (rows[a] | rows[b]) & !(1 << a | 1 << b);
                        rows[a] = both;
                        let last = count - 1;
                        for (v, row) in rows.iter_mut().enumerate() {
                            *row &= !(1 << b);
                            if v != a && both >> v & 1 == 1 {
                                *row |= 1 << a;
                            }
                            if b != last && *row >> last & 1 == 1 {
                                *row = *row & !(1 << last) | 1 << b;
                            }
                        }
                        rows.swap_remove(b);
                        has_minor(&rows, most - 1)
                    })
                })
    }
    let mut random = Random::new(2);
    let mut planar = 0;
    for round in 0..2000 {
        let count = 5 + random.below(3);
        let density = 50 + random.below(40);
        let all = (0..count).flat_map(|b| (0..b).map(move |a| (a, b)));
        let edges = plain(all.filter(|_| random.below(100) < density).collect::<Vec<_>>());
        let mut rows = vec![0; count];
        for &(a, b, _) in &edges {
            rows[a] |= 1 << b;
            rows[b] |= 1 << a;
        }
        let expected = !has_minor(&rows, count - 5);
        assert_eq!(is_planar(count, &edges), expected, "round {round}: {edges:?}");
        planar += usize::from(expected);
    }
    assert!((500..1500).contains(&planar), "{planar}");
    for round in 0..60 {
        let size = 2 + random.below(40);
        assert!(is_planar(size * 20, &random_planar(&mut random, size, 20)), "round {round}");
        let count = 4 + random.below(500);
        let names = shuffled(&mut random, count);
        let mut edges = plain(random_triangulation(&mut random, count));
        edges.iter_mut().for_each(|(a, b, _)| (*a, *b) = (names[*a], names[*b]));
        assert!(is_planar(count, &edges), "round {round}");
        // In a triangulation, any further edge makes the graph nonplanar.
        let joined: HashSet<_> = edges.iter().flat_map(|&(a, b, _)| [(a, b), (b, a)]).collect();
        let pairs = std::iter::repeat_with(|| (random.below(count), random.below(count)));
        let more = pairs.take(1000).find(|&(a, b)| a != b && !joined.contains(&(a, b)));
        if let Some((a, b)) = more {
            edges.push((a, b, 1));
            assert!(!is_planar(count, &edges), "round {round}");
        }
    }
}

#[test]
fn long_paths_do_not_overflow_the_stack() {
    let count = 100_000;
    check(count, (1..count).map(|v| (v - 1, v)), "1");
    check(count, (0..count).map(|v| (v, (v + 1) % count)), "2");
    assert!(is_planar(count, &plain(grid(2, count / 2))));
    check(count, (1..count).map(|v| (0, v)), "0");
}

#[test]
fn a_perfect_matching_is_found_exactly_when_there_is_one() {
    let mut random = Random::new(3);
    let mut found = 0;
    for round in 0..3000 {
        let count = 2 + 2 * random.below(8);
        let most = [count / 2, 3 * count][random.below(2)];
        let edges =
            (0..count / 2 + random.below(most)).map(|_| (random.below(count), random.below(count), 1));
        let edges: Vec<_> = edges.filter(|(a, b, _)| a != b).collect();
        let graph = graph(count, &edges);
        let limits = Limits::default();
        let mut blossoms = Blossoms::new(graph, vec![false; count]);
        let is_complete = blossoms.complete(&mut Budget::new(&limits, u64::MAX, 0)).unwrap();
        let expected = brute_force(count, &edges) > BigUint::ZERO;
        assert_eq!(is_complete, expected, "round {round}: {edges:?}");
        if is_complete {
            found += 1;
            let Blossoms { graph, partners, .. } = blossoms;
            for (vertex, &partner) in (0..).zip(&partners) {
                assert_eq!(partners[partner as usize], vertex);
                assert!(graph.halves(vertex).iter().any(|&half| graph.head(half) == partner));
            }
        }
    }
    assert!((200..2800).contains(&found), "{found}");
}

#[test]
fn a_residue_modulo_a_small_prime_is_correct_or_missing() {
    let limits = Limits::default();
    let mut budget = Budget::new(&limits, u64::MAX, usize::MAX);
    let mut random = Random::new(4);
    let mut given = [0, 0];
    for _ in 0..400 {
        let edges = random_planar(&mut random, 4, 4);
        let expected = brute_force(16, &edges);
        let matching = Matching::new(&part(16, &edges), &Cores::new(0), &mut budget).unwrap();
        if expected == BigUint::ZERO {
            assert_eq!(matching.work(), 0);
            continue;
        }
        for prime in [3, 5, 7, 101] {
            let Matching { determinant, graph, factor, .. } = &matching;
            let mut scratch = EliminationBuffers::default();
            let residue =
                determinant.residue(PrimeField::new(prime), graph, &mut scratch, &mut budget).unwrap();
            given[usize::from(residue.is_some())] += 1;
            if let Some(residue) = residue {
                assert_eq!(residue * factor % prime, &expected % prime);
            }
        }
    }
    assert!(given[0] > 20 && given[1] > 100, "{given:?}");
}

#[test]
fn an_interrupted_count_of_matchings_can_be_resumed() {
    let limits = Limits::default();
    let part = part(400, &plain(grid(20, 20)));
    let bytes = 1 << 20;
    let mut matching =
        Matching::new(&part, &Cores::new(0), &mut Budget::new(&limits, u64::MAX, bytes)).unwrap();
    let whole = matching.work();
    let (mut cuts, mut left) = (0, whole);
    let count = loop {
        match matching.count(&mut Budget::new(&limits, whole / 3, bytes)) {
            Ok(count) => break count,
            Err(cut) => assert_eq!(cut, Cut::Work),
        }
        assert!(matching.work() < left);
        left = matching.work();
        cuts += 1;
    };
    assert_eq!(Ok(count), count_of(&part));
    assert_eq!((cuts > 1, matching.work()), (true, 0));

    assert_eq!(count_with(&part, &mut Budget::new(&limits, 1000, bytes)), Err(Cut::Work));
    assert_eq!(count_with(&part, &mut Budget::new(&limits, u64::MAX, 20_000)), Err(Cut::Memory));
    let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let limits = Limits::new().cancel(cancel);
    let mut budget = Budget::new(&limits, u64::MAX, bytes);
    assert_eq!(count_with(&part, &mut budget), Err(Cut::Limit(Limit::Cancelled)));
}

#[test]
fn several_cores_share_the_primes_and_give_the_same_count() {
    let part = part(70 * 70, &plain(grid(70, 70)));
    let expected = count_of(&part).unwrap();
    let mut random = Random::new(6);
    for helpers in 1..4 {
        let (cores, limits) = (Cores::new(helpers), Limits::default());
        for slice in [u64::MAX, 2 * TOGETHER, TOGETHER + 1000 * random.below(5000) as u64] {
            let mut matching =
                Matching::new(&part, &cores, &mut Budget::new(&limits, u64::MAX, 1 << 24)).unwrap();
            assert!(matching.work() > 2 * TOGETHER, "others are called");
            let count = loop {
                match matching.count(&mut Budget::new(&limits, slice, 1 << 24)) {
                    Ok(count) => break count,
                    Err(cut) => assert_eq!(cut, Cut::Work),
                }
            };
            assert_eq!(count, expected);
            assert_eq!((matching.others.len(), cores.idle()), (helpers, helpers));
        }
        let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let limits = Limits::new().cancel(cancel);
        let mut budget = Budget::new(&limits, u64::MAX, 1 << 24);
        let cut = Matching::new(&part, &cores, &mut budget).err();
        assert_eq!(cut, Some(Cut::Limit(Limit::Cancelled)));
    }
}

#[test]
fn the_bound_of_a_20x20_board_exceeds_its_count_and_has_192_bits() {
    let graph = graph(400, &plain(grid(20, 20)));
    assert_eq!(bits(&graph), 192);
    let mut random = Random::new(5);
    for _ in 0..300 {
        let edges = random_planar(&mut random, 3, 4);
        assert!(brute_force(12, &edges).bits() <= bits(&self::graph(12, &edges)));
    }
}
