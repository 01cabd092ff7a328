"""9x9 Sudoku, one grid or millions of them, as fast as the registers of the machine allow.

A grid is a ``str`` or ``bytes`` of 81 cells, or an array of 81 cells or 9 rows of 9: a digit from 1 to 9 is a clue, ``.``
or 0 a blank cell. An answer has the form of the question.

Many grids are a text with a line for each, a list of grids, or an array of ``(n, 81)`` or ``(n, 9, 9)`` cells, of numpy or
anything with the buffer protocol; numpy is not needed for anything else.

>>> from farandole import sudoku
>>> grid = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
>>> sudoku.solve(grid)
'812753649943682175675491283154237896369845721287169534521974368438526917796318452'
>>> sudoku.count("." * 81)
6670903752021072936960
>>> sudoku.solve_many([grid, "11" + "." * 79])
['812753649943682175675491283154237896369845721287169534521974368438526917796318452', None]
>>> sudoku.count_many([grid, "." * 81], limit=2)
[1, 2]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

from . import _farandole
from ._limits import make_limits
from .errors import ParseError, check_end

if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["count", "count_many", "is_unique", "solve", "solve_many"]

Grid = TypeVar("Grid")


class _Block(NamedTuple):
    """Grids as one block of bytes: lines of text, or cells with the values 0 to 9."""

    data: bytes
    is_text: bool
    #: What was given: a text, bytes, a list, or the array with its shape.
    form: Any


def _of_array(grids: Any, is_one: bool) -> _Block:
    """Takes cells of an array."""
    shape = getattr(grids, "shape", None)
    view = None
    if shape is None:
        try:
            view = memoryview(grids)
        except TypeError:
            message = f"expected grids as text, bytes, a list of these, or an array, found {type(grids).__name__}"
            raise TypeError(message) from None
        shape = view.shape or ()
    ends = shape if is_one else shape[1:]
    if ends not in ((81,), (9, 9)):
        expected = "(81,) or (9, 9)" if is_one else "(n, 81) or (n, 9, 9)"
        raise ValueError(f"expected an array of the shape {expected}, found {tuple(shape)}")
    kind = getattr(getattr(grids, "dtype", None), "str", None)
    if view is None and kind is not None and kind[1:] != "u1":
        if kind[1] not in "iu":
            raise TypeError(f"expected an array of whole numbers, found one of {grids.dtype}")
        wrong = (grids < 0) | (grids > 9)
        if wrong.any():
            raise ValueError(f"expected a digit from 0 to 9 in every cell, found {grids[wrong][0]}")
        data = grids.astype("u1").tobytes()
    elif view is None:
        data = grids.tobytes()
    elif view.itemsize != 1:
        raise TypeError(f"expected an array of bytes, found one of the format {view.format!r}")
    else:
        data = view.tobytes()
    return _Block(data, False, (grids, shape))


def _one(grid: Any) -> _Block:
    if isinstance(grid, (str, bytes, bytearray)):
        data = _encoded(grid)
        if not data:
            raise ParseError("expected the 81 cells of a grid, found nothing", 1, 1)
        if b"\n" in data:
            raise ParseError("expected the 81 cells of a grid, found a line end", 1, data.index(b"\n") + 1)
        return _Block(data, True, grid)
    return _of_array(grid, is_one=True)


def _many(grids: Any) -> _Block:
    if isinstance(grids, (str, bytes, bytearray)):
        data = _encoded(grids)
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n")
        return _Block(data, True, grids)
    if isinstance(grids, (list, tuple)) or not (hasattr(grids, "shape") or _is_buffer(grids)):
        grids = list(grids)
        if not grids:
            return _Block(b"", True, grids)
        if all(isinstance(grid, str) for grid in grids):
            data = _encoded("\n".join(grids))
        elif all(isinstance(grid, (bytes, bytearray)) for grid in grids):
            data = b"\n".join(grids)
        else:
            wrong = next(grid for grid in grids if type(grid) is not type(grids[0]) or not isinstance(grid, (str, bytes, bytearray)))
            raise TypeError(f"expected grids as text, all str or all bytes, found {type(wrong).__name__}")
        # A line end within a grid would make two of it.
        if len(data) != 82 * len(grids) - 1:
            for number, grid in enumerate(grids):
                if len(grid) != 81:
                    message = f"expected the 81 cells of a grid, found {len(grid)}"
                    raise ParseError(f"grids[{number}]: {message}")
        return _Block(data, True, grids)
    return _of_array(grids, is_one=False)


def _is_buffer(grids: Any) -> bool:
    try:
        memoryview(grids)
    except TypeError:
        return False
    return True


def _encoded(text: str | bytes | bytearray) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


@overload
def solve(grid: str, *, time: float | None = ...) -> str | None: ...
@overload
def solve(grid: bytes, *, time: float | None = ...) -> bytes | None: ...
@overload
def solve(grid: Grid, *, time: float | None = ...) -> Grid | None: ...
def solve(grid: Any, *, time: float | None = None) -> Any:
    """Finds a solution of a grid, or returns ``None`` if there is none."""
    block = _one(grid)
    end, solved = _farandole.solve_grids(block.data, block.is_text, make_limits(time=time))
    check_end(end, "the search", None)
    if block.is_text:
        line = solved.rstrip(b"\n")
        return None if not line else line.decode() if isinstance(grid, str) else line
    return _as_array(solved, block.form) if any(solved) else None


def count(grid: Any, *, limit: SupportsIndex | None = None, time: float | None = None) -> int:
    """Counts the solutions of a grid: exactly, or up to ``limit``.

    >>> from farandole import sudoku
    >>> grid = "...........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    >>> sudoku.count(grid), sudoku.count(grid, limit=2)
    (292, 2)
    """
    block = _one(grid)
    end, counts = _farandole.count_grids(block.data, block.is_text, make_limits(limit, time))
    check_end(end, "the count", counts[0])
    return counts[0]


def is_unique(grid: Any, *, time: float | None = None) -> bool:
    """Tells whether a grid has exactly one solution, as a puzzle should."""
    return count(grid, limit=2, time=time) == 1


@overload
def solve_many(grids: str, *, time: float | None = ..., threads: SupportsIndex | None = ..., progress: Any = ...) -> str: ...
@overload
def solve_many(grids: bytes, *, time: float | None = ..., threads: SupportsIndex | None = ..., progress: Any = ...) -> bytes: ...
@overload
def solve_many(
    grids: list[str], *, time: float | None = ..., threads: SupportsIndex | None = ..., progress: Any = ...
) -> list[str | None]: ...
@overload
def solve_many(
    grids: list[bytes], *, threads: SupportsIndex | None = ..., progress: Any = ...
) -> list[bytes | None]: ...
@overload
def solve_many(grids: Grid, *, time: float | None = ..., threads: SupportsIndex | None = ..., progress: Any = ...) -> Grid: ...
def solve_many(
    grids: Any,
    *,
    time: float | None = None,
    threads: SupportsIndex | None = None,
    progress: Any = None,
) -> Any:
    """Finds a solution of each grid.

    In the answer a grid without a solution is an empty line of a text, ``None`` in a list, and all 0 in an array. If not all
    are solved after ``time`` seconds it raises :class:`farandole.LimitReached`.
    """
    block = _many(grids)
    limits = make_limits(time=time, threads=threads, progress=progress)
    end, solved = _call(_farandole.solve_grids, block, limits)
    check_end(end, "the search", None)
    if not block.is_text:
        return _as_array(solved, block.form)
    if isinstance(block.form, str):
        return solved.decode()
    if isinstance(block.form, (bytes, bytearray)):
        return solved
    if block.form and isinstance(block.form[0], str):
        return [line or None for line in solved.decode().split("\n")[:-1]]
    return [line or None for line in solved.split(b"\n")[:-1]]


def count_many(
    grids: Any,
    *,
    limit: SupportsIndex | None = None,
    time: float | None = None,
    threads: SupportsIndex | None = None,
    progress: Any = None,
) -> list[int]:
    """Counts the solutions of each grid: exactly, or up to ``limit``; within ``time`` seconds for all of them."""
    block = _many(grids)
    limits = make_limits(limit, time, threads=threads, progress=progress)
    counts: list[int]
    end, counts = _call(_farandole.count_grids, block, limits)
    check_end(end, "the count", None)
    return counts


def _call(function: Any, block: _Block, limits: Any) -> Any:
    try:
        return function(block.data, block.is_text, limits)
    except ParseError as error:
        if isinstance(block.form, list):
            raise ParseError(f"grids[{error.line - 1}], column {error.column}: {error.message}") from None
        raise


def _as_array(data: bytes, form: Any) -> Any:
    """Makes an array like the one that was given."""
    like, shape = form
    if hasattr(like, "dtype"):
        import numpy

        return numpy.frombuffer(bytearray(data), dtype="u1").reshape(shape).astype(like.dtype, copy=False)
    return memoryview(bytearray(data)).cast("B", shape=shape) if data else memoryview(b"")
