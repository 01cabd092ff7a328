//! Tests of the definition of the command line.

#[test]
fn only_the_parser_of_the_requested_command_is_built_in_full() {
    let mut command = super::command();
    let matches = command.try_get_matches_from_mut(["farandole", "list"]);
    assert!(matches.is_ok_and(|matches| matches.subcommand_name() == Some("list")));
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        let is_defined = command.get_arguments().next().is_some();
        assert_eq!(is_defined, command.get_name() == "list", "{}", command.get_name());
    }
}

#[test]
fn times_and_sizes_are_parsed_with_units() {
    use super::values::{parse_bytes, parse_seconds};

    let times = [
        ("5", 5_000),
        ("0.5", 500),
        ("1e1", 10_000),
        ("5s", 5_000),
        ("250ms", 250),
        ("2 min", 120_000),
        ("1.5h", 5_400_000),
        ("1h30m", 5_400_000),
        ("1d", 86_400_000),
        ("10S", 10_000),
    ];
    for (text, milliseconds) in times {
        let read = parse_seconds(text).map(|time| time.as_millis());
        assert_eq!(read, Ok(milliseconds), "{text}");
    }
    for text in ["", " ", "s", "5x", "-5", "5s5", "1e999", "NaN", "inf", "1h 2", "h1"] {
        assert!(parse_seconds(text).is_err(), "{text}");
    }
    let sizes = [
        ("7", 7),
        ("7B", 7),
        ("1k", 1 << 10),
        ("1KB", 1 << 10),
        ("2GB", 2 << 30),
        ("2GiB", 2 << 30),
        ("1.5g", 3 << 29),
        ("500 mb", 500 << 20),
        ("1T", 1 << 40),
        ("18446744073709551615", u64::MAX),
    ];
    for (text, bytes) in sizes {
        assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
    }
    for text in ["", "G", "2X", "2GBs", "-1", "1K2", "99999999999T", "18446744073709551616", "2bb"] {
        assert!(parse_bytes(text).is_err(), "{text}");
    }
}

#[test]
fn common_options_come_first_and_rare_ones_last() {
    let mut command = super::command();
    command.build();
    for (name, rare) in [
        ("solve", "isa"),
        ("list", "profile"),
        ("count", "scratch"),
        ("compare", "lesson"),
        ("work", "digest"),
    ] {
        let found = command.find_subcommand_mut(name).expect("it is a command");
        let short = found.render_help().to_string();
        assert!(!short.contains(&format!("--{rare}")), "{name}: {short}");
        let long = found.render_long_help().to_string();
        let (common, advanced) =
            long.split_once("\nAdvanced:\n").unwrap_or_else(|| panic!("{name}: {long}"));
        let option = format!("--{rare}");
        assert!(
            advanced.contains(&option) && !common.contains(&format!("      {option}")),
            "{name}: {long}"
        );
    }
    let help = command.find_subcommand_mut("solve").expect("it is a command").render_help().to_string();
    let (_, options) = help.split_once("\nOptions:\n").expect("options");
    let names = options.lines().filter_map(|line| line.strip_prefix("      --"));
    let first: Vec<&str> = names.take(4).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(first, ["all", "json", "limit", "time"], "{help}");
}
