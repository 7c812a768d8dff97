"""Two weeks of a lab over HTTP: six panels, some 60 candidates, refusals, drop-outs, an exclusion, a second round.

    python bench/weeks.py [--a-domain 200]

Candidates click through the pages of `quorate serve`, the lab uses the commands, and the server is started anew each
night. What is there at the end is held against the plan: an error where an answer is missing or `verify` complains.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "web"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from full_size import full_size
from rooms import Rater

from crowd import Server
from quorate.collect.screening import quiz
from quorate.protocol import load
from quorate.records import Rater as Person

CHOSEN = re.compile(r'<input type="radio"[^>]*name="([^"]+)"[^>]*value="([^"]*)"')


class Lab:
    """The study of a lab: its server, its commands, and everybody who has a link."""

    def __init__(self, folder: Path):
        self.folder, self.protocol = folder, load(folder)
        self.people: dict[str, tuple[str, Rater]] = {}
        consent = folder / "consent.md"
        consent.write_text(re.sub(r"Replace this line[^\n]*", "The board of a university.", consent.read_text()))
        self.command("open")
        self.server = Server(folder)
        self.server.start()

    def command(self, name: str, *words: object) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "quorate", name, str(self.folder), *map(str, words)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (name, words, done.stderr)
        return done.stdout

    def night(self) -> None:
        """The server ends, and is there again in the morning."""
        self.server.stop()
        self.server.start()

    def invite(self, n: int, *words: object) -> list[str]:
        """New candidates who open their links, in the order of their panels."""
        made = json.loads(self.command("invite", "-n", n, "--json", *words))
        for one in made:
            client = httpx.Client(base_url=f"http://localhost:{self.server.port}", follow_redirects=True, timeout=120)
            self.people[one["rater"]] = (one["panel"], Rater(client, one["link"]))
        return [one["rater"] for one in made]

    def come(self, rater: str, right: int) -> None:
        """Consent and quiz, with so many right answers."""
        panel, at = self.people[rater]
        at.send(_agree="yes")
        asked = quiz(self.protocol, Person(rater, int(rater[1:]), panel))
        given = {}
        for k, question in enumerate(asked):
            place = question.options.index(question.answer)
            given[f"quiz.{question.id}"] = f"@{(place if k < right else (place + 1) % len(question.options)) + 1}"
        at.send(**given)
        assert at.step == "selection", at.step

    def work(self, rater: str, n: int = 10_000) -> int:
        """Goes on from where the rater is, for up to so many items."""
        at, answered = self.people[rater][1], 0
        at.open("")
        while answered < n and at.step.split("/")[0] in (
            "instructions", "practice", "feedback", "work", "break", "debrief"
        ):  # fmt: skip
            fields: dict[str, str] = {}
            for name, value in CHOSEN.findall(at.page.text):
                fields.setdefault(name, value)
            answered += at.step.startswith("work/")
            at.send(**fields)
            if at.page.status_code >= 400:
                raise AssertionError((rater, at.step, at.page.text[:2000]))
        return answered

    def step(self, rater: str) -> str:
        at = self.people[rater][1]
        at.open("")
        return at.step

    def status(self) -> dict:
        return json.loads(self.command("status", "--json"))

    def taking(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for rater in self.people:
            if self.step(rater) in ("instructions", "done") or self.step(rater).startswith(("work", "practice")):
                found.setdefault(self.people[rater][0], []).append(rater)
        return found


def two_weeks(folder: Path) -> Counter[str]:
    lab = Lab(folder)
    try:
        first = lab.invite(8)
        for panel in dict.fromkeys(panel for panel, _ in lab.people.values()):
            mine = [rater for rater in first if lab.people[rater][0] == panel]
            lab.people[mine[0]][1].send(_agree="no")
            for rater, right in zip(mine[2:], (12, 12, 11, 10, 10, 8), strict=True):
                lab.come(rater, right)
        lab.night()
        lab.command("select", "--yes")
        taking = lab.taking()
        assert {len(raters) for raters in taking.values()} == {3}, taking
        steps = Counter(lab.step(rater) for rater in first)
        assert (steps["reserve"], steps["failed_quiz"], steps["declined"]) == (12, 6, 6), steps
        for raters in taking.values():
            for rater in raters:
                lab.work(rater, 3)
        lab.night()
        one, two, three, *_ = taking.values()
        lab.command("replace", one[0], "--reason", "does not answer mails")
        lab.command("exclude", two[1], "--reason", "is an author of the study")
        leaving = lab.people[three[2]][1]
        leaving.open("withdraw")
        leaving.send()
        for raters in taking.values():
            lab.work(raters[1])
        lab.command("select", "--yes")
        lab.night()
        lab.command("reassess", "--stratum", lab.people[three[0]][0])
        for rater in lab.invite(3, "--panel", lab.people[three[0]][0]):
            lab.come(rater, 12)
        lab.command("select", "--yes")
        lab.command("reassess", "--stratum", "Minimalist")
        for n, rater in enumerate(lab.invite(3)):
            lab.come(rater, 12 - n % 2)
        lab.command("select", "--yes")
        lab.night()
        for rater in lab.people:
            lab.work(rater)
        status = lab.status()
        short = [one for one in status["items"] if one["answered"] != one["wanted"]]
        assert not short, short[:5]
        assert lab.command("verify").startswith("Nothing is wrong")
        return Counter(one["step"] for one in status["raters"]) + Counter(answers=status["answered"])
    finally:
        lab.server.stop()


def main() -> None:
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("--a-domain", type=int, default=4, help="pictures a domain; 200 in the protocol")
    given = read.parse_args()
    begin = time.perf_counter()
    with TemporaryDirectory() as folder:
        found = two_weeks(full_size(Path(folder) / "study", given.a_domain))
    told = ", ".join(f"{n:,} {what}" for what, n in sorted(found.items()))
    print(f"every planned answer is there after {time.perf_counter() - begin:.0f} s: {told}")


if __name__ == "__main__":
    main()
