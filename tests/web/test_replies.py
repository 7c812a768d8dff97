"""What comes in with a form."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.web.replies import MAX_FIELDS, parse_form

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@given(st.lists(st.tuples(texts.filter(bool), texts), min_size=1, max_size=10))
def test_forms_are_read_as_the_standard_library_reads_them(pairs: list[tuple[str, str]]) -> None:
    encoded = urlencode(pairs)
    assert parse_form(encoded) == parse_qs(encoded, keep_blank_values=True)


def test_a_nul_is_left_out_of_names_and_values_however_it_is_written() -> None:
    assert parse_form("a\0b=c%00d&e=\0") == {"ab": ["cd"], "e": [""]}


def test_a_form_with_endless_fields_is_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        parse_form("a=1&" * (MAX_FIELDS + 1))


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(ValueError):
        parse_form("idiom=%ff%fe")
