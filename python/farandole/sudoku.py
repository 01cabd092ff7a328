"""Sudoku: one grid of any size and with any rules, or millions of 9x9 grids with the SIMD instructions of the machine.

A grid is any of these, and the answer has the same form:

- a ``str`` or ``bytes`` of 81 cells or of nine lines, with or without white space around it, or a text in any other format
  of the program, of any size from 4x4 to 25x25, with the clues of any rules above the grid;
- a list, a tuple, an array of numpy or a column of 81 cells, or of 9 rows of 9 cells; a row may be a text;
- a list, a tuple or an array of as many rows of as many cells, such as 16 rows of 16 numbers;
- a table of 9x9 cells of pandas or polars; anything with the buffer protocol that has 81 bytes with the values 0 to 9.

A cell is a digit from 1 to 9 or a blank: 0, ``.``, ``*``, ``_``, ``-``, ``x``, ``?``; in a list also ``None``, ``""``,
``" "`` and not-a-number; in a text of one grid also a space, if there is no other blank. Anything else, such as the letter
``O``, is refused with its position.

Many grids are 9x9 grids: a text with one line each, where blank lines and comments (``#``) are skipped; a list, a column or an
array of grids in any form; or an array of ``(n, 81)`` or ``(n, 9, 9)`` cells. No other packages are needed except for
their own objects. More questions about a grid, such as hints, are those of :func:`farandole.puzzle`.

>>> from farandole import sudoku
>>> grid = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
>>> sudoku.solve(grid)
'812753649943682175675491283154237896369845721287169534521974368438526917796318452'
>>> sudoku.solve([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
[[1, 3, 2, 4], [4, 2, 3, 1], [2, 4, 1, 3], [3, 1, 4, 2]]
>>> sudoku.count("# rules: diagonals\\n1...............")
12
>>> sudoku.count("." * 81)
6670903752021072936960
>>> sudoku.solve_many([grid, "11" + "." * 79])
['812753649943682175675491283154237896369845721287169534521974368438526917796318452', None]
>>> sudoku.count_many([grid, "." * 81], limit=2)
[1, 2]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar, overload

from . import _farandole, _grids
from ._commands import Source, command_text
from ._limits import make_limits
from .errors import ParseError, check_end

if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["canonical", "count", "count_many", "is_unique", "solve", "solve_many"]

Grid = TypeVar("Grid")


@overload
def solve(grid: str, *, time: float | None = ..., cancel: Any = ...) -> str | None: ...
@overload
def solve(grid: bytes, *, time: float | None = ..., cancel: Any = ...) -> bytes | None: ...
@overload
def solve(grid: Grid, *, time: float | None = ..., cancel: Any = ...) -> Grid | None: ...
def solve(grid: Any, *, time: float | None = None, cancel: Any = None) -> Any:
    """Finds a solution of a grid, or returns ``None`` if there is none.

    The answer has the form of the grid. A grid of another size than 9x9, or with rules, may be in any format.

    >>> from farandole import sudoku
    >>> rows = [[5, 3, 0, 0, 7, 0, 0, 0, 0], [6, 0, 0, 1, 9, 5, 0, 0, 0], [0, 9, 8, 0, 0, 0, 0, 6, 0]]
    >>> rows += [[8, 0, 0, 0, 6, 0, 0, 0, 3], [4, 0, 0, 8, 0, 3, 0, 0, 1], [7, 0, 0, 0, 2, 0, 0, 0, 6]]
    >>> rows += [[0, 6, 0, 0, 0, 0, 2, 8, 0], [0, 0, 0, 4, 1, 9, 0, 0, 5], [0, 0, 0, 0, 8, 0, 0, 7, 9]]
    >>> sudoku.solve(rows)[0]
    [5, 3, 4, 6, 7, 8, 9, 1, 2]
    """
    block = _grids.one(grid)
    limits = make_limits(time=time, cancel=cancel)
    if block.core is not None:
        end, found = _farandole.solve(block.core, limits)
        check_end(end, "the search", None, limits=limits)
        return None if found is None else block.answer(block.core.show(found).encode())
    end, solved = _call(_farandole.solve_grids, block, limits)
    check_end(end, "the search", None, limits=limits)
    return block.answer(solved)


def count(grid: Any, *, limit: SupportsIndex | None = None, time: float | None = None, cancel: Any = None) -> int:
    """Counts the solutions of a grid: exactly, or up to ``limit``.

    >>> from farandole import sudoku
    >>> grid = "...........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    >>> sudoku.count(grid), sudoku.count(grid, limit=2)
    (292, 2)
    """
    block = _grids.one(grid)
    limits = make_limits(limit, time, cancel=cancel)
    if block.core is not None:
        end, number = _farandole.count(block.core, limits)
        check_end(None if end == "limit" else end, "the count", number, limits=limits)
        return number
    end, counts = _call(_farandole.count_grids, block, limits)
    check_end(end, "the count", counts[0], limits=limits)
    return int(counts[0])


def is_unique(grid: Any, *, time: float | None = None, cancel: Any = None) -> bool:
    """Returns whether a grid has exactly one solution, as a puzzle should.

    >>> from farandole import sudoku
    >>> sudoku.is_unique("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
    True
    """
    return count(grid, limit=2, time=time, cancel=cancel) == 1


def canonical(grid: Any, *, cancel: Any = None) -> str:
    """Returns the canonical form of a plain 9x9 grid, the same for all grids that a symmetry maps to each other.

    Symmetries rename digits, exchange lines within and between bands, and transpose. The solution of the form is the least of
    all as a text, and the clues are moved accordingly. Grids with more than 10,000 solutions have no form.

    >>> from farandole import sudoku
    >>> grid = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    >>> form = sudoku.canonical(grid)
    >>> form == sudoku.canonical(grid[::-1]), sudoku.count(form)
    (True, 1)
    """
    block = _grids.one(grid)
    if block.core is not None and block.core.sizes()[:2] != (324, 0):
        raise ParseError("expected a 9x9 grid without further rules, found another")
    text = block.core.show(block.core.given()).encode() if block.core is not None else _line(block)
    limits = make_limits(cancel=cancel)
    return command_text(["convert", "--to=canonical"], Source(["--puzzle=sudoku"], text), "the canonical form", limits).strip()


def _line(block: _grids.Block) -> bytes:
    """Returns the text of a grid."""
    digits = block.data if block.is_text else bytes(value + 48 for value in block.data)
    return bytes(digit if digit in b"123456789" else 46 for digit in digits)


@overload
def solve_many(
    grids: list[str], *, time: float | None = ..., threads: SupportsIndex | None = ..., progress: Any = ..., cancel: Any = ...
) -> list[str | None]: ...
@overload
def solve_many(
    grids: list[bytes], *, time: float | None = ..., threads: SupportsIndex | None = ..., progress: Any = ..., cancel: Any = ...
) -> list[bytes | None]: ...
@overload
def solve_many(
    grids: list[Grid] | Iterator[Grid],
    *,
    time: float | None = ...,
    threads: SupportsIndex | None = ...,
    progress: Any = ...,
    cancel: Any = ...,
) -> list[Grid | None]: ...
@overload
def solve_many(
    grids: Grid, *, time: float | None = ..., threads: SupportsIndex | None = ..., progress: Any = ..., cancel: Any = ...
) -> Grid: ...
def solve_many(
    grids: Any,
    *,
    time: float | None = None,
    threads: SupportsIndex | None = None,
    progress: Any = None,
    cancel: Any = None,
) -> Any:
    """Finds a solution of each grid.

    A grid without a solution gives an empty line in a text, ``None`` in a list or a column, all 0 in an array of numbers, and
    an empty text in an array of texts. If not all grids are solved after ``time`` seconds it raises
    :class:`farandole.LimitReached`.

    >>> from farandole import sudoku
    >>> grid = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    >>> sudoku.solve_many(f"# two grids\\n{grid}\\n\\n11{grid[2:]}\\n")
    '812753649943682175675491283154237896369845721287169534521974368438526917796318452\\n\\n'
    """
    block = _grids.many(grids)
    limits = make_limits(time=time, threads=threads, progress=progress, cancel=cancel)
    end, solved = _call(_farandole.solve_grids, block, limits)
    check_end(end, "the search", None, limits=limits)
    return block.answer(solved)


def count_many(
    grids: Any,
    *,
    limit: SupportsIndex | None = None,
    time: float | None = None,
    threads: SupportsIndex | None = None,
    progress: Any = None,
    cancel: Any = None,
) -> list[int]:
    """Counts the solutions of each grid: exactly, or up to ``limit``; within ``time`` seconds for all of them.

    >>> from farandole import sudoku
    >>> sudoku.count_many(["." * 81, "11" + "." * 79], limit=2)
    [2, 0]
    """
    block = _grids.many(grids)
    limits = make_limits(limit, time, threads=threads, progress=progress, cancel=cancel)
    counts: list[int]
    end, counts = _call(_farandole.count_grids, block, limits)
    check_end(end, "the count", None, limits=limits)
    return counts


def _call(function: Any, block: _grids.Block, limits: Any) -> Any:
    """Queries a block, and if blank lines or comments make that fail, the block without them."""
    try:
        return function(block.data, block.is_text, limits)
    except ParseError as error:
        if block.plain is None:
            raise block.refusal(error) from None
    block = block.plain()
    try:
        return function(block.data, block.is_text, limits)
    except ParseError as error:
        raise block.refusal(error) from None
