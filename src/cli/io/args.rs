//! The command line as clap sees it. Names of kinds, formats and engines come from their tables.

pub(in crate::cli) mod pictures;
#[cfg(test)]
mod tests;
mod values;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use num_bigint::BigUint;
use sudoku9::Leaf;

use self::pictures::PictureArgs;
use self::values::{
    parse_bytes, parse_clues, parse_isa, parse_number, parse_numbers, parse_part, parse_percent,
    parse_positive, parse_range, parse_rules, parse_seconds, parse_shards, parse_some, parse_speed,
    parse_symmetries, parse_threads,
};
use crate::algorithm::{self, ALGORITHMS, VARIANTS};
use crate::cli::command::canonical;
use crate::generate::symmetry::SYMMETRIES;
use crate::grid::{FORMATS, Rule, Setting};
use crate::puzzle::{KINDS, SymmetrySort, cover, variant};

/// Makes the end of a help text: examples, each of which a test runs.
macro_rules! examples {
    ($($line:literal),+ $(,)?) => {
        concat!("Examples:" $(, "\n  farandole ", $line)+)
    };
}

/// Solves, counts and compares exact-cover puzzles.
///
/// Sudoku of every size and shape, Latin squares, queens, polyominoes and any other exact cover, from
/// files in many formats or from standard input.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub(in crate::cli) struct Cli {
    #[command(subcommand)]
    pub(in crate::cli) command: Command,
}

// Only the command that is asked for is defined as a whole: all of them would take half of a short run. Its
// arguments are defined after what it is about, so what describes their structs below is no doc comment:
// clap would take that for what the command is about.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(in crate::cli) enum Command {
    /// Print one solution of each puzzle
    #[command(after_help = examples!["solve sudoku.txt", "solve --cheapest 3 cover.dlx"])]
    Solve {
        #[command(flatten)]
        run: RunArgs,
        #[command(flatten)]
        show: ShowArgs,
        /// Print every solution, or with --limit that many, as `list` does
        #[arg(long)]
        all: bool,
        /// Print the K solutions of least cost [default K: 1], cheapest first, proven to be the
        /// cheapest
        ///
        /// Options of exact covers have costs (`|7` in Knuth's text; 0 if there is none). A line `|
        /// cost 310` precedes each solution; with --json the costs are in `costs`. If a limit ends the
        /// search, the best solutions so far are printed, and standard error says that they are not
        /// proven to be the cheapest.
        #[arg(long, value_name = "K", num_args = 0..=1, require_equals = true, default_missing_value = "1",
            value_parser = parse_some, conflicts_with_all = ["all", "limit", "engine", "up_to_symmetry"])]
        cheapest: Option<NonZeroUsize>,
    },
    /// Print how many solutions each puzzle has
    ///
    /// One integer a line, one line a puzzle. A count that was cut short ends in a plus sign.
    ///
    /// With --per-option or --histogram, or from a decision diagram (--from zdd), the count is taken
    /// from the diagram of all solutions; --memory bounds the size of that diagram.
    #[command(after_help = examples!["count --puzzle polyomino 3x20", "count --per-option sudoku.txt"])]
    Count(CountArgs),
    /// Estimate how many solutions each puzzle has, and what it would cost to count them
    ///
    /// For counts that are out of reach. One line a puzzle: an unbiased estimate, followed by a 95 %
    /// confidence interval. Standard error says what the estimate is based on.
    #[command(after_help = examples![
        "estimate --time 1 --puzzle queens 20",
        "estimate --precision 5% --time 2 --puzzle queens 12",
    ])]
    Estimate(EstimateArgs),
    /// Print solutions drawn at random, each as likely as any other
    ///
    /// The same solution may come more than once.
    #[command(after_help = examples![
        "sample --puzzle polyomino dominoes:8x8",
        "sample -n 5 --seed 7 --puzzle queens 8",
    ])]
    Sample {
        /// How many solutions to draw
        #[arg(short = 'n', long = "count", value_name = "K", default_value = "1",
            value_parser = parse_number, allow_negative_numbers = true)]
        count: u64,
        /// Random seed; the same seed draws the same solutions [default: random]
        #[arg(long, value_name = "S", value_parser = parse_number, allow_negative_numbers = true)]
        seed: Option<u64>,
        #[command(flatten)]
        ask: Ask,
        #[command(flatten)]
        pictures: PictureArgs,
    },
    /// Make new puzzles that have exactly one solution
    ///
    /// KIND is a kind such as `sudoku` or `latin`, followed by its parameter (`sudoku 2x3`), or a file with a puzzle:
    /// then its shape, its rules and its clues stay, and clues are added. A solution is drawn at random, and its clues are
    /// deleted in random order as long as there is one solution; so each clue is needed. That way puzzles of few
    /// clues are far more likely than in a uniform choice: see --controlled-bias. Plain 9x9 Sudoku is made by the
    /// ten thousand a second; its full grids are drawn uniformly, and so are the solutions of small puzzles.
    #[command(after_help = examples![
        "generate -n 3 --symmetry half-turn --seed 5 sudoku",
        "generate --rules diagonals --seed 3 sudoku 2x2",
    ])]
    Generate(GenerateArgs),
    /// Print the number of each of the solutions in a file, from 0
    ///
    /// `unrank` finds the solutions by these numbers. The same puzzle always has the same numbers, but
    /// another version of the program may number its solutions differently.
    #[command(after_help = examples![
        "rank --solution solution.txt sudoku.txt",
        "rank --json --solution solution.txt sudoku.txt",
    ])]
    Rank {
        #[command(flatten)]
        ask: Ask,
        /// Read the solutions from this file, as `solve` prints them; `-` is standard input
        #[arg(long, value_name = "FILE")]
        solution: OsString,
    },
    /// Print the solutions with the given numbers, from 0 to one less than the count
    #[command(after_help = examples!["unrank 0,45,91 --puzzle queens 8", "unrank 0 sudoku.txt"])]
    Unrank {
        /// Numbers of solutions, separated by commas
        #[arg(value_name = "I", value_parser = parse_numbers, allow_negative_numbers = true)]
        numbers: NumberList,
        #[command(flatten)]
        ask: Ask,
        #[command(flatten)]
        pictures: PictureArgs,
    },
    /// Print every solution of each puzzle
    #[command(after_help = examples!["list --puzzle queens 6", "list --limit 10 --json sudoku.txt"])]
    List {
        #[command(flatten)]
        run: RunArgs,
        #[command(flatten)]
        show: ShowArgs,
        #[command(flatten)]
        parts: JournalArgs,
    },
    /// Solve the puzzles with every algorithm that can, side by side
    ///
    /// Every algorithm searches all solutions (or as many as --limit says). The answers must agree: the
    /// number of solutions, and a digest of them. Then the algorithms take turns, and the median time
    /// of the rounds is shown with its 95 % interval and its ratio to the fastest. Puzzles without a
    /// solution count, too. All puzzles are held in memory.
    #[command(after_help = examples![
        "compare --engine links,cells,lanes sudoku.txt",
        "compare --time 1 --puzzle queens --range 5..8 --html report.html",
    ])]
    Compare(Versus),
    /// Print what dancing links do, step by step: events, one JSON object a line
    ///
    /// Events are begin, given, choose (an item), cover (an item), try (an option), dead_end, solution,
    /// back, leave, and end. Each try has its back and each choose its leave, so that the search can be
    /// replayed. A line skip stands for the events that were not printed, with their numbers; if there
    /// is one, the last line has the numbers of each level.
    #[command(after_help = examples!["trace --puzzle queens 4", "trace --events 100 sudoku.txt"])]
    Trace {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        trace: TraceArgs,
    },
    /// Play the search of dancing links in the terminal
    ///
    /// Only the first puzzle is played. The screen shows the puzzle as it fills and empties, the items
    /// that are still to be covered with the number of their options, and the choices; a small problem
    /// is drawn as a matrix with its links, as Knuth draws it. Keys: space pauses, right or n steps,
    /// left or b steps back, + and - change the speed, s and d go to the next solution and dead end, m
    /// turns the matrix on and off, q quits.
    #[command(after_help = examples!["watch sudoku.txt", "watch --speed 20 --puzzle queens 6"])]
    Watch {
        #[command(flatten)]
        input: InputArgs,
        /// Begin with this many events a second
        #[arg(long, value_name = "EVENTS", value_parser = parse_speed, allow_negative_numbers = true,
            default_value = "4")]
        speed: f64,
    },
    /// Tell whether each puzzle is in order, and how many solutions it has
    ///
    /// A line a puzzle. If clues clash, it says which and where. Otherwise it says whether there is no
    /// solution, one or how many, and of a grid with one solution whether it is minimal or which clues
    /// can be left out (each of them alone, while all others stay). The exit code is 1 if a puzzle is
    /// not in order or has no solution, and 3 if a limit left a question open. With --json `code` is 0
    /// for what is in order, else it tells where two clues clash: 1 in a row, 2 in a column, 3 in a
    /// region, 4 by another rule, 5 in a puzzle that is no grid.
    #[command(after_help = examples!["check sudoku.txt", "check --quick --json puzzles.txt"])]
    Check {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        check: CheckArgs,
        /// Check the trace of a count of one puzzle (see `count --trace`), and print the count that it
        /// proves
        ///
        /// Each line is checked against the puzzle and the lines above it, by code that counting does
        /// not use. The first line that does not hold is named, and the exit code is 1.
        #[arg(long, value_name = "TRACE")]
        count_trace: Option<PathBuf>,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Explain how each puzzle is solved, step by step
    ///
    /// Always the easiest step that there is: what is forced, subsets and fish, wings and chains, contradictions,
    /// and, where nothing else is left, a case split. A step has the name that solvers of Sudoku use, where it
    /// has one; else it tells which items must be covered (truths) within which others (links). The number in
    /// brackets is how hard it is, from 1.0 to 13.0.
    #[command(after_help = examples!["explain sudoku.txt", "explain --json --puzzle queens 6"])]
    Explain(ExplainArgs),
    /// Print the next step of logic of each puzzle
    #[command(after_help = examples!["hint sudoku.txt", "hint --json puzzles.txt"])]
    Hint(ExplainArgs),
    /// Rate how hard each puzzle is, by the hardest step that it takes
    ///
    /// A line a puzzle: a number from 1.0 to 13.0, and the name of the step. All steps of the same score are taken
    /// at once, so that the rating does not depend on how the puzzle is turned or its symbols are named.
    #[command(after_help = examples!["rate sudoku.txt", "rate --json puzzles.txt"])]
    Rate(ExplainArgs),
    /// Write the puzzles in another format
    #[command(after_help = examples!["convert --to dlx sudoku.txt", "convert --to csv puzzles.txt"])]
    Convert {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        conversion: Conversion,
    },
    /// Draw the puzzles as they are, without solving them
    ///
    /// SVG on standard output, unless --svg, --png or --html say otherwise. Solutions are drawn by the same options of
    /// `solve`, `list`, `sample` and `unrank`, new puzzles by those of `generate`.
    #[command(after_help = examples![
        "draw sudoku.txt > sudoku.svg",
        "draw --html sheet.html --columns 3 puzzles.txt",
    ])]
    Draw {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        pictures: PictureArgs,
        /// Print nothing but errors on standard error
        #[arg(long, short)]
        quiet: bool,
    },
    /// Split the count of one puzzle into shards, for `work` on any number of machines
    ///
    /// One JSON object a line: a header with the puzzle, then the shards. The same puzzle and number always give the
    /// same shards.
    #[command(after_help = examples![
        "split --shards 100 --puzzle queens 10 > shards.jsonl",
        "split --shards 8 sudoku.txt",
    ])]
    Split(SplitArgs),
    /// Count the shards that `split` has made, or those that another `work` has left
    ///
    /// Prints the header, then a JSON object a line: the count of a shard or, where a limit stopped it,
    /// smaller shards in its place. The exit code is 3 if there are such ones.
    #[command(after_help = examples![
        "work shards.jsonl > results.jsonl",
        "work --part 3/16 --threads 1 shards.jsonl > results-3.jsonl",
    ])]
    Work(WorkArgs),
    /// Add up the counts of shards, and print the number of solutions
    ///
    /// Reads any number of files that `work` has printed, and journals of `count --journal`. If a shard is missing, overlaps
    /// another, was changed, has two different counts, or belongs to another puzzle, it is named, and there is no number.
    #[command(after_help = examples!["merge results.jsonl", "merge < results.jsonl"])]
    Merge(MergeArgs),
    /// List the kinds of puzzles, the formats and the engines, or show an example of one
    #[command(after_help = examples!["puzzles", "puzzles queens"])]
    Puzzles {
        /// Print an example of this kind or format, or say what this engine is
        name: Option<String>,
    },
    /// Print the completion script of a shell
    #[command(after_help = examples!["completions bash", "completions zsh > _farandole"])]
    Completions {
        /// The shell for which the script is printed
        shell: Shell,
    },
    /// Print the manual page, or write a page for each command
    #[command(after_help = examples!["man > farandole.1", "man --out share/man/man1"])]
    Man {
        /// Write farandole.1, farandole-solve.1 and so on into this folder, which is made if it is not
        /// there
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

// Options of the commands that search.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("engine", |engine| offer_engines(engine, true)))]
pub(in crate::cli) struct RunArgs {
    #[command(flatten)]
    pub(in crate::cli) input: InputArgs,
    /// Search with this algorithm; `farandole puzzles` lists them
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = algorithm_names())]
    pub(in crate::cli) engine: String,
    #[command(flatten)]
    pub(in crate::cli) limits: LimitArgs,
    /// Take solutions for one that a symmetry of the puzzle maps to each other: all symmetries, or `=rotations` alone
    ///
    /// The symmetries of a board and its pieces, of a board of queens, of a grid (symbols stay as they are), of a line of
    /// Langford pairs; if there are clues, those that map clues to clues. A reflection may exchange two pieces. `list`
    /// and `solve` print the first solution of each class. `count` needs no list, however many solutions there are: it adds
    /// up how many each symmetry leaves unchanged (Burnside's lemma), which --stats shows.
    #[arg(long, value_name = "GROUP", num_args = 0..=1, require_equals = true, default_missing_value = "all",
        value_parser = parse_symmetries)]
    pub(in crate::cli) up_to_symmetry: Option<SymmetrySort>,
    /// Use this many threads, each for a puzzle of its own [default: all cores]
    ///
    /// A thread without a puzzle helps with one that takes long. Solutions and their order do not
    /// depend on the number of threads. With --nodes or --profile each puzzle has one thread.
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub(in crate::cli) threads: Option<u16>,
    /// Search plain 9x9 Sudoku with the instructions of this set: avx512, avx512vl, avx2, neon or plain
    ///
    /// The default is the best that the processor has; another one is for comparisons and for reports of faults. All give the
    /// same counts. Other puzzles are searched as without this option.
    #[arg(long, value_name = "NAME", value_parser = parse_isa)]
    pub(in crate::cli) isa: Option<&'static Leaf>,
    /// Print nodes, updates and time on standard error
    #[arg(long)]
    pub(in crate::cli) stats: bool,
    /// Print nodes and updates of each level of the search tree on standard error
    #[arg(long)]
    pub(in crate::cli) profile: bool,
    #[command(flatten)]
    pub(in crate::cli) output: OutputArgs,
}

// What to count, and how.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("from", offer_diagrams))]
#[command(mut_arg("engine", |engine| offer_engines(engine.long_help(None), false)))]
pub(in crate::cli) struct CountArgs {
    #[command(flatten)]
    pub(in crate::cli) run: RunArgs,
    /// Count every puzzle a second time in another way, and compare the two numbers
    ///
    /// The second count uses another order of the items, modulo a random prime of 61 bits, or another
    /// method. Without this option it is made only where it takes less than a tenth of the time;
    /// --stats says whether it was.
    #[arg(long, conflicts_with_all = ["journal", "limit", "nodes", "profile", "up_to_symmetry"])]
    pub(in crate::cli) check: bool,
    /// Write all states of the count of one puzzle to a file, for `check --count-trace`
    ///
    /// The frontier method counts the puzzle as it is, without any reduction, so that each line can be
    /// checked by itself. That takes far more time and memory than the bare number. Of the limits,
    /// --time and --memory (for the states, 2G by default) apply.
    #[arg(long, value_name = "TRACE",
        conflicts_with_all = [
            "journal", "limit", "nodes", "engine", "threads", "profile", "stats", "up_to_symmetry"
        ])]
    pub(in crate::cli) trace: Option<PathBuf>,
    /// Print the number of solutions that contain each option
    ///
    /// For a grid: the number of solutions that have each symbol in each cell. For any other puzzle one
    /// line an option: the number, a tab, the option.
    #[arg(long,
        conflicts_with_all = [
            "histogram", "journal", "trace", "limit", "nodes", "engine", "threads", "profile", "stats",
            "check", "up_to_symmetry"
        ])]
    pub(in crate::cli) per_option: bool,
    /// Print the number of solutions of each cost, cheapest first: the cost, a tab, the number
    #[arg(long,
        conflicts_with_all = [
            "journal", "trace", "limit", "nodes", "engine", "threads", "profile", "stats", "check",
            "up_to_symmetry"
        ])]
    pub(in crate::cli) histogram: bool,
    /// Print after each number a tab and the file and line of the puzzle
    #[arg(long, conflicts_with_all = ["journal", "trace", "per_option", "histogram"])]
    pub(in crate::cli) names: bool,
    /// Keep the states of a count by frontier in this folder, which may be larger than memory
    ///
    /// Counts one puzzle by `--engine frontier`, within --memory. Whatever ends the program, the same
    /// command goes on from there; --time, --nodes (states) and an interrupt end it cleanly. The files
    /// are removed when the count is done. With `--engine symmetry` the problems of a count by symmetry
    /// are kept there from time to time, beside those in memory.
    #[arg(long, value_name = "FOLDER",
        conflicts_with_all = [
            "check", "trace", "per_option", "histogram", "names", "journal", "limit", "profile", "isa",
            "up_to_symmetry"
        ])]
    pub(in crate::cli) scratch: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) parts: JournalArgs,
}

/// Returns how many threads to use: as many as were asked for, or all cores.
pub(in crate::cli) fn thread_count(asked: Option<u16>) -> usize {
    let all_cores = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(all_cores, usize::from)
}

// How to work in parts.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct JournalArgs {
    /// Keep the finished parts of the work on one puzzle in this file, and go on from there
    ///
    /// Whatever ends the program, the same command goes on with what is left. Each finished part is a
    /// line, or some lines of a list; a changed puzzle or line is refused. --time and an interrupt end
    /// the work cleanly.
    #[arg(long, value_name = "FILE",
        conflicts_with_all = ["limit", "nodes", "engine", "profile", "stats", "isa", "up_to_symmetry"])]
    pub(in crate::cli) journal: Option<PathBuf>,
    /// Split the work into about this many parts [default: by its estimate, 2000 at most]
    #[arg(long, value_name = "N", requires = "journal", value_parser = parse_shards,
        allow_negative_numbers = true)]
    pub(in crate::cli) shards: Option<NonZeroUsize>,
}

// What to split.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct SplitArgs {
    #[command(flatten)]
    pub(in crate::cli) input: InputArgs,
    /// Make about this many shards: at least so many, if the search has as many parts
    #[arg(long, value_name = "N", value_parser = parse_shards, allow_negative_numbers = true)]
    pub(in crate::cli) shards: NonZeroUsize,
}

// What to work on.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct WorkArgs {
    /// A file of shards, and perhaps files with the counts of some, which are left out; `-` is standard input
    /// [default: -]
    #[arg(value_name = "FILE")]
    pub(in crate::cli) files: Vec<OsString>,
    /// Work on one of so many equal parts of the shards, such as 3/16: the third of sixteen
    #[arg(long, value_name = "K/N", value_parser = parse_part)]
    pub(in crate::cli) part: Option<(usize, usize)>,
    /// Stop after this many seconds for a shard, and print smaller ones in its place
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(in crate::cli) time: Option<Duration>,
    /// Go through all solutions of each shard, and print their digest, which does not depend on their order
    ///
    /// Without it most shards are counted by methods that see no solution. Two runs of the same shard have the same digest, and
    /// merge sees whether they have.
    #[arg(long)]
    pub(in crate::cli) digest: bool,
    /// Use this many threads, each for a shard of its own [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub(in crate::cli) threads: Option<u16>,
    /// Hold at most this many bytes [default: half of what is free]; with a suffix K, M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(in crate::cli) memory: Option<u64>,
    /// Print nothing but errors on standard error
    #[arg(long, short)]
    pub(in crate::cli) quiet: bool,
}

// What to add up.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct MergeArgs {
    /// The files with counts; `-` is standard input [default: -]
    #[arg(value_name = "FILE")]
    pub(in crate::cli) files: Vec<OsString>,
    /// Print a JSON object: the count, how many shards it has, how many seconds and nodes they took, and the digest of all
    /// solutions if it is known
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

// What to generate.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct GenerateArgs {
    /// The kind of puzzle and its parameter, or a file with a puzzle [default: sudoku 3x3]
    #[arg(value_name = "KIND")]
    pub(in crate::cli) what: Vec<OsString>,
    /// Add rules to the grids, separated by commas: diagonals, windoku, anti-knight, anti-king
    #[arg(long, value_name = "RULES", value_parser = parse_rules)]
    pub(in crate::cli) rules: Option<RuleList>,
    /// Give the boxes of the grids this width and height, such as 3x2
    #[arg(long, value_name = "WxH", value_parser = Setting::parse_boxes)]
    pub(in crate::cli) boxes: Option<(usize, usize)>,
    /// How many puzzles to make
    #[arg(short = 'n', long, value_name = "N", default_value = "1", value_parser = parse_positive,
        allow_negative_numbers = true)]
    pub(in crate::cli) count: u64,
    /// Random seed; the same seed makes the same puzzles, whatever the threads [default: random]
    #[arg(long, value_name = "S", value_parser = parse_number, allow_negative_numbers = true)]
    pub(in crate::cli) seed: Option<u64>,
    /// Make only puzzles with so many clues, such as 22..24 (both included) or 24
    #[arg(long, value_name = "A..B", value_parser = parse_clues)]
    pub(in crate::cli) clues: Option<RangeInclusive<u32>>,
    /// Let the cells with clues have this symmetry
    ///
    /// Clues that belong together are deleted together, so a puzzle is minimal among those of its symmetry; single clues may
    /// be superfluous. `minimal` in the JSON tells whether one is.
    #[arg(long, value_name = "NAME", default_value = "none", value_parser = symmetry_names())]
    pub(in crate::cli) symmetry: String,
    /// Let only those cells have clues that are neither `.` nor `0` nor `_` in this file
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) pattern: Option<PathBuf>,
    /// Keep superfluous clues: delete until there are as many as a number drawn from --clues
    #[arg(long, requires = "clues")]
    pub(in crate::cli) not_minimal: bool,
    /// Make all minimal 9x9 Sudoku of equally many clues equally likely
    ///
    /// By the method of controlled bias (D. Berthier, 2009): clues are deleted in random order until one would leave
    /// several solutions; the puzzle is kept if it is minimal. Puzzles of n + 1 clues are (n + 1) / (81 - n)
    /// times as likely as those of n clues; `weight` in the JSON undoes that, so that weighted means are those of
    /// all minimal puzzles. Some puzzles a second and core.
    #[arg(long, conflicts_with_all = ["symmetry", "pattern", "not_minimal", "rules", "boxes"])]
    pub(in crate::cli) controlled_bias: bool,
    /// Give up after so many tries, each of which begins with a new solution (--controlled-bias: with a new order)
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(in crate::cli) tries: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(in crate::cli) time: Option<Duration>,
    /// Take at most so many nodes to see whether a clue is needed, else keep it (not for plain 9x9 Sudoku)
    #[arg(long, value_name = "N", default_value = "100000", value_parser = parse_positive,
        allow_negative_numbers = true)]
    pub(in crate::cli) nodes: u64,
    /// Hold at most this many bytes [default: half of what is free]; with a suffix K, M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(in crate::cli) memory: Option<u64>,
    /// Use this many threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub(in crate::cli) threads: Option<u16>,
    /// Write grids in this format [default: a line each, or that of the file]
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    pub(in crate::cli) to: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) pictures: PictureArgs,
    #[command(flatten)]
    pub(in crate::cli) output: OutputArgs,
}

// What to estimate, and how.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct EstimateArgs {
    #[command(flatten)]
    pub(in crate::cli) input: InputArgs,
    /// Take this many seconds for each puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true,
        default_value = "10")]
    pub(in crate::cli) time: Duration,
    /// Stop once the relative standard error is at most this, such as 1%
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, allow_negative_numbers = true)]
    pub(in crate::cli) precision: Option<f64>,
    /// Keep this many states after each step [default: as many as there is time for]
    #[arg(long, value_name = "N", value_parser = parse_some, allow_negative_numbers = true)]
    pub(in crate::cli) beam: Option<NonZeroUsize>,
    /// Stop after this many runs; with --beam and --seed the result is always the same
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(in crate::cli) runs: Option<u64>,
    /// Random seed; the same seed gives the same random numbers
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_number,
        allow_negative_numbers = true)]
    pub(in crate::cli) seed: u64,
    #[command(flatten)]
    pub(in crate::cli) output: OutputArgs,
}

// What to trace.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct TraceArgs {
    /// Print the first N events of a puzzle; then only those that close them, and how many were not
    /// printed
    #[arg(long, value_name = "N", default_value = "10000", value_parser = parse_number,
        allow_negative_numbers = true)]
    pub(in crate::cli) events: u64,
    /// Show the inside of only every K-th try of each level, not counting forced tries
    #[arg(long, value_name = "K", default_value = "1", value_parser = parse_positive,
        allow_negative_numbers = true)]
    pub(in crate::cli) sample: u64,
    /// Stop after this many solutions of a puzzle
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(in crate::cli) limit: Option<u64>,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true,
        default_value = "10")]
    pub(in crate::cli) time: Duration,
    /// Stop after this many nodes of a puzzle's search tree
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    pub(in crate::cli) nodes: Option<u64>,
    /// Print nothing but errors on standard error
    #[arg(long, short)]
    pub(in crate::cli) quiet: bool,
}

// What to check.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct CheckArgs {
    /// Only say whether the clues are consistent, without any search
    #[arg(long, conflicts_with_all = ["nodes", "time"])]
    pub(in crate::cli) quick: bool,
    /// Say why a puzzle is not as it should be, in several lines, and what would mend it
    ///
    /// Of a puzzle with several solutions: two of them with the places where they differ, which options are in some
    /// solutions and in how many, the fewest places that tell all solutions apart, and which clue to add or
    /// to change to leave one. Of a puzzle without a solution: clues that clash, none of which can be left
    /// out, and which clue to leave out or to change. Of one with one solution: what each clue is good for. Up to 1000 solutions are looked at.
    #[arg(long, conflicts_with = "quick")]
    pub(in crate::cli) why: bool,
    /// Tell whether two 9x9 Sudoku are the same up to symmetry, and how one becomes the other
    ///
    /// Rows after transposing, and columns, are given as the old lines in their new order. The exit code is 1 if
    /// they are not the same.
    #[arg(long, conflicts_with_all = ["quick", "why", "nodes", "time"])]
    pub(in crate::cli) same: bool,
    /// When to color the answers of --why
    #[arg(long, value_name = "WHEN", default_value = "auto", requires = "why")]
    pub(in crate::cli) color: When,
    /// Stop after this many nodes of a puzzle's search tree: once while solutions are counted, and once
    /// while clues are tried
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = parse_number,
        allow_negative_numbers = true)]
    pub(in crate::cli) nodes: u64,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(in crate::cli) time: Option<Duration>,
}

// Options of the commands that explain.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct ExplainArgs {
    #[command(flatten)]
    pub(in crate::cli) input: InputArgs,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(in crate::cli) time: Option<Duration>,
    /// Try at most this many branches in a case split [default: 20000]
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    pub(in crate::cli) nodes: Option<u64>,
    /// Use this many threads, each for a puzzle of its own [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub(in crate::cli) threads: Option<u16>,
    #[command(flatten)]
    pub(in crate::cli) output: OutputArgs,
}

// Options of the commands that ask the diagram of all solutions.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("from", offer_diagrams))]
pub(in crate::cli) struct Ask {
    #[command(flatten)]
    pub(in crate::cli) input: InputArgs,
    /// Write grids in this format instead of the one they came in
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    pub(in crate::cli) to: Option<String>,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(in crate::cli) time: Option<Duration>,
    /// Skip puzzles whose diagram takes more bytes than this [default: half of what is free];
    /// with a suffix K, M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(in crate::cli) memory: Option<u64>,
    #[command(flatten)]
    pub(in crate::cli) output: OutputArgs,
}

// How to convert.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct Conversion {
    /// Write this format, one of grids or of exact covers; `farandole puzzles` lists them; or `canonical`
    ///
    /// Two plain 9x9 Sudoku are the same up to symmetry (digits renamed, lines exchanged, rows made columns) just if
    /// their canonical forms are: the solution as the least text of all, with the clues where they come to stand.
    #[arg(long, value_name = "FORMAT", value_parser = output_names())]
    pub(in crate::cli) to: String,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(in crate::cli) time: Option<Duration>,
    /// Skip puzzles that take more bytes than this [default: half of what is free]; with a suffix K, M
    /// or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(in crate::cli) memory: Option<u64>,
    /// Print nothing but errors on standard error
    #[arg(long, short)]
    pub(in crate::cli) quiet: bool,
}

// What to compare, and how.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("engine", |engine| offer_engines(engine, false)))]
pub(in crate::cli) struct Versus {
    #[command(flatten)]
    pub(in crate::cli) input: InputArgs,
    /// Compare only these algorithms [default: all but the variants]
    ///
    /// Each variant changes one thing about an algorithm, to see what it is worth: links-no-mrv always
    /// takes the first item, cells-last and cells-random break ties in another way, cells-wide has the
    /// arena of a large problem.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = algorithm_names())]
    pub(in crate::cli) engine: Vec<String>,
    /// Compare with a program, too: NAME=COMMAND, or NAME:ADAPTER=COMMAND; may be given several times
    ///
    /// The adapter says what the program reads and prints. `line` (the default): it reads grids, one a
    /// line, and prints a solution of each, one a line. `count`: it reads the same, or one problem in
    /// Knuth's text, and prints one number of solutions a line. `knuth`: it reads a problem in Knuth's
    /// text and prints `Altogether N solutions`. `dimacs`: it reads a problem in DIMACS CNF and prints
    /// `s SATISFIABLE` and a model. `json`: it reads a problem in JSON and prints {"count": N} or
    /// {"solutions": [[option, ...], ...]}, with options numbered from 0. In the command, {in} is
    /// replaced by a file with the puzzles, which otherwise come on standard input, and {out} by a file
    /// for the answers. Our algorithms are then timed as programs, too.
    #[arg(long = "with", value_name = "PROGRAM")]
    pub(in crate::cli) programs: Vec<String>,
    /// Compare on the puzzles of all these sizes, such as 6..14 (both included), to see how the cost
    /// grows
    ///
    /// With --puzzle KIND each size is a parameter of that kind, or takes the place of `{}` in FILE, as
    /// in `--puzzle polyomino --range 2..8 dominoes:{}x8`.
    #[arg(long, value_name = "SIZES", requires = "puzzle", value_parser = parse_range)]
    pub(in crate::cli) range: Option<RangeInclusive<u64>>,
    /// Stop after this many solutions of a puzzle [default: all; 1 with a program that finds no more]
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(in crate::cli) limit: Option<u64>,
    /// Give each algorithm this many seconds for all puzzles together, and again for its rounds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true,
        default_value = "10")]
    pub(in crate::cli) time: Duration,
    /// Give each algorithm this many seconds for one puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(in crate::cli) each: Option<Duration>,
    /// Stop after this many nodes of a puzzle's search tree
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    pub(in crate::cli) nodes: Option<u64>,
    /// Measure until the intervals of the fastest ones are at most this share of the median, for
    /// instance 2%
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, allow_negative_numbers = true,
        default_value = "2%")]
    pub(in crate::cli) precision: f64,
    /// Explain why some algorithms are faster than others, with figures measured on this machine
    #[arg(long,
        conflicts_with_all = [
            "files", "puzzle", "engine", "programs", "limit", "nodes", "range", "save", "against",
            "show", "html", "svg", "csv", "markdown", "json"
        ])]
    pub(in crate::cli) lesson: bool,
    /// Write tables and plots to a file, as one HTML page that needs no other file
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) html: Option<PathBuf>,
    /// Write each plot to a file of its own in a folder: bars.svg, cactus.svg, scatter.svg, ...
    #[arg(long, value_name = "FOLDER")]
    pub(in crate::cli) svg: Option<PathBuf>,
    /// Write a table of all contenders and puzzles to a file, with a head line
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) csv: Option<PathBuf>,
    /// Write the table of contenders to a file in Markdown
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) markdown: Option<PathBuf>,
    /// Write everything that was measured to a file, as a record (JSON)
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) save: Option<PathBuf>,
    /// Show a record instead of comparing anew
    #[arg(long, value_name = "RECORD",
        conflicts_with_all = [
            "files", "puzzle", "engine", "programs", "limit", "nodes", "range", "save"
        ])]
    pub(in crate::cli) show: Option<PathBuf>,
    /// Show what has changed since a record: nodes and updates, which are exact, then times
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) against: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) output: OutputArgs,
}

// How solutions are shown.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct ShowArgs {
    /// Write grids in this format instead of the one they came in
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    pub(in crate::cli) to: Option<String>,
    /// When to color the answers
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(in crate::cli) color: When,
    #[command(flatten)]
    pub(in crate::cli) pictures: PictureArgs,
}

// What to read.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct InputArgs {
    /// Files to read; `-` is standard input. With --puzzle a parameter of that kind, such as 8
    #[arg(value_name = "FILE")]
    pub(in crate::cli) files: Vec<OsString>,
    /// Read puzzles of this kind, whatever the content looks like
    #[arg(long, value_name = "KIND", value_parser = kind_names())]
    pub(in crate::cli) puzzle: Option<String>,
    /// Read this format, whatever the content looks like
    #[arg(long, value_name = "FORMAT", value_parser = input_names())]
    pub(in crate::cli) from: Option<String>,
    /// Add rules to the grids, separated by commas: diagonals, windoku, anti-knight, anti-king
    #[arg(long, value_name = "RULES", value_parser = parse_rules)]
    pub(in crate::cli) rules: Option<RuleList>,
    /// Give the boxes of the grids this width and height, such as 3x2
    #[arg(long, value_name = "WxH", value_parser = Setting::parse_boxes)]
    pub(in crate::cli) boxes: Option<(usize, usize)>,
}

/// Reads the arguments of the process; ends it where they are not in order or help is asked for.
pub(in crate::cli) fn parse() -> Command {
    let arguments = join_cheapest(std::env::args_os());
    let matches = command().get_matches_from(arguments);
    let read = Cli::from_arg_matches(&matches);
    read.unwrap_or_else(|error| error.format(&mut command()).exit()).command
}

/// Returns the definition of the command line.
pub(in crate::cli) fn command() -> clap::Command {
    Cli::command()
}

/// Lets an argument also take the formats of diagrams of all solutions.
fn offer_diagrams(argument: Arg) -> Arg {
    argument.value_parser(names_with_diagrams())
}

/// Lets an argument take the names of engines, which its long help lists by what they are for.
fn offer_engines(argument: Arg, only_searches: bool) -> Arg {
    let groups = algorithm::by_purpose()
        .filter(|(purpose, _)| !only_searches || *purpose != algorithm::ONLY_COUNT);
    let groups: Vec<_> = groups
        .map(|(purpose, specs)| (purpose, specs.iter().map(|spec| spec.name).collect()))
        .collect();
    let names: PossibleValuesParser =
        groups.iter().flat_map(|(_, names): &(_, Vec<_>)| names).copied().into();
    let mut help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    if let Some(rest) = argument.get_long_help() {
        help = rest.to_string();
    }
    help.push('\n');
    for (purpose, names) in &groups {
        push!(help, "\nEngines that {purpose}: {}", names.join(", "));
    }
    argument.value_parser(names).hide_possible_values(true).long_help(help)
}

/// Joins `--cheapest 3` to `--cheapest=3`: a number that follows belongs to the option, anything else
/// is a file.
fn join_cheapest(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    for argument in arguments {
        let is_number = argument.to_str().is_some_and(|text| text.parse::<usize>().is_ok());
        match joined.last_mut().filter(|last| is_number && *last == "--cheapest") {
            Some(last) => {
                last.push("=");
                last.push(argument);
            }
            None => joined.push(argument),
        }
    }
    joined
}

/// A list of numbers, as one value.
#[derive(Clone, Debug)]
pub(in crate::cli) struct NumberList(pub(in crate::cli) Vec<BigUint>);

/// A list of rules, as one value.
#[derive(Clone, Debug)]
pub(in crate::cli) struct RuleList(pub(in crate::cli) Vec<Rule>);

// When to stop; for each puzzle.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct LimitArgs {
    /// Stop after this many solutions of a puzzle
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(in crate::cli) limit: Option<u64>,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(in crate::cli) time: Option<Duration>,
    /// Stop after this many nodes of a puzzle's search tree
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true)]
    pub(in crate::cli) nodes: Option<u64>,
    /// Skip puzzles whose search would take more bytes than this, as far as that is known in advance;
    /// with a suffix K, M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(in crate::cli) memory: Option<u64>,
}

// How to print.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct OutputArgs {
    /// Print one JSON object a line; solutions of grids as lines, unless --to says otherwise
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Print nothing but errors on standard error
    #[arg(long, short)]
    pub(in crate::cli) quiet: bool,
}

/// When to use colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum When {
    /// Use colors if standard output is a terminal
    Auto,
    /// Use colors whatever standard output is
    Always,
    /// Use no colors
    Never,
}

fn algorithm_names() -> PossibleValuesParser {
    ALGORITHMS.iter().chain(VARIANTS.iter()).map(|spec| spec.name).into()
}

fn kind_names() -> PossibleValuesParser {
    KINDS.iter().map(|kind| kind.name).into()
}

fn written_formats() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().filter(|format| format.is_written()).map(|format| format.name())
}

fn format_names() -> PossibleValuesParser {
    written_formats().into()
}

/// Returns the names of the formats that are read as puzzles.
fn readable() -> impl Iterator<Item = &'static str> {
    let forms = cover::FORMS.iter().filter(|form| form.read.is_some());
    FORMATS.iter().map(|format| format.name()).chain(forms.map(|form| form.name))
}

fn symmetry_names() -> PossibleValuesParser {
    SYMMETRIES.iter().map(|symmetry| symmetry.name).into()
}

fn input_names() -> PossibleValuesParser {
    readable().into()
}

/// Returns the names of the formats that are read by the commands that also take a diagram of all
/// solutions.
fn names_with_diagrams() -> PossibleValuesParser {
    let forms = cover::FORMS.iter().filter(|form| form.diagram.is_some());
    readable().chain(forms.map(|form| form.name)).into()
}

fn output_names() -> PossibleValuesParser {
    let forms = cover::FORMS.iter().map(|form| form.name);
    let of_variants = variant::written_forms().map(|(name, _)| name);
    written_formats().chain(forms).chain(of_variants).chain([canonical::NAME]).into()
}
