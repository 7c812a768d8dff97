"""A bundle's numbers once more, by readers that share nothing with what made them.

Making a report again finds what was changed after it was made, and repeats what it got wrong when it was made. So each
number that the page prints is read off the page and held against results.json; and each number of results.json is
computed once more from the exported files, by the script that is published with a paper.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report.data import RESULTS
from quorate.report.paper import question_files
from quorate.report.recompute.check import Told, hold_all
from quorate.report.republished import further_files
from quorate.verify.findings import Finding
from quorate.verify.printed import misprints, otherwise

PAGE, TEXT, PAPER, ALL_TABLES = "report.html", "report.md", "report.pdf", "latex/tables.tex"
#: Plain Python reads so many answers in a few seconds; of more the published script is to be run by itself.
MOST_ANSWERS = 50_000


def printed_as_held(
    results: Mapping[str, Any], names: Sequence[str], read: Callable[[str], bytes]
) -> Iterator[Finding]:
    """Numbers of the page that are not those of their ids, other prints in other formats, and baseless sentences."""
    known = {one["id"] for one in results["estimates"]}
    for sentence in results.get("sentences", ()):
        for id in sorted(set(sentence["estimates"]) - known):
            yield Finding(
                "numbers", f"{RESULTS}: {id}", f"nothing of this id is there, and it is said: {sentence['text']}"
            )
    texts = {name: read(name).decode("utf-8", "replace") for name in names if name.endswith((".html", ".md", ".tex"))}
    if PAGE not in texts:
        return
    for one in misprints(texts[PAGE], results):
        yield Finding("numbers", f"{PAGE}: {one.id}", str(one))
    latex = {name: text for name, text in texts.items() if name.endswith(".tex") and name != ALL_TABLES}
    for one in otherwise(texts[PAGE], texts.get(TEXT), latex or None, read(PAPER) if PAPER in names else None):
        yield Finding("numbers", f"{one.table}: {one.id}", str(one))


def computed_again(
    protocol: Protocol, collected: Collected, folder: Path, names: Sequence[str], read: Callable[[str], bytes]
) -> tuple[list[Finding], list[str]]:
    """Every number of results.json that the exported files do not give; and what could not be told, as notes."""
    if len(collected.answers) > MOST_ANSWERS:
        return [], [
            f"Of {len(collected.answers):,} answers the numbers were not computed once more by the published script: "
            "run it by itself (quorate export --layout paper, then python analysis.py)."
        ]
    folder.mkdir(parents=True)
    for name in (RESULTS, *(name for name in names if re.fullmatch(r"[\w .-]+\.csv", name))):
        (folder / name).write_bytes(read(name))
    for name, text in further_files(protocol, collected):
        (folder / name).write_text(text, encoding="utf-8")
    for name in question_files(protocol):
        (folder / Path(name).name).write_bytes((protocol.folder / name).read_bytes())
    told = Told()
    try:
        hold_all(folder, told)
    except (LookupError, ValueError, ArithmeticError, TypeError) as error:
        what = f"the exported files cannot be read as those of a report ({error!r}), so no number was computed again."
        return [Finding("numbers", RESULTS, what)], []
    notes = [
        f"{len(told.cannot):,} numbers were not computed once more from the files: {why}." for why in told.cannot[:1]
    ]
    return [Finding("numbers", *_placed(line)) for line in told.differ], notes


def _placed(line: str) -> tuple[str, str]:
    where, _, what = line.partition(": ")
    return where, f"{what[:1].upper()}{what[1:]}."
