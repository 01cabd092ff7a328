//! Journal of a count. The journal keeps the counts of finished shards, so that the count can be
//! resumed.
//!
//! The first line is the header, and each other line is the count of a shard. The shards are
//! recomputed from the puzzle when the count is resumed, and must match the digest in the header. A
//! shard that took too long and was split further also has a line; its parts are recomputed in the
//! same way.

use std::collections::HashMap;
use std::path::Path;

use dlx::shards::{Sha256Digest, Shard, ShardId, ShardTally, split};
use dlx::{Limit, Limits, OptionId, Problem};

use super::lines::{self, CountEffort, Header, Splitting};
use super::refine;
use super::sealed::SealedFile;

/// Name of the kind of these files.
pub const KIND: &str = "journal";

/// An open and locked journal.
#[derive(Debug)]
pub struct Journal {
    file: SealedFile,
    /// Length of the incomplete last line that was cut off (bytes).
    pub dropped: usize,
    /// For each shard counted in an earlier run, its effort.
    pub efforts: HashMap<ShardId, CountEffort>,
}

/// The content of a journal except the counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The header, which has the digest of the shards at the start of the count.
    pub header: Header,
    /// The shards, and parts of shards, that were split further.
    pub splittings: Vec<Splitting>,
}

impl Plan {
    /// Recomputes the shards of the journal named `name`, or returns the reason why they differ
    /// from the recorded shards.
    ///
    /// # Errors
    /// The limit of time or memory that was reached, or the flag that was set.
    pub fn shards(
        &self,
        name: &str,
        problem: &Problem,
        given: &[OptionId],
        limits: &Limits,
    ) -> Result<Result<Vec<Shard>, String>, Limit> {
        let shards = split(problem, given, self.header.asked, limits)?;
        if let Err(message) = self.header.expect_shards(&shards, name) {
            return Ok(Err(message));
        }
        let refined = refine(problem, &self.header.digest, shards, &self.splittings, limits)?;
        Ok(refined.map_err(|message| format!("{name}: {message}")))
    }
}

impl Journal {
    /// Opens and locks the file, and creates it if necessary. Messages call it `name`.
    ///
    /// # Errors
    /// If it cannot be opened, or another process uses it.
    pub fn open(path: &Path, name: String) -> Result<Self, String> {
        Ok(Self { file: SealedFile::open(path, name)?, dropped: 0, efforts: HashMap::new() })
    }

    /// Returns the name of the file for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// Reads the existing counts into the tally, and returns the plan; `None` if the journal is
    /// new. Cuts off an incomplete last line.
    ///
    /// # Errors
    /// If the file is not the journal of this problem with the requested number of shards, or a
    /// line is invalid.
    pub fn read(
        &mut self,
        digest: &Sha256Digest,
        asked: Option<usize>,
        tally: &mut ShardTally,
    ) -> Result<Option<Plan>, String> {
        let Self { file, dropped, efforts } = self;
        let mut plan: Option<Plan> = None;
        *dropped = file.read(KIND, |_, object| {
            let Some(Plan { splittings, .. }) = &mut plan else {
                let header = Header::read_own(object, KIND, digest, asked)?;
                plan = Some(Plan { header, splittings: Vec::new() });
                return Ok(());
            };
            if object.contains_key("split") {
                splittings.push(Splitting::read(object, digest)?);
                return Ok(());
            }
            let count = lines::count(object)?;
            efforts.insert(count.id, CountEffort::read(object));
            tally.add(count).map(drop).map_err(|fault| fault.to_string())
        })?;
        Ok(plan)
    }

    /// Appends lines, each by one write, and waits until they are on the disk. If writing fails,
    /// the file still has only complete lines.
    ///
    /// # Errors
    /// If writing fails.
    pub fn append(&mut self, text: &str) -> Result<(), String> {
        if text.is_empty() {
            return Ok(());
        }
        self.file.append(text)?;
        self.file.sync()
    }
}
