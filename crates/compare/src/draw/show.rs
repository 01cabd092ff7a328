//! Formatting of times, sizes and numbers for people.

/// Formats seconds with three digits, such as `1.23 ms`.
pub fn seconds(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 0.999_5e-6 => (s * 1e9, "ns"),
        s if s < 0.999_5e-3 => (s * 1e6, "µs"),
        s if s < 0.999_5 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", three(value))
}

/// Formats the time at a tick (s), such as `10 ms`.
pub(super) fn tick_seconds(value: f64) -> String {
    if value <= 0.0 {
        return "0".to_owned();
    }
    let (value, unit) = match value {
        s if s < 0.999e-6 => (s * 1e9, "ns"),
        s if s < 0.999e-3 => (s * 1e6, "µs"),
        s if s < 0.999 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", tick_count(value))
}

/// Formats the number at a tick; numbers from 10⁵ on are powers of ten.
pub(super) fn tick_count(value: f64) -> String {
    let exponent = (value.log10() + 1e-9).floor();
    if exponent < 5.0 {
        return group(&format!("{}", (value * 1e6).round() / 1e6));
    }
    let factor = (value / 10_f64.powf(exponent)).round();
    let power: String = format!("{exponent}").chars().map(superscript).collect();
    if factor > 1.0 { format!("{factor}·10{power}") } else { format!("10{power}") }
}

fn superscript(digit: char) -> char {
    match digit {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        '4'..='9' => char::from_u32('⁴' as u32 + digit as u32 - '4' as u32).unwrap_or(digit),
        _ => digit,
    }
}

pub(super) fn factor(factor: f64) -> String {
    if factor.is_finite() { three(factor) } else { "?".to_owned() }
}

pub(super) fn bytes(bytes: f64) -> String {
    let (value, unit) = match bytes {
        b if b < 1024.0 => return format!("{b} B"),
        b if b < 1_048_576.0 => (b / 1024.0, "KiB"),
        b if b < 1_073_741_824.0 => (b / 1_048_576.0, "MiB"),
        b => (b / 1_073_741_824.0, "GiB"),
    };
    format!("{} {unit}", three(value))
}

/// Inserts thousands separators (commas) into a decimal number; returns any other text unchanged.
pub fn group(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    if !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return number.to_owned();
    }
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

/// Formats a decimal number; if it has more than 18 digits, as its first four digits and a power of
/// ten.
pub(super) fn number(number: &str) -> String {
    let is_long = number.len() > 18 && number.bytes().all(|byte| byte.is_ascii_digit());
    if !is_long {
        return group(number);
    }
    let power: String = (number.len() - 1).to_string().chars().map(superscript).collect();
    format!("{}.{}·10{power}", &number[..1], &number[1..4])
}

/// Formats a count with its noun, such as `1 puzzle` or `1,000 puzzles`.
pub fn count(number: impl ToString + Copy, name: &str) -> String {
    let number = number.to_string();
    let plural = if number == "1" { "" } else { "s" };
    format!("{} {name}{plural}", group(&number))
}

pub(super) fn shorten(text: &str, len_max: usize) -> String {
    if text.chars().count() <= len_max {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(len_max.saturating_sub(1)).collect();
    short.truncate(short.trim_end().len());
    short + "…"
}

/// Cuts a text to its last `len_max` characters, for paths, whose ends are more specific.
pub(super) fn shorten_before(text: &str, len_max: usize) -> String {
    let len = text.chars().count();
    if len <= len_max {
        return text.to_owned();
    }
    let end: String = text.chars().skip(len + 1 - len_max).collect();
    format!("…{end}")
}

fn three(value: f64) -> String {
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    group(&format!("{value:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        for (value, expected) in [
            (0.0, "0.00 ns"),
            (1.5e-8, "15.0 ns"),
            (9.9999e-4, "1.00 ms"),
            (0.123_456, "123 ms"),
            (9.999, "10.0 s"),
            (12_345.0, "12,345 s"),
        ] {
            assert_eq!(seconds(value), expected);
        }
    }

    #[test]
    fn tick_labels_are_short() {
        for (value, expected) in [
            (1.0, "1"),
            (0.5, "0.5"),
            (50_000.0, "50,000"),
            (1e6, "10⁶"),
            (1e12, "10¹²"),
            (5e7, "5·10⁷"),
        ] {
            assert_eq!(tick_count(value), expected);
        }
        assert_eq!(tick_seconds(1e-5), "10 µs");
        assert_eq!(tick_seconds(0.2), "200 ms");
        assert_eq!((tick_seconds(0.0), tick_count(0.0)), ("0".to_owned(), "0".to_owned()));
    }

    #[test]
    fn digits_of_numbers_are_grouped_and_other_texts_stay_unchanged() {
        assert_eq!(group("1234567.5"), "1,234,567.5");
        assert_eq!(group("999"), "999");
        assert_eq!(group("many"), "many");
        assert_eq!(number("123456789012345678"), "123,456,789,012,345,678");
        assert_eq!(number("12345678901234567890"), "1.234·10¹⁹");
        assert_eq!(bytes(1_572_864.0), "1.50 MiB");
        assert_eq!(shorten_before("a/long/name", 6), "…/name");
        assert_eq!(shorten("a long name", 7), "a long…");
    }
}
