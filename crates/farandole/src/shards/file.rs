//! Files of the shards of a problem and of their counts. A file is self-contained, because its
//! first line holds the problem.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use dlx::shards::{Path, Sha256Digest, Shard, split_further};
use dlx::{Limit, Limits, OptionId, Problem, text};
use serde_json::{Map, Value};

use super::lines::{self, Header, Splitting};

/// Name of the kind of these files.
pub const KIND: &str = "shards";

/// A line of a file, with its location for messages.
#[derive(Clone, Debug)]
pub struct Line {
    /// The name of the file and the line number.
    pub place: String,
    /// The text of the line without its line end.
    pub text: Vec<u8>,
    /// The JSON object of the line.
    pub object: Map<String, Value>,
}

/// Reads the lines of a file. Also returns the length of an incomplete last line (bytes).
///
/// # Errors
/// If a line is damaged, or there is none.
pub fn read(name: &str, bytes: &[u8]) -> Result<(Vec<Line>, usize), String> {
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
        all.push(Line { place, text: text.to_vec(), object });
    }
    if all.is_empty() {
        Err(format!("{name}: expected a file of shards, found nothing"))
    } else {
        Ok((all, dropped))
    }
}

/// The shards of a problem that are still to be counted, and the counts so far.
#[derive(Clone, Debug)]
pub struct OpenShards {
    /// The first line of the files, which has the problem.
    pub head: Vec<u8>,
    /// The problem.
    pub whole: Whole,
    /// The shards left to count. Shards that were counted or split further are not included.
    pub shards: Vec<Shard>,
    /// The lines of the counts, with their line ends.
    pub counts: Vec<Vec<u8>>,
}

impl OpenShards {
    /// Reads the lines of all files.
    ///
    /// If a shard was split further, a line records this, and the parts are recomputed. So no part
    /// is lost even if not all lines of parts were written.
    ///
    /// # Errors
    /// If a line belongs to another problem or is invalid.
    pub fn read(lines: impl IntoIterator<Item = Line>) -> Result<Self, String> {
        let mut head: Option<(Vec<u8>, Whole)> = None;
        let (mut shards, mut counts, mut splittings) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut done = BTreeSet::new();
        for Line { place, mut text, object } in lines {
            let at = |message: String| format!("{place}: {message}");
            text.push(b'\n');
            let Some((_, whole)) = &head else {
                head = Some((text, Whole::read(&object).map_err(at)?));
                continue;
            };
            let digest = whole.digest();
            if object.contains_key("farandole") {
                let found = Header::read(&object, &[KIND]).map_err(at)?.digest;
                if found != *digest {
                    return Err(at(format!(
                        "expected shards with the digest {digest}, found `{found}`"
                    )));
                }
            } else if object.contains_key("result") {
                done.insert(lines::count(&object).map_err(at)?.path);
                counts.push(text);
            } else if object.contains_key("split") {
                splittings.push((Splitting::read(&object, digest).map_err(at)?, place));
            } else {
                let option_count = whole.problem().option_count();
                let shard = lines::shard(&object, digest, option_count).map_err(at)?;
                shards.insert(shard.path.clone(), shard);
            }
        }
        let (head, whole) = head.ok_or("expected a file of shards, found none")?;
        // Sorting by path puts the split of a part after the split of the whole shard.
        splittings.sort_by(|(one, _), (other, _)| one.path.cmp(&other.path));
        for (splitting, place) in splittings {
            let Some(shard) = shards.get(&splitting.path) else { continue };
            let parts = split_further(whole.problem(), shard, splitting.asked, &Limits::new());
            let parts = parts.expect("no limits are set");
            splitting
                .expect_parts(whole.digest(), &parts)
                .map_err(|message| format!("{place}: {message}"))?;
            shards.extend(parts.into_iter().map(|part| (part.path.clone(), part)));
        }
        let is_split = |path: &Path, all: &BTreeMap<Path, Shard>, done: &BTreeSet<Path>| {
            let behind = (Bound::Excluded(path), Bound::Unbounded);
            let next = [all.range(behind).next().map(|(path, _)| path), done.range(behind).next()];
            next.into_iter().flatten().any(|next| next.choices().starts_with(path.choices()))
        };
        let is_counted = |path: &Path| {
            let choices = path.choices();
            (0..=choices.len()).any(|len| done.contains(&Path::beginning(&choices[..len])))
        };
        let open = shards.keys().filter(|path| !is_split(path, &shards, &done) && !is_counted(path));
        let open: Vec<Shard> = open.map(|path| shards[path].clone()).collect();
        Ok(Self { head, whole, shards: open, counts })
    }
}

/// A problem with its given options, which the shards divide into parts.
#[derive(Clone, Debug)]
pub struct Whole {
    problem: Arc<Problem>,
    given: Vec<OptionId>,
    text: String,
    digest: Sha256Digest,
}

impl Whole {
    /// Builds the whole from a problem, or returns the reason why the problem cannot be written as
    /// text.
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

    /// Reads the whole from the header of a file.
    ///
    /// # Errors
    /// If the line is not a header, or the problem does not match the digest.
    pub fn read(object: &Map<String, Value>) -> Result<Self, String> {
        let header = Header::read(object, &[KIND])?;
        let text = lines::text(object, "problem")?;
        let problem: Problem = text.parse().map_err(|error| format!("in the problem, {error}"))?;
        let given = lines::options(object, "given", problem.option_count())?;
        let digest = Sha256Digest::of(&problem, &given, &Limits::new()).expect("no limits are set");
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

    /// Returns the given options.
    #[must_use]
    pub fn given(&self) -> &[OptionId] {
        &self.given
    }

    /// Returns the digest of the problem and the given options.
    #[must_use]
    pub fn digest(&self) -> &Sha256Digest {
        &self.digest
    }

    /// Returns the first line of a file with these shards. `asked` is the number of shards that was
    /// requested.
    #[must_use]
    pub fn header(&self, asked: usize, shards: &[Shard]) -> String {
        let mut header = Header::new(self.digest, asked, shards).object(KIND);
        header["given"] = lines::numbers(&self.given).into();
        header["problem"] = self.text.as_str().into();
        lines::seal(&header)
    }
}
