//! Prints the counts of all options: a table of the cells of a grid, or one line per option.

use num_bigint::BigUint;
use serde_json::Value;

use puzzle::Fill;

fn cell_counts<'c>(fill: &Fill, counts: &'c [BigUint], cell: usize) -> Vec<Option<&'c BigUint>> {
    let symbols = 0..fill.grid().shape().order();
    symbols.map(|symbol| fill.option(cell, symbol).map(|option| &counts[option.index()])).collect()
}

/// Writes one line with the counts of all symbols for each cell, and a blank line after each row of
/// the grid.
pub(super) fn write_cells(fill: &Fill, counts: &[BigUint], out: &mut String) {
    let (shape, alphabet) = (fill.grid().shape(), fill.grid().style.alphabet);
    let order = shape.order();
    let symbol = |symbol: usize| match alphabet.character(symbol) {
        Some(character) => character.to_string(),
        None => (symbol + 1).to_string(),
    };
    let shown = |count: Option<&BigUint>| count.map_or("0".to_owned(), ToString::to_string);
    let name = |cell: usize| format!("r{}c{}", cell / order + 1, cell % order + 1);
    let mut lines = vec![("cell".to_owned(), (0..order).map(symbol).collect::<Vec<_>>())];
    for cell in 0..shape.cell_count() {
        lines.push((name(cell), cell_counts(fill, counts, cell).into_iter().map(shown).collect()));
    }
    let widths: Vec<usize> =
        (0..order).map(|s| lines.iter().map(|(_, words)| words[s].len()).max().unwrap_or(0)).collect();
    let name_width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (index, (name, words)) in lines.iter().enumerate() {
        if index > 1 && (index - 1) % order == 0 {
            out.push('\n');
        }
        push!(out, "{name:name_width$}");
        words.iter().zip(&widths).for_each(|(word, width)| push!(out, " {word:>width$}"));
        out.push('\n');
    }
}

pub(super) fn cells_as_json(fill: &Fill, counts: &[BigUint]) -> Value {
    let shown = |count: Option<&BigUint>| count.map_or("0".to_owned(), ToString::to_string);
    let cell = |cell| cell_counts(fill, counts, cell).into_iter().map(shown).collect::<Vec<_>>();
    (0..fill.grid().shape().cell_count()).map(|c| Value::from(cell(c))).collect()
}
