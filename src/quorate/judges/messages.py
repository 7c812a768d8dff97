"""A request as chat messages, and a model's words as replies to its questions."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import blake2b, sha256
from typing import Any

from quorate.judges.base import Request

SYSTEM = (
    "You are a rater in a study. Look at what is shown, then answer the questions about it. "
    "Reply with one JSON object and nothing else. Its keys: {keys}."
)
SYSTEM_ONE = (
    "You are a rater in a study. Look at what is shown, then answer the question about it. Reply with JSON: {keys}"
)
CONFIDENCE = "confidence"
ASK_CONFIDENCE = "How sure are you of your answers, from 0 (a guess) to 1 (certain)?"


def messages(
    request: Request, contents: Sequence[dict[str, Any]], ask_confidence: bool = False
) -> list[dict[str, Any]]:
    """The rater's page as a chat: what is shown in its order, then the questions in the rater's words."""
    ids = [*request.prompts, *([CONFIDENCE] if ask_confidence else [])]
    system = SYSTEM.format(keys=", ".join(ids)) if len(ids) > 1 else SYSTEM_ONE.format(keys=f'{{"{ids[0]}": …}}')
    user: list[dict[str, Any]] = []
    if request.instructions:
        user.append(_text(request.instructions))
    user += contents
    for id, prompt in request.prompts.items():
        user.append(_text(prompt if len(ids) == 1 else f"{id}: {prompt}"))
    if ask_confidence:
        user.append(_text(f"{CONFIDENCE}: {ASK_CONFIDENCE}"))
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def answer_schema(request: Request, ask_confidence: bool = False) -> dict[str, Any]:
    """The JSON Schema of the whole reply: one property a question; what may be left out may be null."""
    properties = {
        id: {"anyOf": [schema, {"type": "null"}]} if id in request.optional else schema
        for id, schema in request.schemas.items()
    }
    if ask_confidence:
        properties[CONFIDENCE] = {"type": "number", "minimum": 0, "maximum": 1}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read(text: str, request: Request, in_words: bool = False) -> dict[str, Any] | None:
    """What a reply says to each question; None where it cannot be read. Nothing is guessed.

    >>> from quorate.records import Item, Shown
    >>> one = Request(Item("a", {}), "s", Shown(), prompts={"idiom": "Which?"})
    >>> read('```json\\n{"idiom": "break the ice"}\\n```', one)
    {'idiom': 'break the ice'}
    >>> read("break the ice", one) is None
    True
    >>> read("break the ice", one, in_words=True)
    {'idiom': 'break the ice'}
    """
    found = _json_in(text)
    if isinstance(found, dict):
        return found
    only = next(iter(request.prompts)) if len(request.prompts) == 1 else None
    if in_words and only and text.strip():
        return {only: text.strip()}
    return None


def confidence(raw: dict[str, Any], request: Request) -> dict[str, float]:
    """The one confidence that was asked for, for every question; nothing where it is no number from 0 to 1."""
    given = raw.get(CONFIDENCE)
    if isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1:
        return dict.fromkeys(request.prompts, float(given))
    return {}


def kept(sent: Sequence[dict[str, Any]]) -> str:
    """The messages as they are kept: a picture by its hash, since its bytes lie in the study's folder."""
    return json.dumps([_without_bytes(part) for part in sent], ensure_ascii=False)


def prompt_hash(sent: Sequence[dict[str, Any]], parameters: dict[str, Any]) -> str:
    """One name for everything that was sent, bytes of pictures and parameters included."""
    whole = json.dumps([list(sent), parameters], ensure_ascii=False, sort_keys=True)
    return blake2b(whole.encode(), digest_size=16).hexdigest()


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _without_bytes(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _without_bytes(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_without_bytes(value) for value in node]
    if isinstance(node, str) and node.startswith("data:"):
        return f"{node.split(',', 1)[0]},sha256:{sha256(node.encode()).hexdigest()}"
    if isinstance(node, str) and len(node) > 100_000:
        return f"sha256:{sha256(node.encode()).hexdigest()}"
    return node


def _json_in(text: str) -> Any:
    """The JSON that a text is, or that stands in it between fences or alone."""
    fenced = re.search(r"```(?:json)?\s*(\{.*\})\s*```", text, re.DOTALL)
    for candidate in (text, fenced[1] if fenced else "", text[text.find("{") : text.rfind("}") + 1]):
        try:
            return json.loads(candidate)
        except ValueError:
            continue
    return None
