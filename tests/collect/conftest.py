"""Studies under way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from raters import UnderWay, under_way


@pytest.fixture
def running(study_folder: Path) -> Iterator[UnderWay]:
    """A small study that is open, with three raters to come: A1, A2, A3."""
    with under_way(study_folder) as study:
        study.open()
        yield study
