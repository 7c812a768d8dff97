"""What tests of the commands may ask for."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from quorate import cli

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `quorate` as the console script does; its exit status, what it printed, and what it complained."""

    def quorate(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["quorate", *map(str, words)])
        status = 0
        try:
            cli.main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return quorate
