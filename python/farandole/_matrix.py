"""0/1 matrices of numpy, scipy and pandas, or lists of lists, as options in numbers.

None of these libraries is imported unless the caller's matrix comes from it.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Tuple

from ._inputs import TEXTS, found

__all__ = ["take_apart"]

#: The row and column counts, the rows with a 1, the start of each such row, and the columns.
Taken = Tuple[int, int, Sequence[int], bytes, bytes]


def take_apart(matrix: Any) -> Taken:
    """Decomposes a matrix.

    >>> take_apart([[0, 1], [0, 0], [1, 1]])[:3]
    (3, 2, [0, 2])
    """
    if isinstance(matrix, (*TEXTS, os.PathLike)) or hasattr(matrix, "read"):
        raise TypeError(f"expected a matrix, found {found(matrix)}: `Problem.from_text` and `from_file` read matrices of texts")
    if isinstance(matrix, (Mapping, Set)) or hasattr(matrix, "_core"):
        raise TypeError(f"expected a matrix, found {found(matrix)}: `Problem` takes collections of options")
    if hasattr(matrix, "tocsr"):
        return _of_sparse(matrix)
    if hasattr(matrix, "to_numpy"):
        matrix = matrix.to_numpy()
    if hasattr(matrix, "__array__"):
        return _of_array(matrix)
    if not isinstance(matrix, Iterable):
        raise TypeError(f"expected a matrix, found {found(matrix)}")
    return _of_lists(matrix)


def _wrong(row: int, column: int, cell: Any) -> ValueError:
    return ValueError(f"expected 0 or 1 in row {row} and column {column}, found {cell!r}")


def _check_dimensions(matrix: Any) -> None:
    if len(matrix.shape) != 2:
        raise ValueError(f"expected a matrix of two dimensions, found {len(matrix.shape)}")


def _of_array(matrix: Any) -> Taken:
    import numpy

    if numpy.ma.is_masked(matrix):
        raise ValueError("expected 0 or 1 in every place, found masked ones: `.filled(0)` makes zeros of them")
    matrix = numpy.asarray(matrix)
    _check_dimensions(matrix)
    if matrix.dtype.kind not in "biuf":
        # Cell by cell, because some objects cannot be compared with a number.
        taken = _of_lists(matrix.tolist())
        return (taken[0], matrix.shape[1], *taken[2:])
    is_wrong = (matrix != 0) & (matrix != 1)
    if is_wrong.any():
        row, column = (int(places[0]) for places in is_wrong.nonzero())
        raise _wrong(row, column, matrix[row, column].item())
    row_of_each, columns = matrix.nonzero()
    return _of_rows(matrix.shape, row_of_each, columns)


def _of_sparse(matrix: Any) -> Taken:
    _check_dimensions(matrix)
    matrix = matrix.tocsr().copy()
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    entries = matrix.tocoo()
    is_wrong = entries.data != 1
    if is_wrong.any():
        place = is_wrong.nonzero()[0][0]
        raise _wrong(int(entries.row[place]), int(entries.col[place]), entries.data[place].item())
    return _of_rows(matrix.shape, entries.row, entries.col)


def _of_rows(shape: tuple[int, int], row_of_each: Any, columns: Any) -> Taken:
    """Rows come in ascending order, with the cells of each row together."""
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
        if isinstance(row, (*TEXTS, Mapping, Set)) or not isinstance(row, Iterable):
            raise TypeError(f"expected cells in their order in row {number}, found {found(row)}")
        cells = list(row)
        if width is None:
            width = len(cells)
        if len(cells) != width:
            raise ValueError(f"expected {width} columns in row {number} as in row 0, found {len(cells)}")
        for column, cell in enumerate(cells):
            if not _is_bit(cell):
                raise _wrong(number, column, cell)
            if cell:
                entries.append(column)
        if len(entries) > starts[-1]:
            rows.append(number)
            starts.append(len(entries))
    return (row_count, width or 0, rows, starts.tobytes(), entries.tobytes())


def _is_bit(cell: Any) -> bool:
    try:
        return bool(cell in (0, 1))
    except (TypeError, ValueError):
        # Comparing an array or the missing value of pandas gives neither true nor false.
        return False
