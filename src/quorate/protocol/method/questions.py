"""Rules about what is shown and asked: whether an answer can be read, and whether instructions are enforced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from quorate.languages import say
from quorate.media.clip import Clip
from quorate.media.pair import PairBase
from quorate.protocol.asked import asked_anywhere
from quorate.protocol.method.book import Found, MethodRule
from quorate.protocol.method.told import told
from quorate.protocol.protocol import Protocol
from quorate.protocol.study_file import Section
from quorate.questions import Tags
from quorate.questions.canonical import as_read
from quorate.records import Item, Level

_TIMES = {"once": 1, "twice": 2, "two": 2, "three": 3, "four": 4, "一": 1, "两": 2, "二": 2, "三": 3}
_ASKED = (
    re.compile(
        r"\b(?:watch|view|play|listen|hear)\w*\b[^.\n]*?\b(?:(once|twice)\b|(two|three|four|\d+)\s+times\b)", re.I
    ),
    re.compile(r"(?:观看|播放|收听|听|看)[^。\n]*?([一两二三\d]+)\s*[遍次]"),
)


def plays_not_enforced(protocol: Protocol) -> Iterator[Found]:
    """Where raters are told to play clips so often, an answer before that is not taken."""
    asked = max((_times(text) for text in told(protocol)), default=0)
    for s, section in enumerate(protocol.sections):
        for m, show in enumerate(section.show):
            clip = show.part.kind if isinstance(show.part, PairBase) else show.part
            if isinstance(clip, Clip) and clip.plays.full < asked:
                enforced = f"{clip.plays.full or 'no'} plays are asked for"
                sentence = f"raters are told to play each clip {asked} times, and {enforced}."
                yield ("sections", s, "show", m, show.kind), sentence


def _times(text: str) -> int:
    """The most often that a text tells raters to play something; 0 where it does not.

    >>> _times("Watch both clips **fully at least twice**."), _times("Play it 3 times."), _times("Take your time.")
    (2, 3, 0)
    """
    found = [next(group for group in match.groups() if group) for shape in _ASKED for match in shape.finditer(text)]
    return max((_TIMES.get(word.lower()) or (int(word) if word.isdecimal() else 0) for word in found), default=0)


def tags_without_a_side(protocol: Protocol) -> Iterator[Found]:
    """Beside a pair, a tag says which side it describes."""
    for s, section in enumerate(protocol.sections):
        if any(ask.question.compares() for ask in section.ask):
            for a, ask in enumerate(section.ask):
                if isinstance(ask.question, Tags) and ask.question.loser_of is None:
                    sentence = f"'{ask.id}' stands beside a pair, and nothing says which of the two a tag describes."
                    yield ("sections", s, "ask", a, ask.kind), sentence


def one_null_for_two_meanings(protocol: Protocol) -> Iterator[Found]:
    """A question that may not apply and may be left open tells the two apart."""
    for s, section in enumerate(protocol.sections):
        for a, ask in enumerate(section.ask):
            question = ask.question
            is_open = not question.required and not question.cannot_judge and question.level is not Level.TEXT
            if ask.applies_when and is_open:
                sentence = (
                    f"'{ask.id}' is empty where it does not apply, and may be left empty where a rater cannot judge "
                    "it: one null for two meanings."
                )
                yield ("sections", s, "ask", a), sentence


def examples_break_rules(protocol: Protocol) -> Iterator[Found]:
    """The worked examples keep the rules that they are to teach."""
    practice, section = protocol.raters.practice, protocol.practice_section
    if practice is None or not practice.answers:
        return
    for item in protocol.practice:
        values = _example(item, practice.answers, section)
        for rule in section.rules:
            if rule.is_broken(values):
                yield ("raters", "practice"), f"the worked example '{item.id}' breaks '{rule.id}': {say(rule.says)}"


def _example(item: Item, answers: Mapping[str, str], section: Section) -> dict[str, Any]:
    """Fields, stated answers and scores of a worked example by name."""
    values = dict(item.fields)
    for question, path in answers.items():
        found: Any = item.fields
        for part in path.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        values[question] = found
    return {**values, **{score.id: score.of(values) for score in section.scores}}


def options_alike(protocol: Protocol) -> Iterator[Found]:
    """Options differ by more than a capital or a full stop."""
    items = (*protocol.pool, *protocol.practice, *protocol.gold)
    for place, ask in asked_anywhere(protocol.file):
        fields = ask.part.fields()
        of = [item for item in items if all(field in item.fields for field in fields)] if fields else [None]
        found = [(item, same) for item in of if (same := ask.question.same_options(as_read, item))]
        if found:
            item, (one, other) = found[0]
            more = f" (and {len(found) - 1} more)" if found[1:] else ""
            where = f"'{ask.id}' offers item '{item.id}'{more}" if item else f"'{ask.id}' offers"
            yield (*place, ask.kind), f"{where} both '{one}' and '{other}'."


QUESTIONS = (
    MethodRule(
        "plays-not-enforced",
        "Raters are told to play clips so often, and nothing asks for it",
        "Instructions that are not enforced are not followed by everyone, least of all in paid work.",
        "Oppenheimer, Meyvis & Davidenko (2009), Instructional Manipulation Checks.",
        "Ask for the plays: `video: {plays: {full: 2}}`. The server takes no answer before, and compliance is "
        "reported.",
        plays_not_enforced,
    ),
    MethodRule(
        "tags-without-a-side",
        "A tag beside a pair does not say which side it describes",
        "A tag may be why one output lost or why the other nearly did: counts of tags by system cannot be made.",
        "Artstein & Poesio (2008), Inter-Coder Agreement for Computational Linguistics, on what is annotated.",
        "Say whose tag it is: `loser_of`, with the id of the question that compares the two, takes the loser's, and "
        "asks after a tie.",
        tags_without_a_side,
    ),
    MethodRule(
        "one-null-two-meanings",
        "One empty value stands for “does not apply” and for “cannot judge”",
        "What does not apply is no missing data; what a rater cannot judge is, and not at random.",
        "Rubin (1976), Inference and Missing Data.",
        "Offer the second meaning by name: `cannot_judge: true`. Both are null in the study's own file, and apart "
        "in the data.",
        one_null_for_two_meanings,
    ),
    MethodRule(
        "examples-break-rules",
        "A worked example breaks a rule of the protocol",
        "Raters learn the scale from the examples: one that contradicts its own rule teaches the contradiction.",
        "Artstein & Poesio (2008), on annotation manuals and training.",
        "Mend the example or the rule.",
        examples_break_rules,
    ),
    MethodRule(
        "options-alike",
        "Two options differ by their case or punctuation alone",
        "Raters take one for the other, and where one of them is right the share of right answers is too low.",
        "Haladyna, Downing & Rodriguez (2002), Multiple-Choice Item-Writing Guidelines: keep choices independent.",
        "Give one of them other words; leave them where the difference is what is asked about.",
        options_alike,
    ),
)
