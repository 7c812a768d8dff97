"""A page of a PDF: the one that is named, the one with the caption, or all of them."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from papers import paper
from quorate.errors import StudyError
from quorate.media import PAGES, PageMedium, find_page
from quorate.media.page import page_picture, page_texts
from quorate.records import Item, Shown

TEXTS = [
    "On the speed of snails. An introduction to what is known.",
    "Figure 1: Mean speed of fifteen snails on each surface, with intervals.",
    "Table 1: Surfaces and how many snails turned back at least once.",
]
PAPER = paper(TEXTS)
MEDIUM = PageMedium(pdf="pdf", page="page", search="caption")


def item(**fields: object) -> Item:
    return Item("1", {"pdf": "papers/one.pdf", "page": "", "caption": "", **fields})


def read(path: str) -> bytes:
    assert path == "papers/one.pdf"
    return PAPER


def test_a_named_page_is_shown_without_opening_the_file() -> None:
    def refused(path: str) -> bytes:
        raise AssertionError(path)

    (prepared,) = MEDIUM.prepared([item(page="3")], refused)
    assert MEDIUM.paths(prepared) == ("papers/one.pdf#3",)


@pytest.mark.parametrize(
    "caption", ["Figure 1: Mean speed of fifteen snails", "figure 1: mean  speed of fiftcen snails on"]
)
def test_a_caption_leads_to_its_page_even_with_a_slip_in_it(caption: str) -> None:
    (prepared,) = MEDIUM.prepared([item(caption=caption)], read)
    assert MEDIUM.paths(prepared) == ("papers/one.pdf#2",)
    assert prepared.fields[PAGES]["pdf"]["score"] >= 80


def test_without_a_page_or_a_caption_that_is_found_all_pages_can_be_browsed() -> None:
    (prepared,) = MEDIUM.prepared([item(caption="Figure 9: Something quite different")], read)
    assert MEDIUM.paths(prepared) == ("papers/one.pdf#1", "papers/one.pdf#2", "papers/one.pdf#3")


def test_a_page_with_hardly_any_text_is_not_taken_for_the_one_with_the_caption() -> None:
    assert find_page(["1", "", "Figure"], "Figure 1: Mean speed of snails")[0] is None


def test_an_empty_caption_is_found_nowhere() -> None:
    assert find_page(TEXTS, "  ") == (None, 0.0)


def test_the_text_of_every_page_is_read() -> None:
    assert [text.split(":")[0].split(".")[0] for text in page_texts(PAPER)] == [
        "On the speed of snails",
        "Figure 1",
        "Table 1",
    ]


def test_a_page_becomes_a_picture_of_its_size() -> None:
    picture = Image.open(BytesIO(page_picture(PAPER, 2, 2.0)))
    assert picture.format == "PNG"
    assert picture.width == round(210 / 25.4 * 72 * 2)
    assert len(picture.convert("L").getcolors() or []) > 2


def test_staging_makes_one_picture_a_page() -> None:
    assert MEDIUM.suffix("papers/one.pdf#2") == ".png"
    assert MEDIUM.staged(PAPER, "papers/one.pdf#2") != MEDIUM.staged(PAPER, "papers/one.pdf#3")


def test_a_page_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(StudyError, match="there is no page 9: it has 3"):
        MEDIUM.staged(PAPER, "papers/one.pdf#9")


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7 nothing more", PAPER[:200]])
def test_a_file_that_is_no_pdf_is_a_sentence(content: bytes) -> None:
    with pytest.raises(StudyError, match="cannot be read"):
        page_picture(content, 1, 1.0)
    with pytest.raises(StudyError, match=r"papers/one.pdf: this PDF cannot be read"):
        MEDIUM.prepared([item(caption="x")], lambda _: content)


def test_a_judge_sees_the_picture_of_the_page() -> None:
    (part,) = MEDIUM.as_content(item(page="2"), Shown(), {"papers/one.pdf#2": b"png"})
    assert part["image_url"]["url"].startswith("data:image/png;base64,")


def one_page(what: str) -> bytes:
    """A PDF whose only page is this object."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>", what]
    content, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, start=1):
        places.append(len(content))
        content += f"{number} 0 obj\n{text}\nendobj\n"
    rows = "".join(f"{place:010d} 00000 n \n" for place in places)
    start = len(content)
    content += f"xref\n0 4\n0000000000 65535 f \n{rows}trailer<</Size 4/Root 1 0 R>>\nstartxref\n{start}\n%%EOF"
    return content.encode()


def test_a_page_larger_than_a_picture_may_be_is_refused_and_not_drawn() -> None:
    """A few bytes may ask for a picture of terabytes; so may a scale of 1000."""
    sentence = "page 1 is far too large: at most 80 million pixels"
    with pytest.raises(StudyError, match=sentence):
        page_picture(one_page("<</Type/Page/Parent 2 0 R/MediaBox[0 0 1000000 1000000]>>"), 1, 2.0)
    with pytest.raises(StudyError, match=sentence):
        page_picture(one_page("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>"), 1, 1000.0)
    assert page_picture(one_page("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>"), 1, 2.0)


def test_a_page_that_is_none_is_a_sentence() -> None:
    for what in ("null", "7", "<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 1>>"):
        with pytest.raises(StudyError, match="damaged"):
            page_picture(one_page(what), 1, 2.0)
        with pytest.raises(StudyError, match="damaged"):
            page_texts(one_page(what))
