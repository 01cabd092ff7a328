//! Prints the counts of all options: a table of the cells of a grid, or one line per option.

use dlx::OptionId;
use num_bigint::BigUint;
use serde_json::Value;

use puzzle::SymbolGrid;

/// Returns the number of solutions for each cell and symbol, given that of each option.
fn cell_counts(grid: &dyn SymbolGrid, counts: &[BigUint]) -> Vec<Vec<BigUint>> {
    let shape = grid.grid().shape();
    let mut cells = vec![vec![BigUint::ZERO; shape.order()]; shape.cell_count()];
    for (option, count) in counts.iter().enumerate() {
        if let Some((cell, symbol)) = grid.placed_by(OptionId::new(option)) {
            cells[cell][symbol] += count;
        }
    }
    cells
}

/// Writes one line with the counts of all symbols for each cell, and a blank line after each row of
/// the grid.
pub(super) fn write_cells(grid: &dyn SymbolGrid, counts: &[BigUint], out: &mut String) {
    let shape = grid.grid().shape();
    let (order, columns) = (shape.order(), shape.columns());
    let symbols = (0..order).map(|symbol| grid.symbol_name(symbol));
    let mut lines = vec![("cell".to_owned(), symbols.collect::<Vec<_>>())];
    for (cell, counts) in cell_counts(grid, counts).iter().enumerate() {
        lines.push((grid.cell_name(cell), counts.iter().map(ToString::to_string).collect()));
    }
    let widths: Vec<usize> =
        (0..order).map(|s| lines.iter().map(|(_, words)| words[s].len()).max().unwrap_or(0)).collect();
    let name_width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (index, (name, words)) in lines.iter().enumerate() {
        if index > 1 && (index - 1) % columns == 0 {
            out.push('\n');
        }
        push!(out, "{name:name_width$}");
        words.iter().zip(&widths).for_each(|(word, width)| push!(out, " {word:>width$}"));
        out.push('\n');
    }
}

pub(super) fn cells_as_json(grid: &dyn SymbolGrid, counts: &[BigUint]) -> Value {
    let shown = |counts: &Vec<BigUint>| counts.iter().map(ToString::to_string).collect::<Vec<_>>();
    cell_counts(grid, counts).iter().map(|counts| Value::from(shown(counts))).collect()
}
