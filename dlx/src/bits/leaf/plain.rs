//! Plain Rust for every processor: lanes are arrays, which the compiler vectorizes for the target.
//!
//! With SSE2 the compiler vectorizes lanes of 8, 32 and 64 bits, but `equal` on lanes of 16 bits
//! stays scalar.
//!
//! Tried and dropped: a second loop that narrows the lanes for `equal` (no gain).

use super::super::vectors::{Vectors, Work};
use super::super::{Block, NUMBERS, Products};

macro_rules! define_lanes {
    ($name:ident, $lane:ty, $lanes:literal, $none:literal) => {
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name;

        impl $name {
            #[inline(always)]
            fn map(
                a: [$lane; $lanes],
                b: [$lane; $lanes],
                f: fn($lane, $lane) -> $lane,
            ) -> [$lane; $lanes] {
                std::array::from_fn(|i| f(a[i], b[i]))
            }
        }

        #[allow(clippy::cast_lossless, reason = "some widths need a cast")]
        impl Vectors for $name {
            type Vector = [$lane; $lanes];
            const LANES: usize = $lanes;
            const NONE: u32 = $none;
            type Numbers = Plain;

            #[inline(always)]
            fn numbers(self) -> Plain {
                Plain
            }

            #[inline(always)]
            fn run<W: Work>(self, work: W) -> W::Output {
                work.run(self)
            }

            #[inline(always)]
            fn load(self, block: &Block) -> Self::Vector {
                let words = block.0.map(u64::to_le_bytes);
                let mut vector = [0; $lanes];
                let lanes = words.as_flattened().chunks_exact(size_of::<$lane>());
                for (lane, bytes) in vector.iter_mut().zip(lanes) {
                    *lane = <$lane>::from_le_bytes(bytes.try_into().expect("a lane has as many bytes"));
                }
                vector
            }

            #[inline(always)]
            fn store(self, vector: Self::Vector, block: &mut Block) {
                let lanes = vector.map(<$lane>::to_le_bytes);
                let words = lanes.as_flattened().chunks_exact(8);
                for (word, bytes) in block.0.iter_mut().zip(words) {
                    *word = u64::from_le_bytes(bytes.try_into().expect("a word has 8 bytes"));
                }
            }

            #[inline(always)]
            fn ones(self) -> Self::Vector {
                [<$lane>::MAX; $lanes]
            }

            #[inline(always)]
            fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                Self::map(a, b, |a, b| a & b)
            }

            #[inline(always)]
            fn without(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                Self::map(a, b, |a, b| a & !b)
            }

            #[inline(always)]
            fn count(self, count: Self::Vector, bits: Self::Vector) -> Self::Vector {
                Self::map(count, bits, |count, bits| count.wrapping_add(bits.count_ones() as $lane))
            }

            #[inline(always)]
            fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                Self::map(a, b, |a, b| a.min(b))
            }

            #[inline(always)]
            fn least(self, vector: Self::Vector) -> u32 {
                vector.into_iter().fold(<$lane>::MAX, |a, b| a.min(b)) as u32 & $none
            }

            #[inline(always)]
            fn equal(self, vector: Self::Vector, value: u32) -> u64 {
                let bytes = vector.map(|lane| u8::from(lane == value as $lane));
                let mut equal = 0;
                for (i, eight) in bytes.chunks_exact(8).enumerate() {
                    let eight = u64::from_le_bytes(eight.try_into().expect("there are 8"));
                    // The product gathers the lowest bits of the eight bytes in the top byte.
                    equal |= eight.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * i);
                }
                equal
            }
        }
    };
}

define_lanes!(Lanes8, u8, 64, 0xff);
define_lanes!(Lanes16, u16, 32, 0xffff);
define_lanes!(Lanes32, u32, 16, 0xffff);
define_lanes!(Lanes64, u64, 8, 0xffff);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl Products for Plain {
    type Shorts = [i16; NUMBERS];
    type Words = [i32; NUMBERS];
    type Longs = [i64; NUMBERS];

    #[inline(always)]
    fn shorts(self, block: &Block) -> Self::Shorts {
        std::array::from_fn(|lane| (block.0[lane / 4] >> (lane % 4 * 16)) as i16)
    }

    #[inline(always)]
    fn put(self, numbers: Self::Shorts, block: &mut Block) {
        for (word, four) in block.0.iter_mut().zip(numbers.chunks_exact(4)) {
            *word = four.iter().rev().fold(0, |word, &number| word << 16 | u64::from(number as u16));
        }
    }

    #[inline(always)]
    fn splat(self, number: i16) -> Self::Shorts {
        [number; NUMBERS]
    }

    #[inline(always)]
    fn sum(self, a: Self::Shorts, b: Self::Shorts) -> Self::Shorts {
        std::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }

    #[inline(always)]
    fn times(self, a: Self::Shorts, b: Self::Shorts) -> Self::Shorts {
        std::array::from_fn(|lane| a[lane].wrapping_mul(b[lane]))
    }

    #[inline(always)]
    fn words(self, a: Self::Shorts, b: Self::Shorts) -> Self::Words {
        std::array::from_fn(|lane| i32::from(a[lane]) * i32::from(b[lane]))
    }

    #[inline(always)]
    fn spread(self, numbers: Self::Words) -> Self::Longs {
        numbers.map(i64::from)
    }

    #[inline(always)]
    fn low_products(self, a: Self::Longs, b: Self::Longs) -> Self::Longs {
        std::array::from_fn(|lane| i64::from(a[lane] as i32) * i64::from(b[lane] as i32))
    }

    #[inline(always)]
    fn high(self, numbers: Self::Longs) -> Self::Longs {
        numbers.map(|number| number.wrapping_add(1 << 31) >> 32)
    }

    #[inline(always)]
    fn high25(self, numbers: Self::Longs) -> Self::Longs {
        numbers.map(|number| number.wrapping_add(1 << 24) >> 25)
    }

    #[inline(always)]
    fn low25(self, numbers: Self::Longs) -> Self::Longs {
        numbers.map(|number| number << 39 >> 39)
    }

    #[inline(always)]
    fn raise(self, numbers: Self::Longs) -> Self::Longs {
        numbers.map(|number| number << 32)
    }

    #[inline(always)]
    fn add(self, a: Self::Longs, b: Self::Longs) -> Self::Longs {
        std::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }

    #[inline(always)]
    fn negate(self, numbers: Self::Longs) -> Self::Longs {
        numbers.map(i64::wrapping_neg)
    }

    #[inline(always)]
    fn zeros(self) -> Self::Longs {
        [0; NUMBERS]
    }

    #[inline(always)]
    fn get(self, numbers: Self::Longs) -> [i64; NUMBERS] {
        numbers
    }
}
