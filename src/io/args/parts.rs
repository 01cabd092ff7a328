//! Arguments for work in parts: journals, and shards for several machines.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::common::{ADVANCED, InputArgs};
use super::proof::{ProofFile, parse_lrat};
use super::values::{parse_bytes, parse_part, parse_seconds, parse_shards, parse_threads};

// Arguments of journals.
#[derive(Clone, Debug, Args)]
pub(crate) struct JournalArgs {
    /// Keep the finished parts of the work on one puzzle in this file, and resume from it
    ///
    /// However the program ends, the same command resumes the work. Each finished part is a line,
    /// or several lines of a list; a changed puzzle or line is refused. --time and an interrupt end
    /// the work cleanly. A count may name an engine that searches; then only that engine runs.
    #[arg(long, value_name = "FILE", help_heading = ADVANCED, hide_short_help = true,
        conflicts_with_all = ["proof", "limit", "nodes", "profile", "stats", "isa", "up_to_symmetry"])]
    pub(crate) journal: Option<PathBuf>,
    /// Split the work into about this many parts [default: by its estimate, at most 2000]
    #[arg(long, value_name = "N", requires = "journal", value_parser = parse_shards,
        allow_negative_numbers = true, help_heading = ADVANCED, hide_short_help = true)]
    pub(crate) shards: Option<NonZeroUsize>,
}

// Arguments of `split`.
#[derive(Clone, Debug, Args)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Make about this many shards: at least this many, if the search has enough parts
    #[arg(long, value_name = "N", value_parser = parse_shards, allow_negative_numbers = true)]
    pub(crate) shards: NonZeroUsize,
    /// Make no shard that represents isomorphic ones, so that `work --proof` can prove each
    #[arg(long, help_heading = ADVANCED, hide_short_help = true)]
    pub(crate) apart: bool,
}

// Arguments of `work`.
#[derive(Clone, Debug, Args)]
pub(crate) struct WorkArgs {
    /// A file of shards, optionally followed by files with counts of some of them, which are
    /// skipped; `-` is standard input [default: -]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<OsString>,
    /// Work on one of several equal parts of the shards, such as 3/16: the third of sixteen
    #[arg(long, value_name = "K/N", value_parser = parse_part)]
    pub(crate) part: Option<(usize, usize)>,
    /// Stop after this many seconds for a shard, and print smaller ones in its place
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub(crate) time: Option<Duration>,
    /// Enumerate the solutions of each shard, and print their digest, which does not depend on
    /// their order
    ///
    /// Without this option most shards are counted by methods that enumerate no solutions. Two runs
    /// of the same shard have the same digest, which `merge` checks.
    #[arg(long, help_heading = ADVANCED, hide_short_help = true)]
    pub(crate) digest: bool,
    /// Prove the count of each shard in this folder, for `merge --proof`
    ///
    /// The proof of a shard is ID.lrat, its formula is ID.cnf, and both are checked at once. The
    /// shards come from `split --apart`. A shard that is stopped by a limit is not split further.
    #[arg(long, value_name = "FOLDER", help_heading = ADVANCED, hide_short_help = true)]
    pub(crate) proof: Option<PathBuf>,
    /// Use this many threads, one shard each [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// Hold at most this many bytes [default: half of what is free]; with a unit K, M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    /// Print only errors on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

// Arguments of `merge`.
#[derive(Clone, Debug, Args)]
pub(crate) struct MergeArgs {
    /// The files with counts; `-` is standard input [default: -]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<OsString>,
    /// Print a JSON object: the count, the number of shards, the seconds and nodes that they took,
    /// and the digest of all solutions if it is known
    #[arg(long)]
    pub(crate) json: bool,
    /// Join the proofs of all shards into one proof of the count, FILE.lrat with FILE.cnf
    #[arg(long, value_name = "FILE", value_parser = parse_lrat, requires = "proofs",
        help_heading = ADVANCED, hide_short_help = true)]
    pub(crate) proof: Option<ProofFile>,
    /// The folder with the proofs of the shards, from `work --proof`
    #[arg(long, value_name = "FOLDER", requires = "proof", help_heading = ADVANCED,
        hide_short_help = true)]
    pub(crate) proofs: Option<PathBuf>,
}
