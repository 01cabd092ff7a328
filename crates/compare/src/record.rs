//! Comparisons as records in files, and the changes since a record.
//!
//! Nodes and updates are counted exactly, so a difference comes from the algorithm; they are
//! compared first. Times are compared by their intervals, and only if both runs used the same
//! processor. Even then the times of a whole run may differ from those of another by some percent.

use super::{Comparison, Contender, MedianInterval};

/// Largest ratio of the times of two runs of the same program that counts as equal.
const DRIFT: f64 = 1.1;

impl Comparison {
    /// Returns the comparison as the text of a record.
    #[must_use]
    pub fn to_record(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data can be written") + "\n"
    }

    /// Parses a record.
    ///
    /// # Errors
    /// The expected input, and the position of the error.
    pub fn from_record(text: &str) -> Result<Self, String> {
        serde_json::from_str(text)
            .map_err(|error| format!("expected a record of a comparison: {error}"))
    }

    /// Returns the change of each contender since a record of the same puzzles.
    ///
    /// # Errors
    /// If the two records have different puzzles.
    pub fn changes_since(&self, record: &Self) -> Result<Vec<Difference>, String> {
        let (now, before) = (self.puzzles.len(), record.puzzles.len());
        if now != before {
            return Err(format!("the record is of {before} puzzles, these are {now}"));
        }
        for (number, (now, before)) in self.puzzles.iter().zip(&record.puzzles).enumerate() {
            if (&now.kind, now.items, now.options) != (&before.kind, before.items, before.options) {
                return Err(format!(
                    "puzzle {} is another one than in the record: {} items and {} options, then {} \
                     and {}",
                    number + 1,
                    now.items,
                    now.options,
                    before.items,
                    before.options
                ));
            }
        }
        let is_same_processor = self.machine.processor == record.machine.processor;
        let mut changes = Vec::new();
        for now in &self.contenders {
            let Some(before) = record.contenders.iter().find(|before| before.name == now.name) else {
                continue;
            };
            changes.push(Difference::new(now, before, is_same_processor));
        }
        Ok(changes)
    }
}

/// The change of a contender since a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Name of the contender.
    pub name: String,
    /// Node counts of the earlier and the current run, if both are known.
    pub nodes: Option<[u64; 2]>,
    /// Update counts of the earlier and the current run, if both are known.
    pub updates: Option<[u64; 2]>,
    /// Times of a round in the earlier and the current run, if both are known.
    pub time: Option<[MedianInterval; 2]>,
    /// How the time changed.
    pub pace: TimeChange,
}

/// How a time changed between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeChange {
    /// The new interval lies below the old one, by more than two runs of the same program differ.
    Faster,
    /// The new interval lies above the old one, by more than two runs of the same program differ.
    Slower,
    /// The intervals are too close for a change.
    Same,
    /// One of the times is missing, or the runs used different processors.
    Unknown,
}

impl Difference {
    fn new(now: &Contender, before: &Contender, is_same_processor: bool) -> Self {
        let both = |count: fn(&Contender) -> Option<u64>| Some([count(before)?, count(now)?]);
        let is_whole = now.is_finished() && before.is_finished();
        let time =
            before.time().zip(now.time()).filter(|_| is_whole).map(|(before, now)| [before, now]);
        let pace = match time {
            Some([before, now]) if is_same_processor => {
                if now.high * DRIFT < before.low {
                    TimeChange::Faster
                } else if now.low > before.high * DRIFT {
                    TimeChange::Slower
                } else {
                    TimeChange::Same
                }
            }
            _ => TimeChange::Unknown,
        };
        Self {
            name: now.name.clone(),
            nodes: both(Contender::nodes).filter(|_| is_whole),
            updates: both(Contender::updates).filter(|_| is_whole),
            time,
            pace,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cost, PuzzleInfo, PuzzleRun};
    use super::*;

    fn comparison(nodes: u64, times: [f64; 3]) -> Comparison {
        let run = PuzzleRun { nodes: Some(nodes), solutions: "1".to_owned(), ..PuzzleRun::default() };
        let rounds = times.map(|wall| Cost { wall, ..Cost::default() }).to_vec();
        let contender = Contender {
            name: "a".to_owned(),
            runs: vec![run],
            is_complete: true,
            rounds,
            ..Contender::default()
        };
        let puzzles = vec![PuzzleInfo { items: 3, options: 4, ..PuzzleInfo::default() }];
        Comparison { contenders: vec![contender], puzzles, ..Comparison::default() }
    }

    #[test]
    fn a_record_reads_back_as_the_same_comparison() {
        let comparison = comparison(5, [1.0, 0.1, 1e-9]);
        assert_eq!(Comparison::from_record(&comparison.to_record()), Ok(comparison));
        assert!(Comparison::from_record("[]").unwrap_err().contains("line 1 column"));
    }

    #[test]
    fn changes_compare_counts_exactly_and_times_by_their_intervals() {
        let record = comparison(5, [1.0, 1.1, 1.2]);
        let since = |now: &Comparison| now.changes_since(&record).unwrap().remove(0);
        assert_eq!(since(&record).pace, TimeChange::Same);
        let faster = since(&comparison(4, [0.89, 0.8, 0.7]));
        assert_eq!(
            (faster.nodes, faster.updates, faster.pace),
            (Some([5, 4]), None, TimeChange::Faster)
        );
        assert_eq!(since(&comparison(5, [1.3, 1.3, 1.3])).pace, TimeChange::Same);
        assert_eq!(since(&comparison(5, [1.4, 1.4, 1.9])).pace, TimeChange::Slower);
        let mut elsewhere = comparison(5, [0.1, 0.1, 0.1]);
        elsewhere.machine.processor = "another".to_owned();
        assert_eq!(since(&elsewhere).pace, TimeChange::Unknown);
        elsewhere.puzzles[0].items = 9;
        assert!(elsewhere.changes_since(&record).is_err());
    }
}
