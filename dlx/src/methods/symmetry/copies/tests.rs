use std::collections::HashMap;

use num_bigint::BigUint;

use super::Copies;
use crate::limits::Limits;
use crate::methods::symmetry::form::FormBuilder;
use crate::methods::symmetry::layers::Layers;
use crate::methods::symmetry::tables::PartTables;
use crate::methods::symmetry::tests::{
    BYTES, alone, enumerated, partitions, problem, shuffled, subsets, sudoku,
};
use crate::methods::symmetry::{Cut, Symmetry};
use crate::model::Problem;
use crate::model::samples::latin;
use crate::numbers::Random;
use crate::portfolio::Budget;
use crate::portfolio::budget::free;
use crate::prepare::Weighted;

/// Copies of one or two pieces that share common items and may be connected. Some options of a copy
/// may be missing.
fn random_copies(random: &mut Random) -> Weighted {
    let (common, secondary) = (1 + random.below(4), random.below(3));
    let mut primary = common;
    let mut options: Vec<Vec<usize>> = Vec::new();
    let some_common = |random: &mut Random| -> Vec<usize> {
        let all = (0..common).chain(1000..1000 + secondary);
        all.filter(|_| random.below(common + secondary) == 0).collect()
    };
    let mut last = Vec::new();
    for _ in 0..1 + random.below(2) {
        let (copies, size) = (2 + random.below(2), 1 + random.below(3));
        for _ in 0..1 + random.below(4) {
            let piece: Vec<_> = (0..size).filter(|_| random.below(2) == 0).collect();
            let (shared, spoilt) = (some_common(random), random.below(6 * copies));
            for copy in (0..copies).filter(|&copy| copy != spoilt) {
                let items = piece.iter().map(|&item| primary + copy * size + item);
                options.push(items.chain(shared.iter().copied()).collect());
            }
        }
        // A connection between copies, or between the two pieces, makes them not exchangeable.
        let (place, other) = (random.below(size), random.below(size));
        let cross: Vec<usize> = match random.below(8) {
            0 => (0..copies).map(|copy| primary + copy * size + other).collect(),
            1 => last.clone(),
            _ => Vec::new(),
        };
        last = (0..copies).map(|copy| primary + copy * size + place).collect();
        for &own in &last {
            options.extend(cross.iter().filter(|&&other| other != own).map(|&other| vec![own, other]));
        }
        options.extend(
            (0..copies * size).filter(|_| random.below(8) > 0).map(|item| vec![primary + item]),
        );
        primary += copies * size;
    }
    options.extend((0..common).filter(|_| random.below(4) > 0).map(|item| vec![item]));
    for _ in 0..random.below(4) {
        let mut option = some_common(random);
        option.extend((common..primary).filter(|_| random.below(4 * primary) == 0));
        options.push(option);
    }
    options.retain(|option| option.iter().any(|&item| item < 1000));
    options.iter_mut().for_each(|option| option.sort_unstable());
    options.sort_unstable();
    options.dedup();
    for item in options.iter_mut().flatten().filter(|item| **item >= 1000) {
        *item = *item - 1000 + primary;
    }
    let mut part = Weighted::whole(&shuffled(&problem(primary, secondary, &options), random));
    if random.below(3) == 0 {
        let weight = 1 + random.below(3) as u64;
        part.weights.iter_mut().for_each(|it| *it = weight);
    }
    if random.below(4) == 0 && !part.weights.is_empty() {
        let option = random.below(part.weights.len());
        part.weights[option] = 2;
    }
    part
}

fn some_left(tables: &PartTables, random: &mut Random) -> Vec<u64> {
    let mut set = tables.all_items();
    for _ in 0..random.below(4) {
        let options: Vec<u32> = tables.options_within(&set).collect();
        if !options.is_empty() {
            let option = tables.set(options[random.below(options.len())]);
            set.iter_mut().zip(option).for_each(|(set, option)| *set &= !option);
        }
    }
    set
}

fn form_left(tables: &PartTables, copies: &Copies, set: &[u64]) -> Vec<u64> {
    let (mut former, mut options) = (FormBuilder::new(tables), Vec::new());
    let mut standing = copies.standing(tables);
    copies.add_options(tables, set, &mut standing, &mut options);
    former.load(tables, copies, &standing, &options);
    former.form(tables).to_vec()
}

fn copies_of(tables: &PartTables) -> Copies {
    let mut former = FormBuilder::new(tables);
    former.load_plain(tables, &tables.options().collect::<Vec<_>>());
    let order: Vec<u32> = (0..tables.item_count as u32).collect();
    Copies::new(tables, &former.colors(), &order, &mut free()).unwrap()
}

#[test]
fn problems_with_copies_are_counted_as_by_enumeration() {
    let mut random = Random::new(31);
    let (mut positive, mut with_copies) = (0, 0);
    for _ in 0..6000 {
        let part = random_copies(&mut random);
        let expected = enumerated(&part);
        let mut symmetry = Symmetry::of_likeness(0.0, &part, &alone(), &mut free()).unwrap();
        with_copies += u32::from(!symmetry.ground.copies.is_empty());
        positive += u32::from(expected > BigUint::from(1u8) && !symmetry.ground.copies.is_empty());
        symmetry.backwards = [0, 300, u64::MAX][random.below(3)];
        if symmetry.backwards == 0 {
            let often = 1 + random.below(4);
            let pays = (0..=part.problem.item_count()).map(|_| random.below(often) == 0).collect();
            symmetry.layers = Some(Layers::new(&symmetry.ground, pays));
        }
        let limits = Limits::default();
        let bytes = BYTES + symmetry.bytes();
        let total = loop {
            match symmetry.run(&mut Budget::new(&limits, 2000, bytes)) {
                Ok(total) => break total,
                Err(cut) => assert_eq!(cut, Cut::Work),
            }
            assert!(symmetry.known() <= expected);
        };
        assert_eq!(total, expected, "{:?} {:?}", part.problem, part.weights);
    }
    assert!(positive > 500 && with_copies > 1000, "{positive} {with_copies}");
}

#[test]
fn problems_with_copies_and_equal_canonical_forms_are_isomorphic() {
    let mut random = Random::new(37);
    let mut marked = 0;
    // Marked copies of one part must also differ from marked copies of other parts.
    let mut whole_of: HashMap<Vec<u64>, Vec<u64>> = HashMap::new();
    for _ in 0..20_000 {
        let tables = PartTables::new(&random_copies(&mut random), &free()).unwrap();
        let copies = copies_of(&tables);
        if copies.is_empty() {
            continue;
        }
        let set = some_left(&tables, &mut random);
        let whole = form_left(&tables, &Copies::none(&tables), &set);
        let form = form_left(&tables, &copies, &set);
        marked += u32::from(form != whole);
        assert_eq!(whole_of.entry(form).or_insert_with(|| whole.clone()), &whole);
    }
    assert!(marked > 2000 && whole_of.len() > 1000, "{marked} {}", whole_of.len());
}

#[test]
fn rows_of_latin_squares_and_of_sudoku_bands_are_copies() {
    let copies =
        |problem: &Problem| copies_of(&PartTables::new(&Weighted::whole(problem), &free()).unwrap());
    let mut random = Random::new(41);
    for order in 3..8 {
        let square = latin(order);
        assert_eq!(copies(&square).len(), order as usize);
        assert_eq!(copies(&shuffled(&square, &mut random)).len(), order as usize);
    }
    // The copies of a Sudoku are the rows of a band or the columns of a stack. The copies of a
    // tournament are its rounds.
    assert_eq!(copies(&sudoku(2, 3)).len(), 6);
    let pairs = subsets(6, 2);
    let tournament = (0..pairs.len() * 5).map(|place| {
        let (pair, round) = (place / 5, place % 5);
        [&[pair][..], &[pairs[pair][0], pairs[pair][1]].map(|team| 15 + round * 6 + team)].concat()
    });
    assert_eq!(copies(&problem(45, 0, &tournament.collect::<Vec<_>>())).len(), 5);
    // Single interchangeable items are merged as twins and are not treated as copies.
    assert!(copies(&partitions(9, [3].into_iter())).is_empty());
}
