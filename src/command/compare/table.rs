//! Prints a comparison as a table, the fastest contender first, with ratios and bars.

use std::ops::RangeInclusive;

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};

use compare::show::{group, seconds};
use compare::{Comparison, Contender, Difference, PuzzleOutcome, TimeChange};

/// Width of a table (columns) if standard output is not a terminal.
pub(super) const WIDTH: usize = 100;
const BAR: f64 = 8.0;
const GROWTH_COLUMNS: usize = 6;

/// Returns the table and, below it, a summary of the answers. Numbers are rounded if the table
/// would be wider than `width`.
pub(super) fn show(comparison: &Comparison, width: usize) -> String {
    let exact = table(comparison, group);
    let is_narrow = exact.lines().all(|line| line.chars().count() <= width);
    let table = if is_narrow { exact } else { table(comparison, round) };
    let growth = growth(comparison);
    format!("{table}{growth}\n{}{}\n", refusals(comparison), comparison.verdict())
}

/// Returns a table with the times of the fastest contenders for each size of a range, and the
/// growth of the times between sizes.
fn growth(comparison: &Comparison) -> String {
    let sizes = comparison.puzzles.iter().map(|puzzle| puzzle.size).collect::<Option<Vec<u64>>>();
    let Some(sizes) = sizes.filter(|sizes| sizes.len() > 1) else { return String::new() };
    let known = comparison.contenders.iter().filter(|contender| !contender.runs.is_empty());
    let shown: Vec<&Contender> = known.take(GROWTH_COLUMNS).collect();
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let names = shown.iter().map(|contender| contender.name.as_str());
    table.set_header(["size"].into_iter().chain(names));
    for (place, size) in sizes.iter().enumerate() {
        let time = |contender: &&Contender| {
            let Some(run) = contender.runs.get(place) else { return String::new() };
            let sign = if run.outcome == PuzzleOutcome::Finished { "" } else { "> " };
            run.time().map_or_else(String::new, |time| format!("{sign}{}", seconds(time.median)))
        };
        table.add_row([size.to_string()].into_iter().chain(shown.iter().map(time)));
    }
    let last = |contender: &&Contender| last_growth(contender).map_or_else(String::new, factor);
    table.add_row(["last step".to_owned()].into_iter().chain(shown.iter().map(last)));
    right_align(&mut table, 0..=shown.len());
    format!("\n{}", text(&table))
}

/// Returns the ratio of the median times for the last two sizes that the contender finished.
fn last_growth(contender: &Contender) -> Option<f64> {
    let finished = contender.runs.iter().take_while(|run| run.outcome == PuzzleOutcome::Finished);
    let times: Vec<f64> = finished.filter_map(|run| Some(run.time()?.median)).collect();
    let [.., before, last] = times[..] else { return None };
    Some(last / before)
}

/// Returns the changes since an earlier record, one line per contender.
pub(super) fn changes(changes: &[Difference]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["engine", "nodes", "", "updates", "", "time", "before", ""]);
    for Difference { name, nodes, updates, time, pace } in changes {
        let count = |counts: &Option<[u64; 2]>| {
            counts.map_or_else(String::new, |[_, now]| group(&now.to_string()))
        };
        let change = |counts: &Option<[u64; 2]>| match counts {
            None => String::new(),
            Some([before, now]) if before == now => "same".to_owned(),
            Some([before, now]) => {
                format!("{:+.2}%", 100.0 * (*now as f64 / (*before).max(1) as f64 - 1.0))
            }
        };
        let [before, now] = match time {
            Some(times) => times.map(|time| seconds(time.median)),
            None => Default::default(),
        };
        let ratio = time.map_or(1.0, |[before, now]| before.median / now.median);
        let pace = match pace {
            TimeChange::Faster => format!("{ratio:.2} times as fast"),
            TimeChange::Slower => format!("{:.2} times as slow", 1.0 / ratio),
            TimeChange::Same => "same within the noise".to_owned(),
            TimeChange::Unknown if time.is_some() => "on another machine".to_owned(),
            TimeChange::Unknown => "not done both times".to_owned(),
        };
        table.add_row([
            name.clone(),
            count(nodes),
            change(nodes),
            count(updates),
            change(updates),
            now,
            before,
            pace,
        ]);
    }
    right_align(&mut table, 1..=6);
    text(&table)
}

fn right_align(table: &mut Table, columns: RangeInclusive<usize>) {
    for place in columns {
        if let Some(column) = table.column_mut(place) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

fn text(table: &Table) -> String {
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    lines.concat()
}

/// Lists the contenders that do not support the puzzles, one line per reason.
fn refusals(comparison: &Comparison) -> String {
    let refusals = comparison.refusals();
    refusals.iter().map(|(reason, names)| format!("{}: {reason}\n", names.join(", "))).collect()
}

fn table(comparison: &Comparison, number: fn(&str) -> String) -> String {
    let contenders = &comparison.contenders;
    let best = contenders.first().filter(|contender| contender.is_finished());
    let ratio = |contender: &Contender| {
        best.filter(|_| contender.is_finished()).and_then(|best| contender.ratio_to(best))
    };
    let has_programs = contenders.iter().any(|contender| contender.is_program);
    let worst = contenders.iter().filter_map(ratio).map(|ratio| ratio.median).fold(1.0, f64::max);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let mut head = vec!["engine", "time", "+-", "ratio", ""];
    if has_programs {
        head.extend(["cpu", "memory"]);
    }
    head.extend(["nodes", "updates", "solutions", ""]);
    table.set_header(head.clone());
    for contender in contenders.iter().filter(|contender| contender.refusal.is_none()) {
        let time = contender.time().filter(|_| contender.is_finished());
        let stopped =
            contender.runs.iter().flat_map(|run| &run.costs).map(|cost| cost.wall).sum::<f64>();
        let is_known = !contender.runs.is_empty();
        let ratio = ratio(contender);
        let mut row = vec![contender.name.clone()];
        row.push(match time {
            Some(time) => seconds(time.median),
            None if is_known && stopped > 0.0 => format!("> {}", seconds(stopped)),
            None => String::new(),
        });
        row.push(time.map_or_else(String::new, |time| percent(time.spread())));
        row.push(ratio.map_or_else(String::new, |ratio| factor(ratio.median)));
        row.push(ratio.map_or_else(String::new, |ratio| bar(ratio.median, worst)));
        if has_programs {
            let cpu = contender.median(|cost| cost.cpu).filter(|_| time.is_some());
            let memory = contender.rounds.iter().filter_map(|cost| cost.memory).max();
            row.push(cpu.map_or_else(String::new, seconds));
            row.push(
                memory.map_or_else(String::new, |bytes| format!("{} MB", bytes.div_ceil(1 << 20))),
            );
        }
        let shown =
            |count: Option<u64>| count.map_or_else(String::new, |count| number(&count.to_string()));
        row.push(shown(contender.nodes()));
        row.push(shown(contender.updates()));
        let plus = if contender.is_finished() { "" } else { "+" };
        let solutions = contender.solutions().to_string();
        row.push(if is_known { number(&solutions) + plus } else { String::new() });
        row.push(note(contender));
        table.add_row(row);
    }
    for (place, name) in head.iter().enumerate().skip(1) {
        if let Some(column) = table.column_mut(place).filter(|_| !name.is_empty()) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    text(&table)
}

/// Returns the reason why a contender did not finish.
fn note(contender: &Contender) -> String {
    if let Some(refusal) = &contender.refusal {
        return refusal.clone();
    }
    let last = contender.runs.iter().find(|run| run.outcome != PuzzleOutcome::Finished);
    let done = contender.runs.iter().filter(|run| run.outcome == PuzzleOutcome::Finished).count();
    let of = if contender.runs.len() > 1 || !contender.is_complete {
        format!(", {done} done")
    } else {
        String::new()
    };
    match last.map(|run| &run.outcome) {
        Some(PuzzleOutcome::Limit(limit)) if limit == "interrupted" => format!("interrupted{of}"),
        Some(PuzzleOutcome::Limit(limit)) => format!("stopped by --{limit}{of}"),
        Some(PuzzleOutcome::Failed(why) | PuzzleOutcome::Wrong(why)) => format!("{why}{of}"),
        _ if !contender.is_complete => format!("interrupted{of}"),
        _ => String::new(),
    }
}

pub(super) fn as_json(contender: &Contender, best: Option<&Contender>) -> Value {
    let state = match note(contender) {
        note if note.is_empty() => "finished".to_owned(),
        note => note,
    };
    let time = contender.time();
    let ratio = best.filter(|_| contender.is_finished()).and_then(|best| contender.ratio_to(best));
    json!({
        "engine": contender.name,
        "seconds": time.map(|time| time.median),
        "interval": time.map(|time| [time.low, time.high]),
        "ratio": ratio.map(|ratio| ratio.median),
        "ratio_interval": ratio.map(|ratio| [ratio.low, ratio.high]),
        "rounds": contender.rounds.len(),
        "cpu_seconds": contender.median(|cost| cost.cpu),
        "instructions": contender.median(|cost| cost.instructions.map(|count| count as f64)),
        "cycles": contender.median(|cost| cost.cycles.map(|count| count as f64)),
        "memory": contender.rounds.iter().filter_map(|cost| cost.memory).max(),
        "nodes": contender.nodes(),
        "updates": contender.updates(),
        "count": contender.solutions().to_string(),
        "complete": contender.is_finished(),
        "state": state,
    })
}

/// Returns a bar whose length shows a time ratio, on a logarithmic scale from 1 to `worst`.
fn bar(ratio: f64, worst: f64) -> String {
    let length = 1.0 + (BAR - 1.0) * ratio.max(1.0).ln() / worst.ln().max(f64::MIN_POSITIVE);
    "#".repeat(length.round().min(BAR) as usize)
}

fn factor(ratio: f64) -> String {
    match ratio {
        ratio @ ..100.0 => format!("{ratio:.2}x"),
        ratio @ ..10_000.0 => format!("{ratio:.0}x"),
        ratio => format!("{}x", round(&format!("{ratio:.0}"))),
    }
}

fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    if percent < 10.0 { format!("{percent:.1}%") } else { format!("{percent:.0}%") }
}

/// Rounds a whole number to at most four digits and a unit such as `k`.
fn round(digits: &str) -> String {
    const UNITS: [&str; 6] = ["", "k", "M", "G", "T", "P"];
    if digits.len() <= 5 {
        return group(digits);
    }
    let power = (digits.len() - 1) / 3;
    let Some(unit) = UNITS.get(power) else {
        return format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1);
    };
    let whole = digits.len() - 3 * power;
    format!("{}.{}{unit}", &digits[..whole], &digits[whole..=whole])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_tables_are_abbreviated() {
        let shown = ["0", "99999", "123456", "1234567", "6670903752021072936960"].map(round);
        assert_eq!(shown, ["0", "99,999", "123.4k", "1.2M", "6.67e21"]);
        assert_eq!([1.0, 99.99, 123.4, 1_234_567.0].map(factor), ["1.00x", "99.99x", "123x", "1.2Mx"]);
        assert_eq!([0.0123, 0.5].map(percent), ["1.2%", "50%"]);
        assert_eq!(
            [bar(1.0, 1.0), bar(1.0, 9.0), bar(9.0, 9.0), bar(3.0, 9.0)],
            ["#", "#", "########", "#####"]
        );
    }
}
