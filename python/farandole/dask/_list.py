"""Lists of solutions by a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

from .._limits import make_limits
from ..errors import check_end
from ..shards import Shard, Whole, _positive, _refused
from ._crew import Crew, Task, connected

if TYPE_CHECKING:
    from .._questions import Questions

__all__ = ["list_solutions"]

#: How many shards there are, and how many of them for each thread at least.
SHARDS = 256
SHARDS_A_THREAD = 16
#: The most solutions of a shard: they travel at once.
SOLUTIONS_MAX = 1_000_000


def list_solutions(
    problem: Questions[Any], client: Any = None, *, in_order: bool = True, shards: int | None = None
) -> Iterator[Any]:
    """Lists the solutions of a problem or a puzzle with all workers of a cluster, one by one.

    With ``in_order`` they always come in the same order, that of the shards, however many workers there are; without, as they
    are found. The workers are no more than a few shards ahead of who takes the solutions. A shard with more than a million
    of them is refused: then more ``shards`` are needed. It ends when the iterator does, or is closed.
    """
    whole = Whole(problem)
    asked = None if shards is None else _positive("shards", shards)
    return _listed(problem, whole, client, in_order, asked)


def _listed(
    problem: Questions[Any], whole: Whole, client: Any, in_order: bool, asked: int | None
) -> Iterator[Any]:
    with connected(client) as there, Crew(there, _list_shard, whole, is_own=client is None) as crew:
        count = asked or max(SHARDS, SHARDS_A_THREAD * crew.threads)
        end, lines = _refused(whole._whole.split_apart, count, make_limits())
        check_end(end, "the splitting", None)
        waiting = iter(enumerate(lines))
        # What is done and not yet taken, in the order of the shards.
        done: list[tuple[int, list[list[int]]]] = []
        sent = next_place = 0
        while next_place < len(lines):
            # Nobody runs ahead of a shard that takes long by more than the room there is.
            room = max(crew.room - len(done), 0)
            tasks = [Task((place, line)) for _, (place, line) in zip(range(room), waiting)]
            sent += len(tasks)
            crew.submit(tasks)
            for task, covers in crew.take(0.2):
                heappush(done, (task.argument[0], covers))
            while done and (not in_order or done[0][0] == next_place):
                next_place += 1
                for numbers in heappop(done)[1]:
                    yield problem._answer(numbers)


def _list_shard(argument: tuple[int, str], whole: Whole) -> list[list[int]]:
    """Lists a shard, on a worker."""
    _, line = argument
    end, covers = whole._whole.list(line, make_limits(limit=SOLUTIONS_MAX, threads=1))
    if end == "limit":
        shard = Shard(whole, line)
        raise ValueError(f"the shard {shard.id} has {SOLUTIONS_MAX} solutions or more: list with more `shards`")
    check_end(end, "the list of a shard", None)
    return list(covers)
