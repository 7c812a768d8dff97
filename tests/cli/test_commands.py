"""Each command: what it prints, how it exits, and that an error is a sentence."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quorate import __version__, cli
from quorate.collect import way
from quorate.collect.freeze import freeze
from quorate.collect.opening import before_opening, check_open_is_settled
from quorate.collect.proven import not_proven
from quorate.collect.staging import unproven_media
from quorate.plan import make_plan
from quorate.protocol import load
from quorate.study import DATABASE, REHEARSAL, Study
from raters import under_way
from unseen.odd import opinion_scores

Run = Callable[..., tuple[int, str, str]]
COMMANDS = sorted(command.name or "" for command in cli.app.registered_commands)


def in_a_process(*words: object, code: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *(("-c", code) if code else ("-m", "quorate")), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "80"})


def edit(folder: Path, old: str, new: str, name: str = "study.yaml") -> None:
    path = folder / name
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "sys.argv = ['quorate', '--help']\n"
        "from quorate.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit:\n    pass\n"
        "print(sorted(set('numpy scipy polars sqlalchemy starlette pydantic PIL alembic uvicorn'.split())"
        " & set(sys.modules)))\n"
    )
    done = in_a_process(code=code)
    assert done.stdout.splitlines()[-1] == "[]"


def test_help_says_what_each_command_does_in_a_whole_sentence() -> None:
    done = in_a_process("--help")
    assert done.returncode == 0
    told = done.stdout[done.stdout.index("Commands:") :]
    lines = {match[1]: match[2] for match in re.finditer(r"^  ([a-z-]+) {2,}(\S.*)$", told, re.MULTILINE)}
    assert sorted(lines) == COMMANDS
    assert all(line.endswith(".") and not line.endswith("...") for line in lines.values()), lines


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_of_its_own(command: str) -> None:
    result = CliRunner().invoke(cli.app, [command, "--help"])
    assert result.exit_code == 0
    assert "Usage:" in result.output
    _, sentence = cli.COMMANDS[command]
    assert sentence == (cli.function_of(command).__doc__ or "").splitlines()[0]
    assert f"\n  {sentence}\n" in result.output


def test_the_version_is_the_packages(run: Run) -> None:
    assert run("--version")[:2] == (0, f"{__version__}\n")


def test_an_unknown_command_or_option_is_a_usage_error(run: Run) -> None:
    assert run("chek")[0] == 2
    assert run("check", "--jsn", ".")[0] == 2


def test_a_mistake_is_a_sentence_and_no_traceback_in_a_real_process(study_folder: Path) -> None:
    edit(study_folder, "image: image", "image: imgae")
    done = in_a_process("check", study_folder)
    assert done.returncode == 1
    assert done.stdout == ""
    line, summary = done.stderr.splitlines()
    assert line == (
        "study.yaml:13: sections[0].show[0].image: items have no field 'imgae' (idioms.csv). Did you mean 'image'?"
    )
    assert summary == "1 complaint; nothing was changed."


@pytest.mark.parametrize("command", ["check", "plan", "rehearse", "status", "open", "close", "invite", "analyse"])
def test_every_command_refuses_a_folder_without_a_study(run: Run, tmp_path: Path, command: str) -> None:
    status, out, err = run(command, tmp_path)
    assert (status, out) == (1, "")
    assert "there is no study file here" in err
    assert list(tmp_path.iterdir()) == []


def test_new_makes_a_study_that_is_in_order(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("new", "visual-puns", tmp_path / "s")
    assert status == 0
    assert f"quorate check {tmp_path / 's'}" in out
    assert run("check", tmp_path / "s")[0] == 0


def test_new_overwrites_nothing_and_knows_its_templates(run: Run, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    status, _, err = run("new", "visual-puns", tmp_path / "full")
    assert status == 1
    assert (
        err
        == f"quorate: {tmp_path / 'full'} is not empty. Name a folder that does not exist yet; nothing was changed.\n"
    )
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]
    assert run("new", "visual-puns", tmp_path / "full" / "mine.txt")[0] == 1
    status, _, err = run("new", "visual-pun", tmp_path / "s")
    assert status == 1
    assert "Did you mean 'visual-puns'?" in err
    assert not (tmp_path / "s").exists()


def test_a_line_of_the_template_that_is_to_be_replaced_is_named_and_keeps_raters_out(
    run: Run, study_folder: Path
) -> None:
    edit(study_folder, "The text of", "*Replace this\nline with the name of the board.* The text of", "consent.md")
    status, out, _ = run("check", study_folder)
    assert status == 0  # it can be rehearsed as it is
    assert "consent.md:3: “Replace this line …” is still to be written" in out
    assert out.endswith(f"`quorate open` refuses until then.\nNext: quorate rehearse {study_folder}\n")
    assert json.loads(run("check", study_folder, "--json")[1])["before opening"][0]["line"] == 3
    assert run("rehearse", study_folder)[0] == 0
    status, out, err = run("open", study_folder)
    assert (status, out) == (1, "")
    assert err.startswith("consent.md:3: “Replace this line …”")
    assert json.loads(run("status", study_folder, "--json")[1])["state"] == "not open yet"
    edit(study_folder, "*Replace this\nline with the name of the board.* ", "", "consent.md")
    assert run("open", study_folder)[0] == 0
    edit(study_folder, "The text of", "Replace this line. The text of", "instructions.md")
    status, _, err = run("serve", study_folder, "--port", 0)
    assert status == 1
    assert err.startswith("instructions.md:3: “Replace this line …”")


def test_a_study_that_has_begun_is_served_whatever_its_consent_says(study_folder: Path) -> None:
    with under_way(study_folder) as running:
        running.open()
        running.do(way.consent, running.invite()[0], True)
        unsettled = replace(running.protocol, texts={"consent.md": "Replace this line"})
        running.read(lambda tx: check_open_is_settled(tx, unsettled))
        assert [one.line for one in before_opening(unsettled)] == [1]


def test_check_ends_with_the_next_step(run: Run, study_folder: Path) -> None:
    for command, then in (("plan", "rehearse"), ("rehearse", "serve"), ("invite", "status")):
        assert run(command, study_folder)[0] == 0
        assert run("check", study_folder)[1].endswith(f"\nNext: quorate {then} {study_folder}\n")


def test_check_reads_each_picture_once_and_again_where_it_has_changed(
    run: Run, study_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUORATE_CACHE", str(tmp_path / "cache"))
    assert run("check", study_folder)[0] == 0
    protocol = load(study_folder)
    items = make_plan(protocol).items
    assert not_proven(protocol, unproven_media(protocol, items)) == {}
    path = study_folder / items[0]["image"]
    path.write_bytes(path.read_bytes()[:-40])
    for _ in range(2):  # a file that is damaged is not taken for one that was proven
        status, _, err = run("check", study_folder)
        assert status == 1
        assert err.startswith(f"{items[0]['image']}: the PNG file ends too early.")


def test_the_items_of_the_checks_are_not_counted_as_drawn(run: Run, tmp_path: Path) -> None:
    folder = opinion_scores(tmp_path / "study")
    assert "9 items of 9, 45 slots and 2 with known answers." in run("check", folder)[1]
    assert "9 items, 45 slots and 2 with known answers" in run("plan", folder)[1]
    facts, plan = json.loads(run("check", folder, "--json")[1]), json.loads(run("plan", folder, "--json")[1])
    assert (facts["items"], facts["checks"], facts["pool"]) == (9, 2, 9)
    assert (len(plan["items"]), plan["checks"]) == (9, ["g1", "g2"])


def test_check_prints_the_hashes_and_changes_nothing(run: Run, study_folder: Path) -> None:
    before = sorted(study_folder.rglob("*"))
    status, out, err = run("check", study_folder)
    assert (status, err) == (0, "")
    assert "8 items of 12, 24 slots" in out
    facts = json.loads(run("check", study_folder, "--json")[1])
    assert facts["ok"] is True
    assert facts["collection hash"] in out
    assert sorted(study_folder.rglob("*")) == before


def test_check_as_json_holds_every_complaint(run: Run, study_folder: Path) -> None:
    edit(study_folder, "seed: 42", "sead: 42")
    edit(study_folder, "image: image", "image: imgae")
    status, out, _ = run("check", study_folder, "--json")
    told = json.loads(out)
    assert (status, told["ok"]) == (1, False)
    assert [complaint["line"] for complaint in told["complaints"]] == [3, 13]


def test_check_names_a_hypothesis_that_came_after_the_first_consent(run: Run, study_folder: Path) -> None:
    declared = "analysis:\n  hypotheses: [{id: first, statement: a, rests_on: recognise.idiom.majority_accuracy}]\n"
    edit(study_folder, "analysis:\n", declared)
    opened = Study(study_folder)
    opened.prepare()
    opened.store.do(lambda tx: (freeze(tx, opened.protocol), tx.add_event("consent", "A1")))
    opened.close()
    rules = [one["rule"] for one in json.loads(run("check", study_folder, "--json")[1])["advice"]]
    assert "hypothesis-after-consent" not in rules
    edit(study_folder, "id: first", "id: second")
    status, out, _ = run("check", study_folder)
    assert status == 0
    assert "'second' is added later" in out
    assert "'first' is withdrawn" in out
    assert "HARKing" in out


def test_check_tells_of_a_pool_that_is_too_small(run: Run, study_folder: Path) -> None:
    edit(study_folder, "sample: {n: 8}", "sample: {n: 80}")
    status, _, err = run("check", study_folder)
    assert status == 1
    assert err == "quorate: items.sample.n is 80, and the pool has 12 items. Lower n or add items.\n"
    told = json.loads(run("check", study_folder, "--json")[1])
    assert "the pool has 12 items" in told["complaints"][0]["sentence"]


def test_schema_prints_json_schema(run: Run) -> None:
    status, out, _ = run("schema")
    assert status == 0
    assert "sections" in json.loads(out)["properties"]


def test_plan_is_the_same_twice_and_shows_a_raters_order(run: Run, study_folder: Path) -> None:
    first = run("plan", study_folder, "--json")
    assert first == run("plan", study_folder, "--json")
    plan = json.loads(first[1])
    assert (len(plan["items"]), len(plan["slots"]), plan["seed"]) == (8, 24, 42)
    orders = [
        json.loads(run("plan", study_folder, "--json", "--rater", r)[1])["order"]["recognise"] for r in ("A1", "A2")
    ]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(plan["items"])
    assert orders[0] != orders[1]
    assert plan["hash"] in run("plan", study_folder)[1]
    assert ", ".join(orders[0]) in run("plan", study_folder, "--rater", "A1")[1]


def test_rehearse_says_what_to_do_next_and_freezes_nothing(run: Run, study_folder: Path) -> None:
    status, out, _ = run("rehearse", study_folder, "--seed", 1)
    assert status == 0
    assert out == f"3 simulated raters sent 24 answers (seed 1). Next: quorate report {study_folder}\n"
    assert (study_folder / REHEARSAL).exists()
    assert not (study_folder / DATABASE).exists()
    told = json.loads(run("rehearse", study_folder, "--json", "--accuracy", 0.5)[1])
    assert told == {"submissions": 24, "candidates": 3, "raters": 3, "seed": 0, "accuracy": 0.5}
    assert run("rehearse", study_folder, "--accuracy", 1.5)[0] == 2


def test_invite_fills_the_roster_and_then_says_what_to_do(run: Run, study_folder: Path) -> None:
    status, out, err = run("invite", study_folder, "--public-url", "https://study.example.org")
    assert status == 0
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == ["A1", "A2", "A3"]
    assert all(re.search(r"https://study\.example\.org/join/[\w-]{22}$", line) for line in lines)
    assert "shown only now" in err
    assert "No server" not in err
    status, out, err = run("invite", study_folder)
    assert (status, out) == (1, "")
    assert err.startswith("quorate: More raters cannot be invited: raters.roster is 3")
    status, out, _ = run("invite", study_folder, "--again", "A2")
    assert (status, out.split()[0]) == (0, "A2")


def test_invite_writes_a_csv_and_never_over_another(run: Run, study_folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "links.csv"
    assert run("invite", study_folder, "-n", 2, "--csv", file)[0] == 0
    rows = list(csv.reader(file.open()))
    assert [row[0] for row in rows] == ["rater", "A1", "A2"]
    for wrong in (file, tmp_path / "nowhere" / "links.csv"):
        status, _, err = run("invite", study_folder, "-n", 1, "--csv", wrong)
        assert status == 1
        assert "nothing was changed" in err
    assert len(json.loads(run("status", study_folder, "--json")[1])["raters"]) == 2


def test_invite_needs_a_number_where_nothing_says_how_many(run: Run, study_folder: Path) -> None:
    edit(study_folder, "  roster: 3\n", "")
    status, _, err = run("invite", study_folder)
    assert status == 1
    assert err == "quorate: The study has neither a roster nor a cap: say how many raters to invite with -n.\n"
    assert len(json.loads(run("invite", study_folder, "-n", 4, "--json")[1])) == 4


def test_members_are_invited_and_links_revoked(run: Run, study_folder: Path) -> None:
    (member,) = json.loads(run("invite", study_folder, "--member", "Ada", "--json")[1])
    assert member["member"] == "M1"
    assert "/team/" in member["link"]
    assert run("invite", study_folder, "--revoke", "M1")[1] == "1 link of M1 stopped working.\n"


def test_open_close_and_status_follow_the_study(run: Run, study_folder: Path) -> None:
    states = []
    for command in ("status", "open", "close", "open"):
        assert run(command, study_folder)[0] == 0
        states.append(json.loads(run("status", study_folder, "--json")[1])["state"])
    assert states == ["not open yet", "open", "closed", "open"]
    run("invite", study_folder)
    status, out, _ = run("status", study_folder)
    assert status == 0
    assert "Visual pun recognition: open, 0 of 24 answers" in out
    assert "A3" in out


def test_exclude_needs_a_rater_and_a_reason(run: Run, study_folder: Path) -> None:
    run("invite", study_folder)
    assert run("exclude", study_folder, "A1")[0] == 2
    status, _, err = run("exclude", study_folder, "A9", "--reason", "x")
    assert (status, err) == (1, "quorate: There is no rater 'A9'.\n")
    status, out, _ = run("exclude", study_folder, "A1", "--reason", "did not read")
    assert (status, out) == (0, "A1 is excluded: did not read\n")


def test_amend_refuses_before_the_first_consent(run: Run, study_folder: Path) -> None:
    run("open", study_folder)
    status, _, err = run("amend", study_folder, "--reason", "a typo")
    assert status == 1
    assert "can simply be edited" in err


def test_a_study_that_changed_after_the_first_consent_needs_an_amendment(run: Run, study_folder: Path) -> None:

    with under_way(study_folder) as running:
        running.open()
        running.do(way.consent, running.invite()[0], True)
    edit(study_folder, "The text", "A better text", "instructions.md")
    status, _, err = run("open", study_folder)
    assert status == 1
    assert "has changed since the first consent" in err
    assert len(err.splitlines()) == 1
    status, out, _ = run("amend", study_folder, "--reason", "clearer words")
    assert (status, out) == (0, "Amendment 1: clearer words\n")
    assert run("open", study_folder)[0] == 0


def test_backup_copies_the_database_and_overwrites_nothing(run: Run, study_folder: Path, tmp_path: Path) -> None:
    run("invite", study_folder)
    copy = tmp_path / "copy.sqlite"
    assert run("backup", study_folder, copy)[0] == 0
    status, _, err = run("backup", study_folder, copy)
    assert status == 1
    assert "nothing was changed" in err
    (study_folder / DATABASE).unlink()
    copy.rename(study_folder / DATABASE)
    assert len(json.loads(run("status", study_folder, "--json")[1])["raters"]) == 3
    status, _, err = run("backup", study_folder, tmp_path / "nowhere" / "copy.sqlite")
    assert status == 1
    assert "Traceback" not in err


def test_analyse_reads_the_rehearsal_and_says_so(run: Run, study_folder: Path) -> None:
    run("rehearse", study_folder, "--seed", 1)
    status, out, _ = run("analyse", study_folder)
    assert status == 0
    assert "Simulated raters" in out
    assert json.loads(run("analyse", study_folder, "--json")[1])["simulated"] is True


def test_a_format_or_layout_that_does_not_exist_is_told(run: Run, study_folder: Path) -> None:
    assert "here is no format 'pfd'" in run("report", study_folder, "--format", "pfd")[2]
    assert "There is no layout 'papper'" in run("export", study_folder, "--layout", "papper")[2]


def test_judges_go_on_where_a_picture_is_missing_and_check_names_it(run: Run, study_folder: Path) -> None:
    gone = next((study_folder / "images").iterdir())
    gone.unlink()
    status, _, err = run("check", study_folder)
    assert status == 1
    assert gone.name in err
    assert run("judge", study_folder)[0] == 0


def test_a_bar_of_more_steps_than_were_foreseen_never_shows_more_than_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    code = (
        "from quorate.cli.options import progress\n"
        "with progress('Rehearsing', 18) as step:\n"
        "    for _ in range(23):\n        step()\n"
    )
    shown = re.sub(r"\x1b\[[0-9;?]*\w", "", in_a_process(code=code).stderr)
    assert "23/23" in shown
    assert "/18" not in shown[shown.index("23/") :]
