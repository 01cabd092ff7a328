//! The commands of the program, one file each. The commands `split`, `work` and `merge` are in
//! `jobs`.

pub(crate) mod canonical;
mod check;
mod compare;
#[cfg(not(target_family = "wasm"))]
mod completions;
mod convert;
mod count;
mod draw;
mod estimate;
mod explain;
mod generate;
mod list;
#[cfg(not(target_family = "wasm"))]
mod man;
#[cfg(not(target_family = "wasm"))]
mod page;
mod puzzles;
mod rank;
mod sample;
mod solve;
mod trace;
mod unrank;
#[cfg(not(target_family = "wasm"))]
mod watch;

use super::io::args::pictures::PictureArgs;
use super::io::args::{Command, HintArgs, StepsArgs};
use super::io::exit::Exit;
use super::{jobs, proof};

pub(super) fn run(command: Command) -> Exit {
    match command {
        Command::Solve { run, show, proof, all, cheapest } => {
            solve::run(&run, &show, &proof, all, cheapest)
        }
        Command::List { run, show, proof, parts } => list::run(&run, &show, &proof, &parts),
        Command::Count(asked) => count::run(asked),
        Command::Estimate(asked) => estimate::run(&asked),
        Command::Sample { count, seed, ask, pictures } => sample::run(&ask, count, seed, &pictures),
        Command::Generate(asked) => generate::run(&asked),
        Command::Rank { ask, solution } => rank::run(&ask, solution),
        Command::Unrank { numbers, ask, pictures } => unrank::run(&ask, numbers, &pictures),
        Command::Compare(versus) => compare::run(versus),
        Command::Trace { input, trace } => trace::run(&input, &trace),
        #[cfg(not(target_family = "wasm"))]
        Command::Page(asked) => page::run(&asked),
        #[cfg(not(target_family = "wasm"))]
        Command::Watch { input, speed } => watch::run(&input, speed),
        Command::Check { input, check, output, pictures } => {
            check::run(&input, &check, &output, &pictures)
        }
        Command::VerifyProof { proof, input, limits, output } => {
            proof::verify::verify(&input, &proof, limits, &output)
        }
        Command::Explain(StepsArgs { explain: asked, full, pictures }) => {
            explain::run(&asked, full, &pictures, explain::StepQuestion::Explain)
        }
        Command::Hint(HintArgs { technique, steps: StepsArgs { explain: asked, full, pictures } }) => {
            let technique = technique.as_deref().and_then(techniques::by_name);
            explain::run(&asked, full, &pictures, explain::StepQuestion::Hint(technique))
        }
        Command::Rate(asked) => {
            explain::run(&asked, false, &PictureArgs::default(), explain::StepQuestion::Rate)
        }
        Command::Draw { input, pictures, limits, quiet } => draw::run(&input, &pictures, limits, quiet),
        Command::Convert { input, conversion } => convert::run(&input, &conversion),
        Command::Split(asked) => jobs::run_split(&asked),
        Command::Work(asked) => jobs::run_work(&asked),
        Command::Merge(asked) => jobs::run_merge(&asked),
        Command::Puzzles { name } => puzzles::run(name.as_deref()),
        #[cfg(not(target_family = "wasm"))]
        Command::Completions { shell } => completions::run(shell),
        #[cfg(not(target_family = "wasm"))]
        Command::Man { out } => man::run(out.as_deref()),
    }
}
