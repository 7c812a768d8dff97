"""A marker is found in whatever form it is served, and only where it must not be seen."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode

import pytest

from quorate.audit.markers import Markers


@pytest.fixture
def markers() -> Markers:
    return Markers()


def test_a_marker_is_found_with_what_it_stands_for(markers: Markers) -> None:
    first, second = markers.make("the first"), markers.make("the second")
    assert list(markers.found(f"a {second} b {first}".encode(), "x")) == ["the second", "the first"]


def test_nothing_is_found_where_nothing_is(markers: Markers) -> None:
    markers.make("something")
    assert list(markers.found(b"\0\xff" * 10_000 + b"plain text 123456789012345", "x")) == []


def test_where_a_value_may_be_seen_it_is_no_leak(markers: Markers) -> None:
    text = markers.make("the target", ["compare"]).encode()
    assert list(markers.found(text, "compare")) == []
    assert list(markers.found(text, "recognise")) == ["the target"]


def test_capitals_and_cut_texts_are_found(markers: Markers) -> None:
    text = markers.make("the target")
    assert list(markers.found(text.upper().encode(), "x")) == ["the target"]
    assert list(markers.found(text[:-2].encode(), "x")) == ["a part of some blind value"]


@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "abcd"])
@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
def test_base64_is_found_wherever_it_begins(markers: Markers, before: str, encode: object) -> None:
    text = f"{before}{markers.make('the target')} and more".encode()
    assert callable(encode)
    assert list(markers.found(b"data:" + encode(text), "x")) == ["some blind value, encoded"]


def test_other_disguises_are_found(markers: Markers) -> None:
    text = markers.make("the target")
    for disguised in (
        text.encode("utf-16-le"),
        text.encode("utf-16-be"),
        text.encode().hex().encode(),
        text[::-1].encode(),
    ):
        assert list(markers.found(b"..." + disguised + b"...", "x")) == ["some blind value, encoded"]


def test_numbers_and_nested_values_have_markers_too(markers: Markers) -> None:
    hidden = markers.in_place_of({"left": 4, "tags": ["a", None], "sure": True}, "a judge's answer")
    assert isinstance(hidden["left"], int)
    assert hidden["sure"] is True
    assert list(markers.found(f'{{"score": {hidden["left"]}}}'.encode(), "x")) == ["a judge's answer"]
    assert list(markers.found(hidden["tags"][0].encode(), "x")) == ["a judge's answer"]
    assert float(hidden["left"]) == hidden["left"]
