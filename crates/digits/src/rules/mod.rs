//! The rules. Each removes impossible digits, and rejects filled cells that violate it.

mod between;
mod crossing;
mod each_of;
mod house;
mod often;
mod pair;
mod prefix;
mod rank;
mod runs;
mod same;
mod sets;
mod sum;
mod walk;

pub(crate) use between::Between;
pub(crate) use crossing::Crossing;
pub(crate) use each_of::EachOf;
pub(crate) use house::House;
pub(crate) use often::Often;
pub(crate) use pair::Pair;
pub(crate) use prefix::Prefix;
pub(crate) use rank::Rank;
pub(crate) use runs::Runs;
pub(crate) use same::Same;
pub(crate) use sets::{Combinations, Sets};
pub(crate) use sum::Sum;
pub(crate) use walk::Walk;
pub use walk::WalkStep;

use super::Contradiction;
use super::board::CandidateGrid;

#[derive(Debug)]
pub(crate) enum Rule {
    House(House),
    Pair(Pair),
    Same(Same),
    Crossing(Crossing),
    Sets(Sets),
    Sum(Sum),
    Between(Between),
    Prefix(Prefix),
    Often(Often),
    EachOf(EachOf),
    Runs(Runs),
    Rank(Rank),
    Walk(Walk),
}

impl Rule {
    pub(crate) fn filter(&self, board: &mut CandidateGrid<'_>) -> Result<(), Contradiction> {
        match self {
            Self::House(rule) => rule.filter(board),
            Self::Pair(rule) => rule.filter(board),
            Self::Same(rule) => rule.filter(board),
            Self::Crossing(rule) => rule.filter(board),
            Self::Sets(rule) => rule.filter(board),
            Self::Sum(rule) => rule.filter(board),
            Self::Between(rule) => rule.filter(board),
            Self::Prefix(rule) => rule.filter(board),
            Self::Often(rule) => rule.filter(board),
            Self::EachOf(rule) => rule.filter(board),
            Self::Runs(rule) => rule.filter(board),
            Self::Rank(rule) => rule.filter(board),
            Self::Walk(rule) => rule.filter(board),
        }
    }

    pub(crate) fn cells(&self) -> &[u16] {
        match self {
            Self::House(rule) => rule.cells(),
            Self::Pair(rule) => rule.cells(),
            Self::Same(rule) => rule.cells(),
            Self::Crossing(rule) => rule.cells(),
            Self::Sets(rule) => rule.cells(),
            Self::Sum(rule) => rule.cells(),
            Self::Between(rule) => rule.cells(),
            Self::Prefix(rule) => rule.cells(),
            Self::Often(rule) => rule.cells(),
            Self::EachOf(rule) => rule.cells(),
            Self::Runs(rule) => rule.cells(),
            Self::Rank(rule) => rule.cells(),
            Self::Walk(rule) => rule.cells(),
        }
    }

    /// Returns whether the rule need not run again after its own changes: a second run would change
    /// nothing, and the cells that it fills always satisfy it.
    pub(crate) fn is_exact(&self) -> bool {
        match self {
            Self::Pair(_) | Self::Same(_) => true,
            Self::Walk(rule) => rule.is_exact(),
            _ => false,
        }
    }

    /// Returns the relative cost of running the rule; cheap rules run first.
    pub(crate) fn cost(&self) -> usize {
        match self {
            Self::Pair(_) => 0,
            Self::Sets(rule) => rule.count(),
            Self::Sum(rule) => rule.cells().len(),
            Self::House(_) => HOUSE_COST,
            Self::Same(_) | Self::Crossing(_) => 100,
            Self::EachOf(_) => HOUSE_COST + 1,
            Self::Between(_) | Self::Prefix(_) | Self::Often(_) | Self::Runs(_) | Self::Rank(_) => 101,
            Self::Walk(rule) => 102 + rule.size(),
        }
    }

    pub(crate) fn priority(&self, order: usize) -> u32 {
        let count = self.cells().len();
        let priority = match self {
            Self::Same(_) | Self::Crossing(_) | Self::Rank(_) => 0,
            Self::Sum(_) | Self::Sets(_) => (2 * order).saturating_sub(count).max(order),
            Self::Often(_) => count.min(order),
            Self::House(_)
            | Self::Pair(_)
            | Self::Between(_)
            | Self::Prefix(_)
            | Self::EachOf(_)
            | Self::Runs(_)
            | Self::Walk(_) => count,
        };
        priority as u32
    }
}

/// Relative cost of a house. Small sets and sums run before houses, because this finds dead ends
/// sooner.
const HOUSE_COST: usize = 6;
/// Maximum number of cells whose common peers are searched; more cells rarely have one.
const PLACES_MAX: usize = 3;

/// Requires that each of `digits` occurs in `cells`. If only one cell can have a digit, fills this
/// cell. Otherwise removes the digit from all common peers of the cells that can have it.
fn require(board: &mut CandidateGrid<'_>, cells: &[u16], mut digits: u16) -> Result<(), Contradiction> {
    let network = board.network;
    // `had[n]`: the digits that are candidates of at least n + 1 cells. Digits with many cells are
    // skipped.
    let mut had = [0; PLACES_MAX + 1];
    for &cell in cells {
        let mut own = board.digits(cell);
        for had in &mut had {
            (*had, own) = (*had | own, *had & own);
        }
    }
    if digits & !had[0] != 0 {
        return Err(Contradiction);
    }
    digits &= !had[PLACES_MAX];
    while digits != 0 {
        let digit = digits & digits.wrapping_neg();
        digits ^= digit;
        let mut places = [0_u16; PLACES_MAX];
        let mut count = 0;
        for &cell in cells {
            if board.digits(cell) & digit != 0 {
                places[count % PLACES_MAX] = cell;
                count += 1;
            }
        }
        match count {
            0 => return Err(Contradiction),
            1 => board.keep(places[0], digit)?,
            2..=PLACES_MAX => {
                network.peers.each_common(&places[..count], |peer| board.keep(peer, !digit))?;
            }
            _ => {}
        }
    }
    Ok(())
}
