"""Frontier counts on a cluster: the states of each step are divided among owners, and stay with the workers.

The client holds the heads of the blocks, and a ledger of them that sees what is lost or doubled. While a step has few
states the client expands them itself. A block whose worker dies is made again by Dask from those before it.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

import distributed
from distributed.comm.core import CommClosedError

from .._farandole import FrontierPlan
from .._limits import make_limits
from ..errors import Interrupted, check_end
from ..progress import reporter
from ..shards import Whole, _positive, _refused
from ._crew import ClusterLost, connected

if TYPE_CHECKING:
    from .._questions import Questions

__all__ = ["frontier_count"]

#: So many states are expanded by the client itself.
FEW = 20_000
#: The bytes of a block's head.
HEAD = 84
#: Owners for each thread, so that none waits long for the last.
OWNERS_A_THREAD = 2

Place = Tuple[int, int]


def frontier_count(
    problem: Questions[Any] | Whole,
    client: Any = None,
    *,
    owners: int | None = None,
    memory: int | None = None,
    progress: Any = None,
) -> int:
    """Counts the solutions by a frontier whose states are spread over the memories of all workers.

    This is for problems with locality, as tilings, where a frontier is the fastest way by far and its states are more
    than one machine holds. ``owners`` is into how many parts each step is divided, twice the threads without it. ``memory`` is
    how many bytes an expansion may take. Workers may die: what they held is made again. Nothing is kept of a count that ends
    early; ``farandole count --scratch`` can go on.

    >>> import farandole, farandole.dask
    >>> farandole.dask.frontier_count(farandole.Problem(["ab", "bc", "cd", "ad"]), client)  # doctest: +SKIP
    2
    """
    limits = make_limits(memory=memory)
    whole = Whole(problem)
    with connected(client) as there:
        if owners is None:
            owners = max(1, OWNERS_A_THREAD * sum(there.nthreads().values()))
        plan = _plan(whole._header, _positive("owners", owners), limits.memory)
        count = _FrontierCount(there, whole, plan, owners, limits.memory)
        try:
            return count.run(reporter(progress))
        except KeyboardInterrupt:
            raise Interrupted("the count was interrupted") from None
        except (CommClosedError, distributed.KilledWorker, distributed.CancelledError) as error:
            raise ClusterLost(f"the cluster lost the states of the frontier: {error!r}") from None


class _FrontierCount:
    """A count that runs."""

    def __init__(self, client: Any, whole: Whole, plan: FrontierPlan, owners: int, memory: int | None) -> None:
        self.client = client
        self.plan = plan
        self.owners = owners
        self.memory = memory
        self.header = client.submit(_header, whole._header)
        #: What waits at a step and owner, bytes or a future of them, and its head.
        self.held: Dict[Place, List[Tuple[Any, bytes]]] = {}

    def hold(self, block: Any, head: bytes) -> None:
        step, owner, _ = self.plan.head(head)
        self.held.setdefault((step, owner), []).append((block, head))

    def run(self, report: Any) -> int:
        ledger = self.plan.ledger()
        for block in self.plan.first():
            self.hold(block, block[:HEAD])
        seen: list[int] = []
        for step in range(self.plan.steps):
            places = [(step, owner) for owner in range(self.owners) if (step, owner) in self.held]
            states = sum(self.plan.head(head)[2] for place in places for _, head in self.held[place])
            expand = self.expand_here if states <= FEW else self.expand_there
            for place, sent in expand(places):
                read = [head for _, head in self.held.pop(place)]
                _refused(ledger.expanded, self.plan, read, [head for _, head in sent])
                for block, head in sent:
                    self.hold(block, head)
            _refused(ledger.close, step)
            seen.append(states)
            if report is not None:
                left = self.plan.states_left(seen)
                report(sum(seen) / max(sum(seen) + left, 1), 0, 0, None, "frontier")
        ends = self.here([block for blocks in self.held.values() for block, _ in blocks])
        return int(_refused(ledger.total, ends))

    def here(self, blocks: List[Any]) -> List[bytes]:
        """Fetches blocks that are with the workers."""
        return list(self.client.gather(blocks)) if blocks else []

    def expand_here(self, places: List[Place]) -> List[Tuple[Place, List[Tuple[Any, bytes]]]]:
        done = []
        for place in places:
            blocks = self.here([block for block, _ in self.held[place]])
            sent = _expand(blocks, self.plan, self.memory)
            done.append((place, [(block, block[:HEAD]) for block in sent]))
        return done

    def expand_there(self, places: List[Place]) -> List[Tuple[Place, List[Tuple[Any, bytes]]]]:
        expanded = [
            self.client.submit(
                _expand_there,
                [block for block, _ in self.held[place]],
                self.header,
                self.owners,
                self.memory,
                pure=False,
            )
            for place in places
        ]
        heads = self.client.gather(self.client.map(_heads, expanded, pure=False))
        return [
            (place, [(self.client.submit(_pick, sent, k, pure=False), head) for k, head in enumerate(each)])
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


def _heads(blocks: List[bytes]) -> List[bytes]:
    return [block[:HEAD] for block in blocks]


def _pick(blocks: List[bytes], number: int) -> bytes:
    return blocks[number]
