//! The trait that every engine implements.

use std::fmt;
use std::ops::ControlFlow;

use super::{End, Report, Visit, go_on};
use crate::limits::{Limit, Limits};
use crate::model::{OptionId, Problem, Subtree};

/// A search algorithm for one problem, which can run any number of searches.
pub trait Engine: Send {
    /// Visits or counts the covers that contain all options of `given` and no option of `without`.
    ///
    /// `run` is the only required method, and all other methods of the trait call it. An engine
    /// that cannot exclude options uses [`search_without`]. `examples/custom_engine.rs` is an
    /// engine in thirty lines.
    ///
    /// With `visit`, the engine visits each cover as [`Self::search`] does. Without `visit`, it may
    /// count covers without building them.
    ///
    /// # Panics
    /// If an option of `given` or `without` does not belong to the problem.
    fn run(
        &mut self,
        given: &[OptionId],
        without: &[OptionId],
        limits: &Limits,
        visit: Option<&mut Visit<'_>>,
    ) -> Report;

    /// Visits every exact cover that contains the options of `given`, each once.
    ///
    /// The slice passed to `visit` starts with the options of `given`. Repeated options of `given`
    /// count once. `given` may contain options without primary items, although a search never
    /// chooses them. If two given options conflict, there is no cover, and the report is
    /// `Exhausted`. On return the engine is in the same state as before the call.
    ///
    /// ```
    /// use dlx::{Engine, Limits, OptionId, engine::Links};
    /// use std::ops::ControlFlow;
    ///
    /// let problem: dlx::Problem = "a b c\na b\nc\na\nb c\n".parse()?;
    /// let mut engine = Links::new(&problem);
    /// let mut covers = Vec::new();
    /// let report = engine.search(&[OptionId::new(2)], &Limits::new(), &mut |cover| {
    ///     covers.push(cover.to_vec());
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(covers, [[OptionId::new(2), OptionId::new(3)]]);
    /// assert_eq!(report.count(), Some(1));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    ///
    /// # Panics
    /// If an option of `given` does not belong to the problem.
    fn search(&mut self, given: &[OptionId], limits: &Limits, visit: &mut Visit<'_>) -> Report {
        self.run(given, &[], limits, Some(visit))
    }

    /// Counts the exact covers that contain the options of `given`.
    ///
    /// # Panics
    /// If an option of `given` does not belong to the problem.
    fn count(&mut self, given: &[OptionId], limits: &Limits) -> Report {
        self.run(given, &[], limits, None)
    }

    /// Visits every exact cover of a subtree of the search tree, each once.
    ///
    /// ```
    /// use dlx::{Engine, Limits, Subtree, engine::Links};
    ///
    /// // All subsets of three numbers: eight covers; each search finds up to three.
    /// let problem: dlx::Problem = "0:3|set\nset\nset\nset\n".parse()?;
    /// let mut links = Links::new(&problem);
    /// let mut open = vec![Subtree::default()];
    /// let mut sizes = Vec::new();
    /// while let Some(part) = open.pop() {
    ///     let limits = Limits::new().solutions(3).rest(true);
    ///     let report = links.search_subtree(&part, &limits, &mut |cover| {
    ///         sizes.push(cover.len());
    ///         std::ops::ControlFlow::Continue(())
    ///     });
    ///     open.extend(report.rest.into_iter().flatten());
    /// }
    /// sizes.sort();
    /// assert_eq!(sizes, [0, 1, 1, 1, 2, 2, 2, 3]);
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    ///
    /// # Panics
    /// If an option of the subtree does not belong to the problem.
    fn search_subtree(&mut self, subtree: &Subtree, limits: &Limits, visit: &mut Visit<'_>) -> Report {
        self.run(&subtree.given(), subtree.without(), limits, Some(visit))
    }

    /// Counts the exact covers of a subtree.
    ///
    /// # Panics
    /// If an option of the subtree does not belong to the problem.
    fn count_subtree(&mut self, subtree: &Subtree, limits: &Limits) -> Report {
        self.run(&subtree.given(), subtree.without(), limits, None)
    }

    /// Returns whether the data structures of the engine are the same as just after it was built
    /// for `problem`, as they must be between searches.
    ///
    /// Tests of engines call this method. An implementation rebuilds the data structures and
    /// compares them. Engines without such structures need not override the method.
    ///
    /// ```
    /// use dlx::{Engine, Limits, engine::Links};
    ///
    /// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
    /// let mut links = Links::new(&problem);
    /// links.count(&[], &Limits::new().nodes(2));
    /// assert!(links.is_at_rest(&problem));
    /// # Ok::<(), dlx::ParseError>(())
    /// ```
    #[cfg_attr(not(feature = "unstable"), doc(hidden))]
    fn is_at_rest(&self, problem: &Problem) -> bool {
        let _ = problem;
        true
    }
}

/// Implements [`Engine::run`] for an engine that cannot exclude options. `search` enumerates all
/// covers that contain the given options, and `search_without` skips covers with an option of
/// `without`.
///
/// ```
/// use dlx::engine::Links;
/// use dlx::{Engine, Limits, OptionId, search::search_without};
///
/// let problem: dlx::Problem = "a b\na\nb\na b\n".parse()?;
/// let mut links = Links::new(&problem);
/// let without = [OptionId::new(2)];
/// let report = search_without(3, &without, &Limits::new(), None, |limits, visit| links.run(&[], &[], limits, visit));
/// assert_eq!(report.count(), Some(1));
/// # Ok::<(), dlx::ParseError>(())
/// ```
///
/// # Panics
/// If an option of `without` is not among the `option_count` options of the problem.
#[cfg_attr(not(feature = "unstable"), doc(hidden))]
pub fn search_without(
    option_count: usize,
    without: &[OptionId],
    limits: &Limits,
    visit: Option<&mut Visit<'_>>,
    search: impl FnOnce(&Limits, Option<&mut Visit<'_>>) -> Report,
) -> Report {
    if without.is_empty() {
        return search(limits, visit);
    }
    let is_known = |option: &OptionId| option.index() < option_count;
    assert!(without.iter().all(is_known), "the options left out must be this problem's");
    let go_on: &mut Visit<'_> = &mut go_on;
    let visit = visit.unwrap_or(go_on);
    // `search` gets a limit of 0 covers only; this closure applies any other limit to the covers
    // not skipped.
    let solutions = limits.solutions.filter(|&wanted| wanted == 0);
    let (mut shown, mut end) = (0, None);
    let all = limits.clone().solutions(solutions);
    let report = search(
        &all,
        Some(&mut |cover| {
            if without.iter().any(|option| cover.contains(option)) {
                return ControlFlow::Continue(());
            }
            shown += 1;
            if visit(cover).is_break() {
                end = Some(End::Stopped);
            } else if limits.solutions == Some(shown) {
                end = Some(End::Limit(Limit::Solutions));
            }
            if end.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }),
    );
    let whole = Subtree::new(Vec::new(), without.to_vec());
    let sifted =
        |rest: Vec<Subtree>| rest.into_iter().map(|part| part.excluding_also(&whole)).collect();
    Report { solutions: shown, end: end.unwrap_or(report.end), rest: report.rest.map(sifted), ..report }
}

/// The reason why an engine does not support a problem.
///
/// ```
/// # use dlx::Unsupported;
/// let error = Unsupported::new("colors");
/// assert_eq!(error.to_string(), "the engine does not support colors");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    feature: &'static str,
}

impl Unsupported {
    /// Builds the error of an engine that does not support `feature`.
    #[must_use]
    pub fn new(feature: &'static str) -> Self {
        Self { feature }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the engine does not support {}", self.feature)
    }
}

impl std::error::Error for Unsupported {}

/// A row of the table of engines.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EngineSpec {
    /// The name that selects the engine.
    pub name: &'static str,
    /// A one-line description of the engine.
    pub summary: &'static str,
    /// Builds the engine for a problem.
    pub build: fn(&Problem) -> Result<Box<dyn Engine>, Unsupported>,
}
