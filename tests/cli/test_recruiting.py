"""`quorate select`, `replace`, `reassess` and `invite` in a study of panels: what they print and what they settle."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from lab import opened
from quorate.collect.recruiting import free_places
from quorate.study import Study

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Candidates of the panel Film with 12, 12, 11, 10 and 8 of 12 right, and one who has not come."""
    lab = opened(tmp_path / "study")
    for right in (12, 12, 11, 10, 8):
        lab.come("Film", right)
    lab.store.close()
    return tmp_path / "study"


def test_a_selection_is_shown_before_it_is_settled(run: Run, film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typer, "confirm", lambda question: False)
    status, out, _ = run("select", film, "--panel", "Film")
    assert status == 0
    assert "Film: places free: 3\n" in out
    assert "E4  10 of 12  in reserve (1)" in out
    assert "E5  8 of 12  is thanked" in out
    assert out.endswith("Nothing was settled.\n")
    assert json.loads(run("select", film, "--json")[1])[2]["settled"] is False
    monkeypatch.setattr(typer, "confirm", lambda question: True)
    assert run("select", film)[1].endswith("Settled: 3 take part, 1 in reserve.\n")
    assert "Film: 3 of 3 taken, 1 in reserve\n" in run("status", film)[1]
    assert "nothing to settle" in run("select", film, "--yes")[1]
    assert "Did you mean 'Film'" in run("select", film, "--panel", "film")[2]


def test_who_is_replaced_is_followed_and_links_name_the_panel(run: Run, film: Path, tmp_path: Path) -> None:
    run("select", film, "--yes")
    status, out, _ = run("replace", film, "E1", "--reason", "does not answer")
    assert (status, out) == (
        0,
        f"E1 is replaced: does not answer\nWhat E1 had left is free. Next: quorate select {film}\n",
    )
    assert "there is nothing to hand on" in run("replace", film, "E4", "--reason", "x")[2]  # in reserve
    assert f"Free places can be filled: quorate select {film}" in run("status", film)[1]
    assert "takes part, instead of E1 (was replaced: does not answer)" in run("select", film, "--yes")[1]
    found = {one["id"]: one["note"] for one in json.loads(run("status", film, "--json")[1])["raters"]}
    assert (found["E1"], found["E4"]) == ("does not answer", "instead of E1")
    table = tmp_path / "links.csv"
    run("invite", film, "-n", 1, "--csv", table)
    rows = list(csv.DictReader(table.open(encoding="utf-8")))
    assert [row["panel"] for row in rows] == [
        "Cities", "Fictional Characters", "Idioms", "Literature", "Public Figures"
    ]  # fmt: skip
    assert json.loads(run("invite", film, "--again", "E4", "--json")[1])[0]["panel"] == "Film"


def test_a_second_round_says_what_it_needs(run: Run, film: Path) -> None:
    run("select", film, "--yes")
    out = run("reassess", film, "--stratum", "Film")[1]
    assert f"Film: 4 items, 3 places free, 1 of them for who is in reserve: quorate select {film}\n" in out
    assert run("reassess", film, "--stratum", "Minimalist")[1].count("places free") == 6
    study = Study(film)
    assert study.store.read(lambda tx: len(free_places(tx, study.protocol, "Film"))) == 6
    study.close()
