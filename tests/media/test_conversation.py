"""A conversation is shown turn by turn; the judged turn is marked, and missing turns are said to be missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from quorate.errors import StudyFileError
from quorate.media import HISTORY, Conversation, with_history
from quorate.protocol import load
from quorate.records import Item, Shown
from quorate.web.pages import render

MEDIUM = Conversation.model_validate(
    {"user": "asked", "assistant": "said", "images": "images", "history": {"by": "talk", "turn": "turn"}}
)


def turn(id: str, talk: str, number: Any, images: Any = None) -> Item:
    return Item(
        id,
        {
            "talk": talk,
            "turn": number,
            "asked": f"q{id}",
            "said": f"**r{id}**",
            "images": images or [],
            "model": "zeta",
        },
    )


ITEMS = [turn("c", "t1", 2), turn("a", "t1", 0, ["one.png", "two.png"]), turn("x", "t2", 4), turn("b", "t1", "1")]


def page(item: Item, medium: Conversation = MEDIUM) -> str:
    return render(medium.template, "en", item=item, shown=Shown(), medium=medium, address=lambda path: f"/media/{path}")


def test_earlier_turns_of_the_same_conversation_come_first_and_in_order() -> None:
    prepared = {item.id: item for item in with_history(ITEMS, MEDIUM)}
    assert [message.text for message in MEDIUM.turns(prepared["c"])] == ["qa", "**ra**", "qb", "**rb**", "qc", "**rc**"]
    assert prepared["a"].fields[HISTORY] == []
    assert [item.id for item in with_history(ITEMS, MEDIUM)] == ["c", "a", "x", "b"]


def test_only_the_last_reply_is_judged() -> None:
    prepared = {item.id: item for item in with_history(ITEMS, MEDIUM)}
    assert [message.is_judged for message in MEDIUM.turns(prepared["c"])] == [False] * 5 + [True]
    html = page(prepared["c"])
    assert html.count("The reply to judge") == 1
    assert html.index("<strong>rb</strong>") < html.index("The reply to judge") < html.index("<strong>rc</strong>")


def test_pictures_of_earlier_turns_are_shown_and_staged() -> None:
    prepared = {item.id: item for item in with_history(ITEMS, MEDIUM)}
    assert MEDIUM.paths(prepared["b"]) == ("one.png", "two.png")
    assert page(prepared["b"]).count("<img") == 2


def test_turns_that_are_not_in_the_file_are_said_to_be_missing() -> None:
    prepared = {item.id: item for item in with_history(ITEMS, MEDIUM)}
    assert [id for id, item in prepared.items() if MEDIUM.lacks_history(item)] == ["x"]
    assert "There were earlier turns" in page(prepared["x"])
    assert "There were earlier turns" not in page(prepared["a"])


def test_turns_with_the_same_number_are_not_each_others_history() -> None:
    twins = [turn("a", "t", 0), turn("b", "t", 3), turn("c", "t", 3)]
    prepared = with_history(twins, MEDIUM)
    assert [len(item.fields[HISTORY]) for item in prepared] == [0, 2, 2]


@pytest.mark.parametrize("images", [["one.png"], '["one.png"]', "one.png"])
def test_pictures_may_be_a_list_or_a_cell_of_a_table(images: Any) -> None:
    assert MEDIUM.paths(turn("a", "t", 0, images)) == ("one.png",)


def test_one_field_may_hold_all_messages() -> None:
    medium = Conversation(messages="log")
    log = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello", "images": ["a.png"]},
        {"role": "assistant", "content": "Hi"},
        {"role": "user", "content": "Bye"},
        {"role": "assistant", "content": "See you"},
    ]
    item = Item("1", {"log": log})
    assert [message.text for message in medium.turns(item) if message.is_judged] == ["See you"]
    assert medium.paths(item) == ("a.png",)
    assert "See you" in page(item, medium)


def log(*turns: str, **more: Any) -> Item:
    """A conversation in one field, each turn as `role: text`; `more` belongs to the second turn."""
    said = [dict(zip(("role", "content"), turn.split(": "), strict=True)) for turn in turns]
    said[1] |= more
    return Item("1", {"log": said})


ASKED = ("user: Hello", "assistant: Hi", "user: Which one?")
TOOL = ("user: Weather?", "assistant: Rain.", "tool: 12 mm")


@pytest.mark.parametrize(
    ("item", "judged"),
    [
        (log(*ASKED), []),
        (log("user: Hello", "human: Anybody?"), []),
        (log(*ASKED, "assistant: This"), ["This"]),
        (log(*TOOL), ["Rain."]),
        (log(*ASKED, judged=True), ["Hi"]),
        (log("user: Hello", "user: And this?", "assistant: Hi", judged=True), ["And this?"]),
    ],
)
def test_every_turn_is_shown_to_people_and_judges_whatever_is_judged(item: Item, judged: list[str]) -> None:
    medium = Conversation(messages="log")
    said = [message["content"] for message in item.fields["log"]]
    assert [message.text for message in medium.turns(item)] == said
    assert [message.text for message in medium.turns(item) if message.is_judged] == judged
    html, contents = page(item, medium), [part["text"] for part in medium.as_content(item, Shown(), {})]
    assert [text.partition(": ")[2] for text in contents] == said
    assert [html.count(text) for text in said] == [1] * len(said)
    assert html.count(" to judge<") == len(judged) == sum("to be judged" in text for text in contents)


def test_people_and_judges_read_the_same_of_who_speaks_and_no_name_of_a_model() -> None:
    medium = Conversation(messages="log")
    item = log("developer: Be brief.", "human: Hello", "zeta-9: Hi", "user: Which one?")
    contents = [part["text"].partition(": ")[0] for part in medium.as_content(item, Shown(), {})]
    assert contents == ["System", "User", "Message", "User"]
    assert "zeta" not in page(item, medium)
    assert [page(item, medium).count(f">{who}<") for who in ("System", "User", "Message")] == [1, 2, 1]


def test_hostile_turns_can_do_nothing() -> None:
    item = Item("1", {"asked": "<script>alert(1)</script>", "said": "<img src=x onerror=alert(1)>"})
    html = page(item, Conversation(user="asked", assistant="said"))
    assert "<script" not in html
    assert "<img" not in html


def test_a_page_holds_nothing_but_the_conversation() -> None:
    assert "zeta" not in page(with_history(ITEMS, MEDIUM)[0])


def test_a_judge_reads_the_same_turns_in_the_same_order() -> None:
    prepared = {item.id: item for item in with_history(ITEMS, MEDIUM)}
    files = {"one.png": b"1", "two.png": b"2"}
    contents = MEDIUM.as_content(prepared["b"], Shown(), files)
    assert [part["type"] for part in contents] == ["image_url", "image_url", "text", "text", "text", "text"]
    assert contents[-1]["text"] == "The reply to be judged: **rb**"


@pytest.mark.parametrize("wrong", [{"user": "asked"}, {"assistant": "said", "messages": "log"}])
def test_a_conversation_needs_one_reply(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="either"):
        Conversation.model_validate(wrong)


PARTS = [{"type": "text", "text": "See this."}, {"type": "image_url", "image_url": {"url": "a.png"}}]


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([{"role": "user", "content": PARTS}, {"role": "assistant", "content": "Seen."}],
         [("user", "See this.", ("a.png",)), ("assistant", "Seen.", ())]),
        ([{"from": "human", "value": "Hello"}, {"from": "gpt", "value": "Hi"}],
         [("user", "Hello", ()), ("assistant", "Hi", ())]),
        ([{"role": "AI", "text": "Hi"}, {"role": "Human", "text": ["Which", "one?"]}],
         [("assistant", "Hi", ()), ("user", "Which\n\none?", ())]),
    ],
)  # fmt: skip
def test_messages_are_read_in_the_forms_in_which_files_have_them(messages: Any, said: Any) -> None:
    medium, item = Conversation(messages="log"), Item("1", {"log": messages})
    assert [(one.speaker, one.text, one.images) for one in medium.turns(item)] == said
    assert medium.unreadable(item) == ""


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        (None, "no list of messages"),
        ([], "no list of messages"),
        ("not json", "no list of messages"),
        (["Hello"], "message 1 is"),
        ([{"role": "user", "content": "Hello"}, {"role": "assistant", "reply": "Hi"}], "message 2 has no content"),
        ([{"role": "user", "content": [{"type": "input_audio", "data": "x"}]}], "message 1 has a part"),
        (
            [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,A"}}]}],
            "file",
        ),
        ([{"role": "user", "content": {"text": "Hello"}}], "message 1 has a part"),
        ([{"role": "assistant", "content": ""}], "nothing is said"),
    ],
)
def test_a_conversation_of_which_anything_cannot_be_shown_is_told(messages: Any, why: str, tmp_path: Path) -> None:
    assert why in Conversation(messages="log").unreadable(Item("1", {"log": messages}))
    (tmp_path / "study.yaml").write_text(
        "quorate: 1\ntitle: Talk\nseed: 3\nitems: {from: talks.jsonl, id: id}\nsections:\n  - id: s\n"
        "    show: [{conversation: {messages: log}}]\n    ask: [{id: q, yes_no: {prompt: Good?}}]\n"
        "raters: {per_item: 1, roster: 1, consent: text.md, instructions: text.md}\n"
    )
    (tmp_path / "text.md").write_text("Read.")
    good = [{"role": "assistant", "content": "Hi"}]
    rows = [{"id": "good", "log": good}, {"id": "bad", "log": messages}]
    (tmp_path / "talks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(StudyFileError, match=r"study\.yaml:7: .*item 'bad': 'log'"):
        load(tmp_path)
