from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from analyse.collecting import simulated
from quorate.protocol import Protocol
from quorate.report import write_report

pytestmark = pytest.mark.browser


def test_the_page_is_accessible_in_both_themes_and_fits_a_phone(
    protocol: Protocol, tmp_path: Path, chrome: Any
) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    for theme in ("light", "dark"):
        page = chrome.new_page(color_scheme=theme, viewport={"width": 320, "height": 700})
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))  # type: ignore[misc]
        page.goto((tmp_path / "report.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert [url for url in asked if not url.startswith(("data:", "file:"))] == []
