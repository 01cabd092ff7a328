"""Ctrl-C that is never lost.

Python raises `KeyboardInterrupt` at any point of the main thread. During the deletion of an object the exception is only
printed and dropped, and Dask deletes futures all the time. So the interrupt is recorded and raised again.
"""

from __future__ import annotations

import signal
import threading
from typing import Any

__all__ = ["Interrupts"]


class Interrupts:
    """Records interrupts while it is entered; an interrupt that was dropped is raised on leaving.

    Only the main thread receives signals: in other threads this does nothing. The previous handler is called for each
    signal, and restored afterwards. Nested use is allowed; the interrupt is then raised on leaving the inner one.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._before: Any = None
        self._is_heard = False

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth > 1 or threading.current_thread() is not threading.main_thread():
            return
        before = signal.getsignal(signal.SIGINT)
        if callable(before):
            self._before, self._is_heard = before, False
            signal.signal(signal.SIGINT, self._hear)

    def __exit__(self, kind: object, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0 and self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None
        # An exception is already propagating: the interrupt, or another error that ends the work.
        if kind is None and self._is_heard:
            self._is_heard = False
            raise KeyboardInterrupt

    def _hear(self, number: int, frame: Any) -> None:
        try:
            self._before(number, frame)
        except KeyboardInterrupt:
            # Whether the exception arrives is unknown here.
            self._is_heard = True
            raise
