from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

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
#: Whether something has a box, and begins in the window below the bar over the page, or the page ends before it.
SEEN = """(id) => {
  const one = document.getElementById(id), { top, height } = one.getBoundingClientRect();
  const bar = document.querySelector(".banner").getBoundingClientRect();
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  return height > 0 && ((bar.bottom <= top && top <= innerHeight) || atEnd);
}"""


def opened(page: Any, inside: str) -> None:
    """Opens the fold in which something stands."""
    page.locator("details.fold", has=page.locator(inside)).locator("summary").first.click()


def test_the_page_is_accessible_in_both_themes_and_fits_a_phone(
    protocol: Protocol, tmp_path: Path, new_page: Any
) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    for theme in ("light", "dark"):
        page = new_page(color_scheme=theme, viewport={"width": 320, "height": 700})
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))  # type: ignore[misc]
        page.goto((tmp_path / "report.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        # However dark a cell is, its number can be read.
        assert page.evaluate(DARKEST) > 0
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert [url for url in asked if not url.startswith(("data:", "file:"))] == []


def test_tables_sort_and_a_number_shows_where_it_comes_from(protocol: Protocol, tmp_path: Path, new_page: Any) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    page = new_page(viewport={"width": 1440, "height": 900})
    page.goto((tmp_path / "report.html").as_uri())
    table = page.locator("#table-raters table")
    expect(table, "the supplement is folded").to_be_hidden()
    opened(page, "#table-raters")
    value = "tbody tr td:nth-child(2) a"
    written = table.locator(value).all_inner_texts()
    for _ in range(2):
        table.get_by_role("button", name="Value").click()
    expect(table.locator(value)).to_have_text(sorted(written, key=lambda text: -float(text.rstrip("%"))))
    expect(table.locator("th[aria-sort]")).to_have_attribute("aria-sort", "descending")
    table.get_by_role("button", name="Value").click()
    expect(table.locator(value)).to_have_text(written)

    number = table.locator(value).first
    number.click()
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text("annotations_raw.csv")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(number).to_be_focused()

    expect(page.locator("#evidence table"), "what is long is folded").to_be_hidden()
    number.click()
    panel.get_by_role("link", name="Its row in the list of all numbers").click()
    row = page.locator("#evidence tr:target")
    row.wait_for(state="visible")
    page.locator("#evidence input[type=search]").fill("no such row")
    expect(page.locator("#evidence").get_by_role("status")).to_have_text(re.compile("^0 of "))


def test_without_its_script_the_page_is_whole(protocol: Protocol, tmp_path: Path, new_page: Any) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    page = new_page(java_script_enabled=False)
    page.goto((tmp_path / "report.html").as_uri())
    expect(page.locator("#evidence table")).to_be_hidden()
    page.locator("#evidence summary").click()
    expect(page.locator("#evidence table")).to_be_visible()
    opened(page, "#table-raters")
    page.locator("#table-raters td a").first.click()
    expect(page.locator("#evidence tr:target")).to_be_visible()
    expect(page.locator("input, button")).to_have_count(0)


def test_a_number_leads_to_its_answers_and_from_one_to_what_was_shown_and_back(
    protocol: Protocol, tmp_path: Path, new_page: Any
) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto((tmp_path / "report.html").as_uri())
    opened(page, "#table-raters")
    page.locator("#table-raters tbody tr td:nth-child(2) a").first.click()
    panel = page.get_by_role("dialog")
    panel.locator("summary").click()
    rows = panel.locator(".behind tr")
    expect(rows, "one rater's answers to eight items").to_have_count(8)
    expect(panel, "the panel stays within the window").to_be_in_viewport(ratio=1)
    item = rows.first.locator("th button")
    name = item.inner_text()
    item.click()
    expect(panel.locator("h4")).to_have_text(name)
    expect(panel.locator(".asked")).to_have_count(1)
    assert panel.locator(".item table tr").count() >= 3, "every rater's answer about it"
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    panel.get_by_role("button", name="Back").click()
    expect(rows).to_have_count(8)
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()


def test_what_a_link_leads_to_is_seen_and_not_under_the_bar(protocol: Protocol, tmp_path: Path, new_page: Any) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    for width in (320, 1440):
        page = new_page(viewport={"width": width, "height": 800})
        page.goto((tmp_path / "report.html").as_uri())
        ids = page.evaluate("[...document.querySelectorAll('main [id]')].map((one) => one.id)")
        for id in [one for one in ids if one][:: max(1, len(ids) // 40)]:
            page.goto(f"{(tmp_path / 'report.html').as_uri()}#{quote(id)}")
            page.wait_for_function(SEEN, arg=id)


def test_a_table_sorts_and_a_number_opens_with_keys_alone(protocol: Protocol, tmp_path: Path, new_page: Any) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    page = new_page(viewport={"width": 1440, "height": 900})
    page.goto((tmp_path / "report.html").as_uri())
    opened(page, "#table-raters")
    table = page.locator("#table-raters table")
    table.get_by_role("button", name="Value").focus()
    page.keyboard.press("Enter")
    expect(table.locator("th[aria-sort]")).to_have_attribute("aria-sort", "ascending")
    table.locator("tbody a").first.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog")
    expect(panel).to_be_visible()
    page.wait_for_function("document.querySelector('[role=dialog], dialog').contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(table.locator("tbody a").first).to_be_focused()


def test_a_printed_page_shows_what_is_folded(protocol: Protocol, tmp_path: Path, new_page: Any) -> None:
    write_report(protocol, simulated(protocol), tmp_path, formats=["html"])
    page = new_page(viewport={"width": 900, "height": 900})
    page.goto((tmp_path / "report.html").as_uri())
    expect(page.locator("#table-raters")).to_be_hidden()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#table-raters")).to_be_visible()
    page.wait_for_function("document.documentElement.scrollWidth <= 900")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    expect(page.locator("#table-raters")).to_be_hidden()
