//! Counts by blocks of states (of frontiers and of canonical forms), and by layers that can be
//! resumed. Changed, lost or duplicated data must be detected.

use std::collections::BTreeMap;

use dlx::count::LayeredCount;
use dlx::exchange::BlockPlan;
use dlx::parallel::Cores;
use dlx::{BigUint, Limits, Problem};

use super::{Target, noise};
use crate::bytes::Bytes;
use crate::draw;

pub(super) const TARGET: Target = Target {
    name: "blocks",
    summary: "states in blocks of bytes, some of them changed, lost or doubled",
    run,
    seeds: noise,
    short_runs: 3000,
};

const STATES: u64 = 20_000;

/// Counts a problem by blocks and by layers, and damages a block.
pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let problem = draw::small(&mut bytes);
    let limits = Limits::new().memory(Some(1 << 26));
    let expected = dlx::count(&problem);
    let owners = 1 + bytes.below(3) as u32;
    let plans = [
        BlockPlan::of_frontier(&problem, &[], owners, &limits),
        BlockPlan::of_forms(&problem, &[], owners, "", &limits),
    ];
    for plan in plans.into_iter().flatten() {
        if let Some(Ok(total)) = expand(&plan, &limits, None) {
            assert_eq!(total, expected, "{problem:?}");
        }
        let accident = Accident::draw(&mut bytes);
        if let Some(Ok(total)) = expand(&plan, &limits, Some(&accident)) {
            assert_eq!(total, expected, "{accident:?} was not seen: {problem:?}");
        }
        // Arbitrary bytes must not cause a panic.
        let _ = plan.head(bytes.rest());
        let _ = plan.expand(&[bytes.rest()], &limits);
    }
    layers(&problem, &expected, &mut bytes, &limits);
}

#[derive(Clone, Copy, Debug)]
struct Accident {
    step: usize,
    block: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Flipped {
        place: usize,
        bit: usize,
    },
    Cut(usize),
    Lost,
    Doubled,
    /// Another block replaces the block.
    Exchanged,
}

impl Accident {
    fn draw(bytes: &mut Bytes<'_>) -> Self {
        let kind = match bytes.below(6) {
            0 | 1 => Kind::Flipped { place: bytes.below(1 << 16), bit: bytes.below(8) },
            2 => Kind::Cut(bytes.below(1 << 16)),
            3 => Kind::Lost,
            4 => Kind::Doubled,
            _ => Kind::Exchanged,
        };
        Self { step: bytes.below(16), block: bytes.below(8), kind }
    }

    fn happen(&self, blocks: &mut Vec<Vec<u8>>, last: &[u8]) {
        let place = self.block % blocks.len();
        let block = &mut blocks[place];
        match self.kind {
            Kind::Flipped { place, bit } => {
                let place = place % block.len();
                block[place] ^= 1 << bit;
            }
            Kind::Cut(len) => block.truncate(len % block.len()),
            Kind::Lost => drop(blocks.swap_remove(place)),
            Kind::Doubled => blocks.push(blocks[place].clone()),
            Kind::Exchanged => *block = last.to_vec(),
        }
    }
}

/// Runs all steps of a count; returns `None` if there are too many states.
fn expand(
    plan: &BlockPlan,
    limits: &Limits,
    accident: Option<&Accident>,
) -> Option<Result<BigUint, String>> {
    let mut ledger = plan.ledger();
    let mut waiting: BTreeMap<(u32, u32), Vec<Vec<u8>>> = BTreeMap::new();
    let mut last = plan.first().first().cloned().unwrap_or_default();
    let (mut states, mut taken) = (0, 0);
    for block in plan.first() {
        let head = plan.head(&block).expect("it is of this plan");
        waiting.entry((head.step, head.owner)).or_default().push(block);
    }
    let mut go = || -> Result<Option<BigUint>, String> {
        while let Some(entry) = waiting.first_entry().filter(|entry| entry.key().0 < plan.steps()) {
            let ((step, _), mut blocks) = entry.remove_entry();
            if let Some(accident) = accident.filter(|accident| accident.step == taken) {
                accident.happen(&mut blocks, &last);
            }
            taken += 1;
            last.clone_from(blocks.first().unwrap_or(&Vec::new()));
            if !blocks.is_empty() {
                let sent = plan.expand(&blocks, limits).map_err(|error| error.to_string())?;
                let heads = |blocks: &[Vec<u8>]| -> Result<Vec<_>, String> {
                    blocks
                        .iter()
                        .map(|block| plan.head(block).map_err(|error| error.to_string()))
                        .collect()
                };
                let (read, made) = (heads(&blocks)?, heads(&sent)?);
                states += read.iter().map(|head| head.states).sum::<u64>();
                ledger.expanded(&read, &made).map_err(|error| error.to_string())?;
                for (head, block) in made.iter().zip(sent) {
                    waiting.entry((head.step, head.owner)).or_default().push(block);
                }
            }
            if states > STATES {
                return Ok(None);
            }
            if waiting.first_key_value().is_none_or(|((next, _), _)| *next > step) {
                ledger.close(step).map_err(|error| error.to_string())?;
            }
        }
        let ends: Vec<_> = waiting.values().flatten().collect();
        ledger.total(&ends).map(Some).map_err(|error| error.to_string())
    };
    go().transpose()
}

/// Counts by layers, where each layer may be loaded by another process, and also tries to load
/// invalid data.
fn layers(problem: &Problem, expected: &BigUint, bytes: &mut Bytes<'_>, limits: &Limits) {
    let cores = Cores::new(0);
    let begin = || LayeredCount::new(problem, &[], &cores, limits).ok().flatten();
    let Some(mut count) = begin() else { return };
    let work = 1 + bytes.below(1 << 16) as u64;
    for _ in 0..1000 {
        match count.go_on(limits, work) {
            Ok(Some(total)) => return assert_eq!(total, *expected, "{problem:?}"),
            Ok(None) => {}
            Err(_) => return,
        }
        if let Some(head) = count.head() {
            let mut blocks = count.blocks();
            count = begin().expect("it was one before");
            assert!(
                count.resume(&head, [Ok(bytes.rest().to_vec())]).is_err() || head.problems == 0,
                "that is no block of it"
            );
            if let Some(block) = blocks.first_mut().filter(|_| bytes.once_in(8)) {
                let place = bytes.below(block.len());
                block[place] ^= 1;
                assert!(count.resume(&head, blocks.into_iter().map(Ok)).is_err());
                return;
            }
            count.resume(&head, blocks.into_iter().map(Ok)).expect("it was kept");
        }
    }
}
