"""Ctrl-C that is not lost.

Python raises `KeyboardInterrupt` wherever the main thread happens to be. Where that is the deletion of an object, the exception
is printed and forgotten, and futures of Dask are deleted all the time. So it is kept in mind, and raised again.
"""

from __future__ import annotations

import signal
import threading
from typing import Any

__all__ = ["Interrupts"]


class Interrupts:
    """While it is entered, interrupts are kept in mind; one that was forgotten is raised on leaving.

    Only the main thread hears of signals: in others it does nothing. The handler that was there, whoever set it, is called
    for each signal, and is there again afterwards. It may be entered within itself; then it is raised on leaving the inner one.
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
        # With another kind it is on its way, or something else ends the work.
        if kind is None and self._is_heard:
            self._is_heard = False
            raise KeyboardInterrupt

    def _hear(self, number: int, frame: Any) -> None:
        try:
            self._before(number, frame)
        except KeyboardInterrupt:
            # Whether it arrives is not known here.
            self._is_heard = True
            raise
