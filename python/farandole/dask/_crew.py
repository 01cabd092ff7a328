"""Tasks on a cluster: submitted a few per worker ahead, and again when a worker dies.

A crew knows nothing of what its tasks do but that they may be done twice. It holds as many tasks on the cluster as
`AHEAD` says for each thread of a worker, so what the scheduler and the workers hold does not grow with the whole of the work.
"""

from __future__ import annotations

import contextlib
import threading
import uuid
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

import distributed
from distributed.comm.core import CommClosedError

from ..shards import Whole

__all__ = ["ClusterLost", "Crew", "Task", "connected"]

#: How many tasks are on the cluster for each thread that works, and how many beside these.
AHEAD = 2
AHEAD_LEAST = 2
#: How many seconds a scheduler may be silent before it is given up.
PATIENCE = 10.0
#: How often the crew asks how many workers there are, in seconds.
LOOK = 1.0
#: After how many seconds without any worker there is a warning; the workers of a cluster of our own will not come back then.
ALONE = 60.0
#: How many workers may die one after the other with the same task, each time that Dask gives it up (three deaths).
DEATHS_MAX = 5


class ClusterLost(ConnectionError):
    """The cluster is gone, or its workers die with the work. What was done by then stands in the journal."""

    def __init__(self, message: str, known: Any = None) -> None:
        super().__init__(message, known)
        self.message = message
        #: What is known all the same.
        self.known = known

    def __str__(self) -> str:
        return self.message


@contextlib.contextmanager
def connected(client: Any) -> Iterator[Any]:
    """Gives the client, or that of a cluster of this machine, which ends afterwards."""
    if client is not None:
        if not isinstance(client, distributed.Client):
            raise TypeError(f"expected a distributed.Client for `client`, found {client!r}")
        if client.asynchronous:
            raise TypeError("expected a client that is not asynchronous: call this in a thread of its own")
        yield client
        return
    start: Any = distributed.LocalCluster
    connect: Any = distributed.Client
    with start(threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as cluster:
        with connect(cluster, set_as_default=False) as client:
            yield client


@dataclass(eq=False)
class Task:
    """Something to do: `argument` for the function of the crew."""

    argument: Any
    future: Any = field(default=None, repr=False)
    deaths: int = 0


class Crew:
    """The workers of a cluster that do `function(argument, whole=whole)` for each task."""

    def __init__(
        self, client: Any, function: Callable[..., Any], whole: Whole | None = None, *, is_own: bool = False
    ) -> None:
        self.client = client
        #: Whether nobody else starts workers.
        self.is_own = is_own
        self.run = uuid.uuid4().hex[:12]
        self.threads = 0
        self._function = function
        self._whole = whole
        self._sent_whole: Any = None
        self._number = 0
        self._tasks: dict[str, Task] = {}
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._looked = float("-inf")
        self._silent_since: float | None = None
        self._alone_since = monotonic()

    def __enter__(self) -> Crew:
        self.look()
        return self

    def __exit__(self, *_: object) -> None:
        """Takes back what was not done."""
        futures = [task.future for task in self._tasks.values() if task.future is not None]
        self._tasks.clear()
        if futures and self.client.status == "running":
            with contextlib.suppress(Exception):
                self.client.cancel(futures)
        self._sent_whole = None

    def __len__(self) -> int:
        """Returns how many tasks are on the cluster."""
        return len(self._tasks)

    @property
    def room(self) -> int:
        """How many tasks are wanted there."""
        return max(AHEAD * self.threads + AHEAD_LEAST - len(self._tasks), 0)

    def submit(self, tasks: list[Task]) -> None:
        """Sends tasks to the cluster."""
        if not tasks:
            return
        if self._sent_whole is None:
            # A result that can be made again, wherever its worker dies.
            self._sent_whole = self.client.submit(_same, self._whole, key=f"whole-{self.run}-{self._number}")
        name = f"{self._function.__name__.strip('_')}-{self.run}"
        keys = [f"{name}-{self._number + place}" for place in range(len(tasks))]
        self._number += len(tasks)
        arguments = [task.argument for task in tasks]
        futures = self.client.map(self._function, arguments, whole=self._sent_whole, key=keys, pure=False)
        for key, task, future in zip(keys, tasks, futures):
            task.future = future
            self._tasks[key] = task
            future.add_done_callback(self._done.put)

    def take(self, timeout: float) -> list[tuple[Task, Any]]:
        """Waits until tasks are done, or for so many seconds; returns them with their results."""
        self.look()
        futures = []
        with contextlib.suppress(Empty):
            futures.append(self._done.get(timeout=timeout))
            while True:
                futures.append(self._done.get_nowait())
        futures = [future for future in futures if future.key in self._tasks]
        done: list[tuple[Task, Any]] = []
        again: list[Task] = []
        results = self._gather([future for future in futures if future.status == "finished"])
        for future in futures:
            task = self._tasks.pop(future.key)
            if future.key in results:
                done.append((task, results[future.key]))
                continue
            if future.status == "error":
                error = future.exception(timeout=PATIENCE)
                if not isinstance(error, (distributed.KilledWorker, distributed.CancelledError)):
                    raise error
                task.deaths += 1
                if task.deaths > DEATHS_MAX:
                    raise ClusterLost(
                        f"the workers that had the same part of the work died, one after the other: {error}; "
                        "perhaps it needs more memory than a worker has"
                    ) from None
            # Else whoever had the result is gone, or the scheduler.
            again.append(task)
        self._again(again)
        return done

    def _gather(self, futures: list[Any]) -> dict[str, Any]:
        """Fetches the results that are still there."""
        if not futures:
            return {}
        with contextlib.suppress(*_LOST):
            return {future.key: result for future, result in zip(futures, self.client.gather(futures))}
        found = {}
        for future in futures:
            with contextlib.suppress(*_LOST):
                found[future.key] = future.result(timeout=PATIENCE)
        return found

    def _again(self, tasks: list[Task]) -> None:
        """Submits tasks once more; if nobody can take them now, they wait for `look`."""
        if self.client.status == "running":
            self.submit(tasks)
            return
        for task in tasks:
            self._number += 1
            self._tasks[f"waiting-{self.run}-{self._number}"] = task

    def look(self) -> None:
        """Asks how many threads work, and raises `ClusterLost` if the scheduler is gone."""
        now = monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        is_there = self.client.status == "running"
        if is_there:
            try:
                threads = self.client.sync(self.client.scheduler.ncores, callback_timeout=PATIENCE / 2)
                self.threads = sum(threads.values())
            except _LOST:
                is_there = False
            else:
                self._tell_of_no_workers(now)
        if not is_there:
            since = self._silent_since = self._silent_since or now
            if self.client.status in ("closing", "closed") or monotonic() - since > PATIENCE:
                raise ClusterLost(f"the scheduler {self._address()} is gone")
            return
        was_silent, self._silent_since = self._silent_since is not None, None
        if was_silent:
            # A scheduler that came back knows nothing of what the one before had.
            tasks = list(self._tasks.values())
            self._tasks.clear()
            self._sent_whole = None
            self.submit(tasks)

    def _tell_of_no_workers(self, now: float) -> None:
        """Warns once if nobody has been there to work for long: who comes later is welcome, if somebody may come."""
        if self.threads:
            self._alone_since = now
        elif now - self._alone_since > ALONE:
            if self.is_own:
                raise ClusterLost("the workers of this machine died, one after the other, and none is left")
            self._alone_since = float("inf")
            warnings.warn(f"the cluster has no workers since {ALONE:.0f} s; the work goes on when some come", stacklevel=2)

    def _address(self) -> str:
        scheduler = self.client.scheduler
        return str(scheduler.address if scheduler else self.client)

    def tell(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Calls a function in all workers, without waiting."""

        def call() -> None:
            with contextlib.suppress(Exception):
                self.client.run(function, *arguments, on_error="ignore")

        threading.Thread(target=call, daemon=True).start()


#: What is raised when a worker or the scheduler is gone.
_LOST = (CommClosedError, OSError, TimeoutError, distributed.CancelledError, distributed.KilledWorker)


def _same(whole: Whole | None) -> Whole | None:
    return whole
