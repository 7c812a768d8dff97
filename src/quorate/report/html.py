"""The report as one HTML page that needs nothing else: pictures and figures are in it, and no script."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from quorate.analyse.results import Example
from quorate.report import captions, figures
from quorate.report.media import inlined, pictures
from quorate.report.page import Page


def html(page: Page) -> str:
    """The whole page as text."""
    style = files("quorate.report").joinpath("templates/report.css").read_text("utf-8")
    return (
        environment()
        .get_template("report.html")
        .render(
            page=page,
            results=page.results,
            tables=page.tables,
            style=Markup(style),
            figures=_figures(page),
            captions=captions,
            pictures=_pictures(page),
            flow=flow_steps(page),
        )
    )


@cache
def environment() -> Environment:
    """Where the report's templates are read; a name that a template lacks is an error, never an empty space."""
    return Environment(
        loader=PackageLoader("quorate.report"),
        autoescape=lambda name: bool(name and name.endswith(".html")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _figures(page: Page) -> dict[str, Markup]:
    compare, rule = page.protocol.analysis.compare, page.protocol.analysis.verdict.majority
    scored = [sheet for sheet in page.sheets if sheet.question.is_scored()]
    drawn = {"agreement": figures.agreement(page.results), "accuracy": figures.accuracy(page.results)}
    if scored:
        judged = compare.judge if compare and any(scored[0].judged) else None
        drawn["answers"] = figures.answers(scored[0], rule, judged)
    # The drawings are our own and hold no text of a rater; numbers and ids alone.
    return {key: Markup(svg) for key, svg in drawn.items() if svg}


def _pictures(page: Page) -> dict[str, str]:
    """The pictures of the example items as data URLs, by item."""
    items = {item.id: item for sheet in page.sheets for item in sheet.items}
    found: dict[str, str] = {}
    for comparison in page.results.comparisons:
        for example in comparison.examples:
            if example.item is not None:
                shown = list(pictures(page.protocol, comparison.section, items[example.item]))
                found.update({example.item: inlined(*shown[0])} if shown else {})
    return found


def flow_steps(page: Page) -> list[dict[str, Any]]:
    """The steps of the participant flow, each with the ways out of it."""
    people = page.results.flow.raters
    if "invited" not in people:
        return [{"name": "analysed", "n": people["analysed"], "out": []}]
    ways_out = {"consented": ["declined"], "eligible": ["screened out"], "analysed": ["withdrawn", "excluded"]}
    return [
        {"name": name, "n": people[name], "out": [(why, people[why]) for why in ways_out.get(name, []) if people[why]]}
        for name in ("invited", "consented", "eligible", "finished", "analysed")
    ]


def cell_name(example: Example, judge: str) -> str:
    """What a cell of the 2 × 2 is called."""
    people = "Human majority correct" if example.human_correct else "Human majority incorrect"
    return f"{people}, {judge} {'correct' if example.judge_correct else 'incorrect'}"
