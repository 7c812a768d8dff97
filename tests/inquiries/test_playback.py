"""Whether clips were played as asked is counted from what browsers report, over all answers and in every part."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from analyse.simulating import simulate, template
from quorate.analyse import analyse
from quorate.findings.results import Results
from quorate.inquiries.base import Told
from quorate.inquiries.playback import Playback
from quorate.media import to_play
from quorate.protocol import Protocol
from quorate.records import Answer, Collected, Evidence, Reason
from quorate.report.data import data_files

AT = "compare.winner.playback"


@pytest.fixture(scope="module")
def protocol() -> Protocol:
    return template("media-preference")


@pytest.fixture(scope="module")
def collected(protocol: Protocol) -> Collected:
    return simulate(protocol)


def winners(collected: Collected) -> list[Answer]:
    return [answer for answer in collected.answers if answer.question == "winner"]


def watched(
    protocol: Protocol, collected: Collected, plays: Callable[[Answer, str], tuple[int, int]], **rest: object
) -> tuple[Evidence, ...]:
    """A report for each answer; `plays` says how often a clip of a system was played."""
    media = [show.part for show in protocol.section("compare").show]
    items = {item.id: item for item in collected.items}
    return tuple(
        Evidence(
            *(answer.rater, "compare", answer.item),
            visible=20.0 + place,
            plays={one.path: plays(answer, one.system) for one in to_play(media, items[answer.item])},
            **rest,  # type: ignore[arg-type]
        )
        for place, answer in enumerate(winners(collected))
    )


def results(protocol: Protocol, collected: Collected, evidence: Iterable[Evidence]) -> Results:
    return analyse(protocol, replace(collected, evidence=tuple(evidence)))


def test_everyone_who_played_both_clips_twice_has_done_what_was_asked(protocol, collected) -> None:
    found = results(protocol, collected, watched(protocol, collected, lambda answer, system: (2, 0)))
    assert found[f"{AT}.reached"].estimate.value == 1
    assert found[f"{AT}.reached"].counted == (18, 18)
    assert found[f"{AT}.failures"].estimate.value == 0
    assert found["compare.winner.median_seconds.in_sight"].estimate.value == statistics.median(
        20.0 + place for place in range(18)
    )


def test_plays_in_step_count_only_where_the_protocol_says_so(protocol, collected) -> None:
    found = results(protocol, collected, watched(protocol, collected, lambda answer, system: (1, 5)))
    assert found[f"{AT}.reached"].estimate.value == 0


def test_a_rater_who_skips_one_systems_clips_shows_where_it_counts(protocol, collected) -> None:
    def plays(answer: Answer, system: str) -> tuple[int, int]:
        return (1, 0) if answer.rater == "R1" and system == "aurora" else (2, 0)

    found = results(protocol, collected, watched(protocol, collected, plays))
    with_aurora = {item.id for item in collected.items if "aurora" in (item["system_1"], item["system_2"])}
    skipped = sum(answer.rater == "R1" and answer.item in with_aurora for answer in winners(collected))
    assert skipped > 0
    assert found[f"{AT}.reached"].counted == (18 - skipped, 18)
    assert found[f"{AT}.reached.rater.R1"].counted == (9 - skipped, 9)
    assert found[f"{AT}.reached.rater.R2"].counted == (9, 9)
    assert found[f"{AT}.reached.of.aurora"].counted == (skipped, 2 * skipped)
    assert found[f"{AT}.reached.of.cirrus"].estimate.value == 1
    families = [f for f in found.findings if f.id.startswith(f"{AT}.reached.by.task_family.")]
    assert sum(f.counted[0] for f in families if f.counted) == 18 - skipped
    assert sum(f.counted[1] for f in families if f.counted) == 18


def test_an_answer_that_says_the_clip_failed_is_a_failure(protocol, collected) -> None:
    first = winners(collected)[0]
    failed = replace(first, value=None, reason=Reason.MEDIA_FAILED)
    changed = replace(collected, answers=tuple(failed if a is first else a for a in collected.answers))
    found = results(protocol, changed, watched(protocol, collected, lambda answer, system: (2, 0)))
    assert found[f"{AT}.failures"].counted == (1, 18)


def test_jumps_and_failures_that_a_browser_counted_are_told(protocol, collected) -> None:
    evidence = watched(protocol, collected, lambda answer, system: (2, 0))
    noted = (replace(evidence[0], seeks=3, failures=1), replace(evidence[1], seeks=1), *evidence[2:])
    found = results(protocol, collected, noted)
    assert found[f"{AT}.jumps"].counted == (2, 18)
    assert found[f"{AT}.failures"].counted == (1, 18)


def test_answers_without_a_report_are_left_out_and_counted(protocol, collected) -> None:
    evidence = watched(protocol, collected, lambda answer, system: (2, 0))
    found = results(protocol, collected, evidence[:10])
    assert found[f"{AT}.reached"].counted == (10, 10)
    assert found[f"{AT}.reached"].estimate.left_out == {"no report from a browser": 8}


def test_without_any_report_nothing_is_said_of_playback(protocol, collected) -> None:
    assert not [finding for finding in results(protocol, collected, ()) if ".playback." in finding.id]


def test_withdrawn_raters_are_not_in_the_shares(protocol, collected) -> None:
    left = tuple(replace(one, status="withdrawn") if one.rater == "R1" else one for one in collected.participants)
    evidence = watched(protocol, collected, lambda answer, system: (2, 0))
    found = results(protocol, replace(collected, participants=left), evidence)
    assert found[f"{AT}.reached"].counted == (9, 9)


def test_the_data_file_gives_every_share_again(protocol, collected) -> None:
    def plays(answer: Answer, system: str) -> tuple[int, int]:
        return (1, 0) if answer.item.endswith("1") else (2, 0)

    given = replace(collected, evidence=watched(protocol, collected, plays))
    found = analyse(protocol, given)
    rows = list(csv.DictReader(io.StringIO(data_files(protocol, given, found)["playback.csv"])))
    by_answer: dict[tuple[str, str], bool] = {}
    for row in rows:
        key = (row["item"], row["annotator_id"])
        by_answer[key] = by_answer.get(key, True) and row["reached"] == "True"
    assert found[f"{AT}.reached"].counted == (sum(by_answer.values()), len(by_answer))
    for system in ("aurora", "borealis", "cirrus"):
        mine = [row["reached"] == "True" for row in rows if row["system"] == system]
        assert found[f"{AT}.reached.of.{system}"].counted == (sum(mine), len(mine))


def test_the_time_of_a_revised_answer_is_all_the_time_that_was_looked_at(protocol, collected) -> None:
    evidence = watched(protocol, collected, lambda answer, system: (2, 0))
    found = results(protocol, collected, evidence)
    mine = [one.visible for one in evidence if one.rater == "R1"]
    assert found["compare.winner.median_seconds.rater.R1"].estimate.value == statistics.median(
        one for one in mine if one
    )
    files = data_files(protocol, replace(collected, evidence=evidence), found)
    rows = [row for row in csv.DictReader(io.StringIO(files["presentations.csv"])) if row["annotator_id"] == "R1"]
    assert sorted(float(row["seconds"]) for row in rows) == sorted(one for one in mine if one)


def test_where_nothing_was_found_nothing_is_said(protocol, collected) -> None:
    found = results(protocol, collected, watched(protocol, collected, lambda answer, system: (2, 0)))
    told = Told(protocol, found)
    said = [*Playback().methods(told), *Playback().limits(told)]
    assert said
    assert all(set(one.rests_on) <= {finding.id for finding in found} for one in said)
    gone = Told(protocol, replace(found, findings=tuple(f for f in found.findings if f.inquiry != "playback")))
    assert not [*Playback().methods(gone), *Playback().limits(gone)]


def test_answers_before_the_clips_were_played_limit_what_can_be_said(protocol, collected) -> None:
    plenty = results(protocol, collected, watched(protocol, collected, lambda answer, system: (2, 0)))
    assert not list(Playback().limits(Told(protocol, plenty)))
    few = results(protocol, collected, watched(protocol, collected, lambda answer, system: (1, 0)))
    (limit,) = Playback().limits(Told(protocol, few))
    assert str(limit).startswith("18 of 18 answers were given although")
    assert "18" in limit.text("zh")
    assert "answers" not in limit.text("zh")
