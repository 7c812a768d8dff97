"""The folder that a paper publishes: protocol and results, data, pictures, and a script that recomputes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from quorate.analyse import analyse
from quorate.analyse.results import Results
from quorate.protocol import Protocol
from quorate.protocol.named import named_files
from quorate.records import Collected
from quorate.report.data import RAW, SUMMARY, data_files, raw_columns, sampled_name, summary_columns
from quorate.report.html import environment
from quorate.report.markdown import as_markdown, escaped
from quorate.report.media import pictures
from quorate.report.page import Page, make_page

README, ANALYSIS, IMAGES = "README.md", "analysis.py", "images"


def paper_files(protocol: Protocol, collected: Collected) -> Iterator[tuple[str, bytes]]:
    """Every file of the folder by its name in it."""
    results = analyse(protocol, collected)
    page = make_page(protocol, collected, results)
    shown = dict(_pictures(protocol, collected))
    data = data_files(protocol, collected, results)
    yield README, _readme(page, results, shown).encode()
    for name in (sampled_name(protocol), RAW, SUMMARY):
        yield name, data[name].encode()
    for name in question_files(protocol):
        yield Path(name).name, (protocol.folder / name).read_bytes()
    yield ANALYSIS, analysis_script(protocol, results).encode()
    for name, content in shown.values():
        yield name, content


def question_files(protocol: Protocol) -> list[str]:
    """The files that questions name, such as a variant map: answers cannot be scored again without them."""
    return [name for name, place in named_files(protocol.source) if place[0] == "sections"]


def analysis_script(protocol: Protocol, results: Results) -> str:
    """The script with the study's own rules in it; it needs nothing of this package."""
    scored = [ask.question for section in protocol.sections for ask in section.ask if ask.question.is_scored()]
    target = next((question.target_field() for question in scored), "")
    script = files("quorate.report").joinpath("published_analysis.py").read_text("utf-8")
    rule = protocol.analysis.verdict.majority
    settings = {
        "NEEDED, OUT_OF": f"{rule.needed}, {rule.out_of}",
        "CONFIDENCE": repr(protocol.analysis.confidence),
        "BANDS": f'"{protocol.analysis.bands}"',
        "SIMULATED": repr(results.simulated),
        "TARGET": f'"{target}"',
    }
    for name, value in settings.items():
        script, found = re.subn(rf"^{name} = .*$", f"{name} = {value}", script, flags=re.MULTILINE)
        assert found == 1, f"published_analysis.py has lost its line {name}"
    return script


def _pictures(protocol: Protocol, collected: Collected) -> Iterator[tuple[str, tuple[str, bytes]]]:
    """Each drawn item's pictures under the item's own id, so that a row of the data leads to its picture."""
    for section in protocol.sections:
        for item in collected.items:
            for place, (_, suffix, content) in enumerate(pictures(protocol, section.id, item)):
                more = f"_{place + 1}" if place else ""
                yield f"{item.id}{more}", (f"{IMAGES}/{_plain(item.id)}{more}{suffix}", content)


def _plain(id: str) -> str:
    """An id as a file name on every system.

    >>> _plain("img/0042:a")
    'img_0042_a'
    """
    return re.sub(r"[^\w.-]", "_", id)


def _readme(page: Page, results: Results, shown: dict[str, tuple[str, bytes]]) -> str:
    return environment().get_template("paper_readme.md").render(
        page=page,
        protocol=page.protocol,
        results=results,
        tables=page.tables,
        table=as_markdown,
        escaped=escaped,
        overview=_overview(page.protocol),
        instructions=_quoted(page.protocol.text(page.protocol.raters.instructions)),
        images={id: name for id, (name, _) in shown.items()},
        raw_columns=raw_columns(page.protocol),
        summary_columns=summary_columns(page.protocol),
        sampled=sampled_name(page.protocol),
        descriptions=descriptions(page),
        question_files=[Path(name).name for name in question_files(page.protocol)],
    )  # fmt: skip


def descriptions(page: Page) -> dict[str, str]:
    """What each column of the data files holds."""
    rule, judge = page.protocol.analysis.verdict.majority, page.protocol.analysis.compare
    told = {
        "section": "Part of the study",
        "question": "Question that was answered",
        page.protocol.file.export.item_id: "Unique identifier of the item; its picture has this name in `images/`",
        "annotator_id": "Annotator identifier",
        "response_raw": "The response as it was typed",
        "response_normalized": "The response in canonical form",
        "is_correct": "Whether the response matches the target, a listed variant, or what the team decided",
        "timestamp": "When it was given",
        "num_correct": f"Number of annotators who were correct (0–{page.protocol.raters.per_item})",
        "majority_correct": f"Whether at least {rule.needed} of {rule.out_of} annotators were correct",
    }
    for sheet in page.sheets:
        told[sheet.target_field] = "The right answer"
    if judge is not None:
        told[f"{judge.judge}_correct"] = f"Whether {page.judge} was correct"
        told[f"human_{judge.judge}_agree"] = f"Whether majority and {page.judge} are both correct or both not"
    return told


def _overview(protocol: Protocol) -> str:
    """What the study says of itself: the opening of its own README, up to the first part."""
    own = protocol.folder / README
    if not own.is_file():
        return ""
    opening = re.split(r"^## ", own.read_text("utf-8"), maxsplit=1, flags=re.MULTILINE)[0]
    return re.sub(r"^# .*\n", "", opening, count=1).strip()


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())
