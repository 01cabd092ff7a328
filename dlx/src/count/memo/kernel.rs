//! What a node costs: the AND of two live sets, and the options of its items, counted.
//!
//! Plain loops over lanes, compiled anew for what the processor has; the compiler makes vector instructions
//! of them. They call nothing that the compiler may leave a call, for that has not these features.
#![allow(unsafe_code, reason = "calls of functions with target features, after a look at the processor")]

use super::encoding::Group;
use super::line::{Lane, Line};

/// The loops for one instruction set.
#[derive(Clone, Copy)]
pub(super) struct Kernel<T, const N: usize> {
    meet: unsafe fn(&[Line<T, N>], &[Line<T, N>], &mut [Line<T, N>]),
    restrict: unsafe fn(&mut [Line<T, N>], &[Line<T, N>]),
    measure: unsafe fn(&[Line<T, N>], &[Group], &mut [Line<T, N>]) -> T,
    mask: unsafe fn(&Line<T, N>, T) -> u64,
    name: &'static str,
}

impl<T, const N: usize> std::fmt::Debug for Kernel<T, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl<T: Lane, const N: usize> Kernel<T, N> {
    /// Takes the fastest loops that the processor has.
    pub(super) fn new() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if avx512::is_available() {
                return avx512::kernel();
            }
            if avx2::is_available() {
                return avx2::kernel();
            }
        }
        plain::kernel()
    }

    /// Sets `child` to what is in both live sets.
    #[inline]
    pub(super) fn meet(&self, parent: &[Line<T, N>], row: &[Line<T, N>], child: &mut [Line<T, N>]) {
        // SAFETY (all): `new` looked whether the processor has the features.
        unsafe { (self.meet)(parent, row, child) }
    }

    /// Leaves in a live set what is in another, too.
    #[inline]
    pub(super) fn restrict(&self, frame: &mut [Line<T, N>], row: &[Line<T, N>]) {
        unsafe { (self.restrict)(frame, row) }
    }

    /// Counts the options of the items of some groups, of a covered one -1, and returns the least.
    #[inline]
    pub(super) fn measure(
        &self,
        frame: &[Line<T, N>],
        groups: &[Group],
        degrees: &mut [Line<T, N>],
    ) -> T {
        unsafe { (self.measure)(frame, groups, degrees) }
    }

    /// Tells for each lane whether it is `value`, lane 0 in the lowest bit.
    #[inline]
    pub(super) fn mask(&self, line: &Line<T, N>, value: T) -> u64 {
        unsafe { (self.mask)(line, value) }
    }
}

macro_rules! define_kernel {
    ($module:ident, $name:literal, [$($detected:tt)*] $(, #[$features:meta])?) => {
        mod $module {
            use super::{Group, Kernel, Lane, Line};

            pub(super) fn is_available() -> bool {
                true $($detected)*
            }

            pub(super) fn kernel<T: Lane, const N: usize>() -> Kernel<T, N> {
                Kernel { meet, restrict, measure, mask, name: $name }
            }

            $(#[$features])?
            fn meet<T: Lane, const N: usize>(
                parent: &[Line<T, N>],
                row: &[Line<T, N>],
                child: &mut [Line<T, N>],
            ) {
                let len = child.len();
                let (parent, row) = (&parent[..len], &row[..len]);
                let mut at = 0;
                while at < len {
                    let mut lane = 0;
                    while lane < N {
                        child[at].0[lane] = parent[at].0[lane].and(row[at].0[lane]);
                        lane += 1;
                    }
                    at += 1;
                }
            }

            $(#[$features])?
            fn restrict<T: Lane, const N: usize>(frame: &mut [Line<T, N>], row: &[Line<T, N>]) {
                let len = frame.len();
                let row = &row[..len];
                let mut at = 0;
                while at < len {
                    let mut lane = 0;
                    while lane < N {
                        frame[at].0[lane] = frame[at].0[lane].and(row[at].0[lane]);
                        lane += 1;
                    }
                    at += 1;
                }
            }

            $(#[$features])?
            fn measure<T: Lane, const N: usize>(
                frame: &[Line<T, N>],
                groups: &[Group],
                degrees: &mut [Line<T, N>],
            ) -> T {
                let mut least = Line::<T, N>::MAX;
                let mut group = 0;
                let degrees = &mut degrees[..groups.len()];
                while group < groups.len() {
                    let mut line = groups[group].line as usize;
                    let end = line + groups[group].chunks as usize;
                    let mut sum = Line::<T, N>::MAX;
                    while line < end {
                        let bits = &frame[line].0;
                        let mut lane = 0;
                        while lane < N {
                            sum.0[lane] = sum.0[lane].plus(bits[lane].ones());
                            lane += 1;
                        }
                        line += 1;
                    }
                    let mut lane = 0;
                    while lane < N {
                        least.0[lane] = if sum.0[lane] < least.0[lane] { sum.0[lane] } else { least.0[lane] };
                        lane += 1;
                    }
                    degrees[group] = sum;
                    group += 1;
                }
                let mut result = least.0[0];
                let mut lane = 1;
                while lane < N {
                    result = if least.0[lane] < result { least.0[lane] } else { result };
                    lane += 1;
                }
                result
            }

            $(#[$features])?
            fn mask<T: Lane, const N: usize>(line: &Line<T, N>, value: T) -> u64 {
                let mut mask = 0;
                let mut lane = 0;
                while lane < N {
                    mask |= ((line.0[lane] == value) as u64) << lane;
                    lane += 1;
                }
                mask
            }
        }
    };
}

define_kernel!(plain, "plain", []);
#[cfg(target_arch = "x86_64")]
define_kernel!(
    avx2,
    "avx2",
    [&& is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")],
    #[target_feature(enable = "avx2,popcnt")]
);
#[cfg(target_arch = "x86_64")]
define_kernel!(
    avx512,
    "avx512",
    [
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("popcnt")
    ],
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512bitalg,avx512vpopcntdq,popcnt")]
);
