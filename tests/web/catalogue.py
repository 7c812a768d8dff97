"""Brings the Chinese catalogue up to date with the texts in templates and code: `python tests/web/catalogue.py`.

Texts that are new come in without a translation, and a test says so until someone has written one.
"""

from __future__ import annotations

import ast
from datetime import datetime
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import quorate

HOUSE = Path(quorate.__file__).parent
PO = HOUSE / "locale" / "zh" / "LC_MESSAGES" / "quorate.po"
MO = PO.with_suffix(".mo")

METHODS = [
    ("web/templates/desk/**.html", "ignore"),
    ("web/templates/**.html", "jinja2.ext:babel_extract"),
    ("questions/**.html", "jinja2.ext:babel_extract"),
    ("report/templates/report.*", "jinja2.ext:babel_extract"),
    ("media/**.html", "jinja2.ext:babel_extract"),
    ("**.py", "python"),
]
_CHANGING = tuple(
    f'"{name}'
    for name in (
        "Project-Id", "Report-Msgid", "POT-Creation", "PO-Revision", "Last-Translator", "Language-Team", "Generated-By",
    )
)  # fmt: skip
KEYWORDS = {"_": None, "gettext": None, "noted": None}
OPTIONS = {"web/templates/**.html": {"newstyle_gettext": "true", "trim_blocks": "true"}}


Text = str | tuple[str, str]
"""A text of the catalogue; two where it has a form of its own for one and for several."""


def messages() -> set[Text]:
    """Every text that a rater or a reader of a report may read, as it stands in templates and code."""
    found = extract_from_dir(HOUSE, METHODS, OPTIONS, KEYWORDS)
    return {message for _, _, message, _, _ in found if isinstance(message, str)} | said_by_messages()


def said_by_messages() -> set[Text]:
    """The templates of every `Message(…)` in the code; they have to be written where they are used, in one piece."""
    found: set[Text] = set()
    for text in (path.read_text("utf-8") for path in HOUSE.rglob("*.py")):
        for node in ast.walk(ast.parse(text)) if "quorate.messages import" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Message":
                one, *several = (ast.literal_eval(text) for text in node.args)
                found.add((one, several[0]) if several else one)
    return found


def catalogue() -> Catalog:
    """The catalogue as it is written now."""
    with PO.open("rb") as file:
        return read_po(file, locale="zh", domain="quorate")


def compiled(known: Catalog) -> bytes:
    """The catalogue as gettext reads it."""
    # Without a fixed date each run would write another file.
    known.creation_date = known.revision_date = datetime(2026, 1, 1)
    out = BytesIO()
    write_mo(out, known)
    return out.getvalue()


def update() -> list[str]:
    """Writes both files anew; gives back the texts that have no translation."""
    old = {m.id: m.string for m in catalogue() if m.id} if PO.is_file() else {}
    new = Catalog(locale="zh", domain="quorate", header_comment="# Quorate's rater pages in Chinese.", fuzzy=False)
    for text in sorted(messages(), key=str):
        new.add(
            text, old.get(text, "" if isinstance(text, str) else ("",)), flags=["python-format"] if "%(" in text else []
        )
    out = BytesIO()
    write_po(out, new, width=120, sort_output=True)
    PO.parent.mkdir(parents=True, exist_ok=True)
    # Dates and versions would make every run another file.
    lines = out.getvalue().decode().splitlines(keepends=True)
    PO.write_text("".join(line for line in lines if not line.startswith(_CHANGING)), encoding="utf-8")
    MO.write_bytes(compiled(catalogue()))
    return [str(m.id) for m in catalogue() if m.id and not all(in_one_form(m))]


def in_one_form(message: Message) -> tuple[str, ...]:
    """What a text is in Chinese, which has no other form for several."""
    return (message.string,) if isinstance(message.string, str) else message.string


if __name__ == "__main__":
    for text in update():
        print("no translation:", text)
