"""How often tags are said to be given, and to what: names that are words of ours, conditions, and what nobody asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from inquiries.arenas import answered, arena, written
from inquiries.telling import english_in, rest_on_what_is_there, sentences, texts
from quorate.analyse import analyse
from quorate.inquiries.tags import Tags
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report.page import Page, make_page

TAGS = ["tie", "none", "Won"]
SYSTEMS = ("tie", "both one", "C")
VOTE = {"id": "vote", "winner": {"prompt": "Which is better?"}}


def why(id: str = "why", tags: Sequence[Any] = TAGS, prompt: str = "Why?", **rest: Any) -> dict[str, Any]:
    return {"id": id, "tags": {"prompt": prompt, "required": False, "groups": [{"name": "All", "tags": list(tags)}],
                               **rest}}  # fmt: skip


def told(protocol: Protocol, collected: Collected) -> str:
    return " ".join(map(str, sentences(Tags(), protocol, collected, analyse(protocol, collected))))


def page_of(protocol: Protocol, collected: Collected) -> Page:
    return make_page(protocol, collected, analyse(protocol, collected))


def given(*tags: str, of: str = "") -> dict[str, Any]:
    return {"primary": [], "secondary": list(tags), **({"of": dict.fromkeys(tags, of)} if of else {})}


def alone(folder: Path, *ask: Mapping[str, Any], n: int = 8) -> Protocol:
    rows = [{"id": f"i{k}", "text": f"Text {k}", "kind": "edit" if k < 3 else "new"} for k in range(n)]
    return written(folder, rows, [{"text": "text"}], ask, 1)


def of_each(value: Callable[[int], Any]) -> Callable[[str, int, Mapping[str, str], str], Any]:
    return lambda item, who, sides, question: value(int(item[1:]))


def test_what_lost_won_and_tied_is_counted_whatever_systems_and_tags_are_called(tmp_path: Path) -> None:
    protocol = arena(tmp_path / "study", SYSTEMS, 2, [VOTE, why(loser_of="vote")], section={"hide": ["one", "other"]})

    def say(item: str, who: int, sides: Mapping[str, str], question: str) -> Any:
        one, other = sorted(sides.values())
        first = int(item[1:]) < 3
        if question == "vote":
            return one if first else "tie" if "tie" not in (one, other) else other
        return {"primary": [], "secondary": ["tie", "Won"], "of": {"tie": other, "Won": "both" if first else one}}

    collected = answered(protocol, say)
    (listing,) = [one for one in analyse(protocol, collected).listings if one.group == "tags"]
    assert listing.id == "arena.why.by_outcome"
    heads = [str(head) for head in listing.columns]
    assert heads == ["Tag", "Lost", "Won", "Tied", "Both, one of which won", "Of “C”", "Of “both one”", "Of “tie”"]
    rows = {str(row[0]): row[1:] for row in listing.rows}
    # Items 0 to 2: the first of the two won; the tag "tie" is of the other, "Won" of both.
    assert rows["tie"][0] >= 3
    assert rows["Won"][3] == 3
    assert sum(rows["tie"][:4]) == sum(rows["Won"][:4]) == 6
    assert sum(rows["tie"][4:]) == 6, "each is of one system"
    assert sum(rows["Won"][4:]) == 3, "what is of both is of no single system"


def test_tags_that_name_no_system_are_held_against_no_choice(tmp_path: Path) -> None:
    protocol = arena(tmp_path / "study", SYSTEMS[:2], 4, [VOTE, why()], section={"hide": ["one", "other"]})
    collected = answered(
        protocol, lambda item, who, sides, question: sorted(sides.values())[0] if question == "vote" else given("none")
    )
    assert "tags_by_outcome" not in page_of(protocol, collected).tables
    assert "On “Why?”, “none” is given most often, in 100.0% [51.0, 100.0] of the answers that could." in told(
        protocol, collected
    )


def test_a_tag_with_a_condition_is_a_share_of_the_answers_that_could(tmp_path: Path) -> None:
    groups = [{"name": "All", "tags": ["a"]}, {"name": "Edits", "tags": ["b"], "applies_when": 'kind == "edit"'}]
    protocol = alone(tmp_path / "study", {"id": "why", "tags": {"prompt": "Why?", "groups": groups}})
    collected = answered(protocol, of_each(lambda k: given("a", *(["b"] if k < 2 else []))))
    found = {one.what: one.counted for one in analyse(protocol, collected).select(inquiry="tags")}
    assert found == {"a": (8, 8), "b": (2, 3)}
    assert "no tag need be chosen" not in told(protocol, collected)


def test_of_a_question_that_nobody_was_asked_nothing_is_said(tmp_path: Path) -> None:
    protocol = alone(tmp_path / "study", {"id": "q", "yes_no": {"prompt": "Good?"}}, why())
    collected = answered(protocol, lambda item, who, sides, question: "Yes" if question == "q" else None)
    assert told(protocol, collected) == ""
    assert not any(key.startswith("tags") for key in page_of(protocol, collected).tables)


def test_a_tag_that_nobody_gave_is_not_the_most_frequent(tmp_path: Path) -> None:
    protocol = alone(tmp_path / "study", why(secondary={"least": 0}))
    collected = answered(protocol, of_each(lambda k: given()))
    assert "most often" not in told(protocol, collected)
    assert len(page_of(protocol, collected).tables["tags"].rows) == 3


def test_equally_frequent_tags_are_named_together_and_questions_apart(tmp_path: Path) -> None:
    protocol = alone(tmp_path / "study", why(), why("flaws", ["x", "y"], "What is wrong?"))
    collected = answered(
        protocol, lambda item, who, sides, question: given("tie", "none") if question == "why" else given("y")
    )
    said = told(protocol, collected)
    assert "On “Why?”, “tie” and “none” are given most often, each in 100.0% of the answers that could." in said
    assert "On “What is wrong?”, “y” is given most often, in 100.0% [67.6, 100.0] of the answers that could." in said
    tables = page_of(protocol, collected).tables
    assert tables["tags_why"].caption.startswith("The question is “Why?”.")
    assert [row[0].text for row in tables["tags_flaws"].rows] == ["y", "x"]


def test_sentences_go_with_what_they_rest_on_and_tags_are_in_their_own_chinese(tmp_path: Path) -> None:
    tags = [{"en": "Blurred", "zh": "模糊"}, {"en": "Noisy", "zh": "噪点"}]
    protocol = arena(
        tmp_path / "study", ("A", "B"), 4, [VOTE, why("why", tags, loser_of="vote", secondary={"least": 0})],
        section={"hide": ["one", "other"]},
    )  # fmt: skip
    collected = answered(
        protocol,
        lambda item, who, sides, question: "A" if question == "vote" else given("Blurred", of="B"),
    )
    assert rest_on_what_is_there(Tags(), protocol, collected) == 3
    found = texts(Tags(), protocol, collected)
    assert "模糊" in found
    assert english_in(found, "Why") == []
    nobody = replace(collected, answers=())
    assert told(protocol, nobody) == ""
