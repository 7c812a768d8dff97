"""A reader that shares nothing with the report holds what is printed against what was found, in every format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from analyse.simulating import simulate, template
from quorate.protocol import load
from quorate.report import write_report
from quorate.verify.printed import misprints, otherwise
from quorate.verify.readers import html_tables, latex_table, markdown_tables
from unseen.odd import made, rows


@dataclass(frozen=True)
class Printed:
    """A report in every format, with its results.json."""

    page: str
    markdown: str
    latex: dict[str, str]
    pdf: bytes
    results: dict[str, Any]

    def wrong(self) -> list[str]:
        """What the reader finds."""
        return [
            *map(str, misprints(self.page, self.results)),
            *map(str, otherwise(self.page, self.markdown, self.latex, self.pdf)),
        ]


@pytest.fixture(scope="module", params=["media-preference", "document-extraction", "visual-puns"])
def printed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Printed:
    protocol = template(request.param)
    folder = tmp_path_factory.mktemp("printed")
    write_report(protocol, simulate(protocol), folder)
    return Printed(
        (folder / "report.html").read_text("utf-8"),
        (folder / "report.md").read_text("utf-8"),
        {file.name: file.read_text("utf-8") for file in folder.glob("latex/*.tex") if file.name != "tables.tex"},
        (folder / "report.pdf").read_bytes(),
        json.loads((folder / "results.json").read_text("utf-8")),
    )


def test_every_number_of_every_format_is_the_one_of_its_id(printed: Printed) -> None:
    assert printed.wrong() == []
    read = {cell.id for table in html_tables(printed.page) for row in table.rows for cell in row if cell.id}
    assert len(read) > 30


#: A value, its interval and its n in a row of a table, with what stands before it.
ROW = re.compile(
    r'<th scope="row"[^>]*>(?P<name>[^<]+)</th><td class="num"><a href="#(?P<id>[^"]+)">(?P<value>[^<]+)</a></td>'
    r'<td class="num">(?P<span>\[[^<]+\])</td><td class="num">(?P<n>[\d,]+)(?P<of>/[\d,]+)?</td>'
)


#: The same where a row holds several values: interval and n stand small beside each.
BESIDE = re.compile(
    r'<td class="num"><a href="#(?P<id>[^"]+)">(?P<value>[^<]+)</a>'
    r'<span class="small">(?P<span>\[[^<\]]+\]) · (?P<n>[\d,]+)(?P<of>/[\d,]+)?</span></td>'
)


def planted(page: str) -> Iterator[tuple[str, str]]:
    """Pages with one fault each, and what the fault is."""
    found = [one for kind in (ROW, BESIDE) for one in kind.finditer(page) if re.search(r"\d", one["value"])]
    assert len(found) > 8
    for one, other in zip(found[::5], found[1::5], strict=False):

        def with_(part: str, text: str, one: re.Match[str] = one) -> str:
            return f"{page[: one.start(part)]}{text}{page[one.end(part) :]}"

        digits = re.search(r"\d(?=\D*$)", one["value"])
        assert digits is not None
        last = (int(digits[0]) + 1) % 10
        yield with_("value", f"{one['value'][: digits.start()]}{last}{one['value'][digits.end() :]}"), "rounding"
        if re.search(r"[1-9]", one["value"]):
            sign = one["value"][1:] if one["value"][0] in "−+" else f"−{one['value']}"
            yield with_("value", sign.lstrip("+")), "a sign"
        if one["value"].endswith("%") and one["value"] != "0.0%":
            yield with_("value", f"{float(one['value'][:-1]) / 100:.2f}"), "a share as a proportion"
            yield with_("value", one["value"][:-1]), "a share without its unit"
        if other["span"] != one["span"]:
            yield with_("span", other["span"]), "the interval of a neighbour"
        yield with_("n", f"{int(one['n'].replace(',', '')) + 1:,}"), "a wrong n"
        if (one["value"], one["span"]) != (other["value"], other["span"]):
            yield with_("id", other["id"]), "the key of a neighbour"


def test_faults_on_the_page_are_found(printed: Printed) -> None:
    faults = list(planted(printed.page))
    assert len(faults) > 10
    missed = [(what, page) for page, what in faults if not list(misprints(page, printed.results))]
    assert [what for what, _ in missed] == []


def rows_of(page: str, key: str) -> list[re.Match[str]]:
    """The rows of a table whose cells lead to numbers."""
    begin = page.index(f'id="table-{key}"')
    body = re.compile(r"<tr><th scope=\"row\"[^>]*>(?P<head>[^\n]*?)</th>(?P<cells>(?:<td[^\n]*?)?)</tr>")
    return list(body.finditer(page, begin, page.index("</table>", begin)))


def matrix(page: str) -> str:
    """The key of a table with several numbers in each of its rows."""
    for table in html_tables(page):
        names = {row[0].text for row in table.rows}
        linked = [cell for cell in table.rows[0] if cell.id] if table.rows else []
        if table.id.startswith("table-") and len(names) > 2 and len(linked) > 1:
            return table.id.removeprefix("table-")
    raise AssertionError("no table has several numbers in a row")


def test_the_numbers_of_another_row_are_found_though_each_is_its_own_keys(printed: Printed) -> None:
    key = matrix(printed.page)
    one, other = rows_of(printed.page, key)[:2]
    page = printed.page
    swapped = page[: one.start("cells")] + other["cells"] + page[one.end("cells") : other.start("cells")]
    swapped += one["cells"] + page[other.end("cells") :]
    assert list(misprints(swapped, printed.results))


def test_numbers_that_stand_in_each_others_columns_are_found(printed: Printed) -> None:
    key = matrix(printed.page)
    row = next(row for row in rows_of(printed.page, key) if row["cells"].count("<a href") > 1)
    cells = re.findall(r"<td.*?</td>", row["cells"])
    linked = [k for k, cell in enumerate(cells) if "<a href" in cell][:2]
    cells[linked[0]], cells[linked[1]] = cells[linked[1]], cells[linked[0]]
    page = printed.page[: row.start("cells")] + "".join(cells) + printed.page[row.end("cells") :]
    assert list(misprints(page, printed.results))


def test_labels_that_are_changed_with_each_other_are_found(printed: Printed) -> None:
    page = printed.page
    one, other = list(ROW.finditer(page))[:2]
    swapped = page[: one.start("name")] + other["name"] + page[one.end("name") : other.start("name")]
    assert list(misprints(swapped + one["name"] + page[other.end("name") :], printed.results))


def test_a_number_under_anothers_name_is_found(printed: Printed) -> None:
    values = {round(one["value"], 1): one for one in printed.results["estimates"] if one["value"] is not None}
    first, second = [one for _, one in sorted(values.items())][:2]
    names = {first["id"]: second["id"], second["id"]: first["id"]}
    swapped = [{**one, "id": names.get(one["id"], one["id"])} for one in printed.results["estimates"]]
    assert list(misprints(printed.page, {**printed.results, "estimates": swapped}))


def test_a_count_of_a_listing_that_is_changed_is_found(printed: Printed) -> None:
    for table in html_tables(printed.page):
        counts = [cell for row in table.rows for cell in row[1:] if re.fullmatch(r"\d+", cell.text)]
        listed = any(set(table.columns) <= set(one["columns"]) for one in printed.results["listings"])
        if table.id != "table-annotators" and listed and counts and not any(c.id for row in table.rows for c in row):
            begin = printed.page.index(f'id="{table.id}"')
            cell = re.compile(r'<td class="num"[^>]*>(\d+)</td>').search(printed.page, begin)
            assert cell is not None
            page = f"{printed.page[: cell.start(1)]}{int(cell[1]) + 1}{printed.page[cell.end(1) :]}"
            assert list(misprints(page, printed.results)), table.id
            return
    pytest.skip("this study lists no counts")


NUMBER = re.compile(r"(?<![\w.\d%])\d+\.\d(?=\d|\\?%)|\[\S?\d+\.\d|(?<![\w.\d%])\.\d{3}")


def test_a_changed_number_of_the_markdown_file_is_found(printed: Printed) -> None:
    tables = [line for line in printed.markdown.splitlines() if line.startswith("|") and NUMBER.search(line)]
    assert len(tables) > 20
    for line in tables[::9]:
        found = NUMBER.search(line)
        assert found is not None
        changed = line[: found.end() - 1] + str((int(found[0][-1]) + 1) % 10) + line[found.end() :]
        markdown = printed.markdown.replace(line, changed, 1)
        assert list(otherwise(printed.page, markdown=markdown)), line


def test_columns_of_the_markdown_file_that_are_changed_with_each_other_are_found(printed: Printed) -> None:
    lines = printed.markdown.splitlines()
    place = next(k for k, line in enumerate(lines) if line.startswith("| Metric | Value | "))
    head = lines[place].split(" | ")
    head[1], head[2] = head[2], head[1]
    swapped = "\n".join([*lines[:place], " | ".join(head), *lines[place + 1 :]])
    assert list(otherwise(printed.page, markdown=swapped))
    without = "\n".join([*lines[: place + 2], *lines[place + 3 :]])
    assert list(otherwise(printed.page, markdown=without))


def test_a_changed_number_and_a_changed_key_of_a_latex_file_are_found(printed: Printed) -> None:
    assert list(otherwise(printed.page, latex=dict(list(printed.latex.items())[1:])))
    looked_at = 0
    for name, text in printed.latex.items():
        body = text.index("\\midrule")
        found = NUMBER.search(text, body)
        if found is not None:
            changed = text[: found.end() - 1] + str((int(found[0][-1]) + 1) % 10) + text[found.end() :]
            assert list(otherwise(printed.page, latex={**printed.latex, name: changed})), name
            looked_at += 1
        key = re.compile(r" % (\S+)\n").search(text, body)
        if key is not None:
            changed = f"{text[: key.start(1)]}another{text[key.end(1) :]}"
            assert list(otherwise(printed.page, latex={**printed.latex, name: changed})), name
    assert looked_at > 5


def test_a_number_that_only_the_pdf_prints_otherwise_is_found(printed: Printed) -> None:
    # The page is changed instead: of the two, one has to be wrong.
    found = [one for one in ROW.finditer(printed.page) if re.search(r"\d", one["value"])]
    for one in found[::6]:
        digit = re.search(r"\d(?=\D*$)", one["value"])
        assert digit is not None
        value = one["value"][: digit.start()] + str((int(digit[0]) + 1) % 10) + one["value"][digit.end() :]
        page = printed.page[: one.start("value")] + value + printed.page[one.end("value") :]
        assert list(otherwise(page, pdf=printed.pdf)), one["name"]
    one, other = found[:2]
    page = printed.page[: one.start("n")] + "77" + printed.page[one.end("n") :]
    assert list(otherwise(page, pdf=printed.pdf))
    swapped = printed.page[: one.start("span")] + other["span"] + printed.page[one.end("span") :]
    assert list(otherwise(swapped, pdf=printed.pdf)) or one["span"] == other["span"]


def test_a_chinese_pdf_is_read_whichever_fonts_there_are_and_a_wrong_number_is_found(tmp_path: Path) -> None:
    protocol = template("media-preference")
    write_report(protocol, simulate(protocol), tmp_path, ("html", "pdf"), "zh")
    page, paper = (tmp_path / "report.html").read_text("utf-8"), (tmp_path / "report.pdf").read_bytes()
    (table,) = (one for one in html_tables(page) if one.id == "table-annotators")
    assert not re.search("[A-Za-z]", "".join(table.columns)), "its head has letters that no font may have"
    assert [str(one) for one in otherwise(page, pdf=paper)] == []
    n = table.rows[0][-1].text
    changed = page.replace(f'<td class="num">{n}</td>', '<td class="num">4711</td>', 1)
    assert changed != page
    assert any(one.table == "report.pdf" for one in otherwise(changed, pdf=paper))


def test_names_of_a_study_are_read_as_they_are_printed() -> None:
    [table] = markdown_tables("| a\\|b | n |\n|---|---:|\n| \\<x\\> \\\\| 0.5 (\\[0, 1\\] · 2) |\n")
    assert [cell.text for cell in table.rows[0]] == ["<x> \\", "0.5 ([0, 1] · 2)"]
    text = "\\label{tab:t}\n\\toprule\n    \\textbf{Field} & \\textbf{n} \\\\\n    \\midrule\n"
    row = "    C\\# \\& \\{x\\} & \\shortstack[r]{50.0\\% \\\\ {\\scriptsize [$-$1.0, 2] $\\cdot$ 4}}"
    row += " % a.b%23\n       \\\\\n"
    table = latex_table(f"{text}{row}    \\bottomrule")
    assert table.rows[0][0].text == "C# & {x}"
    assert (table.rows[0][1].text, table.rows[0][1].small, table.rows[0][1].id) == ("50.0%", "[−1.0, 2] · 4", "a.b%23")


def test_a_system_may_be_called_like_the_letter_of_a_group(tmp_path: Path) -> None:
    names = ("A", "B", "AB")
    ask = [{"id": "good", "rating": {"prompt": "Good?", "points": [1, 2, 3], "each": "side"}}]
    items = rows(6, **{f"out_{name}": lambda k, name=name: f"{name} says {k}" for name in names})
    show = [{"set": {"text": {}, "systems": {name: f"out_{name}" for name in names}}}]
    section = {"id": "s", "show": show, "ask": ask}
    folder = made(tmp_path / "study", "Letters", items, [section], {"per_item": 2, "roster": 2})
    protocol = load(folder)
    write_report(protocol, simulate(protocol), tmp_path / "report", formats=("html",))
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    results = json.loads((tmp_path / "report" / "results.json").read_text("utf-8"))
    assert "Groups" in page
    assert list(map(str, misprints(page, results))) == []
