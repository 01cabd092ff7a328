//! Journal of a list. The journal keeps the covers of finished shards, so that the list can be
//! resumed.
//!
//! The first line is the header ([`Header`]). The covers of a shard are written in several lines
//! (chunks) as they are found, between the lines of other shards. A last line states that the shard
//! is complete, with the number of its covers and their digest. If a run was interrupted, the
//! chunks of incomplete shards are ignored, and these shards start again. Only the offsets of the
//! lines are in memory.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use dlx::shards::{CoversDigest, Sha256Digest, Shard, ShardCount, ShardId, ShardTally};
use dlx::{BigUint, OptionId};
use serde_json::{Map, Value, json};

use super::lines::{self, CountEffort, Header};
use super::sealed::SealedFile;

/// Name of the kind of these files.
pub const KIND: &str = "list";

/// Approximate length of a line of covers (bytes).
const CHUNK: usize = 1 << 16;

/// Covers as text. Covers are separated by `;`, and the numbers of their options by blanks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverLine {
    text: String,
    count: usize,
}

impl CoverLine {
    /// Adds a cover to the line.
    pub fn push(&mut self, cover: &[OptionId]) {
        if self.count > 0 {
            self.text.push(';');
        }
        self.count += 1;
        for (number, option) in cover.iter().enumerate() {
            push!(self.text, "{}{}", if number > 0 { " " } else { "" }, option.index());
        }
    }

    /// Returns whether the line has no covers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns whether the line is long enough to be written.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.text.len() >= CHUNK
    }
}

fn read_cover(text: &str, option_count: usize) -> Result<Vec<OptionId>, String> {
    let option = |text: &str| {
        let number = text.parse().ok().filter(|&number| number < option_count);
        number.map(OptionId::new)
    };
    let cover = if text.is_empty() { Some(Vec::new()) } else { text.split(' ').map(option).collect() };
    cover.ok_or_else(|| format!("expected options below {option_count}, found `{text}`"))
}

/// An open and locked journal of a list.
#[derive(Debug)]
pub struct ListJournal {
    file: SealedFile,
    digest: Sha256Digest,
    tally: ShardTally,
    parts: HashMap<ShardId, ListPart>,
    /// Length of the incomplete last line that was cut off (bytes).
    pub dropped: usize,
}

#[derive(Debug, Default)]
struct ListPart {
    /// Offsets of the lines with covers of the shard.
    chunks: Vec<u64>,
    /// Time of the shard (s); `None` if the shard is incomplete.
    seconds: Option<f64>,
}

impl ListJournal {
    /// Opens and locks the file of the problem with digest `digest`, and creates it if necessary.
    /// Messages call it `name`.
    ///
    /// # Errors
    /// If it cannot be opened, or another process uses it.
    pub fn open(path: &Path, name: String, digest: Sha256Digest) -> Result<Self, String> {
        let (file, tally) = (SealedFile::open(path, name)?, ShardTally::new(digest));
        Ok(Self { file, digest, tally, parts: HashMap::new(), dropped: 0 })
    }

    /// Returns the name of the file for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// Reads the existing lines, and returns the header; `None` if the journal is new. Cuts off an
    /// incomplete last line.
    ///
    /// # Errors
    /// If the file is not the journal of this problem with the requested number of shards, or a
    /// line is invalid.
    pub fn read(&mut self, asked: Option<usize>) -> Result<Option<Header>, String> {
        let Self { file, digest, tally, parts, dropped } = self;
        let mut header = None;
        *dropped = file.read(KIND, |place, object| {
            if header.is_none() {
                header = Some(Header::read_own(object, KIND, digest, asked)?);
                return Ok(());
            }
            let is_covers = object.contains_key("covers");
            let id: ShardId =
                lines::text(object, if is_covers { "shard" } else { "result" })?.parse()?;
            let part = parts.entry(id).or_default();
            if part.seconds.is_some() {
                return Err(format!("expected no more of the shard {id}, which is whole"));
            }
            if is_covers {
                let chunk = number(object, "chunk")?;
                if chunk == 0 {
                    part.chunks.clear();
                }
                let expected = part.chunks.len();
                if chunk != expected {
                    return Err(format!(
                        "expected the chunk {expected} of the shard {id}, found `{chunk}`"
                    ));
                }
                part.chunks.push(place);
                return Ok(());
            }
            let chunks = number(object, "chunks")?;
            if chunks == 0 {
                part.chunks.clear();
            }
            let found = part.chunks.len();
            if chunks != found {
                return Err(format!("expected {chunks} chunks of the shard {id}, found `{found}`"));
            }
            part.seconds = Some(lines::seconds(object));
            tally.add(lines::count(object)?).map(drop).map_err(|fault| fault.to_string())
        })?;
        // Incomplete shards start again, so their lines are ignored.
        parts.retain(|_, part| part.seconds.is_some());
        Ok(header)
    }

    /// Writes the header, and waits until it is on the disk.
    ///
    /// # Errors
    /// If writing fails.
    pub fn begin(&mut self, header: &Header) -> Result<(), String> {
        self.file.append(&lines::seal(&header.object(KIND)))?;
        self.file.sync()
    }

    /// Appends a line of covers of a shard.
    ///
    /// # Errors
    /// If writing fails; the file then still has only complete lines.
    pub fn add(&mut self, id: ShardId, covers: &CoverLine) -> Result<(), String> {
        let part = self.parts.entry(id).or_default();
        let line =
            json!({ "shard": id.to_string(), "chunk": part.chunks.len(), "covers": covers.text });
        part.chunks.push(self.file.append(&lines::seal(&line))?);
        Ok(())
    }

    /// Appends a line which states that a shard is complete.
    ///
    /// # Errors
    /// If writing fails, or the shard belongs to another problem.
    pub fn end(
        &mut self,
        shard: &Shard,
        count: BigUint,
        digest: CoversDigest,
        time: Duration,
        nodes: u64,
    ) -> Result<(), String> {
        let count = ShardCount { covers: Some(digest), ..shard.counted(&self.digest, count) };
        let part = self.parts.entry(count.id).or_default();
        let effort = CountEffort { seconds: time.as_secs_f64(), nodes };
        let mut line = lines::of_count(&count, &effort);
        line["chunks"] = part.chunks.len().into();
        self.file.append(&lines::seal(&line))?;
        part.seconds = Some(time.as_secs_f64());
        self.tally.add(count).map(drop).map_err(|fault| fault.to_string())
    }

    /// Waits until all appended lines are on the disk.
    ///
    /// # Errors
    /// If the disk reports an error.
    pub fn sync(&self) -> Result<(), String> {
        self.file.sync()
    }

    /// Returns the time of a shard (s), if it is complete.
    #[must_use]
    pub fn seconds(&self, id: ShardId) -> Option<f64> {
        self.parts.get(&id)?.seconds
    }

    /// Visits the covers of a complete shard, until `visit` breaks.
    ///
    /// # Errors
    /// If the covers cannot be read again.
    pub fn covers(
        &self,
        id: ShardId,
        option_count: usize,
        visit: &mut dyn FnMut(&[OptionId]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, String> {
        for &place in self.parts.get(&id).map_or(&[][..], |part| &part.chunks) {
            let object = self.file.line_at(place)?;
            for cover in lines::text(&object, "covers")?.split(';') {
                let cover = read_cover(cover, option_count)
                    .map_err(|message| format!("{}: at byte {place}: {message}", self.name()))?;
                if visit(&cover).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the number of covers of all shards together.
    ///
    /// # Errors
    /// If some shards are missing.
    pub fn total(&self) -> Result<BigUint, String> {
        self.tally.total().map_err(|fault| format!("{}: {fault}", self.name()))
    }
}

fn number(object: &Map<String, Value>, key: &str) -> Result<usize, String> {
    let number = object.get(key).and_then(Value::as_u64).and_then(|number| number.try_into().ok());
    number.ok_or_else(|| format!("expected the number `{key}`"))
}
