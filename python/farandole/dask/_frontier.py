"""Frontier counts on a cluster: the states of each step are divided among owners, and stay with the workers.

The client holds the heads of the blocks, and a ledger of them that sees what is lost or doubled. While a step has few
states the client expands them itself. A block whose worker dies is made again by Dask from those before it.

With a journal the client fetches all blocks between two steps from time to time, one by one, and writes them to a file, which
takes the place of the one before when it is on the disk.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import functools
import hashlib
import json
import os
from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

import distributed
from distributed.comm.core import CommClosedError

from .._farandole import FrontierPlan
from .._limits import make_limits
from ..errors import Interrupted, check_end
from ..progress import reporter
from ..shards import ShardError, Whole, _positive, _refused
from ._crew import ClusterLost, Crew, connected

if TYPE_CHECKING:
    from .._questions import Questions

__all__ = ["frontier_count"]

#: So many states are expanded by the client itself.
FEW = 20_000
#: The bytes of a block's head.
HEAD = 84
#: The journal is written again when so many times as long has gone by as that took.
KEEP_SHARE = 20
#: So many blocks are fetched at once for it.
KEEP_BLOCKS = 16
#: The version of journals.
FORMAT = 1
#: How often is looked whether anybody works, in seconds.
LOOK = 1.0
#: Owners for each thread, so that none waits long for the last.
OWNERS_A_THREAD = 2

Place = Tuple[int, int]


def frontier_count(
    problem: Questions[Any] | Whole,
    client: Any = None,
    *,
    journal: str | os.PathLike[str] | None = None,
    owners: int | None = None,
    memory: int | None = None,
    progress: Any = None,
) -> int:
    """Counts the solutions by a frontier whose states are spread over the memories of all workers.

    This is for problems with locality, as tilings, where a frontier is the fastest way by far and its states are more
    than one machine holds. ``owners`` is into how many parts each step is divided, twice the threads without it. ``memory`` is
    how many bytes an expansion may take. Workers may die: what they held is made again.

    With ``journal`` the states between two steps are kept in this file from time to time, and in the end the count.
    Whatever ends the count, the same call goes on from there. The file is about as large as the states of a step, and twice that
    while it is written. Without it nothing is kept.

    Raises :class:`ClusterLost` if the scheduler is gone, or if there has been no worker for a minute.

    >>> import farandole, farandole.dask
    >>> farandole.dask.frontier_count(farandole.Problem(["ab", "bc", "cd", "ad"]), client)  # doctest: +SKIP
    2
    """
    limits = make_limits(memory=memory)
    whole = Whole(problem)
    asked = None if owners is None else _positive("owners", owners)
    kept = None if journal is None else _FrontierJournal(os.fspath(journal))
    known = None if kept is None else kept.read(whole, asked, limits.memory)
    with connected(client) as there, Crew(there, _heads, is_own=client is None) as crew:
        try:
            if known is None:
                while not crew.threads:
                    _look(crew, LOOK)
                owners = asked or max(1, OWNERS_A_THREAD * crew.threads)
                known = _Known(_plan(whole._header, owners, limits.memory), owners, 0, [], None)
            return _FrontierCount(crew, whole, known, kept, limits.memory).run(reporter(progress))
        except KeyboardInterrupt:
            raise Interrupted(_ended("the count was interrupted", kept)) from None
        except ClusterLost as error:
            raise ClusterLost(_ended(error.message, kept)) from None
        except (CommClosedError, distributed.KilledWorker, distributed.CancelledError) as error:
            raise ClusterLost(_ended(f"the cluster lost the states of the frontier: {error!r}", kept)) from None


def _ended(message: str, kept: _FrontierJournal | None) -> str:
    if kept is None or not kept.times:
        return message
    return f"{message}; {kept.path} has the states of a step, and the same call goes on from there"


def _look(crew: Crew, seconds: float) -> None:
    """Waits for so many seconds, and looks whether anybody is there to work."""
    crew.take(seconds)
    if crew.is_alone:
        raise ClusterLost("the cluster has no workers, and had none for a minute")


class _Known(NamedTuple):
    """How far a count is."""

    plan: FrontierPlan
    owners: int
    step: int
    seen: List[int]
    #: What waits at that step and later ones; ``None`` if the count is to begin.
    blocks: Optional[List[bytes]]


class _FrontierJournal:
    """A file with all states between two steps: a line of JSON, the blocks one after the other, and a check of all."""

    def __init__(self, path: str) -> None:
        self.path = path
        #: How often it was written, or read; when that was last, and how long it took.
        self.times = 0
        self.last, self.took = monotonic(), 0.0

    @property
    def is_due(self) -> bool:
        return monotonic() - self.last >= KEEP_SHARE * self.took

    def read(self, whole: Whole, asked: int | None, memory: int | None) -> _Known | None:
        try:
            file = open(self.path, "rb")
        except FileNotFoundError:
            return None
        with file:
            line = file.readline()
            try:
                found = json.loads(line)
                sizes = found["blocks"]
                is_ours = found["farandole"] == "frontier" and found["format"] == FORMAT
                owners, step, seen = found["owners"], found["step"], found["seen"]
            except (ValueError, TypeError, KeyError, AttributeError):
                raise ShardError(f"{self.path}:1: expected the journal of a frontier count") from None
            if not is_ours or asked not in (None, owners):
                there = f"{owners} owners" if is_ours else f"another kind or format, not {FORMAT}"
                wanted = "" if asked is None else f" with {asked} owners"
                raise ShardError(f"{self.path}:1: expected the journal of a frontier count{wanted}, found one of {there}")
            plan = _plan(whole._header, owners, memory)
            if found["plan"] != plan.digest:
                raise ShardError(f"{self.path}:1: expected the journal of this puzzle, found the plan `{found['plan']}`")
            blocks = [file.read(size) for size in sizes]
            hasher = hashlib.sha256(line)
            for block in blocks:
                hasher.update(block)
            if file.read() != hasher.digest():
                raise ShardError(f"{self.path}: expected at its end the check of all of it: the file was torn or changed")
        self.times = 1
        return _Known(plan, owners, step, seen, blocks)

    def write(self, known: _Known, sizes: List[int], blocks: Iterator[bytes]) -> None:
        """Writes a file beside the one that is there, which it replaces when it is on the disk."""
        begun = monotonic()
        header = {"farandole": "frontier", "format": FORMAT, "plan": known.plan.digest, "owners": known.owners}
        header.update(step=known.step, seen=known.seen, blocks=sizes)
        line = json.dumps(header).encode() + b"\n"
        hasher = hashlib.sha256(line)
        temporary = f"{self.path}.{os.getpid()}.tmp"
        try:
            with open(temporary, "wb") as file:
                file.write(line)
                for block in blocks:
                    hasher.update(block)
                    file.write(block)
                file.write(hasher.digest())
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        self.times += 1
        self.last, self.took = monotonic(), monotonic() - begun


class _Held(NamedTuple):
    """A block that waits: bytes, or a future of them."""

    block: Any
    head: bytes
    size: int


class _FrontierCount:
    """A count that runs."""

    def __init__(
        self, crew: Crew, whole: Whole, known: _Known, kept: _FrontierJournal | None, memory: int | None
    ) -> None:
        self.crew = crew
        self.client = crew.client
        self.known = known
        self.plan = known.plan
        self.kept = kept
        self.memory = memory
        self.header = self.client.submit(_header, whole._header)
        #: What waits at a step and owner.
        self.held: Dict[Place, List[_Held]] = {}

    def hold(self, held: _Held) -> None:
        step, owner, _ = self.plan.head(held.head)
        self.held.setdefault((step, owner), []).append(held)

    def run(self, report: Any) -> int:
        begun = self.known.blocks
        for block in self.plan.first() if begun is None else begun:
            self.hold(_Held(block, block[:HEAD], len(block)))
        ledger = self.plan.ledger_of([held.head for waiting in self.held.values() for held in waiting])
        seen = list(self.known.seen)
        for step in range(self.known.step, self.plan.steps):
            places = [(step, owner) for owner in range(self.known.owners) if (step, owner) in self.held]
            states = sum(self.plan.head(held.head)[2] for place in places for held in self.held[place])
            expand = self.expand_here if states <= FEW else self.expand_there
            for place, sent in expand(places):
                read = [held.head for held in self.held.pop(place)]
                _refused(ledger.expanded, self.plan, read, [held.head for held in sent])
                for held in sent:
                    self.hold(held)
            _refused(ledger.close, step)
            seen.append(states)
            self.keep(step + 1, seen)
            if report is not None:
                left = self.plan.states_left(seen)
                report(sum(seen) / max(sum(seen) + left, 1), 0, 0, None, "frontier")
        ends = self.here([held.block for waiting in self.held.values() for held in waiting])
        return int(_refused(ledger.total, ends))

    def keep(self, step: int, seen: List[int]) -> None:
        """Writes the journal if it is time, and after the last step."""
        if self.kept is None or not (self.kept.is_due or step == self.plan.steps):
            return
        all_held = [held for waiting in self.held.values() for held in waiting]

        def blocks() -> Iterator[bytes]:
            for place in range(0, len(all_held), KEEP_BLOCKS):
                yield from self.here([held.block for held in all_held[place : place + KEEP_BLOCKS]])

        known = self.known._replace(step=step, seen=seen, blocks=None)
        self.kept.write(known, [held.size for held in all_held], blocks())

    def here(self, blocks: List[Any]) -> List[Any]:
        """Fetches blocks that are with the workers, as long as there are any."""
        if all(isinstance(block, bytes) for block in blocks):
            return list(blocks)
        loop = self.client.loop.asyncio_loop
        fetched = asyncio.run_coroutine_threadsafe(self.client.gather(blocks, asynchronous=True), loop)
        try:
            while not fetched.done():
                concurrent.futures.wait([fetched], LOOK)
                _look(self.crew, 0)
            return list(fetched.result())
        finally:
            fetched.cancel()

    def expand_here(self, places: List[Place]) -> List[Tuple[Place, List[_Held]]]:
        done = []
        for place in places:
            blocks = self.here([held.block for held in self.held[place]])
            sent = _expand(blocks, self.plan, self.memory)
            done.append((place, [_Held(block, block[:HEAD], len(block)) for block in sent]))
        return done

    def expand_there(self, places: List[Place]) -> List[Tuple[Place, List[_Held]]]:
        expanded = [
            self.client.submit(
                _expand_there,
                [held.block for held in self.held[place]],
                self.header,
                self.known.owners,
                self.memory,
                pure=False,
            )
            for place in places
        ]
        heads = self.here(self.client.map(_heads, expanded, pure=False))
        return [
            (place, [_Held(self.client.submit(_pick, sent, k, pure=False), *head) for k, head in enumerate(each)])
            for place, sent, each in zip(places, expanded, heads)
        ]


# What follows runs on the workers as well.


@functools.lru_cache(maxsize=4)
def _plan(header: str, owners: int, memory: int | None) -> FrontierPlan:
    plan = _refused(FrontierPlan, Whole(header)._whole, owners, memory)
    assert isinstance(plan, FrontierPlan)
    return plan


def _header(header: str) -> str:
    return header


def _expand(blocks: List[bytes], plan: FrontierPlan, memory: int | None) -> List[bytes]:
    end, sent = _refused(plan.expand, blocks, make_limits(memory=memory))
    check_end(end, "an expansion of the frontier", None)
    return list(sent)


def _expand_there(blocks: List[bytes], header: str, owners: int, memory: int | None) -> List[bytes]:
    return _expand(blocks, _plan(header, owners, memory), memory)


def _heads(blocks: List[bytes]) -> List[Tuple[bytes, int]]:
    """Returns the head of each block, and how long it is."""
    return [(block[:HEAD], len(block)) for block in blocks]


def _pick(blocks: List[bytes], number: int) -> bytes:
    return blocks[number]
