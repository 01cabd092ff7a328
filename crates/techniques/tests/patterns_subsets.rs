//! Subsets by their definition, on random positions.

mod shapes;

use techniques::{Board, Candidate, Cells, Digits, Part, Step, Truth};

const NAMES: [&str; 12] = [
    "locked pair",
    "locked triple",
    "naked pair",
    "naked triple",
    "naked quadruple",
    "naked quintuple",
    "hidden pair",
    "hidden triple",
    "hidden quadruple",
    "hidden quintuple",
    "direct hidden pair",
    "direct hidden triple",
];
const SIZES: [(&str, usize); 4] = [("pair", 2), ("triple", 3), ("quadruple", 4), ("quintuple", 5)];

fn parts(elements: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    (1..(1_usize << elements.len()) - 1)
        .map(|part| (0..elements.len()).filter(|n| part >> n & 1 == 1).map(|n| elements[n]).collect())
}

fn check(board: &Board, step: &Step) -> Result<(), String> {
    let name = step.technique.name;
    let is_direct = name.starts_with("direct ");
    let (kind, size) = name.trim_start_matches("direct ").split_once(' ').ok_or("two words")?;
    let size = SIZES.iter().find(|(name, _)| *name == size).ok_or("a size")?.1;
    let [group] = step.groups[..] else { return Err("one group".into()) };
    if group.part != Part::Body || group.cells.len() != size || group.digits.len() != size {
        return Err(format!("there should be {size} cells and digits"));
    }
    let (cells, digits): (Vec<usize>, Vec<usize>) =
        (group.cells.iter().collect(), group.digits.iter().collect());
    let holds = |house: usize| cells.iter().all(|&cell| board.houses()[house].cells.has(cell));
    if step.houses.is_empty() || !step.houses.iter().all(|&house| holds(house)) {
        return Err("the cells should lie in the houses".into());
    }
    if kind == "hidden" {
        hidden(board, step, &cells, &digits, is_direct)
    } else {
        naked(board, step, &cells, kind)
    }
}

fn naked(board: &Board, step: &Step, cells: &[usize], kind: &str) -> Result<(), String> {
    let marks = |cells: &[usize]| board.marks_of(cells.iter().copied().collect());
    let digits: Digits = step.groups[0].digits;
    if marks(cells) != digits || parts(cells).any(|part| marks(&part).len() <= part.len()) {
        return Err("the cells should have exactly the digits, and no part a subset".into());
    }
    let truths: Vec<Truth> = cells.iter().map(|&cell| Truth::Cell(cell)).collect();
    let sees = |cell: usize| cells.iter().all(|&other| board.layout().peers(other).has(cell));
    let seeing: Cells = (0..board.layout().cell_count()).filter(|&cell| sees(cell)).collect();
    let expected: Vec<Candidate> = board.candidates(seeing, digits).collect();
    if step.truths != truths || step.removed != expected {
        return Err("all cells that see the subset should lose its digits".into());
    }
    let around: Vec<usize> = (0..board.houses().len())
        .filter(|&house| cells.iter().all(|&cell| board.houses()[house].cells.has(cell)))
        .filter(|&house| expected.iter().any(|lost| board.houses()[house].cells.has(lost.cell)))
        .collect();
    if (kind == "locked") != (around.len() > 1 && cells.len() < 4) {
        return Err(format!("{} houses lose candidates", around.len()));
    }
    Ok(())
}

fn hidden(
    board: &Board,
    step: &Step,
    cells: &[usize],
    digits: &[usize],
    is_named_direct: bool,
) -> Result<(), String> {
    let [house] = step.houses[..] else { return Err("one house".into()) };
    let spots = |digits: &[usize]| -> Cells {
        let within = board.houses()[house].cells.iter();
        within.filter(|&cell| digits.iter().any(|&digit| board.marks(cell).has(digit))).collect()
    };
    if spots(digits) != step.groups[0].cells {
        return Err("the digits should have exactly the cells".into());
    }
    if parts(digits).any(|part| spots(&part).len() <= part.len()) {
        return Err("no part should be a subset".into());
    }
    let mut expected = Vec::new();
    for &cell in cells {
        let others = board.marks(cell).iter().filter(|digit| !digits.contains(digit));
        expected.extend(others.map(|digit| Candidate { cell, digit }));
    }
    if step.removed != expected {
        return Err("the cells should lose all other digits".into());
    }
    let is_single = |digit: usize| {
        let left = spots(&[digit]).iter().filter(|cell| !cells.contains(cell)).count();
        left == 1 && !digits.contains(&digit) && spots(&[digit]).len() > 1
    };
    let is_direct = (0..board.layout().size()).any(is_single);
    let score = match (digits.len(), is_direct) {
        (2, true) => 20,
        (3, true) => 25,
        (2, false) => 34,
        (3, false) => 40,
        (4, _) => 54,
        _ => 61,
    };
    if is_named_direct != (is_direct && digits.len() < 4) {
        return Err(format!("direct: {is_direct}"));
    }
    if score == step.score { Ok(()) } else { Err(format!("the score should be {score}")) }
}

#[test]
fn subsets_fit_their_definition() {
    let found = shapes::each_step(&NAMES, 100, &check);
    for (name, count) in NAMES.iter().zip(found) {
        assert_eq!(count > 0, !name.ends_with("quintuple"), "{name}: {count}");
    }
}

#[test]
fn subsets_do_not_depend_on_numbering() {
    shapes::assert_invariant(&NAMES, 20);
}
