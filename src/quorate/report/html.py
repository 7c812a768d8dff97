"""The report as one HTML page that needs nothing else: pictures, figures and its script are in it.

Without the script everything can be read; with it tables sort and filter, and a number tells where it comes from.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from quorate.analyse.outcomes import ANALYSED, STEPS
from quorate.exhibits.pictures import inlined, is_image, pictures
from quorate.exhibits.tables import is_narrow
from quorate.languages import translation
from quorate.messages import Message, Text, Word
from quorate.report.explore import explored
from quorate.report.lines import RIGHT_TO_LEFT, unbroken
from quorate.report.page import Page
from quorate.sheets.sheet import EXCLUDED


@dataclass(frozen=True, slots=True)
class Step:
    """One box of a flow: what it holds, how many, and who left before it."""

    name: Text
    n: int
    out: tuple[Text, ...] = ()


def html(page: Page) -> str:
    """The whole page as text."""
    return (
        environment()
        .get_template("report.html")
        .render(
            page=page,
            _=translation(page.language).gettext,
            results=page.results,
            style=Markup(_file("report.css")),
            script=Markup(_file("report.js")),
            policy=policy(),
            words=tools(page.language),
            explored=Markup(explored(page)),
            pictures=picture_urls(page),
            flows=flows(page),
        )
    )


def tools(language: str) -> dict[str, str]:
    """What the page's tools are called."""
    told = {
        "contents": Message("Contents"),
        "filter": Message("Filter the rows"),
        "shown": Message("{n} of {of} rows", n="{n}", of="{of}"),
        "row": Message("Its row in the list of all numbers"),
        "close": Message("Close"),
        "rows": Message("The answers that it comes from"),
        "back": Message("Back"),
        "more": Message("{n} of {of} rows", n="{n}", of="{of}"),
        "right": Message("correct"),
        "wrong": Message("not correct"),
        "judge": Message("judge"),
    }
    return {name: message.text(language) for name, message in told.items()}


@cache
def policy() -> str:
    """What a browser may do with the page: show what is in it, and run its own script and no other."""
    own = b64encode(sha256(_file("report.js").encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{own}'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _file(name: str) -> str:
    return files("quorate.report").joinpath(f"templates/{name}").read_text("utf-8")


@cache
def environment() -> Environment:
    """Where the report's templates are read; a name that a template lacks is an error, never an empty space."""
    made = Environment(
        loader=PackageLoader("quorate.report"),
        autoescape=lambda name: bool(name and name.endswith(".html")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        "linked": linked,
        "kind": lambda block: type(block).__name__,
        "drawn": Markup,
        "apart": apart,
    }
    made.tests |= {"narrow": is_narrow, "unbroken": unbroken}
    return made


def apart(text: str) -> Markup:
    """A sentence in which names from right to left leave the order of all beside them as it is.

    >>> apart("a < b")
    Markup('a &lt; b')
    """
    return Markup(RIGHT_TO_LEFT.sub(lambda found: f"<bdi>{found[0]}</bdi>", str(escape(text))))


def linked(text: str) -> Markup:
    """A text in which the names of data files lead to the files beside the page.

    >>> linked("a.csv: is_correct")
    Markup('<a href="a.csv">a.csv</a>: is_correct')
    """
    return Markup(re.sub(r"\b(\w+\.csv)\b", r'<a href="\1">\1</a>', str(escape(text))))


def picture_urls(page: Page) -> dict[str, str]:
    """The pictures of the example items as data URLs, by item."""
    items = {item.id: item for sheet in page.sheets for item in sheet.items}
    found: dict[str, str] = {}
    for comparison in page.results.comparisons:
        for example in comparison.examples:
            if example.item is not None:
                files = pictures(page.protocol, comparison.section, items[example.item])
                shown = list(filter(is_image, files))
                found.update({example.item: inlined(shown[0])} if shown else {})
    return found


def flows(page: Page) -> tuple[tuple[Message, list[Step]], ...]:
    """The way of the raters and that of the items."""
    return (Message("Raters"), rater_flow(page)), (Message("Items"), item_flow(page))


def rater_flow(page: Page) -> list[Step]:
    """The way of the raters, each step with the ways out before it."""
    people = page.results.flow.raters
    if "invited" not in people:
        return [Step(Word(ANALYSED), people["analysed"])]
    imported, gone = people.get("imported", 0), people.get("imported, then excluded", 0)
    if imported and not people["invited"]:
        out = (_left(gone, EXCLUDED),) if gone else ()
        return [Step(Message("brought in from files"), imported), Step(Word(ANALYSED), people["analysed"], out)]
    names = [step for step in STEPS if step in people]
    shown: dict[str, Text] = {name: Word(name) for name in names}
    if imported:
        shown[ANALYSED] = Message("analysed, {n} of them from files", n=imported - gone)
    if people.get("called in"):
        shown[ANALYSED] = Message("analysed, {n} of them for verdicts alone", n=people["called in"])
    left = page.results.flow.left
    return [Step(shown[name], people[name], tuple(_left(n, why) for why, n in left.get(name, {}).items()))
            for name in names]  # fmt: skip


def _left(n: int, why: str) -> Message:
    return Message("{n} {outcome}", n=n, outcome=Word(why))


def item_flow(page: Page) -> list[Step]:
    """The way of the items: the pool, the draw, and what was answered in full."""
    items, planned = page.results.flow.items, page.protocol.raters.per_item
    left = items["pool"] - items["drawn"]
    short = items["drawn"] - items["with all answers"]
    return [
        Step(Message("in the pool"), items["pool"]),
        Step(Message("drawn"), items["drawn"], (Message("{n} not drawn or kept out", n=left),) if left else ()),
        Step(
            Message("with its answer", "with all {n} answers", n=planned),
            items["with all answers"],
            (Message("{n} with fewer", n=short),) if short else (),
        ),
    ]
