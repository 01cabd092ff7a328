//! The characters or numbers that stand for the symbols of a grid.

/// The characters or numbers that stand for the symbols 0, 1, 2, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alphabet {
    /// `1` to `9`, then `A` to `Z`, `a` to `z`, `@`, `$`, `&`: up to 64 symbols.
    Digits,
    /// `0` to `9`, then `A` to `Z`, `a` to `z`, `@`, `$`: up to 64 symbols. The character 0 then
    /// does not stand for a blank cell.
    ZeroDigits,
    /// `A` to `Z`, `a` to `z`, `1` to `9`, `@`, `$`, `&`: up to 64 symbols.
    Letters,
    /// The numbers from 1, separated by spaces.
    Numbers,
}

const DIGITS: &str = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@$&";
const ZERO_DIGITS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@$";
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz123456789@$&";

impl Alphabet {
    /// Returns the characters in the order of the symbols; empty for numbers.
    #[must_use]
    pub const fn characters(self) -> &'static str {
        match self {
            Self::Digits => DIGITS,
            Self::ZeroDigits => ZERO_DIGITS,
            Self::Letters => LETTERS,
            Self::Numbers => "",
        }
    }

    /// Returns the symbol for the character `c` in a grid of order `order`. Small letters are
    /// equivalent to capital letters as long as the alphabet needs only one case (up to order 35,
    /// 36 or 26).
    #[must_use]
    pub fn symbol(self, c: char, order: usize) -> Option<usize> {
        let characters = self.characters();
        let find = |c: char| characters.find(c).filter(|&symbol| symbol < order);
        find(c).or_else(|| find(c.to_ascii_uppercase()))
    }

    /// Returns the character for `symbol`, or `None` for numbers.
    #[must_use]
    pub fn character(self, symbol: usize) -> Option<char> {
        self.characters().as_bytes().get(symbol).map(|&byte| char::from(byte))
    }

    /// Returns the alphabet of a format that separates the cells of a grid of order `order`: digits
    /// above 9 are written as numbers.
    pub(crate) fn separated(self, order: usize) -> Self {
        if order > 9 && self == Self::Digits { Self::Numbers } else { self }
    }

    /// Describes the content of a cell in a grid of order `order`, for messages such as "a digit
    /// 1-9".
    #[must_use]
    pub fn describe(self, order: usize) -> String {
        let last = self.character(order.saturating_sub(1));
        match (self, last) {
            (Self::Digits, Some(last)) if order <= 9 => format!("a digit 1-{last}"),
            (Self::Digits, Some(last)) => format!("a symbol 1-9 or A-{last}"),
            (Self::ZeroDigits, Some(last)) => format!("a symbol 0-9 or A-{last}"),
            (Self::Letters, Some(last)) => format!("a letter A-{last}"),
            _ => format!("a number 1-{order}"),
        }
    }
}
