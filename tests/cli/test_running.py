"""`quorate move` and `quorate reassess`: what they print, what they leave behind, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from postgres import Server as Postgres
from postgres import running as postgres_running
from quorate.collect import way
from quorate.collect.gather import gather
from quorate.collect.links import invite
from quorate.store import Tx
from quorate.study import DATABASE, Study
from raters import under_way
from words import rate, words

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with postgres_running() as server:
        if server is None:
            pytest.skip("PostgreSQL is not installed here: python tests/postgres.py --install")
        yield server


@pytest.fixture
def address(postgres: Postgres) -> str:
    return f"{postgres.url}?schema=s{uuid4().hex}"


@pytest.fixture
def answered(tmp_path: Path) -> Path:
    """A closed study of words in two panels, with some answers."""
    folder = words(tmp_path / "study", "per_item: 2\nroster: 2\npanels: field", n=6)
    with under_way(folder) as running:
        running.open()
        for panel in ("law", "art"):
            rater = running.do(invite, 1, panel)[0].person
            running.do(way.consent, rater, True)
            running.do(way.instructions_read, rater)
            rate(running, rater, 4)
            rate(running, rater, 2)
        running.close()
    return folder


def values(folder: Path, database: str = "") -> list[tuple[str, object]]:
    study = Study(folder, database=database)
    try:
        return [(answer.item, answer.value) for answer in study.store.read(gather).answers]
    finally:
        study.close()


def test_move_counts_every_table_and_keeps_the_file_under_another_name(run: Run, answered: Path, address: str) -> None:
    before = values(answered)
    status, out, _ = run("move", answered, "--to", address)
    assert status == 0
    counts = {name: (int(a), int(b)) for name, a, b in (line.split() for line in out.splitlines()[:-3])}
    assert counts["answers"] == (4, 4)
    assert counts["slots"] == (12, 12)
    assert all(source == target for source, target in counts.values())
    assert "the answers' hashes are the same" in out
    assert not (answered / DATABASE).exists()
    assert (answered / f"{DATABASE}.moved").exists()
    assert values(answered, address) == before


def test_a_study_that_was_moved_there_and_back_is_the_same(run: Run, answered: Path, address: str) -> None:
    before = values(answered)
    assert run("move", answered, "--to", address)[0] == 0
    status, out, _ = run("move", answered, "--database", address, "--to", answered / DATABASE, "--json")
    assert status == 0
    assert all(one["source"] == one["target"] for one in json.loads(out))
    assert values(answered) == before
    assert run("verify", answered)[0] == 0


def test_a_study_on_postgresql_goes_on_where_it_was(run: Run, answered: Path, address: str) -> None:
    run("move", answered, "--to", address)
    with (answered / "study.yaml").open("a") as file:
        file.write(f"settings: {{database: '{address}'}}\n")
    assert run("open", answered)[0] == 0
    assert json.loads(run("status", answered, "--json")[1])["answered"] == 4
    assert run("verify", answered)[0] == 0
    assert not (answered / DATABASE).exists()


@pytest.mark.parametrize("command", ["open", "status", "report", "verify", "invite"])
def test_after_a_move_no_command_begins_anew_with_an_empty_file(
    run: Run, answered: Path, tmp_path: Path, command: str
) -> None:
    assert run("move", answered, "--to", tmp_path / "elsewhere.sqlite")[0] == 0
    status, _, err = run(command, answered)
    assert status == 1
    assert "was moved to another database. Say where it is" in err
    assert not (answered / DATABASE).exists()


def test_an_open_study_is_not_moved(run: Run, answered: Path, address: str) -> None:
    run("open", answered)
    status, _, err = run("move", answered, "--to", address)
    assert status == 1
    assert f"quorate close {answered}" in err
    assert (answered / DATABASE).exists()


def test_nothing_is_moved_over_another_study(run: Run, answered: Path, address: str, tmp_path: Path) -> None:
    other = words(tmp_path / "other", "per_item: 1\nroster: 1", n=3)
    run("open", other)
    run("close", other)
    assert run("move", other, "--to", address)[0] == 0
    status, _, err = run("move", answered, "--to", address)
    assert status == 1
    assert "nothing is overwritten" in err
    assert (answered / DATABASE).exists()


def test_an_address_that_nobody_answers_at_leaves_everything_as_it_was(run: Run, answered: Path) -> None:
    status, _, err = run("move", answered, "--to", "postgresql://someone:a-password@127.0.0.1:9/nothing")
    assert status == 1
    assert "the database cannot be reached" in err
    assert "a-password" not in err
    assert (answered / DATABASE).exists()


def test_reassess_opens_a_round_for_other_raters_and_leaves_the_first(run: Run, answered: Path) -> None:
    before = values(answered)
    status, out, _ = run("reassess", answered, "--stratum", "law")
    assert status == 0
    assert out == f"Round 2 is open for 3 items of “law”. Invite other raters: quorate invite {answered}\n"
    assert values(answered) == before
    study = Study(answered)
    again = [slot for slot in study.store.read(Tx.slots) if slot.round == 2]
    study.close()
    assert {slot.stratum for slot in again} == {"law"}
    assert len(again) == 6
    assert run("verify", answered)[0] == 0
    assert run("reassess", answered, "--stratum", "law")[1].startswith("Round 3 is open")


def test_reassess_knows_its_strata(run: Run, answered: Path, tmp_path: Path) -> None:
    status, _, err = run("reassess", answered, "--stratum", "lwa")
    assert (status, err) == (1, "quorate: There is no stratum 'lwa'. Did you mean 'law'?\n")
    assert run("reassess", answered)[0] == 2
    plain = words(tmp_path / "plain", "per_item: 1\nroster: 1", n=3)
    status, _, err = run("reassess", plain, "--stratum", "law")
    assert status == 1
    assert "The study has no strata" in err
