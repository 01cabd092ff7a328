"""Files of Sudoku grids, solved by a cluster.

Files are cut into blocks at line ends, about as long as ``block`` bytes, and each block becomes a file of the output: whole
or not there. So what ends early goes on with the blocks that are missing, and no block depends on another.
"""

from __future__ import annotations

import contextlib
import copy
import json
import re
import uuid
from dataclasses import dataclass
from time import monotonic
from typing import Any, Iterable

import fsspec  # type: ignore[import-untyped]

from ..errors import Interrupted
from ..progress import reporter
from ._crew import ClusterLost, Crew, Task, connected

__all__ = ["SolvedFiles", "solve_files"]

#: The bytes of a block: some 100,000 grids.
BLOCK = 8 << 20
#: What says which blocks there are.
PLAN = "plan.json"
#: File systems in which an object is written whole or not at all. Others write beside, and rename.
OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "oci", "oss", "memory"}
#: What a worker leaves that dies while it writes.
LEFT = re.compile(r"part-\d{6,}\.txt\.[0-9a-f]{8}\.tmp")


@dataclass(frozen=True)
class SolvedFiles:
    """What was solved."""

    #: The output files, in the order of the grids.
    parts: tuple[str, ...]
    #: The grids and those of them that have no solution, of the blocks that were not done before.
    grids: int
    unsolvable: int
    #: The blocks that were done before.
    done_before: int


@dataclass(frozen=True)
class _Block:
    #: What opens the input, with its file system, which may be one within another; and its name for messages.
    file: Any
    name: str
    start: int
    length: int
    #: The file system and the path of the output.
    out: Any
    part: str


def solve_files(
    files: str | Iterable[str],
    out: str,
    client: Any = None,
    *,
    block: int = BLOCK,
    storage_options: dict[str, Any] | None = None,
    progress: Any = None,
) -> SolvedFiles:
    """Solves files of 9x9 Sudoku, a grid of 81 cells a line, with all workers of a cluster.

    ``files`` is a path, a pattern such as ``s3://bucket/grids-*.txt`` or ``zip://*.txt::grids.zip``, or several, of any
    file system that fsspec knows, if it can be read from any place on (else ``simplecache::`` before the path helps), and
    ``out`` a folder. Each block of about ``block`` bytes gives one part there, ``part-000000.txt`` and so on: a line for
    each grid, its solution, or nothing if it has none. All parts one after the other are the answer in the order of the
    input.

    Before the work begins a small file is written to ``out``, so a place that is misspelt or may not be written to is an ``OSError``
    at once; buckets are not made. A part is whole or not there. The same call goes on with the parts that are missing; a folder of other files or
    another ``block`` is refused. ``storage_options`` are those of fsspec, for input and output: the address and the keys of a
    store, for instance.
    """
    patterns = [files] if isinstance(files, str) else list(files)
    options = storage_options or {}
    fs, folder = fsspec.url_to_fs(out, **options)
    # Listings that were fetched before know nothing of what others wrote.
    for each in [fs, *(fsspec.url_to_fs(pattern, **options)[0] for pattern in patterns)]:
        each.invalidate_cache()
    found = [
        (file, "::".join([file.full_name, *pattern.split("::")[1:]]))
        for pattern in patterns
        for file in fsspec.open_files(pattern, "rb", **options)
    ]
    if not found:
        raise FileNotFoundError(f"expected files like {patterns!r}, found none")
    if block < 1:
        raise ValueError(f"expected a number of bytes from 1 up for `block`, found {block}")
    folder = folder.rstrip("/")
    sizes = [(name, file.fs.size(file.path)) for file, name in found]
    for name, size in sizes:
        if size is None:
            raise ValueError(f"{name}: expected a file whose size is known; `simplecache::` before its path makes a copy")
    plan = json.dumps({"farandole": "solved files", "block": block, "files": sizes}, sort_keys=True).encode()
    is_new = _begin(fs, folder, out, plan)
    blocks: list[_Block] = []
    for (file, name), (_, size) in zip(found, sizes):
        for start in range(0, size, block):
            part = f"{folder}/part-{len(blocks):06}.txt"
            blocks.append(_Block(file, name, start, block, fs, part))
    there = _names(fs, folder)
    missing = [block for block in blocks if block.part.rsplit("/", 1)[-1] not in there]
    if missing and not is_new:
        # Whether anything can be written there is known before the work begins.
        _write_first(fs, f"{folder}/{PLAN}", out, plan)
    report = reporter(progress)
    grids = unsolvable = done = 0
    begun = monotonic()
    try:
        if missing:
            with connected(client) as cluster, Crew(cluster, _solve_block, is_own=client is None) as crew:
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
    except ClusterLost as error:
        message = f"{error.message}; {done} of {len(missing)} blocks were solved, and the same call goes on"
        raise ClusterLost(message, grids) from None
    for name in filter(LEFT.fullmatch, _names(fs, folder) if missing else there):
        with contextlib.suppress(FileNotFoundError):
            fs.rm_file(f"{folder}/{name}")
    parts = tuple(str(fs.unstrip_protocol(block.part)) for block in blocks)
    return SolvedFiles(parts, grids, unsolvable, len(blocks) - len(missing))


def _begin(fs: Any, folder: str, out: str, plan: bytes) -> bool:
    """Writes which blocks there are, or refuses others than were there. Returns whether the folder is new."""
    path = f"{folder}/{PLAN}"
    if fs.exists(path):
        if fs.cat_file(path) != plan:
            raise ValueError(f"{path}: expected the plan of these files and blocks, found that of others")
        return False
    # A store has no folders, and some make a bucket of a name that is misspelt.
    if not _is_store(fs):
        fs.makedirs(folder, exist_ok=True)
    _write_first(fs, path, out, plan)
    return True


def _write_first(fs: Any, path: str, out: str, data: bytes) -> None:
    """Writes a file before the work begins; says where that was to be if it cannot be."""
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
    """The files of a folder, as they are now."""
    fs.invalidate_cache()
    return {str(path).rsplit("/", 1)[-1] for path in fs.ls(folder, detail=False)}


def _write(fs: Any, path: str, data: bytes) -> None:
    """Writes a file that is whole or not there, also while somebody else writes the same."""
    if _is_store(fs):
        fs.pipe_file(path, data)
        return
    temporary = f"{path}.{uuid.uuid4().hex[:8]}.tmp"
    try:
        fs.pipe_file(temporary, data)
        fs.mv(temporary, path)
    except BaseException:
        if fs.exists(temporary):
            fs.rm_file(temporary)
        raise


def _solve_block(block: _Block, whole: Any = None) -> tuple[int, int]:
    """Solves a block, on a worker."""
    from ..errors import ParseError
    from ..sudoku import solve_many

    # A copy, for blocks of a file share what is opened where they share a process.
    with copy.copy(block.file) as file:
        # A line belongs to the block in which it begins.
        text = fsspec.utils.read_block(file, block.start, block.length, delimiter=b"\n")
        try:
            solved = solve_many(text, threads=1) if text else b""
        except ParseError as error:
            file.seek(0)
            # The line in which the block before ends is its own.
            before = file.read(block.start).count(b"\n") + bool(block.start)
            place = f"{block.name}:{before + error.line}:{error.column}"
            raise ValueError(f"{place}: {error.message}") from None
    _write(block.out, block.part, solved)
    lines = solved.splitlines()
    return len(lines), lines.count(b"")
