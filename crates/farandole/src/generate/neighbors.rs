//! Adjacent cells of a grid, and connected sets of cells.

pub(super) fn neighbors([rows, columns]: [usize; 2], cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / columns, cell % columns);
    let beside = [
        (row > 0).then(|| cell - columns),
        (column > 0).then(|| cell - 1),
        (column + 1 < columns).then_some(cell + 1),
        (row + 1 < rows).then_some(cell + columns),
    ];
    beside.into_iter().flatten()
}

pub(super) fn hang_together(size: [usize; 2], cells: &[usize]) -> bool {
    let Some(&first) = cells.first() else { return false };
    let (mut reached, mut next) = (vec![first], 0);
    while let Some(&cell) = reached.get(next) {
        next += 1;
        for other in neighbors(size, cell) {
            if cells.contains(&other) && !reached.contains(&other) {
                reached.push(other);
            }
        }
    }
    reached.len() == cells.len()
}
