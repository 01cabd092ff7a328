//! Searches one puzzle up to symmetry. The result is the number of classes of solutions, or the
//! first solution of each class.
//!
//! A count uses Burnside's lemma: it adds up the solutions fixed by each symmetry and needs no
//! list. A list searches for solutions, and so does a count with a limit on solutions or nodes. If
//! symmetries map some options of an item to each other, one search per orbit of such options is
//! sufficient (`dlx::classes::ClassStarts`). Otherwise the search visits all solutions. In both
//! cases only the first solution of each class is kept.
//!
//! The symmetry groups of Latin squares are too large for this method. The classes of Latin squares
//! are generated directly (`LatinListing`).

use std::ops::ControlFlow;
use std::sync::Arc;

use dlx::classes::{ClassCount, ClassStarts, ConjugateClasses, GroupFault, Symmetry, SymmetryGroup};
use dlx::limits::Pace;
use dlx::parallel::Cores;
use dlx::{End, Limit, Limits, OptionId, Problem, Report, Unsupported, Visit};

use num_bigint::BigUint;

use farandole::algorithm::Algorithm;
use farandole::algorithm::nine::as_sudoku;
use puzzle::{LatinListing, Puzzle};

const BURNSIDE: &str = "burnside";
const RECTANGLES: &str = "rectangles";

/// The symmetries under which solutions belong to the same class.
pub(super) enum SymmetrySource {
    /// All symmetries that the kind of puzzle defines.
    Known(Vec<Symmetry>),
    /// For a group that is too large to list: a representative of each conjugacy class, with the
    /// size of the class.
    Conjugates(Vec<(Symmetry, u64)>),
    /// A generator that yields one Latin square per class.
    Squares(Box<LatinListing>),
    /// All symmetries of the exact cover, which are not detected yet.
    ExactCover,
}

pub(super) struct ClassSearch {
    pub(super) report: Report,
    /// The name of the counting method, or `None` if the search visited solutions.
    pub(super) way: Option<&'static str>,
    /// A description of the method for `--stats`.
    pub(super) explanation: String,
}

/// Counts the classes of solutions of a puzzle. If `visit` is given, passes the first solution of
/// each class to it.
pub(super) fn search(
    puzzle: &dyn Puzzle,
    symmetries: SymmetrySource,
    algorithm: &mut dyn Algorithm,
    (cores, limits): (&Arc<Cores>, &Limits),
    mut visit: Option<&mut Visit<'_>>,
) -> Result<ClassSearch, Unsupported> {
    let (problem, given) = (Arc::clone(puzzle.problem()), puzzle.given());
    let group = match symmetries {
        SymmetrySource::Conjugates(classes) => return count(problem, classes, cores, limits),
        SymmetrySource::Squares(squares) => return list(puzzle, *squares, limits, visit),
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
            return Ok(ClassSearch { report, way: None, explanation });
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
        return Ok(ClassSearch { report, way: Some(BURNSIDE), explanation });
    }
    let most = limits.solutions;
    let limits = limits.clone().solutions(None);
    // Search the whole puzzle at once: the SIMD lanes and the digit search accept only whole
    // puzzles, and a node limit or a profile applies to a single search.
    let is_whole = limits.nodes.is_some()
        || limits.profile
        || as_sudoku(puzzle).is_some()
        || puzzle.as_digits(&limits).is_ok_and(|grid| grid.is_some());
    if order > 1 && !is_whole {
        let starts = match group.starts(&limits) {
            Ok(starts) => starts,
            Err(limit) => {
                let (report, explanation) = (Report::empty(End::Limit(limit)), symmetries);
                return Ok(ClassSearch { report, way: None, explanation });
            }
        };
        if let Some(starts) = starts {
            let search = StartSearch { puzzle, group: &group, starts: &starts, most };
            // An algorithm for grids only does not accept the puzzle of an orbit, but it may accept
            // the whole puzzle.
            if let Ok(report) = search.run(algorithm, &limits, &mut visit) {
                let way = algorithm.explain().unwrap_or_else(|| "engine as asked for".to_owned());
                let (few, all) = (starts.options().len(), starts.option_count());
                let item = puzzle.problem().item_name(starts.item());
                let explanation = format!(
                    "{way}, and of the solutions with {few} of the {all} options of `{item}` the first under {symmetries}"
                );
                return Ok(ClassSearch { report, way: None, explanation });
            }
        }
    }
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
    Ok(ClassSearch { report, way: None, explanation })
}

/// Counts classes under a group that is given by its conjugacy classes.
fn count(
    problem: Arc<Problem>,
    classes: Vec<(Symmetry, u64)>,
    cores: &Arc<Cores>,
    limits: &Limits,
) -> Result<ClassSearch, Unsupported> {
    let conjugates = classes.len();
    let counted = match ConjugateClasses::new(problem, classes, limits) {
        Ok(classes) => classes.count(cores, limits).map(|count| (classes.order(), count)),
        Err(GroupFault::Limit(limit)) => {
            let report = Report::empty(End::Limit(limit));
            let explanation = "a limit ended the look at the symmetries".to_owned();
            return Ok(ClassSearch { report, way: None, explanation });
        }
        Err(_) => None,
    };
    let (order, ClassCount { report, fixed, .. }) =
        counted.ok_or_else(|| Unsupported::new("these symmetries"))?;
    let unmoved = fixed.iter().filter(|it| it.covers > BigUint::ZERO).count();
    let explanation = format!(
        "engine {BURNSIDE} ({order} symmetries in {conjugates} classes of conjugates, of which {unmoved} leave solutions unchanged)"
    );
    Ok(ClassSearch { report, way: Some(BURNSIDE), explanation })
}

fn list(
    puzzle: &dyn Puzzle,
    mut squares: LatinListing,
    limits: &Limits,
    mut visit: Option<&mut Visit<'_>>,
) -> Result<ClassSearch, Unsupported> {
    let fill = puzzle.as_fill().ok_or_else(|| Unsupported::new("these symmetries"))?;
    let (mut pace, mut count) = (Pace::new(limits), 0);
    let end = loop {
        if limits.solutions == Some(count) {
            break End::Limit(Limit::Solutions);
        }
        match squares.next(&mut pace) {
            Err(limit) => break End::Limit(limit),
            Ok(None) => break End::Exhausted,
            Ok(Some(symbols)) => {
                count += 1;
                let placed = symbols.iter().enumerate();
                let cover: Vec<OptionId> =
                    placed.filter_map(|(cell, &symbol)| fill.option(cell, symbol)).collect();
                if visit.as_mut().is_some_and(|visit| visit(&cover).is_break()) {
                    break End::Stopped;
                }
            }
        }
    };
    let explanation = format!(
        "engine {RECTANGLES} (a square of each class, by rectangles that are extended row by row)"
    );
    let mut report = Report::empty(end);
    report.solutions = count;
    Ok(ClassSearch { report, way: Some(RECTANGLES), explanation })
}

/// Runs one search for each option of [`ClassStarts`].
struct StartSearch<'a> {
    puzzle: &'a dyn Puzzle,
    group: &'a SymmetryGroup,
    starts: &'a ClassStarts,
    /// The largest number of classes to pass to the visitor.
    most: Option<u64>,
}

impl StartSearch<'_> {
    fn run(
        &self,
        algorithm: &mut dyn Algorithm,
        limits: &Limits,
        visit: &mut Option<&mut Visit<'_>>,
    ) -> Result<Report, Unsupported> {
        let given = self.puzzle.given();
        let mut all = Report::empty(End::Exhausted);
        for &start in self.starts.options() {
            if all.end != End::Exhausted {
                break;
            }
            let given_and_start = given.iter().copied().chain([start]).collect();
            let beginning = Beginning { puzzle: self.puzzle, given: given_and_start };
            let report = algorithm.search(&beginning, limits, &mut |cover| {
                let Some(first) = self.group.first_of_class(self.starts, cover) else {
                    return ControlFlow::Continue(());
                };
                all.solutions += 1;
                let rest = first.iter().copied().filter(|option| !given.contains(option));
                let first: Vec<OptionId> = given.iter().copied().chain(rest).collect();
                let shown = visit.as_mut().map_or(ControlFlow::Continue(()), |visit| visit(&first));
                if self.most == Some(all.solutions) { ControlFlow::Break(()) } else { shown }
            })?;
            all.end = report.end;
            all.nodes = all.nodes.saturating_add(report.nodes);
            all.updates = all.updates.saturating_add(report.updates);
        }
        if all.end == End::Stopped && self.most == Some(all.solutions) {
            all.end = End::Limit(Limit::Solutions);
        }
        Ok(all)
    }
}

struct Beginning<'a> {
    puzzle: &'a dyn Puzzle,
    given: Vec<OptionId>,
}

impl Puzzle for Beginning<'_> {
    fn problem(&self) -> &Arc<Problem> {
        self.puzzle.problem()
    }

    fn given(&self) -> &[OptionId] {
        &self.given
    }

    fn show(&self, cover: &[OptionId], number: u64, out: &mut String) {
        self.puzzle.show(cover, number, out);
    }
}
