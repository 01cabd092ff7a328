//! Combinations of items modulo a power q of a prime p, with few nonzero coefficients.
//!
//! As in `parity.rs`, a set of generators represents all combinations that vanish on the options
//! eliminated so far, and each item has a row with its coefficients in the generators. Among the
//! generators that do not vanish on the next option, the one whose value is least divisible by p is
//! subtracted from the others, and then multiplied by the power of p that makes its own value 0.
//! The set still generates all combinations that vanish.
//!
//! A high power of p is stronger than p itself: a system without rational solutions has no solution
//! modulo q either, unless q divides the value of a cover.
//!
//! Source: J. A. Howell, Spans in the module (Z_m)^s (1986). The pivot choice follows H. M.
//! Markowitz (1957), but keeps the current combination if possible.

use super::Combinations;
use super::system::System;

type Term = (u32, u32);

/// Estimated work per removed generator (ns).
const ROW: u64 = 200;
const TERM: u64 = 6;

#[derive(Debug)]
pub(super) struct Residues<const PRIME: u64, const MODULUS: u64> {
    /// For each item, its terms in ascending order of generators. The last row contains the value
    /// of each generator in a cover.
    rows: Vec<Vec<Term>>,
    /// For each generator, the rows that contain it, and possibly rows that no longer contain it.
    holders: Vec<Vec<u32>>,
    /// The generator that is the current combination.
    view: u32,
    coefficients: Vec<u32>,
    size: usize,
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

    /// Returns the largest power of the prime that divides `residue`, which is not 0.
    fn power(residue: u32) -> u64 {
        let mut power = 1;
        while u64::from(residue) % (power * PRIME) == 0 {
            power *= PRIME;
        }
        power
    }

    /// Returns the inverse of `residue`, which is not divisible by the prime.
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

    fn term(row: &[Term], combination: u32) -> u32 {
        row.binary_search_by_key(&combination, |&(place, _)| place).map_or(0, |place| row[place].1)
    }

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

    /// Adds `factor` times the sum to a row, and sets the coefficient of the generator of `pivot`.
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
        // After the subtraction, the coefficient of the pivot in each row is multiplied so that its
        // value on the option becomes 0.
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
