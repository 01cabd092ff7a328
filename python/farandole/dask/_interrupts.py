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
    """While it is entered, an interrupt that was lost is raised by `look`, and on leaving.

    Only the main thread hears of signals: in others it does nothing. The handler that was there, whoever set it, is called
    for each signal, and is there again afterwards. It may be entered within itself.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._before: Any = None
        self._is_lost = False

    def __enter__(self) -> None:
        self._depth += 1
        if self._depth > 1 or threading.current_thread() is not threading.main_thread():
            return
        before = signal.getsignal(signal.SIGINT)
        if callable(before):
            self._before, self._is_lost = before, False
            signal.signal(signal.SIGINT, self._heard)

    def __exit__(self, kind: object, *_: object) -> None:
        self._depth -= 1
        if self._depth == 0 and self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None
        if kind is None:
            self.look()

    def look(self) -> None:
        """Raises the interrupt that was lost, if there was one."""
        if self._is_lost:
            self._is_lost = False
            raise KeyboardInterrupt

    def _heard(self, number: int, frame: Any) -> None:
        try:
            self._before(number, frame)
        except KeyboardInterrupt:
            # Whether it arrives is not known here.
            self._is_lost = True
            raise
