from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

from analyse.collecting import answer, finished, simulated
from quorate.errors import StudyError
from quorate.protocol import Protocol
from quorate.report import FORMATS, write_report


def test_a_report_holds_every_format_and_the_data(protocol: Protocol, tmp_path: Path) -> None:
    written = {
        path.relative_to(tmp_path / "r").as_posix()
        for path in write_report(protocol, simulated(protocol), tmp_path / "r")
    }
    assert {"report.html", "report.md", "latex/tables.tex", "results.json", "annotations_raw.csv"} <= written
    assert {"annotations_summary.csv", "sampled_idioms.csv", "judge_responses.csv"} <= written


def test_a_format_can_be_asked_for_alone(protocol: Protocol, tmp_path: Path) -> None:
    write_report(protocol, simulated(protocol), tmp_path / "r", formats=["md"])
    assert (tmp_path / "r/report.md").is_file()
    assert not (tmp_path / "r/report.html").exists()


def test_an_unknown_format_is_a_sentence_and_writes_nothing(protocol: Protocol, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="Did you mean 'html'"):
        write_report(protocol, simulated(protocol), tmp_path / "r", formats=["htm"])
    assert not (tmp_path / "r").exists()


def test_the_same_study_gives_the_same_report(protocol: Protocol, tmp_path: Path) -> None:
    collected = simulated(protocol)
    turned = replace(collected, answers=collected.answers[::-1])
    first = write_report(protocol, collected, tmp_path / "a", formats=FORMATS)
    second = write_report(protocol, turned, tmp_path / "b", formats=FORMATS)
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_what_an_earlier_report_left_behind_is_taken_away(protocol: Protocol, tmp_path: Path) -> None:
    collected = simulated(protocol)
    judged = write_report(protocol, collected, tmp_path)
    assert tmp_path / "judge_responses.csv" in judged
    people_only = tuple(row for row in collected.answers if row.by == "rater")
    (tmp_path / "latex/old.tex").write_text("stale")
    (tmp_path / "mine.txt").write_text("kept")
    write_report(protocol, replace(collected, answers=people_only), tmp_path)
    assert not (tmp_path / "judge_responses.csv").exists()
    assert not (tmp_path / "latex/old.tex").exists()
    assert (tmp_path / "mine.txt").exists()


def test_the_reason_of_every_exclusion_and_decision_is_in_every_form_of_the_report(
    protocol: Protocol, tmp_path: Path
) -> None:
    why, because = "answered at random since item 12", "both readings are idiomatic"
    collected = simulated(protocol)
    decision = answer(protocol, collected.items[0], "A1", "break the ice", 99, by="rater")
    decision = replace(decision, by="member", rater="M1", raw={"reason": because, "raw": decision.raw})
    people = (*collected.participants[:2], replace(finished("A3", "excluded"), reason=why))
    write_report(
        protocol,
        replace(collected, answers=(*collected.answers, decision), participants=people),
        tmp_path,
        ("html", "md", "pdf"),
    )
    pages = PdfDocument(tmp_path / "report.pdf")
    printed = " ".join(" ".join(page.get_textpage().get_text_range() for page in pages).split())
    for text in (printed, (tmp_path / "report.html").read_text("utf-8"), (tmp_path / "report.md").read_text("utf-8")):
        assert why in text
        assert because in text
        assert "2026-03-01 09:00" in text
        assert "1 excluded" in text
    found = json.loads((tmp_path / "results.json").read_text("utf-8"))
    (told,) = found["exclusions"]
    assert (told["rater"], told["reason"], told["answers"]) == ("A3", why, 8)
    assert found["flow"]["became"] == {"excluded": 1, "finished": 2}
    with (tmp_path / "exclusions.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row == {"annotator_id": "A3", "excluded_at": "2026-03-01T09:00:00.000Z", "reason": why, "answers": "8"}
    with (tmp_path / "annotations_more.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["by"], row["reason"], row["response_raw"]) == ("member", because, "break the ice")
    write_report(protocol, collected, tmp_path, ("md",))
    assert not (tmp_path / "exclusions.csv").exists()
