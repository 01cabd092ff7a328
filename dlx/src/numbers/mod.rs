//! Sums in limbs, residues modulo primes, and random numbers.

pub(crate) mod limbs;
mod mixer;
pub(crate) mod modular;
mod random;

pub(crate) use mixer::{Mixer, hash};
pub use random::Random;
pub(crate) use random::split_mix;
