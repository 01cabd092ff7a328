//! Registers of each instruction set, and their ways to read and to write lines: all that depends on the processor.
//!
//! A leaf knows the board and nothing of a search. The lanes stand above: what they do with registers is written once
//! for any [`vector::Vector`], and what [`crate::digits`] do for any [`vector::Nine`]; [`crate::lanes`] compiles it for each leaf.
//!
//! `avx512` serves Ice Lake, Zen 4 and later (F, BW, VL, VBMI, VBMI2), `avx512vl` has the same instructions in
//! registers half as wide, `avx2` serves other x86-64, `neon` 64-bit Arm. What every processor has needs no leaf: [`crate::scalar`].

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512vl;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(crate) mod neon;
pub(crate) mod vector;
