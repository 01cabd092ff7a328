//! Files of shards and of their counts, which are enough by themselves: the problem is in the first line.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;

use dlx::shards::{Path, Sha256Digest, Shard};
use dlx::{Limit, Limits, OptionId, Problem, text};
use serde_json::{Map, Value};

use super::lines::{self, Header};

/// The kind of the files.
pub const KIND: &str = "shards";

/// A line of a file, with its place for messages.
#[derive(Clone, Debug)]
pub struct Line<'f> {
    /// The name of the file and the number of the line.
    pub place: String,
    /// The line without its end.
    pub text: &'f [u8],
    /// What it says.
    pub object: Map<String, Value>,
}

/// Reads the lines of a file, and returns how many bytes there are of a last line that was not written whole.
///
/// # Errors
/// If a line is not what was written, or there is none.
pub fn read<'f>(name: &str, bytes: &'f [u8]) -> Result<(Vec<Line<'f>>, usize), String> {
    let mut all = Vec::new();
    let mut dropped = 0;
    for (number, text) in (1..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
        let Some(text) = text.strip_suffix(b"\n") else {
            if number > 1 {
                dropped = text.len();
                break;
            }
            return Err(format!(
                "{name}:1: expected a line of a file of shards, found no end of the line"
            ));
        };
        let place = format!("{name}:{number}");
        let object = lines::open(text).map_err(|message| format!("{place}: {message}"))?;
        all.push(Line { place, text, object });
    }
    if all.is_empty() {
        Err(format!("{name}: expected a file of shards, found nothing"))
    } else {
        Ok((all, dropped))
    }
}

/// Keeps the shards that are left to count when those of the paths in `done` are counted: nothing is counted twice, not what
/// is counted, nor as a whole what was split further.
pub fn open_shards(shards: &mut Vec<Shard>, mut done: BTreeSet<Path>) {
    let mut all = done.clone();
    all.extend(shards.iter().map(|shard| shard.path.clone()));
    shards.retain(|shard| {
        let choices = shard.path.choices();
        let is_split = all
            .range((Bound::Excluded(&shard.path), Bound::Unbounded))
            .next()
            .is_some_and(|next| next.choices().starts_with(choices));
        let is_counted = (0..choices.len()).any(|len| done.contains(&Path::beginning(&choices[..len])));
        !is_split && !is_counted && done.insert(shard.path.clone())
    });
}

/// A problem and the options that are given in it: the whole of which shards are parts.
#[derive(Clone, Debug)]
pub struct Whole {
    problem: Arc<Problem>,
    given: Vec<OptionId>,
    text: String,
    digest: Sha256Digest,
}

impl Whole {
    /// Makes it of a problem, or says why it cannot travel.
    ///
    /// # Errors
    /// The limit of time or memory that was reached, or the flag that was set.
    pub fn new(
        problem: &Arc<Problem>,
        given: &[OptionId],
        limits: &Limits,
    ) -> Result<Result<Self, String>, Limit> {
        let digest = Sha256Digest::of(problem, given, limits)?;
        let text = text::write_within(problem, limits)?;
        let read = text::parse_within(&text, limits)?.ok();
        let is_same = read.is_some_and(|read| Sha256Digest::of(&read, given, limits) == Ok(digest));
        let whole = Self { problem: Arc::clone(problem), given: given.to_vec(), text, digest };
        Ok(is_same.then_some(whole).ok_or_else(|| {
            "expected a puzzle with a primary item: another has no text in which it could travel"
                .to_owned()
        }))
    }

    /// Reads it from the header of a file.
    ///
    /// # Errors
    /// If it is another line, or the problem is not that of the digest.
    pub fn read(object: &Map<String, Value>) -> Result<Self, String> {
        let header = Header::read(object, &[KIND])?;
        let text = lines::text(object, "problem")?;
        let problem: Problem = text.parse().map_err(|error| format!("in the problem, {error}"))?;
        let given = lines::options(object, "given", problem.option_count())?;
        let digest = Sha256Digest::of(&problem, &given, &Limits::new()).expect("nothing is limited");
        if digest != header.digest {
            let found = header.digest;
            return Err(format!("expected the digest {digest} of the problem, found `{found}`"));
        }
        Ok(Self { problem: Arc::new(problem), given, text: text.to_owned(), digest })
    }

    /// Returns the problem.
    #[must_use]
    pub fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    /// Returns the options that are given.
    #[must_use]
    pub fn given(&self) -> &[OptionId] {
        &self.given
    }

    /// Returns the digest of both.
    #[must_use]
    pub fn digest(&self) -> &Sha256Digest {
        &self.digest
    }

    /// Returns the first line of a file with these shards, of which so many were asked for.
    #[must_use]
    pub fn header(&self, asked: usize, shards: &[Shard]) -> String {
        let mut header = Header::new(self.digest, asked, shards).object(KIND);
        header["given"] = lines::numbers(&self.given).into();
        header["problem"] = self.text.as_str().into();
        lines::seal(&header)
    }
}
