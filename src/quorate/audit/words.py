"""Words in the items' own texts that may tell a rater what is hidden: raters read them, so people must judge them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from quorate.audit.fields import visible
from quorate.audit.findings import Warned
from quorate.protocol import Protocol, Section
from quorate.records import Item

#: Names of models and makers that replies like to mention.
NAMES = (
    *("ChatGPT", "GPT-3", "GPT-4", "GPT-4o", "GPT-5", "OpenAI", "DALL-E", "DALL·E", "Sora", "Claude", "Anthropic"),
    *("Gemini", "Bard", "DeepMind", "Imagen", "Veo", "Llama", "Mistral", "Mixtral", "Qwen", "通义千问", "DeepSeek"),
    *("Grok", "Copilot", "Midjourney", "Stable Diffusion", "SDXL", "FLUX.1", "Firefly", "Runway", "Pika", "Kling"),
    *("Hunyuan", "Yi-VL", "InternVL", "LLaVA", "CogVLM", "ERNIE", "文心一言", "Moonshot", "Kimi", "Phi-3", "BLIP"),
)
_SHORTEST = 3
_LONGEST = 60


def identity_words(protocol: Protocol, items: Iterable[Item]) -> Iterator[Warned]:
    """Each blind value of an item, system and well-known name that stands in a text which its section shows."""
    told: set[Warned] = set()
    for item in items:
        for section in protocol.sections:
            words = _words(protocol, section, item)
            for field, text in _texts(section, item):
                for word, why in words.items():
                    warned = Warned(word, why, item.id, field)
                    if warned not in told and _stands_in(word, text):
                        told.add(warned)
                        yield warned


def _words(protocol: Protocol, section: Section, item: Item) -> dict[str, str]:
    words = {name: "the name of a model or its maker" for name in NAMES}
    for show in section.show:
        words |= {system: "a system" for system in show.part.systems(item) if _is_word(system)}
    for field in protocol.blind_fields(section):
        value = item.fields.get(field)
        if isinstance(value, str) and _is_word(value) and "/" not in value:
            words[value.strip()] = f"its {field}"
    return words


def _is_word(text: str) -> bool:
    """Whether a text is long enough to be found on purpose, and short enough to be a name."""
    plain = text.strip()
    return _SHORTEST <= len(plain) <= _LONGEST and not plain.replace(".", "", 1).isdecimal()


def _stands_in(word: str, text: str) -> bool:
    return (
        re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None
        if word.isascii()
        else word in text
    )


def _texts(section: Section, item: Item) -> Iterator[tuple[str, str]]:
    """The texts of an item that a section shows, by field; options that a question builds are not among them."""
    files = {path.split("#")[0] for show in section.show for path in show.part.paths(item)}
    asked = {name for ask in section.ask for name in ask.question.shown_fields()}
    shown = {name for show in section.show for name in show.part.fields()}
    for field in sorted(visible(section)):
        if field in shown or field not in asked:
            for text in _strings(item.fields.get(field)):
                if text not in files:
                    yield field, text


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)
