"""Counts in parts: shards for other processes and machines, their sum, and their files.

A shard is a part of the count of a puzzle. The shards of :func:`split` together are the whole, and no two overlap.
A shard's count depends only on the shard, so it may be counted anywhere, and repeatedly.

>>> import farandole
>>> from farandole import shards
>>> problem = farandole.Problem(["ab", "bc", "cd", "ad", "a", "b", "c"])
>>> tally = shards.Tally(problem)
>>> for shard in shards.split(problem, 3):
...     _ = tally.add(shards.count_shard(shard))
>>> tally.total() == problem.count()
True

Shards, counts and tallies can be pickled. :func:`write` and :func:`read` use the files of ``farandole split``, ``work``
and ``merge``, so the program can do a part of the work. :mod:`farandole.dask` sends shards to the machines of a
cluster.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Callable, Union
from weakref import WeakValueDictionary

from ._farandole import Tally as _Tally
from ._farandole import Whole as _Whole
from ._farandole import read_shards as _read_shards
from ._inputs import found
from ._limits import make_limits
from .errors import check_end

if TYPE_CHECKING:
    from typing import SupportsIndex

    from ._questions import Questions

__all__ = ["Shard", "ShardCount", "ShardError", "Tally", "Whole", "count", "count_shard", "read", "split", "write"]

#: Number of parts of a shard that took too long.
PARTS = 16


class ShardError(ValueError):
    """Invalid shards or counts: foreign, changed, missing, overlapping or contradictory."""


class Whole:
    """A problem with its given options: the whole that shards are parts of."""

    _header: str
    _whole: _Whole

    def __init__(self, problem: Questions[Any] | Whole | str) -> None:
        if isinstance(problem, Whole):
            self._header, self._whole = problem._header, problem._whole
        elif isinstance(problem, str):
            self._header, self._whole = problem, _refused(_Whole.read, problem)
        elif not hasattr(problem, "_core"):
            raise TypeError(f"expected a problem or a puzzle, found {found(problem)}: `farandole.Problem(options)` makes one")
        else:
            self._whole = _refused(_Whole, problem._core)
            self._header = self._whole.header(0, [])

    @property
    def digest(self) -> str:
        """The digest of the problem and its given options."""
        return str(self._whole.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Whole) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_whole, (self._header,))

    def __repr__(self) -> str:
        return f"Whole({self.digest[:16]})"


#: Unpickled wholes that are still in use, shared by shards that arrive one by one.
_wholes: WeakValueDictionary[str, Whole] = WeakValueDictionary()


def _whole(header: str) -> Whole:
    """Returns the whole of a header, reusing a known one."""
    known = _wholes.get(header)
    if known is None:
        known = _wholes[header] = Whole(header)
    return known


def _refused(call: Any, *arguments: Any) -> Any:
    """Calls the private module and converts its errors to `ShardError`."""
    try:
        return call(*arguments)
    except ShardError:
        raise
    except ValueError as error:
        raise ShardError(str(error)) from None


class _Line:
    """A line of a file."""

    line: str

    @cached_property
    def _object(self) -> dict[str, Any]:
        read = json.loads(self.line)
        assert isinstance(read, dict)
        return read

    @property
    def path(self) -> str:
        """The path from the root of the search, such as ``3/17 0/2x5``."""
        return str(self._object["path"])


@dataclass(frozen=True)
class Shard(_Line):
    """A part of a count."""

    #: The problem that the shard is a part of.
    whole: Whole
    #: The line of the shard in files.
    line: str

    @property
    def id(self) -> str:
        """Its name, the same on every machine."""
        return str(self._object["shard"])

    @property
    def weight(self) -> int:
        """The number of isomorphic parts of the search that the shard represents."""
        return int(self._object["weight"])

    @property
    def estimate(self) -> float:
        """Estimated number of nodes of a plain search of the shard."""
        return float(self._object["estimate"])

    @property
    def given(self) -> tuple[int, ...]:
        """The numbers of the options that its covers contain."""
        return tuple(self._object["given"])

    @property
    def without(self) -> tuple[int, ...]:
        """The numbers of the options that are excluded from its covers."""
        return tuple(self._object["without"])

    def __reduce__(self) -> tuple[Any, ...]:
        return (Shard, (self.whole, self.line))


@dataclass(frozen=True)
class ShardCount(_Line):
    """The number of covers of a shard."""

    #: The line of the count in files.
    line: str

    @property
    def id(self) -> str:
        """The name of the shard."""
        return str(self._object["result"])

    @property
    def count(self) -> int:
        """The covers of the shard, not multiplied by its weight."""
        return int(self._object["count"])

    @property
    def seconds(self) -> float:
        """The time of the count."""
        return float(self._object["seconds"])

    def __reduce__(self) -> tuple[Any, ...]:
        return (ShardCount, (self.line,))


def split(
    problem: Questions[Any] | Whole,
    count: int,
    *,
    time: float | None = None,
    memory: SupportsIndex | None = None,
    cancel: Any = None,
) -> list[Shard]:
    """Splits the count of a problem or a puzzle into about ``count`` shards; the most expensive parts are split first.

    The same problem and number give the same shards on every machine. Isomorphic choices are merged into one shard with a
    weight, so there may be fewer.

    >>> import farandole
    >>> shards = split(farandole.Problem(["ab", "cd", "bc", "ad", "a", "b"]), 2)
    >>> [shard.path for shard in shards]
    ['0/2', '1/2']
    """
    whole = Whole(problem)
    limits = make_limits(time=time, memory=memory, cancel=cancel)
    end, lines = _refused(whole._whole.split, _positive("count", count), limits)
    check_end(end, "the splitting", None, limits=limits)
    return [Shard(whole, line) for line in lines]


def _positive(name: str, number: SupportsIndex) -> int:
    number = number.__index__()
    if not 1 <= number < 1 << 31:
        raise ValueError(f"expected a number from 1 to 2**31 - 1 for `{name}`, found {number}")
    return number


def count_shard(
    shard: Shard,
    *,
    time: float | None = None,
    memory: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    progress: Any = None,
    cancel: Any = None,
) -> Union[ShardCount, list[Shard]]:
    """Counts a shard, or splits it further if that takes more than ``time`` seconds or ``memory`` bytes.

    The result replaces the shard: its count, or smaller shards.
    """
    limits = make_limits(None, time, None, memory, threads, progress, cancel)
    end, line = _refused(shard.whole._whole.count, shard.line, limits)
    if line is not None:
        return ShardCount(line)
    if end == "interrupt":
        check_end(end, "the count of a shard", None, limits=limits)
    return split_further(shard)[0]


def split_further(shard: Shard, count: int = PARTS) -> tuple[list[Shard], str]:
    """Splits a shard into about ``count`` parts; also returns the journal line of the split."""
    end, lines, said = _refused(
        shard.whole._whole.split_further, shard.line, _positive("count", count), make_limits()
    )
    check_end(end, "the splitting", None)
    return [Shard(shard.whole, line) for line in lines], said


def count(
    problem: Questions[Any] | Whole,
    map: Callable[[Callable[[Shard], Union[ShardCount, list[Shard]]], list[Shard]], Iterable[Any]],
    *,
    shards: int = 64,
    time: float | None = 60.0,
    progress: Callable[[float], object] | None = None,
) -> int:
    """Counts a problem with the ``map`` of a library for parallel work, on as many processes or machines as it has.

    ``map(function, shards)`` yields the results of ``function(shard)`` in any order, as ``map`` of a
    ``concurrent.futures`` executor, ``imap_unordered`` of ``multiprocessing`` or ``map`` of ``mpi4py.futures`` do. The count
    is split into about ``shards`` parts. A part that takes more than ``time`` seconds is split further. ``progress`` receives
    the finished fraction of the parts known so far.

    >>> import farandole
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool:
    ...     count(farandole.puzzle("queens", 8), pool.map)
    92
    """
    tally = Tally(problem)
    left = split(tally.whole, shards)
    task = partial(count_shard, time=time, threads=1)
    while left:
        smaller: list[Shard] = []
        for number, counted in enumerate(map(task, left), 1):
            if isinstance(counted, ShardCount):
                tally.add(counted)
            else:
                smaller.extend(counted)
            if progress is not None:
                progress(len(tally) / (len(tally) + len(left) - number + len(smaller)))
        left = smaller
    return tally.total()


class Tally:
    """Adds up the counts of shards, and detects missing ones.

    >>> import farandole
    >>> problem = farandole.Problem(["ab", "cd", "bc", "ad", "a", "b"])
    >>> first, second = (count_shard(shard) for shard in split(problem, 2))
    >>> tally = Tally(problem)
    >>> tally.add(first), tally.add(first)
    (True, False)
    >>> tally.total()
    Traceback (most recent call last):
    farandole.shards.ShardError: the part `1/2` is missing
    >>> tally.add(second)
    True
    >>> tally.total()
    3
    """

    def __init__(self, problem: Questions[Any] | Whole) -> None:
        self.whole = Whole(problem)
        self._tally = _Tally(self.whole._whole)
        self._lines: list[str] = []

    def add(self, count: ShardCount | str) -> bool:
        """Adds a count or its line; returns ``False`` if it was known. Refuses counts of other problems and contradictions."""
        if not isinstance(count, (str, ShardCount)):
            way = "`count_shard` returns smaller shards where the time was over, which are to be counted first"
            raise TypeError(f"expected the count of a shard, found {found(count)}: {way}")
        line = count if isinstance(count, str) else count.line
        is_new = bool(_refused(self._tally.add, line))
        if is_new:
            self._lines.append(line)
        return is_new

    def __contains__(self, shard: Shard | str) -> bool:
        return bool(_refused(self._tally.has, shard if isinstance(shard, str) else shard.id))

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def counts(self) -> list[ShardCount]:
        """The counts that were added."""
        return [ShardCount(line) for line in self._lines]

    @property
    def known(self) -> int:
        """The covers known so far, multiplied by the weights of their shards."""
        return int(self._tally.known)

    def total(self) -> int:
        """Returns the number of all covers. Raises `ShardError` if shards are missing or overlap, and names them."""
        return int(_refused(self._tally.total))

    def __getstate__(self) -> tuple[Whole, list[str]]:
        return (self.whole, self._lines)

    def __setstate__(self, state: tuple[Whole, list[str]]) -> None:
        self.__init__(state[0])  # type: ignore[misc]
        for line in state[1]:
            self.add(line)


def write(path: str | os.PathLike[str], things: Iterable[Shard | ShardCount], problem: Any = None) -> None:
    """Writes shards and counts to a file for ``farandole work`` and ``farandole merge``.

    The first line has the problem. It is taken from the shards; if there are only counts, ``problem`` is required.
    """
    things = list(things)
    for thing in things:
        if not isinstance(thing, (Shard, ShardCount)):
            raise TypeError(f"expected shards and counts, found {found(thing)}")
    shards = [thing for thing in things if isinstance(thing, Shard)]
    if problem is None and not shards:
        raise ValueError("expected `problem`, because there is no shard")
    whole = shards[0].whole if problem is None else Whole(problem)
    foreign = [shard.id for shard in shards if shard.whole != whole]
    if foreign:
        raise ShardError(f"shard {foreign[0]} is not one of this problem")
    header = whole._whole.header(len(shards), [shard.line for shard in shards])
    text = header + "".join(thing.line for thing in things)
    # Write atomically: the file is either complete or unchanged.
    path = os.fspath(path)
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def read(path: str | os.PathLike[str]) -> tuple[Whole, list[Shard], list[ShardCount]]:
    """Reads a file of shards: the problem, the shards still to count, and the counts.

    An incomplete last line is ignored, as after a killed writer.
    """
    name = os.fspath(path)
    with open(path, "rb") as file:
        text = file.read()
    read_whole, shards, counts, _ = _refused(_read_shards, name, text)
    whole = Whole(read_whole.header(0, []))
    return whole, [Shard(whole, line) for line in shards], [ShardCount(line) for line in counts]
