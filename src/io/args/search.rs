//! Arguments of the commands that search, count and query solutions.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use sudoku9::Leaf;

use super::common::{ADVANCED, InputArgs, LimitArgs, OutputArgs, PuzzleLimits};
use super::offers::{algorithm_names, format_names, offer_diagrams, offer_engines};
use super::parts::JournalArgs;
use super::proof::{CountProof, parse_count_proof};
use super::values::{parse_bytes, parse_isa, parse_seconds, parse_symmetries, parse_threads};
use puzzle::ClassSort;

// Arguments of the commands that search.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("engine", |engine| offer_engines(engine, true)))]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Search with this algorithm; `farandole puzzles` lists them
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = algorithm_names(),
        help_heading = ADVANCED)]
    pub(crate) engine: String,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Count solutions that differ only by a symmetry of the puzzle as one: all symmetries, or
    /// `=rotations` only
    ///
    /// Symmetries are those of a board and its pieces, of a board of queens, of a grid (symbols
    /// stay as they are), of a line of Langford pairs; with clues, only those that map clues to
    /// clues. A reflection may exchange two pieces. `list` and `solve` print the first solution of
    /// each class. `count` needs no list, however many solutions there are: it adds up how many
    /// solutions each symmetry leaves unchanged (Burnside's lemma); --stats shows these numbers.
    /// Empty Latin squares of orders 1 to 9 are also counted and listed up to `=isomorphism` (one
    /// permutation of all numbers), `=isotopy` (separate permutations of rows, columns and symbols)
    /// and `=main-classes` (rows, columns and symbols may also exchange their roles).
    #[arg(long, value_name = "GROUP", num_args = 0..=1, require_equals = true, default_missing_value = "all",
        value_parser = parse_symmetries)]
    pub(crate) up_to_symmetry: Option<ClassSort>,
    /// Use this many threads, one puzzle each [default: all cores]
    ///
    /// A thread without a puzzle helps with a long one. Solutions and their order do not depend on
    /// the number of threads. With --nodes or --profile each puzzle has one thread.
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// Search plain 9x9 Sudoku with this instruction set: avx512, avx512vl, avx2, neon or plain
    ///
    /// The default is the best that the processor has; choose another for comparisons and fault
    /// reports. All instruction sets give the same counts. Other puzzles ignore this option.
    #[arg(long, value_name = "NAME", value_parser = parse_isa, help_heading = ADVANCED,
        hide_short_help = true)]
    pub(crate) isa: Option<&'static Leaf>,
    /// Print nodes, updates and time on standard error
    #[arg(long, help_heading = ADVANCED)]
    pub(crate) stats: bool,
    /// Print nodes and updates of each level of the search tree on standard error
    #[arg(long, help_heading = ADVANCED, hide_short_help = true)]
    pub(crate) profile: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

// Arguments of `count`.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("from", offer_diagrams))]
#[command(mut_arg("engine", |engine| offer_engines(engine.long_help(None), false)))]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
    /// Count every puzzle a second time with another method, and compare the two numbers
    ///
    /// The second count uses another order of the items, modulo a random prime of 61 bits, or
    /// another method. Without this option Farandole makes it only if it takes less than a tenth of
    /// the time; --stats says whether it was made.
    #[arg(long, conflicts_with_all = ["journal", "proof", "limit", "nodes", "profile", "up_to_symmetry"])]
    pub(crate) check: bool,
    /// Write all states of the count of one puzzle to a file, for `verify-proof`
    ///
    /// The frontier method counts the puzzle without any reduction, so that each line can be
    /// checked by itself. That takes far more time and memory than the number alone. Only the
    /// limits --time and --memory (for the states, 2G by default) apply.
    #[arg(long, value_name = "TRACE", help_heading = ADVANCED, hide_short_help = true,
        conflicts_with_all = [
            "journal", "proof", "limit", "nodes", "engine", "threads", "profile", "stats",
            "up_to_symmetry"
        ])]
    pub(crate) trace: Option<PathBuf>,
    /// Print the number of solutions that contain each option
    ///
    /// For a grid: the number of solutions with each symbol in each cell. For any other puzzle one
    /// line per option: the number, a tab, the option.
    #[arg(long,
        conflicts_with_all = [
            "histogram", "journal", "proof", "trace", "limit", "nodes", "engine", "threads", "profile", "stats",
            "check", "up_to_symmetry"
        ])]
    pub(crate) per_option: bool,
    /// Print the number of solutions of each cost, cheapest first: the cost, a tab, the number
    #[arg(long,
        conflicts_with_all = [
            "journal", "proof", "trace", "limit", "nodes", "engine", "threads", "profile", "stats",
            "check", "up_to_symmetry"
        ])]
    pub(crate) histogram: bool,
    /// Print a tab and the file and line of the puzzle after each number
    #[arg(long, conflicts_with_all = ["journal", "proof", "trace", "per_option", "histogram"])]
    pub(crate) names: bool,
    /// Keep the states of a count by frontier in this folder, which may be larger than memory
    ///
    /// Counts one puzzle with `--engine frontier`, within --memory. However the program ends, the
    /// same command resumes the count; --time, --nodes (states) and an interrupt end it cleanly.
    /// The files are removed when the count is done. With `--engine symmetry` the problems of a
    /// count by symmetry are saved there periodically, in addition to those in memory.
    #[arg(long, value_name = "FOLDER", help_heading = ADVANCED, hide_short_help = true,
        conflicts_with_all = [
            "check", "proof", "trace", "per_option", "histogram", "names", "journal", "limit",
            "profile", "isa", "up_to_symmetry"
        ])]
    pub(crate) scratch: Option<PathBuf>,
    /// Prove the count of one puzzle for the checkers of other programs: FILE.cpog for
    /// `cake_scpog`, FILE.lrat for `cake_lpr`, or FILE.pbp for VeriPB
    ///
    /// The formula is written next to the proof, as FILE.cnf or FILE.opb; `verify-proof` checks
    /// both. CPOG holds counts of any size: a decision diagram, with a proof that its models are
    /// the covers. It cannot hold items that are covered more than once, and its states take 2G
    /// unless --memory says otherwise. The other two list all solutions, up to about a million, and
    /// prove that there are no others. If a limit is reached, no file is written.
    #[arg(long, value_name = "FILE", value_parser = parse_count_proof,
        conflicts_with_all = ["engine", "nodes", "up_to_symmetry", "profile", "stats", "isa"])]
    pub(crate) proof: Option<CountProof>,
    #[command(flatten)]
    pub(crate) parts: JournalArgs,
}

// Arguments of the commands that query the diagram of all solutions.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("from", offer_diagrams))]
pub(crate) struct Ask {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Write grids in this format instead of their own
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    pub(crate) to: Option<String>,
    /// Print the numbers of the chosen options of a cover, in input order from 1: `| options 2 5`
    #[arg(long)]
    pub(crate) option_numbers: bool,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// Skip puzzles whose diagram takes more bytes than this [default: half of what is free];
    /// with a unit K, M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl Ask {
    pub(crate) fn limits(&self) -> PuzzleLimits {
        PuzzleLimits { time: self.time, memory: self.memory }
    }
}
