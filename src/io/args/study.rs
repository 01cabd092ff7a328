//! Arguments of the commands `estimate`, `trace`, `check`, `explain` and `compare`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::common::{ADVANCED, InputArgs, OutputArgs, When};
use super::offers::{algorithm_names, offer_engines, technique_names};
use super::pictures::PictureArgs;
use super::proof::{ProofFile, parse_proof};
use super::values::{
    parse_number, parse_percent, parse_positive, parse_range, parse_seconds, parse_some, parse_threads,
};
use farandole::candidates::LIMIT_MAX;

// Arguments of `estimate`.
#[derive(Clone, Debug, Args)]
pub(crate) struct EstimateArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Take this many seconds for each puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true,
        default_value = "10")]
    pub(crate) time: Duration,
    /// Stop once the relative standard error is at most this, such as 1%
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, allow_negative_numbers = true)]
    pub(crate) precision: Option<f64>,
    /// Keep this many states after each step [default: as many as the time allows]
    #[arg(long, value_name = "N", value_parser = parse_some, allow_negative_numbers = true)]
    pub(crate) beam: Option<NonZeroUsize>,
    /// Stop after this many runs; with --beam and --seed the result is always the same
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(crate) runs: Option<u64>,
    /// Random seed; the same seed gives the same random numbers
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_number,
        allow_negative_numbers = true)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

// Arguments of `trace`.
#[derive(Clone, Debug, Args)]
pub(crate) struct TraceArgs {
    /// Print the first N events of a puzzle; afterwards only their closing events, and the number
    /// of events left out
    #[arg(long, value_name = "N", default_value = "10000", value_parser = parse_number,
        allow_negative_numbers = true)]
    pub(crate) events: u64,
    /// Show the inside of only every K-th try per level, not counting forced tries
    #[arg(long, value_name = "K", default_value = "1", value_parser = parse_positive,
        allow_negative_numbers = true)]
    pub(crate) sample: u64,
    /// Stop after this many solutions of a puzzle
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true,
        default_value = "10")]
    pub(crate) time: Duration,
    /// Stop after this many nodes of a puzzle's search tree
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    pub(crate) nodes: Option<u64>,
    /// Print only errors on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

// Arguments of `check`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CheckArgs {
    /// Only check whether the clues are consistent, without any search
    #[arg(long, conflicts_with_all = ["nodes", "time"])]
    pub(crate) quick: bool,
    /// Say why a puzzle is invalid, in several lines, and how to repair it
    ///
    /// For a puzzle with several solutions: two of them with the places where they differ, which
    /// options are in some solutions and in how many, the fewest places that distinguish all
    /// solutions, and which clue to add or change so that one solution remains. For a puzzle
    /// without a solution: a minimal set of clashing clues, and which clue to remove or change. For
    /// a puzzle with one solution: what each clue contributes. Up to 1000 solutions are examined.
    #[arg(long, conflicts_with = "quick")]
    pub(crate) why: bool,
    /// Print the true candidates: the symbols of each cell, or the options, that occur in a
    /// solution
    ///
    /// The cells of a grid are printed as pencil marks, which can be read as a puzzle again; `4?`
    /// means that a limit ended the search for a 4. No solutions are listed, so this is fast with
    /// any number of solutions.
    #[arg(long, conflicts_with_all = ["quick", "why"])]
    pub(crate) candidates: bool,
    /// Count the solutions of each candidate up to N; `4:2` means two solutions with a 4, and a
    /// plain `4` at least N
    #[arg(long, value_name = "N", default_value = "1", requires = "candidates",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(LIMIT_MAX)))]
    pub(crate) limit: u32,
    /// Say whether two 9x9 Sudoku are the same up to symmetry, and how one becomes the other
    ///
    /// Rows and columns are given after transposing, as the old lines in their new order. The exit
    /// code is 1 if the two differ.
    #[arg(long, conflicts_with_all = ["quick", "why", "candidates", "nodes", "time"])]
    pub(crate) same: bool,
    /// Say for each solution in this file, as printed by `list` or `solve`, whether it is a
    /// solution of the puzzle; `-` is standard input
    ///
    /// Solutions of an exact cover are options without the other items of their problem, so they
    /// can only be read together with the problem. All other solutions can also be checked as
    /// filled-in puzzles.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "why", "candidates", "same", "nodes", "time"])]
    pub(crate) solution: Option<OsString>,
    /// Prove for the checkers of other programs that a puzzle has no solution, or only one:
    /// FILE.lrat for `cake_lpr` and `lrat-check`, or FILE.pbp for VeriPB
    ///
    /// The formula is written next to the proof, as FILE.cnf or FILE.opb. A single puzzle is
    /// expected.
    #[arg(long, value_name = "FILE", value_parser = parse_proof,
        conflicts_with_all = ["quick", "why", "candidates", "same", "solution", "nodes"])]
    pub(crate) proof: Option<ProofFile>,
    /// When to color the answers of --why
    #[arg(long, value_name = "WHEN", default_value = "auto", requires = "why")]
    pub(crate) color: When,
    /// Stop after this many nodes of a puzzle's search tree: once for counting solutions, and once
    /// for trying clues [default: 1000000; no limit with --candidates]
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    pub(crate) nodes: Option<u64>,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
}

impl CheckArgs {
    /// Returns the node limit of a check without --candidates.
    pub(crate) fn nodes(&self) -> u64 {
        /// Default node limit. A second or two for most puzzles, so that `check` need not be
        /// stopped.
        const DEFAULT: u64 = 1_000_000;
        self.nodes.unwrap_or(DEFAULT)
    }
}

// Arguments of the commands that explain.
#[derive(Clone, Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// Try at most this many branches in a case split [default: 20000]
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    pub(crate) nodes: Option<u64>,
    /// Use techniques that assume a unique solution: unique rectangles, BUG
    #[arg(long)]
    pub(crate) uniqueness: bool,
    /// Use this many threads, one puzzle each [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

// Arguments of the commands that print steps.
#[derive(Clone, Debug, Args)]
pub(crate) struct StepsArgs {
    /// Print proofs of any length; by default a step has at most about a dozen lines
    #[arg(long)]
    pub(crate) full: bool,
    #[command(flatten)]
    pub(crate) explain: ExplainArgs,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

// Arguments of `hint`.
#[derive(Clone, Debug, Args)]
pub(crate) struct HintArgs {
    /// Find a step of this technique, also where an easier step exists (grids only)
    #[arg(long, value_name = "NAME", value_parser = technique_names(), hide_possible_values = true)]
    pub(crate) technique: Option<String>,
    #[command(flatten)]
    pub(crate) steps: StepsArgs,
}

// Arguments of `compare`.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("engine", |engine| offer_engines(engine, false)))]
pub(crate) struct Versus {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Compare only these algorithms [default: all but the variants]
    ///
    /// Each variant changes one thing about an algorithm, to show its effect: links-no-mrv always
    /// takes the first item, cells-last and cells-random break ties differently, cells-wide uses
    /// the arena of a large problem.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = algorithm_names())]
    pub(crate) engine: Vec<String>,
    /// Add a program to the comparison: NAME=COMMAND, or NAME:ADAPTER=COMMAND; repeatable
    ///
    /// The adapter says what the program reads and prints. `line` (the default): reads grids, one
    /// per line, and prints a solution of each, one per line. `count`: reads the same, or one
    /// problem in Knuth's text, and prints one number of solutions per line. `knuth`: reads a
    /// problem in Knuth's text and prints `Altogether N solutions`. `dimacs`: reads a problem in
    /// DIMACS CNF and prints `s SATISFIABLE` and a model. `json`: reads a problem in JSON and
    /// prints {"count": N} or {"solutions": [[option, ...], ...]}, with options numbered from 0. In
    /// the command, {in} is replaced by a file with the puzzles, which otherwise come on standard
    /// input, and {out} by a file for the answers. Farandole's algorithms are then also timed as
    /// programs.
    #[arg(long = "with", value_name = "PROGRAM")]
    pub(crate) programs: Vec<String>,
    /// Compare on puzzles of all these sizes, such as 6..14 (both included), to show how the cost
    /// grows
    ///
    /// With --puzzle KIND each size is a parameter of that kind, or replaces `{}` in FILE, as in
    /// `--puzzle polyomino --range 2..8 dominoes:{}x8`.
    #[arg(long, value_name = "SIZES", requires = "puzzle", value_parser = parse_range)]
    pub(crate) range: Option<RangeInclusive<u64>>,
    /// Stop after this many solutions of a puzzle [default: all; 1 with a program that finds only
    /// one]
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(crate) limit: Option<u64>,
    /// Give each algorithm this many seconds for all puzzles together, and again for its rounds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true,
        default_value = "10")]
    pub(crate) time: Duration,
    /// Give each algorithm this many seconds for one puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) each: Option<Duration>,
    /// Stop after this many nodes of a puzzle's search tree
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    pub(crate) nodes: Option<u64>,
    /// Measure until the intervals of the fastest algorithms are at most this share of the median,
    /// such as 2%
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, allow_negative_numbers = true,
        default_value = "2%")]
    pub(crate) precision: f64,
    /// Explain why some algorithms are faster than others, with figures measured on this machine
    #[arg(long, help_heading = ADVANCED, hide_short_help = true,
        conflicts_with_all = [
            "files", "puzzle", "engine", "programs", "limit", "nodes", "range", "save", "against",
            "show", "html", "svg", "csv", "markdown", "json"
        ])]
    pub(crate) lesson: bool,
    /// Write tables and plots to one self-contained HTML page
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write each plot to its own file in a folder: bars.svg, cactus.svg, scatter.svg, ...
    #[arg(long, value_name = "FOLDER")]
    pub(crate) svg: Option<PathBuf>,
    /// Write a table of all contenders and puzzles to a file, with a header line
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write the table of contenders to a file in Markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// Write all measurements to a file, as a record (JSON)
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Show a record instead of measuring
    #[arg(long, value_name = "RECORD",
        conflicts_with_all = [
            "files", "puzzle", "engine", "programs", "limit", "nodes", "range", "save"
        ])]
    pub(crate) show: Option<PathBuf>,
    /// Show changes since a record: nodes and updates, which are exact, then times
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
