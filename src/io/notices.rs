//! Limits the notices about single puzzles on standard error. The first few of each kind are shown
//! in full, and the others are only counted.

use compare::show;
use puzzle::Puzzle;

/// Number of notices of each kind shown in full.
const SHOWN: u64 = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    Unread,
    /// The command cannot solve or show the puzzle.
    Unfit,
    Cut,
    /// The puzzle can be solved but contains an oddity.
    Odd,
    /// Columns of a table that are not written; each list of columns is shown once.
    Columns,
    /// Output that the user requested, which is always shown.
    Asked,
}

/// For each kind of notice, the summary of the notices not shown.
const REST: [(About, &str); 4] = [
    (About::Unread, "could not be read"),
    (About::Unfit, "could not be solved like this"),
    (About::Cut, "stopped by a limit"),
    (About::Odd, "with options that are never chosen or have no cost"),
];

/// Maximum number of lists of columns that are shown.
const LISTS_MAX: usize = 10;

#[derive(Clone, Debug, Default)]
pub(crate) struct NoticeCounts {
    /// The number of notices of each kind in [`REST`].
    counts: [u64; REST.len()],
    /// The notices about columns so far.
    columns: Vec<String>,
}

impl NoticeCounts {
    /// Counts a notice, and returns whether to show it.
    pub(crate) fn add(&mut self, about: About) -> bool {
        let Some(index) = REST.iter().position(|(kind, _)| *kind == about) else { return true };
        self.counts[index] += 1;
        self.counts[index] <= SHOWN
    }

    /// Prints a notice, or only counts it after the first ones of its kind.
    pub(crate) fn print(&mut self, about: About, text: &str) {
        if self.add(about) && (about != About::Columns || self.is_new(text)) {
            say!("{}", text.trim_end());
        }
    }

    /// Returns the notice about the columns of a puzzle that the format `to` does not hold, the
    /// first time.
    pub(crate) fn lost_columns(&mut self, puzzle: &dyn Puzzle, to: &str) -> Option<String> {
        let row = puzzle.as_fill()?.grid().row().filter(|_| to != "csv")?;
        let others = row.others().join(", ");
        let notice = format!("not written, since the format {to} holds no columns: {others}");
        (!others.is_empty() && self.is_new(&notice)).then_some(notice)
    }

    /// Remembers a notice about columns and returns whether to show it.
    fn is_new(&mut self, notice: &str) -> bool {
        let is_new = self.columns.len() < LISTS_MAX && self.columns.iter().all(|known| known != notice);
        if is_new {
            self.columns.push(notice.to_owned());
        }
        is_new
    }

    pub(crate) fn end(&self) {
        for (count, (_, what)) in self.counts.iter().zip(REST) {
            if let Some(more @ 1..) = count.checked_sub(SHOWN) {
                say!("... and {} {what}", show::count(more, "more puzzle"));
            }
        }
    }
}
