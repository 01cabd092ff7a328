//! Arguments of the command `page`.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;

use super::values::{parse_bytes, parse_port, parse_seconds, parse_some, parse_threads};

// Arguments of `page`.
#[derive(Clone, Debug, Args)]
pub(crate) struct PageArgs {
    /// Serve the page at this port [default: any free port]
    #[arg(long, value_name = "N", value_parser = parse_port, allow_negative_numbers = true)]
    pub(crate) port: Option<u16>,
    /// Only print the address, and open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Stop each question after this time
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, allow_negative_numbers = true,
        default_value = "1h")]
    pub(crate) time: Duration,
    /// Give each question at most this many bytes [default: a quarter of what is free]; with a unit
    /// K, M or G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, allow_negative_numbers = true)]
    pub(crate) memory: Option<u64>,
    /// Give each question at most this many threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub(crate) threads: Option<u16>,
    /// Answer at most this many questions at once [default: one per core, at least 4]
    #[arg(long, value_name = "N", value_parser = parse_some, allow_negative_numbers = true)]
    pub(crate) questions: Option<NonZeroUsize>,
}
