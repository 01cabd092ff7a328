//! Registers of each instruction set, and the reading and writing of lines: all processor-dependent
//! code.
//!
//! A leaf knows boards, but no search. [`crate::lanes`] uses registers generically as
//! [`vector::Vector`], and [`crate::digits`] as [`vector::Nine`]; [`crate::lanes`] compiles both
//! for each leaf.
//!
//! `avx512` serves Ice Lake, Zen 4 and later (F, BW, VL, VBMI, VBMI2), `avx512vl` has the same
//! instructions in registers half as wide, `avx2` serves other x86-64, `neon` 64-bit Arm. Plain
//! Rust needs no leaf: [`crate::scalar`].

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512vl;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(crate) mod neon;
pub(crate) mod vector;
