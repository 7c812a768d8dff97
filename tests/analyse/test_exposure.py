"""Raters who know one of the outputs before they compare them: said where it is so, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from analyse.simulating import simulate, template
from quorate.analyse import analyse
from quorate.findings.names import EXPOSED
from quorate.messages import said
from quorate.protocol import Protocol, load
from quorate.records import Collected, Reason
from quorate.report.facts import holds

PAIR = {"pair": {"text": {}, "systems": {"C++": "ours", "a.b, c": "theirs"}}}
SET = {"set": {"text": {}, "systems": {"C++": "ours", "a.b, c": "theirs", "third": "source"}}}
ONE = {"id": "good", "rating": {"prompt": "How good?", "points": [1, 2, 3]}}
WHICH = {"id": "which", "winner": {"prompt": "Which?"}}
EACH = {"id": "each", "rating": {"prompt": "How good is each?", "points": [1, 2, 3], "each": "side"}}

Make = Callable[..., Protocol]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A study whose sections show these, one after the other."""

    def made(*shown: Sequence[Mapping[str, Any]]) -> Protocol:
        folder = tmp_path / "study"
        folder.mkdir()
        rows = [f"i{k},source {k},ours {k},theirs {k}" for k in range(4)]
        (folder / "items.csv").write_text("\n".join(["id,source,ours,theirs", *rows]) + "\n")
        (folder / "text.md").write_text("# Text\n\nPlease read.\n")
        sections = []
        for place, show in enumerate(shown):
            ask = WHICH if "pair" in show[-1] else EACH if "set" in show[-1] else ONE
            sections.append({"id": f"s{place}", "show": list(show), "ask": [{**ask, "id": f"{ask['id']}{place}"}]})
        raters = {"per_item": 2, "roster": 2, "consent": "text.md", "instructions": "text.md"}
        study = {"quorate": 1, "title": "T", "seed": 3, "items": {"from": "items.csv", "id": "id"},
                 "sections": sections, "raters": raters, "analysis": {"hypotheses": []}}  # fmt: skip
        (folder / "study.yaml").write_text(yaml.safe_dump(study))
        return load(folder)

    return made


def said_of(protocol: Protocol, collected: Collected, language: str = "en") -> list[str]:
    results = analyse(protocol, collected)
    found = [note for note in results.notes if EXPOSED in getattr(note, "rests_on", ())]
    assert holds(EXPOSED, protocol, results) is bool(found)
    assert not [one for one in analyse(protocol, replace(collected, answers=())).notes if EXPOSED in one.rests_on]
    return [said(one, language) for one in found]


def text(field: str) -> dict[str, Any]:
    return {"text": field}


def test_the_system_that_raters_had_seen_is_named_with_how_often(make: Make) -> None:
    protocol = make([text("source"), text("ours")], [text("source"), PAIR])
    (sentence,) = said_of(protocol, simulate(protocol))
    assert sentence == (
        "Outputs that raters compared in section “s1” were known to them from section “s0”, and those beside them were "
        "not: “C++” (8 of 8). What is familiar may be judged otherwise."
    )
    (chinese,) = said_of(protocol, simulate(protocol), "zh")
    assert "“C++”（8 个中有 8 个）" in chinese


@pytest.mark.parametrize(
    "shown",
    [
        ([text("source")], [PAIR]),
        ([PAIR], [PAIR]),
        ([text("ours"), text("theirs")], [PAIR]),
        ([PAIR], [text("ours")]),
        ([text("ours")], [text("ours")]),
        ([text("ours"), PAIR],),
    ],
)
def test_nothing_is_said_where_all_or_none_of_the_outputs_were_known(make: Make, shown: Any) -> None:
    protocol = make(*shown)
    assert not said_of(protocol, simulate(protocol))


def test_of_several_systems_each_that_was_known_is_named(make: Make) -> None:
    protocol = make([text("source"), text("ours")], [text("ours")], [SET])
    first, second = said_of(protocol, simulate(protocol))
    assert "section “s0”" in first
    assert "“C++” (8 of 8) and “third” (8 of 8)" in first
    assert "section “s1”" in second
    assert "third" not in second


def test_only_who_did_both_is_counted(make: Make) -> None:
    protocol = make([text("ours")], [PAIR])
    collected = simulate(protocol)
    others = tuple(replace(one, rater="X") if one.section == "s0" else one for one in collected.answers)
    assert not said_of(protocol, replace(collected, answers=others))
    fewer = tuple(one for one in collected.answers if (one.section, one.item) != ("s0", "i0"))
    (sentence,) = said_of(protocol, replace(collected, answers=fewer))
    assert "“C++” (6 of 8)" in sentence
    unseen = tuple(
        replace(one, value=None, reason=Reason.MEDIA_FAILED) if one.section == "s0" else one
        for one in collected.answers
    )
    assert not said_of(protocol, replace(collected, answers=unseen))
    # In which order answers out of files were given, nobody knows.
    people = tuple(replace(one, events={"imported": "t"}) for one in collected.participants)
    assert not said_of(protocol, replace(collected, participants=people))


def test_of_the_templates_one_shows_a_picture_before_it_is_compared() -> None:
    protocol = template("abstract-visual")
    (sentence,) = said_of(protocol, simulate(protocol))
    assert "“refined” (72 of 72)" in sentence
    other = template("media-preference")
    assert not said_of(other, simulate(other))
