//! Reports of several searches of one puzzle, as one.

use dlx::Report;

/// Adds what another search took to the report of the one that was done.
pub(super) fn with_effort(mut report: Report, other: &Report) -> Report {
    report.nodes += other.nodes;
    report.updates += other.updates;
    report
}

/// Returns the report of a search that was interrupted and went on where it was, with the end of its second part.
pub(super) fn joined(first: &Report, mut second: Report) -> Report {
    second.solutions += first.solutions;
    with_effort(second, first)
}
