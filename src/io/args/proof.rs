//! The file of a proof for the checkers of other programs.

use std::path::{Path, PathBuf};

use clap::Args;
use dlx::proofs::ProofFormat;

use crate::io::whole;

/// The files of a proof.
#[derive(Clone, Debug)]
pub(crate) struct ProofFile {
    pub(crate) path: PathBuf,
    pub(crate) format: ProofFormat,
}

impl ProofFile {
    /// Returns the path of the formula, next to the proof.
    pub(crate) fn formula(&self) -> PathBuf {
        self.path.with_extension(match self.format {
            ProofFormat::Lrat => "cnf",
            ProofFormat::VeriPb => "opb",
        })
    }

    /// Checks in advance whether both files can be written.
    pub(crate) fn probe(&self) -> Result<(), String> {
        whole::probe(&self.path).and_then(|()| whole::probe(&self.formula()))
    }
}

/// Returns the file for a name such as `queens.lrat`.
pub(super) fn parse_proof(name: &str) -> Result<ProofFile, String> {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
    let format = match ending {
        Some("lrat") => ProofFormat::Lrat,
        Some("pbp") => ProofFormat::VeriPb,
        _ => return Err("expected a name that ends in .lrat or .pbp".to_owned()),
    };
    Ok(ProofFile { path: name.into(), format })
}

/// Returns the file for a name such as `queens.lrat`.
pub(super) fn parse_lrat(name: &str) -> Result<ProofFile, String> {
    let file = parse_proof(name).ok().filter(|file| file.format == ProofFormat::Lrat);
    file.ok_or_else(|| "expected a name that ends in .lrat".to_owned())
}

/// The proof of a count.
#[derive(Clone, Debug)]
pub(crate) enum CountProof {
    /// A proof that there are no covers other than listed ones.
    Covers(ProofFile),
    /// A decision diagram as CPOG, in this file.
    Diagram(PathBuf),
}

/// Returns the file for a name such as `queens.cpog`.
pub(super) fn parse_count_proof(name: &str) -> Result<CountProof, String> {
    if Path::new(name).extension().is_some_and(|ending| ending == "cpog") {
        return Ok(CountProof::Diagram(name.into()));
    }
    let file = parse_proof(name);
    file.map(CountProof::Covers)
        .map_err(|_| "expected a name that ends in .cpog, .lrat or .pbp".to_owned())
}

// The proof of the commands that search.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProofArgs {
    /// Prove for the checkers of other programs that there are no other solutions: FILE.lrat for
    /// `cake_lpr` and `lrat-check`, or FILE.pbp for VeriPB
    ///
    /// The formula is written next to the proof, as FILE.cnf or FILE.opb. A single puzzle is
    /// expected. `solve` proves that there is no solution or no other, `solve --cheapest` that none
    /// costs less (.pbp), `list` that there are exactly as many as it found. If there are others,
    /// or a limit is reached, no file is written, and the exit code is 1 or 3. Lists of more than
    /// about a million solutions have no such proof.
    #[arg(long, value_name = "FILE", value_parser = parse_proof,
        conflicts_with_all = ["engine", "nodes", "up_to_symmetry", "profile", "stats", "isa"])]
    pub(crate) proof: Option<ProofFile>,
}
