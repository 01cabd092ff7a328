//! Arguments of the commands that study a puzzle or algorithms: estimate, trace, check, explain,
//! compare.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::common::{ADVANCED, InputArgs, OutputArgs, When};
use super::offers::{algorithm_names, offer_engines};
use super::pictures::PictureArgs;
use super::values::{
    parse_number, parse_percent, parse_positive, parse_range, parse_seconds, parse_some, parse_threads,
};

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
    /// Keep this many states after each step [default: as many as there is time for]
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
    /// Print the first N events of a puzzle; then only those that close them, and how many were not
    /// printed
    #[arg(long, value_name = "N", default_value = "10000", value_parser = parse_number,
        allow_negative_numbers = true)]
    pub(crate) events: u64,
    /// Show the inside of only every K-th try of each level, not counting forced tries
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
    /// Print nothing but errors on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

// Arguments of `check`.
#[derive(Clone, Debug, Args)]
pub(crate) struct CheckArgs {
    /// Only say whether the clues are consistent, without any search
    #[arg(long, conflicts_with_all = ["nodes", "time"])]
    pub(crate) quick: bool,
    /// Say why a puzzle is not as it should be, in several lines, and what would mend it
    ///
    /// Of a puzzle with several solutions: two of them with the places where they differ, which
    /// options are in some solutions and in how many, the fewest places that tell all solutions
    /// apart, and which clue to add or to change to leave one. Of a puzzle without a solution:
    /// clues that clash, none of which can be left out, and which clue to leave out or to change.
    /// Of one with one solution: what each clue is good for. Up to 1000 solutions are looked at.
    #[arg(long, conflicts_with = "quick")]
    pub(crate) why: bool,
    /// Tell whether two 9x9 Sudoku are the same up to symmetry, and how one becomes the other
    ///
    /// Rows after transposing, and columns, are given as the old lines in their new order. The exit
    /// code is 1 if they are not the same.
    #[arg(long, conflicts_with_all = ["quick", "why", "nodes", "time"])]
    pub(crate) same: bool,
    /// Say of each solution in this file, as `list` or `solve` prints it, whether it is one of the
    /// puzzle; `-` is standard input
    ///
    /// Solutions of an exact cover are options without the other items of their problem, so that
    /// they are read with it only. All others can also be checked as puzzles that are filled in.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "why", "same", "nodes", "time"])]
    pub(crate) solution: Option<OsString>,
    /// When to color the answers of --why
    #[arg(long, value_name = "WHEN", default_value = "auto", requires = "why")]
    pub(crate) color: When,
    /// Stop after this many nodes of a puzzle's search tree: once while solutions are counted, and
    /// once while clues are tried
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = parse_number,
        allow_negative_numbers = true)]
    pub(crate) nodes: u64,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
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
    /// Use this many threads, each for a puzzle of its own [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

// Arguments of the commands that print steps.
#[derive(Clone, Debug, Args)]
pub(crate) struct StepsArgs {
    #[command(flatten)]
    pub(crate) explain: ExplainArgs,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

// Arguments of `compare`.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("engine", |engine| offer_engines(engine, false)))]
pub(crate) struct Versus {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Compare only these algorithms [default: all but the variants]
    ///
    /// Each variant changes one thing about an algorithm, to see what it is worth: links-no-mrv
    /// always takes the first item, cells-last and cells-random break ties in another way,
    /// cells-wide has the arena of a large problem.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = algorithm_names())]
    pub(crate) engine: Vec<String>,
    /// Compare with a program, too: NAME=COMMAND, or NAME:ADAPTER=COMMAND; may be given several
    /// times
    ///
    /// The adapter says what the program reads and prints. `line` (the default): it reads grids,
    /// one a line, and prints a solution of each, one a line. `count`: it reads the same, or one
    /// problem in Knuth's text, and prints one number of solutions a line. `knuth`: it reads a
    /// problem in Knuth's text and prints `Altogether N solutions`. `dimacs`: it reads a problem in
    /// DIMACS CNF and prints `s SATISFIABLE` and a model. `json`: it reads a problem in JSON and
    /// prints {"count": N} or {"solutions": [[option, ...], ...]}, with options numbered from 0. In
    /// the command, {in} is replaced by a file with the puzzles, which otherwise come on standard
    /// input, and {out} by a file for the answers. Our algorithms are then timed as programs, too.
    #[arg(long = "with", value_name = "PROGRAM")]
    pub(crate) programs: Vec<String>,
    /// Compare on the puzzles of all these sizes, such as 6..14 (both included), to see how the
    /// cost grows
    ///
    /// With --puzzle KIND each size is a parameter of that kind, or takes the place of `{}` in
    /// FILE, as in `--puzzle polyomino --range 2..8 dominoes:{}x8`.
    #[arg(long, value_name = "SIZES", requires = "puzzle", value_parser = parse_range)]
    pub(crate) range: Option<RangeInclusive<u64>>,
    /// Stop after this many solutions of a puzzle [default: all; 1 with a program that finds no
    /// more]
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
    /// Measure until the intervals of the fastest ones are at most this share of the median, for
    /// instance 2%
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
    /// Write tables and plots to a file, as one HTML page that needs no other file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write each plot to a file of its own in a folder: bars.svg, cactus.svg, scatter.svg, ...
    #[arg(long, value_name = "FOLDER")]
    pub(crate) svg: Option<PathBuf>,
    /// Write a table of all contenders and puzzles to a file, with a head line
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write the table of contenders to a file in Markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// Write everything that was measured to a file, as a record (JSON)
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Show a record instead of comparing anew
    #[arg(long, value_name = "RECORD",
        conflicts_with_all = [
            "files", "puzzle", "engine", "programs", "limit", "nodes", "range", "save"
        ])]
    pub(crate) show: Option<PathBuf>,
    /// Show what has changed since a record: nodes and updates, which are exact, then times
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
