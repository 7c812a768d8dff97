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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with browser tests come last: Playwright leaves an event loop running, where `asyncio.run` may not be."""
    with_browser = {item.path for item in items if item.get_closest_marker("browser")}
    items.sort(key=lambda item: item.path in with_browser)
