//! The code for AVX2, which searches 16 grids at once and reads and writes lines.
#![allow(unsafe_code, reason = "vector instructions, used only where there is a register of them")]

use std::arch::x86_64::*;

use super::vector::{Nine, Vector, Words, operations};
use crate::model::board::Board;

pub(crate) fn is_available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2")
}

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct X16(__m256i);

macro_rules! words_by_avx2 {
    () => {
        operations! {
            fn splat(self, word: u16) -> Self {
                Self(_mm256_set1_epi16(word.cast_signed()))
            }

            fn and(self, b: Self) -> Self {
                Self(_mm256_and_si256(self.0, b.0))
            }

            fn not_and(self, b: Self) -> Self {
                Self(_mm256_andnot_si256(self.0, b.0))
            }

            fn or(self, b: Self) -> Self {
                Self(_mm256_or_si256(self.0, b.0))
            }

            fn xor(self, b: Self) -> Self {
                Self(_mm256_xor_si256(self.0, b.0))
            }

            fn up<const N: u32>(self) -> Self {
                Self(_mm256_sll_epi16(self.0, _mm_cvtsi32_si128(N.cast_signed())))
            }

            fn down<const N: u32>(self) -> Self {
                Self(_mm256_srl_epi16(self.0, _mm_cvtsi32_si128(N.cast_signed())))
            }
        }
    };
}

/// Implements the operations of [`Vector`] where AVX2 has the best instructions.
macro_rules! by_avx2 {
    () => {
        operations! {
            fn lowest(self) -> Self {
                self.and(Self(_mm256_sub_epi16(_mm256_setzero_si256(), self.0)))
            }

            fn store_first(self, to: &mut [u16; 8]) {
                _mm_storeu_si128(to.as_mut_ptr().cast(), _mm256_castsi256_si128(self.0));
            }
        }
    };
}

/// Returns the byte shuffle that permutes lanes within each group; `lanes` has the source lane of
/// each lane of a group.
pub(super) const fn within(lanes: [u8; 3]) -> [u8; 32] {
    let mut bytes = [0x80; 32];
    let mut at = 0;
    while at < 32 {
        let lane = at / 2 % 4;
        if lane < 3 {
            bytes[at] = (at / 8 % 2 * 8) as u8 + 2 * lanes[lane] + (at % 2) as u8;
        }
        at += 1;
    }
    bytes
}

macro_rules! nine_by_avx2 {
    () => {
        #[inline(always)]
        unsafe fn zero() -> Self {
            // SAFETY: a register with all bits zero is valid. The caller guarantees that the
            // processor has the instructions.
            unsafe { std::mem::zeroed() }
        }

        operations! {
            fn of_words(self, words: &[u16; 16]) -> Self {
                Self(_mm256_loadu_si256(words.as_ptr().cast()))
            }

            fn of_board(self, board: &Board) -> [Self; 9] {
                // This code avoids closures, because a closure would be compiled without AVX2
                // instructions (see `rules`).
                let [a, b, c, d, e, f, g, h, i] = board.0.as_chunks::<9>().0 else { unreachable!() };
                let zero = _mm256_setzero_si256();
                macro_rules! eight {
                    ($low:ident) => {
                        _mm256_zextsi128_si256(_mm_loadu_si128($low.as_ptr().cast()))
                    };
                    ($low:ident, $high:ident) => {
                        _mm256_inserti128_si256::<1>(eight!($low), _mm_loadu_si128($high.as_ptr().cast()))
                    };
                }
                let mut slots = [self; 9];
                let (ag, bh, ci) = (eight!(a, g), eight!(b, h), eight!(c, i));
                let (d0, e0, f0) = (eight!(d), eight!(e), eight!(f));
                let outer = [
                    (_mm256_unpacklo_epi16(ag, bh), _mm256_unpacklo_epi16(ci, zero)),
                    (_mm256_unpackhi_epi16(ag, bh), _mm256_unpackhi_epi16(ci, zero)),
                ];
                let inner = [
                    (_mm256_unpacklo_epi16(d0, e0), _mm256_unpacklo_epi16(f0, zero)),
                    (_mm256_unpackhi_epi16(d0, e0), _mm256_unpackhi_epi16(f0, zero)),
                ];
                for at in 0..2 {
                    let ((ab, c), (de, f)) = (outer[at], inner[at]);
                    let (x, y) = (_mm256_unpacklo_epi32(ab, c), _mm256_unpacklo_epi32(de, f));
                    slots[4 * at] = Self(_mm256_unpacklo_epi64(x, y));
                    slots[4 * at + 1] = Self(_mm256_unpackhi_epi64(x, y));
                    let (x, y) = (_mm256_unpackhi_epi32(ab, c), _mm256_unpackhi_epi32(de, f));
                    slots[4 * at + 2] = Self(_mm256_unpacklo_epi64(x, y));
                    slots[4 * at + 3] = Self(_mm256_unpackhi_epi64(x, y));
                }
                let last = [a[8], b[8], c[8], 0, d[8], e[8], f[8], 0, g[8], h[8], i[8], 0, 0, 0, 0, 0];
                slots[8] = self.of_words(&last);
                slots
            }

            fn words(self) -> [u16; 16] {
                let mut words = [0; 16];
                _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0);
                words
            }

            fn spin<const N: u32>(self) -> Self {
                let order = const { within([N as u8 % 3, (N as u8 + 1) % 3, (N as u8 + 2) % 3]) };
                Self(_mm256_shuffle_epi8(self.0, _mm256_loadu_si256(order.as_ptr().cast())))
            }

            fn ring<const N: u32>(self) -> Self {
                match N {
                    1 => Self(_mm256_permute4x64_epi64::<0b11_00_10_01>(self.0)),
                    _ => Self(_mm256_permute4x64_epi64::<0b11_01_00_10>(self.0)),
                }
            }

            fn nth<const N: u32>(self) -> Self {
                let order = const { within([N as u8; 3]) };
                Self(_mm256_shuffle_epi8(self.0, _mm256_loadu_si256(order.as_ptr().cast())))
            }

            fn pick(self, b: Self, c: Self) -> Self {
                let ab = _mm256_blend_epi16::<0b0010_0010>(self.0, b.0);
                Self(_mm256_blend_epi16::<0b0100_0100>(ab, c.0))
            }

            fn some(self) -> Self {
                let zero = _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256());
                Self(zero).not_and(self.splat(u16::MAX))
            }

            fn is_zero(self) -> bool {
                _mm256_testz_si256(self.0, self.0) == 1
            }

            fn group(self) -> u64 {
                _mm_cvtsi128_si64(_mm256_castsi256_si128(self.0)).cast_unsigned()
            }

            fn first_with(self, word: u16) -> usize {
                let without = _mm256_cmpeq_epi16(self.and(self.splat(word)).0, _mm256_setzero_si256());
                (!_mm256_movemask_epi8(without)).trailing_zeros() as usize / 2
            }
        }
    };
}

pub(crate) use {by_avx2, nine_by_avx2, words_by_avx2};

impl Words for X16 {
    words_by_avx2!();
}

impl Nine for X16 {
    nine_by_avx2!();
}

// SAFETY: a register is 16 words.
unsafe impl Vector for X16 {
    const LANES: usize = 16;
    const REGISTERS: usize = 16;
    type Order = (__m256i, __m256i);

    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: a register with all bits zero is valid. The caller guarantees that the processor
        // has the instructions.
        unsafe { std::mem::zeroed() }
    }

    operations! {
        fn nonzero(self) -> Self {
            let zero = _mm256_cmpeq_epi16(self.0, _mm256_setzero_si256());
            Self(zero).not_and(self.splat(u16::MAX))
        }

        fn of_mask(self, mask: u32) -> Self {
            let bits = std::array::from_fn::<u16, 16, _>(|lane| 1 << lane);
            let bits = _mm256_loadu_si256(bits.as_ptr().cast());
            let mine = self.splat(mask as u16).and(Self(bits));
            Self(_mm256_cmpeq_epi16(mine.0, bits))
        }

        fn equal(self, b: Self) -> u32 {
            let bytes = _mm256_movemask_epi8(_mm256_cmpeq_epi16(self.0, b.0)).cast_unsigned();
            _pext_u32(bytes, 0xaaaa_aaaa)
        }

        fn order(self, source: &[u8; 32]) -> (__m256i, __m256i) {
            const ELSEWHERE: u8 = 0x80;
            let bytes = |from_same: bool| -> [u8; 32] {
                std::array::from_fn(|at| {
                    let lane = source[at / 2] % 16;
                    let is_same = usize::from(lane / 8) == at / 16;
                    if is_same == from_same { lane % 8 * 2 + (at % 2) as u8 } else { ELSEWHERE }
                })
            };
            let (same, other) = (bytes(true), bytes(false));
            let load = |bytes: &[u8; 32]| _mm256_loadu_si256(bytes.as_ptr().cast());
            (load(&same), load(&other))
        }

        fn deal(self, order: &(__m256i, __m256i)) -> Self {
            let swapped = _mm256_permute4x64_epi64::<0b01_00_11_10>(self.0);
            let same = _mm256_shuffle_epi8(self.0, order.0);
            Self(_mm256_or_si256(same, _mm256_shuffle_epi8(swapped, order.1)))
        }
    }

    by_avx2!();
}

/// For each band, and each bit of the first two slots of a row of a box: the column of its
/// character in the line. Bits of other bands get zero.
static FIRST_TWO: [[u8; 32]; 3] = [characters([0, 1], 0), characters([0, 1], 1), characters([0, 1], 2)];
/// The same table for the third slot of a row, in two rows of a box.
static LAST: [[u8; 32]; 3] = [characters([2, 2], 0), characters([2, 2], 1), characters([2, 2], 2)];

const fn characters(columns: [usize; 2], band: usize) -> [u8; 32] {
    let mut characters = [0x80; 32];
    let mut at = 0;
    while at < 32 {
        let bit = at % 16;
        if bit < 15 && bit % 5 % 3 == band {
            characters[at] = (bit / 5 * 3 + columns[at / 16]) as u8;
        }
        at += 1;
    }
    characters
}

/// Returns the digits of the cells in the order of their bits, with two slots per register: slots 0
/// and 1, 3 and 4, 6 and 7, 2 and 5, and slot 8 twice. Digits 1 to 9 become 0 to 8; blanks become
/// larger values.
#[inline]
#[target_feature(enable = "avx2")]
fn digits(text: &[u8; 81]) -> [__m256i; 5] {
    let table = |bytes: &[u8; 32]| {
        // SAFETY: a table has the size of a register.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    };
    let rows: [__m128i; 9] = std::array::from_fn(|row| {
        // A read must not cross the end of the text, so the last row is the end of the last 16
        // bytes.
        let at = (9 * row).min(81 - 16);
        // SAFETY: reads 16 of the 81 bytes of the text, at an index of at most 65.
        let bytes = unsafe { _mm_loadu_si128(text.as_ptr().add(at).cast()) };
        if row == 8 { _mm_srli_si128::<7>(bytes) } else { bytes }
    });
    let pair = |tables: &[[u8; 32]; 3], a: usize, b: usize| {
        let [x, y, z] = std::array::from_fn(|band| {
            let both = _mm256_set_m128i(rows[3 * band + b], rows[3 * band + a]);
            _mm256_shuffle_epi8(both, table(&tables[band]))
        });
        let characters = _mm256_or_si256(_mm256_or_si256(x, y), z);
        _mm256_sub_epi8(characters, _mm256_set1_epi8(b'1'.cast_signed()))
    };
    [
        pair(&FIRST_TWO, 0, 0),
        pair(&FIRST_TWO, 1, 1),
        pair(&FIRST_TWO, 2, 2),
        pair(&LAST, 0, 1),
        pair(&LAST, 2, 2),
    ]
}

/// For each digit from 0 to 7 one bit; digit 8 has a bit in the second table.
static ONE_HOT: [[u8; 16]; 2] = [
    [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
];

/// The bits of a slot that are not copies.
static BEFORE_BANDS: [u8; 16] = {
    let mut before = [0; 16];
    let mut bit = 0;
    while bit < 15 {
        if bit % 5 < 3 {
            before[bit] = u8::MAX;
        }
        bit += 1;
    }
    before
};

/// Returns whether two clues clash, that is, a digit is twice in a row, a column or a box. The
/// argument is the result of [`digits`].
///
/// Each cell is a byte with a bit for its digit. Boxes are compared slot by slot. The slots of a
/// row or column are combined, and then compared with the next stack or band. Nine digits would
/// need two bytes per cell, so the digit 9 is compared separately.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
pub(crate) fn clashes(digits: [__m256i; 5]) -> bool {
    let or = |a: __m256i, b: __m256i| _mm256_or_si256(a, b);
    let or3 = |a: __m256i, b: __m256i, c: __m256i| or(or(a, b), c);
    let both = |a: __m256i, b: __m256i| _mm256_and_si256(a, b);
    let swapped = |a: __m256i| _mm256_permute4x64_epi64::<0b01_00_11_10>(a);
    let twofold = |bytes: &[u8; 16]| {
        // SAFETY: reads all 16 bytes of the array.
        _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    };
    let digits = digits.map(|digit| _mm256_min_epu8(digit, _mm256_set1_epi8(15)));
    let mut twice = _mm256_setzero_si256();
    for bits in &ONE_HOT {
        let bits = twofold(bits);
        let [first, second, third, last, ninth] = digits.map(|digit| _mm256_shuffle_epi8(bits, digit));
        let ninth = _mm256_zextsi128_si256(_mm256_castsi256_si128(ninth));
        let mut any = first;
        for slots in [second, third, last, ninth] {
            twice = or(twice, both(any, slots));
            any = or(any, slots);
        }
        twice = or(twice, both(any, swapped(any)));
        let low = _mm256_permute2x128_si256::<0x20>(first, second);
        let high = _mm256_permute2x128_si256::<0x31>(first, second);
        for row in [or3(low, high, last), or3(third, swapped(third), ninth)] {
            let stacks = or(_mm256_bsrli_epi128::<5>(row), _mm256_bsrli_epi128::<10>(row));
            twice = or(twice, both(row, stacks));
        }
        for column in [or3(first, second, third), or3(last, swapped(last), ninth)] {
            let bands = or(_mm256_bsrli_epi128::<1>(column), _mm256_bsrli_epi128::<2>(column));
            twice = or(twice, both(both(column, bands), twofold(&BEFORE_BANDS)));
        }
    }
    _mm256_testz_si256(twice, twice) == 0
}

/// Reads a board like [`Board::read_line`]. Sorts the characters of two slots in the order of
/// their bits, and compares them with each digit.
#[target_feature(enable = "avx2,bmi2")]
pub(crate) fn read_line(text: &[u8; 81], board: &mut Board) -> bool {
    const SLOTS: [(usize, usize); 5] = [(0, 1), (3, 4), (6, 7), (2, 5), (8, 8)];
    let digits = digits(text);
    if clashes(digits) {
        *board = Board::EMPTY;
        return false;
    }
    for (digit, (a, b)) in digits.into_iter().zip(SLOTS) {
        let is_blank = _mm256_cmpeq_epi8(_mm256_max_epu8(digit, _mm256_set1_epi8(9)), digit);
        let blanks = _mm256_movemask_epi8(is_blank) & 0x7fff_7fff;
        for (at, words) in board.0.as_chunks_mut::<9>().0.iter_mut().enumerate() {
            let is_digit = _mm256_cmpeq_epi8(digit, _mm256_set1_epi8(at as i8));
            let both = _mm256_movemask_epi8(is_digit) | blanks;
            (words[a], words[b]) = (both as u16, (both >> 16) as u16);
        }
    }
    true
}

/// The first cells of three ranges of 32 cells each; the last two ranges overlap.
const THIRDS: [usize; 3] = [0, 32, 81 - 32];

/// For each cell of each range: the index of the byte with its bit in the first eight words, the
/// index in the ninth word, and the bit.
static BITS: [[[u8; 32]; 3]; 3] = {
    let mut bits = [[[0x80; 32], [0x80; 32], [0; 32]]; 3];
    let mut at = 0;
    while at < 96 {
        let (third, place) = (at / 32, at % 32);
        let cell = THIRDS[third] + place;
        let (row, column) = (cell / 9, cell % 9);
        let (slot, bit) = (row % 3 * 3 + column % 3, column / 3 * 5 + row / 3);
        bits[third][slot / 8][place] = (slot % 8 * 2 + bit / 8) as u8;
        bits[third][2][place] = 1 << (bit % 8);
        at += 1;
    }
    bits
};

/// Writes a board like [`Board::write_line`]. Builds four bit planes of the digits in binary, with
/// nine words each, and extracts the bits of each cell.
#[target_feature(enable = "avx2,bmi2")]
pub(crate) fn write_line(board: &Board, text: &mut [u8; 81]) {
    // The cells with a digit, the cells with several digits, and for each of four bits the cells
    // whose digit has this bit. Each is eight words and a ninth.
    let zero = (_mm_setzero_si128(), 0);
    let (mut once, mut more, mut binary) = (zero, zero, [zero; 4]);
    let or = |a: (__m128i, u16), b: (__m128i, u16)| (_mm_or_si128(a.0, b.0), a.1 | b.1);
    for (digit, words) in (1..=9).zip(board.0.as_chunks::<9>().0) {
        // SAFETY: reads eight of the nine words of the digit.
        let words = (unsafe { _mm_loadu_si128(words.as_ptr().cast()) }, words[8]);
        more = or(more, (_mm_and_si128(once.0, words.0), once.1 & words.1));
        once = or(once, words);
        for (bit, plane) in binary.iter_mut().enumerate() {
            if digit >> bit & 1 == 1 {
                *plane = or(*plane, words);
            }
        }
    }
    let single = (_mm_andnot_si128(more.0, once.0), once.1 & !more.1);
    for (first, tables) in THIRDS.into_iter().zip(&BITS) {
        // SAFETY: a table has the size of a register.
        let table = |at: usize| unsafe { _mm256_loadu_si256(tables[at].as_ptr().cast()) };
        let has = |plane: (__m128i, u16)| {
            let eight = _mm256_broadcastsi128_si256(_mm_and_si128(plane.0, single.0));
            let ninth = _mm256_set1_epi16((plane.1 & single.1).cast_signed());
            let bytes = _mm256_or_si256(
                _mm256_shuffle_epi8(eight, table(0)),
                _mm256_shuffle_epi8(ninth, table(1)),
            );
            _mm256_cmpeq_epi8(_mm256_and_si256(bytes, table(2)), table(2))
        };
        let [point, none] = [b'.', b'0'].map(|byte| _mm256_set1_epi8(byte.cast_signed()));
        let mut digits = _mm256_blendv_epi8(point, none, has(single));
        for (bit, plane) in binary.into_iter().enumerate() {
            let value = _mm256_and_si256(has(plane), _mm256_set1_epi8(1 << bit));
            digits = _mm256_add_epi8(digits, value);
        }
        // SAFETY: writes 32 bytes inside the text, for every value of `first`.
        unsafe { _mm256_storeu_si256(text.as_mut_ptr().add(first).cast(), digits) };
    }
}
