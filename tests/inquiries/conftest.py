"""What the tests of this room may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyse.collecting import make_protocol
from quorate.protocol import Protocol


@pytest.fixture
def protocol(tmp_path: Path) -> Protocol:
    """A study with eight drawn items, three raters and a recorded judge."""
    return make_protocol(tmp_path / "study")
