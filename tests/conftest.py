"""What every test may ask for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from studies import visual_puns


@pytest.fixture
def study_folder(tmp_path: Path) -> Path:
    """A small study in the shape of the visual-puns template."""
    return visual_puns(tmp_path / "study")
