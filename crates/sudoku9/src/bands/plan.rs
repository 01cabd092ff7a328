//! Choice of the first band and of the orientation of the grid. There are six plans, all with the
//! same count.

use std::sync::Arc;

use limits::{Cores, Limit, Limits};

use super::alike::{BandExchanges, links, orders};
use super::band::Band;
use super::first::First;
use super::join::Join;
use super::layout::{BandLayout, Candidates, without_pencil_marks};
use super::stack::{CompatibleSplits, triples};
use crate::model::board::Board;

/// A plan for counting a grid, and its estimated cost.
///
/// ```
/// use sudoku9::bands::Plan;
/// use sudoku9::{Board, Cores, Limits};
///
/// let line = b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// let plan = Plan::new(&Board::from_digits(line));
/// assert!(plan.steps() < 100_000_000);
/// assert_eq!(plan.count(&Limits::new(), &Cores::new(0)), Ok(1));
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    candidates: Candidates,
    layout: BandLayout,
    steps: f64,
}

/// Estimated cost of a state of the first band, in multiplications of two filling counts.
const STATE_STEPS: f64 = 20.0;

impl Plan {
    /// Returns the plan with the lowest estimated cost.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let plans = Self::all(board).into_iter();
        plans.min_by(|a, b| a.steps.total_cmp(&b.steps)).expect("there are six")
    }

    /// Returns all six plans, to compare them.
    #[must_use]
    pub fn all(board: &Board) -> Vec<Self> {
        let candidates = without_pencil_marks(&std::array::from_fn(|cell| board.candidates(cell)));
        let mut plans = Vec::with_capacity(6);
        for transposed in [false, true] {
            let plain = BandLayout::plain(transposed);
            let bands = plain.apply(&candidates);
            let (triples, splits): (Vec<_>, Vec<_>) = (0..3).map(|nth| triples(&bands, nth)).unzip();
            let products: f64 = triples.iter().map(|&count| count as f64).product();
            let mut layout = plain;
            // The tables are smallest if the stack with the most clues is first.
            layout.stacks.sort_by_key(|&nth| triples[nth]);
            for first in 0..3 {
                let [second, third] = [(first + 1) % 3, (first + 2) % 3];
                layout.bands = [first, second, third];
                layout.digits = plain.digits;
                layout
                    .digits
                    .sort_by_key(|&digit| [second, third, first].map(|band| bands[band][digit]));
                let states: f64 = splits.iter().map(|splits| splits[first] as f64).product();
                let [first, second, third] =
                    layout.bands.map(|band| layout.digits.map(|digit| bands[band][digit]));
                let (same, gathered) = gathered(&first, &second, &third);
                let steps = products / gathered + STATE_STEPS * states / same;
                plans.push(Self { candidates, layout, steps });
            }
        }
        plans
    }

    /// Returns the estimated work in steps of about 1 ns on one core. The estimate is often too
    /// high by a factor of two, and by more for very open grids.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps as u64
    }

    /// Counts the solutions on the caller's core and the idle cores of `cores`. Of `limits`, only
    /// the deadline and the cancel flags apply.
    ///
    /// # Errors
    /// The limit that ended the count.
    pub fn count(&self, limits: &Limits, cores: &Arc<Cores>) -> Result<u128, Limit> {
        let allowed = self.layout.apply(&self.candidates);
        let bands = allowed.each_ref().map(Band::new);
        let [first, second, third] = &bands;
        let couples = [0, 1, 2].map(|nth| CompatibleSplits::new(second, third, nth));
        let alike = BandExchanges::new(&allowed[1], &allowed[2]);
        let keys: [_; 9] = std::array::from_fn(|digit| allowed.map(|band| band[digit]));
        let first = First::new(first, &couples, &alike, links(&keys));
        let join = Join { second, third, couples: &couples };
        let mut sum = 0;
        loop {
            let states = first.round(limits, cores)?;
            if states.is_empty() {
                return Ok(sum);
            }
            sum += join.sum(&states, limits, cores)?;
        }
    }
}

/// Returns the number of permutations of digits that preserve all bands, and the estimated number
/// of states of the first band that permutations of digits merge into one class.
fn gathered(first: &[u32; 9], second: &[u32; 9], third: &[u32; 9]) -> (f64, f64) {
    let keys: [_; 9] = std::array::from_fn(|digit| (second[digit], third[digit]));
    let all_keys: [_; 9] = std::array::from_fn(|digit| (keys[digit], first[digit]));
    let same = orders(links(&all_keys)) as f64;
    // If a digit that can be renamed has a clue in the first band, only one state in three is
    // compatible with it.
    let is_free = |digit: &usize| keys.iter().filter(|&key| *key == keys[*digit]).count() > 1;
    let is_clue = |digit: usize, nth: usize| (first[digit] >> (9 * nth) & 0o777).count_ones() == 1;
    let clues = |digit: usize| (0..3).filter(|&nth| is_clue(digit, nth)).count() as i32;
    let fixed = (0..9).filter(is_free).map(clues).sum();
    (same, (orders(links(&keys)) as f64 / 3f64.powi(fixed)).max(same))
}
