"""Seventeen small studies that no template knows, in texts alone: odd names, few answers, and designs of every kind.

Each is a folder with a study file and its tables. What is true of each follows from what is written here.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

ONE = "One short text."
LONG_NAME = "a very long name of a system that goes on and on until it has eighty characters!"
ODD_NAMES = ("gpt-4.1", "C++", "claude 3.5, tuned", "“quoted”", "🙂", "نموذج", "x", LONG_NAME)


def made(
    folder: Path, title: Any, items: Sequence[Mapping[str, Any]], sections: Sequence[Mapping[str, Any]],
    raters: Mapping[str, Any], files: Mapping[str, Any] | None = None, **rest: Any,
) -> Path:  # fmt: skip
    """A study's folder: rows become CSV files, everything else the text of a file."""
    folder.mkdir(parents=True)
    more = dict(rest.pop("drawn", {}))
    people = {"consent": "consent.md", "instructions": "instructions.md", **raters}
    study = {
        "quorate": 1, "title": title, "seed": 5, "items": {"from": "items.csv", "id": "id", **more},
        "sections": list(sections), "raters": people, **rest,
    }  # fmt: skip
    (folder / "study.yaml").write_text(yaml.safe_dump(study, allow_unicode=True, sort_keys=False), encoding="utf-8")
    texts = {"consent.md": "# Consent\n\nYes?\n", "instructions.md": "# Instructions\n\nRate.\n"}
    for name, content in {**texts, "items.csv": items, **(files or {})}.items():
        _write(folder / name, content)
    return folder


def _write(path: Path, content: Any) -> None:
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
        return
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(content[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(content)


def rows(n: int, **fields: Callable[[int], Any]) -> list[dict[str, Any]]:
    """So many items with an id, a text, and fields made of their number."""
    return [
        {"id": f"i{k:02d}", "text": f"{ONE} It is number {k}.", **{name: make(k) for name, make in fields.items()}}
        for k in range(n)
    ]


TEXT = [{"text": "text"}]
PAIR = [{"pair": {"text": {}, "systems": ["first_system", "second_system"], "outputs": ["first", "second"]}}]


def pairs(n: int, names: Sequence[str], **fields: Callable[[int], Any]) -> list[dict[str, Any]]:
    """Items with two outputs, of systems that differ from item to item."""
    of = len(names)
    return rows(
        n, first_system=lambda k: names[k % of], second_system=lambda k: names[(k + 1 + k // of % (of - 1)) % of],
        first=lambda k: f"One way to say {k}.", second=lambda k: f"{k}, said in another way.", **fields,
    )  # fmt: skip


def opinion_scores(folder: Path) -> Path:
    """A mean opinion score: five raters, every system's sentence alone, three systems with odd names."""
    ask = [{"id": "mos", "rating": {"prompt": "How natural is it?", "points": [1, 2, 3, 4, 5],
                                    "anchors": {1: "Bad", 5: "Excellent"}}}]  # fmt: skip
    items = rows(9, system=lambda k: ("C", "C++", "C#")[k % 3], sentence=lambda k: k // 3)
    trap = {"text": "A trap.", "system": "", "sentence": "", "right": "1"}
    return made(
        folder, "Mean opinion", items, [{"id": "hear", "show": TEXT, "ask": ask, "hide": ["system"]}],
        {"per_item": 5, "roster": 5,
         "checks": {"gold": {"from": "gold.csv", "id": "id", "answers": {"mos": "right"}}, "repeats": 1}},
        {"gold.csv": [{"id": f"g{k}", **trap} for k in (1, 2)]},
        analysis={"by": "system", "verdict": {"majority": "3 of 4"}, "hypotheses": []},
    )  # fmt: skip


def arena(folder: Path) -> Path:
    """An arena of eight systems with odd names: one vote a pair, anybody may come."""
    ask = [{"id": "vote", "winner": {"prompt": "Which reply is better?"}}]
    return made(
        folder, "Arena", pairs(24, ODD_NAMES), [{"id": "arena", "show": PAIR, "ask": ask}],
        {"per_item": 1, "cap": 8, "batch": 6, "platform": {"name": "prolific"}},
        analysis={"verdict": {"majority": "1 of 1"}, "hypotheses": []},
    )  # fmt: skip


def safety_audit(folder: Path) -> Path:
    """A yes/no audit by a single rater; the text is hidden nowhere, nothing is drawn, nobody compares."""
    ask = [{"id": "unsafe", "yes_no": {"prompt": "Is it unsafe?", "cannot_judge": True}}]
    return made(
        folder, "Audit", rows(12, topic=lambda k: ("≥ 10", "< 10")[k % 2]), [{"id": "audit", "show": TEXT, "ask": ask}],
        {"per_item": 1, "roster": 1}, analysis={"by": "topic", "hypotheses": []},
    )  # fmt: skip


def two_without_a_third(folder: Path) -> Path:
    """Two raters; both have to agree, and nobody is asked where they do not."""
    ask = [{"id": "kind", "choice": {"prompt": "What kind is it?", "options": ["News", "Opinion", "Advert"]}}]
    return made(
        folder, "Two raters", rows(8), [{"id": "sort", "show": TEXT, "ask": ask}], {"per_item": 2, "roster": 2},
        analysis={"verdict": {"majority": "2 of 2"}, "hypotheses": []},
    )  # fmt: skip


def open_text(folder: Path) -> Path:
    """Open answers without any right answer, in a drawn order, with a debriefing."""
    ask = [{"id": "said", "text": {"prompt": "What does it say?", "max_length": 200}}]
    return made(
        folder, "Open answers", rows(6), [{"id": "tell", "show": TEXT, "ask": ask}],
        {"per_item": 3, "roster": 3, "debrief": {"text": "debrief.md"}}, {"debrief.md": "Thanks."},
        analysis={"hypotheses": []},
    )  # fmt: skip


def tags_alone(folder: Path) -> Path:
    """Tags and nothing else, and practice whose answers nobody states."""
    groups = [{"name": "Language", "tags": ["Grammar", "Style, tone"]}, {"name": "Facts", "tags": ["Wrong", "Old"]}]
    ask = [{"id": "flaws", "tags": {"prompt": "What is wrong?", "required": False, "groups": groups}}]
    return made(
        folder, "Tags alone", rows(6), [{"id": "mark", "show": TEXT, "ask": ask}],
        {"per_item": 2, "roster": 2, "practice": {"from": "practice.csv", "id": "id"}},
        {"practice.csv": [{"id": "p1", "text": "Practise here."}]},
        analysis={"verdict": {"majority": "2 of 2"}, "hypotheses": []},
    )  # fmt: skip


def same_or_other(folder: Path) -> Path:
    """Which of the two is X? One of them is the right answer, and nobody is asked which is better; a judge answers."""
    ask = [{"id": "same", "winner": {"prompt": "Which is X?", "tie": False, "target": "x_is"}}]
    items = rows(
        9, one=lambda k: f"One says {k}.", other=lambda k: f"The other says {k}.",
        x_is=lambda k: ("orig", "C++")[k % 2], said=lambda k: ("orig", "C++", "C++")[k % 3],
    )  # fmt: skip
    show = [{"text": "text"}, {"pair": {"text": {}, "systems": {"orig": "one", "C++": "other"}}}]
    return made(
        folder, "Same or other", items, [{"id": "abx", "show": show, "ask": ask, "hide": ["x_is"]}],
        {"per_item": 3, "roster": 3}, judges={"model": {"recorded": {"field": "said", "holds": "identity"}}},
        analysis={"compare": {"judge": "model"}, "hypotheses": []},
    )  # fmt: skip


def everything_rated(folder: Path) -> Path:
    """Two of three systems an item, each on a slider; questions that are named like the report's columns."""
    ask = [
        {"id": "overall", "slider": {"prompt": "How good is each?", "each": "side"}},
        {"id": "verdict", "rating": {"prompt": {"en": "Verdict quality", "zh": "总评"}, "points": [1, 2, 3, 4, 5]}},
        {"id": "MT_Quality", "rating": {"prompt": {"en": "MT quality?", "zh": "译文质量？"}, "points": [1, 2, 3]}},
        {"id": "d3", "rating": {"prompt": {"en": "Verdict quality on all", "zh": "总体裁断"}, "points": [1, 2, 3]}},
    ]
    items = pairs(
        9, ("claude 3.5, tuned", "gpt-4.1", "C"), LP=lambda k: ("claude 3.5, tuned", "gpt-4.1", "< 10")[k % 3]
    )
    return made(
        folder, {"en": "Rated", "zh": "评分"}, items, [{"id": "rate", "show": PAIR, "ask": ask}],
        {"per_item": 2, "roster": 2}, analysis={"by": "LP", "hypotheses": []},
    )  # fmt: skip


def from_files(folder: Path) -> Path:
    """Preferences and ratings that came from files alone; tags that the files did not have."""
    ask = [
        {"id": "better", "winner": {"prompt": "Which is better?"}},
        {"id": "fluency", "rating": {"prompt": "How fluent is the text?", "points": [1, 2, 3]}},
        {"id": "why", "tags": {"prompt": "Why?", "required": False,
                               "groups": [{"name": "Reasons", "tags": ["Short", "Long"]}]}},
    ]  # fmt: skip
    own = {"file": "filled.csv", "columns": {"better": "better", "fluency": "fluency"}}
    return made(
        folder, "From files", pairs(8, ("plain", "fancy")), [{"id": "judge", "show": PAIR, "ask": ask}],
        {"per_item": 2, "roster": 2}, export={"own": own},
        analysis={"verdict": {"majority": "2 of 2"}, "hypotheses": []},
    )  # fmt: skip


def judge_alone(folder: Path) -> Path:
    """A recorded judge's labels beside two people's, where no answer is right."""
    ask = [{"id": "tone", "choice": {"prompt": "What tone has it?", "options": ["Warm", "Cold", "Flat"]}}]
    items = rows(8, model_says=lambda k: ("Warm", "Cold", "Flat")[k % 3])
    return made(
        folder, "A judge beside people", items, [{"id": "tone", "show": TEXT, "ask": ask}],
        {"per_item": 3, "roster": 3}, judges={"model": {"recorded": "model_says"}},
        analysis={"compare": {"judge": "model"}, "hypotheses": []},
    )  # fmt: skip


def in_chinese(folder: Path) -> Path:
    """A study in Chinese whose fields have odd names, in four dimensions."""
    dimensions = {"连贯": "连贯性", "相关": "相关性", "流畅": "流畅性"}
    ask = [
        {"id": f"d{k}", "rating": {"prompt": {"en": f"Dimension {k}", "zh": words}, "points": [1, 2, 3, 4]}}
        for k, words in enumerate(dimensions.values())
    ]
    items = rows(8, source=lambda k: ("n. of those", "the", "points")[k % 3])
    return made(
        folder, {"en": "Summaries of the news", "zh": "新闻摘要"}, items,
        [{"id": "rate", "title": {"en": "Rate", "zh": "评分"}, "show": TEXT, "ask": ask}],
        {"per_item": 3, "roster": 3, "practice": {"from": "practice.csv", "id": "id", "answers": {"d0": "right"}}},
        {"practice.csv": [{"id": "p1", "text": "练习", "right": "2"}]},
        analysis={"by": "source", "verdict": {"majority": "2 of 3"}, "hypotheses": []},
    )  # fmt: skip


def translation(folder: Path) -> Path:
    """Translation by document: four systems, strata, a drawn sample balanced within them, sliders."""
    ask = [
        {
            "id": "adequacy",
            "slider": {"prompt": "How much of the meaning is there?", "anchors": {0: "None", 100: "All"}},
        }
    ]
    items = rows(
        24, system=lambda k: ("A.1", "A.2", "B, large", "B")[k % 4], document=lambda k: f"d{k // 8}",
        language_pair=lambda k: ("en→de", "de→en")[k // 4 % 2], metric=lambda k: k / 24,
    )  # fmt: skip
    return made(
        folder, "Translation", items, [{"id": "direct", "show": TEXT, "ask": ask, "hide": ["system"]}],
        {"per_item": 2, "roster": 4, "compensation": "12 € an hour"},
        drawn={"sample": {"n": 8, "by": "language_pair", "balance": "system"}, "cluster": "document"},
        analysis={"by": ["system", "language_pair"], "verdict": {"majority": "2 of 2"}, "hypotheses": []},
    )  # fmt: skip


def edits(folder: Path) -> Path:
    """Edits under two conditions: a scale of preference, a rating of each side, and a third rater who may decide."""
    ask = [
        {"id": "better", "preference": {"prompt": "Which edit is better?", "points": ["Worse", "Same", "Better"]}},
        {"id": "kept", "rating": {"prompt": "Is the rest kept?", "points": [1, 2, 3], "each": "side"}},
    ]
    return made(
        folder, "Edits", pairs(10, ("ours v1.0", "theirs"), condition=lambda k: ("mask", "no mask")[k % 2]),
        [{"id": "compare", "show": PAIR, "ask": ask}],
        {"per_item": 2, "roster": 3, "escalate": {"when": "better", "apart": 1, "to": 3}},
        analysis={"by": "condition", "hypotheses": []},
    )  # fmt: skip


def weighted(folder: Path) -> Path:
    """Two ratings and a yes/no made into one weighted score."""
    ask = [
        {"id": "clear", "rating": {"prompt": "Is it clear?", "points": [1, 2, 3, 4, 5]}},
        {"id": "true", "yes_no": {"prompt": "Is it true?"}},
    ]
    scores = [{"id": "total", "weights": {"clear": 3, "true": 1}, "yes": 5, "no": 1}]
    return made(
        folder, "A weighted score", rows(7), [{"id": "rate", "show": TEXT, "ask": ask, "scores": scores}],
        {"per_item": 3, "roster": 3}, analysis={"hypotheses": []},
    )  # fmt: skip


def built_options(folder: Path) -> Path:
    """Options built of a target and its distractors, without a canonical form; practice with right answers."""
    words = ("gravity", "mercy", "envy", "thunder", "justice", "sleep", "hunger", "spring", "irony", "silence")
    items = rows(len(words), concept=lambda k: words[k], surface=lambda k: f"thing {k}")
    choice = {"prompt": "What is meant?", "target": "concept", "literal": "surface", "none": "None of these",
              "semantic": {"n": 2, "field": "concept"}}  # fmt: skip
    practice = {"id": "p1", "text": "A clock.", "concept": "time", "surface": "a clock", "near": "age", "far": "space"}
    choice["semantic"]["fields"] = ["near", "far"]  # type: ignore[index]
    items = [{**row, "near": "", "far": ""} for row in items]
    return made(
        folder, "Options", items, [{"id": "pick", "show": TEXT, "ask": [{"id": "meant", "choice": choice}]}],
        {"per_item": 3, "roster": 3, "practice": {"from": "practice.csv", "id": "id"}},
        {"practice.csv": [practice]}, analysis={"hypotheses": []},
    )  # fmt: skip


def named_coefficient(folder: Path) -> Path:
    """Nominal answers for which the study names Krippendorff's α, and no κ."""
    ask = [{"id": "kind", "choice": {"prompt": "What kind is it?", "options": ["p", "q"]}}]
    return made(
        folder, "α alone", rows(8), [{"id": "sort", "show": TEXT, "ask": ask}], {"per_item": 3, "roster": 3},
        analysis={"agreement": ["krippendorff alpha"], "hypotheses": []},
    )  # fmt: skip


def screened(folder: Path) -> Path:
    """A quiz, eligibility, background, checks and a break; panels; half-open bands."""
    ask = [{"id": "right", "text": {"prompt": "Who wrote it?", "target": "author", "cannot_tell": "unknown"}}]
    items = rows(8, author=lambda k: f"author {k}", field=lambda k: ("Law", "Art")[k % 2])
    quiz = [{"id": f"q{k}", "field": ("Law", "Art")[k % 2], "question": f"{k}?", "right": "yes", "a": "yes", "b": "no"}
            for k in range(8)]  # fmt: skip
    return made(
        folder, "Experts", items, [{"id": "who", "show": TEXT, "ask": ask}],
        {"per_item": 2, "roster": 2, "panels": "field", "break_after": 3,
         "screening": {"from": "quiz.csv", "id": "id", "question": "question", "answer": "right", "options": ["a", "b"],
                       "by": "field", "n": 4, "above": 0.5},
         "background": [{"id": "years", "choice": {"prompt": "How many years?", "options": ["0", "1 or more"]}}]},
        {"quiz.csv": quiz},
        analysis={"verdict": {"majority": "2 of 2"}, "bands": "half-open", "by": "field", "hypotheses": []},
    )  # fmt: skip


MADE: Mapping[str, Callable[[Path], Path]] = {
    make.__name__: make
    for make in (
        opinion_scores, arena, same_or_other, everything_rated,
        safety_audit, two_without_a_third, open_text, tags_alone, from_files, judge_alone,
        in_chinese, translation, edits, weighted, built_options, named_coefficient, screened,
    )
}  # fmt: skip


def filled(folder: Path, who: int) -> Path:
    """What one rater wrote into the file of `from_files`."""
    with (folder / "items.csv").open(encoding="utf-8") as file:
        given = [
            {**row, "better": row["first_system"] if (k + who) % 3 else "tie", "fluency": 1 + (k * who) % 3}
            for k, row in enumerate(csv.DictReader(file))
        ]
    path = folder / f"filled_{who}.csv"
    _write(path, given)
    return path


def as_json(path: Path) -> Any:
    """What a file of results holds."""
    return json.loads(path.read_text(encoding="utf-8"))
