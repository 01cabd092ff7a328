//! Arguments shared by many commands: input, limits and output.

use std::ffi::OsString;
use std::time::Duration;

use clap::{Args, ValueEnum};
use dlx::Limits;
use dlx::parallel::available_cores;

use super::offers::{format_names, input_names, kind_names};
use super::pictures::PictureArgs;
use super::values::{RuleList, parse_bytes, parse_number, parse_positive, parse_rules, parse_seconds};
use crate::io::memory;
use grid::Setting;

/// Heading of rarely used options in the help.
pub(super) const ADVANCED: &str = "Advanced";

// The input of a command.
#[derive(Clone, Debug, Args)]
pub(crate) struct InputArgs {
    /// Files to read; `-` is standard input. With --puzzle a parameter of that kind, such as 8
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<OsString>,
    /// Treat the input as this kind of puzzle (skip detection)
    #[arg(long, value_name = "KIND", value_parser = kind_names(), display_order = 1)]
    pub(crate) puzzle: Option<String>,
    /// Treat the input as this format (skip detection)
    #[arg(long, value_name = "FORMAT", value_parser = input_names())]
    pub(crate) from: Option<String>,
    /// Add rules to the grids, separated by commas: diagonals, windoku, anti-knight, anti-king
    #[arg(long, value_name = "RULES", value_parser = parse_rules)]
    pub(crate) rules: Option<RuleList>,
    /// Give the boxes of the grids this width and height, such as 3x2
    #[arg(long, value_name = "WxH", value_parser = Setting::parse_boxes)]
    pub(crate) boxes: Option<(usize, usize)>,
}

// Limits of commands that do not search.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct PuzzleLimits {
    /// Stop after this many seconds for a puzzle
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// Skip puzzles that take more bytes than this [default: half of what is free]; with a unit K,
    /// M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
}

impl PuzzleLimits {
    pub(crate) fn within(time: Option<Duration>) -> Self {
        Self { time, memory: None }
    }

    /// Applies the limits to `limits`. The time begins now.
    pub(crate) fn apply(self, limits: Limits) -> Limits {
        memory::guard(limits, self.memory).within(self.time)
    }
}

// Limits that apply to each puzzle.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Stop after this many solutions of a puzzle
    #[arg(long, value_name = "N", value_parser = parse_positive, allow_negative_numbers = true,
        display_order = 0)]
    pub(crate) limit: Option<u64>,
    /// Stop after this many seconds for a puzzle, or a time such as 5min
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true,
        display_order = 0)]
    pub(crate) time: Option<Duration>,
    /// Stop after this many nodes of a puzzle's search tree
    #[arg(long, value_name = "N", value_parser = parse_number, allow_negative_numbers = true,
        help_heading = ADVANCED)]
    pub(crate) nodes: Option<u64>,
    /// Skip puzzles expected to need more memory than this (bytes); with a unit K, M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true,
        help_heading = ADVANCED)]
    pub(crate) memory: Option<u64>,
}

impl LimitArgs {
    pub(crate) fn puzzle(&self) -> PuzzleLimits {
        PuzzleLimits { time: self.time, memory: self.memory }
    }
}

// The output of a command.
#[derive(Clone, Debug, Args)]
pub(crate) struct OutputArgs {
    /// Print one JSON object per line; solutions of grids as lines, unless --to says otherwise
    #[arg(long, display_order = 0)]
    pub(crate) json: bool,
    /// Print only errors on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

// The form of printed solutions.
#[derive(Clone, Debug, Args)]
pub(crate) struct ShowArgs {
    /// Write grids in this format instead of their own
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    pub(crate) to: Option<String>,
    /// Print the numbers of the chosen options of a cover, in input order from 1: `| options 2 5`
    #[arg(long)]
    pub(crate) option_numbers: bool,
    /// When to color the answers
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
    #[command(flatten)]
    pub(crate) pictures: PictureArgs,
}

/// When to use colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Use colors if standard output is a terminal
    Auto,
    /// Always use colors
    Always,
    /// Use no colors
    Never,
}

/// Returns the number of threads: the given number, or all cores.
pub(crate) fn thread_count(asked: Option<u16>) -> usize {
    asked.map_or_else(available_cores, usize::from)
}
