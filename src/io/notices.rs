//! Limits the notices about single puzzles on standard error. The first few of each kind are shown
//! in full, and the others are only counted.

use compare::show;

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

#[derive(Clone, Debug, Default)]
pub(crate) struct NoticeCounts([u64; REST.len()]);

impl NoticeCounts {
    /// Counts a notice, and returns whether to show it.
    pub(crate) fn add(&mut self, about: About) -> bool {
        let Some(index) = REST.iter().position(|(kind, _)| *kind == about) else { return true };
        self.0[index] += 1;
        self.0[index] <= SHOWN
    }

    pub(crate) fn tell(&mut self, about: About, text: &str) {
        if self.add(about) {
            say!("{}", text.trim_end());
        }
    }

    pub(crate) fn end(&self) {
        for (count, (_, what)) in self.0.iter().zip(REST) {
            if let Some(more @ 1..) = count.checked_sub(SHOWN) {
                say!("... and {} {what}", show::count(more as usize, "more puzzle"));
            }
        }
    }
}
