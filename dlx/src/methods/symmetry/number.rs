//! Cover counts, which have 128 bits and become large integers when they overflow.

use num_bigint::BigUint;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CoverCount {
    Small(u128),
    Large(Box<BigUint>),
}

impl CoverCount {
    pub(super) const ZERO: Self = Self::Small(0);
    pub(super) const ONE: Self = Self::Small(1);

    pub(super) fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Self::Small(_) => 0,
            Self::Large(large) => 48 + large.bits() as usize / 8,
        }
    }

    pub(super) fn from_limbs(limbs: &[u64]) -> Self {
        match *limbs {
            [] => Self::ZERO,
            [low] => Self::Small(low.into()),
            [low, high] => Self::Small(u128::from(high) << 64 | u128::from(low)),
            _ => crate::numbers::limbs::value(limbs).into(),
        }
    }

    pub(super) fn limbs(&self) -> Vec<u64> {
        match self {
            Self::Small(small) => vec![*small as u64, (small >> 64) as u64],
            Self::Large(large) => large.to_u64_digits(),
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        if let (Self::Small(a), Self::Small(b)) = (&*self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            *self = Self::Small(sum);
            return;
        }
        *self = Self::Large(Box::new(BigUint::from(&*self) + BigUint::from(other)));
    }

    pub(super) fn multiply(&mut self, other: &Self) {
        if let (Self::Small(a), Self::Small(b)) = (&*self, other)
            && let Some(product) = a.checked_mul(*b)
        {
            *self = Self::Small(product);
            return;
        }
        *self = Self::Large(Box::new(BigUint::from(&*self) * BigUint::from(other)));
    }
}

impl From<u64> for CoverCount {
    fn from(number: u64) -> Self {
        Self::Small(number.into())
    }
}

impl From<BigUint> for CoverCount {
    fn from(number: BigUint) -> Self {
        u128::try_from(&number).map_or_else(|_| Self::Large(Box::new(number)), Self::Small)
    }
}

impl From<&CoverCount> for BigUint {
    fn from(number: &CoverCount) -> Self {
        match number {
            CoverCount::Small(small) => (*small).into(),
            CoverCount::Large(large) => (**large).clone(),
        }
    }
}
