"""Lists of solutions by a cluster."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from heapq import heappop, heappush
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from .._farandole import ListJournal
from .._limits import make_limits
from ..errors import LimitReached, check_end
from ..shards import Shard, Whole, _positive, _refused
from ._crew import Cancelled, Crew, Task, connected

if TYPE_CHECKING:
    from .._questions import Questions

__all__ = ["list_solutions"]

Answer = TypeVar("Answer")
#: The number of shards, and the smallest number per thread.
SHARDS = 256
SHARDS_A_THREAD = 16
#: Largest number of solutions in a shard, which are sent at once.
SOLUTIONS_MAX = 1_000_000


def list_solutions(
    problem: Questions[Answer],
    client: Any = None,
    *,
    journal: str | os.PathLike[str] | None = None,
    in_order: bool = True,
    shards: int | None = None,
    cancel: Any = None,
) -> Iterator[Answer]:
    """Lists the solutions of a problem or a puzzle with all workers of a cluster, one by one.

    With ``in_order`` they come in the order of the shards, independent of the number of workers; without, as they are found.
    The workers are at most a few shards ahead of the consumer. A shard with more than a million solutions is refused: then
    ``shards`` must be larger. The work ends when the iterator ends or is closed.

    With ``journal`` the solutions of each finished shard are saved in this file before they are returned. After any
    interruption the same call starts the list again, reads the saved solutions from the file, and continues with the missing
    shards; so does ``farandole list --journal``, in both directions. The file is open until the iterator ends or is closed.

    It ends early with :class:`farandole.LimitReached` if another thread sets the event ``cancel``, with
    :class:`ClusterLost` if the scheduler is gone, and with ``OSError`` if the journal cannot be written.
    """
    whole = Whole(problem)
    asked = None if shards is None else _positive("shards", shards)
    make_limits(cancel=cancel)
    return _listed(problem, whole, client, journal, in_order, asked, cancel)


def _listed(
    problem: Questions[Answer], whole: Whole, client: Any, journal: Any, in_order: bool, asked: int | None, cancel: Any
) -> Iterator[Answer]:
    count = 0
    try:
        for answer in _answers(problem, whole, client, journal, in_order, asked, cancel):
            yield answer
            count += 1
    except Cancelled:
        raise LimitReached("the list was stopped by the event `cancel`", "cancel", count) from None


def _answers(
    problem: Questions[Answer], whole: Whole, client: Any, journal: Any, in_order: bool, asked: int | None, cancel: Any
) -> Iterator[Answer]:
    with contextlib.ExitStack() as stack:
        kept = None
        if journal is not None:
            kept = stack.enter_context(contextlib.closing(ListJournal(journal, os.fspath(journal), whole._whole)))
        there = stack.enter_context(connected(client))
        crew = stack.enter_context(Crew(there, _list_shard, whole, is_own=client is None, cancel=cancel))
        count = max(SHARDS, SHARDS_A_THREAD * crew.threads)
        if kept is None:
            end, lines = _refused(whole._whole.split_apart, asked or count, make_limits())
        else:
            end, lines = _refused(kept.begin, whole._whole, asked, count, make_limits())
        check_end(end, "the splitting", None)
        is_kept = [kept is not None and kept.has(whole._whole, line) for line in lines]
        waiting = iter([(place, line) for place, line in enumerate(lines) if not is_kept[place]])
        # Finished shards in their order that were not returned yet; those in the journal without their solutions.
        done: list[tuple[int, list[list[int]] | None]]
        done = [(place, None) for place in range(len(lines)) if is_kept[place]]
        held = next_place = 0
        while next_place < len(lines):
            # Limits how far workers run ahead of a slow shard.
            with crew.interrupts:
                room = max(crew.room - held, 0)
                crew.submit([Task(argument) for _, argument in zip(range(room), waiting)])
                for task, (covers, effort) in crew.take(0.2 if not done or in_order and done[0][0] > next_place else 0):
                    place, line = task.argument
                    if kept is not None:
                        kept.add(whole._whole, line, covers, effort)
                    heappush(done, (place, covers))
                    held += 1
            while done and (not in_order or done[0][0] == next_place):
                next_place += 1
                place, found = heappop(done)
                if found is None:
                    assert kept is not None
                    found = _refused(kept.covers, whole._whole, lines[place])
                else:
                    held -= 1
                for numbers in found:
                    yield problem._answer(numbers)


def _list_shard(argument: tuple[int, str], whole: Whole) -> tuple[list[list[int]], tuple[float, int]]:
    """Lists a shard on a worker; also returns its seconds and nodes."""
    _, line = argument
    begun = monotonic()
    end, covers, nodes = whole._whole.list(line, make_limits(limit=SOLUTIONS_MAX, threads=1))
    if end == "limit":
        shard = Shard(whole, line)
        raise ValueError(f"the shard {shard.id} has {SOLUTIONS_MAX} solutions or more: list with more `shards`")
    check_end(end, "the list of a shard", None)
    return covers, (monotonic() - begun, nodes)
