"""A reader that shares nothing with the report holds what is printed against what was found."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from analyse.simulating import simulate, template
from quorate.report import write_report
from quorate.verify.printed import misprints, tables


@pytest.fixture(scope="module", params=["media-preference", "document-extraction", "visual-puns"])
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """A report's page and its results.json."""
    protocol = template(request.param)
    folder = tmp_path_factory.mktemp("printed")
    write_report(protocol, simulate(protocol), folder, formats=["html"])
    return (folder / "report.html").read_text("utf-8"), json.loads((folder / "results.json").read_text("utf-8"))


def test_every_number_of_a_page_is_the_one_of_its_id(written: tuple[str, dict[str, Any]]) -> None:
    page, results = written
    assert [str(one) for one in misprints(page, results)] == []
    read = {cell.id for table in tables(page) for row in table.rows for cell in row if cell.id}
    assert len(read) > 30


def test_a_number_that_is_changed_on_the_page_is_found(written: tuple[str, dict[str, Any]]) -> None:
    page, results = written
    links = [found for found in re.finditer(r'<td class="num"><a href="#[^"]+">([−\d][\d.,%]*)</a>', page)]
    assert len(links) > 20
    for found in links[::7]:
        last = found[1].rstrip("%")[-1]
        end = found.start(1) + len(found[1].rstrip("%"))
        changed = f"{page[: end - 1]}{(int(last) + 2) % 10}{page[end:]}"
        assert len(list(misprints(changed, results))) == 1, found[0]


def test_an_interval_and_an_n_that_are_changed_are_found(written: tuple[str, dict[str, Any]]) -> None:
    page, results = written
    row = r'<a href="#[^"]+">[^<]+</a></td><td class="num">\[([−+\d.]+), [^<]+</td><td class="num">([\d,]+)'
    found = re.search(row, page)
    assert found is not None
    for place in (1, 2):
        assert list(misprints(f"{page[: found.start(place)]}77{page[found.end(place) :]}", results)), found[place]


def test_a_number_under_anothers_name_is_found(written: tuple[str, dict[str, Any]]) -> None:
    page, results = written
    values = {round(one["value"], 1): one for one in results["estimates"] if one["value"] is not None}
    first, second = [one for _, one in sorted(values.items())][:2]
    names = {first["id"]: second["id"], second["id"]: first["id"]}
    swapped = [{**one, "id": names.get(one["id"], one["id"])} for one in results["estimates"]]
    assert list(misprints(page, {**results, "estimates": swapped}))
