//! Draws random problems with every feature from bytes.

use dlx::{Color, Entry, ItemId, OptionId, Problem, ProblemBuilder};

use crate::bytes::Bytes;

const SOUND: &str = "what is drawn is in order";

/// Draws a problem of at most sixteen options. The problem has interleaved secondary items, colors,
/// bounds (some without effect), costs, identical options, equivalent items, and options without a
/// primary item.
#[must_use]
pub fn small(bytes: &mut Bytes<'_>) -> Problem {
    let mut builder = ProblemBuilder::new();
    let (primary, secondary) = (1 + bytes.below(6), bytes.below(4));
    let has_bounds = bytes.once_in(3);
    let colors = colors(&mut builder, bytes.below(4));
    let turn = bytes.below(primary + secondary);
    let items: Vec<(ItemId, bool)> = (0..primary + secondary)
        .map(|place| {
            let is_primary = (place + turn) % (primary + secondary) < primary;
            let name = format!("i{place}");
            (item(&mut builder, &name, is_primary, has_bounds, bytes), is_primary)
        })
        .collect();
    let mut drawn: Vec<Vec<Entry>> = Vec::new();
    for _ in 0..bytes.below(17) {
        if !drawn.is_empty() && bytes.once_in(5) {
            // Repeat an earlier option with its entries rotated, possibly with one item more or
            // less.
            let mut again = drawn[bytes.below(drawn.len())].clone();
            let turn = bytes.below(again.len());
            again.rotate_left(turn);
            if again.len() > 1 && bytes.once_in(2) {
                again.pop();
            }
            drawn.push(again);
            continue;
        }
        let mut option: Vec<Entry> = Vec::new();
        for _ in 0..=bytes.below(4) {
            let (item, is_primary) = items[bytes.below(items.len())];
            if option.iter().all(|entry| entry.item != item) {
                option.push(entry(item, is_primary, &colors, bytes));
            }
        }
        drawn.push(option);
    }
    if !drawn.is_empty() && bytes.once_in(2) {
        let (other, other_is_primary) = items[bytes.below(items.len())];
        let is_primary = other_is_primary && bytes.once_in(2);
        let twin = item(&mut builder, "twin", is_primary, has_bounds, bytes);
        let is_strict = bytes.once_in(2);
        for option in &mut drawn {
            let found = option.iter().find(|entry| entry.item == other).copied();
            if let Some(entry) = found.filter(|_| is_strict || !bytes.once_in(4)) {
                option.push(Entry { item: twin, ..entry });
            }
        }
    }
    finish(builder, drawn, bytes)
}

/// Draws a problem of 50 to 300 options with the features of [`small`]. Each option covers nearby
/// items in a row of items, so that covers are likely.
#[must_use]
pub fn large(bytes: &mut Bytes<'_>) -> Problem {
    let mut builder = ProblemBuilder::new();
    let wanted = 50 + bytes.below(251);
    // Few items (three options per item) give many covers. Many options per item (nine or more)
    // usually give none.
    let primary = (wanted / (3 + bytes.below(7))).max(6);
    let secondary = bytes.below(primary / 2);
    let (has_bounds, window) = (bytes.once_in(4), 3 + bytes.below(5));
    // Long options conflict with many others, which exhausts the budget of the reductions.
    let (longest, window) = if bytes.once_in(4) { (window, primary + secondary) } else { (4, window) };
    let colors = colors(&mut builder, bytes.below(4));
    let items: Vec<(ItemId, bool)> = (0..primary + secondary)
        .map(|place| {
            let is_primary = (place + 1) * secondary / (primary + secondary)
                == place * secondary / (primary + secondary);
            let has_bounds = has_bounds && bytes.once_in(4);
            let name = format!("i{place}");
            (item(&mut builder, &name, is_primary, has_bounds, bytes), is_primary)
        })
        .collect();
    // The input is too short for all options, so it seeds a random number generator.
    let mut random = dlx::Random::new(bytes.number());
    let drawn: Vec<u8> = (0..wanted * 16).flat_map(|_| random.next_u64().to_le_bytes()).collect();
    let mut bytes = Bytes::new(&drawn);
    let mut options: Vec<Vec<Entry>> = Vec::new();
    for place in 0..wanted {
        if place > 0 && bytes.once_in(12) {
            options.push(options[bytes.below(options.len())].clone());
            continue;
        }
        let first = if place < items.len() { place } else { bytes.below(items.len()) };
        let mut option: Vec<Entry> = Vec::new();
        for step in 0..=bytes.below(longest) {
            let (item, is_primary) =
                items[(first + if step > 0 { bytes.below(window) } else { 0 }) % items.len()];
            if option.iter().all(|entry| entry.item != item) {
                option.push(entry(item, is_primary, &colors, &mut bytes));
            }
        }
        options.push(option);
    }
    finish(builder, options, &mut bytes)
}

/// Draws up to three options of a problem, possibly with repetitions.
pub fn options(bytes: &mut Bytes<'_>, problem: &Problem) -> Vec<OptionId> {
    let wanted = [0, 0, 0, 1, 1, 1, 2, 3][bytes.below(8)];
    let wanted = if problem.option_count() == 0 { 0 } else { wanted };
    (0..wanted).map(|_| OptionId::new(bytes.below(problem.option_count()))).collect()
}

fn colors(builder: &mut ProblemBuilder, count: usize) -> Vec<Color> {
    (0..count).map(|number| builder.color(&format!("c{number}")).expect(SOUND)).collect()
}

fn item(
    builder: &mut ProblemBuilder,
    name: &str,
    is_primary: bool,
    has_bounds: bool,
    bytes: &mut Bytes<'_>,
) -> ItemId {
    if !is_primary {
        builder.secondary(name).expect(SOUND)
    } else if has_bounds && bytes.once_in(2) {
        let low = bytes.below(4) as u32;
        let high = low.saturating_add([0, 1, 2, u32::MAX][bytes.below(4)]);
        builder.bounded(name, low, high).expect(SOUND)
    } else {
        builder.primary(name).expect(SOUND)
    }
}

fn entry(item: ItemId, is_primary: bool, colors: &[Color], bytes: &mut Bytes<'_>) -> Entry {
    match bytes.below(4) {
        kind @ 1.. if !is_primary && !colors.is_empty() => item.with(colors[kind % colors.len()]),
        _ => item.into(),
    }
}

fn finish(mut builder: ProblemBuilder, options: Vec<Vec<Entry>>, bytes: &mut Bytes<'_>) -> Problem {
    let largest = [0, 0, 0, 3, 99, 1 << 40, u64::MAX][bytes.below(7)];
    for option in options {
        let option = builder.option(option).expect(SOUND);
        if largest > 0 && !bytes.once_in(8) {
            let drawn = if largest > 256 { bytes.number() } else { bytes.byte().into() };
            let cost = if largest == u64::MAX { drawn } else { drawn % (largest + 1) };
            builder.set_cost(option, cost);
        }
    }
    builder.build()
}
