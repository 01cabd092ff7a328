//! Parsers of argument values. Their errors describe the expected value.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::time::Duration;

use num_bigint::BigUint;
use sudoku9::{Leaf, leaves};

use grid::GridRule;
use puzzle::ClassSort;

#[derive(Clone, Debug)]
pub(crate) struct NumberList(pub(crate) Vec<BigUint>);

#[derive(Clone, Debug)]
pub(crate) struct RuleList(pub(crate) Vec<GridRule>);

/// Largest number of threads.
const THREADS_MAX: u64 = 1024;
/// Largest number of shards.
const SHARDS_MAX: u64 = 1_000_000;

pub(super) fn parse_rules(text: &str) -> Result<RuleList, String> {
    let in_head = text.split([',', ' ']).find_map(variant::rules::by_name);
    GridRule::parse_list(text).map(RuleList).map_err(|message| match in_head {
        // A rule of variants is not an argument but a header line of the grid.
        Some(rule) => {
            let line = format!("# {}: {}", rule.name, rule.example);
            format!("`{}` goes into the head of the grid, as a line `{}`", rule.name, line.trim_end())
        }
        None => message,
    })
}

pub(super) fn parse_numbers(text: &str) -> Result<NumberList, String> {
    let numbers = text.split(',').map(|word| word.trim().parse()).collect::<Result<_, _>>();
    numbers.map(NumberList).map_err(|_| "expected numbers with commas between them".to_owned())
}

/// Parses a whole number. The error describes the valid range in words.
pub(super) fn parse_whole(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| match range.into_inner() {
        (least, u64::MAX) => {
            let is_large = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let limit =
                if is_large && text.trim_start_matches('0').len() > 1 { " and below 2^64" } else { "" };
            format!("expected a whole number, at least {least}{limit}")
        }
        (least, most) => format!("expected a whole number from {least} to {most}"),
    })
}

pub(super) fn parse_number(text: &str) -> Result<u64, String> {
    parse_whole(text, 0..=u64::MAX)
}

pub(super) fn parse_positive(text: &str) -> Result<u64, String> {
    parse_whole(text, 1..=u64::MAX)
}

pub(super) fn parse_some(text: &str) -> Result<NonZeroUsize, String> {
    let number = parse_positive(text)?;
    let number = usize::try_from(number).ok().and_then(NonZeroUsize::new);
    number.ok_or_else(|| "expected a number that memory has room for".to_owned())
}

pub(super) fn parse_threads(text: &str) -> Result<u16, String> {
    let number = parse_whole(text, 1..=THREADS_MAX)?;
    Ok(u16::try_from(number).unwrap_or(u16::MAX))
}

/// Parses a port; port 0 would be a random one.
#[cfg(not(target_family = "wasm"))]
pub(super) fn parse_port(text: &str) -> Result<u16, String> {
    let number = parse_whole(text, 1..=u64::from(u16::MAX))?;
    Ok(u16::try_from(number).unwrap_or(u16::MAX))
}

pub(super) fn parse_shards(text: &str) -> Result<NonZeroUsize, String> {
    parse_whole(text, 1..=SHARDS_MAX)?;
    parse_some(text)
}

/// Parses `K/N`, which means part `K` of `N` parts, counted from 1.
pub(super) fn parse_part(text: &str) -> Result<(usize, usize), String> {
    let part = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    let part = part.filter(|&(part, of)| part > 0 && part <= of);
    part.ok_or_else(|| "expected a part of so many such as 3/16, the third of sixteen".to_owned())
}

/// Finds the instruction set with the name `text`, if the processor supports it.
pub(super) fn parse_isa(text: &str) -> Result<&'static Leaf, String> {
    leaves().find(|leaf| leaf.name == text).ok_or_else(|| {
        let names: Vec<&str> = leaves().map(|leaf| leaf.name).collect();
        format!("expected what this processor has: {}", names.join(", "))
    })
}

/// Units of time, in seconds.
const SECONDS: [(&str, f64); 14] = [
    ("ms", 1e-3),
    ("s", 1.0),
    ("sec", 1.0),
    ("second", 1.0),
    ("seconds", 1.0),
    ("m", 60.0),
    ("min", 60.0),
    ("minute", 60.0),
    ("minutes", 60.0),
    ("h", 3600.0),
    ("hour", 3600.0),
    ("hours", 3600.0),
    ("d", 86_400.0),
    ("days", 86_400.0),
];

/// Parses seconds, or times with units such as `5min` and `1h30m`.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().or_else(|| {
        let (mut rest, mut seconds) = (text.trim(), 0.0);
        while !rest.is_empty() {
            let (number, unit);
            (number, unit, rest) = measure(rest)?;
            let scale = SECONDS.iter().find(|(known, _)| *known == unit)?.1;
            seconds += number * scale;
        }
        (!text.trim().is_empty()).then_some(seconds)
    });
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds, or a time such as 30s, 5min or 2h".to_owned())
}

/// Splits a text such as `1.5 h 20m` into its first number, the unit in lower case, and the rest.
fn measure(text: &str) -> Option<(f64, String, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (unit, rest) = rest.split_at(end);
    Some((number.parse().ok()?, unit.to_ascii_lowercase(), rest.trim_start()))
}

pub(super) fn parse_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let expected = || format!("expected two sizes such as 6..14, found `{text}`");
    let (first, last) = text.split_once("..").ok_or_else(expected)?;
    let size = |text: &str| text.trim_start_matches('=').trim().parse::<u64>().map_err(|_| expected());
    let range = size(first)?..=size(last)?;
    if range.is_empty() || range.end() - range.start() >= 1000 { Err(expected()) } else { Ok(range) }
}

/// Parses a range of clue counts: `22..24`, both included, or one number.
pub(super) fn parse_clues(text: &str) -> Result<RangeInclusive<u32>, String> {
    let expected = || format!("expected a number of clues, or two such as 22..24, found `{text}`");
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| expected());
    let range = match text.split_once("..") {
        Some((first, last)) => number(first)?..=number(last.trim_start_matches('='))?,
        None => number(text)?..=number(text)?,
    };
    if range.is_empty() { Err(expected()) } else { Ok(range) }
}

/// Parses a range of cage sizes in cells: `2..5`, both included, or one number.
pub(super) fn parse_cage_size(text: &str) -> Result<RangeInclusive<usize>, String> {
    let expected = || format!("expected a number of cells, or two such as 2..5, found `{text}`");
    let range = parse_clues(text).map_err(|_| expected())?;
    if *range.start() == 0 {
        Err(expected())
    } else {
        Ok(*range.start() as usize..=*range.end() as usize)
    }
}

/// Parses a range of difficulty scores. The result is in tenths.
pub(super) fn parse_rating(text: &str) -> Result<RangeInclusive<u32>, String> {
    let expected = || format!("expected two scores from 1.0 to 13.0 such as 3.0..4.5, found `{text}`");
    let tenths = |text: &str| {
        let (whole, tenth) = text.trim().split_once('.').unwrap_or((text.trim(), "0"));
        let is_score = tenth.len() == 1 && [whole, tenth].iter().all(|digits| is_digits(digits));
        let score = format!("{whole}{tenth}").parse().ok().filter(|score| (10..=130).contains(score));
        score.filter(|_| is_score).ok_or_else(expected)
    };
    let range = match text.split_once("..") {
        Some((first, last)) => tenths(first)?..=tenths(last.trim_start_matches('='))?,
        None => tenths(text)?..=tenths(text)?,
    };
    if range.is_empty() { Err(expected()) } else { Ok(range) }
}

/// Parses the name of a technique. The error lists similar names or, if there are none, all names.
pub(super) fn parse_technique(text: &str) -> Result<String, String> {
    let names = farandole::explain::technique_names();
    let word: Vec<char> = text.trim().to_lowercase().chars().take(64).collect();
    let distances = names.iter().map(|name| (puzzle::distance(&word, &name.to_lowercase()), *name));
    let mut near: Vec<(usize, &str)> = distances.collect();
    near.sort_unstable();
    if let Some(&(0, name)) = near.first() {
        return Ok(name.to_owned());
    }
    let short: String = word.iter().collect();
    let is_near = |&(distance, name): &(usize, &str)| {
        3 * distance <= word.len().max(name.len())
            || !short.is_empty() && name.to_lowercase().contains(&short)
    };
    let listed: Vec<&str> = match near.iter().filter(|name| is_near(name)).count() {
        0 => names.iter().copied().collect(),
        _ => near.iter().filter(|name| is_near(name)).map(|&(_, name)| name).take(6).collect(),
    };
    Err(format!(
        "expected the name of a technique, found `{text}`; similar names: {}",
        listed.join(", ")
    ))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit())
}

/// Finds the kind of symmetries with the name `text`.
pub(super) fn parse_symmetries(text: &str) -> Result<ClassSort, String> {
    let names = || ClassSort::names().collect::<Vec<_>>().join(", ");
    ClassSort::by_name(text).ok_or_else(|| format!("expected one of {}", names()))
}

#[cfg(not(target_family = "wasm"))]
pub(super) fn parse_speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed: &f64| speed.is_finite() && *speed > 0.0);
    speed.ok_or_else(|| "expected a number of events above 0".to_owned())
}

pub(super) fn parse_percent(text: &str) -> Result<f64, String> {
    let (digits, scale) = text.strip_suffix('%').map_or((text, 1.0), |digits| (digits, 100.0));
    let part = digits.parse().ok().map(|number: f64| number / scale).filter(|part| *part > 0.0);
    part.filter(|part| part.is_finite())
        .ok_or_else(|| "expected a number such as 1% or 0.01".to_owned())
}

/// Parses a number of bytes with an optional unit such as K, MB or GiB (powers of 1024).
pub(super) fn parse_bytes(text: &str) -> Result<u64, String> {
    let expected = || "expected a number of bytes, or a size such as 500M or 2GB".to_owned();
    let (number, unit, rest) = measure(text.trim()).ok_or_else(expected)?;
    let unit = unit.strip_suffix("ib").or_else(|| unit.strip_suffix('b')).unwrap_or(&unit);
    let power =
        ["", "k", "m", "g", "t"].iter().position(|known| *known == unit).ok_or_else(expected)?;
    let digits: String = text.trim().chars().take_while(char::is_ascii_digit).collect();
    let scale = 1_u64 << (10 * power);
    // Parse whole numbers as integers, because floating-point numbers cannot represent all of them.
    let bytes = match digits.parse::<u64>() {
        Ok(whole) if number.fract() == 0.0 => whole.checked_mul(scale),
        _ => Some(number * scale as f64)
            .filter(|bytes| *bytes < 2_f64.powi(63))
            .map(|bytes| bytes as u64),
    };
    bytes.filter(|_| rest.is_empty()).ok_or_else(expected)
}
