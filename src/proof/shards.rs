//! Proofs of shards: `work --proof FOLDER` proves each shard, and `merge --proof FILE` joins the
//! proofs into one of the whole count.
//!
//! The proof of a shard is `ID.lrat` in the folder, where `ID` is the id of the shard, and its
//! formula is `ID.cnf`. Both are about the puzzle as an exact cover without clues, like all proofs.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dlx::proofs::shards::{ShardUnion, UnionFault, formula_of_shard, prove_shard};
use dlx::proofs::{ProofFault, ProofFormat, formula_of_covers};
use dlx::shards::ShardId;
use dlx::trust::formula::{check_cnf, part_literals};
use dlx::trust::lrat;
use dlx::{Limits, OptionId, Problem, Subtree, restrict};

use super::covers::Unproven;
use super::{Claim, Proven, WriteFault, write_files};
use crate::io::args::ProofFile;
use crate::io::names::shown;
use crate::io::{single, whole};
use farandole::shards::file::Whole;

/// The proofs of the shards of a problem, in a folder.
pub(crate) struct ShardProofs {
    folder: PathBuf,
    problem: Arc<Problem>,
    /// For each option of the puzzle, its option of the problem without clues.
    numbers: Option<Vec<Option<OptionId>>>,
}

/// A shard whose count is known.
pub(crate) struct CountedShard {
    pub(crate) id: ShardId,
    pub(crate) part: Subtree,
    pub(crate) count: usize,
}

impl ShardProofs {
    pub(crate) fn new(whole: &Whole, folder: &Path) -> Result<Self, Unproven> {
        let (folder, problem) = (folder.to_owned(), whole.problem());
        check_cnf(problem)
            .map_err(|fault| Unproven::refused(format!("{fault}, so expected no --proof")))?;
        if whole.given().is_empty() {
            return Ok(Self { folder, problem: Arc::clone(problem), numbers: None });
        }
        let restricted = restrict(problem, whole.given())
            .map_err(|conflict| Unproven::failed(&single::clash(problem, &conflict)))?;
        let mut numbers = vec![None; problem.option_count()];
        for (number, original) in restricted.originals.iter().enumerate() {
            numbers[original.index()] = Some(OptionId::new(number));
        }
        Ok(Self { folder, problem: Arc::new(restricted.problem), numbers: Some(numbers) })
    }

    /// Creates the folder.
    pub(crate) fn make_folder(&self) -> Result<(), Unproven> {
        whole::make_folder(&self.folder).map_err(Unproven::refused)
    }

    /// Returns options of the puzzle as options of the problem. Options that the clues exclude are
    /// left out.
    fn numbered(&self, options: &[OptionId]) -> Vec<OptionId> {
        let mut options: Vec<_> = match &self.numbers {
            None => options.to_vec(),
            Some(numbers) => options.iter().filter_map(|option| numbers[option.index()]).collect(),
        };
        options.sort_unstable();
        options
    }

    fn part(&self, part: &Subtree) -> Subtree {
        Subtree::new(self.numbered(&part.given()), self.numbered(part.without()))
    }

    fn file(&self, id: ShardId) -> ProofFile {
        ProofFile { path: self.folder.join(format!("{id}.lrat")), format: ProofFormat::Lrat }
    }

    /// Proves that a shard has no other covers than `covers`, and checks the proof.
    pub(crate) fn prove(
        &self,
        id: ShardId,
        part: &Subtree,
        covers: &[Vec<OptionId>],
        limits: &Limits,
    ) -> Result<(), Unproven> {
        let covers: Vec<_> = covers.iter().map(|cover| self.numbered(cover)).collect();
        let (problem, file, own) = (&*self.problem, self.file(id), self.part(part));
        let formula = formula_of_shard(problem, &own, &covers, limits).map_err(ProofFault::from)?;
        write_files(&file.path, &file.formula(), &formula, |sink| {
            prove_shard(problem, &own, &covers, limits, sink)
        })?;
        self.check(&CountedShard { id, part: part.clone(), count: covers.len() }, &formula, limits)
    }

    /// Checks the proof of a shard with code that no search uses.
    fn check(&self, shard: &CountedShard, formula: &str, limits: &Limits) -> Result<(), Unproven> {
        let path = self.file(shard.id).path;
        let refused = |what: String| Unproven::refused(format!("{}: {what}", shown(&path)));
        let proof = File::open(&path).map_err(|error| refused(format!("cannot read: {error}")))?;
        let units = part_literals(&self.part(&shard.part));
        match lrat::check_part(&self.problem, &units, formula, BufReader::new(proof), limits) {
            Ok(count) if count == shard.count => Ok(()),
            Ok(count) => Err(refused(format!("expected {} covers, found {count}", shard.count))),
            Err(fault) => match fault.limit {
                Some(limit) => Err(Unproven::limited(limit)),
                None => Err(refused(format!("the proof or its formula is wrong: {fault}"))),
            },
        }
    }

    /// Joins the proofs of all shards into one. Each proof is checked once more.
    pub(crate) fn join(
        &self,
        shards: &[CountedShard],
        file: &ProofFile,
        limits: &Limits,
    ) -> Result<Proven, Unproven> {
        let problem = &*self.problem;
        let mut covers = Vec::new();
        for shard in shards {
            let path = self.file(shard.id).formula();
            let text = fs::read_to_string(&path).map_err(|error| {
                Unproven::refused(format!("{}: cannot read: {error}", shown(&path)))
            })?;
            self.check(shard, &text, limits)?;
            // The check has shown that the last clauses of the formula block the covers.
            let lines: Vec<&str> = text.lines().collect();
            covers.extend(lines[lines.len() - shard.count..].iter().map(|line| cover_of(line)));
        }
        let formula =
            formula_of_covers(problem, &covers, ProofFormat::Lrat, limits).map_err(ProofFault::from)?;
        let mut broken = None;
        let written = write_files(&file.path, &file.formula(), &formula, |sink| {
            let mut union = ShardUnion::new(problem, covers.len(), limits, sink)?;
            for shard in shards {
                let path = self.file(shard.id).path;
                let added = match File::open(&path) {
                    Ok(proof) => union.add(&self.part(&shard.part), shard.count, BufReader::new(proof)),
                    Err(error) => Err(UnionFault::Line(0, format!("cannot read: {error}"))),
                };
                added.map_err(|fault| match fault {
                    UnionFault::Proof(fault) => fault,
                    UnionFault::Line(line, what) => {
                        broken = Some(format!("{}:{line}: {what}", shown(&path)));
                        ProofFault::Stopped
                    }
                })?;
            }
            union.finish()
        });
        match (written, broken) {
            (_, Some(broken)) => return Err(Unproven::refused(broken)),
            (Err(WriteFault::Proof(ProofFault::Missing(_))), _) => {
                return Err(Unproven::failed("the shards do not contain all solutions"));
            }
            (written, None) => written?,
        }
        let claim = Claim::Count(covers.len().into());
        let (formula, proof) = (file.formula(), file.path.clone());
        Ok(Proven { claim, formula, proof, checker: "cake_lpr" })
    }
}

/// Returns the cover that a line of a formula blocks.
fn cover_of(line: &str) -> Vec<OptionId> {
    let excluded = line.split(' ').filter_map(|word| word.strip_prefix('-')?.parse::<usize>().ok());
    excluded.map(|number| OptionId::new(number - 1)).collect()
}
