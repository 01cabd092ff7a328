//! The commands `split`, `work` and `merge` count on several machines that share only files.
//!
//! A file of shards is self-contained, because its header contains the problem in Knuth's text
//! format. `work` prints the same header and a line for the count of each shard. A shard that took
//! too long is replaced by lines for smaller shards. `merge` adds up the counts in such files and
//! in journals, if they cover the whole problem.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use dlx::shards::{
    CoversDigest, Fault, Path as ShardPath, Sha256Digest, Shard, ShardCount, ShardId, ShardTally,
    split, split_apart, split_further,
};
use dlx::{BigUint, End, Limit, Limits, OptionId, Subtree};
use serde_json::json;

use super::crew::{self, CountRules, Patience, ProveShard, ShardJob, ShardWork};
use super::progress::ShardProgress;
use super::trial::CountTrial;
use crate::io::args::{MergeArgs, PuzzleLimits, SplitArgs, WorkArgs, thread_count};
use crate::io::bar::Bar;
use crate::io::exit::{Exit, name_of};
use crate::io::names::shown;
use crate::io::single::{only, warn_dropped_line};
use crate::io::source::Puzzles;
use crate::io::{host, interrupt, memory, output};
use crate::proof::Proven;
use crate::proof::covers::{self, Unproven};
use crate::proof::shards::{CountedShard, ShardProofs};
use farandole::shards::file::{self, KIND, Line, OpenShards, Whole};
use farandole::shards::journal;
use farandole::shards::lines::{self, CountEffort, Header, Splitting};

/// Number of parts into which a shard is split that took too long.
const PARTS: usize = 16;

fn refuse(message: &str) -> Exit {
    say!("{message}");
    Exit::BadInput
}

/// Prints the limit that stopped the command and returns the exit code. Prints no message after an
/// interrupt.
fn ended(limit: Limit) -> Exit {
    if interrupt::happened() {
        return Exit::Interrupted;
    }
    say!("{} limit reached", name_of(limit));
    Exit::Limited
}

pub(crate) fn run_split(asked: &SplitArgs) -> Exit {
    let cancel = interrupt::flag();
    let (_, puzzle) = match only(Puzzles::new(&asked.input, PuzzleLimits::default())) {
        Ok(only) => only,
        Err(exit) => return exit,
    };
    let limits = memory::guard(Limits::new().cancel(cancel), None);
    let (problem, given) = (puzzle.problem(), puzzle.given());
    let made = || -> Result<_, Limit> {
        let whole = Whole::new(problem, given, &limits)?;
        let trial = CountTrial::run(problem, given, thread_count(None), &limits);
        let split = if asked.apart { split_apart } else { split };
        let shards = split(problem, given, asked.shards.get(), &limits)?;
        if let Some(words) = trial.advice(shards.iter().map(|shard| shard.estimate).sum()) {
            say!("{words}");
        }
        Ok(whole.map(|whole| (whole, shards)))
    };
    let (whole, shards) = match made() {
        Ok(Ok(made)) => made,
        Ok(Err(message)) => return refuse(&message),
        Err(limit) => return ended(limit),
    };
    let mut out = whole.header(asked.shards.get(), &shards);
    for shard in &shards {
        out += &lines::seal(&lines::of_shard(shard, whole.digest()));
    }
    output::write_all(out.as_bytes(), Exit::Done)
}

/// Reads the lines of a file. Drops an incomplete last line with a warning.
fn lines_of(name: &str, bytes: &[u8]) -> Result<Vec<Line>, String> {
    let (lines, dropped) = file::read(name, bytes)?;
    warn_dropped_line(name, dropped, false);
    Ok(lines)
}

fn read(name: &OsString) -> Result<(String, Vec<u8>), String> {
    let is_input = name == "-";
    let shown = if is_input { "standard input".to_owned() } else { shown(name) };
    let mut bytes = Vec::new();
    if is_input && let Some(text) = host::take_input() {
        return Ok((shown, text));
    }
    let read = match is_input {
        true => interrupt::ending_on_interrupt(|| io::stdin().lock().read_to_end(&mut bytes).map(drop)),
        false => fs::read(name).map(|read| bytes = read),
    };
    read.map_err(|error| format!("{shown}: cannot read: {error}"))?;
    Ok((shown, bytes))
}

/// Reads the files `names`, or standard input if `names` is empty. A file without a complete line
/// is skipped with a warning if another file has one, since a machine that failed may leave such a
/// file.
fn read_all(names: &[OsString]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let input = [OsString::from("-")];
    let names = if names.is_empty() { &input } else { names };
    let mut files = names.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let is_begun = |(_, bytes): &(String, Vec<u8>)| bytes.contains(&b'\n');
    if files.iter().any(is_begun) {
        files.retain(|file| {
            let is_begun = is_begun(file);
            if !is_begun {
                say!("{}: left out, since not one line of it was written", file.0);
            }
            is_begun
        });
    }
    Ok(files)
}

pub(crate) fn run_work(asked: &WorkArgs) -> Exit {
    let read = || {
        let mut all = Vec::new();
        for (name, bytes) in read_all(&asked.files)? {
            all.extend(lines_of(&name, &bytes)?);
        }
        OpenShards::read(all)
    };
    match read() {
        Ok(open) => work(&open, asked),
        Err(message) => refuse(&message),
    }
}

/// Counts the shards that have no count yet.
fn work(open: &OpenShards, asked: &WorkArgs) -> Exit {
    let OpenShards { head, whole, shards, .. } = open;
    let digest = whole.digest();
    let limits = memory::guard(Limits::new().cancel(interrupt::flag()), asked.memory);
    let threads = thread_count(asked.threads);
    let proofs = asked.proof.as_deref().map(|folder| begin_proofs(open, folder)).transpose();
    let proofs = match proofs {
        Ok(proofs) => proofs,
        Err(unproven) => return covers::report(Err(unproven), asked.quiet),
    };
    let (part, parts) = asked.part.unwrap_or((1, 1));
    // Deal out the shards in turn, the most expensive first, so that all parts have about the same
    // amount of work.
    let jobs = crew::most_expensive_first(shards.iter().cloned());
    let jobs: Vec<_> = jobs.into_iter().skip(part - 1).step_by(parts).collect();
    let mut stdout = output::stdout();
    if let Err(error) = stdout.write_all(head).and_then(|()| stdout.flush()) {
        return output::lost(&error);
    }
    let bar = Bar::start(!asked.quiet);
    let progress = ShardProgress::new(jobs.iter().map(|job| job.shard.estimate));
    let progress = Mutex::new(progress);
    let done = || progress.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut cut, mut lost, mut failed) = (0, None, Exit::Done);
    let take = |works: Vec<ShardWork>, more: &mut Vec<ShardJob>| {
        let mut text = String::new();
        for ShardWork { job, report, covers, time, unproven } in works {
            let shard = &job.shard;
            match report.end {
                _ if interrupt::happened() => {}
                End::Exhausted if unproven.is_none() => {
                    let count = ShardCount { covers, ..shard.counted(digest, report.total()) };
                    let effort = CountEffort { seconds: time.as_secs_f64(), nodes: report.nodes };
                    let mut line = lines::of_count(&count, &effort);
                    if proofs.is_some() {
                        lines::add_part(&mut line, &shard.part);
                    }
                    text += &lines::seal(&line);
                    done().add(shard.estimate, time.as_secs_f64());
                }
                _ if proofs.is_some() => {
                    text += &lines::seal(&lines::of_shard(shard, digest));
                    match unproven.filter(|unproven| !unproven.is_limited()) {
                        Some(unproven) => failed = covers::report(Err(unproven), asked.quiet),
                        None => cut += 1,
                    }
                }
                end => {
                    // A shard that was cancelled because of idle threads continues as smaller
                    // shards.
                    let is_given_up = end == End::Limit(Limit::Cancelled);
                    cut += u32::from(!is_given_up);
                    // If there is no time to split the shard, it is printed unchanged. If only some
                    // of these lines are written, no count is lost.
                    text += &lines::seal(&lines::of_shard(shard, digest));
                    let Ok(parts) = split_further(whole.problem(), shard, PARTS, &limits) else {
                        continue;
                    };
                    let splitting = Splitting::new(digest, shard, PARTS, &parts);
                    text += &lines::seal(&splitting.object());
                    for part in &parts {
                        text += &lines::seal(&lines::of_shard(part, digest));
                    }
                    if is_given_up {
                        done().split(shard.estimate, parts.iter().map(|part| part.estimate));
                        more.extend(job.replaced_by(parts));
                    }
                }
            }
        }
        bar.tell(&done().words(threads));
        let written =
            bar.hide_while(|| stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()));
        lost = written.err();
        lost.is_none()
    };
    let prove = |shard: &Shard, covers: &[Vec<OptionId>], limits: &Limits| match &proofs {
        Some(proofs) => proofs.prove(shard.id(digest), &shard.part, covers, limits),
        None => Ok(()),
    };
    let rules = CountRules {
        problem: whole.problem(),
        threads,
        limits: &limits,
        time: &|_| asked.time,
        patience: &|job| match proofs {
            Some(_) => None,
            None => Patience::of(job, done().rate(), threads),
        },
        has_digest: asked.digest,
        engine: None,
        prove: proofs.as_ref().map(|_| &prove as &ProveShard<'_>),
    };
    crew::count(&rules, jobs, take);
    bar.finish();
    if let Some(error) = lost {
        return output::lost(&error);
    }
    if interrupt::happened() {
        return Exit::Interrupted;
    }
    if cut == 0 {
        return failed;
    }
    if !asked.quiet {
        let were = if cut == 1 { "shard was" } else { "shards were" };
        let smaller = if proofs.is_some() { "" } else { " with smaller shards" };
        say!("{cut} {were} stopped by a limit; run `work` on the output to continue{smaller}");
    }
    failed.max(Exit::Limited)
}

/// Creates the folder for the proofs of shards, each of which must represent only itself.
fn begin_proofs(open: &OpenShards, folder: &Path) -> Result<ShardProofs, Unproven> {
    let proofs = ShardProofs::new(&open.whole, folder)?;
    if open.shards.iter().any(|shard| shard.path.weight() != 1_u32.into()) {
        let message = "a shard represents isomorphic ones; `split --apart` makes shards with proofs";
        return Err(Unproven::refused(message.to_owned()));
    }
    proofs.make_folder()?;
    Ok(proofs)
}

pub(crate) fn run_merge(asked: &MergeArgs) -> Exit {
    let merge = || {
        let merged = MergedCounts::read(&read_all(&asked.files)?, asked.proof.is_some())?;
        Ok((merged.total()?, merged))
    };
    let (count, merged) = match merge() {
        Ok(found) => found,
        Err::<_, String>(message) => return refuse(&message),
    };
    let proven = match merged.join_proofs(asked) {
        Ok(proven) => proven,
        Err(unproven) => return covers::report(Err(unproven), false),
    };
    let exit = if count == BigUint::ZERO { Exit::Failed } else { Exit::Done };
    let line = if asked.json {
        let MergedCounts { places, effort, covers, .. } = &merged;
        let mut line = json!({ "count": count.to_string(), "shards": places.len(),
            "seconds": effort.seconds, "nodes": effort.nodes });
        if let Some(covers) = covers {
            line["covers_digest"] = covers.to_string().into();
        }
        if let Some(proven) = &proven {
            line["proof"] = proven.json();
        }
        line.to_string()
    } else {
        count.to_string()
    };
    let exit = output::write_all(format!("{line}\n").as_bytes(), exit);
    exit.max(covers::report(Ok(proven), false))
}

struct MergedCounts {
    tally: ShardTally,
    /// File and line where each count was read first, for messages.
    places: HashMap<ShardId, String>,
    effort: CountEffort,
    /// The digest of all covers, or `None` unless each count has a digest and weight 1.
    covers: Option<CoversDigest>,
    /// The problem, if a file of shards has it.
    whole: Option<Whole>,
    /// The counts of shards by path, with the options that each shard contains and excludes, or
    /// `None` without a proof.
    parts: BTreeMap<ShardPath, (ShardId, BigUint, Option<Subtree>)>,
}

impl MergedCounts {
    fn read(files: &[(String, Vec<u8>)], has_proofs: bool) -> Result<Self, String> {
        let mut whole: Option<(Self, Sha256Digest, String)> = None;
        for (name, bytes) in files {
            for (number, Line { place, object, .. }) in lines_of(name, bytes)?.into_iter().enumerate() {
                let at = |message: String| format!("{place}: {message}");
                // A file may be the concatenation of several files, each with a header.
                if number == 0 || object.contains_key("farandole") {
                    let found = Header::read(&object, &[KIND, journal::KIND]).map_err(at)?.digest;
                    let (merged, digest, first) = whole.get_or_insert_with(|| {
                        let (tally, places) = (ShardTally::new(found), HashMap::new());
                        let (effort, covers) = (CountEffort::default(), Some(CoversDigest::default()));
                        let (whole, parts) = (None, BTreeMap::new());
                        let merged = Self { tally, places, effort, covers, whole, parts };
                        (merged, found, place.clone())
                    });
                    if *digest != found {
                        return Err(at(format!(
                            "expected a part of the same count as in {first}, with the digest {digest}, found `{found}`"
                        )));
                    }
                    if has_proofs && merged.whole.is_none() && object.contains_key("problem") {
                        merged.whole = Some(Whole::read(&object).map_err(at)?);
                    }
                } else if object.contains_key("result")
                    && let Some((merged, ..)) = &mut whole
                {
                    let count = lines::count(&object).map_err(at)?;
                    let (id, weight) = (count.id, count.path.weight());
                    let covers = count.covers.filter(|_| weight == 1_u32.into());
                    if let Some(whole) = &merged.whole {
                        let part = lines::part(&object, whole.problem().option_count()).map_err(at)?;
                        let part = part.filter(|_| weight == 1_u32.into());
                        let counted = (id, count.count.clone(), part);
                        let kept = merged.parts.entry(count.path.clone()).or_insert(counted.clone());
                        if kept.2.is_none() {
                            *kept = counted;
                        }
                    }
                    let is_new = merged.tally.add(count).map_err(|fault| at(merged.explain(&fault)))?;
                    if is_new {
                        merged.places.insert(id, place);
                        merged.effort.add(&CountEffort::read(&object));
                        merged.covers = merged.covers.zip(covers).map(|(sum, more)| sum.and(more));
                    }
                }
            }
        }
        let (merged, ..) = whole.ok_or("expected a file with counts of shards, found none")?;
        Ok(merged)
    }

    /// Joins the proofs of all shards, if `merge --proof` asks for it.
    fn join_proofs(&self, asked: &MergeArgs) -> Result<Option<Proven>, Unproven> {
        let (Some(file), Some(folder)) = (&asked.proof, &asked.proofs) else { return Ok(None) };
        file.probe().map_err(Unproven::refused)?;
        let whole = self.whole.as_ref().ok_or_else(|| {
            Unproven::refused("expected a file of `work --proof`, found only journals".to_owned())
        })?;
        let mut shards = Vec::new();
        for (id, count, part) in self.parts.values() {
            let unproven = || {
                let place = self.places.get(id).map_or("", String::as_str);
                Unproven::refused(format!("{place}: expected a count of `work --proof`"))
            };
            let count = usize::try_from(count).map_err(|_| unproven())?;
            let part = part.clone().ok_or_else(unproven)?;
            shards.push(CountedShard { id: *id, part, count });
        }
        let limits = memory::guard(Limits::new().cancel(interrupt::flag()), None);
        ShardProofs::new(whole, folder)?.join(&shards, file, &limits).map(Some)
    }

    fn total(&self) -> Result<BigUint, String> {
        self.tally.total().map_err(|fault| self.explain(&fault))
    }

    /// Describes a fault, with the file and line of each shard it concerns.
    fn explain(&self, fault: &Fault) -> String {
        let shards = fault.shards();
        let places: Vec<_> =
            shards.iter().filter_map(|id| self.places.get(id)).map(String::as_str).collect();
        if places.is_empty() { fault.to_string() } else { format!("{fault} ({})", places.join(", ")) }
    }
}
