//! The definition of the command line. Names of kinds, formats and engines come from their tables.

mod common;
mod making;
mod offers;
#[cfg(not(target_family = "wasm"))]
mod page;
mod parts;
pub(crate) mod pictures;
mod proof;
mod search;
mod study;
#[cfg(test)]
mod tests;
mod values;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
#[cfg(not(target_family = "wasm"))]
use clap_complete::Shell;

pub(crate) use self::common::{
    InputArgs, LimitArgs, OutputArgs, PuzzleLimits, ShowArgs, When, thread_count,
};
pub(crate) use self::making::{Conversion, GenerateArgs};
pub(crate) use self::offers::CANONICAL;
#[cfg(not(target_family = "wasm"))]
pub(crate) use self::page::PageArgs;
pub(crate) use self::parts::{JournalArgs, MergeArgs, SplitArgs, WorkArgs};
use self::pictures::PictureArgs;
pub(crate) use self::proof::{CountProof, ProofArgs, ProofFile};
pub(crate) use self::search::{Ask, CountArgs, RunArgs};
pub(crate) use self::study::{
    CheckArgs, EstimateArgs, ExplainArgs, HintArgs, StepsArgs, TraceArgs, Versus,
};
#[cfg(not(target_family = "wasm"))]
use self::values::parse_speed;
pub(crate) use self::values::{NumberList, RuleList};
use self::values::{parse_number, parse_numbers, parse_some};
use super::exit::Exit;
use super::{host, output};

/// Builds the examples at the end of a help text. A test runs each example.
macro_rules! examples {
    ($($line:literal),+ $(,)?) => {
        concat!("Examples:" $(, "\n  farandole ", $line)+)
    };
}

/// The version, which says whether this is a development build (`build.rs`).
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("FARANDOLE_MARK"));

/// Solves, counts and compares exact-cover puzzles.
///
/// Sudoku of every size and shape, Latin squares, queens, polyominoes and any other exact cover,
/// from files in many formats or from standard input.
#[derive(Debug, Parser)]
#[command(version = VERSION, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

// `defer` builds only the requested command in full, because building all commands would take half
// of a short run. Clap adds the arguments of a deferred command after its description. The argument
// structs have no doc comments, since clap would replace the description with them.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Print one solution of each puzzle
    #[command(after_help = examples!["solve sudoku.txt", "solve --cheapest 3 cover.dlx"])]
    Solve {
        #[command(flatten)]
        run: RunArgs,
        #[command(flatten)]
        show: ShowArgs,
        #[command(flatten)]
        proof: ProofArgs,
        /// Print every solution, or that many with --limit, like `list`
        #[arg(long, display_order = 0)]
        all: bool,
        /// Print the K cheapest solutions [default K: 1], cheapest first, proven optimal
        ///
        /// Options of exact covers have costs (`|7` in Knuth's text; 0 by default). A line `| cost
        /// 310` precedes each solution; with --json the costs are in `costs`. If a limit ends the
        /// search, Farandole prints the best solutions so far and says on standard error that they
        /// are not proven optimal.
        #[arg(long, value_name = "K", num_args = 0..=1, require_equals = true, default_missing_value = "1",
            value_parser = parse_some, conflicts_with_all = ["all", "limit", "engine", "up_to_symmetry"])]
        cheapest: Option<NonZeroUsize>,
    },
    /// Print how many solutions each puzzle has
    ///
    /// One integer per line, one line per puzzle. An incomplete count ends in a plus sign.
    ///
    /// With --per-option or --histogram, or from a decision diagram (--from zdd), the count comes
    /// from the diagram of all solutions; --memory bounds the size of that diagram.
    #[command(after_help = examples![
        "count --puzzle polyomino 3x20",
        "count --proof queens.lrat --puzzle queens 8",
    ])]
    Count(CountArgs),
    /// Estimate how many solutions each puzzle has, and the cost of counting them
    ///
    /// For counts that are out of reach. One line per puzzle: an unbiased estimate, followed by a
    /// 95 % confidence interval. Standard error says what the estimate is based on.
    #[command(after_help = examples![
        "estimate --time 3 --puzzle queens 20",
        "estimate --precision 5% --time 20 --puzzle queens 12",
    ])]
    Estimate(EstimateArgs),
    /// Print solutions drawn uniformly at random
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
    /// Make new puzzles with exactly one solution
    ///
    /// KIND is a kind such as `sudoku` or `latin`, followed by its parameter (`sudoku 2x3`), or a
    /// file with a puzzle: Farandole keeps its shape, rules and clues, and adds clues. It draws a
    /// solution at random, then removes clues in random order as long as the solution stays unique,
    /// so every remaining clue is needed. Puzzles with few clues are then far more likely than in a
    /// uniform choice: see --controlled-bias. Plain 9x9 Sudoku are made at about ten thousand per
    /// second; their full grids are drawn uniformly, like the solutions of small puzzles.
    #[command(after_help = examples![
        "generate -n 3 --symmetry half-turn --seed 5 sudoku",
        "generate --rules diagonals --seed 3 sudoku 2x2",
    ])]
    Generate(GenerateArgs),
    /// Print the index (from 0) of each solution in a file
    ///
    /// `unrank` finds the solutions with these indices. The same puzzle always has the same
    /// indices, but another version of the program may number its solutions differently.
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
    /// Print the solutions with the given indices, from 0 to one less than the count
    #[command(after_help = examples!["unrank 0,45,91 --puzzle queens 8", "unrank 0 sudoku.txt"])]
    Unrank {
        /// Indices of solutions, separated by commas
        #[arg(value_name = "I", value_parser = parse_numbers, allow_negative_numbers = true)]
        numbers: NumberList,
        #[command(flatten)]
        ask: Ask,
        #[command(flatten)]
        pictures: PictureArgs,
    },
    /// Print every solution of each puzzle
    #[command(after_help = examples!["list --puzzle queens 6", "list --proof all.pbp sudoku.txt"])]
    List {
        #[command(flatten)]
        run: RunArgs,
        #[command(flatten)]
        show: ShowArgs,
        #[command(flatten)]
        proof: ProofArgs,
        #[command(flatten)]
        parts: JournalArgs,
    },
    /// Compare all applicable algorithms side by side
    ///
    /// Every algorithm searches all solutions (or as many as --limit says). The answers must agree:
    /// the number of solutions, and a digest of them. Then the algorithms take turns, and the table
    /// shows the median time of the rounds with its 95 % interval and its ratio to the fastest.
    /// Puzzles without a solution are included. All puzzles are held in memory.
    #[command(after_help = examples![
        "compare --engine links,cells,lanes sudoku.txt",
        "compare --time 1 --puzzle queens --range 5..8 --html report.html",
    ])]
    Compare(Versus),
    /// Trace a dancing-links search as JSON events, one per line
    ///
    /// Events are begin, given, choose (an item), cover (an item), try (an option), dead_end,
    /// solution, back, leave, and end. Each try has its back and each choose its leave, so the
    /// search can be replayed. A line skip stands for the events that were not printed, with their
    /// numbers; if there is one, the last line has the numbers of each level.
    #[command(after_help = examples!["trace --puzzle queens 4", "trace --events 100 sudoku.txt"])]
    Trace {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        trace: TraceArgs,
    },
    #[cfg(not(target_family = "wasm"))]
    /// Play the dancing-links search in the terminal
    ///
    /// Plays only the first puzzle. The screen shows the puzzle as it fills and empties, the
    /// uncovered items with the number of their options, and the choices; a small problem is drawn
    /// as a matrix with its links, as Knuth draws it. Keys: space pauses, right or n steps, left or
    /// b steps back, + and - change the speed, s and d go to the next solution and dead end, m
    /// turns the matrix on and off, q quits.
    #[command(after_help = examples!["watch sudoku.txt", "watch --speed 20 --puzzle queens 6"])]
    Watch {
        #[command(flatten)]
        input: InputArgs,
        /// Begin with this many events per second
        #[arg(long, value_name = "EVENTS", value_parser = parse_speed, allow_negative_numbers = true,
            default_value = "4")]
        speed: f64,
    },
    /// Open the page in a browser: solve, draw, count and watch with the speed of this program
    ///
    /// Serves the page on this machine only, at an address with a random token, until Ctrl-C. Each
    /// question of the page is a run of this program; it ends when the page no longer waits for the
    /// answer.
    #[command(after_help = examples!["page", "page --no-open --port 8000"])]
    #[cfg(not(target_family = "wasm"))]
    Page(PageArgs),
    /// Validate each puzzle and count its solutions
    ///
    /// One line per puzzle. If clues clash, it says which and where. Otherwise it says whether
    /// there is no solution, one, or how many, and for a grid with one solution whether it is
    /// minimal or which clues can be removed (each of them alone, while all others stay). The exit
    /// code is 1 if a puzzle is invalid or has no solution, and 3 if a limit left a question open.
    /// With --json `code` is 0 for a valid puzzle, otherwise the place where two clues clash: 1 in
    /// a row, 2 in a column, 3 in a region, 4 by another rule, 5 in a puzzle that is not a grid.
    #[command(after_help = examples![
        "check --quick --json puzzles.txt",
        "check --why --svg why.svg sudoku.txt",
    ])]
    Check {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        check: CheckArgs,
        #[command(flatten)]
        output: OutputArgs,
        #[command(flatten)]
        pictures: PictureArgs,
    },
    /// Check the proof of an answer to one puzzle, and print what it proves
    ///
    /// The ending of the file selects the kind of the proof: `.cpog` (see `count --proof`), `.lrat`
    /// and `.pbp` have their formula in a file of the same name with the ending `.cnf` or `.opb`;
    /// any other ending is a trace (see `count --trace`). Code that no search uses writes the
    /// formula of the puzzle again, compares it with the file, and checks each line of the proof.
    /// It names the first line that does not hold; the exit code is then 1.
    #[command(after_help = examples![
        "verify-proof six.cpog --puzzle queens 6",
        "verify-proof sudoku.trace sudoku.txt",
    ])]
    VerifyProof {
        /// The proof
        #[arg(value_name = "PROOF")]
        proof: PathBuf,
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        limits: PuzzleLimits,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Explain how a person would solve each puzzle, step by step
    ///
    /// Each step is the easiest available: forced options, subsets and fish, wings and chains,
    /// contradictions, and a case split as the last resort. A step has the name that Sudoku solvers
    /// use, if there is one; otherwise it says which items must be covered (truths) within which
    /// others (links). The number in brackets is its difficulty, from 1.0 to 13.0.
    ///
    /// With --svg, --png or --html each step is also drawn: all steps on one page, or each in its
    /// own file in a folder.
    #[command(after_help = examples![
        "explain sudoku.txt",
        "explain --html steps.html --columns 3 sudoku.txt",
    ])]
    Explain(StepsArgs),
    /// Print the next logical step of each puzzle
    #[command(after_help = examples!["hint sudoku.txt", "hint --svg hint.svg sudoku.txt"])]
    Hint(HintArgs),
    /// Rate the difficulty of each puzzle by its hardest step
    ///
    /// One line per puzzle: a number from 1.0 to 13.0, and the name of the step. All steps with the
    /// same score are taken at once, so the rating does not depend on the orientation of the puzzle
    /// or the names of its symbols.
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
    /// Draw the puzzles without solving them
    ///
    /// SVG on standard output by default; see --svg, --png and --html. `solve`, `list`, `sample`
    /// and `unrank` draw solutions with the same options, and `generate` draws new puzzles.
    #[command(after_help = examples![
        "draw sudoku.txt > sudoku.svg",
        "draw --html sheet.html --columns 3 puzzles.txt",
    ])]
    Draw {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        pictures: PictureArgs,
        #[command(flatten)]
        limits: PuzzleLimits,
        /// Print only errors on standard error
        #[arg(long, short)]
        quiet: bool,
    },
    /// Split the count of one puzzle into shards, for `work` on any number of machines
    ///
    /// One JSON object per line: a header with the puzzle, then the shards. The same puzzle and
    /// number always give the same shards.
    #[command(after_help = examples![
        "split --shards 100 --puzzle queens 10 > shards.jsonl",
        "split --shards 8 sudoku.txt",
    ])]
    Split(SplitArgs),
    /// Count shards from `split`, or those that another `work` left
    ///
    /// Prints the header, then one JSON object per line: the count of a shard or, if a limit
    /// stopped it, smaller shards in its place. The exit code is 3 if there are smaller shards.
    #[command(after_help = examples![
        "work shards.jsonl > results.jsonl",
        "work --part 3/16 --threads 1 shards.jsonl > results-3.jsonl",
    ])]
    Work(WorkArgs),
    /// Add up the counts of shards, and print the number of solutions
    ///
    /// Reads any number of files printed by `work`, and journals of `count --journal`. If a shard
    /// is missing, overlaps another, was changed, has two different counts, or belongs to another
    /// puzzle, `merge` names it and prints no number.
    #[command(after_help = examples!["merge results.jsonl", "merge < results.jsonl"])]
    Merge(MergeArgs),
    /// List the kinds of puzzles, the formats and the engines, or show an example of one
    #[command(after_help = examples!["puzzles", "puzzles queens"])]
    Puzzles {
        /// Print an example of this kind or format, or describe this engine
        name: Option<String>,
    },
    #[cfg(not(target_family = "wasm"))]
    /// Print the completion script for a shell
    #[command(after_help = examples!["completions bash", "completions zsh > _farandole"])]
    Completions {
        /// The shell whose script is printed
        shell: Shell,
    },
    #[cfg(not(target_family = "wasm"))]
    /// Print the manual page, or write a page for each command
    #[command(after_help = examples!["man > farandole.1", "man --out share/man/man1"])]
    Man {
        /// Write farandole.1, farandole-solve.1 and so on into this folder, which is created if it
        /// does not exist
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

/// Reads the arguments after the name of the program.
///
/// # Errors
/// The exit code, if the arguments are invalid or help was requested. The error message or the help
/// has been printed.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Exit> {
    let arguments = join_cheapest(std::iter::once("farandole".into()).chain(arguments));
    let matches =
        command().try_get_matches_from(&arguments).map_err(|error| refuse(error, &arguments))?;
    let read = Cli::from_arg_matches(&matches);
    read.map(|cli| cli.command).map_err(|error| refuse(error.format(&mut command()), &arguments))
}

/// Prints help or an error in the arguments, and returns the exit code.
fn refuse(mut error: clap::Error, arguments: &[OsString]) -> Exit {
    if error.kind() == ErrorKind::UnknownArgument {
        if let Some(message) = misplaced(&error, arguments) {
            say!("{message}");
            return Exit::BadInput;
        }
        // Clap suggests to pass the unknown option as a value after `--`, which never helps.
        error.remove(ContextKind::Suggested);
    }
    if host::is_present() {
        say!("{}", error.render().to_string().trim_end());
        return if error.use_stderr() { Exit::BadInput } else { Exit::Done };
    }
    let printed = error.print().and_then(|()| io::stdout().flush());
    match printed {
        _ if error.use_stderr() => Exit::BadInput,
        Ok(()) => Exit::Done,
        Err(error) => output::lost(&error),
    }
}

/// Names the commands that accept an option which the chosen command does not accept. Returns
/// `None` if no command accepts it.
fn misplaced(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return None };
    let name = option.strip_prefix("--")?.split('=').next()?;
    let mut all = command();
    all.build();
    let has = |command: &&clap::Command| {
        command.get_arguments().any(|argument| argument.get_long() == Some(name))
    };
    let homes: Vec<&str> = all.get_subcommands().filter(has).map(clap::Command::get_name).collect();
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    let chosen = words.find_map(|word| all.find_subcommand(word))?.get_name();
    let why = if name == "threads" { ", which works on one thread," } else { "" };
    (!homes.is_empty()).then(|| {
        let homes = homes.join(", ");
        format!("`{chosen}`{why} has no option `--{name}`; it is an option of {homes}")
    })
}

pub(crate) fn command() -> clap::Command {
    Cli::command()
}

/// Joins `--cheapest 3` to `--cheapest=3`. A number after the option belongs to the option, and any
/// other word is a file.
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
