"""The forms of 9x9 Sudoku grids: parsing of grids, and answers in the same form.

A grid is read as 81 characters, with a function that converts the 81 digits of a solution to the form of the grid. Arrays of
numbers and texts with one grid per line go to the private module as one block of bytes.
"""

from __future__ import annotations

import importlib
import math
import operator
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, Callable, NamedTuple, NoReturn, Optional, Union

from ._farandole import Core, Texts, Whole, solve_grids
from ._inputs import check_no_file, dimensions, found, library
from ._limits import Limits
from ._parts import Hints
from .errors import ParseError

__all__ = ["ERROR", "Block", "Solved", "check_remarks", "many", "one", "puzzle_text", "solve_lines", "solve_values"]

#: Converts the 81 digits of a solution to the form of the grid.
Make = Callable[[str], Any]

#: The characters of blank cells, and the characters of all cells.
BLANKS = ".0*_-xX?"
CHARACTERS = BLANKS + "123456789"
#: The accepted cell values and their characters. ``True`` would match 1, so types are checked first.
_CELLS: dict[Any, str] = {
    **{blank: "." for blank in (*BLANKS, "", " ", None, 0)},
    **{digit: str(digit) for digit in range(1, 10)},
    **{str(digit): str(digit) for digit in range(1, 10)},
}
_CELL_TYPES = {int, str, float, type(None)}
#: Spaced cells; five of them are nine characters, too.
_SPACED = re.compile(r"(\S )+\S")
_EXPECTED = "expected a digit 1-9 or a blank such as `.`"
_OTHER_SIZES = "`solve` and `count` take other sizes, one grid at a time"
#: The sizes of grids of other orders than 9: rows, and cells in one line.
_OTHER_ORDERS = {4, 6, 8, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25}
_OTHER_LENGTHS = {order**2 for order in _OTHER_ORDERS}
_MANY = "`solve_many` and `count_many` take several grids"


class Block(NamedTuple):
    """Grids for the private module: lines of text, or cells with the values 0 to 9."""

    data: bytes
    is_text: bool
    #: Converts the solved block to the caller's form. A grid without a solution is an empty line, or all 0.
    answer: Callable[[bytes], Any]
    #: Converts an error in a line of the block to the caller's terms.
    refusal: Callable[[ParseError], ParseError]
    #: The block without blank lines and comments, if it is a text that may have some.
    plain: Optional[Callable[[], Block]] = None
    #: The puzzle, if the text has another format than one line or nine.
    core: Optional[Core] = None


# One grid.


def one(grid: Any) -> Block:
    """Takes one grid."""
    if type(grid) is str and len(grid) == 81 and "\n" not in grid and " " not in grid:
        return Block(grid.encode("utf-8", "surrogatepass"), True, _line_or_none, _same)
    if isinstance(grid, (str, bytes, bytearray)):
        text = _stripped(grid)
        if "\n" in text and _nine_lines(text) is None or text.startswith(("[", "{", "http")):
            return _other_format(grid, text)
        if len(text) != 81 and len(text) in _OTHER_LENGTHS:
            return _other_format(grid, text)
    elif _order(grid) in _OTHER_ORDERS:
        return _other_order(grid)
    elif _is_numbers(grid):
        return _numbers(grid, is_one=True)
    try:
        line, make = _read(grid)
    except TypeError as error:
        raise TypeError(f"expected a grid, {error}") from None

    def refusal(error: ParseError) -> ParseError:
        if not isinstance(grid, (str, bytes, bytearray)) or _nine_lines(_stripped(grid)) is None:
            return ParseError(error.message, 1, error.column)
        row, column = divmod(error.column - 1, 9)
        return ParseError(error.message, row + 1, column + 1)

    return Block(line.encode("utf-8", "surrogatepass"), True, lambda solved: _answer(make, solved.rstrip(b"\n")), refusal)


def _answer(make: Make, line: bytes) -> Any:
    return make(line.decode()) if line else None


def _line_or_none(solved: bytes) -> str | None:
    return solved.rstrip(b"\n").decode() or None


def _same(error: ParseError) -> ParseError:
    return error


def _decoded(text: Union[str, bytes, bytearray]) -> str:
    # Decode each byte as one character, so that columns are right; invalid cells are refused later.
    return text if isinstance(text, str) else bytes(text).decode("latin-1")


def _stripped(text: Union[str, bytes, bytearray]) -> str:
    """Removes white space around a grid, but neither control characters nor spaces that are blank cells."""
    text = _decoded(text).strip("\ufeff\r\n").replace("\r\n", "\n")
    lines = text.split("\n")
    if " " in text and [len(line) for line in lines] in ([81], [9] * 9) and not set(text) & set(BLANKS):
        # Fewer cells with spaces between them are not a grid.
        if not all(_SPACED.fullmatch(line) for line in lines):
            return text.replace(" ", ".")
    return text.strip(" \t\n")


def _nine_lines(text: str) -> list[str] | None:
    lines = text.split("\n")
    return lines if len(lines) == 9 and all(len(line) == 9 for line in lines) else None


def _other_format(grid: Any, text: str) -> Block:
    """Reads a grid in any format of the program, of any size and with any rules."""
    texts = Texts(text.encode("utf-8", "surrogatepass"), Hints(), Limits())
    core = texts.next()
    if texts.kind() not in ("sudoku", "variant"):
        # Without a line that names the kind, a text may be read as another one.
        texts = Texts(text.encode("utf-8", "surrogatepass"), Hints("sudoku"), Limits())
        core = texts.next()
    if core is None:
        raise ParseError("expected a grid, found nothing")
    if texts.next() is not None:
        raise ParseError(f"expected one puzzle, found more: {_MANY}")
    note = core.note()
    if note is not None:
        warnings.warn(note, stacklevel=4)
    is_text = isinstance(grid, str)

    def answer(solved: bytes) -> Any:
        shown = solved.rstrip(b"\n")
        return None if not shown else shown.decode() if is_text else shown

    return Block(b"", True, answer, _same, core=core)


def _order(grid: Any) -> int:
    """Returns the number of rows of a list, an array or a table of rows or of cells, and 0 for anything else."""
    shape = getattr(grid, "shape", None)
    if isinstance(shape, tuple):
        if len(shape) == 1 and shape[0] in _OTHER_LENGTHS and library(grid) == "numpy":
            return math.isqrt(shape[0])
        return int(shape[0]) if len(shape) == 2 and shape[0] == shape[1] else 0
    if not isinstance(grid, (list, tuple)) or len(grid) == 9:
        return 0
    if len(grid) in _OTHER_LENGTHS and all(_is_cell(cell, 3) for cell in grid):
        return math.isqrt(len(grid))
    return len(grid) if all(hasattr(row, "__len__") and len(row) == len(grid) for row in grid) else 0


def _other_order(grid: Any) -> Block:
    """Reads rows of cells of another size than 9x9."""
    text, _ = puzzle_text("sudoku", grid)
    core = Core.make(text, Hints("sudoku", "rows"), Limits())
    rows = _rows_of(grid)
    is_flat = all(_is_cell(row, 3) for row in rows)
    cells = rows if is_flat else [cell for row in rows for cell in row]
    is_text = any(isinstance(cell, str) and cell.strip(BLANKS + " ") for cell in cells)

    def answer(solved: bytes) -> Any:
        words = [line.split() for line in solved.decode().splitlines() if line and not line.startswith("#")]
        rows: list[Any] = [list(row) if is_text else list(map(int, row)) for row in words]
        package = library(grid)
        if is_flat:
            rows = [cell for row in rows for cell in row]
        if package == "pandas":
            return type(grid)(rows, grid.index, grid.columns)
        if package == "polars":
            return type(grid)(rows, schema=grid.columns, orient="row")
        if isinstance(grid, memoryview):
            return memoryview(bytearray(cell for row in rows for cell in row)).cast("B", shape=list(grid.shape or ()))
        if package == "numpy":
            return _array_like(grid, rows)
        made = rows if is_flat else [_row_like(like, row) for like, row in zip(grid, rows)]
        return tuple(made) if isinstance(grid, tuple) else made

    return Block(b"", True, answer, _same, core=core)


def _rows_of(grid: Any) -> list[Any]:
    return _frame_rows(grid) if library(grid) in ("pandas", "polars") else list(grid.tolist() if hasattr(grid, "tolist") else grid)


def _row_like(like: Any, row: list[Any]) -> Any:
    if isinstance(like, str):
        return (" " if len(like.split()) > 1 else "").join(map(str, row))
    return tuple(row) if isinstance(like, tuple) else row


def _read(grid: Any) -> tuple[str, Make]:
    """Returns the 81 characters of a grid, and the function that makes an answer."""
    if isinstance(grid, (str, bytes, bytearray)):
        return _read_text(grid)
    if isinstance(grid, (Mapping, Set)):
        raise TypeError(f"found {found(grid)}: a grid is a text, a list or an array of cells in their order")
    if library(grid) in ("pandas", "polars") and dimensions(grid):
        return _read_frame(grid)
    if hasattr(grid, "tolist") and dimensions(grid):
        line, make = _read_list(grid.tolist())
        return line, lambda solved: _array_like(grid, make(solved))
    if isinstance(grid, memoryview):
        return _read_list(grid.tolist())
    if not isinstance(grid, Iterable):
        is_number = isinstance(grid, int) and grid > 9
        way = "a number has no zeros before it; read it as a text" if is_number else "a grid is a text, a list or an array of 81 cells or 9 rows"
        raise TypeError(f"found {found(grid)}: {way}")
    line, make = _read_list(list(grid))
    return (line, lambda solved: tuple(make(solved))) if isinstance(grid, tuple) else (line, make)


def _read_text(grid: Union[str, bytes, bytearray]) -> tuple[str, Make]:
    text = _stripped(grid)
    lines = _nine_lines(text)
    line = text if lines is None else "".join(lines)
    if not line:
        raise ParseError("expected the 81 cells of a grid, found nothing", 1, 1)
    if len(line) != 81:
        if "\n" in line:
            raise ParseError(f"expected the 81 cells of a grid in one line or nine, found others: {_READ_TEXT}")
        if line.strip(CHARACTERS):
            hint = f": {_READ_TEXT}"
        else:
            hint = f": {_OTHER_SIZES}" if math.isqrt(len(line)) ** 2 == len(line) else ""
        raise ParseError(f"expected the 81 cells of a grid, found {len(line)}{hint}", 1, min(len(line), 81) + 1)

    def make(solved: str) -> Any:
        shown = solved if lines is None else "\n".join(_rows(solved))
        return shown if isinstance(grid, str) else shown.encode()

    return line, make


_READ_TEXT = "`farandole.read_text` reads grids of several lines, with titles, and of other formats"


def _read_frame(grid: Any) -> tuple[str, Make]:
    """Reads a table of 9x9 cells, or a column of 81 cells or 9 rows."""
    is_pandas = library(grid) == "pandas"
    if dimensions(grid) == 1:
        line, make = _read_list(list(grid))
        if is_pandas:
            return line, lambda solved: type(grid)(make(solved), grid.index, name=grid.name)
        return line, lambda solved: type(grid)(grid.name, make(solved))
    if tuple(grid.shape) != (9, 9):
        raise ParseError(f"expected a table of 9x9 cells, found {grid.shape[0]}x{grid.shape[1]}: {_MANY}, as a column of grids")
    line, make = _read_list([list(row) for row in _frame_rows(grid)])
    if is_pandas:
        return line, lambda solved: type(grid)(make(solved), grid.index, grid.columns)
    return line, lambda solved: type(grid)(make(solved), schema=grid.columns, orient="row")


def _read_list(values: list[Any]) -> tuple[str, Make]:
    """Reads 81 cells, or 9 rows of 9: texts or collections."""
    if len(values) == 81:
        line, is_text = _read_cells(values, 0)
        return line, lambda solved: _made(solved, is_text)
    if len(values) != 9:
        sizes = {size for size in (len(values), math.isqrt(len(values))) if size in (4, 6, 8, 10, 12, 16, 25)}
        hint = _OTHER_SIZES if sizes else _MANY
        raise ParseError(f"expected 81 cells or 9 rows of 9, found {len(values)}: {hint}")
    if all(isinstance(row, str) and _SPACED.fullmatch(row.strip()) for row in values):
        raise ParseError(f"expected 9 cells, found {found(values[0])}", place="row 1")
    rows = [_read_row(row, number) for number, row in enumerate(values)]
    makes = [make for _, make in rows]
    return "".join(line for line, _ in rows), lambda solved: [make(row) for make, row in zip(makes, _rows(solved))]


def _rows(line: str) -> list[str]:
    return [line[start : start + 9] for start in range(0, 81, 9)]


def _read_row(row: Any, number: int) -> tuple[str, Make]:
    place = f"row {number + 1}"
    if isinstance(row, (str, bytes, bytearray)):
        text = _decoded(row).rstrip("\r\n")
        if len(text) != 9:
            text = text.strip()
        if len(text) != 9:
            raise ParseError(f"expected 9 cells, found {found(row)}", place=place)
        line, _ = _read_cells(list(text), number)
        return line, lambda solved: solved if isinstance(row, str) else solved.encode()
    if isinstance(row, (Mapping, Set)) or not isinstance(row, Iterable):
        raise ParseError(f"expected 9 cells in their order, found {found(row)}", place=place)
    cells = list(row)
    if len(cells) != 9:
        raise ParseError(f"expected 9 cells, found {len(cells)}", place=place)
    line, is_text = _read_cells(cells, number)

    def make(solved: str) -> Any:
        digits = _made(solved, is_text)
        if isinstance(row, tuple):
            return tuple(digits)
        return _array_like(row, digits) if hasattr(row, "dtype") and library(row) == "numpy" else digits

    return line, make


def _read_cells(cells: list[Any], row: int) -> tuple[str, bool]:
    """Returns the characters of cells whose first begins a row, and whether the cells are texts."""
    types = set(map(type, cells))
    is_text = any(issubclass(each, (str, bytes)) for each in types)
    if types <= _CELL_TYPES:
        try:
            return "".join(map(_CELLS.__getitem__, cells)), is_text
        except KeyError:
            pass
    return "".join(_character(cell, row * 9 + place) for place, cell in enumerate(cells)), is_text


def _character(cell: Any, place: int) -> str:
    """Returns the character of a cell."""
    character = _CELLS.get(_value(cell))
    if character is None:
        row, column = divmod(place, 9)
        raise ParseError(f"{_EXPECTED}, found {cell!r}", 0, column + 1, place=f"row {row + 1}")
    return character


def _value(cell: Any) -> Any:
    """Returns the value of a cell for `_CELLS`; the ellipsis if the cell is invalid."""
    kind = getattr(getattr(cell, "dtype", None), "kind", "")
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, (bytes, bytearray)):
        return _decoded(cell)
    if isinstance(cell, float) or kind == "f":
        return None if cell != cell else cell
    if library(cell) == "pandas" and type(cell).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(cell, bool) or kind == "b" or not hasattr(cell, "__index__"):
        return ...
    try:
        return operator.index(cell)
    except TypeError:
        return ...


def _made(solved: str, is_text: bool) -> list[Any]:
    return list(solved) if is_text else list(map(int, solved))


def _array_like(like: Any, values: Any) -> Any:
    """Makes a numpy array of the same kind as the given one."""
    import numpy

    dtype = like.dtype if isinstance(like, (numpy.ndarray, numpy.generic)) else None
    return numpy.array(values, dtype=dtype).reshape(like.shape)


# Arrays of numbers.


def _is_numbers(grids: Any) -> bool:
    """Returns whether `grids` is an array of numbers or another buffer of bytes."""
    if library(grids) in ("pandas", "polars") or isinstance(grids, (str, bytes, bytearray)):
        return False
    kind = getattr(getattr(grids, "dtype", None), "kind", None)
    if kind is not None and hasattr(grids, "shape"):
        return kind not in "USOT"
    if hasattr(grids, "dtype") and hasattr(grids, "__array__"):
        # From another library.
        return True
    try:
        return memoryview(grids).itemsize == 1 or isinstance(grids, memoryview)
    except TypeError:
        return False


def _numbers(grids: Any, is_one: bool) -> Block:
    """Takes cells of an array."""
    view: Any = None
    numpy: Any = None
    if hasattr(grids, "dtype"):
        numpy = importlib.import_module("numpy")
        if numpy.ma.is_masked(grids):
            raise ValueError("expected a digit from 0 to 9 in every cell, found masked ones: `.filled(0)` makes blanks of them")
        grids = numpy.asarray(grids)
        shape = grids.shape
    else:
        view = memoryview(grids)
        shape = view.shape or ()
    ends = shape if is_one else shape[1:]
    if ends not in ((81,), (9, 9)):
        expected = "(81,) or (9, 9)" if is_one else "(n, 81) or (n, 9, 9)"
        hint = _MANY if is_one and shape[1:] in ((81,), (9, 9)) else f"{_OTHER_SIZES}" if is_one else "`solve` takes one grid"
        raise ValueError(f"expected an array of the shape {expected}, found {tuple(shape)}: {hint}")
    if hasattr(grids, "dtype"):
        data = _digits(grids)
    elif view.itemsize != 1:
        raise TypeError(f"expected an array of bytes, found one of the format {view.format!r}: `.tolist()` makes a list")
    else:
        data = view.tobytes()

    def answer(solved: bytes) -> Any:
        if is_one and not any(solved):
            return None
        if hasattr(grids, "dtype"):
            return numpy.frombuffer(bytearray(solved), dtype="u1").reshape(shape).astype(grids.dtype, copy=False)
        return memoryview(bytearray(solved)).cast("B", shape=list(shape)) if solved else memoryview(b"")

    return Block(data, False, answer, _same)


def _digits(grids: Any) -> bytes:
    """Returns the cells of a numpy array; not-a-number is a blank, as in a table with empty fields."""
    import numpy

    kind = grids.dtype.kind
    if kind not in "iuf":
        raise TypeError(f"expected an array of whole numbers, found one of {grids.dtype}")
    if grids.dtype.str[1:] != "u1":
        if kind == "f":
            grids = numpy.where(numpy.isnan(grids), 0, grids)
        is_wrong = ~numpy.isin(grids, numpy.arange(10))
        if is_wrong.any():
            places = is_wrong.reshape(-1).nonzero()[0]
            grid, cell = divmod(int(places[0]), 81)
            where = f"in row {cell // 9 + 1} and column {cell % 9 + 1} of grid {grid}"
            raise ValueError(f"expected a digit from 0 to 9 in every cell, found {grids.reshape(-1)[places[0]]} {where}")
        grids = grids.astype("u1")
    data: bytes = grids.tobytes()
    return data


# Several grids.


def many(grids: Any) -> Block:
    """Takes several grids."""
    if isinstance(grids, (str, bytes, bytearray)):
        return _lines(grids)
    if isinstance(grids, list):
        return _plain_list(grids) or _list(grids)
    if _is_numbers(grids):
        return _numbers(grids, is_one=False)
    if isinstance(grids, Mapping):
        raise TypeError(f"expected grids in their order, found {found(grids)}: `list(grids.values())`")
    if isinstance(grids, Set):
        raise TypeError(f"expected grids in their order, found {found(grids)}: `sorted(grids)`")
    if library(grids) in ("pandas", "polars") and dimensions(grids) > 1:
        way = "a column of grids is `frame[\"name\"]`, and a row of 81 cells a grid `frame.to_numpy()`"
        raise TypeError(f"expected grids, found {found(grids)}: {way}")
    if not isinstance(grids, Iterable):
        way = "they are a text, a list, a column or an array of grids"
        raise TypeError(f"expected grids, found {found(grids)}: {way}")
    if hasattr(grids, "to_pylist"):
        each = getattr(grids, "to_pylist")()
    elif library(grids) == "numpy":
        each = _tolist(grids)
    else:
        each = list(grids)
    block = _plain_list(each) or _list(each)
    return block._replace(answer=lambda solved: _like(grids, block.answer(solved)))


def _plain_list(grids: list[Any]) -> Block | None:
    """Takes a list of lines, all ``str`` or all ``bytes``."""
    types = set(map(type, grids))
    if types <= {str}:
        data = "\n".join(grids).encode("utf-8", "surrogatepass")
        is_bytes = False
    elif types <= {bytes, bytearray}:
        data, is_bytes = b"\n".join(grids), True
    else:
        return None
    # A line end within a grid would split it into two.
    if len(data) != max(82 * len(grids) - 1, 0) or data.count(b"\n") != max(len(grids) - 1, 0) or b" " in data:
        return None

    def answer(solved: bytes) -> list[Any]:
        lines = solved.split(b"\n")[:-1]
        return [line or None for line in lines] if is_bytes else [line.decode() or None for line in lines]

    return Block(data, True, answer, _in_list)


def _list(grids: list[Any]) -> Block:
    """Takes a list of grids of any form."""
    read = []
    for number, grid in enumerate(grids):
        try:
            read.append(_read(grid))
        except TypeError as error:
            raise TypeError(f"expected a grid as grids[{number}], {error}") from None
        except ParseError as error:
            place = f"grids[{number}]"
            if _is_one(grids):
                error.message = f"{error.message}; `solve` and `count` take one grid"
            if error.place:
                place = f"{place}, {error.place}"
            elif isinstance(grid, str) and grid.lstrip().startswith("#"):
                error.message = f"{error.message}; comments may stand in one text with all grids"
            raise ParseError(error.message, number + 1, error.column, place=place) from None

    def answer(solved: bytes) -> list[Any]:
        return [_answer(make, line) for (_, make), line in zip(read, solved.split(b"\n"))]

    return Block("\n".join(line for line, _ in read).encode("utf-8", "surrogatepass"), True, answer, _in_list)


def _is_one(grids: list[Any]) -> bool:
    """Returns whether the argument for several grids is a single grid."""
    try:
        _read(grids)
    except (ParseError, TypeError):
        return False
    return True


def _in_list(error: ParseError) -> ParseError:
    return ParseError(error.message, error.line, error.column, place=f"grids[{error.line - 1}]")


def _like(grids: Any, answers: list[Any]) -> Any:
    """Returns the answers as a column or an array like the grids, or as a list."""
    package = library(grids)
    if package == "pandas" and hasattr(grids, "index"):
        return type(grids)(answers, index=grids.index, name=grids.name, dtype=object)
    if package == "polars":
        return type(grids)(grids.name, answers)
    if package != "numpy" or not hasattr(grids, "dtype"):
        return answers
    import numpy

    # Without a solution all cells are blank.
    blank = None if grids.dtype.kind == "O" else ""
    made = numpy.full(grids.shape, blank, dtype=grids.dtype)
    for place, answer in enumerate(answers):
        if answer is not None:
            made[place] = answer
    return made


# A text with a grid a line.


def _lines(grids: Union[str, bytes, bytearray]) -> Block:
    data = grids.encode("utf-8", "surrogatepass") if isinstance(grids, str) else bytes(grids)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")

    def answer(solved: bytes) -> Any:
        return solved.decode() if isinstance(grids, str) else solved

    def refusal(error: ParseError) -> ParseError:
        lines = data.split(b"\n")
        is_other = error.line and len(lines[error.line - 1].strip()) != 81
        return ParseError(error.message + (f": {_READ_TEXT}" if is_other else ""), error.line, error.column)

    return Block(data, True, answer, refusal, lambda: _without_remarks(data, answer, refusal))


def _without_remarks(
    data: bytes, answer: Callable[[bytes], Any], refusal: Callable[[ParseError], ParseError]
) -> Block:
    """Removes blank lines, comments, and white space around grids, as the program does."""
    lines: list[bytes] = []
    numbers: list[tuple[int, int]] = []
    remarks: dict[bytes, int] = {}
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        stripped = line.strip()
        if stripped.startswith(b"#"):
            remarks.setdefault(stripped, number)
        elif stripped:
            lines.append(stripped)
            numbers.append((number, line.index(stripped)))
    check_remarks(remarks)

    def refused(error: ParseError) -> ParseError:
        if not error.line:
            return error
        number, before = numbers[error.line - 1]
        return refusal(ParseError(error.message, number, error.column + before))

    return Block(b"\n".join(lines), True, answer, refused)


#: A grid that the program solves at once, and the digest of its exact cover.
_EASY = b"812753649943682175675491283154237896369845721287169534521974368438526917796318452"
_easy_digest = ""


def check_remarks(remarks: Mapping[bytes, int]) -> None:
    """Refuses comments with statements such as rules; the program decides which comments have them."""
    global _easy_digest
    _easy_digest = _easy_digest or _digest_after([])
    if not remarks or _said_by(list(remarks)) is None:
        return
    for remark, number in remarks.items():
        said = _said_by([remark])
        if said is not None:
            raise ParseError(f"expected a comment, found `{remark.decode(errors='replace')}`, which {said}: {_WITH_RULES}", number, 1)
    raise ParseError(f"expected comments, found lines that together change the puzzle: {_WITH_RULES}")


_WITH_RULES = "`farandole.read_text` reads grids with rules"


def _said_by(remarks: list[bytes]) -> str | None:
    try:
        return None if _digest_after(remarks) == _easy_digest else "changes the puzzle"
    except ParseError as error:
        return f"is refused: {error.message}"


def _digest_after(remarks: list[bytes]) -> str:
    """Returns the digest of a grid after these comments, or another digest if the result is not a Sudoku."""
    texts = Texts(b"\n".join([*remarks, _EASY, b""]), Hints(), Limits())
    core = texts.next()
    return Whole(core).digest if core is not None and texts.kind() == "sudoku" else ""


# Grids of every size and kind.


def puzzle_text(kind: str, what: Any) -> tuple[str, bool]:
    """Returns the parameter or text of a puzzle, and whether the argument is a list of lists."""
    if isinstance(what, str):
        check_no_file(what, "farandole.read_file")
        return what, False
    if isinstance(what, (bytes, bytearray)):
        return bytes(what).decode(), False
    if not isinstance(what, bool) and hasattr(what, "__index__") and not dimensions(what):
        return str(operator.index(what)), False
    if isinstance(what, (Mapping, Set)) or not isinstance(what, Iterable) or kind == "cover":
        way = "`farandole.read_file` reads files, and `farandole.Problem` takes collections"
        raise TypeError(f"expected a parameter, a text or a grid, found {found(what)}: {way}")
    each = _frame_rows(what) if library(what) in ("pandas", "polars") and dimensions(what) == 2 else _listed(what)
    width = math.isqrt(len(each))
    if width > 1 and width**2 == len(each) and all(_is_cell(cell, len(each)) for cell in each):
        each = [each[start : start + width] for start in range(0, len(each), width)]
    return "".join(_row_text(row) + "\n" for row in each), True


def _is_cell(cell: Any, count: int) -> bool:
    """Returns whether an element of a list of length ``count`` is a cell rather than a row."""
    return len(cell) < count if isinstance(cell, (str, bytes)) else not isinstance(cell, Iterable)


def _row_text(row: Any) -> str:
    if isinstance(row, str):
        return row if len(row.split()) > 1 else " ".join(row)
    return " ".join(map(_word, _listed(row)))


def _frame_rows(frame: Any) -> list[Any]:
    return list(frame.itertuples(index=False) if library(frame) == "pandas" else frame.rows())


def _listed(row: Any) -> list[Any]:
    if isinstance(row, (Mapping, Set)) or not isinstance(row, Iterable):
        raise TypeError(f"expected a grid of rows of cells in their order, found {found(row)} as a row")
    return _tolist(row)


def _tolist(values: Any) -> list[Any]:
    return list(values.tolist() if hasattr(values, "tolist") else values)


def _word(value: Any) -> str:
    """Returns the word for a cell in a row."""
    cell: Any = value.decode() if isinstance(value, bytes) else value
    if isinstance(cell, float) and (cell != cell or math.isfinite(cell) and cell == int(cell)):
        cell = None if cell != cell else int(cell)
    if cell is None or isinstance(cell, str):
        word = (cell or "").strip() or "."
        if len(word.split()) > 1:
            raise ParseError(f"expected a cell, found {cell!r}")
        return word
    number = -1 if isinstance(cell, (bool, float)) or not hasattr(cell, "__index__") else operator.index(cell)
    if number < 0:
        raise TypeError(f"expected a grid of numbers from 0 up and texts, found the cell {cell!r}")
    return str(number or ".")


# Files, in which invalid lines do not affect the others.


class Solved(NamedTuple):
    """The results for lines or rows."""

    #: A line per grid: its solution, an empty line without a solution, or `error` for an invalid grid.
    text: bytes
    grids: int
    unsolvable: int
    #: The invalid lines: number from 1, column, and message.
    errors: list[tuple[int, int, str]]

    def moved(self, lines: int) -> Solved:
        """Returns the same results for lines that follow ``lines`` others."""
        return self._replace(errors=[(line + lines, column, message) for line, column, message in self.errors])


#: The answer to an invalid line, as the program writes it.
ERROR = b"error"
_LINE = re.compile(rb"[0-9.*_\-xX?]{81}")


def solve_lines(text: bytes) -> Solved:
    """Solves a text with one grid per line. Blank lines and comments are skipped; comments with rules are refused."""
    text = text.replace(b"\r\n", b"\n")
    try:
        solved = _solve(text)
    except ParseError:
        lines = [(number, line.strip()) for number, line in enumerate(text.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1)]
        remarks = {line: number for number, line in reversed(lines) if line.startswith(b"#")}
        check_remarks(remarks)
        return solve_values((each for each in lines if each[1] and not each[1].startswith(b"#")), "line")
    answers = solved.split(b"\n")[:-1]
    return Solved(solved, len(answers), answers.count(b""), [])


def solve_values(values: Iterable[tuple[int, Any]], what: str) -> Solved:
    """Solves grids of any form, each with its number."""
    lines: list[bytes] = []
    is_grid: list[bool] = []
    errors: list[tuple[int, int, str]] = []
    for number, value in values:
        try:
            line = value if isinstance(value, bytes) else _read(value)[0].encode("utf-8", "surrogatepass")
            if not _LINE.fullmatch(line):
                _solve(line)
                raise ParseError(f"expected the 81 cells of a grid, found {len(line)}", 1, 1)
            lines.append(line)
            is_grid.append(True)
        except ParseError as error:
            errors.append((number, max(error.column, 1), error.message))
            is_grid.append(False)
        except TypeError as error:
            errors.append((number, 1, f"expected a grid in every {what}, {error}"))
            is_grid.append(False)
    answers = _solve(b"\n".join(lines)).split(b"\n")[:-1]
    unsolvable = answers.count(b"")
    if errors:
        found_answers = iter(answers)
        answers = [next(found_answers) if each else ERROR for each in is_grid]
    return Solved(b"".join(answer + b"\n" for answer in answers), len(lines), unsolvable, errors)


def _solve(text: bytes) -> bytes:
    _, solved = solve_grids(text, True, Limits(threads=1))
    return solved
