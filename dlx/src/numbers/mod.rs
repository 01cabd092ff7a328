//! Numbers: sums in limbs, residues modulo primes, and random ones.

pub(crate) mod limbs;
pub(crate) mod modular;
mod random;

pub use random::Random;

/// Scrambles a number: numbers that differ in any bit differ in about half of them then.
#[inline]
pub(crate) const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let number = (number ^ (number >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number ^ (number >> 32)
}
