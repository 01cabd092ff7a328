//! Random solutions of a puzzle.
//!
//! If the decision diagram of all solutions is small ([`BYTES_MAX`]), each solution is equally
//! likely. Otherwise the options are tried in random order, and an option is chosen if it is
//! compatible with the options chosen before. The options of the last solution found are known to
//! be compatible. For up to [`ASKED_MAX`] other options, the solver decides whether they are. The
//! remaining options come from the last solution found. Without a diagram the distribution is not
//! uniform, and the deviation is unknown. If a solution is already known, for example because a
//! board was built from its pieces, it is used instead.

use std::ops::ControlFlow;

use dlx::diagram::{Diagram, DiagramPlan};
use dlx::{End, Engine as _, Limit, Limits, OptionId, Random, Solver};

use puzzle::Puzzle;

/// Maximum size of the decision diagram of all solutions (bytes).
const BYTES_MAX: u64 = 1 << 24;
/// Maximum number of searches for a solution that contains one more option.
const ASKED_MAX: usize = 200;
/// Maximum number of nodes of a search for a solution with one more option. If it is exceeded, the
/// option is skipped.
const NODES_MAX: u64 = 2_000;

/// The method that draws solutions of a puzzle.
#[derive(Debug)]
pub struct Draws {
    diagram: Option<Diagram>,
    known: Option<Vec<OptionId>>,
}

impl Draws {
    pub(super) fn new(puzzle: &dyn Puzzle, limits: &Limits) -> Result<Self, Limit> {
        let lesser = |unbuilt: dlx::diagram::DiagramError| match unbuilt.limit {
            Limit::Memory | Limit::Nodes => Ok(Self { diagram: None, known: None }),
            limit => Err(limit),
        };
        let plan = match DiagramPlan::new(puzzle.problem(), puzzle.given(), limits) {
            Ok(plan) => plan,
            Err(unbuilt) => return lesser(unbuilt),
        };
        if plan.size().bytes > BYTES_MAX as f64 {
            return Ok(Self { diagram: None, known: None });
        }
        match plan.build(limits, BYTES_MAX) {
            Ok(diagram) => Ok(Self { diagram: Some(diagram), known: None }),
            Err(unbuilt) => lesser(unbuilt),
        }
    }

    /// Sets the solution to use if there is no decision diagram.
    pub(super) fn knowing(self, solution: Vec<OptionId>) -> Self {
        Self { known: Some(solution), ..self }
    }

    /// Returns whether each solution is equally likely.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.diagram.is_some()
    }

    pub(super) fn draw(
        &self,
        puzzle: &dyn Puzzle,
        solver: &mut Solver,
        nodes: u64,
        random: &mut Random,
        limits: &Limits,
    ) -> Result<Option<Vec<OptionId>>, Limit> {
        if let Some(diagram) = &self.diagram {
            return Ok(diagram.sample(&mut || random.next_u64()));
        }
        if let Some(known) = &self.known {
            return Ok(Some(known.clone()));
        }
        let problem = puzzle.problem();
        let mut chosen = puzzle.given().to_vec();
        let Some(mut solution) = solve(solver, &chosen, nodes, limits)? else { return Ok(None) };
        let mut options: Vec<OptionId> = problem.options().collect();
        random.shuffle(&mut options);
        let mut asked = 0;
        for option in options {
            if solution.contains(&option) {
                if !chosen.contains(&option) {
                    chosen.push(option);
                }
                continue;
            }
            chosen.push(option);
            let found = match dlx::conflict(problem, &chosen) {
                Some(_) => None,
                None => {
                    asked += 1;
                    match solve(solver, &chosen, NODES_MAX, limits) {
                        Err(Limit::Nodes) => None,
                        found => found?,
                    }
                }
            };
            match found {
                Some(found) => solution = found,
                None => drop(chosen.pop()),
            }
            if asked == ASKED_MAX {
                break;
            }
        }
        Ok(Some(solution))
    }
}

fn solve(
    solver: &mut Solver,
    given: &[OptionId],
    nodes: u64,
    limits: &Limits,
) -> Result<Option<Vec<OptionId>>, Limit> {
    let mut found = None;
    let report = solver.search(given, &limits.clone().nodes(nodes), &mut |cover| {
        found = Some(cover.to_vec());
        ControlFlow::Break(())
    });
    match report.end {
        End::Limit(limit) => Err(limit),
        _ => Ok(found),
    }
}
