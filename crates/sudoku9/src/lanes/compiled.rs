//! The propagation step and the branching, compiled for each instruction set.
//!
//! These functions are generic over the register type. A function uses the instructions of an
//! instruction set only if its own attribute enables them. So each instruction set has a few
//! functions with this attribute, into which all other code is inlined.
#![allow(unsafe_code, reason = "calls of functions that need the instructions of a leaf")]
#![cfg_attr(
    not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))),
    allow(unused_imports, unused_macros, reason = "only leaves use them")
)]

use std::hint::black_box;
use std::mem::MaybeUninit;

use super::branch::{self, Bundle, Choice};
use super::round::{self, Events, Places};
use crate::digits::Dive;
use crate::leaf::vector::{Nine, Vector};
#[cfg(target_arch = "x86_64")]
use crate::leaf::{avx2, avx512, avx512vl};
use crate::model::board::{Board, WORDS};

pub(crate) trait Compiled: Vector {
    /// Number of lanes that must be idle or want to branch before the search branches. Register
    /// types with the same number of lanes have the same value, so that their searches are
    /// identical.
    const PATIENCE: u32;

    /// Calls [`round::step`], compiled for the instruction set of the register type.
    fn step(grid: &mut [Self; WORDS], places: &mut Places<Self>, fresh: u32) -> Events;
    fn choose(grid: &[Self; WORDS], lanes: u32, choice: &mut Choice<Self>);
    fn triples(grid: &mut [Self; WORDS]) -> u32;
    fn branch(
        grid: &mut [Self; WORDS],
        places: &mut Places<Self>,
        choice: &Choice<Self>,
        source: &[u8; 32],
        twins: u32,
    );
    fn pack(grid: &[Self; WORDS], choice: &Choice<Self>, source: &[u8; 32], bundle: &mut Bundle);
}

pub(crate) trait CompiledNine: Nine {
    /// Calls [`Dive::begin`], compiled for the instruction set of the register type.
    fn begin(dive: &mut Dive<Self>, board: &Board, nodes_max: u64);
    fn find(dive: &mut Dive<Self>, board: Option<&mut Board>) -> bool;
}

/// A local variable with an alignment of 4096 bytes, which aligns the stack frame.
///
/// Otherwise spilled 512-bit registers might cross cache lines, or have the address of a word of
/// the grid modulo 4096, and the speed would depend on the frames of all callers. The processor
/// compares only these bits of the address when it looks for an earlier store to a loaded word.
#[repr(align(4096))]
struct StackFrame(MaybeUninit<[u8; 4096]>);

impl StackFrame {
    /// Aligns the stack frame of the caller, because this function is inlined there.
    #[inline(always)]
    fn align() {
        black_box(&Self(MaybeUninit::uninit()).0);
    }
}

/// Compiles a function for an instruction set; the function forwards its arguments.
macro_rules! pass_on {
    ($register:ty, $features:tt, fn $name:ident($($argument:ident: $type:ty),+) $(-> $result:ty)? => $to:path) => {
        fn $name($($argument: $type),+) $(-> $result)? {
            #[target_feature $features]
            fn run($($argument: $type),+) $(-> $result)? {
                StackFrame::align();
                $to($($argument),+)
            }
            // SAFETY: the arguments contain registers of this type. Such registers exist only if
            // the processor has the instructions (`Vector::new`).
            unsafe { run($($argument),+) }
        }
    };
}

#[cfg(target_arch = "x86_64")]
macro_rules! compile_nine {
    ($register:ty, $features:tt) => {
        impl CompiledNine for $register {
            pass_on!($register, $features, fn begin(
                dive: &mut Dive<$register>, board: &Board, nodes_max: u64
            ) => Dive::begin);
            pass_on!($register, $features, fn find(
                dive: &mut Dive<$register>, board: Option<&mut Board>
            ) -> bool => Dive::find);
        }
    };
}

macro_rules! compile {
    ($register:ty, $features:tt, $patience:literal) => {
        impl Compiled for $register {
            const PATIENCE: u32 = $patience;

            pass_on!($register, $features, fn step(
                grid: &mut [$register; WORDS], places: &mut Places<$register>, fresh: u32
            ) -> Events => round::step);
            pass_on!($register, $features, fn choose(
                grid: &[$register; WORDS], lanes: u32, choice: &mut Choice<$register>
            ) => branch::choose);
            pass_on!($register, $features, fn triples(
                grid: &mut [$register; WORDS]
            ) -> u32 => branch::triples);
            pass_on!($register, $features, fn branch(
                grid: &mut [$register; WORDS], places: &mut Places<$register>, choice: &Choice<$register>,
                source: &[u8; 32], twins: u32
            ) => branch::branch);
            pass_on!($register, $features, fn pack(
                grid: &[$register; WORDS], choice: &Choice<$register>, source: &[u8; 32], bundle: &mut Bundle
            ) => branch::pack);
        }
    };
}

#[cfg(target_arch = "x86_64")]
compile!(avx512::X32, (enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2"), 10);
#[cfg(target_arch = "x86_64")]
compile!(avx512vl::X16, (enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2"), 6);
#[cfg(target_arch = "x86_64")]
compile!(avx2::X16, (enable = "avx2,bmi2"), 6);
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
compile!(crate::leaf::neon::X8, (enable = "neon"), 2);

#[cfg(target_arch = "x86_64")]
compile_nine!(avx512vl::X16, (enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2"));
#[cfg(target_arch = "x86_64")]
compile_nine!(avx2::X16, (enable = "avx2,bmi2"));
