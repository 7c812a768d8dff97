"""The five templates, shortened so that one rater can go the whole way, and someone who goes it in a real browser."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect
from rooms import Room, wait_for_scripts

import quorate
from clips import beginning
from quorate.collect import screening

TEMPLATES = Path(quorate.__file__).parent / "templates"
NAMES = ("abstract-visual", "dialogue", "document-extraction", "media-preference", "visual-puns")

#: What makes a template short: texts of its study file, and the rows of its table that stay.
_SHORTER = {
    "abstract-visual": [("sample: {n: 4", "sample: {n: 2"), ("n: 12", "n: 3"), ("top: 3", "top: 1")],
    "dialogue": [],
    "document-extraction": [],
    "media-preference": [("{full: 2, passes: [adherence, consistency]}", "{full: 1, passes: [adherence]}")],
    "visual-puns": [("n: 24", "n: 3"), ("n: 5 ", "n: 2 "), ("spare: 1", "spare: 4"), ("after: 12", "after: 2")],
}
_ROWS = {
    "dialogue": ("annotation_samples.jsonl", (0, 1, 2, 3)),
    "document-extraction": ("accuracy_annotations_multi.csv", (0, 3)),
    "media-preference": ("pairs.csv", (0, 5)),
}


def short(name: str, folder: Path) -> Path:
    """A template with two to four items a rater."""
    shutil.copytree(TEMPLATES / name, folder)
    file = folder / "study.yaml"
    text = file.read_text(encoding="utf-8")
    for old, new in _SHORTER[name]:
        assert old in text, f"{name}: its study file says no more '{old}'"
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
    for clip in folder.rglob("*.mp4"):
        clip.write_bytes(beginning(clip.read_bytes()))
    if name in _ROWS:
        table, kept = _ROWS[name]
        _keep(folder / table, kept)
    return folder


def _keep(path: Path, kept: tuple[int, ...]) -> None:
    if path.suffix == ".jsonl":
        rows = path.read_text(encoding="utf-8").splitlines()
        assert all(json.loads(rows[k]) for k in kept)
        path.write_text("".join(rows[k] + "\n" for k in kept), encoding="utf-8")
        return
    with path.open(newline="", encoding="utf-8") as file:
        header, *lines = csv.reader(file)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *(lines[k] for k in kept)])


class Walker:
    """Someone who goes the whole way in a browser; `at_each` is called on every page with its name."""

    def __init__(self, page: Page, room: Room, at_each: Callable[[str], object] = lambda name: None):
        self.page = page
        self.room = room
        self.at_each = at_each
        self.names: list[str] = []

    def step(self) -> str:
        return self.page.url.split("/r/", 1)[1].split("/", 1)[1].split("?")[0]

    def go(self, link: str, until: str = "done") -> list[str]:
        """The whole way from a link; gives the names of the pages in order."""
        self.page.goto(link)
        for _ in range(60):
            self.at_page()
            if self.step() == until:
                return self.names
            self.take()
        raise AssertionError(f"the way does not end: {self.names}")

    def at_page(self) -> None:
        wait_for_scripts(self.page)
        self.names.append(self.step())
        self.at_each(self.step())

    def take(self) -> None:
        """Answers the page and goes on."""
        wait_for_scripts(self.page)
        step, before = self.step(), self.page.url
        if step == "selection":
            self.room.do(lambda tx: screening.select(tx, self.room.study.protocol))
            self.page.locator("main .secondary").first.click()
        else:
            if step == "screening":
                self.pass_quiz()
            elif step.startswith(("eligibility", "background", "practice/", "work/")) and not step.endswith("/answer"):
                self.answer()
            self.page.locator("main .primary:visible").first.click()
        expect(self.page).not_to_have_url(before)

    def pass_quiz(self) -> None:
        rows = [row.fields for row in self.room.study.protocol.tables["quiz.csv"]]
        right = {str(row["question"]): str(row["answer"]) for row in rows}
        for question in self.page.locator("[data-question]").all():
            text = question.locator("legend").inner_text().split(maxsplit=1)[1]
            question.get_by_label(right[text], exact=True).check()

    def answer(self) -> None:
        """The first option of everything that is asked and visible; clips are played to their ends first."""
        if self.page.locator("[data-clip]").count():
            self.play()
        for _ in range(3):  # an answer may bring another question
            for question in self.page.locator("[data-question]:visible").all():
                self._answer(question)

    def _answer(self, question) -> None:  # type: ignore[no-untyped-def]
        if question.locator("input:checked").count() == 0 or question.locator("[data-part]").count() > 1:
            parts = question.locator("[data-part]")
            for part in parts.all():
                if part.locator("[type=radio]").count() and not part.locator("input:checked").count():
                    part.locator("[type=radio]").first.check()
        if question.locator("[data-primary]").count() and not question.locator("input:checked").count():
            question.locator("[data-primary]").first.check()
        text = question.locator("input[type=text], textarea")
        if text.count() and question.get_attribute("data-required") and not text.first.input_value():
            text.first.fill("a typed answer")

    def play(self) -> None:
        clips = self.page.locator("[data-clip]:has([data-pass])").all()
        for clip in clips:  # all at once: each is counted on its own, and a test does not wait for one after the other
            clip.locator("[data-play]").click()
        for clip in clips:
            expect(clip.locator("[data-pass]:not(.done)")).to_have_count(0)
