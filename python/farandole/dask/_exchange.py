"""Counts by exchange of blocks on a cluster: the states of each step are divided among owners, and stay with the workers.

A state is a state of a frontier, or a remaining subproblem of which one representative per form is expanded.

The client holds the heads of the blocks, and a ledger of them that detects lost and duplicate blocks. The client itself
expands steps with few states. If a worker dies, Dask recomputes its blocks from their predecessors.

With a journal the client fetches all blocks between two steps from time to time, one by one, and writes them to a file.
The file replaces the previous one once it is on disk.
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
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import distributed
from distributed.comm.core import CommClosedError

from .._farandole import BlockPlan
from .._limits import make_limits
from ..errors import Interrupted, LimitReached, check_end
from ..progress import reporter
from ..shards import ShardError, Whole, _refused
from ._crew import Cancelled, ClusterLost, Crew

__all__ = ["exchange_count", "is_journal_of_blocks"]

#: Work of up to this many seconds is done by the client, because a task takes as long. Previous steps give the estimate.
#: Without an estimate, the client expands up to this many states: of a frontier, and of canonical forms, which are a
#: thousand times as expensive.
HERE_SECONDS = 0.03
FEW = 20_000
FEW_BY_FORMS = 12
#: Length of a block's head in bytes.
HEAD = 84
#: The journal is written again after this many times its own writing time.
KEEP_SHARE = 20
#: Number of blocks fetched at once for the journal.
KEEP_BLOCKS = 16
#: The version of journals.
FORMAT = 1
#: Interval between checks for workers, in seconds.
LOOK = 1.0
#: Owners per thread. Each sends to each, so the number of tasks grows with the square, at 2 ms of scheduler and client each.
OWNERS_A_THREAD = 1
OWNERS_BY_FORMS = 1
#: The kinds of journals, by frontiers and by forms, and the largest length of their first line.
KINDS = ("frontier", "forms")
LINE_MAX = 1 << 26

Place = Tuple[int, int]


def exchange_count(
    whole: Whole,
    client: Any,
    *,
    sizes: str | None = None,
    journal: str | None = None,
    owners: int | None = None,
    memory: int | None = None,
    progress: Any = None,
    cancel: Any = None,
    is_own: bool = False,
) -> int:
    """Counts by forms at the given sizes, or by a frontier without sizes. ``client`` is connected."""
    kept = None if journal is None else _BlockJournal(journal)
    known = None if kept is None else kept.read(whole, owners, memory, sizes is None)
    with Crew(client, _parcels, is_own=is_own, cancel=cancel) as crew:
        try:
            if known is None:
                while not crew.threads:
                    _look(crew, LOOK)
                owners = owners or max(1, (OWNERS_A_THREAD if sizes is None else OWNERS_BY_FORMS) * crew.threads)
                known = _Known(_plan(whole._header, owners, memory, sizes), owners, sizes, 0, [], None)
            return _BlockCount(crew, whole, known, kept, memory).run(reporter(progress))
        except KeyboardInterrupt:
            raise Interrupted(_ended("the count was interrupted", kept)) from None
        except Cancelled:
            raise LimitReached(_ended("the count was stopped by the event `cancel`", kept), "cancel") from None
        except ClusterLost as error:
            raise ClusterLost(_ended(error.message, kept)) from None
        except (CommClosedError, distributed.KilledWorker, distributed.CancelledError) as error:
            raise ClusterLost(_ended(f"the cluster lost the states of a step: {error!r}", kept)) from None


def is_journal_of_blocks(path: str) -> bool:
    """Returns whether the path has a journal of such a count."""
    try:
        with open(path, "rb") as file:
            found = json.loads(file.readline(LINE_MAX))
        return bool(found["farandole"] in KINDS)
    except (OSError, ValueError, TypeError, KeyError):
        return False


def _by(kind: str) -> str:
    return "a frontier" if kind == KINDS[0] else kind


def _ended(message: str, kept: _BlockJournal | None) -> str:
    if kept is None or not kept.times:
        return message
    return f"{message}; {kept.path} has the states of a step, and the same call goes on from there"


def _look(crew: Crew, seconds: float) -> None:
    """Waits for some seconds, and checks that there are workers."""
    crew.take(seconds)
    if crew.is_alone:
        raise ClusterLost("the cluster has no workers, and had none for a minute")


class _Known(NamedTuple):
    """The progress of a count."""

    plan: BlockPlan
    owners: int
    #: The sizes for forms; ``None`` for a frontier.
    sizes: Optional[str]
    step: int
    seen: List[int]
    #: Blocks waiting at that step and later ones; ``None`` if the count has not begun.
    blocks: Optional[List[bytes]]


class _BlockJournal:
    """A file with all states between two steps: a line of JSON, the blocks, and a checksum."""

    def __init__(self, path: str) -> None:
        self.path = path
        #: Number of writes and reads; time of the last one, and its duration.
        self.times = 0
        self.last, self.took = monotonic(), 0.0

    @property
    def is_due(self) -> bool:
        return monotonic() - self.last >= KEEP_SHARE * self.took

    def read(self, whole: Whole, asked: int | None, memory: int | None, is_frontier: bool) -> _Known | None:
        try:
            file = open(self.path, "rb")
        except FileNotFoundError:
            return None
        with file:
            line = file.readline(LINE_MAX)
            kind = KINDS[not is_frontier]
            try:
                found = json.loads(line)
                lengths = found["blocks"]
                is_ours = found["farandole"] == kind and found["format"] == FORMAT
                owners, step, seen = found["owners"], found["step"], found["seen"]
                sizes = None if is_frontier else str(found["sizes"])
            except (ValueError, TypeError, KeyError, AttributeError):
                raise ShardError(f"{self.path}:1: expected the journal of a count by {_by(kind)}") from None
            if not is_ours or asked not in (None, owners):
                there = f"{owners} owners" if is_ours else f"another kind or format, not {FORMAT}"
                wanted = "" if asked is None else f" with {asked} owners"
                raise ShardError(f"{self.path}:1: expected the journal of a count by {_by(kind)}{wanted}, found one of {there}")
            plan = _plan(whole._header, owners, memory, sizes)
            if found["plan"] != plan.digest:
                raise ShardError(f"{self.path}:1: expected the journal of this puzzle, found the plan `{found['plan']}`")
            blocks = [file.read(size) for size in lengths]
            hasher = hashlib.sha256(line)
            for block in blocks:
                hasher.update(block)
            if file.read() != hasher.digest():
                raise ShardError(f"{self.path}: expected at its end the check of all of it: the file was torn or changed")
        self.times = 1
        return _Known(plan, owners, sizes, step, seen, blocks)

    def write(self, known: _Known, sizes: List[int], blocks: Iterator[bytes]) -> None:
        """Writes a temporary file, which replaces the existing one once it is on disk."""
        begun = monotonic()
        kind = KINDS[known.sizes is not None]
        header: Dict[str, Any] = {"farandole": kind, "format": FORMAT, "plan": known.plan.digest, "owners": known.owners}
        if known.sizes is not None:
            header["sizes"] = known.sizes
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


#: Blocks waiting at a step and owner after one expansion: their heads and lengths.
Parcel = Tuple[Place, List[Tuple[bytes, int]]]


#: The heads of the blocks that an expansion has read, and its seconds.
Read = Tuple[List[bytes], float]
#: The same, with the blocks sent to each step and owner.
Sent = Tuple[Read, List[Tuple[Place, List[bytes]]]]


class _Held(NamedTuple):
    """Blocks waiting at one step and owner: a list of bytes, or a future of it."""

    blocks: Any
    heads: List[bytes]
    sizes: List[int]


#: The expanded blocks of one step and owner, and the resulting blocks.
Expanded = Tuple[Place, Read, List[Tuple[Place, _Held]]]


class _BlockCount:
    """A running count."""

    def __init__(
        self, crew: Crew, whole: Whole, known: _Known, kept: _BlockJournal | None, memory: int | None
    ) -> None:
        self.crew = crew
        self.client = crew.client
        self.known = known
        self.plan = known.plan
        self.kept = kept
        self.memory = memory
        self.header = self.client.submit(_header, whole._header)
        #: Estimated seconds per state, from the last steps of the same kind.
        self.seconds: Dict[int, float] = {}
        #: The blocks waiting at each step and owner.
        self.held: Dict[Place, List[_Held]] = {}

    def run(self, report: Any) -> int:
        with self.crew.interrupts:
            return self._run(report)

    def _run(self, report: Any) -> int:
        begun = self.known.blocks
        for place, blocks in _by_place(self.plan.first() if begun is None else begun, self.plan):
            self.held.setdefault(place, []).append(_here(blocks))
        ledger = self.plan.ledger_of([head for waiting in self.held.values() for held in waiting for head in held.heads])
        seen = list(self.known.seen)
        for step in range(self.known.step, self.plan.steps):
            self.crew.check()
            places = [(step, owner) for owner in range(self.known.owners) if (step, owner) in self.held]
            heads = (head for place in places for held in self.held[place] for head in held.heads)
            states = sum(self.plan.head(head)[2] for head in heads)
            expand = self.expand_here if self.is_short(step, states) else self.expand_there
            took = 0.0
            for place, (read, seconds), sent in expand(places):
                del self.held[place]
                took += seconds
                _refused(ledger.expanded, self.plan, read, [head for _, held in sent for head in held.heads])
                for there, held in sent:
                    self.held.setdefault(there, []).append(held)
            _refused(ledger.close, step)
            seen.append(states)
            if states:
                kind = self.kind_of(step)
                self.seconds[kind] = (self.seconds.get(kind, took / states) + took / states) / 2
            if places or step + 1 == self.plan.steps:
                self.keep(step + 1, seen)
            if report is not None:
                left = self.plan.states_left(seen)
                way = "frontier" if self.known.sizes is None else "symmetry"
                report(sum(seen) / max(sum(seen) + left, 1), 0, 0, None, way)
        ends = self.here([held.blocks for waiting in self.held.values() for held in waiting])
        return int(_refused(ledger.total, [block for blocks in ends for block in blocks]))

    def kind_of(self, step: int) -> int:
        """By forms, steps alternate between expanding subproblems and computing their forms."""
        return 0 if self.known.sizes is None else step % 2

    def is_short(self, step: int, states: int) -> bool:
        """Returns whether the client expands the states as fast as the cluster would."""
        known = self.seconds.get(self.kind_of(step))
        if known is None:
            return states <= (FEW if self.known.sizes is None else FEW_BY_FORMS)
        return states * known <= HERE_SECONDS

    def keep(self, step: int, seen: List[int]) -> None:
        """Writes the journal if it is due, and after the last step."""
        if self.kept is None or not (self.kept.is_due or step == self.plan.steps):
            return
        all_held = [held for waiting in self.held.values() for held in waiting]

        def blocks() -> Iterator[bytes]:
            for place in range(0, len(all_held), KEEP_BLOCKS):
                for fetched in self.here([held.blocks for held in all_held[place : place + KEEP_BLOCKS]]):
                    yield from fetched

        known = self.known._replace(step=step, seen=seen, blocks=None)
        self.kept.write(known, [size for held in all_held for size in held.sizes], blocks())

    def here(self, blocks: List[Any]) -> List[Any]:
        """Fetches blocks from the workers, as long as there are any."""
        if all(isinstance(block, list) for block in blocks):
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

    def expand_here(self, places: List[Place]) -> List[Expanded]:
        done = []
        for place in places:
            blocks = self.here([held.blocks for held in self.held[place]])
            read, sent = _expand(blocks, self.plan, self.memory)
            done.append((place, read, [(there, _here(parcel)) for there, parcel in sent]))
        return done

    def expand_there(self, places: List[Place]) -> List[Expanded]:
        expanded = [
            self.client.submit(
                _expand_there,
                [held.blocks for held in self.held[place]],
                self.header,
                self.known.owners,
                self.memory,
                self.known.sizes,
                pure=False,
            )
            for place in places
        ]
        parcels = self.here(self.client.map(_parcels, expanded, pure=False))
        return [(place, read, self.picked(sent, each)) for place, sent, (read, each) in zip(places, expanded, parcels)]

    def picked(self, sent: Any, parcels: List[Parcel]) -> List[Tuple[Place, _Held]]:
        """Returns the sent blocks, each parcel as its own future."""
        return [
            (place, _Held(self.client.submit(_pick, sent, number, pure=False), [h for h, _ in each], [n for _, n in each]))
            for number, (place, each) in enumerate(parcels)
        ]


# The rest runs on the workers, too.


@functools.lru_cache(maxsize=4)
def _plan(header: str, owners: int, memory: int | None, sizes: str | None) -> BlockPlan:
    plan = _refused(BlockPlan, Whole(header)._whole, owners, memory, sizes)
    assert isinstance(plan, BlockPlan)
    return plan


def _header(header: str) -> str:
    return header


def _here(blocks: List[bytes]) -> _Held:
    return _Held(blocks, [block[:HEAD] for block in blocks], [len(block) for block in blocks])


def _by_place(blocks: List[bytes], plan: BlockPlan) -> List[Tuple[Place, List[bytes]]]:
    """Groups blocks by step and owner."""
    parcels: Dict[Place, List[bytes]] = {}
    for block in blocks:
        step, owner, _ = plan.head(block[:HEAD])
        parcels.setdefault((step, owner), []).append(block)
    return list(parcels.items())


def _expand(lists: List[List[bytes]], plan: BlockPlan, memory: int | None) -> Sent:
    begun = monotonic()
    blocks = [block for each in lists for block in each]
    end, sent = _refused(plan.expand, blocks, make_limits(memory=memory))
    check_end(end, "an expansion of blocks", None)
    parcels = _by_place(list(sent), plan)
    return ([block[:HEAD] for block in blocks], monotonic() - begun), parcels


def _expand_there(
    lists: List[List[bytes]], header: str, owners: int, memory: int | None, sizes: str | None
) -> Sent:
    return _expand(lists, _plan(header, owners, memory, sizes), memory)


def _parcels(sent: Sent) -> Tuple[Read, List[Parcel]]:
    """Returns the read blocks, and the heads and lengths of the blocks for each step and owner."""
    read, parcels = sent
    return read, [(place, [(block[:HEAD], len(block)) for block in blocks]) for place, blocks in parcels]


def _pick(sent: Sent, number: int) -> List[bytes]:
    return sent[1][number][1]
