//! The file of a count whose finished parts are kept, so that it can be gone on with.
//!
//! The first line is the header, each other one the count of a shard. The shards are made anew from the
//! puzzle each time; the header has their digest. A shard that took too long was split further, which is one line as well:
//! its parts are made anew like the others.

use std::collections::HashMap;
use std::path::Path;

use dlx::shards::{Sha256Digest, Shard, ShardId, ShardTally, split};
use dlx::{Limit, Limits, OptionId, Problem};

use super::lines::{self, CountEffort, Header, Splitting};
use super::refine;
use super::sealed::SealedFile;

/// The kind of the file.
pub const KIND: &str = "journal";

/// A journal that is open, and locked.
#[derive(Debug)]
pub struct Journal {
    file: SealedFile,
    /// The bytes of a last line that was not written whole, and was cut off.
    pub dropped: usize,
    /// What each shard cost that was counted before.
    pub efforts: HashMap<ShardId, CountEffort>,
}

/// What stands in a journal beside the counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Which shards the count was begun with.
    pub header: Header,
    /// Which of them, and of their parts, were split further.
    pub splittings: Vec<Splitting>,
}

impl Plan {
    /// Makes anew the shards of which the journal of that name speaks; or says why they are others than those.
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
    /// Opens the file, which is made if it is not there, and locks it. Messages call it `name`.
    ///
    /// # Errors
    /// If it cannot be opened, or another process is at work with it.
    pub fn open(path: &Path, name: String) -> Result<Self, String> {
        Ok(Self { file: SealedFile::open(path, name)?, dropped: 0, efforts: HashMap::new() })
    }

    /// Returns the name of the file, as messages show it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// Reads the counts that are there into the tally, and returns the plan; `None` if the journal is new. The beginning of
    /// a line that was not written whole is cut off.
    ///
    /// # Errors
    /// If it is not the journal of the problem of that digest and of so many shards, with the line.
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

    /// Appends lines, each by one write, and waits until they are on the disk. If that fails, whole lines stay.
    ///
    /// # Errors
    /// If it fails.
    pub fn append(&mut self, text: &str) -> Result<(), String> {
        if text.is_empty() {
            return Ok(());
        }
        self.file.append(text)?;
        self.file.sync()
    }
}
