//! The lines of journals and of files of shards: JSON objects, each of which ends with a check of itself.
//!
//! The check is the beginning of the SHA-256 digest of all that stands before it in the line. The first line of a file is
//! its header; each other line is a shard or the count of one.

use dlx::shards::{FORMAT, Path, Sha256Digest, Shard, ShardCount};
use dlx::{OptionId, Subtree};
use serde_json::{Map, Value, json};

/// What stands before the check.
const CHECK: &str = ",\"check\":\"";
/// The digits of the check, and what ends the line.
const CHECK_END: usize = 16 + 2;

/// Returns the line of an object.
pub(super) fn seal(object: &Value) -> String {
    let text = object.to_string();
    let text = text.strip_suffix('}').expect("an object ends so");
    let check = Sha256Digest::of_bytes(text.as_bytes()).short();
    format!("{text}{CHECK}{check:016x}\"}}\n")
}

/// Returns the object of a line without its end, or what is wrong with it.
pub(super) fn open(line: &[u8]) -> Result<Map<String, Value>, String> {
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

/// What the first line of a file tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The digest of the problem with the options that are given.
    pub(super) digest: Sha256Digest,
    /// How many shards were asked for.
    pub(super) asked: usize,
    /// The digest of the shards.
    pub(super) plan: Sha256Digest,
}

impl Header {
    /// Makes the header of a file with these shards.
    pub(super) fn new(digest: Sha256Digest, asked: usize, shards: &[Shard]) -> Self {
        let ids: Vec<String> = shards.iter().map(|shard| shard.id(&digest).to_string()).collect();
        Self { digest, asked, plan: Sha256Digest::of_bytes(ids.join(" ").as_bytes()) }
    }

    /// Returns it as an object of a file of this kind.
    pub(super) fn object(&self, kind: &str) -> Value {
        json!({
            "farandole": kind,
            "format": FORMAT,
            "version": env!("CARGO_PKG_VERSION"),
            "digest": self.digest.to_string(),
            "asked": self.asked,
            "plan": self.plan.to_string(),
        })
    }

    /// Reads the header of a file of one of these kinds.
    pub(super) fn read(object: &Map<String, Value>, kinds: &[&str]) -> Result<Self, String> {
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
        let asked = object.get("asked").and_then(Value::as_u64);
        let asked = asked.and_then(|asked| usize::try_from(asked).ok());
        Ok(Self {
            digest: text(object, "digest")?.parse()?,
            asked: asked.ok_or("expected the number `asked`")?,
            plan: text(object, "plan")?.parse()?,
        })
    }
}

/// Returns the text of a key.
pub(super) fn text<'o>(object: &'o Map<String, Value>, key: &str) -> Result<&'o str, String> {
    object.get(key).and_then(Value::as_str).ok_or_else(|| format!("expected the text `{key}`"))
}

/// Returns the options of a key, all of them below `option_count`.
pub(super) fn options(
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
pub(super) fn numbers(options: &[OptionId]) -> Vec<usize> {
    options.iter().map(|option| option.index()).collect()
}

/// Returns a shard as an object.
pub(super) fn of_shard(shard: &Shard, digest: &Sha256Digest) -> Value {
    json!({
        "shard": shard.id(digest).to_string(),
        "path": shard.path.to_string(),
        "weight": shard.path.weight().to_string(),
        "estimate": shard.estimate,
        "given": numbers(&shard.part.given()),
        "without": numbers(shard.part.without()),
    })
}

/// Reads a shard of the problem of that digest.
pub(super) fn shard(
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

/// Returns the count of a shard as an object.
pub(super) fn of_count(count: &ShardCount, seconds: f64) -> Value {
    json!({
        "result": count.id.to_string(),
        "path": count.path.to_string(),
        "count": count.count.to_string(),
        "seconds": seconds,
    })
}

/// Reads the count of a shard.
pub(super) fn count(object: &Map<String, Value>) -> Result<ShardCount, String> {
    let count = text(object, "count")?;
    let is_number = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    let number = count.parse().ok().filter(|_| is_number);
    Ok(ShardCount {
        id: text(object, "result")?.parse()?,
        path: text(object, "path")?.parse()?,
        count: number.ok_or_else(|| format!("expected a number in `count`, found `{count}`"))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_was_written_or_it_is_refused() {
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
