"""0/1 matrices of numpy, scipy and pandas, or lists of lists, as options in numbers.

None of these is imported here unless the caller's matrix is of it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Tuple

__all__ = ["take_apart"]

#: How many rows and columns, the rows with a 1, where the columns of each begin, and the columns.
Taken = Tuple[int, int, Sequence[int], bytes, bytes]


def take_apart(matrix: Any) -> Taken:
    """Takes a matrix apart.

    >>> take_apart([[0, 1], [0, 0], [1, 1]])[:3]
    (3, 2, [0, 2])
    """
    if hasattr(matrix, "tocsr"):
        return _of_sparse(matrix.tocsr())
    if hasattr(matrix, "to_numpy"):
        matrix = matrix.to_numpy()
    if hasattr(matrix, "nonzero") and hasattr(matrix, "shape"):
        return _of_array(matrix)
    return _of_lists(matrix)


def _wrong(row: int, column: int, found: Any) -> ValueError:
    return ValueError(f"expected 0 or 1 in row {row} and column {column}, found {found!r}")


def _of_array(matrix: Any) -> Taken:
    if len(matrix.shape) != 2:
        raise ValueError(f"expected a matrix of two dimensions, found {len(matrix.shape)}")
    is_wrong = (matrix != 0) & (matrix != 1)
    if is_wrong.any():
        row, column = (int(places[0]) for places in is_wrong.nonzero())
        raise _wrong(row, column, matrix[row, column].item())
    row_of_each, columns = matrix.nonzero()
    return _of_rows(matrix.shape, row_of_each, columns)


def _of_sparse(matrix: Any) -> Taken:
    matrix = matrix.copy()
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    entries = matrix.tocoo()
    is_wrong = entries.data != 1
    if is_wrong.any():
        place = is_wrong.nonzero()[0][0]
        raise _wrong(int(entries.row[place]), int(entries.col[place]), entries.data[place].item())
    return _of_rows(matrix.shape, entries.row, entries.col)


def _of_rows(shape: tuple[int, int], row_of_each: Any, columns: Any) -> Taken:
    """The rows come in order, those of each together."""
    import numpy

    counts = numpy.bincount(row_of_each, minlength=shape[0])
    rows = counts.nonzero()[0]
    starts = numpy.concatenate(([0], counts[rows].cumsum()))
    taken = (starts.astype("u4").tobytes(), columns.astype("u4").tobytes())
    return (shape[0], shape[1], rows.tolist(), *taken)


def _of_lists(matrix: Any) -> Taken:
    rows, starts, entries = [], array("I", [0]), array("I")
    row_count, width = 0, None
    for number, row in enumerate(matrix):
        row_count += 1
        cells = list(row)
        if width is None:
            width = len(cells)
        if len(cells) != width:
            raise ValueError(f"expected {width} columns in row {number} as in row 0, found {len(cells)}")
        for column, cell in enumerate(cells):
            if cell not in (0, 1):
                raise _wrong(number, column, cell)
            if cell:
                entries.append(column)
        if len(entries) > starts[-1]:
            rows.append(number)
            starts.append(len(entries))
    return (row_count, width or 0, rows, starts.tobytes(), entries.tobytes())
