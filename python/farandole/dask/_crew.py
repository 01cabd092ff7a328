"""Tasks on a cluster: submitted a few per worker ahead, and repeated when a worker dies.

A crew only requires that its tasks may run twice. It keeps `AHEAD` tasks per thread on the cluster, so the load of the
scheduler and the workers does not grow with the total work.

All requests to the cluster have timeouts. Results are fetched while the crew continues with others, because the worker
that holds a result may have died: Dask then waits for the task to run again, which is forever without workers. A result
that does not arrive within `PATIENCE` is computed again.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import uuid
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, NamedTuple

import distributed
from distributed.comm.core import CommClosedError

from ..shards import Whole
from ._interrupts import Interrupts

__all__ = ["Cancelled", "ClusterLost", "Crew", "Task", "connected"]

#: Tasks on the cluster for each thread, and additional tasks.
AHEAD = 2
AHEAD_LEAST = 2
#: Seconds that a scheduler may be silent before it is given up.
PATIENCE = 10.0
#: Interval between queries of the number of workers, in seconds.
LOOK = 1.0
#: Seconds without workers before a warning; the workers of a cluster of our own will not return then.
ALONE = 60.0
#: Seconds with too few workers before others are started, in a cluster of this machine. Dask needs 15 to notice that a
#: nanny is gone.
REPLACE = 20.0
#: Largest number of rounds in which Dask gives up a task (after three deaths of workers each).
DEATHS_MAX = 5


class ClusterLost(ConnectionError):
    """The cluster is gone, or its workers die with the work. The journal has the results so far."""

    def __init__(self, message: str, known: Any = None) -> None:
        super().__init__(message, known)
        self.message = message
        #: The partial result.
        self.known = known

    def __str__(self) -> str:
        return self.message


class Cancelled(Exception):
    """Another thread has set the cancellation event."""


@contextlib.contextmanager
def connected(client: Any) -> Iterator[Any]:
    """Yields the client, or the client of a temporary cluster of this machine."""
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
    """A task: the `argument` for the function of the crew."""

    argument: Any
    future: Any = field(default=None, repr=False)
    deaths: int = 0


class _Fetched(NamedTuple):
    """The outcome of fetching a result."""

    future: Any
    is_there: bool
    result: Any


class Crew:
    """The workers of a cluster, which run `function(argument, whole=whole)` for each task."""

    def __init__(
        self,
        client: Any,
        function: Callable[..., Any],
        whole: Whole | None = None,
        *,
        is_own: bool = False,
        cancel: Any = None,
    ) -> None:
        self.client = client
        self.cancel = cancel
        #: Whether only this crew starts workers.
        self.is_own = is_own
        self.run = uuid.uuid4().hex[:12]
        #: Entered around all work between two answers, because futures may be deleted anywhere there.
        self.interrupts = Interrupts()
        self.threads = 0
        self._function = function
        self._whole = whole
        self._sent_whole: Any = None
        self._number = 0
        self._tasks: dict[str, Task] = {}
        #: Finished futures, and fetched results.
        self._events: SimpleQueue[Any] = SimpleQueue()
        #: The keys of results that are being fetched.
        self._fetching: set[str] = set()
        #: Start time of the current shortage of workers.
        self._fewer_since: float | None = None
        self._looked = float("-inf")
        self._silent_since: float | None = None
        self._alone_since = monotonic()
        self._has_warned = False

    def __enter__(self) -> Crew:
        self.look()
        return self

    def __exit__(self, *_: object) -> None:
        """Cancels unfinished tasks."""
        futures = [task.future for task in self._tasks.values() if task.future is not None]
        self._tasks.clear()
        if futures and self.client.status == "running":
            with contextlib.suppress(Exception):
                self.client.cancel(futures)
        self._sent_whole = None

    def __len__(self) -> int:
        """Returns the number of tasks on the cluster."""
        return len(self._tasks)

    @property
    def room(self) -> int:
        """The number of tasks that should be submitted."""
        return max(AHEAD * self.threads + AHEAD_LEAST + len(self._fetching) - len(self._tasks), 0)

    def submit(self, tasks: list[Task]) -> None:
        """Sends tasks to the cluster."""
        if not tasks:
            return
        if self._sent_whole is None:
            # A result that can be computed again wherever its worker dies.
            self._sent_whole = self.client.submit(_same, self._whole, key=f"whole-{self.run}-{self._number}")
        name = f"{self._function.__name__.strip('_')}-{self.run}"
        keys = [f"{name}-{self._number + place}" for place in range(len(tasks))]
        self._number += len(tasks)
        arguments = [task.argument for task in tasks]
        futures = self.client.map(self._function, arguments, whole=self._sent_whole, key=keys, pure=False)
        for key, task, future in zip(keys, tasks, futures):
            task.future = future
            self._tasks[key] = task
            future.add_done_callback(self._events.put)

    def check(self) -> None:
        """Raises `Cancelled` if the cancellation event is set."""
        if self.cancel is not None and self.cancel.is_set():
            raise Cancelled

    def take(self, timeout: float) -> list[tuple[Task, Any]]:
        """Waits until tasks are done, or for `timeout` seconds; returns them with their results.

        Raises `Cancelled` if the cancellation event is set.
        """
        self.check()
        with self.interrupts:
            return self._take(timeout)

    def _take(self, timeout: float) -> list[tuple[Task, Any]]:
        self.look()
        ended: list[Any] = []
        fetched: list[_Fetched] = []
        with contextlib.suppress(Empty):
            event = self._events.get(timeout=timeout)
            while True:
                (fetched if isinstance(event, _Fetched) else ended).append(event)
                event = self._events.get_nowait()
        ended = [future for future in ended if future.key in self._tasks]
        finished = [future for future in ended if future.status == "finished"]
        if finished:
            self._fetching.update(future.key for future in finished)
            asyncio.run_coroutine_threadsafe(self._fetch(finished), self.client.loop.asyncio_loop)
        # Otherwise the task failed, or the holder of the result or the scheduler is gone.
        again = [self._failed(future) for future in ended if future not in finished]
        done: list[tuple[Task, Any]] = []
        for future, is_there, result in fetched:
            self._fetching.discard(future.key)
            # It may have been submitted again meanwhile.
            task = self._tasks.pop(future.key, None)
            if task is not None and is_there:
                task.future = None
                done.append((task, result))
            elif task is not None:
                again.append(task)
        self._again(again)
        return done

    async def _fetch(self, futures: list[Any]) -> None:
        """Fetches results, and reports those that do not arrive in time; runs concurrently with the crew."""
        fetching = asyncio.ensure_future(self.client.gather(futures, asynchronous=True))
        # Do not cancel it, because Dask complains about that; its result is ignored.
        fetching.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.wait([fetching], timeout=PATIENCE)
        if fetching.done() and not fetching.cancelled() and fetching.exception() is None:
            for future, result in zip(futures, fetching.result()):
                self._events.put(_Fetched(future, True, result))
        elif len(futures) > 1:
            # Other results may be available.
            await asyncio.gather(*(self._fetch([future]) for future in futures))
        else:
            with contextlib.suppress(Exception):
                await self.client.cancel(futures, asynchronous=True)
            self._events.put(_Fetched(futures[0], False, None))

    def _failed(self, future: Any) -> Task:
        """Takes back a task to repeat, or raises its error."""
        task = self._tasks.pop(future.key)
        if future.status == "error":
            error = future.exception(timeout=PATIENCE)
            if not isinstance(error, (distributed.KilledWorker, distributed.CancelledError)):
                raise error
            if self._sent_whole is not None and self._sent_whole.status == "error":
                # The holders of the result died, so the task is sent again and is not to blame.
                self._sent_whole = None
                return task
            task.deaths += 1
            if task.deaths > DEATHS_MAX:
                raise ClusterLost(
                    f"the workers that had the same part of the work died, one after the other: {error}; "
                    "perhaps it needs more memory than a worker has"
                )
        return task

    def _again(self, tasks: list[Task]) -> None:
        """Submits tasks once more; without workers they wait for `look`."""
        if self.client.status == "running":
            self.submit(tasks)
            return
        for task in tasks:
            self._number += 1
            self._tasks[f"waiting-{self.run}-{self._number}"] = task

    def look(self) -> None:
        """Queries the number of threads, and raises `ClusterLost` if the scheduler is gone."""
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
                self._replace_workers(now, len(threads))
        if not is_there:
            since = self._silent_since = self._silent_since or now
            if self.client.status in ("closing", "closed") or monotonic() - since > PATIENCE:
                raise ClusterLost(f"the scheduler {self._address()} is gone")
            return
        was_silent, self._silent_since = self._silent_since is not None, None
        if was_silent:
            # A restarted scheduler has no tasks of its predecessor.
            tasks = list(self._tasks.values())
            self._tasks.clear()
            self._sent_whole = None
            self.submit(tasks)

    def _tell_of_no_workers(self, now: float) -> None:
        """Warns once if there have been no workers for long; later workers are welcome if any can come."""
        if self.threads:
            self._alone_since, self._has_warned = now, False
        elif self.is_alone and self.is_own:
            raise ClusterLost("the workers of this machine died, one after the other, and none is left")
        elif self.is_alone and not self._has_warned:
            self._has_warned = True
            warnings.warn(f"the cluster has no workers since {ALONE:.0f} s; the work goes on when some come", stacklevel=2)

    @property
    def is_alone(self) -> bool:
        """Returns whether there have been no workers for long."""
        return monotonic() - self._alone_since > ALONE

    def _replace_workers(self, now: float, workers: int) -> None:
        """Restarts workers of this machine that did not come back: a nanny gives up if its worker dies at its start."""
        cluster: Any = self.client.cluster
        if not isinstance(cluster, distributed.LocalCluster) or workers >= len(cluster.worker_spec):
            self._fewer_since = None
        elif self._fewer_since is None:
            self._fewer_since = now
        elif now - self._fewer_since > REPLACE:
            self._fewer_since = None
            scale: Any = cluster.scale
            scale(len(cluster.worker_spec))

    def _address(self) -> str:
        scheduler = self.client.scheduler
        return str(scheduler.address if scheduler else self.client)

    def tell(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Calls a function on all workers, without waiting."""

        def call() -> None:
            with contextlib.suppress(Exception):
                self.client.run(function, *arguments, on_error="ignore")

        threading.Thread(target=call, daemon=True).start()


#: The exceptions raised when the scheduler is gone.
_LOST = (CommClosedError, OSError, TimeoutError, distributed.CancelledError)


def _same(whole: Whole | None) -> Whole | None:
    return whole
