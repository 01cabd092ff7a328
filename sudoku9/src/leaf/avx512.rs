//! The leaf for AVX-512: 32 searches at once, any function of three words in one instruction.
#![allow(unsafe_code, reason = "vector instructions, used only where there is a register of them")]

use std::arch::x86_64::*;

use super::vector::{Vector, Words, operations};
use crate::model::board::{Board, COPIED, ORIGINAL};

/// Tells whether the processor has the instructions of this leaf and of `avx512vl`.
pub(crate) fn is_available() -> bool {
    // All that this leaf and `avx512vl` use.
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("bmi2")
}

/// 32 lanes.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct X32(__m512i);

/// Implements functions of three words, of which `$logic` is any: bit 4a + 2b + c of its table is the value
/// for the bits a, b and c.
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
            // Bits enter from another word: of the double, whose bit 15 is the highest of the 15.
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
    type Order = __m512i;

    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: all bits zero are a register. That the processor has its instructions is what the caller answers for.
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

/// Where the character of each place stands in a line: slot by slot, in a slot stack by stack.
static CELLS: [u8; 128] = {
    let mut cells = [127; 128];
    let mut at = 0;
    while at < 81 {
        let (slot, stack, band) = (at / 9, at % 9 / 3, at % 3);
        cells[at] = (9 * (3 * band + slot / 3) + 3 * stack + slot % 3) as u8;
        at += 1;
    }
    cells
};

/// The place of each character.
static PLACES: [u8; 128] = {
    let mut places = [127; 128];
    let mut at = 0;
    while at < 81 {
        places[CELLS[at] as usize] = at as u8;
        at += 1;
    }
    places
};

/// The bits of four words that are not copies.
const ORIGINALS: u64 = ORIGINAL as u64 * 0x0001_0001_0001_0001;
/// The bits of four words that have copies.
const COPIED_BITS: u64 = COPIED as u64 * 0x0001_0001_0001_0001;

/// Does what [`Board::from_line`] does: puts the characters in the order of the words, compares them with
/// each digit, and spreads the bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2")]
pub(crate) fn read_line(text: &[u8; 81], board: &mut Board) {
    // Nine bits of a slot each, with copies.
    let spread = |bits: u64| {
        let once = _pdep_u64(bits, ORIGINALS);
        once | (once & COPIED_BITS) << 3
    };
    // SAFETY: 64 and 17 bytes of the text, all 128 of the table.
    let (low, high, order) = unsafe {
        let low = _mm512_loadu_si512(text.as_ptr().cast());
        let high = _mm512_maskz_loadu_epi8((1 << 17) - 1, text.as_ptr().add(64).cast());
        let order = CELLS.as_ptr().cast::<__m512i>();
        (low, high, [_mm512_loadu_si512(order), _mm512_loadu_si512(order.add(1))])
    };
    let [a, b] = order.map(|order| _mm512_permutex2var_epi8(low, order, high));
    let is_blank = |text| {
        let digit = _mm512_sub_epi8(text, _mm512_set1_epi8(b'1'.cast_signed()));
        _mm512_cmpge_epu8_mask(digit, _mm512_set1_epi8(9))
    };
    let (blank_a, blank_b) = (is_blank(a), is_blank(b));
    for (digit, words) in (b'1'..=b'9').zip(board.0.as_chunks_mut::<9>().0) {
        let digit = _mm512_set1_epi8(digit.cast_signed());
        let a = _mm512_cmpeq_epi8_mask(a, digit) | blank_a;
        let b = _mm512_cmpeq_epi8_mask(b, digit) | blank_b;
        let fours = [spread(a), spread(a >> 36 | b << 28)];
        for (words, four) in words.as_chunks_mut::<4>().0.iter_mut().zip(fours) {
            *words = std::array::from_fn(|slot| (four >> (16 * slot)) as u16);
        }
        words[8] = spread(b >> 8 & 0x1ff) as u16;
    }
}

/// Does what [`Board::write_line`] does: gathers the bits of each digit, puts the digit where they are, and
/// the characters in the order of the cells.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2")]
pub(crate) fn write_line(board: &Board, text: &mut [u8; 81]) {
    let point = _mm512_set1_epi8(b'.'.cast_signed());
    let (mut a, mut b) = (point, point);
    // The places that have a digit, and those that have more than one.
    let (mut once, mut more) = ([0; 2], [0; 2]);
    for (digit, words) in (b'1'..=b'9').zip(board.0.as_chunks::<9>().0) {
        let four =
            |words: &[u16]| words.iter().rev().fold(0, |four, &word| four << 16 | u64::from(word));
        let gather = |words: &[u16]| _pext_u64(four(words), ORIGINALS);
        let (low, middle, high) = (gather(&words[..4]), gather(&words[4..8]), gather(&words[8..]));
        let places = [low | middle << 36, middle >> 28 | high << 8];
        let digit = _mm512_set1_epi8(digit.cast_signed());
        a = _mm512_mask_mov_epi8(a, places[0], digit);
        b = _mm512_mask_mov_epi8(b, places[1], digit);
        for half in 0..2 {
            more[half] |= once[half] & places[half];
            once[half] |= places[half];
        }
    }
    a = _mm512_mask_mov_epi8(a, more[0], point);
    b = _mm512_mask_mov_epi8(b, more[1], point);
    // SAFETY: all 128 bytes of the table, 64 and 17 of the text.
    unsafe {
        let order = PLACES.as_ptr().cast::<__m512i>();
        let low = _mm512_permutex2var_epi8(a, _mm512_loadu_si512(order), b);
        let high = _mm512_permutex2var_epi8(a, _mm512_loadu_si512(order.add(1)), b);
        _mm512_storeu_si512(text.as_mut_ptr().cast(), low);
        _mm512_mask_storeu_epi8(text.as_mut_ptr().add(64).cast(), (1 << 17) - 1, high);
    }
}
