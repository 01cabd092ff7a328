//! The names that arguments accept, taken from the tables of formats, kinds and engines.

use clap::Arg;
use clap::builder::PossibleValuesParser;

use farandole::algorithm::{self, ALGORITHMS, VARIANTS};
use farandole::generate::symmetry::SYMMETRIES;
use farandole::kinds::KINDS;
use grid::FORMATS;
use puzzle::cover;
use techniques::techniques;

/// The name of the canonical form in `convert --to`.
pub(crate) const CANONICAL: &str = "canonical";

/// Lets an argument accept the formats of puzzles, and also the formats of diagrams of all
/// solutions.
pub(super) fn offer_diagrams(argument: Arg) -> Arg {
    argument.value_parser(names_with_diagrams())
}

/// Lets an argument accept the names of engines. Its long help lists the engines by purpose.
pub(super) fn offer_engines(argument: Arg, only_searches: bool) -> Arg {
    let groups = algorithm::by_purpose()
        .filter(|(purpose, _)| !only_searches || *purpose != algorithm::ONLY_COUNT);
    let groups: Vec<_> = groups
        .map(|(purpose, specs)| (purpose, specs.iter().map(|spec| spec.name).collect()))
        .collect();
    let names: PossibleValuesParser =
        groups.iter().flat_map(|(_, names): &(_, Vec<_>)| names).copied().into();
    let mut help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    if let Some(rest) = argument.get_long_help() {
        help = rest.to_string();
    }
    help.push('\n');
    for (purpose, names) in &groups {
        push!(help, "\nEngines that {purpose}: {}", names.join(", "));
    }
    argument.value_parser(names).hide_possible_values(true).long_help(help)
}

pub(super) fn algorithm_names() -> PossibleValuesParser {
    ALGORITHMS.iter().chain(VARIANTS.iter()).map(|spec| spec.name).into()
}

pub(super) fn kind_names() -> PossibleValuesParser {
    KINDS.iter().map(|kind| kind.name).into()
}

pub(super) fn written_formats() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().filter(|format| format.is_written).map(|format| format.name)
}

pub(super) fn format_names() -> PossibleValuesParser {
    written_formats().into()
}

/// Returns the names of the formats that can be read as puzzles.
pub(super) fn readable() -> impl Iterator<Item = &'static str> {
    let forms = cover::FORMS.iter().filter(|form| form.read.is_some());
    FORMATS.iter().map(|format| format.name).chain(forms.map(|form| form.name))
}

pub(super) fn symmetry_names() -> PossibleValuesParser {
    SYMMETRIES.iter().map(|symmetry| symmetry.name).into()
}

/// Returns the names of the techniques of Sudoku players.
pub(super) fn technique_names() -> PossibleValuesParser {
    techniques().into_iter().map(|technique| technique.name).into()
}

pub(super) fn input_names() -> PossibleValuesParser {
    readable().into()
}

/// Returns the names of the formats that a command can read if it also accepts a diagram of all
/// solutions.
pub(super) fn names_with_diagrams() -> PossibleValuesParser {
    let forms = cover::FORMS.iter().filter(|form| form.diagram.is_some());
    readable().chain(forms.map(|form| form.name)).into()
}

pub(super) fn output_names() -> PossibleValuesParser {
    let forms = cover::FORMS.iter().map(|form| form.name);
    let of_variants = variant::written_forms().map(|(name, _)| name);
    let others = of_variants.chain([polyomino::XMPUZZLE, CANONICAL]);
    written_formats().chain(forms).chain(others).into()
}
