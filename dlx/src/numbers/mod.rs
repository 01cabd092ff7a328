//! Numbers: sums in limbs, residues modulo primes, and random ones.

pub(crate) mod limbs;
pub(crate) mod modular;
mod random;

pub use random::Random;
pub(crate) use random::split_mix;
