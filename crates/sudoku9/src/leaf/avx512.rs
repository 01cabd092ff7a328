//! The code for AVX-512, which searches 32 grids at once. One instruction computes any Boolean
//! function of three words.
#![allow(unsafe_code, reason = "vector instructions, used only where there is a register of them")]

use std::arch::x86_64::*;

use super::avx2::clashes;
use super::vector::{Vector, Words, operations};
use crate::model::board::{Board, FULL};

/// Returns whether the processor has the instructions that this module and the module `avx512vl`
/// use.
pub(crate) fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi2")
}

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct X32(__m512i);

/// Implements functions of three words by the instruction `$logic`. Bit 4a + 2b + c of the table is
/// the value of the function for the bits a, b and c.
macro_rules! ternary {
    ($logic:ident: $($name:ident by $table:literal),+) => {
        operations! {
            $(
                fn $name(self, b: Self, c: Self) -> Self {
                    Self($logic::<$table>(self.0, b.0, c.0))
                }
            )+
        }
    };
    ($logic:ident) => {
        ternary! { $logic:
            or3 by 0b1111_1110,
            odd by 0b1001_0110,
            most by 0b1110_1000,
            just_one by 0b0001_0110,
            and_or by 0b1110_1010,
            unless by 0b1011_0000,
            or_differ by 0b1111_0110,
            select by 0b1100_1010
        }
    };
}

pub(crate) use ternary;

impl Words for X32 {
    operations! {
        fn splat(self, word: u16) -> Self {
            Self(_mm512_set1_epi16(word.cast_signed()))
        }

        fn and(self, b: Self) -> Self {
            Self(_mm512_and_si512(self.0, b.0))
        }

        fn not_and(self, b: Self) -> Self {
            Self(_mm512_andnot_si512(self.0, b.0))
        }

        fn or(self, b: Self) -> Self {
            Self(_mm512_or_si512(self.0, b.0))
        }

        fn xor(self, b: Self) -> Self {
            Self(_mm512_xor_si512(self.0, b.0))
        }

        fn up<const N: u32>(self) -> Self {
            Self(_mm512_slli_epi16::<N>(self.0))
        }

        fn down<const N: u32>(self) -> Self {
            Self(_mm512_srli_epi16::<N>(self.0))
        }

        fn turn(self) -> (Self, Self) {
            // The shift takes its low bits from the top of the doubled word, whose bit 15 is the
            // highest of the 15 bits of the word.
            let double = _mm512_add_epi16(self.0, self.0);
            let by_five = _mm512_shldi_epi16::<5>(self.0, double);
            (Self(by_five), Self(_mm512_shldi_epi16::<10>(self.0, double)))
        }
    }

    ternary!(_mm512_ternarylogic_epi64);
}

// SAFETY: a register is 32 words.
unsafe impl Vector for X32 {
    const LANES: usize = 32;
    const REGISTERS: usize = 32;
    type Order = __m512i;

    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: a register with all bits zero is valid. The caller guarantees that the processor
        // has the instructions.
        unsafe { std::mem::zeroed() }
    }

    operations! {
        fn lowest(self) -> Self {
            self.and(Self(_mm512_sub_epi16(_mm512_setzero_si512(), self.0)))
        }

        fn nonzero(self) -> Self {
            Self(_mm512_movm_epi16(_mm512_test_epi16_mask(self.0, self.0)))
        }

        fn of_mask(self, mask: u32) -> Self {
            Self(_mm512_movm_epi16(mask))
        }

        fn equal(self, b: Self) -> u32 {
            _mm512_cmpeq_epi16_mask(self.0, b.0)
        }

        fn order(self, source: &[u8; 32]) -> __m512i {
            _mm512_cvtepu8_epi16(_mm256_loadu_si256(source.as_ptr().cast()))
        }

        fn deal(self, order: &__m512i) -> Self {
            Self(_mm512_permutexvar_epi16(*order, self.0))
        }

        fn store_first(self, to: &mut [u16; 8]) {
            _mm_storeu_si128(to.as_mut_ptr().cast(), _mm512_castsi512_si128(self.0));
        }
    }
}

/// For each bit of each slot, the index of its character in the line. There are 16 bits per slot,
/// one of them unused.
static CHARACTERS: [u8; 192] = {
    let mut characters = [127; 192];
    let mut cell = 0;
    while cell < 81 {
        let (slot, bit) = place(cell);
        characters[16 * slot + bit] = cell as u8;
        if bit % 5 < 2 {
            characters[16 * slot + bit + 3] = cell as u8;
        }
        cell += 1;
    }
    characters
};

/// For each cell, the index of the byte that has its bit (among the bytes of nine words), and the
/// bit.
static BITS: [[u8; 128]; 2] = {
    let mut bits = [[127; 128], [0; 128]];
    let mut cell = 0;
    while cell < 81 {
        let (slot, bit) = place(cell);
        bits[0][cell] = (2 * slot + bit / 8) as u8;
        bits[1][cell] = 1 << (bit % 8);
        cell += 1;
    }
    bits
};

const fn place(cell: usize) -> (usize, usize) {
    let (row, column) = (cell / 9, cell % 9);
    (row % 3 * 3 + column % 3, column / 3 * 5 + row / 3)
}

const FULLS: u64 = FULL as u64 * 0x0001_0001_0001_0001;

/// Returns the slots in the order of `avx2::digits`.
#[inline]
#[target_feature(enable = "avx512f")]
fn paired([low, middle, last]: [__m512i; 3]) -> [__m256i; 5] {
    let first = _mm512_castsi512_si256(low);
    let second = _mm512_castsi512_si256(_mm512_alignr_epi64::<6>(middle, low));
    let third = _mm512_extracti64x4_epi64::<1>(middle);
    let others = _mm512_permutex2var_epi64(low, _mm512_setr_epi64(4, 5, 10, 11, 4, 5, 10, 11), middle);
    let ninth = _mm256_broadcastsi128_si256(_mm512_castsi512_si128(last));
    [first, second, third, _mm512_castsi512_si256(others), ninth]
}

/// Reads a board like [`Board::read_line`]. Sorts the characters in the order of their bits, so
/// that one comparison with a digit yields four words.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2")]
pub(crate) fn read_line(text: &[u8; 81], board: &mut Board) -> bool {
    // SAFETY: reads 64 and 17 bytes of the text (81 bytes), and all 192 bytes of the table.
    let (low, high, order) = unsafe {
        let low = _mm512_loadu_si512(text.as_ptr().cast());
        let high = _mm512_maskz_loadu_epi8((1 << 17) - 1, text.as_ptr().add(64).cast());
        let order = CHARACTERS.as_ptr().cast::<__m512i>();
        let order = |third| _mm512_loadu_si512(order.add(third));
        (low, high, [order(0), order(1), order(2)])
    };
    let thirds = order.map(|order| _mm512_permutex2var_epi8(low, order, high));
    let digits = thirds.map(|text| _mm512_sub_epi8(text, _mm512_set1_epi8(b'1'.cast_signed())));
    if clashes(paired(digits)) {
        *board = Board::EMPTY;
        return false;
    }
    let blanks = digits.map(|digit| _mm512_cmpge_epu8_mask(digit, _mm512_set1_epi8(9)) & FULLS);
    for (digit, words) in (b'1'..=b'9').zip(board.0.as_chunks_mut::<9>().0) {
        let digit = _mm512_set1_epi8(digit.cast_signed());
        let four = |third: usize| _mm512_cmpeq_epi8_mask(thirds[third], digit) | blanks[third];
        for (third, words) in words.chunks_mut(4).enumerate() {
            let four = four(third);
            for (slot, word) in words.iter_mut().enumerate() {
                *word = (four >> (16 * slot)) as u16;
            }
        }
    }
    true
}

/// Writes a board like [`Board::write_line`]. Builds four bit planes of the digits in binary, with
/// nine words each, and extracts the bits of each cell.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2")]
pub(crate) fn write_line(board: &Board, text: &mut [u8; 81]) {
    let zero = _mm256_setzero_si256();
    let (mut once, mut more, mut binary) = (zero, zero, [zero; 4]);
    for (digit, words) in (1..=9).zip(board.0.as_chunks::<9>().0) {
        // SAFETY: the mask limits the read to the nine words of the digit.
        let words = unsafe { _mm256_maskz_loadu_epi16(0x1ff, words.as_ptr().cast()) };
        more = _mm256_or_si256(more, _mm256_and_si256(once, words));
        once = _mm256_or_si256(once, words);
        for (bit, plane) in binary.iter_mut().enumerate() {
            if digit >> bit & 1 == 1 {
                *plane = _mm256_or_si256(*plane, words);
            }
        }
    }
    let single = _mm256_andnot_si256(more, once);
    // SAFETY: reads all 128 bytes of each table, and writes 64 and 17 bytes of the text (81 bytes).
    unsafe {
        let half = |at: usize| {
            let table = |table: usize| _mm512_loadu_si512(BITS[table].as_ptr().add(64 * at).cast());
            let (byte, bit) = (table(0), table(1));
            let has = |plane| {
                let plane = _mm512_castsi256_si512(_mm256_and_si256(plane, single));
                _mm512_test_epi8_mask(_mm512_permutexvar_epi8(byte, plane), bit)
            };
            let point = _mm512_set1_epi8(b'.'.cast_signed());
            let text = _mm512_mask_mov_epi8(point, has(single), _mm512_set1_epi8(b'0'.cast_signed()));
            let add = |text, bit: usize| {
                let value = _mm512_set1_epi8(1 << bit);
                _mm512_mask_add_epi8(text, has(binary[bit]), text, value)
            };
            add(add(add(add(text, 0), 1), 2), 3)
        };
        _mm512_storeu_si512(text.as_mut_ptr().cast(), half(0));
        _mm512_mask_storeu_epi8(text.as_mut_ptr().add(64).cast(), (1 << 17) - 1, half(1));
    }
}
