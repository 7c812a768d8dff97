"""What one inquiry says of a study, and what it would say if something had not been found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from quorate.analyse import Results, analyse
from quorate.analyse.analyse import make_cases
from quorate.exhibits.blocks import Block, Drawing
from quorate.exhibits.tables import Table
from quorate.inquiries.base import Inquiry, Part, Told
from quorate.messages import Message, said
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.sheets.sheet import sheets


def parts(protocol: Protocol, collected: Collected, results: Results, language: str = "en") -> Iterator[Part]:
    """Every section of the study with its results."""
    cases = make_cases(protocol, tuple(sheets(protocol, collected)))
    for section in protocol.sections:
        mine = [case for case in cases if case.sheet.section == section.id]
        yield Part(protocol, results, section, mine, language)


def sentences(inquiry: Inquiry, protocol: Protocol, collected: Collected, results: Results) -> list[Message]:
    """All that an inquiry says of a study in sentences: on the first screen, in methods, conventions and limits."""
    told = Told(protocol, results)
    first = [one for part in parts(protocol, collected, results) for one in inquiry.headline(part)]
    return [*first, *inquiry.methods(told), *inquiry.conventions(told), *inquiry.limits(told)]


def texts(inquiry: Inquiry, protocol: Protocol, collected: Collected, language: str = "zh") -> list[str]:
    """Every text of an inquiry in the language: its sentences, tables and captions."""
    results = analyse(protocol, collected)
    found: list[Any] = [inquiry.title, *sentences(inquiry, protocol, collected, results)]
    for part in parts(protocol, collected, results, language):
        for block in inquiry.exhibits(part):
            found += _of_block(block)
    return [said(one, language) for one in found]


def _of_block(block: Block) -> Iterator[Any]:
    if isinstance(block, Table):
        yield from (block.title, block.caption, *block.columns, *(cell.text for row in block.rows for cell in row))
    elif isinstance(block, Drawing):
        yield from (block.caption, " ".join(re.findall(r">([^<>]+)</text>", block.svg)))


def english_in(found: list[str], *own: str) -> list[str]:
    """The texts in which an English word stands that is none of the study's own."""
    kept = re.compile("|".join(map(re.escape, sorted((*own, "Fleiss", "Cohen", "McNemar"), key=len, reverse=True))))
    return [text for text in found if re.search(r"[A-Za-z]{3}", kept.sub("", re.sub("“[^”]*”", "", text)))]


def rest_on_what_is_there(inquiry: Inquiry, protocol: Protocol, collected: Collected) -> int:
    """Takes away what each sentence rests on, and sees the sentence go; gives back how many sentences there were."""
    results = analyse(protocol, collected)
    found = sentences(inquiry, protocol, collected, results)
    for sentence in found:
        assert sentence.rests_on, f"nothing makes it true: {sentence}"
        kept = tuple(one for one in results.findings if one.id not in sentence.rests_on)
        left = replace(results, findings=kept)
        assert str(sentence) not in map(str, sentences(inquiry, protocol, collected, left)), sentence
    return len(found)
