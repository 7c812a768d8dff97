"""No sentence of a report is printed of a study of which it is false: seventeen studies that no template knows.

What is true of each is worked out here, from its study file and the answers alone.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.append(str(Path(__file__).parents[1] / "unseen"))

from odd import MADE, filled

from quorate.analyse import analyse
from quorate.protocol import Protocol
from quorate.records import Answer, Collected, Reason
from quorate.report.html import html as as_html
from quorate.report.html import rater_flow
from quorate.report.markdown import markdown
from quorate.report.page import Page, make_page
from quorate.study import Study
from republished import follows

TYPED, SCALES = ("text",), ("rating", "slider", "preference")
#: Question kinds whose answers become a verdict, and those of which a plain coefficient of agreement is taken.
CATEGORIES = ("choice", "winner", "yes_no", "preference", "rating", "text")


@dataclass(frozen=True)
class Told:
    """One report with the study's file as a dictionary and what was collected."""

    name: str
    study: Mapping[str, Any]
    protocol: Protocol
    collected: Collected
    page: Page

    @cached_property
    def text(self) -> str:
        return markdown(self.page).split("## Where each number comes from")[0].replace("\\", "")

    @property
    def raters(self) -> Mapping[str, Any]:
        return self.study["raters"]

    @property
    def analysis(self) -> Mapping[str, Any]:
        return self.study.get("analysis", {})

    @property
    def asks(self) -> list[tuple[str, str, Mapping[str, Any]]]:
        """Every question: id, kind, and what the file says of it."""
        found = []
        for section in self.study["sections"]:
            for ask in section["ask"]:
                kind = next(key for key in ask if key not in ("id", "applies_when", "required_when"))
                found.append((ask["id"], kind, ask[kind]))
        return found

    @cached_property
    def answers(self) -> dict[str, list[Answer]]:
        """Planned answers of people who stayed, by question."""
        left = {one.rater for one in self.collected.participants if one.status in ("withdrawn", "excluded")}
        found: dict[str, list[Answer]] = {id: [] for id, *_ in self.asks}
        for answer in self.collected.answers:
            is_planned = answer.by == "rater" and answer.repeat < self.raters.get("per_item", 3)
            if is_planned and answer.rater not in left and answer.reason is None:
                found[answer.question].append(answer)
        return found

    def is_in_categories(self, kind: str, rule: Mapping[str, Any]) -> bool:
        return kind in CATEGORIES and rule.get("each") != "side" and (kind not in TYPED or "target" in rule)

    def category(self, answer: Answer, rule: Mapping[str, Any], kind: str) -> Any:
        if kind == "text":
            item = next(item for item in self.collected.items if item.id == answer.item)
            return answer.value == str(item[rule["target"]])
        if kind == "choice" and "target" in rule and answer.value != "none":
            # What an option says differs from item to item.
            return answer.item, answer.value
        return answer.value

    def pairs(self, id: str, kind: str, rule: Mapping[str, Any]) -> list[tuple[str, str, Any, Any]]:
        """Every two answers about one item: the two raters and what they said."""
        by_item: dict[str, list[Answer]] = {}
        for answer in self.answers[id]:
            by_item.setdefault(answer.item, []).append(answer)
        return [
            (a.rater, b.rater, self.category(a, rule, kind), self.category(b, rule, kind))
            for answers in by_item.values()
            for a, b in combinations(sorted(answers, key=lambda one: one.rater), 2)
        ]

    def agreeing(self) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """Questions on which two raters can agree beyond chance: some item has two answers, and not all are alike."""
        for id, kind, rule in self.asks:
            if self.is_in_categories(kind, rule):
                said = {one for *_, a, b in self.pairs(id, kind, rule) for one in (a, b)}
                if len(said) > 1:
                    yield id, kind, rule

    def has_fleiss(self) -> bool:
        return "fleiss kappa" in self.analysis.get("agreement", ["fleiss kappa"]) and any(self.agreeing())

    def has_cohen(self) -> bool:
        if "cohen kappa" not in self.analysis.get("agreement", ["cohen kappa"]):
            return False
        for id, kind, rule in self.agreeing():
            of_two: dict[tuple[str, str], list[tuple[Any, Any]]] = {}
            for one, other, a, b in self.pairs(id, kind, rule):
                of_two.setdefault((one, other), []).append((a, b))
            if any(len({a for a, _ in said} | {b for _, b in said}) > 1 for said in of_two.values()):
                return True
        return False

    def has_band(self) -> bool:
        """Whether a coefficient of categories is of the twenty items from which on it gets a word."""
        return any(len({answer.item for answer in self.answers[id]}) >= 20 for id, *_ in self.agreeing())

    def worked_here(self) -> bool:
        return any("consent" in one.events for one in self.collected.participants)

    def from_files(self) -> set[str]:
        return {one.rater for one in self.collected.participants if "imported" in one.events}

    def is_typed_and_right(self) -> bool:
        return any(kind == "text" and "target" in rule for _, kind, rule in self.agreeing())

    def rated(self) -> set[str]:
        return {answer.rater for given in self.answers.values() for answer in given}

    def sided(self) -> list[Answer]:
        """Comparisons that were made on a page, where one side was the left one."""
        return [
            answer for id, kind, _ in self.asks if kind in ("winner", "preference")
            for answer in self.answers[id] if answer.rater not in self.from_files()
        ]  # fmt: skip

    def decides(self) -> bool:
        return any(self.is_in_categories(kind, rule) for _, kind, rule in self.asks)

    def states_answers(self) -> bool:
        practice = self.raters.get("practice")
        return bool(practice) and (bool(practice.get("answers")) or any("target" in rule for *_, rule in self.asks))

    def has_mean(self) -> bool:
        return any(
            self.answers[id] for id, kind, rule in self.asks
            if kind in ("rating", "slider") and rule.get("each") != "side"
        )  # fmt: skip

    def has_alpha(self) -> bool:
        named = "krippendorff alpha" in self.analysis.get("agreement", [])
        scales = [(id, kind, rule) for id, kind, rule in self.asks if kind in SCALES and rule.get("each") != "side"]
        told = [len({one for *_, a, b in self.pairs(*ask) for one in (a, b)}) > 1 for ask in scales]
        sides = [self._differs_by_side(id) for id, kind, rule in self.asks if rule.get("each") == "side"]
        return any(told) or any(sides) or (named and any(self.agreeing()))

    def _differs_by_side(self, id: str) -> bool:
        """Whether two raters gave marks to one clip, and not all such marks are the same."""
        marks: dict[tuple[str, str], list[Any]] = {}
        for answer in self.answers[id]:
            for system, mark in answer.value.items():
                marks.setdefault((answer.item, system), []).append(mark)
        return len({mark for given in marks.values() if len(given) > 1 for mark in given}) > 1

    def needed(self) -> int:
        """How many answers decide about an item."""
        return int(self.analysis.get("verdict", {}).get("majority", "2")[0]) if self.raters["per_item"] > 1 else 1

    def may_vary_in_answers(self) -> bool:
        """Whether an item may have more or fewer answers than the rule of its verdict counts."""
        rule = self.analysis.get("verdict", {}).get("majority", "")
        return "escalate" in self.raters or (bool(rule) and int(rule.split()[-1]) != self.raters["per_item"])

    def competing(self) -> set[str]:
        """The systems of which raters said which is better."""
        return {
            system for id, kind, rule in self.asks
            if kind in ("winner", "preference") and "target" not in rule
            for answer in self.answers[id] for system in answer.shown.sides.values()
        }  # fmt: skip

    def may_tie(self) -> bool:
        """Whether a comparison that was made could have ended in a tie."""
        asked = [(id, rule) for id, kind, rule in self.asks if kind in ("winner", "preference")]
        return any(self.answers[id] and rule.get("tie", True) for id, rule in asked)

    def has_strengths(self) -> bool:
        """Whether among more than two systems some two can be compared both ways, over others or at once."""
        beats: dict[str, set[str]] = {}
        for id, kind, _ in self.asks:
            for answer in self.answers[id] if kind == "winner" else ():
                one, other = answer.shown.sides.values()
                beats.setdefault(one, set())
                beats.setdefault(other, set())
                for won, lost in ((one, other), (other, one)):
                    if answer.value in (won, "tie"):
                        beats[won].add(lost)
        reached = {name: set(others) for name, others in beats.items()}
        for _ in beats:
            for others in reached.values():
                others |= {further for name in others for further in reached[name]}
        return len(beats) > 2 and any(name in others for name, others in reached.items())


def yes(told: Told, part: str) -> bool:
    return bool(told.raters.get(part)) and told.worked_here()


#: A sentence or the part of one that is boilerplate, and when it is true.
CLAIMS: tuple[tuple[str, Callable[[Told], bool]], ...] = (
    ("Fleiss’ κ (1971)", Told.has_fleiss),
    ("Cohen’s κ (1960)", Told.has_cohen),
    ("Landis and Koch (1977)", Told.has_band),
    ("Krippendorff’s α is computed", Told.has_alpha),
    ("is on whether an answer is correct", lambda t: t.has_fleiss() and t.is_typed_and_right()),
    ("are both correct or both not", lambda t: "compare" in t.analysis and t.is_typed_and_right()),
    ("An item’s verdict is", Told.decides),
    ("gave consent", Told.worked_here),
    ("had an order of their own", Told.worked_here),
    ("aters were asked:", Told.worked_here),
    ("They worked at their own pace", Told.worked_here),
    ("with an optional break", lambda t: yes(t, "break_after")),
    ("A debriefing followed", lambda t: yes(t, "debrief")),
    ("They practised on", lambda t: yes(t, "practice")),
    ("saw the right answers", lambda t: yes(t, "practice") and t.states_answers()),
    ("Candidates answered a quiz", lambda t: yes(t, "screening")),
    ("the answers to the quiz", lambda t: yes(t, "screening")),
    ("about the rater’s background", lambda t: yes(t, "background")),
    ("Ids on the platform", lambda t: yes(t, "platform")),
    ("Compensation, as raters were told", lambda t: yes(t, "compensation")),
    ("nor any judge’s", lambda t: bool(t.study.get("judges")) and t.worked_here()),
    ("with what they said of themselves", lambda t: bool(t.raters.get("background")) and any(t.answers.values())),
    ("brought in from files", lambda t: bool(t.from_files())),
    ("frozen at the first consent",
     lambda t: bool(t.collected.protocols) and t.worked_here() and not t.collected.simulated),
    ("Each item has one rater", lambda t: t.raters["per_item"] == 1 and len(t.rated()) > 1),
    ("Mixed into the work: two items with known answers", lambda t: "gold" in t.raters.get("checks", {})
     and t.worked_here()),
    ("For consistency one of a rater’s own items", lambda t: "repeats" in t.raters.get("checks", {})
     and t.worked_here()),
    ("and more than half of them, say", lambda t: t.decides() and t.may_vary_in_answers()),
    ("was preferred to", lambda t: len(t.competing()) == 2),
    ("Ranking of the systems", lambda t: len(t.competing()) > 2),
    ("Each pair of systems: how often the first won", lambda t: len(t.competing()) > 2),
    ("mbiguous items", lambda t: t.decides() and t.needed() > 1),
    ("items are ambiguous is marked", lambda t: t.decides() and t.needed() > 1 and "by" in t.analysis),
    ("Ties", Told.may_tie),
    ("took the left side", lambda t: bool(t.sided())),
    ("on the left", lambda t: bool(t.sided())),
    ("A mean score is", Told.has_mean),
    ("is the weighted mean of the answers", lambda t: any("scores" in section for section in t.study["sections"])),
    ("The options of “", lambda t: any(kind == "choice" and "target" in rule for _, kind, rule in t.asks)),
    ("The literal option is", lambda t: any("literal" in rule for *_, rule in t.asks)),
    ("is brought into canonical form", lambda t: any(kind == "text" and "target" in rule for _, kind, rule in t.asks)),
    ("Items of one", lambda t: "cluster" in t.study["items"] and any(t.answers.values())),
    ("differ by more than", lambda t: bool(t.raters.get("escalate", {}).get("apart"))),
    ("and the share of Yes", lambda t: "by" in t.analysis and t.has_mean() and "yes_no" in {k for _, k, _ in t.asks}),
)  # fmt: skip

#: What may be printed where this holds, and nowhere else: whether there is an interval is not worked out here.
ONLY_IF: tuple[tuple[str, Callable[[Told], bool]], ...] = (
    ("an interval of κ may hold its confidence", lambda t: t.has_fleiss() or t.has_cohen()),
    ("Strengths are Bradley and Terry’s", Told.has_strengths),
    ("ranks first of", Told.has_strengths),
    ("Wilcoxon’s signed-rank test", lambda t: any(rule.get("each") == "side" for *_, rule in t.asks)),
    ("the first of", lambda t: len(t.asks) > 1),
    ("since answers about one item go together", lambda t: any(t.answers.values())),
)

#: Never printed of any of these studies: each was, of some.
NEVER = ("without penalty", "Nothing is stored", "the picture shows", "recognises", "who worked alone", "worked alone")


def nobody(collected: Collected) -> Collected:
    """The study before anybody came."""
    return replace(collected, answers=(), participants=(), protocols=())


def half(collected: Collected) -> Collected:
    """One rater alone answered, and only the first half."""
    first = min((a.rater for a in collected.answers if a.by == "rater"), default="")
    mine = [answer for answer in collected.answers if answer.rater == first]
    return replace(collected, answers=tuple(mine[: max(1, len(mine) // 2)]))


def alike(collected: Collected) -> Collected:
    """Everybody gave the answer that the first one gave to a question, where it can be given to every item."""
    first: dict[str, Answer] = {}
    for answer in collected.answers:
        if answer.reason is None and isinstance(answer.value, int | float | str) and not answer.shown.sides:
            first.setdefault(answer.question, answer)
    same = tuple(
        replace(a, value=first[a.question].value, raw=first[a.question].raw)
        if a.reason is None and a.question in first else a
        for a in collected.answers
    )  # fmt: skip
    return replace(collected, answers=same)


def one_excluded(collected: Collected) -> Collected:
    people = sorted(collected.participants, key=lambda one: one.rater)
    gone = tuple(replace(one, status="excluded") if place == 0 else one for place, one in enumerate(people))
    return replace(collected, participants=gone)


VARIANTS = {
    "as rehearsed": lambda whole: whole,
    "nobody": nobody,
    "half": half,
    "alike": alike,
    "excluded": one_excluded,
}


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Study]]:
    """Each of them with answers: of a rehearsal, or out of files."""
    found = {}
    for name, make in MADE.items():
        study = found[name] = Study(make(tmp_path_factory.mktemp("odd") / name))
        if name == "from_files":
            for who in (1, 2):
                study.import_file(filled(study.folder, who), f"R{who}")
        else:
            study.rehearse(seed=1)
    yield found
    for study in found.values():
        study.close()


def told_of(study: Study, change: Callable[[Collected], Collected], language: str = "en") -> Told:
    collected = change(study.collected())
    page = make_page(study.protocol, collected, analyse(study.protocol, collected), language)
    file = yaml.safe_load((study.folder / "study.yaml").read_text(encoding="utf-8"))
    return Told(study.folder.name, file, study.protocol, collected, page)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", MADE)
def test_a_sentence_is_printed_where_its_fact_holds_and_nowhere_else(
    name: str, variant: str, studies: dict[str, Study]
) -> None:
    told = told_of(studies[name], VARIANTS[variant])
    wrong = {words: holds(told) for words, holds in CLAIMS if (words in told.text) != holds(told)}
    assert not wrong, f"true, but not printed (True), or printed and false (False): {wrong}"
    assert not [words for words, holds in ONLY_IF if words in told.text and not holds(told)]
    assert not [words for words in NEVER if words in told.text]


@pytest.mark.parametrize("name", MADE)
def test_a_share_of_tags_is_of_those_who_were_asked(name: str, studies: dict[str, Study]) -> None:
    told = told_of(studies[name], lambda whole: whole)
    results = analyse(told.protocol, told.collected)
    for id, kind, rule in told.asks:
        if kind != "tags":
            continue
        asked = [
            answer for answer in told.collected.answers
            if answer.question == id and (answer.reason is None or answer.reason == Reason.SKIPPED)
        ]  # fmt: skip
        for finding in results.select(inquiry="tags", question=id):
            given = sum(finding.what in answer.value["secondary"] for answer in asked if answer.reason is None)
            assert finding.counted == (given, len(asked))
            if not asked:
                assert finding.estimate.value is None
        assert rule["groups"]


def test_everybody_and_nobody_are_counted_over_right_answers(studies: dict[str, Study]) -> None:
    told = told_of(studies["built_options"], lambda whole: whole)
    by_item: dict[str, list[bool]] = {}
    for answer in told.answers["meant"]:
        by_item.setdefault(answer.item, []).append(answer.value == "target")
    everybody = sum(all(right) for right in by_item.values())
    noone = sum(not any(right) for right in by_item.values())
    assert f"{everybody} items by every annotator, {noone} by none" in told.text


def test_an_answer_of_a_system_is_told_by_its_name(studies: dict[str, Study]) -> None:
    told = told_of(studies["same_or_other"], lambda whole: whole)
    shown = [example for one in told.page.results.comparisons for example in one.examples if example.item is not None]
    assert {answer.raw for one in shown for answer in (*one.people, one.judge)} <= {"orig", "C++"}
    html = told.study["title"] and as_html(told.page)
    assert "The picture of" not in html


def test_a_system_that_an_item_does_not_show_is_not_left_out_of_it(studies: dict[str, Study]) -> None:
    told = told_of(studies["everything_rated"], lambda whole: whole)
    alpha = told.page.results["rate.overall.krippendorff_alpha.interval"].estimate
    assert (alpha.n_items, dict(alpha.left_out)) == (18, {})


def test_names_keep_their_letters_and_a_question_changes_no_column_of_the_report(studies: dict[str, Study]) -> None:
    english = told_of(studies["everything_rated"], lambda whole: whole).text
    words = ("MT Quality", "| LP |", "Mt Quality", "| Lp |")
    assert [one for one in words if one in english] == ["MT Quality", "| LP |"]
    chinese = told_of(studies["everything_rated"], lambda whole: whole, "zh")
    headings = [table.columns[-1] for key, table in chinese.page.tables.items() if "disagreements" in key]
    assert set(headings) == {"裁决"}
    assert not [words for words in ("总评 on all", "(ambiguous)") if words in chinese.text]
    flagged = [f for f in chinese.page.results.select(inquiry="verdicts") if f.by and f.band]
    assert not flagged or "▲：歧义条目超过 15%" in chinese.text


def test_an_excluded_rater_whose_answers_came_from_a_file_is_accounted_for(studies: dict[str, Study]) -> None:
    told = told_of(studies["from_files"], one_excluded)
    people = told.page.results.flow.raters
    assert (people["imported"], people["imported, then excluded"], people["analysed"]) == (2, 1, 1)
    assert [(str(step.name), step.n, tuple(map(str, step.out))) for step in rater_flow(told.page)] == [
        ("brought in from files", 2, ()), ("analysed", 1, ("1 excluded",)),
    ]  # fmt: skip


def test_prevalence_is_named_where_one_answer_is_given_more_often_than_all_others(studies: dict[str, Study]) -> None:
    told = told_of(studies["everything_rated"], lambda whole: whole)
    for sentence in told.page.limits:
        if "much more common" in sentence:
            name = next(id for id, *_ in told.asks if f"on {id.replace('_', ' ')}:" in sentence)
            values = [answer.value for answer in told.answers[name]]
            assert max(map(values.count, values)) > len(values) / 2


def test_verdicts_and_strengths_are_told_by_the_rule_of_the_study(studies: dict[str, Study]) -> None:
    words = {"arena": "verdict is its one answer", "two_without_a_third": "verdict is what both answers say",
             "in_chinese": "at least two of three answers"}  # fmt: skip
    assert "Strengths are Bradley and Terry’s" in told_of(studies["arena"], lambda whole: whole).text
    for name, sentence in words.items():
        assert sentence in told_of(studies[name], lambda whole: whole).text


#: Names and symbols that are written the same in Chinese.
SAME = re.compile(
    r"Fleiss|Cohen|Krippendorff|Landis|Koch|Wilson|Gwet|AC1|AC2|Holm|Dixon|Mood|Bradley|Terry|Davidson|Wilcoxon|Brennan|"
    r"Prediger|Dawid|Skene|Spearman|Kendall|Pearson|McNemar|BLAKE2b|RSR|atanh|Python|random\.sample|[RM]\d+|minilm|Wald|Piepho|"
    r"Hodges|Lehmann"
)


@pytest.mark.parametrize("name", MADE)
def test_a_chinese_report_is_chinese_but_for_names_and_the_studys_own_words(
    name: str, studies: dict[str, Study]
) -> None:
    told = told_of(studies[name], lambda whole: whole, "zh")
    own = sorted(_own(told), key=len, reverse=True)
    page = told.page
    texts = [*page.in_short, *page.limits, *(one.text for one in page.methods), *page.conventions.values()]
    for table in page.tables.values():
        texts += [table.title, table.caption, *table.columns, *table.notes]
        if not any(key in table.key for key in ("disagreements", "evidence", "annotators")):
            texts += [cell.text for row in table.rows for cell in row]
    for text in texts:
        for sentence in re.split(r"(?<=。)|(?<=[.!?])\s+(?=[A-Z“])", text):
            rest = re.sub(r"“[^”]*”", "", sentence)
            for name_of in own:
                rest = re.sub(rf"(?<![A-Za-z]){re.escape(name_of)}(?![A-Za-z])", "", rest, flags=re.IGNORECASE)
            rest = SAME.sub("", rest)
            assert not re.search("[A-Za-z]{2}", rest), (sentence, rest)


def _own(told: Told) -> set[str]:
    """What the study and its tables call things."""

    def strings(part: Any) -> Iterator[str]:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            yield from (one for inner in part.values() for one in strings(inner))
        elif isinstance(part, list):
            yield from (one for inner in part for one in strings(inner))

    names = {*strings(dict(told.study)), *told.study.get("judges", ())}
    names |= {value for item in told.collected.items for value in item.fields.values() if isinstance(value, str)}
    return {form for name in names for form in (name, name.replace("_", " ")) if len(name) > 1}


@pytest.mark.parametrize("name", MADE)
def test_the_published_script_finds_every_number_again(name: str, studies: dict[str, Study], tmp_path: Path) -> None:
    assert follows(studies[name].protocol, studies[name].collected(), tmp_path / "paper")
