//! Proofs of counts and of covers. `--proof` and `count --trace` write them, and `verify-proof`
//! checks them.
//!
//! A proof for other checkers belongs to a formula, which is a file of the same name with another
//! ending. `covers` writes the proofs that list covers, `shards` those of shards and their union,
//! `counts` the proofs of counts, and `verify` checks all kinds.

pub(super) mod counts;
pub(super) mod covers;
pub(super) mod shards;
pub(super) mod verify;

use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use dlx::BigUint;
use dlx::proofs::{ProofFault, Sink};
use serde_json::{Value, json};

use crate::io::exit::Exit;
use crate::io::names::shown;
use crate::io::whole::{self, WholeFile};

/// What a proof shows.
enum Claim {
    /// The puzzle has this number of solutions.
    Count(BigUint),
    /// The cheapest solution has this cost.
    Cost(u128),
}

impl Claim {
    /// Adds the claim to a JSON object.
    fn insert(&self, object: &mut Value) {
        match self {
            Self::Count(count) => object["count"] = count.to_string().into(),
            Self::Cost(cost) => object["cost"] = cost.to_string().into(),
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Count(count) => match u64::try_from(count) {
                Ok(0) => "no cover".into(),
                Ok(1) => "exactly 1 cover".into(),
                _ => format!("exactly {count} covers"),
            },
            Self::Cost(cost) => format!("no cover costs less than {cost}"),
        }
    }
}

/// A proof that was written.
pub(crate) struct Proven {
    claim: Claim,
    formula: PathBuf,
    proof: PathBuf,
    /// The program of other authors that checks the proof.
    checker: &'static str,
}

impl Proven {
    fn command(&self) -> String {
        format!("{} {} {}", self.checker, shown(&self.formula), shown(&self.proof))
    }

    /// Says that the claim, in these words, is proven.
    fn say(&self, claim: &str) {
        let (formula, proof) = (shown(&self.formula), shown(&self.proof));
        let command = self.command();
        say!("proven: {claim} (formula {formula}, proof {proof}); to check it: {command}");
    }

    pub(crate) fn json(&self) -> Value {
        let (formula, proof) = (shown(&self.formula), shown(&self.proof));
        let mut object = json!({ "formula": formula, "proof": proof, "checker": self.command() });
        self.claim.insert(&mut object);
        object
    }
}

/// The reason why a proof and its formula were not written.
enum WriteFault {
    /// A file cannot be written.
    File(String),
    Proof(ProofFault),
}

/// Writes a proof and its formula. Both files are written completely, or left unchanged.
fn write_files<T>(
    proof: &Path,
    formula: &Path,
    text: &str,
    prove: impl FnOnce(&mut Sink<'_>) -> Result<T, ProofFault>,
) -> Result<T, WriteFault> {
    let mut file = WholeFile::create(proof).map_err(WriteFault::File)?;
    let mut written = Ok(());
    let proved = prove(&mut |part: &str| {
        written = file.write_all(part.as_bytes());
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written.map_err(|error| WriteFault::File(file.fault(&error)))?;
    let proved = proved.map_err(WriteFault::Proof)?;
    let written = whole::write(formula, text.as_bytes()).and_then(|()| file.finish());
    written.map_err(WriteFault::File)?;
    Ok(proved)
}

fn refuse(message: &str) -> Exit {
    say!("{message}");
    Exit::BadInput
}

/// Says why a puzzle has no proof, although the request was valid.
fn unprovable(message: &str) -> Exit {
    say!("no proof: {message}");
    Exit::Failed
}
