"""Gives up what others wrote and what may take for ever, such as a pattern that tries every way to fit a text."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooLongError(Exception):
    """It took longer than it may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise a TooLongError where what is done here takes longer; only in the thread that a program began with.

    The search of a pattern looks for signals now and then, and for nothing else. In other threads, and where there are
    no such signals (Windows), it takes as long as it takes.
    """
    has_signals = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not has_signals or signal.getitimer(signal.ITIMER_REAL)[0]:  # somebody else counts already
        yield
        return
    before = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _give_up(number: int, frame: FrameType | None) -> None:
    raise TooLongError
