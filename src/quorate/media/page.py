"""A page of a PDF as a picture: the page that is named, the one that a caption is found on, or all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Any, ClassVar

from pydantic import Field

from quorate.errors import StudyError
from quorate.languages import Words
from quorate.media.base import Contents, Medium
from quorate.media.decoding import MOST_PIXELS
from quorate.media.image import image_content
from quorate.records import Item, Shown

PAGES = "quorate_pages"
"""The reserved field of an item that says, by PDF field, which page was found and how many there are."""

FOUND = 80.0
"""From this similarity (0–100) on, a caption counts as found on a page."""


class PageMedium(Medium):
    """A page of a PDF that a field of the item names."""

    shorthand: ClassVar[str] = "pdf"

    #: The field with the file's path.
    pdf: str
    #: The field with the number of the page, from 1.
    page: str | None = None
    #: The field with a text that stands on the page, such as a caption: looked for where there is no number.
    search: str | None = None
    #: Points of a picture for each point of the page (72 an inch): 2 is sharp enough to read, 3 to zoom.
    scale: float = Field(default=2.0, gt=0.2, le=6)
    alt: Words = ""

    template: ClassVar[str] = "media/page.html"

    def fields(self) -> tuple[str, ...]:
        return tuple(name for name in (self.pdf, self.page, self.search) if name)

    def prepared(self, items: Sequence[Item], read: Callable[[str], bytes]) -> Sequence[Item]:
        return with_pages(items, self, lambda path: page_texts(read(path)))

    def number(self, item: Item) -> int | None:
        """The number that the item names."""
        given = str(item.fields.get(self.page) or "").strip().removesuffix(".0") if self.page else ""
        return int(given) if given.isdecimal() and int(given) else None

    def paths(self, item: Item) -> tuple[str, ...]:
        file = str(item.fields.get(self.pdf) or "")
        if not file:
            return ()
        found = (item.fields.get(PAGES) or {}).get(self.pdf, {})
        number = self.number(item) or found.get("page")
        if number:
            return (f"{file}#{number}",)
        return tuple(f"{file}#{k}" for k in range(1, found.get("pages", 1) + 1))

    def thumbnail(self, item: Item) -> str:
        return next(iter(self.paths(item)), "")

    def staged(self, content: bytes, path: str) -> bytes:
        return page_picture(content, int(path.rsplit("#", 1)[1]), self.scale)

    def suffix(self, path: str) -> str:
        return ".png"

    def as_content(self, item: Item, shown: Shown, files: Mapping[str, bytes]) -> Contents:
        return [image_content("page.png", files[path]) for path in self.paths(item)]


def with_pages(items: Sequence[Item], medium: PageMedium, texts_of: Callable[[str], Sequence[str]]) -> tuple[Item, ...]:
    """The items that name no page with the one their text is found on, and how many there are."""
    texts: dict[str, Sequence[str]] = {}
    prepared = []
    for item in items:
        file = str(item.fields.get(medium.pdf) or "")
        if file and medium.number(item) is None:
            if file not in texts:
                texts[file] = _named(texts_of, file)
            found = _looked_up(texts[file], str(item.fields.get(medium.search) or "") if medium.search else "")
            item = Item(item.id, {**item.fields, PAGES: {**(item.fields.get(PAGES) or {}), medium.pdf: found}})
        prepared.append(item)
    return tuple(prepared)


def _named(texts_of: Callable[[str], Sequence[str]], file: str) -> Sequence[str]:
    try:
        return texts_of(file)
    except StudyError as error:
        raise StudyError(f"{file}: {error}") from error


def _looked_up(texts: Sequence[str], wanted: str) -> dict[str, Any]:
    page, score = find_page(texts, wanted)
    return {"page": page, "pages": len(texts), "score": score}


def find_page(texts: Sequence[str], wanted: str) -> tuple[int | None, float]:
    """The page (from 1) whose text has the best match, with its similarity; no page where none is good enough.

    >>> find_page(["An introduction.", "Figure 2: Mean speed of snails on each surface. Text goes on."],
    ...           "Figure 2: Mean speed of snails")
    (2, 100.0)
    >>> find_page(["An introduction."], "Table 9: Nothing of the kind")[0] is None
    True
    """
    from rapidfuzz import fuzz

    words = " ".join(wanted.lower().split())
    if not words:
        return None, 0.0
    plain = [" ".join(text.lower().split()) for text in texts]
    # A page with less text than is looked for would be found inside it.
    scores = [fuzz.partial_ratio(words, text) if len(text) >= len(words) / 2 else 0.0 for text in plain]
    best = max(range(len(scores)), key=scores.__getitem__, default=None)
    if best is None or scores[best] < FOUND:
        return None, round(scores[best], 1) if best is not None else 0.0
    return best + 1, round(scores[best], 1)


def page_texts(content: bytes) -> list[str]:
    """The text of every page of a PDF."""
    with _Opened(content) as document:
        return [page.get_textpage().get_text_bounded() for page in document]


def page_picture(content: bytes, number: int, scale: float) -> bytes:
    """One page as PNG."""
    with _Opened(content) as document:
        if not 1 <= number <= len(document):
            raise StudyError(f"there is no page {number}: it has {len(document)}.")
        page, out = document[number - 1], BytesIO()
        width, height = page.get_size()
        if not width * scale * height * scale <= MOST_PIXELS:
            raise StudyError(
                f"page {number} is far too large: at most {MOST_PIXELS // 1_000_000} million pixels are shown to "
                "raters. Make it smaller, or lower the scale."
            )
        page.render(scale=scale).to_pil().convert("RGB").save(out, "PNG")
        return out.getvalue()


_UNREADABLE = "this PDF cannot be read: it is damaged, or locked by a password. Save it again, or replace it."


class _Opened:
    """A PDF to read; whatever is wrong with its bytes is one sentence."""

    def __init__(self, content: bytes):
        self.content = content

    def __enter__(self) -> Any:
        import pypdfium2

        try:
            self.document = pypdfium2.PdfDocument(self.content)
        except pypdfium2.PdfiumError as error:
            raise StudyError(_UNREADABLE) from error
        return self.document

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        import pypdfium2

        self.document.close()
        if isinstance(error, pypdfium2.PdfiumError):  # a page of it is damaged
            raise StudyError(_UNREADABLE) from error
