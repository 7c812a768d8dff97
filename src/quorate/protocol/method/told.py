"""What raters read before or beside their first item."""

from __future__ import annotations

from collections.abc import Iterator

from quorate.languages import Words
from quorate.protocol.protocol import Protocol


def told(protocol: Protocol) -> Iterator[str]:
    """Instructions, reference, notes and questions, in every language."""
    for file in (protocol.raters.instructions, protocol.raters.reference):
        names = file.values() if isinstance(file, dict) else [file]
        yield from (protocol.texts[name] for name in names if name in protocol.texts)
    for section in protocol.sections:
        yield from _all(section.note)
        for ask in section.ask:
            yield from (*_all(ask.question.prompt), *_all(ask.question.help))


def _all(words: Words) -> list[str]:
    return list(words.values()) if isinstance(words, dict) else [words]
