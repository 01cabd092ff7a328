//! Arithmetic modulo primes just below 2^61, and the list of these primes.
//!
//! A residue x is stored as x * 2^64 modulo the prime p (Montgomery form), so two multiplications
//! reduce a product. Up to eight products are added before a reduction, which accepts sums below p
//! * 2^64; p < 2^61 ensures this.
//!
//! Sources: P. L. Montgomery, Modular multiplication without trial division (1985). Primes are
//! found by the Miller-Rabin test, which is exact below 2^64 with the first twelve primes as bases
//! (Sorenson and Webster, 2015).

const LIMIT: u64 = 1 << 61;

/// Bits per prime: a product of k of these primes has at least `k * BITS` bits, for k up to some
/// millions.
pub(crate) const BITS: u64 = 60;

/// Maximum number of products that are added before their sum is reduced.
const PRODUCTS: usize = 8;

const TILE: usize = 4;

const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// Arithmetic modulo an odd number below 2^61. Inversion requires a prime modulus.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrimeField {
    pub(crate) modulus: u64,
    inverse: u64,
    pub(crate) one: u64,
    square: u64,
}

impl PrimeField {
    pub(crate) fn new(modulus: u64) -> Self {
        debug_assert!(modulus % 2 == 1, "an odd number has an inverse modulo 2^64");
        debug_assert!(modulus < LIMIT, "sums of products must not overflow");
        // Newton's iteration starts with three correct bits and doubles them in each round.
        let mut inverse = modulus;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(modulus.wrapping_mul(inverse)));
        }
        let one = ((1 << 64) % u128::from(modulus)) as u64;
        let square = (u128::from(one) * u128::from(one) % u128::from(modulus)) as u64;
        Self { modulus, inverse, one, square }
    }

    /// Returns `number` / 2^64 modulo `modulus`, for a number below `modulus * 2^64`.
    #[inline]
    fn reduce(self, number: u128) -> u64 {
        let quotient = (number as u64).wrapping_mul(self.inverse);
        let product = (u128::from(quotient) * u128::from(self.modulus)) >> 64;
        self.sub((number >> 64) as u64, product as u64)
    }

    pub(crate) fn enter(self, number: u64) -> u64 {
        self.mul(number % self.modulus, self.square)
    }

    /// Returns the number below the modulus that a residue in Montgomery form represents.
    pub(crate) fn leave(self, residue: u64) -> u64 {
        self.reduce(u128::from(residue))
    }

    #[inline]
    pub(crate) fn add(self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.modulus { sum - self.modulus } else { sum }
    }

    #[inline]
    pub(crate) fn sub(self, a: u64, b: u64) -> u64 {
        let (difference, is_below) = a.overflowing_sub(b);
        if is_below { difference.wrapping_add(self.modulus) } else { difference }
    }

    #[inline]
    pub(crate) fn mul(self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) * u128::from(b))
    }

    /// Subtracts a linear combination of rows from `values`. `factors` has the factor of each row,
    /// and the rows start every `stride` entries of `rows`.
    #[inline]
    pub(crate) fn eliminate(self, values: &mut [u64], factors: &[u64], rows: &[u64], stride: usize) {
        if factors.is_empty() {
            return;
        }
        let (tiles, rest) = values.as_chunks_mut::<TILE>();
        let done = tiles.len() * TILE;
        for (tile, column) in tiles.iter_mut().zip((0..).step_by(TILE)) {
            self.eliminate_tile(tile, factors, &rows[column..], stride);
        }
        for (value, column) in rest.iter_mut().zip(done..) {
            self.eliminate_tile(std::array::from_mut(value), factors, &rows[column..], stride);
        }
    }

    #[inline]
    fn eliminate_tile<const WIDTH: usize>(
        self,
        values: &mut [u64; WIDTH],
        factors: &[u64],
        rows: &[u64],
        stride: usize,
    ) {
        let mut sums = [0; WIDTH];
        for (factors, rows) in factors.chunks(PRODUCTS).zip(rows.chunks(PRODUCTS * stride)) {
            for (&factor, row) in factors.iter().zip(rows.chunks(stride)) {
                for (sum, &entry) in sums.iter_mut().zip(&row[..WIDTH]) {
                    *sum += u128::from(factor) * u128::from(entry);
                }
            }
            sums = sums.map(|sum| self.fold(sum));
        }
        for (value, sum) in values.iter_mut().zip(sums) {
            *value = self.sub(*value, self.reduce(sum));
        }
    }

    /// Returns a number below `modulus * 2^64` with the same residue as `number`, which is below
    /// twice that bound.
    #[inline]
    fn fold(self, number: u128) -> u128 {
        let modulus = u128::from(self.modulus) << 64;
        if number >= modulus { number - modulus } else { number }
    }

    pub(crate) fn pow(self, base: u64, exponent: u64) -> u64 {
        let mut power = self.one;
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            power = self.mul(power, power);
            if exponent >> bit & 1 == 1 {
                power = self.mul(power, base);
            }
        }
        power
    }

    pub(crate) fn invert(self, residue: u64) -> u64 {
        if residue == self.one {
            return residue;
        }
        // Euclid's algorithm with `a = x * residue` and `b = y * residue` modulo the modulus.
        let (mut a, mut b) = (residue, self.modulus);
        let (mut x, mut y) = (1_i64, 0_i64);
        while a > 0 {
            let quotient = b / a;
            (a, b) = (b - quotient * a, a);
            (x, y) = (y - quotient as i64 * x, x);
        }
        debug_assert_eq!(b, 1, "the modulus is a prime");
        let inverse = if y < 0 { y.wrapping_add_unsigned(self.modulus) } else { y } as u64;
        self.mul(self.mul(inverse, self.square), self.square)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Primes {
    limit: u64,
}

impl Primes {
    pub(crate) fn new() -> Self {
        Self { limit: LIMIT }
    }
}

impl Iterator for Primes {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.limit = (3..self.limit).rev().find(|&number| is_prime(number))?;
        Some(self.limit)
    }
}

pub(crate) fn is_prime(number: u64) -> bool {
    if let Some(&divisor) = BASES.iter().find(|&&divisor| number.is_multiple_of(divisor)) {
        return number == divisor;
    }
    let field = PrimeField::new(number);
    let minus_one = field.sub(0, field.one);
    let twos = (number - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let mut power = field.pow(field.enter(base), (number - 1) >> twos);
        power == field.one
            || (0..twos).any(|_| {
                let is_witness = power == minus_one;
                power = field.mul(power, power);
                is_witness
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Random;

    #[test]
    fn primes_are_the_numbers_without_divisors() {
        let has_divisor = |number: u64| (2..number).any(|divisor| number.is_multiple_of(divisor));
        for number in 3..3000 {
            assert_eq!(is_prime(number), !has_divisor(number), "{number}");
        }
        // Strong pseudoprimes to the bases 2 to 7 and 2 to 13, and the square of a prime.
        for composite in [3_215_031_751, 3_474_749_660_383, 1_073_741_789 * 1_073_741_789] {
            assert!(!is_prime(composite), "{composite}");
        }
        // The Mersenne prime 2^61 - 1 and the next two smaller primes.
        let offsets: Vec<_> = Primes::new().take(3).map(|prime| LIMIT - prime).collect();
        assert_eq!(offsets, [1, 31, 45]);
    }

    #[test]
    fn residues_agree_with_plain_division() {
        let mut random = Random::new(1);
        for modulus in Primes::new().take(3).chain([3, 5, 1_000_003]) {
            let field = PrimeField::new(modulus);
            for len in 0..70 {
                let mut numbers = || {
                    let next = |_| {
                        // A third of the lists contain only the largest residue, to reach the
                        // largest sums.
                        if len % 3 == 0 { modulus - 1 } else { random.next_u64() % modulus }
                    };
                    (0..len).map(next).collect::<Vec<_>>()
                };
                let (a, b) = (numbers(), numbers());
                let plain =
                    |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64;
                let sum = a.iter().zip(&b).fold(0, |sum, (&a, &b)| (sum + plain(a, b)) % modulus);
                let [left, right] =
                    [&a, &b].map(|list| list.iter().map(|&n| field.enter(n)).collect::<Vec<_>>());
                for width in 1..6 {
                    let rows: Vec<_> = right.iter().flat_map(|&entry| [entry; 6]).collect();
                    let mut values = vec![field.one; width];
                    field.eliminate(&mut values, &left, &rows, 6);
                    let expected = (1 + modulus - sum) % modulus;
                    assert!(values.iter().all(|&value| field.leave(value) == expected));
                }
                for (&n, &residue) in a.iter().zip(&left).filter(|&(&n, _)| n > 0) {
                    assert_eq!(field.leave(residue), n);
                    assert_eq!(field.leave(field.mul(residue, field.invert(residue))), 1);
                    assert_eq!(field.add(residue, field.sub(0, residue)), 0);
                }
            }
        }
    }
}
