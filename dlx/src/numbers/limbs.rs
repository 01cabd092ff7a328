//! Arrays of numbers with a fixed number of 64-bit limbs each, lowest limb first.
//!
//! Sums do not overflow, because callers check their bound in advance or compute modulo a prime.

use num_bigint::BigUint;

/// Adds `more * weight` to `sum`, which must not overflow. A nonzero `modulus` has at most 63 bits;
/// then all numbers have one limb, and the sum is reduced by it.
#[inline(always)]
pub(crate) fn add(sum: &mut [u64], more: &[u64], weight: u64, modulus: u64) {
    if let ([sum], [more]) = (&mut *sum, more) {
        match (modulus, weight) {
            (0, _) => *sum += more * weight,
            (_, 1) => {
                let total = *sum + more;
                *sum = if total >= modulus { total - modulus } else { total };
            }
            _ => {
                let total = u128::from(*sum) + u128::from(*more) * u128::from(weight);
                *sum = (total % u128::from(modulus)) as u64;
            }
        }
        return;
    }
    let mut carry = 0u128;
    for (sum, &more) in sum.iter_mut().zip(more) {
        let total = u128::from(*sum) + u128::from(more) * u128::from(weight) + carry;
        *sum = total as u64;
        carry = total >> 64;
    }
    debug_assert_eq!(carry, 0, "the sum was to have room");
}

pub(crate) fn value(limbs: &[u64]) -> BigUint {
    BigUint::new(limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect())
}

pub(crate) fn sum(numbers: &[u64], limbs: usize) -> BigUint {
    let mut sums = vec![0u128; limbs];
    for number in numbers.chunks_exact(limbs) {
        for (sum, &limb) in sums.iter_mut().zip(number) {
            *sum += u128::from(limb);
        }
    }
    sums.into_iter().rev().fold(BigUint::ZERO, |total, sum| (total << 64u32) + sum)
}

pub(crate) fn widen(numbers: &mut Vec<u64>, limbs: usize) {
    let wide = numbers.chunks_exact(limbs).flat_map(|number| number.iter().copied().chain([0]));
    *numbers = wide.collect();
}
