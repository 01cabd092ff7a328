//! Expands the states of one step and owner. The states are read from files, and the resulting
//! states are written to files.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use dlx::exchange::{BlockPlan, BlockRun, ExchangeError, SentBlock};
use dlx::{Limit, Limits};

use super::folder::{BlockFile, FileNumbers};
use super::runs::{RunReader, RunWriter, StateRun};

/// Minimum and maximum block size (bytes), and the number of blocks that should fit in the memory
/// of a thread.
const BLOCK_BYTES: (usize, usize) = (4 << 10, 64 << 10);
const BLOCKS: usize = 4096;
/// The blocks of the lists being read may take 1 / `READ_SHARE` of the memory.
const READ_SHARE: usize = 4;
/// The error message that stands for the node limit.
const NODES: &str = "nodes";

#[derive(Debug)]
pub(super) enum ScratchFailure {
    /// The folder is invalid or cannot be written.
    Fault(String),
    /// A file is corrupt.
    Torn(String),
    Limit(Limit),
}

impl From<String> for ScratchFailure {
    fn from(message: String) -> Self {
        Self::Fault(message)
    }
}

impl From<Limit> for ScratchFailure {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl From<ExchangeError> for ScratchFailure {
    fn from(error: ExchangeError) -> Self {
        match error {
            ExchangeError::Limit(limit) => Self::Limit(limit),
            error => Self::Fault(error.to_string()),
        }
    }
}

/// Expands the state lists of one step and owner.
pub(super) struct Expander<'c> {
    plan: &'c BlockPlan,
    folder: &'c Path,
    numbers: &'c FileNumbers,
    limits: Limits,
    block_bytes: usize,
    /// Largest number of lists read at a time.
    lists: usize,
    /// The number of states read, and the limit on this number.
    nodes: &'c AtomicU64,
    nodes_max: Option<u64>,
}

pub(super) struct Expansion {
    pub(super) runs: Vec<StateRun>,
    pub(super) states: u64,
}

impl<'c> Expander<'c> {
    /// Creates an expander that uses at most `bytes` of memory.
    pub(super) fn new(
        plan: &'c BlockPlan,
        folder: &'c Path,
        numbers: &'c FileNumbers,
        limits: &Limits,
        bytes: usize,
        (nodes, nodes_max): (&'c AtomicU64, Option<u64>),
    ) -> Self {
        let block_bytes = (bytes / BLOCKS).clamp(BLOCK_BYTES.0, BLOCK_BYTES.1);
        let lists = (bytes / READ_SHARE / block_bytes).max(2);
        let limits = limits.clone().memory(bytes / 8 * 5);
        Self { plan, folder, numbers, limits, block_bytes, lists, nodes, nodes_max }
    }

    /// Expands lists of one step and owner. The input files are kept. If the expansion fails, the
    /// output files are removed.
    pub(super) fn expand(&self, mut runs: Vec<StateRun>) -> Result<Expansion, ScratchFailure> {
        let mut merged = Merged { folder: self.folder, files: Vec::new() };
        while runs.len() > self.lists {
            // Merge the shortest lists first, and only until the remaining number of lists can be
            // read at once.
            runs.sort_by_key(StateRun::bytes);
            let rest = runs.split_off(self.lists.min(runs.len() - self.lists + 1).max(2));
            let mut all = self.go_through(&runs, |plan, runs, send| {
                plan.merge_runs(runs, self.block_bytes, &self.limits, send).map(|()| 0)
            })?;
            merged.files.extend(all.runs.iter().filter_map(|run| run.place.file()));
            runs = rest;
            runs.append(&mut all.runs);
        }
        self.go_through(&runs, |plan, runs, send| {
            plan.expand_runs(runs, self.block_bytes, &self.limits, send)
        })
    }

    fn go_through(
        &self,
        runs: &[StateRun],
        work: impl FnOnce(
            &BlockPlan,
            Vec<BlockRun<'_>>,
            &mut dyn FnMut(SentBlock) -> Result<(), String>,
        ) -> Result<u64, ExchangeError>,
    ) -> Result<Expansion, ScratchFailure> {
        let reader = RunReader::new(self.folder);
        let mut writer = RunWriter::new(self.folder, self.numbers);
        let seen = |states| {
            let before = self.nodes.fetch_add(states, Relaxed);
            let is_over = self.nodes_max.is_some_and(|most| before + states > most);
            if is_over { Err(NODES.to_owned()) } else { Ok(()) }
        };
        let lists = runs.iter().map(|run| reader.blocks(self.plan, run, &seen)).collect();
        let states =
            work(self.plan, lists, &mut |sent| writer.add(&sent)).map_err(|error| match error {
                ExchangeError::Carrier(message) if message == NODES => Limit::Nodes.into(),
                ExchangeError::Carrier(message) if reader.is_torn() => ScratchFailure::Torn(message),
                ExchangeError::Block(message) => ScratchFailure::Torn(reader.place(&message)),
                error => ScratchFailure::from(error),
            })?;
        Ok(Expansion { runs: writer.finish()?, states })
    }
}

/// Temporary files of merged lists, removed on drop.
struct Merged<'f> {
    folder: &'f Path,
    files: Vec<BlockFile>,
}

impl Drop for Merged<'_> {
    fn drop(&mut self) {
        for file in &self.files {
            let _ = std::fs::remove_file(file.path(self.folder));
        }
    }
}
