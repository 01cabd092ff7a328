//! Random small problems: with secondary items, colors, bounds and idle options, and in any order,
//! since generators that always write alike miss what depends on order.

use dlx::{Entry, ItemId, OptionId, Problem, ProblemBuilder};
use fastrand::Rng;

/// What a random problem may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    pub(crate) has_colors: bool,
    pub(crate) has_bounds: bool,
}

/// Every combination of features.
pub(crate) const ALL_FEATURES: [Features; 4] = [
    Features { has_colors: false, has_bounds: false },
    Features { has_colors: true, has_bounds: false },
    Features { has_colors: false, has_bounds: true },
    Features { has_colors: true, has_bounds: true },
];

/// Makes a problem with at most a dozen options.
pub(crate) fn problem(rng: &mut Rng, features: Features) -> Problem {
    let mut builder = ProblemBuilder::new();
    let primary_count = rng.usize(1..=5);
    let secondary_count = rng.usize(0..=3);
    // Primary and secondary items need not come in that order.
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
    // A problem without colors takes another path than one with colors that it does not use.
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

/// Draws up to four options, perhaps the same one twice.
pub(crate) fn given(rng: &mut Rng, problem: &Problem) -> Vec<OptionId> {
    let count = problem.option_count();
    let wanted = if count == 0 { 0 } else { [0, 0, 1, 1, 2, 3, 4][rng.usize(0..7)] };
    (0..wanted).map(|_| OptionId::new(rng.usize(0..count))).collect()
}

/// Gives costs to the options of a problem: small ones, so that many covers cost the same, or large ones,
/// or such that 64 bits do not hold their sum; or to some options only.
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
