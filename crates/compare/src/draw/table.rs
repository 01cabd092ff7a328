//! The table of contenders, independent of the output format.

use std::collections::BTreeMap;

use super::show;

use crate::{Comparison, Contender, Cost, MedianInterval, PuzzleOutcome, PuzzleRun};

/// Header of the column that explains why a time is missing or partial.
pub(super) const NOTE: &str = "note";

/// A column: its header, the meaning of the header, and a cell for each contender of [`rows`].
pub(super) struct Column {
    pub(super) head: &'static str,
    pub(super) meaning: &'static str,
    pub(super) is_number: bool,
    pub(super) cells: Vec<TableCell>,
}

#[derive(Clone, Default)]
pub(super) struct TableCell {
    pub(super) text: String,
    /// Details of the cell: an interval, or the description of a contender.
    pub(super) detail: String,
    /// The value to sort by; cells without a value come last.
    pub(super) value: Option<f64>,
}

impl TableCell {
    fn number(text: String, value: f64) -> Self {
        Self { text, detail: String::new(), value: Some(value) }
    }

    fn text(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// Returns the indices of the contenders that accept the puzzles.
pub(super) fn rows(comparison: &Comparison) -> Vec<usize> {
    let contenders = comparison.contenders.iter().enumerate();
    contenders.filter(|(_, contender)| contender.refusal.is_none()).map(|(row, _)| row).collect()
}

pub(super) fn columns(comparison: &Comparison) -> Vec<Column> {
    let contenders: Vec<&Contender> =
        rows(comparison).into_iter().map(|row| &comparison.contenders[row]).collect();
    let best = contenders.first().filter(|best| best.is_finished() && comparison.mismatch.is_none());
    let number = |head, meaning, cell: &dyn Fn(&Contender) -> Option<TableCell>| {
        let cells = contenders.iter().map(|&contender| cell(contender).unwrap_or_default()).collect();
        Column { head, meaning, is_number: true, cells }
    };
    let name = |contender: &Contender| {
        Some(TableCell { detail: contender.summary.clone(), ..TableCell::text(contender.name.clone()) })
    };
    let columns = vec![
        Column { is_number: false, ..number("contender", "best first", &name) },
        number("time", "seconds of a round over all puzzles: the median, its interval", &time),
        number(
            "ratio",
            "how many times as long as the best: the quotient of the medians",
            &|contender| {
                let ratio = contender.ratio_to(best?).filter(|_| contender.is_finished())?;
                let detail = interval(&ratio, show::factor);
                Some(TableCell {
                    detail,
                    ..TableCell::number(format!("{}×", show::factor(ratio.median)), ratio.median)
                })
            },
        ),
        number("finished", "how many of the puzzles were finished", &|contender| {
            let done =
                contender.runs.iter().filter(|run| run.outcome == PuzzleOutcome::Finished).count();
            let is_shown = contenders.iter().any(|contender| !contender.is_finished());
            let text = show::group(&done.to_string());
            is_shown.then(|| TableCell::number(text, done as f64))
        }),
        number("CPU", "seconds of processors of a round, all threads together", &|contender| {
            let cpu = contender.median(|cost| cost.cpu)?;
            Some(TableCell::number(show::seconds(cpu), cpu))
        }),
        number("memory", "the most memory that the program took", &|contender| {
            let memory = costs(contender).filter_map(|cost| cost.memory).max()?;
            Some(TableCell::number(show::bytes(memory as f64), memory as f64))
        }),
        number("instructions", "instructions of a round", &|contender| {
            let count = contender.median(|cost| cost.instructions.map(|count| count as f64))?;
            Some(TableCell::number(show::group(&format!("{count:.0}")), count))
        }),
        number("nodes", "nodes of the search trees", &|contender| {
            Some(sum(contender, contender.nodes()?))
        }),
        number("updates", "records touched by the search", &|contender| {
            Some(sum(contender, contender.updates()?))
        }),
        number("solutions", "solutions found or counted", &|contender| {
            if contender.runs.is_empty() {
                return None;
            }
            let text = contender.solutions().to_string();
            let value = text.parse().unwrap_or(f64::INFINITY);
            Some(TableCell::number(show::number(&text) + plus(contender), value))
        }),
        Column {
            is_number: false,
            ..number(NOTE, "", &|contender| {
                note(contender, comparison.puzzles.len()).map(TableCell::text)
            })
        },
    ];
    columns.into_iter().filter(|column| column.cells.iter().any(|cell| !cell.text.is_empty())).collect()
}

fn costs(contender: &Contender) -> impl Iterator<Item = &Cost> {
    contender.rounds.iter().chain(contender.runs.iter().flat_map(|run| &run.costs))
}

fn time(contender: &Contender) -> Option<TableCell> {
    if let Some(time) = contender.time().filter(|_| contender.is_finished()) {
        let detail = interval(&time, show::seconds);
        return Some(TableCell {
            detail,
            ..TableCell::number(show::seconds(time.median), time.median)
        });
    }
    if contender.runs.iter().any(PuzzleRun::has_failed) {
        return None;
    }
    let spent: f64 = contender.runs.iter().filter_map(|run| Some(run.time()?.median)).sum();
    (spent > 0.0).then(|| TableCell::text(format!("> {}", show::seconds(spent))))
}

fn interval(estimate: &MedianInterval, show: fn(f64) -> String) -> String {
    let (low, high) = (estimate.low, estimate.high);
    if low >= high {
        return String::new();
    }
    let (low, high) = (show(low), show(high));
    match (low.split_once(' '), high.split_once(' ')) {
        (Some((value, unit)), Some((_, other))) if unit == other => format!("{value} to {high}"),
        _ => format!("{low} to {high}"),
    }
}

fn sum(contender: &Contender, sum: u64) -> TableCell {
    TableCell::number(show::group(&sum.to_string()) + plus(contender), sum as f64)
}

/// Returns `+` for a contender that did not finish, because its total time would be longer.
fn plus(contender: &Contender) -> &'static str {
    if contender.is_finished() { "" } else { "+" }
}

fn note(contender: &Contender, puzzle_count: usize) -> Option<String> {
    let mut ends: BTreeMap<String, (usize, &str)> = BTreeMap::new();
    for run in &contender.runs {
        let (end, reason) = match &run.outcome {
            PuzzleOutcome::Finished => continue,
            PuzzleOutcome::Limit(limit) => (format!("stopped by {limit}"), ""),
            PuzzleOutcome::Failed(reason) => ("failed".to_owned(), reason.as_str()),
            PuzzleOutcome::Wrong(reason) => ("wrong".to_owned(), reason.as_str()),
        };
        ends.entry(end).or_insert((0, reason)).0 += 1;
    }
    let mut notes = Vec::new();
    for (end, (count, reason)) in ends {
        let colon = if reason.is_empty() { "" } else { ": " };
        notes.push(format!("{end} on {}{colon}{reason}", show::count(count, "puzzle")));
    }
    let rest = puzzle_count.saturating_sub(contender.runs.len());
    if rest > 0 {
        notes.push(format!("{} not tried", show::count(rest, "puzzle")));
    }
    (!notes.is_empty()).then(|| notes.join("; "))
}
