//! Problems on square boards of any order.

use dlx::Problem;

/// Returns the problem of Latin squares, where each row and column contains each number once.
pub(crate) fn latin(order: usize) -> Problem {
    let numbers = || 0..order;
    let names = |kind: &str| -> Vec<String> {
        numbers()
            .flat_map(|a| numbers().map(move |b| (a, b)))
            .map(|(a, b)| format!("{kind}{a}.{b}"))
            .collect()
    };
    let mut text = [names("cell"), names("row"), names("column")].concat().join(" ") + "\n";
    for (row, column) in numbers().flat_map(|row| numbers().map(move |column| (row, column))) {
        for number in numbers() {
            text += &format!("cell{row}.{column} row{row}.{number} column{column}.{number}\n");
        }
    }
    text.parse().expect("it is in order")
}

/// Returns the problem of queens on a board, with rows and columns as primary items and diagonals
/// as secondary items.
pub(crate) fn queens(order: usize) -> Problem {
    let names = |kind: char, count: usize| (0..count).map(move |at| format!("{kind}{at} "));
    let mut text: String = names('r', order).chain(names('c', order)).collect();
    text += "| ";
    text.extend(names('a', 2 * order).chain(names('b', 2 * order)));
    for (row, column) in (0..order * order).map(|at| (at / order, at % order)) {
        text += &format!("\nr{row} c{column} a{} b{}", row + column, order + row - column);
    }
    text.parse().expect("it is in order")
}
