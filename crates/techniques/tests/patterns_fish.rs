//! Fish and patterns of two strong links by their definitions, on random positions.

mod shapes;

use std::collections::BTreeSet;

use techniques::{Board, HouseKind, Part, Step, Truth};

const FISH: [&str; 21] = [
    "X-wing",
    "swordfish",
    "jellyfish",
    "finned X-wing",
    "sashimi X-wing",
    "finned swordfish",
    "sashimi swordfish",
    "finned jellyfish",
    "sashimi jellyfish",
    "franken X-wing",
    "franken swordfish",
    "franken jellyfish",
    "finned franken X-wing",
    "finned franken swordfish",
    "finned franken jellyfish",
    "mutant X-wing",
    "mutant swordfish",
    "mutant jellyfish",
    "finned mutant X-wing",
    "finned mutant swordfish",
    "finned mutant jellyfish",
];
const LINKS: [&str; 4] = ["skyscraper", "two-string kite", "turbot fish", "empty rectangle"];

fn kind(board: &Board, house: usize) -> HouseKind {
    board.houses()[house].kind
}

fn holds(board: &Board, house: usize, cell: usize) -> bool {
    board.houses()[house].cells.has(cell)
}

fn sees(board: &Board, a: usize, b: usize) -> bool {
    board.layout().peers(a).has(b)
}

/// Returns the digit and the cells of a step that eliminates one digit.
fn lost(step: &Step) -> (usize, Vec<usize>) {
    let digits: BTreeSet<usize> = step.removed.iter().map(|lost| lost.digit).collect();
    assert_eq!(digits.len(), 1, "one digit");
    (step.removed[0].digit, step.removed.iter().map(|lost| lost.cell).collect())
}

fn group(step: &Step, part: Part) -> Vec<usize> {
    step.cells(part).iter().collect()
}

fn check_fish(board: &Board, step: &Step) -> Result<(), String> {
    let (digit, lost) = lost(step);
    let (bases, covers) = (&step.houses, &step.covers);
    let size = bases.len();
    let distinct: BTreeSet<&usize> = bases.iter().chain(covers).collect();
    if covers.len() != size || distinct.len() != 2 * size {
        return Err("as many covers as bases, all different".into());
    }
    let truths: Vec<Truth> = bases.iter().map(|&house| Truth::Place { house, digit }).collect();
    if step.truths != truths {
        return Err("the bases are the facts".into());
    }
    let count = |houses: &[usize], cell: usize| {
        houses.iter().filter(|&&house| holds(board, house, cell)).count()
    };
    let spots: Vec<usize> = board.spots(digit).iter().collect();
    let is_fin = |&cell: &usize| count(bases, cell) > count(covers, cell);
    let fins: Vec<usize> = spots.iter().copied().filter(is_fin).collect();
    let is_body = |cell: &usize| count(bases, *cell) > 0 && !is_fin(cell);
    let body: Vec<usize> = spots.iter().copied().filter(is_body).collect();
    let is_lost = |&cell: &usize| {
        count(covers, cell) > count(bases, cell) && fins.iter().all(|&fin| sees(board, fin, cell))
    };
    let expected: Vec<usize> = spots.iter().copied().filter(is_lost).collect();
    if group(step, Part::Fin) != fins || group(step, Part::Body) != body || lost != expected {
        return Err("body, fins and eliminations should follow from the houses".into());
    }
    let in_house = |house: usize| body.iter().filter(|&&cell| holds(board, house, cell)).count();
    if bases.iter().chain(covers).any(|&house| in_house(house) == 0) {
        return Err("every house should be used".into());
    }
    if fins.is_empty() {
        for part in 1..(1_usize << size) - 1 {
            let chosen = |houses: &[usize], part: usize| -> Vec<usize> {
                (0..size).filter(|n| part >> n & 1 == 1).map(|n| houses[n]).collect()
            };
            for some in (1..1_usize << size).filter(|some| some.count_ones() == part.count_ones()) {
                let (bases, covers) = (chosen(bases, part), chosen(covers, some));
                if spots.iter().all(|&cell| count(&bases, cell) == 0 || count(&covers, cell) > 0) {
                    return Err("a part of the fish is a fish".into());
                }
            }
        }
    }
    let fits = |houses: &[usize], kinds: &[HouseKind]| {
        houses.iter().all(|&house| kinds.contains(&kind(board, house)))
    };
    let [row, column, square] = [HouseKind::Row, HouseKind::Column, HouseKind::Box];
    let of = |a: &[HouseKind], b: &[HouseKind]| {
        (fits(bases, a) && fits(covers, b)) || (fits(bases, b) && fits(covers, a))
    };
    let shape = if of(&[row], &[column]) {
        ""
    } else if of(&[row, square], &[column, square]) {
        "franken "
    } else {
        "mutant "
    };
    let finned = match (fins.is_empty(), shape) {
        (true, _) => "",
        (false, "") if bases.iter().any(|&base| in_house(base) == 1) => "sashimi ",
        _ => "finned ",
    };
    let name = format!("{finned}{shape}{}", ["X-wing", "swordfish", "jellyfish"][size - 2]);
    if name == step.technique.name { Ok(()) } else { Err(format!("the name should be {name}")) }
}

/// Returns the kind of a link: that of a line, if these are the only two cells of a line.
fn link_kind(board: &Board, digit: usize, ends: [usize; 2]) -> HouseKind {
    let is_link = |&house: &usize| {
        let spots: Vec<usize> = board.spots_in(house, digit).iter().collect();
        spots.len() == 2 && ends.iter().all(|end| spots.contains(end))
    };
    let mut kinds: Vec<HouseKind> =
        (0..board.houses().len()).filter(is_link).map(|house| kind(board, house)).collect();
    kinds.sort_unstable();
    kinds[0]
}

fn share(board: &Board, a: usize, b: usize, kinds: &[HouseKind]) -> bool {
    (0..board.houses().len())
        .any(|h| kinds.contains(&kind(board, h)) && holds(board, h, a) && holds(board, h, b))
}

fn check_links(board: &Board, step: &Step) -> Result<(), String> {
    if step.technique.name == "empty rectangle" {
        return check_rectangle(board, step);
    }
    let (digit, lost) = lost(step);
    let [a, b] = group(step, Part::Link)[..] else { return Err("two near ends".into()) };
    if !sees(board, a, b) {
        return Err("the near ends should see each other".into());
    }
    let mut expected = BTreeSet::new();
    let lines = [HouseKind::Row, HouseKind::Column];
    for (number, far) in step.part(Part::Body).enumerate() {
        let houses = &step.houses[2 * number..2 * number + 2];
        let mut links = Vec::new();
        for &house in houses {
            let spots = board.spots_in(house, digit);
            let near: Vec<usize> = [a, b].into_iter().filter(|&end| spots.has(end)).collect();
            let far: Vec<usize> = far.cells.iter().filter(|&end| spots.has(end)).collect();
            let ([near], [far], 2) = (&near[..], &far[..], spots.len()) else {
                return Err("each house should have a near and a far end and no more".into());
            };
            links.push((*near, *far, link_kind(board, digit, [*near, *far])));
        }
        let [(near, far, first), (other_near, other_far, second)] = links[..] else {
            return Err("two links".into());
        };
        if near == other_near || far == other_far {
            return Err("the ends should be four cells".into());
        }
        let name = match (first, second) {
            (HouseKind::Row, HouseKind::Row) | (HouseKind::Column, HouseKind::Column)
                if share(board, near, other_near, &lines) =>
            {
                "skyscraper"
            }
            (HouseKind::Row, HouseKind::Column) | (HouseKind::Column, HouseKind::Row)
                if share(board, near, other_near, &[HouseKind::Box]) =>
            {
                "two-string kite"
            }
            _ => "turbot fish",
        };
        if name != step.technique.name {
            return Err(format!("the name should be {name}"));
        }
        let is_parallel = first == second && lines.contains(&first);
        if is_parallel && share(board, far, other_far, &lines) {
            return Err("this is an X-wing or a skyscraper the other way round".into());
        }
        let ends = [near, far, other_near, other_far];
        for cell in board.spots(digit).iter().filter(|cell| !ends.contains(cell)) {
            let sees_far = sees(board, cell, far) && sees(board, cell, other_far);
            let sees_near = sees(board, cell, near) && sees(board, cell, other_near);
            if sees_far || (sees_near && sees(board, far, other_far)) {
                expected.insert(cell);
            }
        }
    }
    if lost == expected.into_iter().collect::<Vec<_>>() {
        Ok(())
    } else {
        Err("all cells that see both far ends should lose the digit".into())
    }
}

fn check_rectangle(board: &Board, step: &Step) -> Result<(), String> {
    let (digit, lost) = lost(step);
    let [square, ref links @ ..] = step.houses[..] else { return Err("a box".into()) };
    let [one, other] = step.covers[..] else { return Err("two lines".into()) };
    let spots: Vec<usize> = board.spots_in(square, digit).iter().collect();
    let is_cross = kind(board, square) == HouseKind::Box
        && spots.iter().all(|&cell| holds(board, one, cell) || holds(board, other, cell))
        && [one, other].iter().all(|&line| spots.iter().any(|&cell| !holds(board, line, cell)));
    let mut kinds = [kind(board, one), kind(board, other)];
    kinds.sort_unstable();
    if !is_cross || spots.len() < 2 || kinds != [HouseKind::Row, HouseKind::Column] {
        return Err("the box should have at least two cells in a row and a column".into());
    }
    let (mut expected, mut used) = (BTreeSet::new(), BTreeSet::new());
    for (along, across) in [(one, other), (other, one)] {
        for (link, house) in board.houses().iter().enumerate() {
            let ends: Vec<usize> = board.spots_in(link, digit).iter().collect();
            if house.kind != kind(board, across) || ends.len() != 2 {
                continue;
            }
            for (near, far) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                if !holds(board, along, near) || ends.iter().any(|&end| holds(board, square, end)) {
                    continue;
                }
                for cell in board.spots_in(across, digit).iter() {
                    if sees(board, cell, far) && cell != near && !holds(board, square, cell) {
                        expected.insert(cell);
                        used.insert(link);
                    }
                }
            }
        }
    }
    let mut links = links.to_vec();
    links.sort_unstable();
    if lost != expected.into_iter().collect::<Vec<_>>() || links != used.into_iter().collect::<Vec<_>>()
    {
        return Err("all links and all their eliminations should be there".into());
    }
    Ok(())
}

/// Number of basic fish, with and without fins, at the start of `FISH`.
const BASIC: usize = 9;

#[test]
fn basic_fish_fit_their_definition() {
    let found = shapes::each_step(&FISH[..BASIC], 40, &check_fish);
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

#[test]
fn franken_and_mutant_fish_fit_their_definition() {
    let found = shapes::each_step(&FISH[BASIC..], 3, &check_fish);
    let is_rare = |name: &str| name == "mutant X-wing";
    for (name, count) in FISH[BASIC..].iter().zip(found) {
        assert!(count > 0 || is_rare(name), "{name}");
    }
}

#[test]
fn basic_fish_do_not_depend_on_numbering() {
    shapes::assert_invariant(&FISH[..BASIC], 10);
}

#[test]
fn franken_and_mutant_fish_do_not_depend_on_numbering() {
    shapes::assert_invariant(&FISH[BASIC..], 1);
}

#[test]
fn patterns_of_two_links_fit_their_definition() {
    let found = shapes::each_step(&LINKS, 100, &check_links);
    for (name, count) in LINKS.iter().zip(found) {
        assert!(count > 0, "{name}");
    }
}

#[test]
fn patterns_of_two_links_do_not_depend_on_numbering() {
    shapes::assert_invariant(&LINKS, 40);
}

#[test]
fn a_dual_kite_eliminates_at_both_crossings() {
    // 1 in rows 1 and 2 and in columns 1 and 2 has one end in box 1 each, at r1c2 and r2c1.
    let (_, layout) = shapes::layouts().swap_remove(0);
    let mut board = Board::new(&layout);
    for cell in 0..81 {
        let (row, column) = (cell / 9, cell % 9);
        let ends = [(0, 1), (0, 6), (1, 0), (1, 7), (4, 1), (7, 0)];
        let is_in_lines = row < 2 || column < 2;
        if is_in_lines && !ends.contains(&(row, column)) {
            board.remove(techniques::Candidate { cell, digit: 0 });
        }
    }
    let steps = shapes::steps(&board, &["two-string kite"]);
    let lost = |(_, step): &(usize, Step)| lost(step).1;
    assert_eq!(steps.iter().map(lost).collect::<Vec<_>>(), [vec![4 * 9 + 7, 7 * 9 + 6]]);
    assert!(steps.iter().all(|(_, step)| check_links(&board, step).is_ok()));
}

#[test]
fn an_empty_rectangle_may_have_two_cells() {
    // 1 has r1c2 and r2c1 in box 1, and r1c8 and r7c8 in column 8.
    let (_, layout) = shapes::layouts().swap_remove(0);
    let mut board = Board::new(&layout);
    for cell in 0..81 {
        let (row, column) = (cell / 9, cell % 9);
        let is_in_box = row < 3 && column < 3 && ![(0, 1), (1, 0)].contains(&(row, column));
        if is_in_box || column == 7 && ![0, 6].contains(&row) {
            board.remove(techniques::Candidate { cell, digit: 0 });
        }
    }
    let steps = shapes::steps(&board, &["empty rectangle"]);
    let lost = |(_, step): &(usize, Step)| lost(step).1;
    assert_eq!(steps.iter().map(lost).collect::<Vec<_>>(), [vec![6 * 9]]);
    assert!(steps.iter().all(|(_, step)| check_rectangle(&board, step).is_ok()));
}
