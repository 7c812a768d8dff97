"""Brings the Chinese catalogue up to date with the texts in templates and code: `python tests/web/catalogue.py`.

Texts that are new come in without a translation, and a test says so until someone has written one.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
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


def messages() -> set[str]:
    """Every text that a rater may read, as it stands in templates and code."""
    found = extract_from_dir(HOUSE, METHODS, OPTIONS, KEYWORDS)
    return {message for _, _, message, _, _ in found if isinstance(message, str)}


def catalogue() -> Catalog:
    """The catalogue as it is written now."""
    with PO.open("rb") as file:
        return read_po(file, locale="zh", domain="quorate")


def compiled(known: Catalog) -> bytes:
    """The catalogue as gettext reads it."""
    out = BytesIO()
    write_mo(out, known)
    return out.getvalue()


def update() -> list[str]:
    """Writes both files anew; gives back the texts that have no translation."""
    old = {m.id: m.string for m in catalogue() if m.id} if PO.is_file() else {}
    new = Catalog(locale="zh", domain="quorate", header_comment="# Quorate's rater pages in Chinese.", fuzzy=False)
    for text in sorted(messages()):
        new.add(text, old.get(text, ""), flags=["python-format"] if "%(" in text else [])
    out = BytesIO()
    write_po(out, new, width=120, sort_output=True)
    PO.parent.mkdir(parents=True, exist_ok=True)
    # Dates and versions would make every run another file.
    lines = out.getvalue().decode().splitlines(keepends=True)
    PO.write_text("".join(line for line in lines if not line.startswith(_CHANGING)), encoding="utf-8")
    MO.write_bytes(compiled(catalogue()))
    return [str(m.id) for m in catalogue() if m.id and not m.string]


if __name__ == "__main__":
    for text in update():
        print("no translation:", text)
