"""A lab that recruits experts by a quiz, on the template with six panels; for tests and for the benchmarks."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import quorate
from quorate.collect import screening, way
from quorate.collect.gather import gather
from quorate.collect.links import invite
from quorate.collect.rehearsal import _STEPS, Simulated
from quorate.collect.way import Step
from raters import UnderWay

TEMPLATE = Path(quorate.__file__).parent / "templates" / "abstract-visual"
PANELS = ("Cities", "Fictional Characters", "Film", "Idioms", "Literature", "Public Figures")


class Lab(UnderWay):
    """The study of six panels, and candidates who answer so many questions of the quiz right."""

    def come(self, panel: str, right: int = 12) -> str:
        """A candidate of this panel takes the quiz."""
        return self.quiz(self.do(invite, 1, panel)[0].person, right)

    def quiz(self, rater: str, right: int) -> str:
        if self.step(rater) is Step.CONSENT:
            self.do(way.consent, rater, True)
        person = self.read(lambda tx: tx.rater(rater))
        form = {}
        for k, question in enumerate(screening.quiz(self.protocol, person)):
            wrong = next(one for one in question.options if one != question.answer)
            form[f"quiz.{question.id}"] = [question.answer if k < right else wrong]
        self.do(screening.screening_answer, rater, form)
        return rater

    def select(self, *panels: str) -> list[screening.Cut]:
        return list(self.do(screening.select, panels))

    def go_on(self, rater: str, n: int = 1000) -> int:
        """The rater answers up to so many items, with all that comes before and between."""
        answered = 0
        while (now := self.where(rater)).step in _STEPS and answered < n:
            self.do(_STEPS[now.step], now, Simulated(7, 0.8))
            answered += now.step is Step.WORK
        return answered

    def steps(self, *raters: str) -> list[str]:
        return [str(self.step(rater)) for rater in raters]

    def per_item(self, round: int = 1) -> Counter[int]:
        """How many items have how many answers that count, of all sections."""
        answers = [one for one in self.read(gather).answers if one.by == "rater" and one.round == round]
        gone = {e.rater for e in self.read(lambda tx: tx.events(kinds=["withdrawn", "excluded"]))}
        return Counter(Counter((a.section, a.item) for a in answers if a.rater not in gone).values())


def opened(folder: Path) -> Lab:
    """The template in this folder, open to raters."""
    running = Lab(shutil.copytree(TEMPLATE, folder))
    running.open()
    return running
