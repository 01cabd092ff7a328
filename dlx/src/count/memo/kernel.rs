//! What a node costs: the AND of two live sets, and the options of its items, counted.
//!
//! Plain loops over lanes, compiled anew for what the processor has; the compiler makes vector instructions
//! of them. They call nothing that the compiler may leave a call, for that has not these features.
#![allow(
    unsafe_code,
    reason = "calls of functions with target features, after a look at the processor"
)]

use super::encoding::Group;
use super::line::{Lane, Line};

/// A child of a node: the option, and whether an item has a single option left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) option: u32,
    pub(super) has_single: bool,
}

type Expand<T, const N: usize> = unsafe fn(
    &[Line<T, N>],
    usize,
    &[Group],
    &[Line<T, N>],
    &[u32],
    &mut [Line<T, N>],
    &mut [Child],
) -> usize;

type Measure<T, const N: usize> = unsafe fn(&[Line<T, N>], &[Group], &mut [Line<T, N>]) -> T;

/// The loops for one instruction set.
#[derive(Clone, Copy)]
pub(super) struct Kernel<T, const N: usize> {
    expand: Expand<T, N>,
    restrict: unsafe fn(&mut [Line<T, N>], &[Line<T, N>]),
    measure: Measure<T, N>,
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
        Self::all()[0]
    }

    /// Returns the loops that the processor can run, the fastest first.
    fn all() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let vectors =
            [avx512::is_available().then(avx512::kernel), avx2::is_available().then(avx2::kernel)];
        #[cfg(not(target_arch = "x86_64"))]
        let vectors = [];
        let plain = plain::is_available().then(plain::kernel);
        vectors.into_iter().chain([plain]).flatten().collect()
    }

    /// Makes the children of a node by some options, without those in which an item has no option left,
    /// and returns how many there are. What lies before line `first` is not looked at, nor is any group
    /// but `groups`.
    #[inline]
    #[allow(clippy::too_many_arguments, reason = "what a node is")]
    pub(super) fn expand(
        &self,
        parent: &[Line<T, N>],
        first: usize,
        groups: &[Group],
        rows: &[Line<T, N>],
        options: &[u32],
        frames: &mut [Line<T, N>],
        children: &mut [Child],
    ) -> usize {
        // SAFETY: `all` looked whether the processor has the features.
        unsafe { (self.expand)(parent, first, groups, rows, options, frames, children) }
    }

    /// Leaves in a live set what is in another, too.
    #[inline]
    pub(super) fn restrict(&self, frame: &mut [Line<T, N>], row: &[Line<T, N>]) {
        // SAFETY: `all` looked whether the processor has the features.
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
        // SAFETY: `all` looked whether the processor has the features.
        unsafe { (self.measure)(frame, groups, degrees) }
    }

    /// Tells for each lane whether it is `value`, lane 0 in the lowest bit.
    #[inline]
    pub(super) fn mask(&self, line: &Line<T, N>, value: T) -> u64 {
        // SAFETY: `all` looked whether the processor has the features.
        unsafe { (self.mask)(line, value) }
    }
}

/// Adds the ones in some lines to a sum.
macro_rules! add {
    ($sum:ident, $lines:ident, $($chunk:literal)*) => {{
        $(
            let bits = $lines[$chunk];
            let mut lane = 0;
            while lane < N {
                $sum.0[lane] = $sum.0[lane].plus(bits.0[lane].ones());
                lane += 1;
            }
        )*
    }};
}

/// Sets `$sum` to the ones in each lane of a group, less one.
macro_rules! sum {
    ($sum:ident, $frame:ident, $group:expr) => {
        let mut line = $group.line as usize;
        let mut left = $group.chunks;
        let mut $sum = Line::<T, N>::MAX;
        // Straight code for few chunks: of a loop over them the compiler makes gathers.
        loop {
            let at = &$frame[line..];
            match left {
                0 => break,
                1 => add!($sum, at, 0),
                2 => add!($sum, at, 0 1),
                3 => add!($sum, at, 0 1 2),
                _ => add!($sum, at, 0 1 2 3),
            }
            line += 4;
            left = left.saturating_sub(4);
            if left == 0 {
                break;
            }
        }
    };
}

/// Sets each lane of `$least` to the lesser one.
macro_rules! least {
    ($least:ident, $sum:ident) => {
        let mut lane = 0;
        while lane < N {
            $least.0[lane] = if $sum.0[lane] < $least.0[lane] { $sum.0[lane] } else { $least.0[lane] };
            lane += 1;
        }
    };
}

/// Sets `$lowest` to the least lane, by halves.
macro_rules! lowest {
    ($lowest:ident, $least:ident) => {
        let mut width = N / 2;
        while width > 0 {
            let mut lane = 0;
            while lane < width {
                let (a, b) = ($least.0[lane], $least.0[lane + width]);
                $least.0[lane] = if b < a { b } else { a };
                lane += 1;
            }
            width /= 2;
        }
        let $lowest = $least.0[0];
    };
}

/// Sets lanes of `$mask` that are `$value` in `$sum`.
macro_rules! mark {
    ($mask:ident, $sum:ident, $value:expr) => {
        let mut lane = 0;
        while lane < N {
            $mask.0[lane] = $mask.0[lane].or(if $sum.0[lane] == $value { T::MAX } else { T::ZERO });
            lane += 1;
        }
    };
}

/// Tells whether a line has a bit.
macro_rules! has_bit {
    ($line:ident) => {{
        let mut any = T::ZERO;
        let mut lane = 0;
        while lane < N {
            any = any.or($line.0[lane]);
            lane += 1;
        }
        any != T::ZERO
    }};
}

macro_rules! define_kernel {
    ($module:ident, $name:literal, [$($detected:tt)*] $(, #[$features:meta])?) => {
        mod $module {
            use super::{Child, Group, Kernel, Lane, Line};

            pub(super) fn is_available() -> bool {
                true $($detected)*
            }

            pub(super) fn kernel<T: Lane, const N: usize>() -> Kernel<T, N> {
                Kernel { expand, restrict, measure, mask, name: $name }
            }

            $(#[$features])?
            fn expand<T: Lane, const N: usize>(
                parent: &[Line<T, N>],
                first: usize,
                groups: &[Group],
                rows: &[Line<T, N>],
                options: &[u32],
                frames: &mut [Line<T, N>],
                children: &mut [Child],
            ) -> usize {
                let lines = parent.len();
                let children = &mut children[..options.len()];
                let mut count = 0;
                let mut at = 0;
                while at < options.len() {
                    let option = options[at];
                    let row = &rows[option as usize * lines..][..lines];
                    let child = &mut frames[count * lines..][..lines];
                    let mut line = first;
                    while line < lines {
                        let mut lane = 0;
                        while lane < N {
                            child[line].0[lane] = parent[line].0[lane].and(row[line].0[lane]);
                            lane += 1;
                        }
                        line += 1;
                    }
                    let (mut none, mut single) = (Line::<T, N>::ZERO, Line::<T, N>::ZERO);
                    let mut group = 0;
                    while group < groups.len() {
                        sum!(sum, child, groups[group]);
                        mark!(none, sum, T::ZERO);
                        mark!(single, sum, T::bit(0));
                        group += 1;
                    }
                    children[count] = Child { option, has_single: has_bit!(single) };
                    count += if has_bit!(none) { 0 } else { 1 };
                    at += 1;
                }
                count
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
                    sum!(sum, frame, groups[group]);
                    least!(least, sum);
                    degrees[group] = sum;
                    group += 1;
                }
                lowest!(lowest, least);
                lowest
            }

            $(#[$features])?
            fn mask<T: Lane, const N: usize>(line: &Line<T, N>, value: T) -> u64 {
                let mut mask = 0;
                let mut lane = 0;
                while lane < N {
                    mask |= (if line.0[lane] == value { 1 } else { 0 }) << lane;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_instruction_sets_do_the_same() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 24) as u16
        };
        // Two groups, of one chunk and of five.
        let groups = [Group { line: 0, chunks: 1 }, Group { line: 1, chunks: 5 }];
        let lines = 6;
        let kernels = Kernel::<u16, 32>::all();
        for round in 0..500 {
            let mut line =
                || Line([(); 32].map(|()| random() & if round % 3 == 0 { random() } else { !0 }));
            let parent: Vec<_> = (0..lines).map(|_| line()).collect();
            let rows: Vec<_> = (0..4 * lines).map(|_| line()).collect();
            let results = kernels.iter().map(|kernel| {
                let mut frames = vec![Line::ZERO; 4 * lines];
                let mut children = [Child { option: 0, has_single: false }; 4];
                let options = [2, 0, 3, 1];
                let count =
                    kernel.expand(&parent, 0, &groups, &rows, &options, &mut frames, &mut children);
                let children: Vec<_> =
                    children[..count].iter().map(|child| (child.option, child.has_single)).collect();
                let mut degrees = vec![Line::ZERO; 2];
                let least = kernel.measure(&parent, &groups, &mut degrees);
                let mut rest = parent.clone();
                kernel.restrict(&mut rest, &rows[..lines]);
                let mask = kernel.mask(&degrees[0], least);
                frames.truncate(count * lines);
                (frames, children, degrees, least, rest, mask)
            });
            let results: Vec<_> = results.collect();
            assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
        }
    }
}
