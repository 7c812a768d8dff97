"""Plays a rater: every step of the way and every item of every section, as a form and as the script asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

import msgspec

from quorate.audit.browser import Browser, Reply
from quorate.audit.files import ASKED
from quorate.audit.markers import FEEDBACK, PRACTICE
from quorate.collect.evidence import as_drawn
from quorate.collect.practice import practice_shown
from quorate.collect.rehearsal import Simulated
from quorate.collect.screening import quiz
from quorate.collect.way import ENDS, Step, Where, practice_items, where
from quorate.errors import StudyError
from quorate.protocol import Asks
from quorate.records import Item, Shown
from quorate.study import Study

JSON = "application/json"
FILES = "files"
#: Steps on which a rater can do nothing.
_OTHERS_DECIDE = (Step.SELECTION, Step.FAILED_QUIZ, Step.RESERVE, Step.RECRUITMENT_CLOSED, Step.ALL_TAKEN)
_SOMEONE = Simulated(seed=2, accuracy=0.5)
_NOTHING = Item("", {})
#: After the practice round its right answers may be read again.
_AFTER_PRACTICE = ("/feedback", "/answer", "/examples")
_AT_HAND = ("instructions", "reference")
_BESIDE = (*_AT_HAND, "withdraw", "examples", "download.csv", "nonsense", "work/nonsense", "practice/1/answer")
_WITHOUT_LINK = ("/", "/join/nonsense", "/desk/", "/team/nonsense", "/media/nonsense", "/static/x/nonsense.js")

Form = dict[str, list[str]]


@dataclass
class Player:
    """One rater of a study that is served; the lead of the markers is what this rater must not type."""

    study: Study
    browser: Browser
    rater: str
    lead: str
    #: The opaque names of files by path: a browser reports media by them.
    names: Mapping[str, str]
    files: set[str] = field(default_factory=set)
    _seen: set[Step] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.browser.place_of = self.place_of

    def place_of(self, path: str) -> str:
        """Where the rater is who asks for an address, for what may be seen there: a section, practice, or a step."""
        if path.startswith(("/media/", "/static/")):
            return FILES
        if not path.startswith("/r/"):
            return "outside"
        if path.endswith(_AFTER_PRACTICE):
            return FEEDBACK
        now = self._now()
        if now.step in (Step.PRACTICE, Step.ANSWER):
            return PRACTICE
        return now.section if now.step in (Step.WORK, Step.BREAK) else now.step.value

    def begin(self, link: str) -> None:
        """What anybody may ask for, and then the personal link."""
        for path in _WITHOUT_LINK:
            self._look(self.browser.get(path))
        self._look(self.browser.get(link))

    def go_on(self) -> None:
        """Every step up to the last page, or up to where others decide: the cut, or what they hold."""
        last: Where | None = None
        while (now := self._now()).step not in (*ENDS.values(), *_OTHERS_DECIDE):
            if now == last:
                raise StudyError(f"The audit cannot go on: the step '{now.step}' does not end. {self._said()}")
            last = now
            self._take(now)
        self._open(now.step.value)
        self._look_around()

    def finish(self) -> None:
        """Every file that a page named."""
        for path in sorted(self.files):
            self.browser.get(path)
        for path in sorted(path for path in self.files if path.startswith("/media/")):
            for headers in ASKED[1:]:
                self.browser.look_at(path, headers)
            self.browser.look_at(path, {}, "HEAD")

    @property
    def root(self) -> str:
        """Where the rater's own pages begin."""
        own = next(reply.url for reply in self.browser.replies if reply.url.startswith("/r/"))
        return "/".join(own.split("/")[:3])

    def _now(self) -> Where:
        return self.study.store.read(lambda tx: where(tx, self.study.protocol, self.rater))

    def _take(self, now: Where) -> None:
        """One step, in its own place; what it says when something is missing is looked at too."""
        step = self._STEPS.get(now.step)
        if now.step is Step.WORK:
            self._work()
        elif step is not None:
            by_item = {Step.PRACTICE: f"practice/{now.position}", Step.ANSWER: f"practice/{now.position}/answer"}
            path = by_item.get(now.step, now.step.value)
            page = self._open(path)
            if now.step is not Step.CONSENT:
                self._send(path, page, {})  # a step that asks for nothing goes on at once
            if self._now() == now:
                self._send(path, page, step(self, now))
            self._look_around()
        else:
            raise StudyError(f"The audit cannot go on from the step '{now.step}'. {self._said()}")

    def _open(self, path: str) -> Reply:
        return self._look(self.browser.get(f"{self.root}/{path}"))

    def _send(self, path: str, page: Reply, form: Form, accept: str = "text/html") -> Reply:
        token = {"_csrf": [page.hidden.get("_csrf", "")]}
        return self._look(self.browser.post(f"{self.root}/{path}", {**token, **self._own(form)}, accept))

    def _look(self, reply: Reply) -> Reply:
        self.files |= reply.references
        return reply

    def _look_around(self) -> None:
        """The pages that can be opened at any time, in every language; once in each step."""
        step = self._now().step
        if step in self._seen:
            return
        self._seen.add(step)
        for path in _BESIDE:
            self._look(self.browser.get(f"{self.root}/{path}"))
        languages = self.study.protocol.languages
        for language in (*languages[1:], *languages[:1]) if languages[1:] else ():
            for path in _AT_HAND:
                self._look(self.browser.get(f"{self.root}/{path}?lang={language}"))

    def _work(self) -> None:
        """One item: its page, the same for the script, a form without answers, and the answers."""
        page = self._look(self.browser.get(f"{self.root}/work"))
        path = page.url.removeprefix(f"{self.root}/")
        mine = self.study.store.read(lambda tx: tx.assignment(path.removeprefix("work/")))
        if mine is None:
            return
        self._look(self.browser.get(page.url, JSON))
        item = self.study.store.read(lambda tx: tx.item(mine.item)) or _NOTHING
        section = self.study.protocol.section(mine.section)
        common = {"_revision": [str(mine.revision)], "_evidence": [self._evidence(as_drawn(section, item, mine.shown))]}
        form = {**self._filled(section.ask, item, mine.shown), **common}
        by_script = mine.position % 2 == 0
        for accept in ("text/html", JSON):
            self._send(path, page, {"_key": [token_hex(8)], "_revision": ["0"]}, accept)
        if self.study.store.read(lambda tx: tx.assignment(mine.id)) == mine:
            self._send(path, page, {**form, "_key": [token_hex(8)]}, JSON if by_script else "text/html")
        if mine.position == 1:
            for accept in ("text/html", JSON):  # the own answer once more, where the section lets raters go back
                self._look(self.browser.get(page.url, accept))
            self._look_around()
            self._look_elsewhere(page)

    def _look_elsewhere(self, page: Reply) -> None:
        """Someone else's page, and an answer to it."""
        assignments = self.study.store.read(lambda tx: tx.assignments())
        other = next((one for one in assignments if one.rater != self.rater), None)
        for accept in ("text/html", JSON) if other else ():
            path = f"work/{other.id}" if other else ""
            self._look(self.browser.get(f"{self.root}/{path}", accept))
            self._send(path, page, {"_key": [token_hex(8)]}, accept)

    def _evidence(self, done: Mapping[str, Any]) -> str:
        """The report of media as a browser sends it: by opaque name."""
        media = [
            {**{name: value for name, value in entry.items() if name != "path"}, "name": self.names[entry["path"]]}
            for entry in done.get("media", ())
        ]
        return msgspec.json.encode({"visible_seconds": 9.5, "media": media}).decode()

    def _filled(self, asks: Sequence[Asks], item: Item, shown: Shown) -> Form:
        return _SOMEONE.fill(asks, item, shown, self.rater)

    def _own(self, form: Form) -> Form:
        """The form without markers: what raters type themselves is shown to them again."""
        return {
            name: ["an answer of my own" if self.lead in value.lower() else value for value in values]
            for name, values in form.items()
        }

    def _consent(self, now: Where) -> Form:
        return {"_agree": ["yes"]}

    def _eligibility(self, now: Where) -> Form:
        return {ask.id: [ask.accept[0]] for ask in self.study.protocol.raters.eligibility}

    def _background(self, now: Where) -> Form:
        return self._filled(self.study.protocol.raters.background, _NOTHING, Shown())

    def _screening(self, now: Where) -> Form:
        person = self.study.store.read(lambda tx: tx.rater(self.rater))
        questions = quiz(self.study.protocol, person) if person else ()
        return {f"quiz.{one.id}": [f"@{one.options.index(one.answer) + 1}"] for one in questions}

    def _practice(self, now: Where) -> Form:
        protocol = self.study.protocol
        item = practice_items(protocol)[now.position - 1]
        shown = practice_shown(protocol, item, self.rater)
        form = self._filled(protocol.practice_section.ask, item, shown)
        return {**form, "_evidence": [self._evidence(as_drawn(protocol.practice_section, item, shown))]}

    def _debrief(self, now: Where) -> Form:
        raters = self.study.protocol.raters
        return self._filled(raters.debrief.ask if raters.debrief else (), _NOTHING, Shown())

    def _nothing(self, now: Where) -> Form:
        return {}

    def _said(self) -> str:
        reply = self.browser.replies[-1]
        return f"The last reply was {reply.status} to {reply}."

    _STEPS = {
        Step.CONSENT: _consent,
        Step.ELIGIBILITY: _eligibility,
        Step.BACKGROUND: _background,
        Step.SCREENING: _screening,
        Step.INSTRUCTIONS: _nothing,
        Step.PRACTICE: _practice,
        Step.ANSWER: _nothing,
        Step.FEEDBACK: _nothing,
        Step.BREAK: _nothing,
        Step.DEBRIEF: _debrief,
    }
