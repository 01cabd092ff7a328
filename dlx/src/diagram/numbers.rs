//! Natural numbers as 64-bit limbs, lowest limb first, stored in one array.
//!
//! Each number has only as many limbs as it needs (0 has no limbs), because most nodes of a diagram
//! are near its end and have small counts.

use std::cmp::Ordering;

#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    limbs: Vec<u64>,
    ends: Vec<u32>,
}

impl Numbers {
    pub(super) fn get(&self, index: u32) -> &[u64] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.limbs[start as usize..self.ends[index as usize] as usize]
    }

    pub(super) fn push(&mut self, number: &[u64]) {
        self.limbs.extend_from_slice(number);
        self.end();
    }

    pub(super) fn push_sum(&mut self, a: u32, b: u32) {
        let [mut long, mut short] = [a, b].map(|index| {
            let start = index.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
            start as usize..self.ends[index as usize] as usize
        });
        if long.len() < short.len() {
            std::mem::swap(&mut long, &mut short);
        }
        let mut carry = false;
        for place in 0..long.len() {
            let more = if place < short.len() { self.limbs[short.start + place] } else { 0 };
            let (sum, first) = self.limbs[long.start + place].overflowing_add(more);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            self.limbs.push(sum);
        }
        if carry {
            self.limbs.push(1);
        }
        self.end();
    }

    fn end(&mut self) {
        let end = self.limbs.len().try_into();
        self.ends.push(end.expect("the bytes of a diagram are limited so that places have 32 bits"));
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.limbs.capacity() + 4 * self.ends.capacity()
    }
}

pub(super) fn trim(number: &mut Vec<u64>) {
    while number.last() == Some(&0) {
        number.pop();
    }
}

pub(super) fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// Adds `more` to `sum`, which must be long enough for the result.
pub(super) fn add(sum: &mut [u64], more: &[u64]) {
    let mut carry = false;
    for (place, limb) in sum.iter_mut().enumerate() {
        if place >= more.len() && !carry {
            return;
        }
        let (total, first) = limb.overflowing_add(more.get(place).copied().unwrap_or(0));
        let (total, second) = total.overflowing_add(u64::from(carry));
        (*limb, carry) = (total, first || second);
    }
    debug_assert!(!carry, "the sum was to have room");
}

/// Subtracts `less`, which must not exceed `number`, and drops leading zeros.
pub(super) fn subtract(number: &mut Vec<u64>, less: &[u64]) {
    let mut borrow = false;
    for (place, limb) in number.iter_mut().enumerate() {
        let (rest, first) = limb.overflowing_sub(less.get(place).copied().unwrap_or(0));
        let (rest, second) = rest.overflowing_sub(u64::from(borrow));
        (*limb, borrow) = (rest, first || second);
    }
    debug_assert!(!borrow, "a larger number is not subtracted");
    trim(number);
}

/// Adds the product of `a` and `b` to `sum`, which must be long enough for the result.
pub(super) fn add_product(sum: &mut [u64], a: &[u64], b: &[u64]) {
    for (shift, &x) in a.iter().enumerate().filter(|&(_, &x)| x != 0) {
        let mut carry = 0u128;
        for (place, limb) in sum[shift..].iter_mut().enumerate() {
            if place >= b.len() && carry == 0 {
                break;
            }
            let y = b.get(place).copied().unwrap_or(0);
            let total = u128::from(*limb) + u128::from(x) * u128::from(y) + carry;
            *limb = total as u64;
            carry = total >> 64;
        }
        debug_assert_eq!(carry, 0, "the sum was to have room");
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::numbers::limbs::value;

    #[test]
    fn sums_and_products_match_big_integers() {
        let mut random = crate::numbers::Random::new(1);
        let mut draw = || {
            let length = random.next_u64() % 4;
            let mut limb = || [0, u64::MAX, random.next_u64()][(random.next_u64() % 3) as usize];
            let mut number: Vec<u64> = (0..length).map(|_| limb()).collect();
            trim(&mut number);
            number
        };
        for _ in 0..10_000 {
            let (a, b) = (draw(), draw());
            let (x, y) = (value(&a), value(&b));
            let mut numbers = Numbers::default();
            numbers.push(&a);
            numbers.push(&b);
            numbers.push_sum(0, 1);
            assert_eq!(value(numbers.get(2)), &x + &y);
            assert_eq!(numbers.get(1), b);
            assert_eq!(compare(&a, &b), x.cmp(&y));
            let mut sum = [&a[..], &[0; 8]].concat();
            add(&mut sum, &b);
            assert_eq!(value(&sum), &x + &y);
            add_product(&mut sum, &a, &b);
            assert_eq!(value(&sum), &x + &y + &x * &y);
            trim(&mut sum);
            subtract(&mut sum, &b);
            assert_eq!(value(&sum), &x + &x * &y);
            assert_ne!(sum.last(), Some(&0));
        }
    }
}
