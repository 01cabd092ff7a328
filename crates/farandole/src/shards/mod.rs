//! Files for counts and lists that are divided into parts. The commands `split`, `work` and `merge`
//! and the option `--journal` read and write them.
//!
//! [`lines`] defines the lines of the files, each a JSON object with a checksum. A file of
//! [`file`](mod@file) holds a problem with its shards and may be sent to other machines.
//! [`journal`] is the file of a resumable count, and [`list`] the file of a resumable list. Both
//! journals are based on `sealed`, an append-only file of lines. [`dlx::shards`] computes the
//! shards themselves.

pub mod file;
pub mod journal;
pub mod lines;
pub mod list;
mod sealed;

use std::collections::HashMap;

use dlx::shards::{Path, Sha256Digest, Shard, split_further};
use dlx::{Limit, Limits, Problem};

use self::lines::Splitting;

/// Applies the splits of `splittings`, in this order, to `shards` of the problem with digest
/// `digest`. Returns the resulting shards, or a description of an invalid split.
///
/// # Errors
/// The limit of time or memory that was reached, or the flag that was set.
pub fn refine(
    problem: &Problem,
    digest: &Sha256Digest,
    shards: Vec<Shard>,
    splittings: &[Splitting],
    limits: &Limits,
) -> Result<Result<Vec<Shard>, String>, Limit> {
    if splittings.is_empty() {
        return Ok(Ok(shards));
    }
    let by_path = |shard: Shard| (shard.path.clone(), shard);
    let mut open: HashMap<Path, Shard> = shards.into_iter().map(by_path).collect();
    for splitting in splittings {
        let Splitting { id, path, asked, .. } = splitting;
        let Some(shard) = open.remove(path) else {
            return Ok(Err(format!("shard {id} was split, but is not one of this count")));
        };
        let parts = split_further(problem, &shard, *asked, limits)?;
        if let Err(message) = splitting.expect_parts(digest, &parts) {
            return Ok(Err(message));
        }
        open.extend(parts.into_iter().map(by_path));
    }
    let mut shards: Vec<_> = open.into_values().collect();
    shards.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(Ok(shards))
}

#[cfg(test)]
mod tests {
    use dlx::shards::{ShardCounter, ShardTally, split};

    use super::*;

    #[test]
    fn splits_of_parts_are_recomputed_and_wrong_splits_are_refused() {
        let problem: Problem = "a b c d\na\na b\nb c\nb\nc d\nc\nd\n".parse().unwrap();
        let limits = Limits::new();
        let digest = Sha256Digest::of(&problem, &[], &limits).unwrap();
        let whole = split(&problem, &[], 1, &limits).unwrap();
        let mut splittings = Vec::new();
        let mut shards = whole.clone();
        for _ in 0..2 {
            let shard = shards[0].clone();
            let parts = split_further(&problem, &shard, 2, &limits).unwrap();
            splittings.push(Splitting::new(&digest, &shard, 2, &parts));
            shards.splice(..1, parts);
        }
        let read = |splitting: &Splitting| {
            let line = lines::seal(&splitting.object());
            Splitting::read(&lines::open(line.trim_end().as_bytes()).unwrap(), &digest).unwrap()
        };
        let mut read: Vec<_> = splittings.iter().map(read).collect();
        assert_eq!(read, splittings);
        let refined = |splittings: &[Splitting]| {
            refine(&problem, &digest, whole.clone(), splittings, &limits).unwrap()
        };
        let mut counter = ShardCounter::new(problem.clone());
        let mut tally = ShardTally::new(digest);
        for shard in refined(&read).unwrap() {
            let count = counter.count(&shard, &limits).total();
            tally.add(shard.counted(&digest, count)).unwrap();
        }
        assert_eq!(tally.total(), Ok(dlx::count(&problem)));
        assert!(refined(&read[1..]).unwrap_err().ends_with("was split, but is not one of this count"));
        read[0].plan = digest;
        assert!(refined(&read).unwrap_err().starts_with("expected the parts "));
    }
}
