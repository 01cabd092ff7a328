//! Intersections by their definition, on random positions.

mod shapes;

use techniques::{Board, HouseKind, Step, Truth};

const NAMES: [&str; 5] =
    ["pointing", "claiming", "locked candidates", "direct pointing", "direct claiming"];

fn check(board: &Board, step: &Step) -> Result<(), String> {
    let [Truth::Place { house, digit }] = step.truths[..] else { return Err("one fact".into()) };
    if step.houses != [house] || step.removed.iter().any(|removed| removed.digit != digit) {
        return Err("one house and one digit".into());
    }
    let houses = board.houses();
    let spots = board.spots_in(house, digit);
    let mut lost: Vec<usize> = step.removed.iter().map(|removed| removed.cell).collect();
    let sees_all = |cell: usize| spots.iter().all(|spot| board.layout().peers(spot).has(cell));
    let mut expected: Vec<usize> = board.spots(digit).iter().filter(|&cell| sees_all(cell)).collect();
    expected.retain(|&cell| !houses[house].cells.has(cell));
    let kinds = match step.covers[..] {
        [cover] => {
            if cover == house || !spots.iter().all(|cell| houses[cover].cells.has(cell)) {
                return Err("the cover is another house around the cells".into());
            }
            expected.retain(|&cell| houses[cover].cells.has(cell));
            Some((houses[house].kind, houses[cover].kind))
        }
        [] => None,
        _ => return Err("at most one cover".into()),
    };
    let name = match kinds {
        Some((HouseKind::Box, HouseKind::Row | HouseKind::Column)) => "pointing",
        Some((HouseKind::Row | HouseKind::Column, HouseKind::Box)) => "claiming",
        _ => "locked candidates",
    };
    lost.sort_unstable();
    if lost != expected {
        return Err("the eliminations should be all cells that see the pattern".into());
    }
    let is_direct = houses.iter().filter(|other| other.kind == houses[house].kind).any(|other| {
        let before: Vec<usize> = board.spots(digit).iter().filter(|&c| other.cells.has(c)).collect();
        before.len() > 1 && before.iter().filter(|cell| !lost.contains(cell)).count() == 1
    });
    let (name, score) = match (name, is_direct) {
        ("pointing", true) => ("direct pointing", 17),
        ("claiming", true) => ("direct claiming", 19),
        ("pointing", false) => (name, 26),
        _ => (name, 28),
    };
    if (name, score) == (step.technique.name, step.score) {
        Ok(())
    } else {
        Err(format!("the step should be {name} with the score {score}"))
    }
}

#[test]
fn intersections_fit_their_definition() {
    let found = shapes::each_step(&NAMES, 100, &check);
    assert!(found[0] > 10 && found[1] > 10 && found[2] == 0, "{found:?}");
    assert!(found[3] > 10 && found[4] > 10, "{found:?}");
}

#[test]
fn intersections_do_not_depend_on_numbering() {
    shapes::assert_invariant(&NAMES, 20);
}
