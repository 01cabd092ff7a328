//! Counts by exchanged blocks, of a frontier or of canonical forms, are right in any order of
//! transport, and invalid blocks are refused.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use dlx::count::{Counter, METHODS};
use dlx::exchange::{BlockHead, BlockPlan, BlockRun, ExchangeError, Survey, survey};
use dlx::parallel::Cores;
use dlx::{BigUint, Limit, Limits, OptionId, Problem};
use fastrand::Rng;

use crate::random;
use crate::squares::{latin, queens};

fn plan(problem: &Problem, given: &[OptionId], owners: u32) -> BlockPlan {
    BlockPlan::of_frontier(problem, given, owners, &Limits::new()).expect("no limits are set")
}

type Held = BTreeMap<(u32, u32), Vec<Vec<u8>>>;

fn hold(plan: &BlockPlan, held: &mut Held, block: Vec<u8>) -> BlockHead {
    let head = plan.head(&block).expect("it was made just now");
    held.entry((head.step, head.owner)).or_default().push(block);
    head
}

/// Counts by blocks. Each expansion may use `bytes` bytes, the blocks arrive in random order, and
/// some are merged before expansion. `change` may modify the blocks of a step and owner.
fn carried(
    plan: &BlockPlan,
    bytes: Option<usize>,
    rng: &mut Rng,
    change: &mut dyn FnMut(&mut Rng, &mut Vec<Vec<u8>>),
) -> Result<BigUint, ExchangeError> {
    let limits = Limits::new().memory(bytes);
    let (mut held, mut ledger) = (Held::new(), plan.ledger());
    for block in plan.first() {
        hold(plan, &mut held, block);
    }
    while let Some((&(step, owner), _)) = held.range(..(plan.steps(), 0)).next() {
        let mut blocks = held.remove(&(step, owner)).expect("it was found");
        rng.shuffle(&mut blocks);
        // Blocks of canonical forms may have keys of different lengths, which cannot be merged.
        if blocks.len() > 2
            && rng.bool()
            && let Ok(merged) = plan.merge(&blocks[..2], &limits)
        {
            blocks.splice(..2, [merged]);
        }
        change(rng, &mut blocks);
        let groups = if rng.bool() { blocks.chunks(1) } else { blocks.chunks(blocks.len().max(1)) };
        for blocks in groups {
            let read = blocks.iter().map(|block| plan.head(block)).collect::<Result<Vec<_>, _>>()?;
            let sent = plan.expand(blocks, &limits)?;
            let sent: Vec<_> = sent.into_iter().map(|block| hold(plan, &mut held, block)).collect();
            ledger.expanded(&read, &sent)?;
        }
        if held.range((step, 0)..(step + 1, 0)).next().is_none() {
            ledger.close(step)?;
        }
    }
    let mut ends: Vec<_> = held.into_values().flatten().collect();
    change(rng, &mut ends);
    ledger.total(&ends)
}

fn none(_: &mut Rng, _: &mut Vec<Vec<u8>>) {}

#[test]
fn counts_by_blocks_agree_with_the_oracle_in_any_order_of_the_blocks() {
    let mut rng = Rng::with_seed(15);
    let frontier = METHODS.iter().find(|method| method.name == "frontier").expect("it is there");
    let rounds = if cfg!(feature = "slow-tests") { 4000 } else { 400 };
    for round in 0..rounds {
        let (problem, given, expected) = random::drawn(round, &mut rng);
        let counter = Counter::new(problem.clone()).by(frontier).count(&given, &Limits::new()).total();
        assert_eq!(counter, expected);
        for owners in [1, 2, 16] {
            let plan = plan(&problem, &given, owners);
            for bytes in [None, Some(0), Some(rng.usize(..100_000))] {
                let found = carried(&plan, bytes, &mut rng, &mut none);
                let text = dlx::text::write(&problem);
                assert_eq!(found, Ok(expected.clone()), "{owners} {bytes:?}\n{text}{given:?}");
            }
        }
    }
}

fn forms(
    problem: &Problem,
    given: &[OptionId],
    owners: u32,
    sizes: &str,
) -> Result<BlockPlan, ExchangeError> {
    BlockPlan::of_forms(problem, given, owners, sizes, &Limits::new())
}

#[test]
fn counts_by_canonical_forms_agree_with_the_oracle() {
    let mut rng = Rng::with_seed(16);
    let rounds = if cfg!(feature = "slow-tests") { 4000 } else { 400 };
    let (mut suited, mut many) = (0, 0);
    for round in 0..rounds {
        let (problem, given, expected) = random::drawn(round, &mut rng);
        let sizes = |rng: &mut Rng| (0..100).map(|_| ['0', '1'][rng.usize(..2)]).collect::<String>();
        let random = [sizes(&mut rng), sizes(&mut rng), sizes(&mut rng)].join(",");
        for (owners, sizes) in [(1, ""), (3, &random), (16, ""), (2, &random)] {
            let plan = match forms(&problem, &given, owners, sizes) {
                Ok(plan) => plan,
                Err(error) => {
                    assert_eq!(error, ExchangeError::Unsuited);
                    continue;
                }
            };
            suited += 1;
            many += u32::from(expected > BigUint::from(1_u32));
            for bytes in [None, Some(0), Some(rng.usize(..10_000))] {
                let found = carried(&plan, bytes, &mut rng, &mut none);
                let text = dlx::text::write(&problem);
                assert_eq!(found, Ok(expected.clone()), "{owners} {sizes} {bytes:?}\n{text}{given:?}");
            }
        }
    }
    assert!(suited > rounds && many > 100, "{suited}, {many} with more than one cover");
}

#[test]
fn latin_squares_are_counted_by_canonical_forms_each_expanded_once() {
    let mut rng = Rng::with_seed(5);
    for (order, expected) in [(3, 12_u32), (4, 576), (5, 161_280)] {
        for (owners, bytes) in [(1, None), (3, Some(0)), (16, Some(100_000)), (5, None)] {
            let plan = forms(&latin(order), &[], owners, "").expect("all items are alike");
            assert_eq!(carried(&plan, bytes, &mut rng, &mut none), Ok(expected.into()));
        }
    }
    // The number of expanded subproblems does not depend on the number of owners, and a repeated
    // expansion returns the same blocks.
    let mut problems = |owners: u32| {
        let plan = forms(&latin(4), &[], owners, "").expect("all items are alike");
        let (mut held, mut problems) = (Held::new(), 0);
        for block in plan.first() {
            hold(&plan, &mut held, block);
        }
        while let Some((&(step, owner), _)) = held.range(..(plan.steps(), 0)).next() {
            let mut blocks = held.remove(&(step, owner)).expect("it was found");
            if step % 2 == 0 {
                let merged = plan.merge(&blocks, &Limits::new()).expect("sets are equally long");
                problems += plan.head(&merged).expect("it is in order").states;
            }
            let expanded = plan.expand(&blocks, &Limits::new()).expect("no limits are set");
            rng.shuffle(&mut blocks);
            assert_eq!(plan.expand(&blocks, &Limits::new()).as_ref(), Ok(&expanded));
            expanded.into_iter().for_each(|block| _ = hold(&plan, &mut held, block));
        }
        problems
    };
    let alone = problems(1);
    assert!((10..1000).contains(&alone), "{alone}");
    assert_eq!([problems(2), problems(7), problems(40)], [alone; 3]);
}

#[test]
fn a_survey_counts_short_problems_and_recommends_canonical_forms_for_latin_squares() {
    let (cores, limits) = (Cores::new(0), Limits::new());
    let ask = |problem: Problem, time: Option<u64>| {
        let time = time.map(Duration::from_millis);
        survey(&Arc::new(problem), &[], &cores, time, &limits).expect("no limits are set")
    };
    assert_eq!(ask(latin(4), None), Survey::Counted(576_u32.into(), 0));
    assert!(matches!(ask(queens(6), Some(60_000)), Survey::Counted(count, _) if count == 4_u32.into()));
    // Latin squares of order 9 cannot be counted within the time limit.
    let Survey::Forms(sizes) = ask(latin(9), Some(1)) else { panic!("their items are alike") };
    assert!(forms(&latin(9), &[], 2, &sizes).is_ok(), "{sizes}");
    // Problems with bounds have no canonical forms.
    let bounded = "1:2|a 1:2|b 1:2|c\na b\nb c\na c\na\nb\nc\n".parse().expect("in order");
    assert_eq!(ask(bounded, None), Survey::Other);
    let ended = survey(&Arc::new(latin(9)), &[], &cores, None, &limits.clone().within(Duration::ZERO));
    assert_eq!(ended, Err(Limit::Time));
}

#[test]
fn counts_by_canonical_forms_may_exceed_64_bits() {
    let mut text: String = (0..12).map(|point| format!("p{point} ")).collect();
    for (a, b) in (0..144).map(|at| (at / 12, at % 12)).filter(|(a, b)| a < b) {
        text += &format!("\np{a} p{b}").repeat(20);
    }
    let problem: Problem = text.parse().expect("it is in order");
    let expected = BigUint::from(10_395_u32) * BigUint::from(20_u32).pow(6);
    let mut rng = Rng::with_seed(8);
    let plan = forms(&problem, &[], 3, "").expect("all items are alike");
    assert_eq!(carried(&plan, None, &mut rng, &mut none), Ok(expected));
    let message = forms(&problem, &[], 3, "0110").unwrap_err().to_string();
    assert_eq!(message, "expected sizes as at least 13 digits 0 or 1, found `0110`");
}

#[test]
fn queens_problems_are_counted_in_many_small_blocks() {
    let mut rng = Rng::with_seed(1);
    for (order, expected) in [(6, 4_u32), (8, 92), (10, 724)] {
        for (owners, bytes) in [(1, None), (3, Some(0)), (16, Some(100_000)), (5, None)] {
            if order == 10 && bytes == Some(0) {
                continue;
            }
            let plan = plan(&queens(order), &[], owners);
            assert_eq!(carried(&plan, bytes, &mut rng, &mut none), Ok(expected.into()));
        }
    }
}

#[test]
fn counts_by_blocks_may_exceed_64_bits_and_plans_are_deterministic() {
    // Each of 100 items is covered in ten ways, which gives 10^100 covers.
    let mut text: String = (0..100).map(|item| format!("i{item} ")).collect();
    text += "\n";
    for item in 0..99 {
        text += &format!("i{item}\ni{item} i{}\n", item + 1);
        text += &format!("i{item}\n").repeat(9);
    }
    text += &"i99\n".repeat(10);
    let problem: Problem = text.parse().expect("it is in order");
    let expected = Counter::new(problem.clone()).count(&[], &Limits::new()).total();
    assert!(expected.bits() > 300, "{expected}");
    let plan = plan(&problem, &[], 2);
    let mut rng = Rng::with_seed(3);
    for bytes in [None, Some(0), Some(5000)] {
        assert_eq!(carried(&plan, bytes, &mut rng, &mut none), Ok(expected.clone()));
    }

    let plan = self::plan(&queens(7), &[], 3);
    let limits = Limits::new();
    let mut held = Held::new();
    for block in plan.first() {
        hold(&plan, &mut held, block);
    }
    for step in 0..plan.steps() {
        for owner in 0..3 {
            let Some(mut blocks) = held.remove(&(step, owner)) else { continue };
            let merged = plan.merge(&blocks, &limits).unwrap();
            let expanded = plan.expand(&blocks, &limits).unwrap();
            rng.shuffle(&mut blocks);
            assert_eq!(plan.merge(&blocks, &limits).unwrap(), merged);
            assert_eq!(plan.merge(&[&merged], &limits).unwrap(), merged);
            assert_eq!(plan.expand(&blocks, &limits).unwrap(), expanded);
            assert_eq!(plan.expand(&[merged], &limits).unwrap(), expanded);
            expanded.into_iter().for_each(|block| _ = hold(&plan, &mut held, block));
        }
    }
    // The same plan, built again, has the same digest and blocks.
    let again = self::plan(&queens(7), &[], 3);
    assert_eq!((again.digest(), again.first()), (plan.digest(), plan.first()));
}

#[test]
fn missing_duplicate_and_swapped_blocks_are_detected() {
    check_that_accidents_are_detected(&plan(&queens(6), &[], 3), 4);
    check_that_accidents_are_detected(&forms(&latin(4), &[], 3, "").expect("all items are alike"), 576);
}

/// Loses, duplicates or exchanges one block of the count, at each of the first steps and owners.
fn check_that_accidents_are_detected(plan: &BlockPlan, expected: u32) {
    let mut rng = Rng::with_seed(7);
    let mut changes = 0;
    // `place` is the index of the step and owner whose blocks are changed.
    for place in 0..40 {
        for kind in 0..3 {
            let mut turn = 0;
            let mut is_changed = false;
            let mut change = |rng: &mut Rng, blocks: &mut Vec<Vec<u8>>| {
                turn += 1;
                if turn != place + 1 {
                    return;
                }
                is_changed = true;
                let at = rng.usize(..blocks.len());
                match kind {
                    0 => _ = blocks.remove(at),
                    1 => blocks.push(blocks[at].clone()),
                    // An exchange changes the count only if the blocks differ.
                    _ => {
                        let other = blocks[(at + 1) % blocks.len()].clone();
                        is_changed = std::mem::replace(&mut blocks[at], other.clone()) != other;
                    }
                }
            };
            let found = carried(plan, None, &mut rng, &mut change);
            if !is_changed {
                assert_eq!(found, Ok(expected.into()));
                continue;
            }
            changes += 1;
            match found {
                Err(ExchangeError::Block(message)) => {
                    assert!(message.contains("one is missing, doubled or exchanged"), "{message}");
                }
                other => panic!("{place} {kind}: {other:?}"),
            }
        }
    }
    assert!(changes > 30, "{changes}");
}

fn block() -> (BlockPlan, Vec<u8>) {
    block_of(plan(&queens(8), &[], 2), 20, false)
}

fn block_of_forms() -> (BlockPlan, Vec<u8>) {
    block_of(forms(&latin(5), &[], 1, "").expect("all items are alike"), 1, true)
}

fn block_of(plan: BlockPlan, states: u64, is_forms: bool) -> (BlockPlan, Vec<u8>) {
    let mut held = Held::new();
    for block in plan.first() {
        hold(&plan, &mut held, block);
    }
    loop {
        let (_, blocks) = held.pop_first().expect("some block is large");
        let is_large = |block: &&Vec<u8>| {
            let head = plan.head(block).expect("it is in order");
            head.states > states && (head.step % 2 == 1 || !is_forms)
        };
        if let Some(block) = blocks.iter().find(is_large) {
            return (plan, block.clone());
        }
        for block in plan.expand(&blocks, &Limits::new()).expect("it is in order") {
            hold(&plan, &mut held, block);
        }
    }
}

fn is_refused_with_any_change(plan: &BlockPlan, block: &[u8]) {
    let refused = |block: &[u8]| match plan.expand(&[block], &Limits::new()) {
        Err(ExchangeError::Block(message)) => message,
        other => panic!("{other:?}"),
    };
    for place in 0..block.len() {
        for bit in [0, 3, 7] {
            let mut changed = block.to_vec();
            changed[place] ^= 1 << bit;
            let message = refused(&changed);
            assert!(message.starts_with("expected ") && message.contains("found "), "{message}");
        }
        refused(&block[..place]);
    }
    refused(&[block, &[0]].concat());
    refused(&[]);
}

#[test]
fn a_block_changed_at_any_byte_is_refused() {
    let (plan, block) = block();
    is_refused_with_any_change(&plan, &block);
    let (forms, of_forms) = block_of_forms();
    is_refused_with_any_change(&forms, &of_forms);
    let refused = |block: &[u8]| match plan.expand(&[block], &Limits::new()) {
        Err(ExchangeError::Block(message)) => message,
        other => panic!("{other:?}"),
    };
    let other = self::plan(&queens(8), &[], 3);
    let message = other.expand(&[&block], &Limits::new()).unwrap_err().to_string();
    assert!(message.starts_with("expected a block of the plan "), "{message}");
    let message = refused(
        b"not a block, but a text that is long enough to be the head of one, and even somewhat longer",
    );
    assert_eq!(message, "expected a block, which begins with `farblock`, found `not a bl`");
    let ends = plan.ledger().total(&[block]).unwrap_err().to_string();
    assert!(ends.contains("one is missing, doubled or exchanged"), "{ends}");
}

#[test]
fn a_changed_block_is_refused_before_the_next_is_read() {
    let (plan, block) = block();
    let mut changed = block.clone();
    *changed.last_mut().expect("it has states") ^= 1;
    for wrong in 0..3 {
        let read = &Cell::new(0);
        let list = |place: usize| -> BlockRun<'_> {
            let bytes = if place == wrong { &changed } else { &block };
            Box::new(std::iter::once_with(move || {
                read.set(place + 1);
                Ok(bytes.as_slice().into())
            }))
        };
        let lists = (0..3).map(list).collect();
        let refused = plan.expand_runs(lists, 1 << 16, &Limits::new(), &mut |_| Ok(()));
        assert!(matches!(refused, Err(ExchangeError::Block(_))), "{refused:?}");
        assert_eq!(read.get(), wrong + 1, "who reads knows that it was the last one");
    }
}

#[test]
fn random_blocks_with_a_valid_head_never_cause_a_panic() {
    let (plan, block) = block();
    let mut rng = Rng::with_seed(9);
    let (mut refused, rounds) = (0, if cfg!(feature = "slow-tests") { 100_000 } else { 5000 });
    for _ in 0..rounds {
        let mut head = BlockHead::read(&block).unwrap();
        let mut states = block[BlockHead::BYTES..].to_vec();
        for _ in 0..rng.usize(..4) {
            match rng.u8(..6) {
                0 => head.states = rng.u64(..) >> rng.u32(..64),
                1 => head.number_bytes = rng.u32(..) >> rng.u32(..32),
                2 => head.key_bytes = rng.u32(..) >> rng.u32(..32),
                3 => (head.step, head.owner) = (rng.u32(..12), rng.u32(..3)),
                4 => states.truncate(rng.usize(..states.len() + 1)),
                _ => {}
            }
        }
        for _ in 0..rng.usize(..20) {
            if !states.is_empty() {
                let place = rng.usize(..states.len());
                states[place] = rng.u8(..);
            }
        }
        // Forge a block whose fingerprint matches the states, if the states are valid.
        let forged = forge(&head, &states);
        refused += usize::from(plan.expand(&[&forged], &Limits::new()).is_err());
        let _ = plan.merge(&[&forged, &block], &Limits::new());
        let _ = plan.ledger().total(&[forged]);
    }
    assert!(refused > rounds / 4, "{refused}");
    assert!(refused < rounds, "some are in order");
}

/// Builds a block from a head and states, with the expected fingerprint, which the error message
/// contains.
fn forge(head: &BlockHead, states: &[u8]) -> Vec<u8> {
    let block = |head: &BlockHead| [&head.to_bytes()[..], states].concat();
    let mut head = *head;
    let limits = Limits::new();
    let plan = plan(&queens(8), &[], 2);
    if let Err(ExchangeError::Block(message)) = plan.merge(&[block(&head)], &limits)
        && let Some((_, print)) = message.split_once("fingerprint ")
        && let Some(print) = print.split('`').nth(1)
    {
        head.fingerprint = u64::from_str_radix(print, 16).expect("a fingerprint");
    }
    block(&head)
}

#[test]
fn the_ledger_refuses_inconsistent_reports() {
    let (plan, other) = (plan(&queens(6), &[], 2), plan(&queens(5), &[], 2));
    let first = plan.head(&plan.first()[0]).unwrap();
    let foreign = other.head(&other.first()[0]).unwrap();
    let mut ledger = plan.ledger();
    let message = |result: Result<(), ExchangeError>| result.unwrap_err().to_string();
    assert_eq!(
        message(ledger.expanded(&[], &[])),
        "expected the blocks that were expanded, found none"
    );
    assert!(message(ledger.expanded(&[first], &[first])).contains("expected blocks of steps after"));
    assert!(message(ledger.expanded(&[foreign], &[])).contains("another"));
    assert!(message(ledger.close(first.step)).contains("missing"));
    assert_eq!(ledger.expanded(&[first], &[]), Ok(()));
    assert_eq!(ledger.close(first.step), Ok(()));
    // The total is 0, as if the step had sent no blocks.
    assert_eq!(ledger.total(&[] as &[Vec<u8>]), Ok(BigUint::ZERO));
}

#[test]
fn a_time_limit_ends_plans_expansions_and_merges() {
    let none_left = Limits::new().within(std::time::Duration::ZERO);
    let ended = BlockPlan::of_frontier(&queens(8), &[], 2, &none_left).map(|_| ());
    assert_eq!(ended, Err(ExchangeError::Limit(Limit::Time)));
    let (plan, block) = block();
    assert_eq!(plan.expand(&[&block], &none_left), Err(ExchangeError::Limit(Limit::Time)));
    assert_eq!(plan.merge(&[&block], &none_left), Err(ExchangeError::Limit(Limit::Time)));
}
