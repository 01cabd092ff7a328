//! What is said of single puzzles on standard error: of each kind the first few in full, the others as
//! a number.

use compare::show;

/// The most notices of a kind that are shown in full.
const SHOWN: u64 = 10;

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// A puzzle that is not in order.
    Unread,
    /// A puzzle that what was asked for cannot solve or show.
    Unfit,
    /// A search that was stopped by a limit.
    Cut,
    /// Something odd about a puzzle that can be solved.
    Odd,
    /// What was asked for, and is never left out.
    Asked,
}

/// How the others of each kind are counted.
const REST: [(About, &str); 4] = [
    (About::Unread, "could not be read"),
    (About::Unfit, "could not be solved like this"),
    (About::Cut, "stopped by a limit"),
    (About::Odd, "with options that are never chosen or have no cost"),
];

/// How many notices there were of each kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoticeCounts([u64; REST.len()]);

impl NoticeCounts {
    /// Counts a notice, and tells whether it is to be shown.
    pub(crate) fn add(&mut self, about: About) -> bool {
        let Some(index) = REST.iter().position(|(kind, _)| *kind == about) else { return true };
        self.0[index] += 1;
        self.0[index] <= SHOWN
    }

    /// Shows a notice, or leaves it out.
    pub(crate) fn tell(&mut self, about: About, text: &str) {
        if self.add(about) {
            say!("{}", text.trim_end());
        }
    }

    /// Says how many were left out.
    pub(crate) fn end(&self) {
        for (count, (_, what)) in self.0.iter().zip(REST) {
            if let Some(more @ 1..) = count.checked_sub(SHOWN) {
                say!("... and {} {what}", show::count(more as usize, "more puzzle"));
            }
        }
    }
}
