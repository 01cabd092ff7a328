//! The file of a list whose finished parts are kept, so that it can be gone on with.
//!
//! The first line is the header ([`Header`]). The covers of a shard stand in lines, its chunks, as they are found, those of
//! different shards mixed; a last line says that the shard is whole, how many covers it has, and their digest. What stands
//! there of a shard that is not whole was left by a run that was ended, and is passed over; the shard begins again with its
//! first chunk. Only the places of the lines are in memory.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use dlx::shards::{CoversDigest, Sha256Digest, Shard, ShardCount, ShardId, ShardTally};
use dlx::{BigUint, OptionId};
use serde_json::{Map, Value, json};

use super::lines::{self, CountEffort, Header};
use super::sealed::SealedFile;

/// The kind of the file.
pub const KIND: &str = "list";

/// About the bytes of a line of covers.
const CHUNK: usize = 1 << 16;

/// CoverLine as text: `;` between them, and a blank between the numbers of their options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverLine {
    text: String,
    count: usize,
}

impl CoverLine {
    /// Adds a cover.
    pub fn push(&mut self, cover: &[OptionId]) {
        if self.count > 0 {
            self.text.push(';');
        }
        self.count += 1;
        for (number, option) in cover.iter().enumerate() {
            push!(self.text, "{}{}", if number > 0 { " " } else { "" }, option.index());
        }
    }

    /// Tells whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Tells whether they are as many as a line should have.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.text.len() >= CHUNK
    }
}

/// Reads one of the covers of a line, of options below `option_count`.
fn read_cover(text: &str, option_count: usize) -> Result<Vec<OptionId>, String> {
    let option = |text: &str| {
        let number = text.parse().ok().filter(|&number| number < option_count);
        number.map(OptionId::new)
    };
    let cover = if text.is_empty() { Some(Vec::new()) } else { text.split(' ').map(option).collect() };
    cover.ok_or_else(|| format!("expected options below {option_count}, found `{text}`"))
}

/// A journal of a list that is open, and locked.
#[derive(Debug)]
pub struct ListJournal {
    file: SealedFile,
    digest: Sha256Digest,
    tally: ShardTally,
    parts: HashMap<ShardId, ListPart>,
    /// The bytes of a last line that was not written whole, and was cut off.
    pub dropped: usize,
}

/// What a journal has of a shard.
#[derive(Debug, Default)]
struct ListPart {
    /// Where the lines of its covers begin.
    chunks: Vec<u64>,
    /// How long it took, if it is whole.
    seconds: Option<f64>,
}

impl ListJournal {
    /// Opens the file of the problem of that digest; it is made if it is not there, and locked. Messages call it `name`.
    ///
    /// # Errors
    /// If it cannot be opened, or another process is at work with it.
    pub fn open(path: &Path, name: String, digest: Sha256Digest) -> Result<Self, String> {
        let (file, tally) = (SealedFile::open(path, name)?, ShardTally::new(digest));
        Ok(Self { file, digest, tally, parts: HashMap::new(), dropped: 0 })
    }

    /// Returns the name of the file, as messages show it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// Reads what is there, and returns the header; `None` if the journal is new. The beginning of a line that was not
    /// written whole is cut off.
    ///
    /// # Errors
    /// If it is not the journal of the problem of that digest and of so many shards, with the line.
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
                    // The shard begins again.
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
        // What is not whole begins again.
        parts.retain(|_, part| part.seconds.is_some());
        Ok(header)
    }

    /// Writes the header, and waits until it is on the disk.
    ///
    /// # Errors
    /// If it fails.
    pub fn begin(&mut self, header: &Header) -> Result<(), String> {
        self.file.append(&lines::seal(&header.object(KIND)))?;
        self.file.sync()
    }

    /// Appends covers of a shard.
    ///
    /// # Errors
    /// If it fails; whole lines stay.
    pub fn add(&mut self, id: ShardId, covers: &CoverLine) -> Result<(), String> {
        let part = self.parts.entry(id).or_default();
        let line =
            json!({ "shard": id.to_string(), "chunk": part.chunks.len(), "covers": covers.text });
        part.chunks.push(self.file.append(&lines::seal(&line))?);
        Ok(())
    }

    /// Appends that a shard is whole.
    ///
    /// # Errors
    /// If it fails, or the shard is not one of this problem.
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

    /// Waits until all that was appended is on the disk.
    ///
    /// # Errors
    /// If it fails.
    pub fn sync(&self) -> Result<(), String> {
        self.file.sync()
    }

    /// Returns how many seconds a shard took, if it is whole.
    #[must_use]
    pub fn seconds(&self, id: ShardId) -> Option<f64> {
        self.parts.get(&id)?.seconds
    }

    /// Visits the covers of a shard that is whole, until `visit` ends it.
    ///
    /// # Errors
    /// If they cannot be read again.
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

    /// Returns the number of all covers.
    ///
    /// # Errors
    /// If some are missing.
    pub fn total(&self) -> Result<BigUint, String> {
        self.tally.total().map_err(|fault| format!("{}: {fault}", self.name()))
    }
}

/// Returns the number of a key.
fn number(object: &Map<String, Value>, key: &str) -> Result<usize, String> {
    let number = object.get(key).and_then(Value::as_u64).and_then(|number| number.try_into().ok());
    number.ok_or_else(|| format!("expected the number `{key}`"))
}
