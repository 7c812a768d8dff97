from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from analyse.collecting import simulated
from browser import ARGUMENTS, chromium
from quorate.protocol import Protocol
from quorate.report import write_report

pytestmark = pytest.mark.browser


def test_the_page_is_accessible_in_both_themes_and_fits_a_phone(protocol: Protocol, tmp_path: Path) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        for theme in ("light", "dark"):
            page = browser.new_page(color_scheme=theme, viewport={"width": 320, "height": 700})  # type: ignore[arg-type]
            asked: list[str] = []
            page.on("request", lambda request, asked=asked: asked.append(request.url))  # type: ignore[misc]
            page.goto((tmp_path / "report.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") == 320
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
            assert [url for url in asked if not url.startswith(("data:", "file:"))] == []
        browser.close()
