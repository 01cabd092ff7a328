//! Combinations modulo a power of a prime, with few coefficients other than 0 at a time.
//!
//! As modulo 2 (`parity.rs`), each item has a row with its coefficients in the combinations of a generating set. Modulo
//! the power q of a prime p a combination that does not vanish on an option has a multiple that does, which may be other
//! than 0: of all that do not vanish, the one whose sum is divisible by p least often is subtracted from the others,
//! and then multiplied by as much as makes its own sum 0. What the set generates stays all combinations that vanish.
//!
//! A high power says more than the prime: whatever cannot be solved in rational numbers cannot be solved modulo q,
//! unless q divides what a cover has; and divisibility by 4, 8 or 9 is in it, too.
//!
//! Of several that could go, the one with the fewest items goes, and a combination that is in view stays. So on boards it
//! grows from one square on, and the others at hand are those of its border.
//!
//! Source: J. A. Howell, Spans in the module (Z_m)^s (1986); the choice is that of H. M. Markowitz (1957).

use super::Combinations;
use super::system::System;

/// A combination, and the coefficient of a row in it, which is not 0.
type Term = (u32, u32);

/// The work of a combination that goes, and of each term that is touched for it.
const ROW: u64 = 200;
const TERM: u64 = 6;

#[derive(Debug)]
pub(super) struct Residues<const PRIME: u64, const MODULUS: u64> {
    /// The terms of each item by combination, ascending, and those of what a cover has.
    rows: Vec<Vec<Term>>,
    /// For each combination the rows that have it, and some that had it before.
    holders: Vec<Vec<u32>>,
    /// The combination in view, and the coefficient of each row in it.
    view: u32,
    coefficients: Vec<u32>,
    /// How many terms there are.
    size: usize,
    /// The terms of a sum, before they are put together, and after a row was changed.
    sum: Vec<Term>,
    spare: Vec<Term>,
}

impl<const PRIME: u64, const MODULUS: u64> Residues<PRIME, MODULUS> {
    pub(super) fn new(system: &System) -> Self {
        const { assert!(MODULUS <= 1 << 32, "a product and a sum fit into 64 bits") };
        let count = system.row_count() as u32;
        let mut rows: Vec<Vec<Term>> = (0..count).map(|row| vec![(row, 1)]).collect();
        let needs = (0..count).zip(&system.needs).map(|(row, &need)| (row, Self::residue(need.into())));
        rows.push(needs.filter(|&(_, need)| need != 0).collect());
        let mut holders: Vec<_> = (0..count).map(|row| vec![row]).collect();
        rows[count as usize].iter().for_each(|&(row, _)| holders[row as usize].push(count));
        let mut coefficients = vec![0; rows.len()];
        if count > 0 {
            (coefficients[0], coefficients[count as usize]) =
                (1, Self::residue(system.needs[0].into()));
        }
        let size = rows.iter().map(Vec::len).sum();
        Self { rows, holders, view: 0, coefficients, size, sum: Vec::new(), spare: Vec::new() }
    }

    fn residue(number: u64) -> u32 {
        (number % MODULUS) as u32
    }

    fn product(a: u32, b: u32) -> u32 {
        Self::residue(u64::from(a) * u64::from(b))
    }

    /// Returns the power of the prime in a residue other than 0.
    fn power(residue: u32) -> u64 {
        let mut power = 1;
        while u64::from(residue) % (power * PRIME) == 0 {
            power *= PRIME;
        }
        power
    }

    /// Returns the inverse of a residue without the prime.
    fn inverse(residue: u32) -> u32 {
        let (mut power, mut square, mut exponent) = (1, residue, MODULUS / PRIME * (PRIME - 1) - 1);
        while exponent > 0 {
            if exponent % 2 == 1 {
                power = Self::product(power, square);
            }
            square = Self::product(square, square);
            exponent /= 2;
        }
        power
    }

    /// Returns the coefficient of a row in a combination.
    fn term(row: &[Term], combination: u32) -> u32 {
        row.binary_search_by_key(&combination, |&(place, _)| place).map_or(0, |place| row[place].1)
    }

    /// Puts the terms of a column's rows together.
    fn sum_up(&mut self, column: &[u32]) {
        let sum = &mut self.sum;
        sum.clear();
        column.iter().for_each(|&row| sum.extend(&self.rows[row as usize]));
        sum.sort_unstable_by_key(|&(place, _)| place);
        sum.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 = Self::residue(u64::from(kept.1) + u64::from(next.1));
            }
            is_same
        });
        sum.retain(|&(_, value)| value != 0);
    }

    /// Adds `factor` times the sum to a row, but for the place of the pivot, which gets `pivot`.
    fn add(&mut self, row: usize, factor: u32, pivot: Term) -> u64 {
        let mut new = std::mem::take(&mut self.spare);
        new.clear();
        let old = std::mem::take(&mut self.rows[row]);
        let (mut left, mut right) = (old.iter().peekable(), self.sum.iter().peekable());
        let scaled = |value| Self::product(value, factor);
        loop {
            let (place, value) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(&&term), None) => {
                    left.next();
                    term
                }
                (Some(&&term), Some(&&(place, _))) if term.0 < place => {
                    left.next();
                    term
                }
                (Some(&&(place, value)), Some(&&(other, more))) if place == other => {
                    left.next();
                    right.next();
                    (place, Self::residue(u64::from(value) + u64::from(more) * u64::from(factor)))
                }
                (_, Some(&&(place, value))) => {
                    right.next();
                    self.holders[place as usize].push(row as u32);
                    (place, scaled(value))
                }
            };
            let value = if place == pivot.0 { pivot.1 } else { value };
            if value != 0 {
                new.push((place, value));
            }
        }
        self.size = self.size + new.len() - old.len();
        self.coefficients[row] = Self::term(&new, self.view);
        let work = old.len() + self.sum.len() + new.len();
        self.rows[row] = new;
        self.spare = old;
        work as u64
    }
}

impl<const PRIME: u64, const MODULUS: u64> Combinations for Residues<PRIME, MODULUS> {
    fn modulus(&self) -> (u64, u64) {
        (PRIME, MODULUS)
    }

    fn look(&mut self) -> bool {
        let Some((&cover, _)) = self.coefficients.split_last() else { return false };
        if cover == 0 {
            let Some(&(next, _)) = self.rows.last().and_then(|terms| terms.first()) else {
                return false;
            };
            self.view = next;
            let terms = self.rows.iter().map(|row| Self::term(row, next));
            self.coefficients = terms.collect();
        }
        true
    }

    fn coefficient(&self, row: usize) -> u64 {
        self.coefficients[row].into()
    }

    fn eliminate(&mut self, column: &[u32]) -> u64 {
        self.sum_up(column);
        let rank = |&(place, value): &Term| {
            (Self::power(value), place == self.view, self.holders[place as usize].len())
        };
        let Some(&(pivot, value)) = self.sum.iter().min_by_key(|term| rank(term)) else { return 0 };
        let power = Self::power(value);
        let scale = Self::inverse((u64::from(value) / power) as u32);
        for (_, value) in &mut self.sum {
            *value = Self::product((u64::from(*value) / power) as u32, scale);
        }
        // Subtracted `own` times, the pivot of each row is left with what makes its sum 0.
        let multiple = Self::residue(MODULUS / power);
        let mut work = ROW + TERM * self.sum.len() as u64;
        let mut rows = std::mem::take(&mut self.holders[pivot as usize]);
        rows.sort_unstable();
        rows.dedup();
        for row in rows {
            let own = Self::term(&self.rows[row as usize], pivot);
            work += TERM;
            if own != 0 {
                let left = Self::product(own, multiple);
                let minus = Self::residue(MODULUS - u64::from(own));
                work += TERM * self.add(row as usize, minus, (pivot, left));
                if left != 0 {
                    self.holders[pivot as usize].push(row);
                }
            }
        }
        work
    }

    fn work(&self) -> u64 {
        ROW * self.rows.len() as u64
    }

    fn bytes(&self) -> usize {
        16 * self.size
    }
}
