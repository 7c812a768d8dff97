"""Studies that nobody thought of: any design, question and medium, with names that break what takes names apart.

`study(seed)` describes one, the same for a seed on every machine; `written` puts it into a folder.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image

#: Names of systems and values of fields: what is no word character, what another name begins with, other scripts.
NAMES = [
    *("gpt-4.1", "claude 3.5, tuned", "llama.by.meta", "C", "C++", "C#", "≥ 10", "< 10", "10", "a", "b.c", "b", "c"),
    *("“quoted”", 'say "hi"', "it's", "<b>bold</b>", "{n}", "%(x)s", "100%", "😀", "模型甲", "模型 乙", "نموذج", "דגם"),
    *(
        "x" * 80,
        "A against B",
        "A",
        "B",
        "none",
        "None",
        "tie",
        "true",
        "1.0",
        "1",
        "half;split",
        "tab\tinside",
        "=SUM(A1)",
    ),
    *(
        "under_score",
        "under score",
        "Under Score",
        "$math$",
        "back\\slash",
        "a|b",
        "*star*",
        "_it_",
        "#tag",
        "~",
        "@x",
        "é",
    ),
    *("overall", "people", "judge", "rater", "verdict", "by", "mean", "Ⅻ", "R1", "naïve–dash", "100,5"),
]
FIELDS = ["lang", "domain", "task_family", "n", "by", "mean", "verdict", "condition", "Group", "length_class", "x"]
QUESTIONS = ["q", "mean", "by", "overall_quality", "verdict", "is_it_good", "why", "agreement", "a", "n", "rate", "tag"]
WORDS = {"en": ["How good is it?", "Which one?", "Is it so?"], "zh": ["它有多好？", "哪一个？", "是这样吗？"]}
#: Coefficients of agreement that fit a kind of question.
OF_NAMES = [
    "gwet ac1",
    "conger kappa",
    "light kappa",
    "brennan prediger",
    "scott pi",
    "cohen kappa",
    "krippendorff alpha",
]
OF_NUMBERS = ["icc(1,1)", "icc(2,1)", "icc(3,1)", "icc(1,k)", "icc(2,k)", "icc(3,k)", "krippendorff alpha"]
OF_POINTS = [*OF_NAMES, *OF_NUMBERS, "weighted kappa", "linear weighted kappa", "gwet ac2"]
COEFFICIENTS = {"choice": OF_NAMES, "yes_no": OF_NAMES, "winner": OF_NAMES, "rating": OF_POINTS, "slider": OF_NUMBERS}
DESIGNS = ("plain", "one system", "pair", "pair by field", "set")


@dataclass(frozen=True)
class Strange:
    """A study as it will be written: its file, its tables, and what a reader of the results may want to know."""

    seed: int
    design: str
    systems: Sequence[str]
    file: dict[str, Any]
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def fields(self) -> set[str]:
        """The fields of the items."""
        return set(self.tables["items.csv"][0])

    def __str__(self) -> str:
        kinds = [
            next(k for k in ask if k not in ("id", "applies_when")) for s in self.file["sections"] for ask in s["ask"]
        ]
        return f"seed {self.seed}: {self.design}, {len(self.systems)} systems, {'+'.join(kinds)}"


def study(seed: int) -> Strange:
    """The study of this seed."""
    chance = Random(f"strange {seed}")
    design = chance.choice(DESIGNS)
    n_systems = {"plain": 0, "pair": 2, "set": chance.randint(3, 5)}.get(design, chance.randint(2, 8))
    if design == "one system":
        n_systems = chance.randint(1, 5)
    systems = chance.sample(NAMES, n_systems)
    fields = chance.sample(FIELDS, chance.randint(0, 2))
    rows = _rows(chance, design, systems, fields)
    per_item = chance.randint(1, 7)
    both = chance.random() < 0.3
    sections = [_section(chance, design, systems, f"part{k}", both) for k in range(chance.choice([1, 1, 1, 2]))]
    file: dict[str, Any] = {
        "quorate": 1,
        "title": _words(chance, both),
        "seed": seed,
        "items": {"from": "items.csv", "id": "id"},
        "sections": sections,
        "raters": _raters(chance, per_item),
        "analysis": _analysis(chance, fields, design),
    }
    if chance.random() < 0.3:
        file["items"]["cluster"] = "source"
    if chance.random() < 0.4:
        name = chance.choice(["gpt4", "mllm", "a", "similar_judge"])
        file["judges"] = {name: {"simulated": chance.choice([0.5, 0.9])}}
        if chance.random() < 0.7:
            file["analysis"]["compare"] = {"judge": name}
    coefficients = _coefficients(sections)
    if coefficients and chance.random() < 0.5:
        file["analysis"]["agreement"] = chance.sample(coefficients, min(len(coefficients), chance.randint(1, 5)))
    _with_right_system(Random(f"right {seed}"), design, systems, file, rows)
    _with_escalation(Random(f"escalation {seed}"), file)
    _with_medium(Random(f"medium {seed}"), file, rows)
    _with_panels(Random(f"panels {seed}"), file)
    _with_score(Random(f"score {seed}"), file)
    _with_own_file(Random(f"own file {seed}"), file)
    return Strange(seed, design, systems, file, {"items.csv": rows})


def _with_right_system(
    chance: Random, design: str, systems: Sequence[str], file: dict[str, Any], rows: list[dict[str, Any]]
) -> None:
    """In some studies of two systems, one of them is the right answer."""
    if design != "pair" or chance.random() < 0.4:
        return
    for row in rows:
        row["x_is"] = chance.choice(systems)
    for section in file["sections"]:
        section["hide"] = [*section.get("hide", ()), "x_is"]
        for ask in section["ask"]:
            if "winner" in ask:
                ask["winner"] |= {"target": "x_is"}


def _with_escalation(chance: Random, file: dict[str, Any]) -> None:
    """In some studies one more rater is asked where the planned ones differ."""
    n = file["raters"]["per_item"]
    asked = [ask["id"] for ask in file["sections"][0]["ask"] if {"winner", "choice", "yes_no"} & set(ask)]
    if asked and 1 < n < 4 and chance.random() < 0.5:
        file["raters"] |= {"escalate": {"when": asked[0], "to": n + 1}}
        if "roster" in file["raters"]:
            file["raters"]["roster"] = max(file["raters"]["roster"], n + 1)


def _with_medium(chance: Random, file: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """In some studies what is shown first is no plain text: a picture, a conversation or a table."""
    medium = chance.choice(["text", "text", "image", "conversation", "table"])
    for k, row in enumerate(rows):
        talk = [{"role": "user", "content": f"Say {k}."}, {"role": "assistant", "content": f"*{k}* <b>said</b>"}]
        row["shown"] = {
            "image": f"picture_{k}.png", "conversation": json.dumps(talk), "table": f"a,b\n{k},<i>{k + 1}</i>",
        }.get(medium, row["shown"])  # fmt: skip
    for section in file["sections"]:
        section["show"][0] = {"conversation": {"messages": "shown"}} if medium == "conversation" else {medium: "shown"}


def _with_panels(chance: Random, file: dict[str, Any]) -> None:
    """In some studies every stratum has raters of its own."""
    if file["analysis"].get("by") and chance.random() < 0.2 and "escalate" not in file["raters"]:
        by = file["analysis"]["by"]
        file["raters"] |= {"panels": by if isinstance(by, str) else by[0], "roster": file["raters"]["per_item"]}


def _with_score(chance: Random, file: dict[str, Any]) -> None:
    """In some studies numbers that are given to an item make a weighted score."""
    for section in file["sections"]:
        numbers = [ask["id"] for ask in section["ask"] if _is_number(ask)]
        if len(numbers) > 1 and chance.random() < 0.6:
            section["scores"] = [
                {"id": "all_in_all", "weights": {name: chance.choice([1, 10, 60]) for name in numbers}}
            ]


def _is_number(ask: dict[str, Any]) -> bool:
    asked = ask.get("rating") or ask.get("slider") or {}
    return bool(asked) and "each" not in asked and isinstance(asked.get("points", [1])[0], int)


def _with_own_file(chance: Random, file: dict[str, Any]) -> None:
    """In some studies the answers come back in the items' own table, which people fill in elsewhere."""
    asks = [ask for section in file["sections"] for ask in section["ask"]]
    plain = [ask["id"] for ask in asks if {"rating", "choice", "yes_no", "slider", "text"} & set(ask)]
    sided = any("each" in given for ask in asks for given in ask.values() if isinstance(given, dict))
    if len(file["sections"]) == 1 and len(plain) == len(asks) and not sided and chance.random() < 0.7:
        file["export"] = {"own": {"file": "items_rated.csv", "columns": {f"said_{name}": name for name in plain}}}


def written(strange: Strange, folder: Path) -> Path:
    """The study as a folder."""
    folder.mkdir(parents=True)
    for k, row in enumerate(strange.tables["items.csv"]):
        if row["shown"] == f"picture_{k}.png":
            Image.new("RGB", (60, 40), (20 * k % 256, 90, 160)).save(folder / row["shown"])
    for name, rows in strange.tables.items():
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    for name in ("consent", "instructions"):
        (folder / f"{name}.md").write_text(f"# {name.capitalize()}\n\nThe text of the {name}.\n")
    # JSON is YAML.
    (folder / "study.yaml").write_text(json.dumps(strange.file, ensure_ascii=False, indent=1), encoding="utf-8")
    return folder


def _rows(chance: Random, design: str, systems: Sequence[str], fields: Sequence[str]) -> list[dict[str, Any]]:
    n = chance.randint(3, 14)
    values = {name: chance.sample(NAMES, chance.randint(1, 4)) for name in fields}
    rows = []
    for k in range(n):
        row: dict[str, Any] = {
            "id": f"i{k}",
            "shown": f"Text number {k}.",
            "right": chance.choice(["Yes it is", "No, not"]),
        }
        row |= {"source": f"doc {k // 3}", **{name: chance.choice(values[name]) for name in fields}}
        if design == "one system":
            row["system"] = systems[k % len(systems)]
        elif design == "pair by field":
            one, other = chance.sample(list(systems), 2)
            row |= {"first": one, "second": other, "text_1": f"One says {k}.", "text_2": f"Other says {k * 2}."}
        else:
            row |= {f"out_{place}": f"Output {k} of place {place}." for place in range(len(systems))}
        rows.append(row)
    return rows


def _section(chance: Random, design: str, systems: Sequence[str], id: str, both: bool) -> dict[str, Any]:
    kind = chance.choice(["text", "markdown"])
    show: list[dict[str, Any]] = [{"text": "shown"}]
    outputs = {name: f"out_{place}" for place, name in enumerate(systems)}
    hide = []
    if design == "pair":
        show.append({"pair": {kind: {}, "systems": outputs}})
    elif design == "set":
        show.append({"set": {kind: {}, "systems": outputs}})
    elif design == "pair by field":
        show.append({"pair": {kind: {}, "systems": ["first", "second"], "outputs": ["text_1", "text_2"]}})
    elif design == "one system":
        hide = ["system"]
    several = {"pair", "pair by field"} & {design}
    sided = several or design == "set"
    ids = chance.sample(QUESTIONS, chance.randint(1, 3))
    kinds = ["choice", "rating", "slider", "text", "yes_no", "tags"]
    first = ["winner", "preference", "each", "rating"] if several else ["each", "rating"] if sided else kinds
    asks = [_ask(chance, name, chance.choice(first if not k else [*kinds, *first]), both) for k, name in enumerate(ids)]
    section = {"id": id, "show": show, "ask": asks}
    return section | ({"hide": hide} if hide else {})


def _ask(chance: Random, id: str, kind: str, both: bool) -> dict[str, Any]:
    prompt = {"prompt": _words(chance, both)}
    if chance.random() < 0.2:
        prompt["cannot_judge"] = True
    if kind == "choice":
        return {"id": id, "choice": {**prompt, "options": chance.sample(NAMES, chance.randint(2, 6))}}
    if kind in ("rating", "each"):
        points = chance.choice([[1, 2, 3, 4, 5], [0, 1, 2], ["bad", "so-so, at best", "good"], [1, 2]])
        side = {"each": "side"} if kind == "each" else {}
        return {"id": id, "rating": {**prompt, "points": points, **side}}
    if kind == "slider":
        low = chance.choice([0, 0, -10])
        return {"id": id, "slider": {**prompt, "low": low, "high": chance.choice([1, 100]), "step": 0.5}}
    if kind == "text":
        target = {"target": "right"} if chance.random() < 0.5 else {}
        return {"id": id, "text": {**prompt, **target}}
    if kind == "tags":
        tags = chance.sample(NAMES, chance.randint(2, 6))
        bounds = chance.choice([{}, {"primary": 1, "secondary": {"least": 0, "most": 2}}])
        return {"id": id, "tags": {**prompt, "groups": [{"name": "All", "tags": tags}], **bounds}}
    if kind == "winner":
        return {"id": id, "winner": {**prompt, "tie": chance.random() < 0.6}}
    if kind == "preference":
        return {"id": id, "preference": prompt}
    return {"id": id, "yes_no": prompt}


def _raters(chance: Random, per_item: int) -> dict[str, Any]:
    raters: dict[str, Any] = {"per_item": per_item, "consent": "consent.md", "instructions": "instructions.md"}
    if chance.random() < 0.7:
        raters["roster"] = per_item + chance.choice([0, 0, 1, 3])
    if chance.random() < 0.2:
        raters["background"] = [{"id": "age", "choice": {"prompt": "Your age?", "options": ["≥ 30", "< 30"]}}]
    return raters


def _analysis(chance: Random, fields: Sequence[str], design: str) -> dict[str, Any]:
    by = list(fields) if chance.random() < 0.8 else []
    if design == "one system" and chance.random() < 0.8:
        by.append("system")
    analysis: dict[str, Any] = {"hypotheses": []}
    if by:
        analysis["by"] = by[0] if len(by) == 1 and chance.random() < 0.5 else by
    if chance.random() < 0.2:
        analysis["confidence"] = chance.choice([0.8, 0.9, 0.99])
    if chance.random() < 0.3:
        analysis["ties"] = chance.choice(["denominator", "half", "drop"])
    if chance.random() < 0.3:
        analysis["bands"] = "half-open"
    return analysis


def _coefficients(sections: Sequence[dict[str, Any]]) -> list[str]:
    asked = [ask for section in sections for ask in section["ask"]]
    kinds = {kind for ask in asked for kind, given in ask.items() if kind in COEFFICIENTS and "each" not in given}
    return sorted({name for kind in kinds for name in COEFFICIENTS[kind]})


def _words(chance: Random, both: bool) -> Any:
    place = chance.randrange(3)
    return {language: WORDS[language][place] for language in ("en", "zh")} if both else WORDS["en"][place]
