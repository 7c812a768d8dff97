"""What the protocols' documents say word for word reaches the rater: each is served, and its pages are read."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from rooms import Room, browsing, open_room, serving
from walks import TEMPLATES

from quorate.collect import screening
from quorate.collect.rehearsal import _STEPS, Simulated
from quorate.collect.way import Step, where
from quorate.collect.work import work

Pages = dict[str, str]
"""The words of each page that a rater is served: by step, by section and item, and all of the work together."""

LANGUAGES = {"abstract-visual": "en", "document-extraction": "en", "media-preference": "en", "dialogue": "zh"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> dict[str, Pages]:
    """Every page of four templates, as one rater of each is served it over HTTP."""
    folder = tmp_path_factory.mktemp("documents")
    found = {}
    for name, language in LANGUAGES.items():
        room = open_room(shutil.copytree(TEMPLATES / name, folder / name), empty_database)
        with serving(room):
            found[name] = read(room, language)
        room.study.close()
    return found


def read(room: Room, language: str) -> Pages:
    protocol = room.study.protocol
    pages: Pages = {}
    rater = room.rows(lambda tx: tx.raters())[0].id
    with browsing(room, headers={"accept-language": language}) as client:
        root = "/".join(client.get(room.raters[0]).url.path.split("/")[:3])
        for section in protocol.sections:
            go_on(room, rater, section.id, lambda step: pages.setdefault(step, words(client.get(f"{root}/").text)))
            if protocol.raters.reference:
                pages["reference"] = words(client.get(f"{root}/reference").text)
            for mine in room.rows(lambda tx, id=section.id: tx.assignments(rater, id)):
                page = client.get(f"{root}/work/{mine.id}").text.split("<template", 1)[0]
                pages[f"{section.id}/{mine.item}"] = words(page)
    return pages


def go_on(room: Room, rater: str, section: str, at_step: Callable[[str], object]) -> None:
    """A simulated rater goes on until the work of a section; whoever waits for the cut is among the best."""
    protocol, simulated = room.study.protocol, Simulated(1, 1.0)
    while True:
        now = room.do(lambda tx: where(tx, protocol, rater))
        at_step(now.step)
        if now.step is Step.WORK and now.section == section:
            room.do(lambda tx: work(tx, protocol, rater))  # claims the batch
            return
        if now.step is Step.SELECTION:
            room.do(lambda tx: screening.select(tx, protocol))
        else:
            room.do(lambda tx, now=now: _STEPS[now.step](tx, protocol, now, simulated))


def words(page: str) -> str:
    """What a page says, without its marks."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def work_of(pages: Pages, *items: str) -> list[str]:
    """The pages of the work whose names hold one of these; there are some."""
    found = [page for name, page in pages.items() if "/" in name and any(item in name for item in items)]
    assert found, items
    return found


MEDIA_INSTRUCTIONS = (
    "fully at least twice (once for adherence, once for consistency)",
    "Do not reward “prettier” outputs if they violate constraints.",
    "Adherence → Temporal/Identity stability → Edit precision → Realism → Overall quality",
    "If uncertain, pick the clip with fewer critical failures and tag why.",
)
ANCHORS = (
    "All constraints satisfied; no hallucinated additions", "Minor omission or small mismatch",
    "Multiple constraints missed or incorrect scene", "Stable; no flicker/drift; smooth continuity",
    "Noticeable but tolerable flicker/drift", "Severe jitter, popping, resets, teleporting",
    "Same subject/object preserved across frames/segments", "Minor drift (hair/clothes/details shift)",
    "Identity swap or major inconsistency", "Motion looks natural; interactions coherent",
    "Slight uncanny motion but acceptable", "Physics breaks, clipping, impossible motion",
)  # fmt: skip
EDIT_ANCHORS = (
    "Target change applied; everything else preserved", "Edit applied but some collateral changes",
    "Scene regenerated; edit fails or breaks composition",
)  # fmt: skip
TAGS = (
    "Missed constraint", "Added hallucinated element", "Wrong relationship (spatial/temporal/count)",
    "Wrong timing/order of events", "Flicker / temporal jitter", "Entity drift / attribute leakage", "Identity swap",
    "Scene reset / teleporting", "Physics break / unnatural motion", "Artifacts / blur / distortion",
)  # fmt: skip
EDIT_TAGS = ("Collateral changes (edited too much)", "Failed to apply edit", "Lost original composition")
SAFETY_TAGS = ("Unsafe compliance", "Over-refusal", "Inconsistent refusal")


def test_raters_of_clips_read_the_four_instructions_and_see_the_priorities_beside_every_pair(
    served: dict[str, Pages],
) -> None:
    pages = served["media-preference"]
    for sentence in MEDIA_INSTRUCTIONS:
        assert sentence in pages["instructions"], sentence
    assert "Human Evaluation Rubric (v0.1)" in pages["reference"]
    assert len(work_of(pages, "compare/")) == 6  # two raters an item, three raters: two thirds of nine
    for page in work_of(pages, "compare/"):
        assert f"Prioritize: {MEDIA_INSTRUCTIONS[2]}" in page
        assert "Tie only if truly indistinguishable." in page
        assert "adherence" in page
        assert "consistency" in page


def test_tags_and_dimensions_are_the_documents_and_apply_by_family(served: dict[str, Pages]) -> None:
    pages = served["media-preference"]
    assert len(TAGS) + len(EDIT_TAGS) + len(SAFETY_TAGS) == 16
    for family, tags in (("edit_", EDIT_TAGS), ("safety_", SAFETY_TAGS)):
        here, elsewhere = work_of(pages, family), [p for n, p in pages.items() if "/" in n and family not in n]
        assert here
        assert all(tag in page for tag in (*tags, *TAGS, *ANCHORS) for page in here)
        assert not any(tag in page for tag in tags for page in elsewhere)
    for page in work_of(pages, "compare/"):
        assert all((text in page) == ("Edit tasks" in page) for text in EDIT_ANCHORS)


def test_extractions_are_scored_in_the_documents_words_by_type(served: dict[str, Pages]) -> None:
    pages = served["document-extraction"]
    figures, tables = work_of(pages, "figure_"), work_of(pages, "table_")
    for_figures = (
        "Accurate (semantically and textually faithful)", "Partially accurate (minor truncation or paraphrasing)",
        "Incorrect (misaligned or unrelated)", "Accurate and coherent",
        "Somewhat accurate but missing key elements", "Incorrect or irrelevant",
    )  # fmt: skip
    for_tables = ("Correct layout and data", "Partially correct (minor misalignment)", "Incorrect or unreadable")
    assert all(text in page for text in for_figures for page in figures)
    assert all(text in page for text in for_tables for page in tables)
    assert not any(text in page for text in for_figures for page in tables)
    assert not any(text in page for text in for_tables for page in figures)
    assert all("The page in the paper" in page for page in (*figures, *tables))


def test_recognition_names_no_target_and_comparison_names_it(served: dict[str, Pages]) -> None:
    pages = served["abstract-visual"]
    recognise, compare = work_of(pages, "recognise/"), work_of(pages, "compare/")
    assert len(recognise) == len(compare) == 4
    for page in recognise:
        assert "Which concept does this image best represent?" in page
        assert "Target concept" not in page
        asked = page.split("best represent?", 1)[1]
        assert asked.index("None of the above / Unrecognizable") < asked.index("Submit")
    for page in compare:
        assert "Which image better captures the abstract essence of the target concept?" in page
        assert "Much Worse Worse Same Better Much Better" in page
        assert "Target concept" in page
    assert pages["screening"].count("?") >= 12


def test_conversations_are_judged_in_chinese_in_the_documents_words(served: dict[str, Pages]) -> None:
    pages = served["dialogue"]
    for text in (
        "guidance : 引导性问题，期望描述性回答", "follow_up : 追问，期望更深入的回答",
        "mislead : 误导性问题，期望模型拒绝错误信息", "distraction : 干扰性问题，期望模型保持专注",
        "fine_grained : 要求细节，期望精确回答", "Correctness : 40% - 最重要", "Reasoning : 30% - 很重要",
        "Resists Misleading : 20% - 如果适用", "Context Consistency : 10% - 基础要求",
        "诚实承认不知道：Reasoning 4-5", "verbose but accurate", "Overall应该高（4-5分）", "Overall评分与其他维度一致",
    ):  # fmt: skip
        assert text in pages["instructions"], text
    assert "虽然没有直接回答" in pages["answer"]
    assert all("误导" in page for page in work_of(pages, "mislead"))
    assert not any("是否抵抗误导" in page for page in work_of(pages, "guidance", "follow_up", "distraction"))
    assert not any("与上下文是否一致" in page for page in work_of(pages, "turn_0"))
    assert all("与上下文是否一致" in page for page in work_of(pages, "turn_2"))
    assert all("参考答案" in page for page in work_of(pages, "turn_"))
