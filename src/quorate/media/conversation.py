"""A conversation, every turn of it, with pictures inside turns; where one turn is to be judged, it is marked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import msgspec
from markupsafe import Markup
from pydantic import model_validator

from quorate.media.base import Contents, Medium
from quorate.media.decoding import check_decodes
from quorate.media.image import image_content
from quorate.media.markdown import rendered
from quorate.media.metadata import without_metadata
from quorate.parts import Part
from quorate.records import Item, Shown

SPEAKERS = {
    "assistant": ("assistant", "model", "bot", "ai", "gpt"),
    "user": ("user", "human"),
    "system": ("system", "developer"),
    "tool": ("tool", "function"),
}
"""Who speaks, and the roles by which files call them."""
_SAID_BY = {"assistant": "Assistant", "user": "User", "system": "System", "tool": "Tool"}
ROLE = ("role", "from")
CONTENT = ("text", "content", "value")
"""The names under which files have who speaks, and what is said."""
_TEXTS = ("text", "input_text", "output_text")
HISTORY = "quorate_history"
"""The reserved field of an item that holds the earlier turns found in the file: [{role, text, images}]."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: who says it, what, the pictures with it, and whether it is the one to be judged."""

    role: str
    text: str
    images: tuple[str, ...] = ()
    is_judged: bool = False

    @property
    def is_reply(self) -> bool:
        """Whether the model says it."""
        return self.speaker == "assistant"

    @property
    def speaker(self) -> str:
        """Who says it: assistant, user, system or tool; "" for a role that is none of these, and is shown to nobody."""
        return next((speaker for speaker, roles in SPEAKERS.items() if self.role.lower() in roles), "")

    def html(self) -> Markup:
        """A model's message with its Markdown."""
        return rendered(self.text)


class History(Part):
    """Where earlier turns stand in the same file: the field that names the conversation, and the one that counts."""

    by: str
    turn: str


class Conversation(Medium):
    """A conversation up to the turn that is judged or is to be answered."""

    #: Fields of the item: what the user said, what the model replied, and the pictures of this turn.
    user: str | None = None
    assistant: str | None = None
    images: str | None = None
    #: Or one field with all messages, [{role, content, images}]. Judged is the one that says `judged: true`, else the
    #: last reply, unless the user says something after it: that is then to be answered, and no reply here is judged.
    messages: str | None = None
    history: History | None = None

    template: ClassVar[str] = "media/conversation.html"

    @model_validator(mode="after")
    def _has_a_reply(self) -> Self:
        if bool(self.assistant) == bool(self.messages):
            raise ValueError("a conversation needs either `assistant` (with `user`), or `messages`.")
        return self

    def fields(self) -> tuple[str, ...]:
        named = [self.user, self.assistant, self.images, self.messages]
        named += [self.history.by, self.history.turn] if self.history else []
        return tuple(name for name in named if name)

    def prepared(self, items: Sequence[Item], read: Callable[[str], bytes]) -> Sequence[Item]:
        return with_history(items, self)

    def turns(self, item: Item) -> list[Message]:
        """Every message, in its order; at most one is to be judged."""
        earlier = [_message(given) for given in item.fields.get(HISTORY) or ()]
        own = self.own_turns(item)
        judged = _judged(own)
        return [*earlier, *(replace(message, is_judged=k == judged) for k, message in enumerate(own))]

    def own_turns(self, item: Item) -> list[Message]:
        """The messages that the item itself holds."""
        if self.messages is not None:
            return [_message(given) for given in _list(item.fields.get(self.messages)) if isinstance(given, Mapping)]
        images = tuple(map(str, _list(item.fields.get(self.images)))) if self.images else ()
        own = [Message("user", str(item.fields.get(self.user) or ""), images)] if self.user else []
        return [*own, Message("assistant", str(item.fields.get(self.assistant or "") or ""))]

    def unreadable(self, item: Item) -> str:
        if self.messages is None:
            return ""
        given = _list(item.fields.get(self.messages))
        if not given or given == [item.fields.get(self.messages)]:
            return f"'{self.messages}' holds no list of messages, each with its role and content"
        wrong = next((f"message {k} {why}" for k, one in enumerate(given, 1) if (why := _unreadable(one))), "")
        if not wrong and not any(message.text.strip() or message.images for message in self.own_turns(item)):
            wrong = "nothing is said in any message"
        return f"'{self.messages}': {wrong}" if wrong else ""

    def lacks_history(self, item: Item) -> bool:
        """Whether there were earlier turns which the file does not hold."""
        return self.history is not None and not item.fields.get(HISTORY) and turn_of(item, self.history) > 0

    def paths(self, item: Item) -> tuple[str, ...]:
        return tuple(dict.fromkeys(path for message in self.turns(item) for path in message.images))

    def thumbnail(self, item: Item) -> str:
        return next(iter(self.paths(item)), "")

    def staged(self, content: bytes, path: str) -> bytes:
        return without_metadata(content)

    def prove(self, content: bytes, path: str) -> None:
        check_decodes(content)

    def as_content(self, item: Item, shown: Shown, files: Mapping[str, bytes]) -> Contents:
        contents: Contents = []
        if self.lacks_history(item):
            contents.append({"type": "text", "text": "Earlier turns of this conversation are not available."})
        for message in self.turns(item):
            who = "The reply to be judged" if message.is_judged else _SAID_BY.get(message.speaker, "Message")
            contents += [image_content(path, files[path]) for path in message.images]
            contents.append({"type": "text", "text": f"{who}: {message.text}"})
        return contents


def with_history(items: Sequence[Item], medium: Conversation) -> tuple[Item, ...]:
    """The items with the earlier turns of their conversation that the table holds, in order of their turns."""
    rule = medium.history
    if rule is None:
        return tuple(items)
    conversations: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: turn_of(item, rule)):
        conversations.setdefault(str(item.fields.get(rule.by) or item.id), []).append(item)
    earlier: dict[str, list[dict[str, Any]]] = {}
    for turns in conversations.values():
        for item in turns:
            before = [other for other in turns if turn_of(other, rule) < turn_of(item, rule)]
            earlier[item.id] = [_row(message) for other in before for message in medium.own_turns(other)]
    return tuple(Item(item.id, {**item.fields, HISTORY: earlier[item.id]}) for item in items)


def turn_of(item: Item, rule: History) -> float:
    """The number of an item's turn; one that has none is the first."""
    try:
        return float(item.fields.get(rule.turn) or 0)
    except (TypeError, ValueError):
        return 0.0


def _message(given: Mapping[str, Any]) -> Message:
    role = next((given[name] for name in ROLE if given.get(name)), "user")
    parts = _parts(given)
    text = "\n\n".join(words for part in parts if (words := _words(part)))
    images = (*map(str, _list(given.get("images"))), *(path for part in parts if (path := _picture(part))))
    return Message(str(role), text, images, given.get("judged") is True)


def _parts(given: Mapping[str, Any]) -> list[Any]:
    """What is said in a message: one text, or the texts and pictures of which some files make it."""
    said = next((given[name] for name in CONTENT if name in given), None)
    return said if isinstance(said, list) else [said]


def _words(part: Any) -> str:
    if isinstance(part, Mapping):
        return str(part.get("text") or "") if part.get("type") in _TEXTS else ""
    return "" if part is None else str(part)


def _picture(part: Any) -> str:
    """The file of a part that is a picture."""
    given = part.get("image_url") if isinstance(part, Mapping) and part.get("type") == "image_url" else None
    return str(given.get("url") or "") if isinstance(given, Mapping) else str(given or "")


def _unreadable(given: Any) -> str:
    """What of a message cannot be shown."""
    if not isinstance(given, Mapping):
        return "is no message: it has neither role nor content"
    if not any(name in given for name in CONTENT):
        return "has no content; a message is {role, content}, and may have images"
    for part in _parts(given):
        if isinstance(part, Mapping | list) and not _words(part) and not _picture(part):
            kind = f" ({part['type']})" if isinstance(part, Mapping) and part.get("type") else ""
            return f"has a part that cannot be shown{kind}; texts can, and files that are pictures"
        if _picture(part).startswith("data:"):
            return "holds a picture itself; put it into a file of the study, and name that"
    return ""


def _judged(own: Sequence[Message]) -> int:
    """Where the message to be judged stands, -1 where none is."""
    named = [k for k, message in enumerate(own) if message.is_judged]
    last = max((k for k, message in enumerate(own) if message.is_reply), default=-1)
    is_asked = any(message.speaker not in ("system", "tool") for message in own[last + 1 :])
    return named[0] if named else -1 if is_asked else last


def _row(message: Message) -> dict[str, Any]:
    return {"role": message.role, "text": message.text, "images": list(message.images)}


def _list(value: Any) -> list[Any]:
    """A list as JSONL holds it, or as a table does: JSON in a cell, or one path."""
    if isinstance(value, str):
        if not value.strip().startswith("["):
            return [value] if value.strip() else []
        try:
            return msgspec.json.decode(value, type=list)
        except (msgspec.DecodeError, RecursionError):
            return [value]
    return list(value) if isinstance(value, list | tuple) else []
