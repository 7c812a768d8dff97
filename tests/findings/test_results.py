from __future__ import annotations

from quorate.findings.results import Listing
from quorate.messages import Message


def test_a_listing_is_written_in_english_whatever_its_texts_are() -> None:
    both = {"en": "Too short?", "zh": "太短？"}
    listing = Listing("a.rules", "rules", "a", "", both, "", (Message("Rule"), both), ((both, 3), ("named", None)))
    held = listing.as_dict()
    assert held["title"] == "Too short?"
    assert held["columns"] == ["Rule", "Too short?"]
    assert held["rows"] == [["Too short?", 3], ["named", None]]
