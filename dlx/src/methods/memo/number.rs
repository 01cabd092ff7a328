//! Counts that fit in one word, and become large integers when they overflow.

use num_bigint::BigUint;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Small(u64),
    Large(Box<BigUint>),
}

impl Number {
    pub(super) const ZERO: Self = Self::Small(0);
    pub(super) const ONE: Self = Self::Small(1);

    #[inline]
    pub(super) fn add_product(&mut self, a: &Self, b: &Self) {
        if let (Self::Small(sum), &Self::Small(a), &Self::Small(b)) = (&*self, a, b)
            && let Some(sum) = a.checked_mul(b).and_then(|product| product.checked_add(*sum))
        {
            *self = Self::Small(sum);
        } else {
            self.add_large(a, b);
        }
    }

    #[cold]
    fn add_large(&mut self, a: &Self, b: &Self) {
        *self = (self.to_big() + a.to_big() * b.to_big()).into();
    }

    #[inline]
    pub(super) fn scale(&mut self, weight: u64) {
        let product = match self {
            Self::Small(number) => number.checked_mul(weight),
            Self::Large(_) => None,
        };
        *self = product.map_or_else(|| (self.to_big() * weight).into(), Self::Small);
    }

    pub(super) fn to_big(&self) -> BigUint {
        match self {
            Self::Small(number) => (*number).into(),
            Self::Large(number) => (**number).clone(),
        }
    }
}

impl From<BigUint> for Number {
    fn from(number: BigUint) -> Self {
        match u64::try_from(&number) {
            Ok(number) => Self::Small(number),
            Err(_) => Self::Large(Box::new(number)),
        }
    }
}
