from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe

from analyse.collecting import simulated
from quorate.protocol import Protocol
from quorate.report import write_report

pytestmark = pytest.mark.browser

#: Opens every fold and gives each shaded cell the darkest shade; how many there are.
DARKEST = """() => {
  document.querySelectorAll("details.fold").forEach((fold) => { fold.open = true; });
  const cells = [...document.querySelectorAll(".confusion tbody td")];
  cells.forEach((cell) => cell.style.setProperty("--shade", "1"));
  return cells.length;
}"""
#: Where something begins, where the bar over the page ends, whether the page ends before it, and whether it has a box.
SEEN = """(id) => {
  const one = document.getElementById(id), box = one.getBoundingClientRect();
  const bar = document.querySelector(".banner").getBoundingClientRect();
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  return [box.top, bar.bottom, atEnd, box.height > 0];
}"""


def opened(page: Any, inside: str) -> None:
    """Opens the fold in which something stands."""
    page.locator("details.fold", has=page.locator(inside)).locator("summary").first.click()


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
        # However dark a cell is, its number can be read.
        assert page.evaluate(DARKEST) > 0
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert [url for url in asked if not url.startswith(("data:", "file:"))] == []


def test_tables_sort_and_a_number_shows_where_it_comes_from(protocol: Protocol, tmp_path: Path, chrome: Any) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    page = chrome.new_page(viewport={"width": 1440, "height": 900})
    page.goto((tmp_path / "report.html").as_uri())
    table = page.locator("#table-raters table")
    assert table.is_hidden(), "the supplement is folded"
    opened(page, "#table-raters")
    value = "tbody tr td:nth-child(2) a"
    written = table.locator(value).all_inner_texts()
    for _ in range(2):
        table.get_by_role("button", name="Value").click()
    falling = table.locator(value).all_inner_texts()
    assert falling == sorted(written, key=lambda text: -float(text.rstrip("%")))
    assert table.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    table.get_by_role("button", name="Value").click()
    assert table.locator(value).all_inner_texts() == written

    number = table.locator(value).first
    number.click()
    panel = page.get_by_role("dialog")
    assert "annotations_raw.csv" in panel.inner_text()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.keyboard.press("Escape")
    assert panel.is_hidden()
    assert number.evaluate("link => link === document.activeElement")

    assert page.locator("#evidence table").is_hidden(), "what is long is folded"
    number.click()
    panel.get_by_role("link", name="Its row in the list of all numbers").click()
    row = page.locator("#evidence tr:target")
    row.wait_for(state="visible")
    page.locator("#evidence input[type=search]").fill("no such row")
    assert page.locator("#evidence").get_by_role("status").inner_text().startswith("0 of ")


def test_without_its_script_the_page_is_whole(protocol: Protocol, tmp_path: Path, chrome: Any) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    page = chrome.new_context(java_script_enabled=False).new_page()
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("#evidence table").is_hidden()
    page.locator("#evidence summary").click()
    assert page.locator("#evidence table").is_visible()
    opened(page, "#table-raters")
    page.locator("#table-raters td a").first.click()
    assert page.locator("#evidence tr:target").is_visible()
    assert page.locator("input, button").count() == 0


def test_a_number_leads_to_its_answers_and_from_one_to_what_was_shown_and_back(
    protocol: Protocol, tmp_path: Path, chrome: Any
) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    page = chrome.new_page(viewport={"width": 1280, "height": 800})
    page.goto((tmp_path / "report.html").as_uri())
    opened(page, "#table-raters")
    page.locator("#table-raters tbody tr td:nth-child(2) a").first.click()
    panel = page.get_by_role("dialog")
    panel.locator("summary").click()
    rows = panel.locator(".behind tr")
    rows.first.wait_for()
    assert rows.count() == 8, "one rater's answers to eight items"
    box = panel.bounding_box()
    assert 0 <= box["y"] <= 800 - box["height"], "the panel stays within the window"
    item = rows.first.locator("th button")
    name = item.inner_text()
    item.click()
    assert panel.locator("h4").inner_text() == name
    assert panel.locator(".asked").count() == 1
    assert panel.locator(".item table tr").count() >= 3, "every rater's answer about it"
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    panel.get_by_role("button", name="Back").click()
    assert rows.count() == 8
    page.keyboard.press("Escape")
    assert panel.is_hidden()


def test_what_a_link_leads_to_is_seen_and_not_under_the_bar(protocol: Protocol, tmp_path: Path, chrome: Any) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    for width in (320, 1440):
        page = chrome.new_page(viewport={"width": width, "height": 800})
        page.goto((tmp_path / "report.html").as_uri())
        ids = page.evaluate("[...document.querySelectorAll('main [id]')].map((one) => one.id)")
        for id in [one for one in ids if one][:: max(1, len(ids) // 40)]:
            page.goto(f"{(tmp_path / 'report.html').as_uri()}#{quote(id)}")
            top, bar, tall, shown = page.evaluate(SEEN, id)
            assert shown, id
            assert bar <= top <= 800 or tall, (width, id, top, bar)


def test_a_table_sorts_and_a_number_opens_with_keys_alone(protocol: Protocol, tmp_path: Path, chrome: Any) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    page = chrome.new_page(viewport={"width": 1440, "height": 900})
    page.goto((tmp_path / "report.html").as_uri())
    opened(page, "#table-raters")
    table = page.locator("#table-raters table")
    table.get_by_role("button", name="Value").focus()
    page.keyboard.press("Enter")
    assert table.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
    table.locator("tbody a").first.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog")
    assert panel.is_visible()
    assert panel.evaluate("panel => panel.contains(document.activeElement)")
    page.keyboard.press("Escape")
    assert table.locator("tbody a").first.evaluate("link => link === document.activeElement")


def test_a_printed_page_shows_what_is_folded(protocol: Protocol, tmp_path: Path, chrome: Any) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    page = chrome.new_page(viewport={"width": 900, "height": 900})
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("#table-raters").is_hidden()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#table-raters").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 900
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert page.locator("#table-raters").is_hidden()
