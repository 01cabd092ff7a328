//! The exit codes of commands.

use dlx::Limit;

/// Returns the name of a limit that must be a time or memory limit.
pub(crate) fn name_of(limit: Limit) -> &'static str {
    if limit == Limit::Time { "time" } else { "memory" }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Done,
    /// 1: a puzzle has no solution, or a check failed.
    Failed,
    /// 2: bad usage or bad input. The valid part of the input was processed.
    BadInput,
    /// 3: stopped by a limit of time, nodes or memory.
    Limited,
    Interrupted,
}

impl Exit {
    /// Returns the exit code of a command that had both results.
    pub(crate) fn max(self, other: Self) -> Self {
        let ranks = [Self::Done, Self::Failed, Self::Limited, Self::BadInput, Self::Interrupted];
        let rank = |exit| ranks.iter().position(|&other| other == exit);
        if rank(other) > rank(self) { other } else { self }
    }

    /// Returns the exit code of the process.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::BadInput => 2,
            Self::Limited => 3,
            Self::Interrupted => 130,
        }
    }
}
