"""Files of Sudoku grids, solved by a cluster.

Seekable files are cut into blocks of about ``block`` bytes at line ends, and each block becomes a file of the output, which
is either complete or absent. An interrupted run therefore resumes with the missing blocks, and blocks are independent.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
import uuid
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any

import fsspec  # type: ignore[import-untyped]

from .._limits import make_limits, whole
from ..errors import Interrupted, LimitReached
from ._crew import Cancelled, ClusterLost, Crew, Task, connected
from ._sources import Column, Place, cut, solved_pieces

__all__ = ["SolvedFiles", "solve_files"]

#: Size of a block in bytes: some 100,000 grids.
BLOCK = 8 << 20
#: The file with the list of blocks.
PLAN = "plan.json"
#: File systems that write objects atomically. On others, files are written under another name and renamed.
OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "oci", "oss", "memory"}
#: Remains of a worker that died while writing.
LEFT = re.compile(r"part-\d{6,}(\.errors)?\.txt\.[0-9a-f]{8}\.tmp")
#: The file with the invalid lines of a block.
ERRORS = re.compile(r"part-\d{6,}\.errors\.txt")
#: Largest number of invalid lines in the answer; the files have all.
ERRORS_MAX = 1000
#: Largest number of bytes of a part that a worker holds at once.
HELD = 64 << 20


@dataclass(frozen=True)
class SolvedFiles:
    """The result of solving files."""

    #: The output files, in the order of the grids.
    parts: tuple[str, ...]
    #: The counts of grids and of unsolvable grids in the newly solved blocks.
    grids: int
    unsolvable: int
    #: Number of blocks that were already solved.
    done_before: int
    #: Number of invalid lines or rows in all blocks, and the first thousand: ``path:line:column: message``.
    wrong: int = 0
    errors: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Block:
    place: Place
    #: The file system and the path of the output.
    out: Any
    part: str
    #: Whether an invalid grid ends the work.
    is_strict: bool


def solve_files(
    files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    client: Any = None,
    *,
    column: Column = None,
    compression: str | None = "infer",
    strict: bool = False,
    block: int = BLOCK,
    storage_options: dict[str, Any] | None = None,
    progress: Any = None,
    cancel: Any = None,
) -> SolvedFiles:
    """Solves files of 9x9 Sudoku with all workers of a cluster.

    ``files`` is a path, a pattern such as ``s3://bucket/grids-*.txt`` or ``zip://*.txt::grids.zip``, or a list of them, on
    any seekable file system of fsspec (for others put ``simplecache::`` before the path), and ``out`` is a folder. Each block
    of about ``block`` bytes gives one part there, ``part-000000.txt`` and so on, with one line per grid: its solution, or an
    empty line without a solution. The concatenated parts are the answer in the order of the input.

    A line is a grid; blank lines and comments (``#``) are skipped. ``column`` names the column of a table (CSV with a header,
    or Parquet, which needs the package pyarrow), or is its number from 0 in a CSV without a header. Files that end in
    ``.gz``, ``.bz2``, ``.xz`` or ``.zst``, or have the given ``compression``, are one block each, because they are not seekable; each
    row group of Parquet is a block.

    An invalid line gives the line ``error`` in its part, and the others are solved. ``part-000000.errors.txt`` next to the part
    lists the invalid lines with their messages; the answer and a ``UserWarning`` report them. With ``strict`` the first invalid
    line raises ``ValueError``. A comment with rules always does, because it would change other grids.

    Before the work begins a small file is written to ``out``, so that a misspelt or read-only folder is an ``OSError`` at
    once; buckets are not created. A part is complete or absent. The same call resumes with the missing parts; a folder of
    other files, or of another ``block`` or ``column``, is refused. ``storage_options`` go to fsspec for input and output, for
    instance the address and the keys of a store.
    """
    limits = make_limits(progress=progress, cancel=cancel)
    if isinstance(column, bool) or not isinstance(column, (str, int, type(None))) or isinstance(column, int) and column < 0:
        raise ValueError(f"expected the name or the number of a column for `column`, found {column!r}")
    patterns = [os.fspath(path) for path in ([files] if isinstance(files, (str, os.PathLike)) else files)]
    out, block = os.fspath(out), whole("block", block, 1)
    options = storage_options or {}
    fs, folder = fsspec.url_to_fs(out, **options)
    # Cached listings may miss files that others wrote.
    for each in [fs, *(fsspec.url_to_fs(pattern, **options)[0] for pattern in patterns)]:
        each.invalidate_cache()
    found = [
        (file, "::".join([file.full_name, *pattern.split("::")[1:]]))
        for pattern in patterns
        for file in fsspec.open_files(pattern, "rb", compression=compression, **options)
    ]
    if not found:
        raise FileNotFoundError(f"expected files like {patterns!r}, found none")
    folder = folder.rstrip("/")
    places = [place for file, name in found for place in cut(file, name.removeprefix("file://"), column, block)]
    plan: dict[str, Any] = {"farandole": "solved files", "block": block}
    plan["files"] = [(name, file.fs.size(file.path)) for file, name in found]
    if column is not None:
        plan["column"] = column
    is_new = _begin(fs, folder, out, json.dumps(plan, sort_keys=True).encode())
    blocks = [_Block(place, fs, f"{folder}/part-{number:06}.txt", strict) for number, place in enumerate(places)]
    there = _names(fs, folder)
    missing = [block for block in blocks if block.part.rsplit("/", 1)[-1] not in there]
    if missing and not is_new:
        # Test that the folder is writable before the work begins.
        _write_first(fs, f"{folder}/{PLAN}", out, json.dumps(plan, sort_keys=True).encode())
    report = limits.report
    grids = unsolvable = done = 0
    begun = monotonic()
    try:
        if missing:
            with connected(client) as cluster, Crew(cluster, _solve_block, is_own=client is None, cancel=cancel) as crew:
                waiting = iter(missing)
                while done < len(missing):
                    with crew.interrupts:
                        crew.submit([Task(block) for _, block in zip(range(crew.room), waiting)])
                        for _, (solved, without) in crew.take(0.2):
                            done += 1
                            grids += solved
                            unsolvable += without
                            if report is not None:
                                share = (len(blocks) - len(missing) + done) / len(blocks)
                                left = (monotonic() - begun) * (len(missing) - done) / done
                                report(share, 0, grids, left, None)
    except KeyboardInterrupt:
        raise Interrupted(f"{done} of {len(missing)} blocks were solved; the same call goes on", grids) from None
    except Cancelled:
        message = f"the event `cancel` was set; {done} of {len(missing)} blocks were solved, and the same call goes on"
        raise LimitReached(message, "cancel", grids) from None
    except ClusterLost as error:
        message = f"{error.message}; {done} of {len(missing)} blocks were solved, and the same call goes on"
        raise ClusterLost(message, grids) from None
    names = _names(fs, folder) if missing else there
    for name in filter(LEFT.fullmatch, names):
        with contextlib.suppress(FileNotFoundError):
            fs.rm_file(f"{folder}/{name}")
    wrong, errors = _errors(fs, [f"{folder}/{name}" for name in sorted(filter(ERRORS.fullmatch, names))])
    parts = tuple(str(fs.unstrip_protocol(block.part)) for block in blocks)
    return SolvedFiles(parts, grids, unsolvable, len(blocks) - len(missing), wrong, errors)


def _errors(fs: Any, paths: list[str]) -> tuple[int, tuple[str, ...]]:
    """Reads the lists of invalid lines, and warns about them."""
    wrong = 0
    errors: list[str] = []
    for path in paths:
        lines = fs.cat_file(path).decode().splitlines()
        wrong += len(lines)
        errors += lines[: ERRORS_MAX - len(errors)]
    if wrong:
        warnings.warn(f"{wrong} lines are no grids, the first: {errors[0]}", stacklevel=3)
    return wrong, tuple(errors)


def _begin(fs: Any, folder: str, out: str, plan: bytes) -> bool:
    """Writes the list of blocks, or refuses a different existing list. Returns whether the folder is new."""
    path = f"{folder}/{PLAN}"
    if fs.exists(path):
        if fs.cat_file(path) != plan:
            raise ValueError(f"{path}: expected the plan of these files and blocks, found that of others")
        return False
    # A store has no folders, and some create a bucket for a misspelt name.
    if not _is_store(fs):
        fs.makedirs(folder, exist_ok=True)
    _write_first(fs, path, out, plan)
    return True


def _write_first(fs: Any, path: str, out: str, data: bytes) -> None:
    """Writes a file before the work begins; names the target if that fails."""
    try:
        _write(fs, path, data)
    except OSError as error:
        kinds = (FileNotFoundError, PermissionError, OSError)
        kind = next(kind for kind in kinds if isinstance(error, kind))
        raise kind(f"{out}: expected a place that can be written to, found: {error}") from error


def _is_store(fs: Any) -> bool:
    protocols = {fs.protocol} if isinstance(fs.protocol, str) else set(fs.protocol)
    return bool(protocols & OBJECT_STORES)


def _names(fs: Any, folder: str) -> set[str]:
    """Returns the current names of the files in a folder."""
    fs.invalidate_cache()
    return {str(path).rsplit("/", 1)[-1] for path in fs.ls(folder, detail=False)}


def _write(fs: Any, path: str, data: bytes) -> None:
    """Writes a file atomically, even while others write the same file."""
    if _is_store(fs):
        fs.pipe_file(path, data)
        return
    with _renamed(fs, path) as temporary:
        fs.pipe_file(temporary, data)


@contextlib.contextmanager
def _renamed(fs: Any, path: str) -> Iterator[str]:
    """Yields the temporary name under which a file is written."""
    temporary = f"{path}.{uuid.uuid4().hex[:8]}.tmp"
    try:
        yield temporary
        fs.mv(temporary, path)
    except BaseException:
        if fs.exists(temporary):
            fs.rm_file(temporary)
        raise


def _solve_block(block: _Block, whole: Any = None) -> tuple[int, int]:
    """Solves a block, on a worker."""
    grids = unsolvable = 0
    errors: list[str] = []
    with tempfile.NamedTemporaryFile() as local:
        for solved in solved_pieces(block.place):
            grids += solved.grids
            unsolvable += solved.unsolvable
            errors += [f"{block.place.name}:{line}:{column}: {message}" for line, column, message in solved.errors]
            if errors and block.is_strict:
                raise ValueError(errors[0])
            local.write(solved.text)
        local.flush()
        # Write the errors before the part, so that no part lacks them.
        path = f"{block.part.removesuffix('.txt')}.errors.txt"
        if errors:
            _write(block.out, path, "".join(f"{error}\n" for error in errors).encode())
        elif block.out.exists(path):
            block.out.rm_file(path)
        _write_file(block.out, block.part, local)
    return grids, unsolvable


def _write_file(fs: Any, path: str, local: Any) -> None:
    """Like `_write`, for a local file, which may be larger than memory."""
    if local.tell() <= HELD:
        local.seek(0)
        _write(fs, path, local.read())
    elif _is_store(fs):
        fs.put_file(local.name, path)
    else:
        with _renamed(fs, path) as temporary:
            fs.put_file(local.name, temporary)
