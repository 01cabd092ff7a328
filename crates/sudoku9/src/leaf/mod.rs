//! All processor-dependent code: the registers of each instruction set, and the reading and writing
//! of lines. A *leaf* is the code for one instruction set.
//!
//! The code for an instruction set uses boards, but not searches. [`crate::lanes`] uses registers
//! generically as [`vector::Vector`], and [`crate::digits`] as [`vector::Nine`]. [`crate::lanes`]
//! compiles both for each instruction set.
//!
//! The module `avx512` is for Ice Lake, Zen 4 and later processors (F, BW, VL, VBMI, VBMI2).
//! `avx512vl` uses the same instructions with registers of half the width. `avx2` is for other
//! x86-64 processors, and `neon` for 64-bit Arm. The code in plain Rust is in [`crate::scalar`].

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512vl;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(crate) mod neon;
pub(crate) mod vector;
