//! Files of shards, and journals. If such a file is damaged, it must be refused or the sum must
//! still be right.

use std::path::PathBuf;

use dlx::shards::{Sha256Digest, Shard, ShardCounter, ShardTally, split};
use dlx::{BigUint, Limits, Problem};
use farandole::shards::file::{self, OpenShards, Whole};
use farandole::shards::journal::{self, Journal};
use farandole::shards::lines::{self, CountEffort, Header};

use super::{Target, noise};
use crate::bytes::Bytes;
use crate::draw;

pub(super) const TARGET: Target = Target {
    name: "files",
    summary: "files of shards and journals, with lines changed, cut, lost, doubled or exchanged",
    run,
    seeds: noise,
    short_runs: 2000,
};

/// Draws a problem, writes a file of its shards with some counts, damages the file, and resumes the
/// count.
pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let is_journal = bytes.once_in(4);
    let (wanted, counted) = (1 + bytes.below(6), bytes.below(6));
    let damage = [(); 7].map(|()| bytes.byte());
    let problem = draw::small(&mut bytes);
    let limits = Limits::default();
    let expected = dlx::count(&problem);
    let shards = split(&problem, &[], wanted, &limits).expect("nothing is limited");
    let digest = Sha256Digest::of(&problem, &[], &limits).expect("nothing is limited");
    let head = if is_journal {
        lines::seal(&Header::new(digest, wanted, &shards).object(journal::KIND))
    } else {
        let whole = Whole::new(&problem.clone().into(), &[], &limits).expect("nothing is limited");
        let Ok(whole) = whole else { return };
        whole.header(wanted, &shards)
    };
    let mut text = vec![head];
    if !is_journal {
        text.extend(shards.iter().map(|shard| lines::seal(&lines::of_shard(shard, &digest))));
    }
    let mut counter = ShardCounter::new(problem.clone());
    for shard in shards.iter().take(counted) {
        text.push(result(&mut counter, shard, &digest));
    }
    let file = damaged(text, &mut Bytes::new(&damage));
    let total = if is_journal { resume(&file, &problem, &digest) } else { merge(&file) };
    if let Ok(total) = total {
        assert_eq!(total, expected, "{problem:?}\n{}", file.escape_ascii());
    }
}

fn result(counter: &mut ShardCounter, shard: &Shard, digest: &Sha256Digest) -> String {
    let count = counter.count(shard, &Limits::default()).total();
    lines::seal(&lines::of_count(&shard.counted(digest, count), &CountEffort::default()))
}

fn damaged(mut lines: Vec<String>, bytes: &mut Bytes<'_>) -> Vec<u8> {
    let (kind, one, other) = (bytes.below(8), bytes.below(lines.len()), bytes.below(lines.len()));
    match kind {
        0 => drop(lines.remove(one)),
        1 => lines.insert(other, lines[one].clone()),
        2 => lines.swap(one, other),
        3 => lines[one] = lines[other].clone(),
        _ => {}
    }
    let mut file = lines.concat().into_bytes();
    let place = bytes.below(file.len().max(1));
    match kind {
        4 if !file.is_empty() => file[place] ^= 1 << bytes.below(8),
        5 => file.truncate(place),
        6 => file.insert(place, bytes.byte()),
        _ => {}
    }
    file
}

/// Counts the remaining shards of a file and adds up all counts, like the command `merge`.
fn merge(file: &[u8]) -> Result<BigUint, String> {
    let (lines, _) = file::read("file", file)?;
    let open = OpenShards::read(lines)?;
    let digest = open.whole.digest();
    let mut tally = ShardTally::new(*digest);
    for line in &open.counts {
        let object = lines::open(line.trim_ascii_end())?;
        tally.add(lines::count(&object)?).map_err(|fault| fault.to_string())?;
    }
    let mut counter = ShardCounter::new(open.whole.problem().clone());
    for shard in &open.shards {
        let count = counter.count(shard, &Limits::default()).total();
        tally.add(shard.counted(digest, count)).map_err(|fault| fault.to_string())?;
    }
    tally.total().map_err(|fault| fault.to_string())
}

/// Resumes the count of an existing journal, like `count --journal`.
fn resume(file: &[u8], problem: &Problem, digest: &Sha256Digest) -> Result<BigUint, String> {
    let path = Scratch::with(file);
    let mut journal = Journal::open(&path.0, "journal".to_owned())?;
    let mut tally = ShardTally::new(*digest);
    let plan = journal.read(digest, None, &mut tally)?.ok_or("a new journal")?;
    let limits = Limits::default();
    let shards = plan.shards("journal", problem, &[], &limits).expect("nothing is limited")?;
    let mut counter = ShardCounter::new(problem.clone());
    for shard in &shards {
        if tally.has(shard.id(digest)) {
            continue;
        }
        journal.append(&result(&mut counter, shard, digest))?;
        let count = counter.count(shard, &limits).total();
        tally.add(shard.counted(digest, count)).map_err(|fault| fault.to_string())?;
    }
    tally.total().map_err(|fault| fault.to_string())
}

struct Scratch(PathBuf);

impl Scratch {
    fn with(content: &[u8]) -> Self {
        let thread = format!("{:?}", std::thread::current().id());
        let name = format!("farandole-hunt-{}-{thread}.jsonl", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, content).expect("the folder for temporary files can be written");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
