//! Arguments of the commands that make puzzles: generate and convert.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::common::OutputArgs;
use super::offers::{format_names, output_names, symmetry_names};
use super::pictures::PictureArgs;
use super::values::{
    RuleList, parse_bytes, parse_cage_size, parse_clues, parse_number, parse_positive, parse_rating,
    parse_rules, parse_seconds, parse_some, parse_threads,
};
use grid::Setting;

// Arguments of `generate`.
#[derive(Clone, Debug, Args)]
pub(crate) struct GenerateArgs {
    /// The kind of puzzle and its parameter, or a file with a puzzle [default: sudoku 3x3]
    #[arg(value_name = "KIND")]
    pub(crate) what: Vec<OsString>,
    /// Add rules to the grids, separated by commas: diagonals, windoku, anti-knight, anti-king
    #[arg(long, value_name = "RULES", value_parser = parse_rules)]
    pub(crate) rules: Option<RuleList>,
    /// Give the boxes of the grids this width and height, such as 3x2
    #[arg(long, value_name = "WxH", value_parser = Setting::parse_boxes)]
    pub(crate) boxes: Option<(usize, usize)>,
    /// How many puzzles to make
    #[arg(short = 'n', long, value_name = "N", default_value = "1", value_parser = parse_positive,
        allow_negative_numbers = true)]
    pub(crate) count: u64,
    /// Random seed; the same seed makes the same puzzles, whatever the threads [default: random]
    #[arg(long, value_name = "S", value_parser = parse_number, allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Make only puzzles with so many clues, such as 22..24 (both included) or 24
    #[arg(long, value_name = "A..B", value_parser = parse_clues)]
    pub(crate) clues: Option<RangeInclusive<u32>>,
    /// Make only puzzles whose hardest step of logic has a score in this range, such as 3.0..4.5
    /// (both included)
    ///
    /// As `rate` tells it. Each puzzle is rated, and dropped if it is easier or harder, so scores
    /// that are rare take long: --tries and --time end that.
    #[arg(long, value_name = "A..B", value_parser = parse_rating)]
    pub(crate) rating: Option<RangeInclusive<u32>>,
    /// Let the cells with clues have this symmetry
    ///
    /// Clues that belong together are deleted together, so a puzzle is minimal among those of its
    /// symmetry; single clues may be superfluous. `minimal` in the JSON tells whether one is.
    #[arg(long, value_name = "NAME", default_value = "none", value_parser = symmetry_names())]
    pub(crate) symmetry: String,
    /// Draw regions at random for each puzzle, and make jigsaws with them
    ///
    /// For grids without clues of 3 to 16 rows: `generate --jigsaw latin 7`.
    #[arg(long)]
    pub(crate) jigsaw: bool,
    /// Draw cages with sums at random for each puzzle, and make killers without digits
    ///
    /// The cages cover the grid, and are changed until there is one solution; with --rating then
    /// until a puzzle is as hard as that. For grids without digits of up to 16 symbols: `generate
    /// --killer --rating 3.0..4.0 sudoku 2x3`. With --jigsaw the regions are drawn as well; a file
    /// with clues of other rules keeps them.
    #[arg(long,
        conflicts_with_all = ["clues", "symmetry", "pattern", "not_minimal", "controlled_bias"])]
    pub(crate) killer: bool,
    /// Let cages of --killer have so many cells, such as 2..5 (both included)
    #[arg(long, value_name = "A..B", default_value = "2..5", value_parser = parse_cage_size, requires = "killer")]
    pub(crate) cage_size: RangeInclusive<usize>,
    /// Draw so many pieces of a set at random for each puzzle, and a board that they cover
    ///
    /// For the kind polyomino and a set of pieces: `generate --pieces 6 polyomino pentominoes`.
    /// Clues are pieces that lie on the board already; with --clues 0 there are none.
    #[arg(long, value_name = "N", value_parser = parse_some, allow_negative_numbers = true,
        conflicts_with_all = ["jigsaw", "killer", "rules", "boxes", "symmetry", "pattern", "controlled_bias", "to"])]
    pub(crate) pieces: Option<NonZeroUsize>,
    /// Let only those cells have clues that are neither `.` nor `0` nor `_` in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) pattern: Option<PathBuf>,
    /// Keep superfluous clues: delete until there are as many as a number drawn from --clues
    #[arg(long, requires = "clues")]
    pub(crate) not_minimal: bool,
    /// Make all minimal 9x9 Sudoku of equally many clues equally likely
    ///
    /// By the method of controlled bias (D. Berthier, 2009): clues are deleted in random order
    /// until one would leave several solutions; the puzzle is kept if it is minimal. Puzzles of n +
    /// 1 clues are (n + 1) / (81 - n) times as likely as those of n clues; `weight` in the JSON
    /// undoes that, so that weighted means are those of all minimal puzzles. Some puzzles a second
    /// and core.
    #[arg(long, conflicts_with_all = ["symmetry", "pattern", "not_minimal", "rules", "boxes"])]
    pub(crate) controlled_bias: bool,
    /// Give up after so many tries, each of which begins with a new solution (--controlled-bias:
    /// with a new order)
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(crate) tries: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// Take at most so many nodes to see whether a clue is needed, else keep it (not for plain 9x9
    /// Sudoku) [default: 100000]
    ///
    /// With --killer to see whether there is another solution, else divide a cage; 2000 by default.
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(crate) nodes: Option<u64>,
    /// Hold at most this many bytes [default: half of what is free]; with a unit K, M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    /// Use this many threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// Write grids in this format [default: a line each, or that of the file]
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

// Arguments of `convert`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Conversion {
    /// Write this format, one of grids or of exact covers; `farandole puzzles` lists them; or
    /// `canonical`
    ///
    /// Two plain 9x9 Sudoku are the same up to symmetry (digits renamed, lines exchanged, rows made
    /// columns) just if their canonical forms are: the solution as the least text of all, with the
    /// clues where they come to stand.
    #[arg(long, value_name = "FORMAT", value_parser = output_names())]
    pub(crate) to: String,
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// Skip puzzles that take more bytes than this [default: half of what is free]; with a unit K,
    /// M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    /// Print nothing but errors on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
