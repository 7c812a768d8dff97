"""The folder that a paper publishes: protocol and results, data, pictures, and a script that recomputes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from quorate.analyse import analyse
from quorate.exchange.own_table.write import own_files
from quorate.exhibits.pictures import pictures
from quorate.findings.results import Results
from quorate.protocol import Protocol
from quorate.protocol.named import named_files
from quorate.records import Collected
from quorate.report.codebook import columns_told
from quorate.report.data import (
    DECISIONS,
    EXCLUDED_RAW,
    EXCLUDED_SHOWN,
    EXCLUSIONS,
    JUDGED,
    MERGED,
    MORE,
    PLAYED,
    PRESENTED,
    RAW,
    RESULTS,
    SUMMARY,
    data_files,
    raw_columns,
    sampled_name,
    summary_columns,
)
from quorate.report.html import environment
from quorate.report.markdown import escaped, numbered
from quorate.report.page import Page, make_page
from quorate.report.republished import FILES, further_files

README, ANALYSIS, RECOMPUTE, IMAGES, SUMS = "README.md", "analysis.py", "recompute", "images", "SHA256SUMS"

#: What each data file holds.
DATA = {
    RAW: "Every answer",
    SUMMARY: "Results per item",
    RESULTS: "Every number of this document, in full",
    JUDGED: "What judges answered",
    MORE: "Answers of raters who were called in or who saw a judge's score, and what the team decided",
    PRESENTED: "How each answer was presented: its place in the rater's work, seconds in sight, and sides",
    PLAYED: "How often each clip was played",
    MERGED: "One score an item: people's where there is one, else the judge's",
    EXCLUSIONS: "Who was excluded, when and why",
    EXCLUDED_RAW: "What excluded raters answered",
    EXCLUDED_SHOWN: "How it was presented",
    DECISIONS: "What the team decided about borderline answers",
    **FILES,
}


def paper_files(protocol: Protocol, collected: Collected) -> Iterator[tuple[str, bytes]]:
    """Every file of the folder by its name in it; the last one lists the others with their hashes."""
    sums = {}
    for name, content in _contents(protocol, collected):
        sums[name] = sha256(content).hexdigest()
        yield name, content
    yield SUMS, "".join(f"{digest}  {name}\n" for name, digest in sums.items()).encode()


def _contents(protocol: Protocol, collected: Collected) -> Iterator[tuple[str, bytes]]:
    results = analyse(protocol, collected)
    page = make_page(protocol, collected, results)
    shown = _pictures(protocol, collected)
    data = {**data_files(protocol, collected, results, page.sentences), **own_files(protocol, collected)}
    further = dict(further_files(protocol, collected))
    yield README, _readme(page, results, shown, [*data, *further]).encode()
    yield from ((name, text.encode()) for name, text in {**data, **further}.items())
    for name in question_files(protocol):
        yield Path(name).name, (protocol.folder / name).read_bytes()
    yield from script_files()
    for files_of_item in shown.values():
        yield from files_of_item.items()


def script_files() -> Iterator[tuple[str, bytes]]:
    """The script that recomputes, and the modules that it is made of: they need nothing of this package."""
    here = files("quorate.report")
    yield ANALYSIS, here.joinpath("published_analysis.py").read_bytes()
    for module in sorted(here.joinpath(RECOMPUTE).iterdir(), key=lambda module: module.name):
        if module.name.endswith(".py"):
            yield f"{RECOMPUTE}/{module.name}", module.read_bytes()


def question_files(protocol: Protocol) -> list[str]:
    """The files that questions name, such as a variant map: answers cannot be scored again without them."""
    return [name for name, place in named_files(protocol.source) if place[0] == "sections"]


def _pictures(protocol: Protocol, collected: Collected) -> dict[str, dict[str, bytes]]:
    """What is shown of each drawn item, named by the item's own id, so that a row of the data leads to it."""
    found: dict[str, dict[str, bytes]] = {item.id: {} for item in collected.items}
    paths: dict[str, list[str]] = {item.id: [] for item in collected.items}
    taken: set[str] = set()
    for section in protocol.sections:
        for item in collected.items:
            for path, suffix, content in pictures(protocol, section.id, item):
                if path in paths[item.id]:
                    continue
                paths[item.id].append(path)
                more = f"_{len(paths[item.id])}" if len(paths[item.id]) > 1 else ""
                name = f"{_plain(item.id)}{more}{suffix}"
                while name.lower() in taken:  # two ids may be the same but for signs that no file name has
                    name = f"_{name}"
                taken.add(name.lower())
                found[item.id][f"{IMAGES}/{name}"] = content
    return found


def _plain(id: str) -> str:
    """An id as a file name on every system.

    >>> _plain("img/0042:a")
    'img_0042_a'
    """
    return re.sub(r"[^\w.-]", "_", id)


def _readme(page: Page, results: Results, shown: dict[str, dict[str, bytes]], names: list[str]) -> str:
    return environment().get_template("paper_readme.md").render(
        page=page,
        protocol=page.protocol,
        results=results,
        tables=page.tables,
        table=numbered(page),
        escaped=escaped,
        overview=_overview(page.protocol),
        instructions=_quoted(page.protocol.text(page.protocol.raters.instructions)),
        images={id: next(iter(pictures)) for id, pictures in shown.items() if pictures},
        has_images=any(shown.values()),
        data_files={name: DATA[name] for name in names if name in DATA},
        own_files=[name for name in names if name not in DATA and name != sampled_name(page.protocol)],
        raw_columns=raw_columns(page.protocol),
        summary_columns=summary_columns(page.protocol),
        sampled=sampled_name(page.protocol),
        descriptions=columns_told(page.protocol),
        question_files=[Path(name).name for name in question_files(page.protocol)],
    )  # fmt: skip


def _overview(protocol: Protocol) -> str:
    """What the study says of itself: the opening of its own README, up to the first part."""
    own = protocol.folder / README
    if not own.is_file():
        return ""
    opening = re.split(r"^## ", own.read_text("utf-8"), maxsplit=1, flags=re.MULTILINE)[0]
    return re.sub(r"^# .*\n", "", opening, count=1).strip()


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
