//! The command `solve` prints one solution of each puzzle, or the cheapest ones.

use std::num::NonZeroUsize;

use crate::io::args::{ProofArgs, RunArgs, ShowArgs};
use crate::io::exit::Exit;
use crate::proof;
use crate::search::{self, Goal};

pub(super) fn run(
    run: &RunArgs,
    show: &ShowArgs,
    proof: &ProofArgs,
    all: bool,
    cheapest: Option<NonZeroUsize>,
) -> Exit {
    let limit = if all { run.limits.limit } else { Some(run.limits.limit.unwrap_or(1)) };
    let goal = cheapest.map_or(Goal::Show(limit), |count| Goal::Cheapest(count.get()));
    if let Some(file) = &proof.proof {
        return proof::covers::list(run, show, goal, file);
    }
    search::run(run, Some(show), goal, false)
}
