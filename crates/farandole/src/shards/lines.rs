//! The lines of journals and of files of shards. Each line is a JSON object that ends with a
//! checksum.
//!
//! The checksum is the first part of the SHA-256 digest of the text before it. The first line of a
//! file is its header. Each other line is a shard, the count of a shard, or the record of a split.

use dlx::shards::{CoversDigest, FORMAT, Path, Sha256Digest, Shard, ShardCount, ShardId};
use dlx::{OptionId, Subtree};
use serde_json::{Map, Value, json};

/// The text that precedes the checksum.
const CHECK: &str = ",\"check\":\"";
/// Length of the checksum and the characters after it (bytes).
const CHECK_END: usize = 16 + 2;

/// Returns an object as a line with its checksum.
///
/// # Panics
/// If `object` is not an object.
#[must_use]
pub fn seal(object: &Value) -> String {
    let text = object.to_string();
    let text = text.strip_suffix('}').expect("an object ends so");
    let check = Sha256Digest::of_bytes(text.as_bytes()).short();
    format!("{text}{CHECK}{check:016x}\"}}\n")
}

/// Checks a line without its line end, and returns its object.
///
/// # Errors
/// A description of the damage, if the line is invalid.
pub fn open(line: &[u8]) -> Result<Map<String, Value>, String> {
    let wrong = |found: &str| {
        let found: String = found.chars().take(40).collect();
        format!("expected a JSON object that ends with its check, found `{found}`")
    };
    let line = std::str::from_utf8(line).map_err(|_| wrong("bytes that are no text"))?;
    let line = line.strip_suffix('\r').unwrap_or(line);
    let place = line.len().checked_sub(CHECK.len() + CHECK_END);
    let split = place.and_then(|place| line.split_at_checked(place));
    let (text, end) = split.ok_or_else(|| wrong(line))?;
    let found = end.strip_prefix(CHECK).and_then(|end| end.strip_suffix("\"}"));
    let found = found.ok_or_else(|| wrong(line))?;
    let check = format!("{:016x}", Sha256Digest::of_bytes(text.as_bytes()).short());
    if found != check {
        return Err(format!("expected the check {check}, found `{found}`: the line was changed"));
    }
    match serde_json::from_str(&format!("{text}}}")) {
        Ok(Value::Object(object)) => Ok(object),
        _ => Err(wrong(line)),
    }
}

fn plan(digest: &Sha256Digest, shards: &[Shard]) -> Sha256Digest {
    let ids: Vec<String> = shards.iter().map(|shard| shard.id(digest).to_string()).collect();
    Sha256Digest::of_bytes(ids.join(" ").as_bytes())
}

/// The content of the first line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Digest of the problem and its given options.
    pub digest: Sha256Digest,
    /// Number of shards that was requested.
    pub asked: usize,
    /// Digest of the list of shards.
    pub plan: Sha256Digest,
}

impl Header {
    /// Returns the header of a file with these shards.
    #[must_use]
    pub fn new(digest: Sha256Digest, asked: usize, shards: &[Shard]) -> Self {
        Self { digest, asked, plan: plan(&digest, shards) }
    }

    /// Returns the header as a JSON object, for a file of kind `kind`.
    #[must_use]
    pub fn object(&self, kind: &str) -> Value {
        json!({
            "farandole": kind,
            "format": FORMAT,
            "version": env!("CARGO_PKG_VERSION"),
            "digest": self.digest.to_string(),
            "asked": self.asked,
            "plan": self.plan.to_string(),
        })
    }

    /// Reads the header of a file, whose kind must be one of `kinds`.
    ///
    /// # Errors
    /// If the line is not such a header.
    pub fn read(object: &Map<String, Value>, kinds: &[&str]) -> Result<Self, String> {
        let found = object.get("farandole").and_then(Value::as_str);
        if !found.is_some_and(|found| kinds.contains(&found)) {
            return Err(format!(
                "expected the first line of a file of the kind `{}`, found `{}`",
                kinds.join("` or `"),
                found.unwrap_or("another line")
            ));
        }
        let format = object.get("format").and_then(Value::as_u64);
        if format != Some(FORMAT.into()) {
            let found = format.map_or("none".to_owned(), |format| format.to_string());
            return Err(format!("expected the format {FORMAT}, found `{found}`"));
        }
        Ok(Self {
            digest: text(object, "digest")?.parse()?,
            asked: asked(object)?,
            plan: text(object, "plan")?.parse()?,
        })
    }
}

fn asked(object: &Map<String, Value>) -> Result<usize, String> {
    let asked = object.get("asked").and_then(Value::as_u64);
    asked.and_then(|asked| usize::try_from(asked).ok()).ok_or("expected the number `asked`".to_owned())
}

impl Header {
    /// Reads the header of the journal of a problem. `asked` is the expected number of shards, if
    /// specified.
    pub(super) fn read_own(
        object: &Map<String, Value>,
        kind: &str,
        digest: &Sha256Digest,
        asked: Option<usize>,
    ) -> Result<Self, String> {
        let found = Self::read(object, &[kind])?;
        if found.digest != *digest {
            return Err(format!(
                "expected the journal of this puzzle, with the digest {digest}, found `{}`",
                found.digest
            ));
        }
        match asked {
            Some(asked) if asked != found.asked => Err(format!(
                "expected {} shards, as many as this journal was begun with, found `--shards {asked}`",
                found.asked
            )),
            _ => Ok(found),
        }
    }

    /// Checks that `shards` are the shards of the journal named `name`.
    ///
    /// # Errors
    /// If they differ.
    pub fn expect_shards(&self, shards: &[Shard], name: &str) -> Result<(), String> {
        let now = plan(&self.digest, shards);
        if now == self.plan {
            return Ok(());
        }
        Err(format!(
            "{name}:1: expected the shards {now}, found `{}`: another version of the program splits the puzzle \
             otherwise",
            self.plan
        ))
    }
}

/// Returns the text at a key of an object.
///
/// # Errors
/// If there is none.
pub fn text<'o>(object: &'o Map<String, Value>, key: &str) -> Result<&'o str, String> {
    object.get(key).and_then(Value::as_str).ok_or_else(|| format!("expected the text `{key}`"))
}

/// Returns the list of options at a key of an object. All option numbers must be below
/// `option_count`.
///
/// # Errors
/// If the key has no such list.
pub fn options(
    object: &Map<String, Value>,
    key: &str,
    option_count: usize,
) -> Result<Vec<OptionId>, String> {
    let numbers = object.get(key).and_then(Value::as_array);
    let option = |number: &Value| {
        let number = usize::try_from(number.as_u64()?).ok()?;
        (number < option_count).then(|| OptionId::new(number))
    };
    let options = numbers.and_then(|numbers| numbers.iter().map(option).collect());
    options.ok_or_else(|| format!("expected in `{key}` a list of options below {option_count}"))
}

/// Returns options as a list of numbers.
#[must_use]
pub fn numbers(options: &[OptionId]) -> Vec<usize> {
    options.iter().map(|option| option.index()).collect()
}

/// Returns a shard as a JSON object.
#[must_use]
pub fn of_shard(shard: &Shard, digest: &Sha256Digest) -> Value {
    json!({
        "shard": shard.id(digest).to_string(),
        "path": shard.path.to_string(),
        "weight": shard.path.weight().to_string(),
        "estimate": shard.estimate,
        "given": numbers(&shard.part.given()),
        "without": numbers(shard.part.without()),
    })
}

/// Reads a shard of the problem with digest `digest`.
///
/// # Errors
/// If the object is not such a shard.
pub fn shard(
    object: &Map<String, Value>,
    digest: &Sha256Digest,
    option_count: usize,
) -> Result<Shard, String> {
    let path: Path = text(object, "path")?.parse()?;
    let part = Subtree::new(
        options(object, "given", option_count)?,
        options(object, "without", option_count)?,
    );
    let estimate = object.get("estimate").and_then(Value::as_f64);
    let shard = Shard { path, part, estimate: estimate.ok_or("expected the number `estimate`")? };
    let (expected, found) = (shard.id(digest).to_string(), text(object, "shard")?);
    if expected != found {
        return Err(format!("expected the shard {expected} of this problem, found `{found}`"));
    }
    Ok(shard)
}

/// The effort of counting a shard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CountEffort {
    /// Wall time (s).
    pub seconds: f64,
    /// Number of nodes of the search; other methods count states or problems instead. Two counts of
    /// the same shard may differ, because different methods may have run.
    pub nodes: u64,
}

impl CountEffort {
    /// Reads the effort recorded with a count; missing values are zero.
    #[must_use]
    pub fn read(object: &Map<String, Value>) -> Self {
        let nodes = object.get("nodes").and_then(Value::as_u64).unwrap_or(0);
        Self { seconds: seconds(object), nodes }
    }

    /// Adds the effort of another count.
    pub fn add(&mut self, other: &Self) {
        self.seconds += other.seconds;
        self.nodes = self.nodes.saturating_add(other.nodes);
    }
}

/// Returns the count of a shard as a JSON object.
#[must_use]
pub fn of_count(count: &ShardCount, effort: &CountEffort) -> Value {
    let mut object = json!({
        "result": count.id.to_string(),
        "path": count.path.to_string(),
        "count": count.count.to_string(),
        "seconds": effort.seconds,
        "nodes": effort.nodes,
    });
    if let Some(covers) = count.covers {
        object["covers_digest"] = covers.to_string().into();
    }
    object
}

/// Adds the options that a shard contains and excludes to its count, for a proof.
pub fn add_part(object: &mut Value, part: &Subtree) {
    object["given"] = numbers(&part.given()).into();
    object["without"] = numbers(part.without()).into();
}

/// Reads the options that a shard contains and excludes, if its count has them.
///
/// # Errors
/// If an option is not below `option_count`.
pub fn part(object: &Map<String, Value>, option_count: usize) -> Result<Option<Subtree>, String> {
    if !object.contains_key("given") {
        return Ok(None);
    }
    let [given, without] = ["given", "without"].map(|key| options(object, key, option_count));
    Ok(Some(Subtree::new(given?, without?)))
}

/// Reads the time of a shard (s); 0 if it is missing.
#[must_use]
pub fn seconds(object: &Map<String, Value>) -> f64 {
    object.get("seconds").and_then(Value::as_f64).unwrap_or(0.0)
}

/// Reads the count of a shard.
///
/// # Errors
/// If the object is not a count.
pub fn count(object: &Map<String, Value>) -> Result<ShardCount, String> {
    let count = text(object, "count")?;
    let is_number = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    let number = count.parse().ok().filter(|_| is_number);
    let has_digest = object.contains_key("covers_digest");
    let covers = has_digest.then(|| text(object, "covers_digest")?.parse::<CoversDigest>());
    Ok(ShardCount {
        id: text(object, "result")?.parse()?,
        path: text(object, "path")?.parse()?,
        count: number.ok_or_else(|| format!("expected a number in `count`, found `{count}`"))?,
        covers: covers.transpose()?,
    })
}

/// Record that a shard was split further. The parts replace the shard; readers recompute them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splitting {
    /// Id of the shard that was split.
    pub id: ShardId,
    /// Path of the shard that was split.
    pub path: Path,
    /// Number of parts that was requested.
    pub asked: usize,
    /// Digest of the list of parts.
    pub plan: Sha256Digest,
}

impl Splitting {
    /// Returns the record that `shard` was split into `parts`, after a request for `asked` parts.
    #[must_use]
    pub fn new(digest: &Sha256Digest, shard: &Shard, asked: usize, parts: &[Shard]) -> Self {
        let plan = plan(digest, parts);
        Self { id: shard.id(digest), path: shard.path.clone(), asked, plan }
    }

    /// Checks that `parts` are the parts of the recorded split.
    ///
    /// # Errors
    /// If they differ.
    pub fn expect_parts(&self, digest: &Sha256Digest, parts: &[Shard]) -> Result<(), String> {
        let now = plan(digest, parts);
        if now == self.plan {
            return Ok(());
        }
        Err(format!(
            "expected the parts {now} of the shard {}, found `{}`: another version of the program splits it otherwise",
            self.id, self.plan
        ))
    }

    /// Returns the record as a JSON object.
    #[must_use]
    pub fn object(&self) -> Value {
        json!({
            "split": self.id.to_string(),
            "path": self.path.to_string(),
            "asked": self.asked,
            "plan": self.plan.to_string(),
        })
    }

    /// Reads the record of a split.
    ///
    /// # Errors
    /// If the line is not such a record, or the shard belongs to another problem.
    pub fn read(object: &Map<String, Value>, digest: &Sha256Digest) -> Result<Self, String> {
        let path: Path = text(object, "path")?.parse()?;
        let (id, found) = (ShardId::of(digest, &path), text(object, "split")?.parse()?);
        if id != found {
            return Err(format!("expected the shard {id} of this problem, found `{found}`"));
        }
        Ok(Self { id, path, asked: asked(object)?, plan: text(object, "plan")?.parse()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_wrong_checksum_or_content_are_refused() {
        let line = seal(&json!({ "a": "ä", "b": 1 }));
        let object = open(line.trim_end().as_bytes()).unwrap();
        assert_eq!(Value::Object(object), json!({ "a": "ä", "b": 1 }));
        for place in 0..line.len() - 1 {
            let mut bytes = line.trim_end().as_bytes().to_vec();
            bytes[place] ^= 1;
            assert!(open(&bytes).is_err(), "byte {place}");
            assert!(open(&line.as_bytes()[..place]).is_err(), "cut at {place}");
        }
    }
}
