//! CSV export, with a row for each contender and puzzle.

use crate::{Comparison, Contender, MedianInterval, PuzzleInfo, PuzzleOutcome, PuzzleRun};

const COLUMNS: [&str; 19] = [
    "contender",
    "puzzle",
    "kind",
    "size",
    "items",
    "options",
    "outcome",
    "reason",
    "solutions",
    "digest",
    "nodes",
    "updates",
    "seconds",
    "seconds_low",
    "seconds_high",
    "cpu_seconds",
    "instructions",
    "memory_bytes",
    "searches",
];

/// Returns a header and one row for each contender and puzzle, grouped by contender.
///
/// Every contender has a row for every puzzle, so that rows can be pivoted. The column `outcome` is
/// `finished`, `limit`, `failed`, `wrong` (details in `reason`), `refused` if the contender does
/// not accept the puzzles, or `missing` if the contender was stopped before this puzzle. The column
/// `seconds` is the median of `searches` times, with its interval. For an unfinished puzzle it is
/// the time until the contender was stopped. Unknown fields are empty. The CSV has no sums over
/// puzzles; the times of whole rounds are in the JSON.
///
/// ```
/// use compare::{Comparison, export};
///
/// assert!(export::csv(&Comparison::default()).starts_with("contender,puzzle,kind,size,"));
/// ```
#[must_use]
pub fn csv(comparison: &Comparison) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |record: &[String]| {
        writer.write_record(record).expect("records of the same length go into memory");
    };
    write(&COLUMNS.map(str::to_owned));
    for contender in &comparison.contenders {
        for (index, puzzle) in comparison.puzzles.iter().enumerate() {
            write(&row(contender, puzzle, contender.runs.get(index)));
        }
    }
    let bytes = writer.into_inner().expect("flushing into memory does not fail");
    String::from_utf8(bytes).expect("all fields are text")
}

fn row(contender: &Contender, puzzle: &PuzzleInfo, run: Option<&PuzzleRun>) -> [String; COLUMNS.len()] {
    let (outcome, reason) = match (&contender.refusal, run.map(|run| &run.outcome)) {
        (Some(refusal), _) => ("refused", refusal.as_str()),
        (None, None) => ("missing", ""),
        (None, Some(PuzzleOutcome::Finished)) => ("finished", ""),
        (None, Some(PuzzleOutcome::Limit(limit))) => ("limit", limit.as_str()),
        (None, Some(PuzzleOutcome::Failed(reason))) => ("failed", reason.as_str()),
        (None, Some(PuzzleOutcome::Wrong(reason))) => ("wrong", reason.as_str()),
    };
    let run = run.filter(|_| contender.refusal.is_none());
    let costs = run.map_or(&[][..], |run| &run.costs);
    let time = run.and_then(PuzzleRun::time);
    let median =
        |values: &mut dyn Iterator<Item = f64>| MedianInterval::of(values).map(|values| values.median);
    let instructions = costs.iter().filter_map(|cost| cost.instructions).map(|count| count as f64);
    [
        contender.name.clone(),
        puzzle.name.clone(),
        puzzle.kind.clone(),
        text(puzzle.size),
        puzzle.items.to_string(),
        puzzle.options.to_string(),
        outcome.to_owned(),
        reason.to_owned(),
        run.map_or_else(String::new, |run| run.solutions.clone()),
        text(run.and_then(|run| run.digest.clone())),
        text(run.and_then(|run| run.nodes)),
        text(run.and_then(|run| run.updates)),
        text(time.map(|time| time.median)),
        text(time.map(|time| time.low)),
        text(time.map(|time| time.high)),
        text(median(&mut costs.iter().filter_map(|cost| cost.cpu))),
        text(median(&mut { instructions }).map(f64::round)),
        text(costs.iter().filter_map(|cost| cost.memory).max()),
        costs.len().to_string(),
    ]
}

fn text(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn every_contender_has_a_row_for_every_puzzle() {
        for (name, comparison) in samples::all() {
            let text = csv(&comparison);
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let rows = reader.records().map(Result::unwrap).count();
            assert_eq!(rows, comparison.contenders.len() * comparison.puzzles.len(), "{name}");
        }
    }

    #[test]
    fn csv_output_preserves_names_with_special_characters() {
        let comparison = samples::strange_names();
        let text = csv(&comparison);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let first = reader.records().next().unwrap().unwrap();
        assert_eq!(first[0], comparison.contenders[0].name);
        assert_eq!(first[1], comparison.puzzles[0].name);
    }
}
