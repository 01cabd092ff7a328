//! Proofs of counts. The checker must accept written proofs, and a changed proof must never prove
//! another count.

use dlx::Limits;
use dlx::proofs::trace;
use dlx::trust::check;

use super::{Target, noise};
use crate::bytes::Bytes;
use crate::mutate::Mutator;
use crate::{draw, oracle};

pub(super) const TARGET: Target = Target {
    name: "proof",
    summary: "traces of counts, whole and changed",
    run,
    seeds: noise,
    short_runs: 4_000,
};

/// Draws a problem, writes the proof of its count, changes the proof, and checks it.
pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let problem = draw::small(&mut bytes);
    let given = draw::options(&mut bytes, &problem);
    let Some(covers) = oracle::covers(&problem, &given, &[], 60_000) else { return };
    let mut text = String::new();
    let count = trace::write(&problem, &given, &Limits::default(), 1 << 24, &mut |line| text += line);
    assert_eq!(count, Ok(covers.len().into()));
    assert_eq!(check::check(&problem, &given, &text).ok(), Some(covers.len().into()));
    let mut mutator = Mutator::new(bytes.number());
    for _ in 0..4 {
        let changed = mutator.mutate(text.as_bytes(), &[b" ", b"\n", b"0", b"1", b"2"]);
        let Ok(changed) = String::from_utf8(changed) else { continue };
        if let Ok(number) = check::check(&problem, &given, &changed) {
            assert_eq!(number, covers.len().into(), "a wrong number is proven:\n{changed}");
        }
    }
}
