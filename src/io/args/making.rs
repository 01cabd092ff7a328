//! Arguments of the commands `generate` and `convert`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::common::{OutputArgs, PuzzleLimits};
use super::offers::{format_names, output_names, symmetry_names};
use super::pictures::PictureArgs;
use super::values::{
    RuleList, parse_bytes, parse_cage_size, parse_clues, parse_number, parse_positive, parse_rating,
    parse_rules, parse_seconds, parse_some, parse_technique, parse_threads,
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
    /// Only puzzles with this many clues, such as 24 or 22..24 (both included)
    ///
    /// Plain 9x9 Sudoku of at most 19 clues are searched near the puzzles with the fewest clues
    /// found so far; up to 16 of them are relatives.
    #[arg(long, value_name = "A..B", value_parser = parse_clues)]
    pub(crate) clues: Option<RangeInclusive<u32>>,
    /// Only puzzles whose hardest step has a score in this range, such as 3.0..4.5 (both included)
    ///
    /// The score is that of `rate`. Each puzzle is rated, and dropped if it is easier or harder, so
    /// rare scores take long; bound the search with --tries or --time. Plain 9x9 Sudoku with high
    /// scores are searched near the hardest puzzles found so far.
    #[arg(long, value_name = "A..B", value_parser = parse_rating)]
    pub(crate) rating: Option<RangeInclusive<u32>>,
    /// Only puzzles whose hardest step has this name, as `rate` prints it, such as XY-wing
    #[arg(long, value_name = "NAME", value_parser = parse_technique)]
    pub(crate) technique: Option<String>,
    /// Make puzzles near this 9x9 Sudoku, a file or the puzzle itself
    ///
    /// A clue or two are exchanged, and superfluous clues removed; puzzles near the made ones
    /// follow. With --clues, --rating or --technique, the nearest to the request come first.
    #[arg(long, value_name = "PUZZLE", conflicts_with_all =
        ["what", "rules", "boxes", "symmetry", "jigsaw", "killer", "pieces", "pattern", "not_minimal", "controlled_bias"])]
    pub(crate) like: Option<OsString>,
    /// Arrange the clues with this symmetry
    ///
    /// Symmetric clues are removed together, so a puzzle is minimal among puzzles of its symmetry;
    /// single clues may be superfluous. `minimal` in the JSON says whether one is.
    #[arg(long, value_name = "NAME", default_value = "none", value_parser = symmetry_names())]
    pub(crate) symmetry: String,
    /// Draw regions at random for each puzzle (jigsaw)
    ///
    /// For grids without clues of 3 to 16 rows: `generate --jigsaw latin 7`.
    #[arg(long)]
    pub(crate) jigsaw: bool,
    /// Draw cages with sums at random for each puzzle (killer without digits)
    ///
    /// The cages cover the grid, and are changed until there is one solution; with --rating, then
    /// until the puzzle has that difficulty. For grids without digits of up to 16 symbols:
    /// `generate --killer --rating 3.0..4.0 sudoku 2x3`. With --jigsaw the regions are drawn as
    /// well; a file with clues of other rules keeps them.
    #[arg(long,
        conflicts_with_all = ["clues", "symmetry", "pattern", "not_minimal", "controlled_bias"])]
    pub(crate) killer: bool,
    /// Number of cells in a cage of --killer, such as 2..5 (both included)
    #[arg(long, value_name = "A..B", default_value = "2..5", value_parser = parse_cage_size, requires = "killer")]
    pub(crate) cage_size: RangeInclusive<usize>,
    /// Draw this many pieces of a set at random for each puzzle, and a board that they cover
    ///
    /// For the kind polyomino and a set of pieces: `generate --pieces 6 polyomino pentominoes`.
    /// Clues are pieces that lie on the board already; with --clues 0 there are none.
    #[arg(long, value_name = "N", value_parser = parse_some, allow_negative_numbers = true,
        conflicts_with_all = ["jigsaw", "killer", "rules", "boxes", "symmetry", "pattern", "controlled_bias", "to"])]
    pub(crate) pieces: Option<NonZeroUsize>,
    /// Place clues only in the cells that FILE marks (not `.`, `0` or `_`)
    #[arg(long, value_name = "FILE")]
    pub(crate) pattern: Option<PathBuf>,
    /// Keep superfluous clues: stop removing at a number drawn from --clues
    #[arg(long, requires = "clues")]
    pub(crate) not_minimal: bool,
    /// Make all minimal 9x9 Sudoku with the same number of clues equally likely
    ///
    /// Uses the method of controlled bias (D. Berthier, 2009): clues are removed in random order
    /// until removing one would leave several solutions; the puzzle is kept if it is minimal.
    /// Puzzles of n + 1 clues are (n + 1) / (81 - n) times as likely as puzzles of n clues;
    /// `weight` in the JSON compensates, so that weighted means are means over all minimal puzzles.
    /// Makes a few puzzles per second and core.
    #[arg(long, conflicts_with_all = ["symmetry", "pattern", "not_minimal", "rules", "boxes"])]
    pub(crate) controlled_bias: bool,
    /// Give up after this many tries, each with a new solution (--controlled-bias: with a new
    /// order; near other puzzles: with a neighbor)
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(crate) tries: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// Take at most this many nodes to decide whether a clue is needed; if undecided, keep it (not
    /// for plain 9x9 Sudoku) [default: 100000]
    ///
    /// With --killer: to decide whether there is another solution; if undecided, divide a cage;
    /// 2000 by default.
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true)]
    pub(crate) nodes: Option<u64>,
    /// Hold at most this many bytes [default: half of what is free]; with a unit K, M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    /// Use this many threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// Write grids in this format [default: one line each, or the format of the file]
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    pub(crate) to: Option<String>,
    /// Draw the solutions at the end of the page of --html or --pdf, for at most 10,000 puzzles
    #[arg(long)]
    pub(crate) answers: bool,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

// Arguments of `convert`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Conversion {
    /// Write this format, one of grids or of exact covers (`farandole puzzles` lists them), or
    /// `canonical`
    ///
    /// Two plain 9x9 Sudoku are the same up to symmetry (digits renamed, lines exchanged,
    /// transposed) exactly when their canonical forms are equal: the solution as the
    /// lexicographically least text, with the clues moved accordingly.
    #[arg(long, value_name = "FORMAT", value_parser = output_names())]
    pub(crate) to: String,
    #[command(flatten)]
    pub(crate) limits: PuzzleLimits,
    /// Print only errors on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
