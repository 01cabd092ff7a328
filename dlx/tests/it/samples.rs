//! Problems as texts, shared by tests of the library and of the program.

pub(crate) fn dominoes(rows: usize, columns: usize) -> String {
    let name = |row: usize, column: usize| format!("{row}.{column}");
    let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let names: Vec<_> = squares.clone().map(|(row, column)| name(row, column)).collect();
    let mut text = names.join(" ") + "\n";
    for (row, column) in squares {
        if column + 1 < columns {
            text += &format!("{} {}\n", name(row, column), name(row, column + 1));
        }
        if row + 1 < rows {
            text += &format!("{} {}\n", name(row, column), name(row + 1, column));
        }
    }
    text
}

/// Returns a product of small problems: `copies` items, each with `choices` options of its own.
pub(crate) fn product(copies: usize, choices: usize) -> String {
    let names: Vec<_> = (0..copies).map(|item| format!("i{item}")).collect();
    names.join(" ")
        + "\n"
        + &names.iter().map(|name| format!("{name}\n").repeat(choices)).collect::<String>()
}
