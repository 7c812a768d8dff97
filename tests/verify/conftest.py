"""Studies that were run through once, and copies of their databases to plant faults in."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from quorate.protocol import Protocol
from quorate.study import REHEARSAL, Study

sys.path.insert(0, str(Path(__file__).parent))

from planted import TEMPLATES, Rehearsed


@pytest.fixture(scope="session")
def rehearsals(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Protocol, Path]]:
    """A template after a rehearsal and its judges' answers, made once."""

    @cache
    def rehearsed(template: str) -> tuple[Protocol, Path]:
        folder = tmp_path_factory.mktemp("rehearsed") / template
        shutil.copytree(TEMPLATES / template, folder)
        study = Study(folder)
        study.rehearse(seed=1)
        return study.protocol, folder / REHEARSAL

    return rehearsed


@pytest.fixture
def rehearsed(rehearsals: Callable[[str], tuple[Protocol, Path]], tmp_path: Path) -> Callable[[str], Rehearsed]:
    """A copy of a template's rehearsal."""

    def copied(template: str) -> Rehearsed:
        protocol, path = rehearsals(template)
        return Rehearsed(protocol, Path(shutil.copy(path, tmp_path / path.name)))

    return copied
