//! Sums of the reports of several searches of one puzzle.

use dlx::Report;

pub(super) fn with_effort(mut report: Report, other: &Report) -> Report {
    report.nodes += other.nodes;
    report.updates += other.updates;
    report
}

/// Returns the report of a search that was interrupted and continued; it ends as `second` does.
pub(super) fn joined(first: &Report, mut second: Report) -> Report {
    second.solutions += first.solutions;
    with_effort(second, first)
}
