"""What every test may ask for."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

from browser import ARGUMENTS, chromium
from studies import visual_puns

# How fast a machine is says nothing about the code, and what fails once has to fail again. New examples are looked for
# with --hypothesis-profile=search.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("tests", settings.get_profile("search"), derandomize=True)
settings.load_profile("tests")

#: Files that take longest, a minute or so each.
LONGEST = ("test_templates.py", "test_browser_access.py")


@pytest.fixture
def frozen_heap() -> Iterator[None]:
    """statsmodels collects garbage at every correction, which takes long where many modules are loaded."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def study_folder(tmp_path: Path) -> Path:
    """A small study in the shape of the visual-puns template."""
    return visual_puns(tmp_path / "study")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with browser tests come last: Playwright leaves an event loop running, where `asyncio.run` may not be."""
    with_browser = {item.path for item in items if "chrome" in getattr(item, "fixturenames", ())}
    # Of those the longest come first, so that no worker is left with one while the others have finished.
    items.sort(
        key=lambda item: (item.path in with_browser, item.path in with_browser and item.path.name not in LONGEST)
    )


@pytest.fixture(scope="session")
def chrome() -> Iterator[Any]:
    """A real browser."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)  # a busy machine is no fault of the page

    path = chromium()
    if path is None:
        pytest.skip("there is no Chromium here: python tests/browser.py --install")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chrome: Any) -> Iterator[Callable[..., Any]]:
    """Opens pages of the browser, each in a context of its own, and closes them after the test."""
    with ExitStack() as stack:

        def opened(**options: Any) -> Any:
            context = chrome.new_context(**options)
            stack.callback(context.close)
            return context.new_page()

        yield opened
