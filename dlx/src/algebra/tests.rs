use super::*;
use crate::engine::Naive;
use crate::limits::Limits;
use crate::model::samples::{latin, neighbors};
use crate::model::{ItemId, ProblemBuilder};
use crate::numbers::Random;
use crate::search::Engine;

fn refute(problem: &Problem) -> Option<Certificate> {
    let limits = Limits::default();
    let mut random = Random::new(1);
    let mut refuter = Refuter::new(problem);
    loop {
        let mut budget = Budget::new(&limits, 1 + random.next_u64() % 1_000_000, usize::MAX);
        match refuter.run(&mut budget) {
            Err(Cut::Work) => {}
            found => return found.expect("there is no limit"),
        }
    }
}

fn check(problem: &Problem, modulus: Option<u64>) {
    let certificate = refute(problem).expect("a refutation");
    assert_eq!(certificate.modulus, modulus, "{}", certificate.show(problem));
    assert!(certificate.refutes(problem));
    for place in 0..certificate.terms.len().min(50) {
        let mut wrong = certificate.clone();
        wrong.terms[place].1 += 1;
        assert!(!wrong.refutes(problem), "{}", wrong.show(problem));
    }
}

fn mutilated(size: u32) -> Problem {
    let missing = [(0, 0), (size - 1, size - 1)];
    let squares = (0..size * size).map(|place| (place / size, place % size));
    let squares: Vec<_> = squares.filter(|square| !missing.contains(square)).collect();
    let place = |square| squares.binary_search(&square).ok().map(|place| place as u32);
    let pairs = squares.iter().flat_map(|&(row, column)| {
        let others = [(row, column + 1), (row + 1, column)];
        others.map(|other| Some(vec![place((row, column))?, place(other)?]))
    });
    Problem::from_sets(squares.len(), pairs.flatten().collect::<Vec<_>>()).expect("dominoes")
}

fn tiles(size: u32, shape: [(u32, u32); 4]) -> Problem {
    let mut options = Vec::new();
    for turn in 0..8 {
        let turned = shape.map(|(row, column)| {
            let (row, column) = if turn & 1 == 0 { (row, column) } else { (column, row) };
            (if turn & 2 == 0 { row } else { 3 - row }, if turn & 4 == 0 { column } else { 3 - column })
        });
        for place in 0..size * size {
            let squares = turned.map(|(row, column)| (place / size + row, place % size + column));
            if squares.iter().all(|&(row, column)| row < size && column < size) {
                let mut squares = squares.map(|(row, column)| row * size + column);
                squares.sort_unstable();
                options.push(squares);
            }
        }
    }
    options.sort_unstable();
    options.dedup();
    Problem::from_sets((size * size) as usize, options).expect("squares")
}

/// Builds transversals of an addition table: one cell in each row, in each column, and with each
/// sum modulo `order`.
fn transversals(order: u32) -> Problem {
    let cells = (0..order * order).map(|cell| (cell / order, cell % order));
    let cells = cells.map(|(row, column)| [row, order + column, 2 * order + (row + column) % order]);
    Problem::from_sets(3 * order as usize, cells).expect("cells")
}

fn pairs(people: u32) -> Problem {
    let pairs = (0..people).flat_map(|first| (0..first).map(move |second| [first, second]));
    Problem::from_sets(people as usize, pairs).expect("pairs")
}

/// Builds Langford's problem: each number k from 1 to `count` twice, with k positions in between.
fn langford(count: u32) -> Problem {
    let options = (1..=count).flat_map(|number| {
        let starts = 0..2 * count - number - 1;
        starts.map(move |start| [number - 1, count + start, count + start + number + 1])
    });
    Problem::from_sets(3 * count as usize, options).expect("places")
}

#[test]
fn boards_without_two_opposite_corners_are_refuted() {
    for size in [4, 8, 12, 25, 40] {
        // There are more fields of one color than of the other.
        let problem = mutilated(size);
        let certificate = refute(&problem).expect("a refutation");
        assert_eq!(certificate.modulus, None);
        assert!(certificate.refutes(&problem));
    }
}

#[test]
fn pairing_an_odd_number_of_people_is_refuted_modulo_2() {
    for people in [3, 13, 17, 25] {
        check(&pairs(people), Some(2));
    }
}

#[test]
fn langford_problems_are_refuted_exactly_when_they_have_no_solution() {
    for count in [5, 6, 9, 13, 14, 17, 18, 50] {
        check(&langford(count), Some(2));
    }
    for count in [3, 4, 7, 8, 11, 12] {
        assert_eq!(refute(&langford(count)), None);
    }
}

#[test]
fn tilings_with_an_odd_number_of_t_or_l_tetrominoes_are_refuted() {
    let t = [(0, 0), (0, 1), (0, 2), (1, 1)];
    let l = [(0, 0), (1, 0), (2, 0), (2, 1)];
    for (size, shape) in [(6, t), (10, t), (10, l)] {
        let problem = tiles(size, shape);
        let modulus = refute(&problem).and_then(|certificate| certificate.modulus);
        assert!(modulus.is_some_and(|modulus| [4, 8].contains(&modulus)), "{size}: {modulus:?}");
        assert_eq!(refute(&tiles(8, shape)), None);
    }
    let straight = [(0, 0), (0, 1), (0, 2), (0, 3)];
    assert!(refute(&tiles(10, straight)).is_some());
}

#[test]
fn addition_tables_modulo_an_even_number_have_no_transversal() {
    for (order, modulus) in [(2, 2), (4, 4), (8, 8), (10, 2), (12, 4), (16, 16), (20, 4)] {
        check(&transversals(order), Some(modulus));
        assert_eq!(refute(&transversals(order + 1)), None);
    }
}

fn pigeons(pigeons: u32, holes: u32, room: u32) -> Problem {
    let mut builder = ProblemBuilder::new();
    let name = |kind: &str, number: u32| format!("{kind}{number}");
    let birds: Vec<_> = (0..pigeons).map(|p| builder.primary(&name("p", p)).unwrap()).collect();
    let hole = |builder: &mut ProblemBuilder, hole| match room {
        1 => builder.secondary(&name("h", hole)).unwrap(),
        room => builder.bounded(&name("h", hole), 0, room).unwrap(),
    };
    let holes: Vec<_> = (0..holes).map(|number| hole(&mut builder, number)).collect();
    for &bird in &birds {
        for &hole in &holes {
            builder.option([bird, hole]).unwrap();
        }
    }
    builder.build()
}

#[test]
fn more_pigeons_than_holes_are_refuted() {
    for (birds, holes, room) in [(3, 2, 1), (12, 11, 1), (30, 29, 1), (60, 59, 1), (31, 10, 3)] {
        check(&pigeons(birds, holes, room), None);
        assert_eq!(refute(&pigeons(birds - 1, holes, room)), None);
    }
}

/// Builds a timetable of exams: each takes one of `places` places, each of `slots` slots has some
/// places, and two exams with a common student are not in one slot.
fn exams(random: &mut Random, exams: usize, slots: usize, places: usize) -> Problem {
    let mut text: String = (0..exams).map(|exam| format!("e{exam} ")).collect();
    let conflicts: Vec<_> =
        (0..4 * exams).map(|_| [random.below(exams), random.below(exams)]).collect();
    text += "|";
    text.extend((0..places).map(|place| format!(" p{place}")));
    text.extend((0..conflicts.len()).flat_map(|c| (0..slots).map(move |slot| format!(" c{c}s{slot}"))));
    for (exam, place) in (0..exams).flat_map(|exam| (0..places).map(move |place| (exam, place))) {
        if random.below(8) > 0 {
            text += &format!("\ne{exam} p{place}");
            let own = (0..).zip(&conflicts).filter(|(_, pair)| pair.contains(&exam));
            text.extend(own.map(|(c, _): (usize, _)| format!(" c{c}s{}", place % slots)));
        }
    }
    text.parse().expect("a problem")
}

#[test]
fn pigeonholes_among_other_secondary_items_are_refuted() {
    let mut random = Random::new(11);
    let limits = Limits::default();
    for (count, slots, places) in [(45, 7, 28), (12, 3, 11), (40, 8, 24), (9, 2, 6)] {
        let problem = exams(&mut random, count, slots, places);
        let system = System::new(&problem);
        let stages: [Box<dyn Stage + '_>; 2] = [
            Box::new(Pigeonholes::new(&problem)),
            Box::new(Capacity::new(&problem).expect("a small problem")),
        ];
        for mut stage in stages {
            let mut budget = Budget::new(&limits, u64::MAX, usize::MAX);
            let found = stage.run(&system, &mut budget).expect("no limit").expect("a refutation");
            assert!(found.refutes(&problem), "{}", found.show(&problem));
        }
    }
}

#[test]
fn two_items_with_too_low_or_too_high_bounds_are_refuted() {
    let problem = |low: u32, high: u32| {
        let items: String = (0..10).map(|item| format!("i{item} ")).collect();
        let options: String = (0..10).map(|item| format!("i{item} x\ni{item} y\n")).collect();
        let text = format!("{items}{low}:{high}|x {low}:{high}|y\n{options}");
        text.parse::<Problem>().expect("a problem")
    };
    for (low, high) in [(1, 4), (0, 4), (6, 9), (6, 10), (3, 3)] {
        let problem = problem(low, high);
        let certificate = refute(&problem).unwrap_or_else(|| panic!("{low}:{high} is refuted"));
        assert!(certificate.refutes(&problem));
    }
    for (low, high) in [(1, 5), (0, 10), (5, 9), (5, 5), (2, 8)] {
        assert_eq!(refute(&problem(low, high)), None, "{low}:{high}");
    }
}

#[test]
fn problems_with_a_cover_are_never_refuted() {
    assert_eq!(refute(&latin(6)), None);
    let mut random = Random::new(8);
    let mut refuted = 0;
    for _ in 0..4000 {
        let problem = neighbors(&mut random, 14, 30);
        if let Some(certificate) = refute(&problem) {
            let covers = Naive::new(&problem).count(&[], &Limits::default()).count();
            assert_eq!(covers, Some(0), "{}", certificate.show(&problem));
            refuted += 1;
        }
    }
    assert!(refuted > 100, "{refuted}");
}

#[test]
fn certificates_are_rejected_for_problems_with_a_cover() {
    let refutes = |text: &str, terms: &[i64], modulus| {
        let problem: Problem = text.parse().expect("a problem");
        let terms = (0..).map(ItemId::new).zip(terms.iter().copied()).filter(|term| term.1 != 0);
        Certificate { terms: terms.collect(), modulus }.refutes(&problem)
    };
    let cycle = "a b c\na b\nb c\na c\n";
    assert!(refutes(cycle, &[1, 1, 1], Some(2)));
    assert!(!refutes(cycle, &[1, 1, 1], Some(3)));
    assert!(!refutes(cycle, &[1, 1, 1], Some(0)));
    assert!(!refutes(cycle, &[1, 1, 1], None));
    assert!(!refutes(cycle, &[2, 2, 2], Some(2)));
    assert!(!refutes("a b c\na b\nb c\na c\na\n", &[1, 1, 1], Some(2)));
    for place in 0..4 {
        let mut lines = ["a b", "b c", "a c", "b"];
        lines.rotate_right(place);
        assert!(!refutes(&format!("a b c\n{}\n", lines.join("\n")), &[1, 1, 1], Some(2)), "{place}");
    }
    // Items with two different bounds, and items that need not be covered, have no fixed value
    // modulo 2.
    assert!(!refutes("a b 1:2|c\na b\nb c\na c\n", &[1, 1, 1], Some(2)));
    assert!(!refutes("a b | c\na b\nb c\na c\n", &[1, 1, 1], Some(2)));
    assert!(refutes("a b 3|c\na b\nb c\na c\n", &[1, 1, 1], Some(2)));
    assert!(!refutes("a b 2|c\na b\nb c\na c\n", &[1, 1, 1], Some(2)));
    let pigeons = "a b c | x y\na x\na y\nb x\nb y\nc x\nc y\n";
    assert!(refutes(pigeons, &[1, 1, 1, -1, -1], None));
    assert!(refutes(pigeons, &[5, 5, 5, -5, -5], None));
    assert!(!refutes(pigeons, &[1, 1, 1, -1, 1], None));
    assert!(!refutes(pigeons, &[1, 1, 1, -2, -1], None));
    assert!(!refutes("a b | x y\na x\na y\nb x\nb y\n", &[1, 1, -1, -1], None));
    assert!(!refutes(&pigeons.replace("a x", "a x:0"), &[1, 1, 1, -1, -1], None));
    assert!(refutes(&(pigeons.to_owned() + "x y\n"), &[1, 1, 1, -1, -1], None));
    // A positive coefficient uses the lower bound of an item, a negative one the upper bound.
    assert!(refutes("2:3|a 0:1|b\na b\na b\n", &[1, -1], None));
    assert!(!refutes("1:3|a 0:1|b\na b\na b\n", &[1, -1], None));
}

#[test]
fn no_combination_refutes_a_problem_with_a_cover() {
    let mut random = Random::new(9);
    let (mut refuted, mut covered) = (0, 0);
    for _ in 0..3000 {
        let problem = neighbors(&mut random, 5, 8);
        let has_cover = Naive::new(&problem).count(&[], &Limits::default()).count() != Some(0);
        covered += u32::from(has_cover);
        for _ in 0..30 {
            let modulus = [None, Some(2), Some(3), Some(4)][(random.next_u64() % 4) as usize];
            let mut terms: Vec<_> =
                problem.items().map(|item| (item, (random.next_u64() % 5) as i64 - 2)).collect();
            terms.retain(|&(_, coefficient)| coefficient != 0);
            let certificate = Certificate { terms, modulus };
            if certificate.refutes(&problem) {
                assert!(!has_cover, "{}", certificate.show(&problem));
                refuted += 1;
            }
        }
    }
    assert!(refuted > 1000 && covered > 300, "{refuted} {covered}");
}

#[test]
fn the_estimate_is_infinite_after_much_work_without_success() {
    let problem = latin(4);
    let mut refuter = Refuter::new(&problem);
    assert!(refuter.estimate().left.is_finite());
    refuter.done = costs::ALGEBRA_HOPE - 1;
    assert_eq!(refuter.estimate().left, (costs::ALGEBRA_HOPE - 1) as f64, "as long again");
    refuter.done = costs::ALGEBRA_HOPE;
    assert_eq!(refuter.estimate().left, f64::INFINITY);
}
