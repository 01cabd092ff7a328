//! Tests known counts, uniform samples and the text format. Random problems are in
//! `dlx/tests/it/diagram.rs`.

use super::*;
use crate::model::samples::latin;
use crate::model::text;
use crate::numbers::Random;

fn bricks(height: usize, width: usize, sizes: &[(usize, usize)]) -> Problem {
    let name = |row: usize, column: usize| format!("r{row}c{column}");
    let cells: Vec<String> = (0..height * width).map(|cell| name(cell / width, cell % width)).collect();
    let mut text = cells.join(" ") + "\n";
    for (row, column) in (0..height * width).map(|cell| (cell / width, cell % width)) {
        for &(high, wide) in sizes {
            if row + high <= height && column + wide <= width {
                let part = (0..high * wide).map(|cell| name(row + cell / wide, column + cell % wide));
                text += &(part.collect::<Vec<_>>().join(" ") + "\n");
            }
        }
    }
    text.parse().unwrap()
}

fn dominoes(height: usize, width: usize) -> Problem {
    bricks(height, width, &[(1, 2), (2, 1)])
}

fn diagram(problem: &Problem) -> Diagram {
    Diagram::new(problem, &[], &Limits::default(), 1 << 30).unwrap()
}

fn check_count(problem: &Problem, expected: &str) {
    let diagram = diagram(problem);
    assert_eq!(diagram.count().to_string(), expected);
    check_sums(problem, &diagram);
    let nodes = &diagram.nodes.list[UNIT as usize + 1..];
    assert!(nodes.iter().all(|node| node.high != NONE));
    assert_eq!(nodes.iter().collect::<std::collections::HashSet<_>>().len(), nodes.len());
}

fn check_sums(problem: &Problem, diagram: &Diagram) {
    let counts = diagram.counts();
    for item in problem.items().filter(|&item| problem.bounds(item) == Some(crate::model::Bounds::ONE))
    {
        let names_it =
            |option: &OptionId| problem.option(*option).iter().any(|entry| entry.item == item);
        let sum: BigUint =
            problem.options().filter(names_it).map(|option| &counts[option.index()]).sum();
        assert_eq!(sum, diagram.count(), "{}", problem.item_name(item));
    }
}

#[test]
fn diagrams_have_the_known_cover_counts() {
    check_count(&dominoes(8, 8), "12988816");
    check_count(&dominoes(10, 10), "258584046368");
    check_count(&dominoes(12, 12), "53060477521960000");
    check_count(
        &bricks(9, 8, &[(1, 3), (3, 1)]),
        &crate::count(&bricks(9, 8, &[(1, 3), (3, 1)])).to_string(),
    );
    check_count(&latin(4), "576");
    check_count(&latin(5), "161280");
    check_count(&latin(1), "1");
    check_count(&dominoes(3, 3), "0");
    check_count(&crate::model::ProblemBuilder::new().build(), "1");
}

#[test]
fn ranks_above_64_bits_convert_to_covers_and_back() {
    let board = text::write(&dominoes(12, 12));
    let mut items = Vec::new();
    let mut options = String::new();
    for copy in 0..3 {
        let rename = |line: &str| {
            line.split(' ').map(|word| format!("{copy}{word}")).collect::<Vec<_>>().join(" ") + "\n"
        };
        let mut lines = board.lines();
        items.push(rename(lines.next().unwrap()).trim().to_owned());
        lines.for_each(|line| options += &rename(line));
    }
    let problem: Problem =
        format!("{} x y\n{options}x y\nx y\nx\ny\ny\n", items.join(" ")).parse().unwrap();
    let diagram = diagram(&problem);
    let board: BigUint = "53060477521960000".parse().unwrap();
    assert_eq!(diagram.count(), board.pow(3) * 4u32);
    check_sums(&problem, &diagram);
    let mut random = Random::new(5);
    for _ in 0..50 {
        let cover = diagram.sample(&mut || random.next_u64()).unwrap();
        assert_eq!(crate::trust::verify(&problem, &[], &cover), Ok(()));
        let number = diagram.rank(&cover).unwrap();
        assert_eq!(diagram.unrank(&number), Some(cover));
    }
    let last = diagram.count() - 1u32;
    assert_eq!(diagram.rank(&diagram.unrank(&last).unwrap()), Some(last));
    assert_eq!(diagram.unrank(&diagram.count()), None);
    assert_eq!(diagram.rank(&[OptionId::new(0)]), None);
    assert_eq!(diagram.rank(&[OptionId::new(1 << 20)]), None);
}

#[test]
fn sampled_covers_are_uniformly_distributed() {
    let problem = dominoes(4, 4);
    let diagram = diagram(&problem);
    let count = 36;
    let draws = 36_000;
    let mut random = Random::new(2026);
    let mut times = vec![0u32; count];
    for _ in 0..draws {
        let cover = diagram.sample(&mut || random.next_u64()).unwrap();
        let number: usize = diagram.rank(&cover).unwrap().try_into().unwrap();
        times[number] += 1;
    }
    let expected = f64::from(draws) / count as f64;
    let distance: f64 = times.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
    // A chi-squared distribution with 35 degrees of freedom lies outside this range with
    // probability 1/1000 on each side.
    assert!((14.7..66.6).contains(&distance), "{distance} in {times:?}");
}

#[test]
fn the_cost_histogram_and_the_cheapest_covers_match_an_enumeration() {
    let mut text = text::write(&dominoes(6, 6));
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    text = lines[0].clone() + "\n";
    for (index, line) in lines[1..].iter().enumerate() {
        text += &format!("{line} |{}\n", index * index % 7);
    }
    let problem: Problem = text.parse().unwrap();
    let diagram = diagram(&problem);
    let mut costs: Vec<u128> = crate::solutions(&problem)
        .map(|cover| cover.iter().map(|&option| u128::from(problem.cost(option))).sum())
        .collect();
    costs.sort_unstable();
    let mut expected: BTreeMap<u128, BigUint> = BTreeMap::new();
    costs.iter().for_each(|&cost| *expected.entry(cost).or_default() += 1u32);
    assert_eq!(diagram.histogram(1000), Some(expected));
    let mut seen = std::collections::HashSet::new();
    let cheapest: Vec<u128> = diagram
        .cheapest()
        .map(|mut priced| {
            let sum: u128 = priced.options.iter().map(|&option| u128::from(problem.cost(option))).sum();
            assert_eq!(sum, priced.cost);
            assert_eq!(crate::trust::verify(&problem, &[], &priced.options), Ok(()));
            priced.options.sort_unstable();
            assert!(seen.insert(priced.options), "each cover comes once");
            priced.cost
        })
        .collect();
    assert_eq!(cheapest, costs);
}

#[test]
fn a_diagram_survives_a_round_trip_through_text() {
    for problem in
        [dominoes(4, 5), latin(3), dominoes(3, 3), crate::model::ProblemBuilder::new().build()]
    {
        let diagram = diagram(&problem);
        let text = diagram.to_text();
        let again = Diagram::from_text(&text).unwrap();
        assert_eq!(again.count(), diagram.count());
        assert_eq!(again.to_text(), text);
        let option = |option: OptionId| diagram.options()[option.index()];
        let covers = again.covers().map(|cover| cover.into_iter().map(option).collect::<Vec<_>>());
        assert!(covers.eq(diagram.covers()));
    }
}

#[test]
fn a_text_may_have_redundant_and_unreachable_nodes() {
    let text = "5 4 B T\n8 4 T T\n6 3 B T\n7 3 B T\n2 2 5 B\n1 1 6 7\n\n.\nwhat follows is not read\n";
    let diagram = Diagram::from_text(text).unwrap();
    let sets: Vec<_> = diagram.covers().collect();
    assert_eq!(
        sets,
        [vec![0, 2], vec![2]].map(|set| set.into_iter().map(OptionId::new).collect::<Vec<_>>())
    );
    let counts: Vec<String> = diagram.counts().iter().map(ToString::to_string).collect();
    assert_eq!(counts, ["1", "0", "2", "0"]);
    assert_eq!(diagram.histogram(1).unwrap().into_values().collect::<Vec<_>>(), [2u32.into()]);
    assert_eq!(diagram.cheapest().count(), 2);
}

#[test]
fn parse_errors_name_line_and_column() {
    let check = |text: &str, expected: &str| {
        assert_eq!(Diagram::from_text(text).unwrap_err().to_string(), expected);
    };
    check("", "1:1: expected a line `.`, found the end of the text");
    check("B\n", "2:1: expected a line `.`, found the end of the text");
    check(".\n", "1:1: expected a node `number variable low high` or `.`, found `.`");
    check("T\n2 1 B T\nB\n", "3:1: expected a node `number variable low high` or `.`, found `B`");
    check("2 1 B\n", "1:1: expected a node `number variable low high` or `.`, found `2`");
    check("é 1 B T\n", "1:1: expected a number that no node above has, found `é`");
    check("2 2 B T\n2 1 B T\n", "2:1: expected a number that no node above has, found `2`");
    check("2 0 B T\n", "1:3: expected a variable from 1 to 16777216, found `0`");
    check("2 1 B t\n", "1:7: expected `B`, `T` or the number of a node above, found `t`");
    check("2 1 B 2\n", "1:7: expected `B`, `T` or the number of a node above, found `2`");
    check("2 2 B T\n3 2 2 T\n", "2:5: expected a child of a variable above 2, found `2`");
}

#[test]
fn building_a_diagram_stops_at_each_limit() {
    let problem = latin(6);
    let limit = |limits: Limits, bytes| Diagram::new(&problem, &[], &limits, bytes).unwrap_err().limit;
    assert_eq!(limit(Limits::default(), 1 << 20), Limit::Memory);
    let past = Limits::default().within(std::time::Duration::ZERO);
    assert_eq!(limit(past, 1 << 30), Limit::Time);
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    assert_eq!(limit(Limits::new().cancel(flag), 1 << 30), Limit::Cancelled);
}

fn size(problem: &Problem) -> Size {
    DiagramPlan::new(problem, &[], &Limits::default()).unwrap().size()
}

#[test]
fn planning_and_queries_stop_at_each_limit() {
    let problem = latin(4);
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let cancelled = Limits::new().cancel(flag);
    let past = Limits::default().within(std::time::Duration::ZERO);
    for (limits, limit) in [(&cancelled, Limit::Cancelled), (&past, Limit::Time)] {
        assert_eq!(DiagramPlan::new(&problem, &[], limits).unwrap_err().limit, limit);
        let diagram = diagram(&problem);
        assert_eq!(diagram.counts_within(limits).unwrap_err(), limit);
        assert_eq!(diagram.histogram_within(10, limits).unwrap_err(), limit);
    }
    let small = Limits::new().memory(1000);
    assert_eq!(diagram(&problem).counts_within(&small).unwrap_err(), Limit::Memory);
}

#[test]
fn size_estimates_are_within_a_factor_of_ten() {
    for (problem, name) in [
        (dominoes(6, 6), "dominoes 6x6"),
        (dominoes(12, 12), "dominoes 12x12"),
        (dominoes(14, 14), "dominoes 14x14"),
        (bricks(12, 10, &[(1, 3), (3, 1)]), "trominoes 12x10"),
        (latin(5), "latin 5"),
    ] {
        let truth = diagram(&problem).node_count() as f64;
        let Size { nodes, .. } = size(&problem);
        assert!(nodes < truth * 10.0 && nodes > truth / 10.0, "{name}: {nodes} for {truth}");
    }
    let latin = size(&latin(9)).nodes;
    assert!(latin > 1e10, "{latin}");
}
