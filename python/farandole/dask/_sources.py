"""The sources of grids in files: lines of texts, columns of tables, columns of Parquet.

The client cuts files into blocks, which workers read independently: a range of lines, a whole compressed file (which can
only be read from its beginning), or a row group of Parquet. A worker reads a block in pieces, so no file is held as a whole.
"""

from __future__ import annotations

import copy
import csv
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Optional, Union

import fsspec  # type: ignore[import-untyped]
from fsspec.utils import read_block  # type: ignore[import-untyped]

from .._grids import Solved, check_remarks, solve_lines, solve_values
from ..errors import ParseError

__all__ = ["Column", "Place", "cut", "solved_pieces"]

#: Size of a piece of a file that is not seekable in bytes, and of a piece of Parquet in rows.
PIECE = 8 << 20
ROWS = 1 << 16
#: Extensions of Parquet files and tables.
PARQUET = (".parquet", ".pq")
TABLES = (".csv", ".tsv", ".tab")
#: Possible delimiters of the fields of a table.
DELIMITERS = ",;\t|"
#: The first bytes of compressed files.
MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"PK\x03\x04": "zip"}

#: The name of a column, its number from 0 in a table without a header, or `None` if each line is a grid.
Column = Union[str, int, None]


@dataclass(frozen=True)
class Place:
    """A part of a file."""

    #: Opens the file, with its file system, which may be nested in another; and the name of the file for messages.
    file: Any
    name: str
    column: Column
    #: Start in bytes or row groups, and length; `None` for the whole of a compressed file.
    start: int
    length: Optional[int]
    #: The first row of a row group, from 1; 0 in other files.
    first_row: int = 0


def cut(file: Any, name: str, column: Column, block: int) -> Iterator[Place]:
    """Cuts a file into places of about `block` bytes."""
    if file.path.lower().endswith(PARQUET):
        yield from _row_groups(file, name, column)
    elif file.compression == "zip":
        raise ValueError(f"{name}: expected the name of a file in the archive, as in `zip://*.txt::{name}`")
    elif file.compression is not None:
        yield Place(file, name, column, 0, None)
    else:
        size = file.fs.size(file.path)
        if size is None:
            raise ValueError(f"{name}: expected a file whose size is known; `simplecache::` before its path makes a copy")
        for start in range(0, size, block):
            yield Place(file, name, column, start, block)


def _parquet(opened: Any) -> Any:
    try:
        from pyarrow import parquet
    except ImportError:
        raise ImportError("files of Parquet need the package pyarrow: pip install pyarrow") from None
    return parquet.ParquetFile(opened)


def _row_groups(file: Any, name: str, column: Column) -> Iterator[Place]:
    with copy.copy(file) as opened:
        table = _parquet(opened)
        _check_column(name, column, table.schema_arrow.names)
        first = 1
        for group in range(table.num_row_groups):
            yield Place(file, name, column, group, None, first)
            first += table.metadata.row_group(group).num_rows


def _check_column(name: str, column: Column, names: list[str]) -> None:
    """Refuses a column that does not exist, and a table without a named column."""
    if column is None:
        raise ValueError(f"{name}: expected a grid a line, found a table: `column` names one of {', '.join(names[:20])}")
    if isinstance(column, str) and names.count(column) != 1:
        number = "none" if column not in names else "several"
        raise ValueError(f"{name}: expected one column {column!r} of {', '.join(names[:20])}, found {number}")


# The rest runs on the workers.


def solved_pieces(place: Place) -> Iterator[Solved]:
    """Solves the grids of a place piece by piece; errors have their line numbers in the file."""
    # A copy, because places of a file may share the opened file within a process.
    with copy.copy(place.file) as file:
        if place.first_row:
            yield from _of_parquet(file, place)
            return
        layout = _layout(file, place)
        for text, before in _pieces(file, place):
            try:
                values = None if layout is None else layout.values(text, is_first=before == 0)
                solved = solve_lines(text) if values is None else solve_values(values, "row")
            except ParseError as error:
                line = error.line + _lines_before(file, place, before)
                raise ValueError(f"{place.name}:{line}:{error.column}: {error.message}") from None
            yield solved.moved(_lines_before(file, place, before)) if solved.errors else solved


def _of_parquet(file: Any, place: Place) -> Iterator[Solved]:
    table = _parquet(file)
    names = table.schema_arrow.names
    name = names[place.column] if isinstance(place.column, int) else place.column
    first = place.first_row
    for batch in table.iter_batches(batch_size=ROWS, row_groups=[place.start], columns=[name]):
        values = batch.column(0).to_pylist()
        yield solve_values(enumerate(values, first), "row")
        first += len(values)


def _pieces(file: Any, place: Place) -> Iterator[tuple[bytes, int]]:
    """Reads the lines of a place, with the number of lines before each piece, or the offset of a range."""
    if place.length is not None:
        # A line belongs to the block where it begins.
        text = read_block(file, place.start, place.length, delimiter=b"\n")
        yield text, place.start
        return
    file.seek(0)
    lines, rest = 0, b""
    while True:
        read = file.read(PIECE)
        text = rest + read
        end = text.rfind(b"\n") + 1 if read else len(text)
        if not read and not text:
            return
        text, rest = text[:end], text[end:]
        if text:
            yield text, lines
            lines += text.count(b"\n")
        if len(rest) > PIECE:
            raise ValueError(f"{place.name}:{lines + 1}:1: expected a line of at most {PIECE} bytes")
        if not read:
            return


def _lines_before(file: Any, place: Place, before: int) -> int:
    """Counts the lines before a piece, for error messages."""
    if place.length is None:
        return before
    file.seek(0)
    lines, left = 0, place.start
    while left:
        read = file.read(min(left, PIECE))
        if not read:
            break
        lines += read.count(b"\n")
        left -= len(read)
    # The line where the previous block ends belongs to that block.
    return lines + bool(place.start)


@dataclass(frozen=True)
class _Layout:
    """The layout of a table."""

    delimiter: str
    column: int
    #: The line with the names of the columns, if any; comments may precede it.
    head: Optional[str]

    def values(self, text: bytes, is_first: bool) -> Iterator[tuple[int, Any]]:
        """Iterates over the fields of the column with their line numbers, from 1."""
        head = self.head if is_first else None
        for number, line in enumerate(_lines(text), 1):
            if head is not None:
                if line == head:
                    head = None
                elif line.strip():
                    check_remarks({line.encode(): number})
            elif line.strip():
                fields = _fields(line, self.delimiter)
                yield number, fields[self.column] if self.column < len(fields) else None


def _lines(text: bytes) -> list[str]:
    return [line.rstrip("\r") for line in text.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")]


def _fields(line: str, delimiter: str) -> list[str]:
    return [field.strip() for field in next(csv.reader([line], delimiter=delimiter), [])]


def _layout(file: Any, place: Place) -> _Layout | None:
    """Finds the column of a table by its header; returns `None` if each line is a grid."""
    start = file.read(1 << 16)
    file.seek(0)
    kind = next((kind for magic, kind in MAGIC.items() if start.startswith(magic)), None)
    if kind is not None:
        raise ValueError(f"{place.name}: expected a text, found a file compressed by {kind}: `compression={kind!r}` reads it")
    lines = [line for line in _lines(start) if line.strip()]
    # A header may begin like a comment.
    remarks = list(itertools.takewhile(lambda line: line.startswith("#"), lines))
    heads = lines[: len(remarks) + 1]
    first = heads[-1] if heads else ""
    likely = max(DELIMITERS, key=first.count)
    if place.column is None:
        ending = place.file.path.lower().rsplit(".", 2)
        is_table = f".{ending[-1]}" in TABLES or place.file.compression and f".{ending[-2]}" in TABLES or likely in first
        if is_table and not _is_grid(first.strip()):
            _check_column(place.name, None, _fields(first, likely))
        return None
    if isinstance(place.column, int):
        return _Layout(likely, place.column, None)
    for delimiter, head in itertools.product(DELIMITERS, heads):
        fields = _fields(head, delimiter)
        if fields.count(place.column) == 1:
            return _Layout(delimiter, fields.index(place.column), head)
    _check_column(place.name, place.column, _fields(first, likely))
    raise AssertionError("a column that is there was found")


def _is_grid(line: str) -> bool:
    try:
        return not solve_lines(line.encode()).errors
    except ParseError:
        return False
