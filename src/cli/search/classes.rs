//! The search of one puzzle up to its symmetries: the number of classes of solutions, or the first solution of each.
//!
//! A count adds up what each symmetry leaves unchanged (Burnside's lemma), without a list. A list goes through all solutions
//! and keeps those that no symmetry maps to one before them; so does a count with a limit of solutions or nodes, which only
//! a search has.

use std::ops::ControlFlow;
use std::sync::Arc;

use dlx::classes::{ClassCount, GroupFault, Symmetry, SymmetryGroup};
use dlx::parallel::Cores;
use dlx::{End, Limit, Limits, Report, Unsupported, Visit};

use crate::algorithm::Algorithm;
use crate::puzzle::Puzzle;

/// The name of the way to count that needs no list.
pub(super) const BURNSIDE: &str = "burnside";

/// The symmetries up to which solutions are wanted.
pub(super) enum SymmetrySource {
    /// Those that the kind of puzzle knows.
    Known(Vec<Symmetry>),
    /// All of the exact cover, which are still to be found.
    ExactCover,
}

/// What a search up to symmetry came to.
pub(super) struct ClassSearch {
    pub(super) report: Report,
    /// Whether the classes were counted without a list.
    pub(super) is_counted: bool,
    /// How it was done.
    pub(super) explanation: String,
}

/// Counts the classes of solutions of a puzzle, or shows the first solution of each if there is a visitor.
pub(super) fn search(
    puzzle: &dyn Puzzle,
    symmetries: SymmetrySource,
    algorithm: &mut dyn Algorithm,
    (cores, limits): (&Arc<Cores>, &Limits),
    mut visit: Option<&mut Visit<'_>>,
) -> Result<ClassSearch, Unsupported> {
    let (problem, given) = (Arc::clone(puzzle.problem()), puzzle.given());
    let group = match symmetries {
        SymmetrySource::Known(symmetries) => SymmetryGroup::new(problem, given, symmetries, limits),
        SymmetrySource::ExactCover => SymmetryGroup::of(problem, given, limits),
    };
    let group = match group {
        Ok(group) => group,
        Err(fault) => {
            let limit = match fault {
                GroupFault::Limit(limit) => limit,
                GroupFault::TooLarge => Limit::Memory,
                _ => return Err(Unsupported::new("these symmetries")),
            };
            let (report, explanation) = (Report::empty(End::Limit(limit)), fault.to_string());
            return Ok(ClassSearch { report, is_counted: false, explanation });
        }
    };
    let order = group.order();
    let symmetries = if order == 1 { "1 symmetry".to_owned() } else { format!("{order} symmetries") };
    let is_search = limits.solutions.is_some() || limits.nodes.is_some() || limits.profile;
    if visit.is_none()
        && !is_search
        && let Some(ClassCount { report, fixed, .. }) = group.count(cores, limits)
    {
        let fixed = fixed.iter().map(|it| format!("{}x{}", it.symmetries, it.covers));
        let fixed = fixed.collect::<Vec<_>>().join(" + ");
        let explanation = format!("engine {BURNSIDE} ({symmetries} leave unchanged {fixed})");
        return Ok(ClassSearch { report, is_counted: true, explanation });
    }
    let most = limits.solutions;
    let limits = limits.clone().solutions(None);
    let mut classes = 0;
    let mut report = algorithm.search(puzzle, &limits, &mut |cover| {
        if !group.is_least(cover) {
            return ControlFlow::Continue(());
        }
        classes += 1;
        let shown = visit.as_mut().map_or(ControlFlow::Continue(()), |visit| visit(cover));
        if most == Some(classes) { ControlFlow::Break(()) } else { shown }
    })?;
    if report.end == End::Stopped && most == Some(classes) {
        report.end = End::Limit(Limit::Solutions);
    }
    (report.solutions, report.large) = (classes, None);
    let way = algorithm.explain().unwrap_or_else(|| "engine as asked for".to_owned());
    let explanation = format!("{way}, and of all solutions the first under {symmetries}");
    Ok(ClassSearch { report, is_counted: false, explanation })
}
