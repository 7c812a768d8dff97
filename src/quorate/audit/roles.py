"""The role of an option never leaves the server: a page names options by their places, not by what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quorate.audit.browser import Reply
from quorate.protocol import Protocol
from quorate.questions import Choice

# As a value: quoted in HTML, in JSON, or in HTML inside JSON. `target=` is an attribute, and no value.
_VALUE = r"""(?:\\?["']|&quot;|&#34;|=){role}(?:\\?["']|&quot;|&#34;|[\s>])"""


def told_roles(reply: Reply, protocol: Protocol) -> Iterator[str]:
    """The roles that a reply names, where its section has options that are built from roles."""
    section = next((section for section in protocol.sections if section.id == reply.place), None)
    if section is None or ("text/html" not in _kind(reply) and "json" not in _kind(reply)):
        return
    for ask in section.ask:
        question = ask.question
        if isinstance(question, Choice) and question.target:
            for role in question.declared("role"):
                is_told = re.search(_VALUE.format(role=re.escape(str(role))), reply.text)
                if is_told and role not in question.pinned():
                    yield f"the role '{role}' of an option of {ask.id}"


def _kind(reply: Reply) -> str:
    return next((value for name, value in reply.headers if name.lower() == "content-type"), "")
