//! Small random problems with secondary items, colors, bounds and unused items. Items and options
//! come in random order, because a fixed order would hide bugs that depend on it.

use dlx::engine::Naive;
use dlx::{BigUint, Engine, Entry, ItemId, Limits, OptionId, Problem, ProblemBuilder};
use fastrand::Rng;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    pub(crate) has_colors: bool,
    pub(crate) has_bounds: bool,
}

pub(crate) const ALL_FEATURES: [Features; 4] = [
    Features { has_colors: false, has_bounds: false },
    Features { has_colors: true, has_bounds: false },
    Features { has_colors: false, has_bounds: true },
    Features { has_colors: true, has_bounds: true },
];

pub(crate) fn problem(rng: &mut Rng, features: Features) -> Problem {
    let mut builder = ProblemBuilder::new();
    let primary_count = rng.usize(1..=5);
    let secondary_count = rng.usize(0..=3);
    // Primary and secondary items are interleaved.
    let mut is_primary: Vec<bool> =
        (0..primary_count + secondary_count).map(|i| i < primary_count).collect();
    rng.shuffle(&mut is_primary);
    let items: Vec<ItemId> = is_primary
        .iter()
        .enumerate()
        .map(|(index, &is_primary)| {
            let name = format!("i{index}");
            if !is_primary {
                builder.secondary(&name).expect("in order")
            } else if features.has_bounds && rng.bool() {
                let low = rng.u32(0..=2);
                builder.bounded(&name, low, low + rng.u32(0..=2)).expect("in order")
            } else {
                builder.primary(&name).expect("in order")
            }
        })
        .collect();
    // Problems without colors take another code path than problems with unused colors.
    let names: &[&str] = if features.has_colors { &["red", "blue"] } else { &[] };
    let colors: Vec<_> = names.iter().map(|name| builder.color(name).expect("in order")).collect();
    for _ in 0..rng.usize(0..=12) {
        let mut chosen = items.clone();
        rng.shuffle(&mut chosen);
        chosen.truncate(rng.usize(1..=4.min(items.len())));
        let entries: Vec<Entry> = chosen
            .into_iter()
            .map(|item| {
                if features.has_colors && !is_primary[item.index()] && rng.u8(0..4) > 0 {
                    item.with(colors[rng.usize(0..2)])
                } else {
                    item.into()
                }
            })
            .collect();
        builder.option(entries).expect("in order");
    }
    builder.build()
}

/// Builds a problem of two or three independent parts whose options are interleaved. Some items of
/// a part always occur together, and some options are identical.
pub(crate) fn parts(rng: &mut Rng, features: Features) -> Problem {
    let mut builder = ProblemBuilder::new();
    let names: &[&str] = if features.has_colors { &["red", "blue"] } else { &[] };
    let colors: Vec<_> = names.iter().map(|name| builder.color(name).expect("in order")).collect();
    let mut options: Vec<Vec<Entry>> = Vec::new();
    for part in 0..rng.usize(2..=3) {
        let primary_count = rng.usize(1..=3);
        let items: Vec<ItemId> = (0..primary_count + rng.usize(0..=2))
            .map(|index| {
                let name = format!("p{part}i{index}");
                let low = rng.u32(0..=2);
                let item = match index < primary_count {
                    true if features.has_bounds && rng.u8(0..3) == 0 => {
                        builder.bounded(&name, low, low + rng.u32(0..=2))
                    }
                    true => builder.primary(&name),
                    false => builder.secondary(&name),
                };
                item.expect("in order")
            })
            .collect();
        let mut drawn: Vec<Vec<Entry>> = Vec::new();
        for _ in 0..rng.usize(1..=5) {
            let mut chosen = items.clone();
            rng.shuffle(&mut chosen);
            chosen.truncate(rng.usize(1..=3.min(items.len())));
            let color = |item: ItemId| match colors[..] {
                [red, blue] if item.index() >= items[0].index() + primary_count && rng.u8(0..4) > 0 => {
                    item.with([red, blue][rng.usize(0..2)])
                }
                _ => item.into(),
            };
            drawn.push(chosen.into_iter().map(color).collect());
        }
        for _ in 0..rng.usize(0..=2) {
            let mut twin = drawn[rng.usize(0..drawn.len())].clone();
            rng.shuffle(&mut twin);
            drawn.push(twin);
        }
        // A companion of an item occurs in all or almost all options of this item.
        if rng.bool() {
            let name = format!("p{part}twin");
            let companion = items[rng.usize(0..items.len())];
            let is_primary = companion.index() < items[0].index() + primary_count;
            let twin = if is_primary && rng.bool() {
                builder.primary(&name)
            } else {
                builder.secondary(&name)
            };
            let twin = twin.expect("in order");
            let is_strict = rng.bool();
            for option in &mut drawn {
                let entry = option.iter().find(|entry| entry.item == companion).copied();
                if let Some(entry) = entry.filter(|_| is_strict || rng.u8(0..4) > 0) {
                    option.push(Entry { item: twin, ..entry });
                }
            }
        }
        options.extend(drawn);
    }
    rng.shuffle(&mut options);
    for option in options {
        builder.option(option).expect("in order");
    }
    builder.build()
}

pub(crate) fn given(rng: &mut Rng, problem: &Problem) -> Vec<OptionId> {
    let count = problem.option_count();
    let wanted = if count == 0 { 0 } else { [0, 0, 1, 1, 2, 3, 4][rng.usize(0..7)] };
    (0..wanted).map(|_| OptionId::new(rng.usize(0..count))).collect()
}

/// Draws a problem with given options, and returns its number of covers according to the oracle.
pub(crate) fn drawn(round: usize, rng: &mut Rng) -> (Problem, Vec<OptionId>, BigUint) {
    let make = if round.is_multiple_of(3) { parts } else { problem };
    let drawn = make(rng, ALL_FEATURES[round % ALL_FEATURES.len()]);
    let given = given(rng, &drawn);
    let expected = Naive::new(&drawn).count(&given, &Limits::new()).total();
    (drawn, given, expected)
}

/// Assigns costs to all or some options. The costs are small, so that many covers cost the same, or
/// large, or have sums beyond 64 bits.
pub(crate) fn priced(rng: &mut Rng, problem: &Problem) -> Problem {
    let mut lines: Vec<String> = dlx::text::write(problem).lines().map(str::to_owned).collect();
    let largest = [3, 9, 99, 1 << 40, u64::MAX][rng.usize(0..5)];
    let unit = if largest == u64::MAX { 1 } else { rng.u64(1..=3) };
    for line in &mut lines[1..] {
        if rng.u8(0..8) > 0 {
            line.push_str(&format!(" |{}", rng.u64(0..=largest) * unit));
        }
    }
    lines.join("\n").parse().expect("costs leave the text in order")
}
