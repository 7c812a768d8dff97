"""What a judge settled and what people looked at is told with counts that add up; anchoring with both arms."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyse.judging import scores, triaged
from inquiries.telling import english_in, parts, rest_on_what_is_there, texts
from quorate.analyse import analyse
from quorate.exhibits.blocks import Block
from quorate.exhibits.tables import Table
from quorate.inquiries.anchoring import Anchoring
from quorate.inquiries.assisted import Triage
from quorate.inquiries.base import Inquiry, Told
from quorate.messages import said
from quorate.protocol import Protocol, load
from quorate.records import Collected


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Protocol, Collected]:
    """A triaged study with an arm that sees the score."""
    protocol = scores(tmp_path_factory.mktemp("triage"), 120, ", show_score: 0.4")
    return protocol, triaged(protocol, pull=0.5)[0]


def blocks(inquiry: Inquiry, protocol: Protocol, collected: Collected) -> dict[str, Block]:
    part = next(parts(protocol, collected, analyse(protocol, collected)))
    return {one.key: one for one in inquiry.exhibits(part)}


def test_the_counts_of_what_became_of_the_items_add_up(study: tuple[Protocol, Collected]) -> None:
    protocol, collected = study
    table = blocks(Triage(), protocol, collected)["triage_routes_quality"]
    assert isinstance(table, Table)
    counts = {str(row[0].text): [int(str(cell.text)) for cell in row[1:]] for row in table.rows}
    *ways, whole = counts.values()
    assert whole[:2] == [120, sum(route.to != "accepted" for route in collected.routes)]
    hidden = {a.item for a in collected.answers if a.by == "rater"
              and (a.section, a.item, a.rater) not in collected.anchored}  # fmt: skip
    assert whole[2] == len(hidden) < whole[1]
    assert [sum(column) for column in zip(*ways, strict=True)] == whole
    accepted = sum(route.to == "accepted" for route in collected.routes)
    assert counts["settled by the judge alone"] == [accepted, 0, 0]
    part = next(parts(protocol, collected, analyse(protocol, collected)))
    (sentence,) = Triage().headline(part)
    assert f"AI alone settled {accepted} of 120 items (" in str(sentence)


def test_items_that_nobody_answered_are_counted_apart(study: tuple[Protocol, Collected]) -> None:
    protocol, collected = study
    gone = collected.routes[0].item
    left = Collected(
        collected.items, tuple(a for a in collected.answers if a.item != gone), routes=collected.routes,
        anchored=collected.anchored,
    )  # fmt: skip
    table = blocks(Triage(), protocol, left)["triage_routes_quality"]
    assert isinstance(table, Table)
    rows = [[str(cell.text) for cell in row] for row in table.rows]
    assert rows[-2] == ["answered by nobody yet", "1", "0", "0"]
    assert rows[-1][:2] == ["All items", "120"]
    assert sum(int(row[1]) for row in rows[:-1]) == 120


def test_strata_of_few_items_stand_in_the_supplement(tmp_path: Path) -> None:
    protocol = scores(tmp_path, 12)
    found = blocks(Triage(), protocol, triaged(protocol)[0])
    assert found["triage_quality_by_domain"].further


def test_the_rule_and_the_audit_are_told_in_the_methods_where_anything_was_routed(
    study: tuple[Protocol, Collected],
) -> None:
    protocol, collected = study
    told = " ".join(map(str, Triage().methods(Told(protocol, analyse(protocol, collected)))))
    assert "“score <= 1” held of an answer of AI" in told
    assert "a drawn share of 20% was audited by people" in told
    nothing = Collected(collected.items, collected.answers)
    assert not list(Triage().methods(Told(protocol, analyse(protocol, nothing))))


def test_without_an_audit_no_audited_share_is_spoken_of(tmp_path: Path) -> None:
    scores(tmp_path, 40, ", unverified: true")
    path = tmp_path / "study.yaml"
    path.write_text(path.read_text().replace("audit: 0.2", "audit: 0"))
    protocol = load(tmp_path)
    limits = " ".join(map(str, Triage().limits(Told(protocol, analyse(protocol, triaged(protocol, audit=0)[0])))))
    assert "unverified" in limits
    assert "audited share" not in limits


def test_anchoring_is_told_with_both_arms(study: tuple[Protocol, Collected]) -> None:
    protocol, collected = study
    results = analyse(protocol, collected)
    part = next(parts(protocol, collected, results))
    agreement, distance = map(str, Anchoring().headline(part))
    shown = results["score.quality.anchoring.shown"].estimate.value or 0
    hidden = results["score.quality.anchoring.hidden"].estimate.value or 0
    assert f"gave it {100 * shown:.1f}%" in agreement
    assert f"did not see it {100 * hidden:.1f}%" in agreement
    assert "from it on average" in distance


def test_sentences_go_with_what_they_rest_on(study: tuple[Protocol, Collected]) -> None:
    assert rest_on_what_is_there(Triage(), *study) >= 5
    assert rest_on_what_is_there(Anchoring(), *study) == 3


def test_it_is_chinese_in_chinese(study: tuple[Protocol, Collected]) -> None:
    own = ("Quality", "domain", "Domain", "PPI++", "score <= 1")
    for inquiry in (Triage(), Anchoring()):
        assert not english_in(texts(inquiry, *study), *own)
        assert said(inquiry.title, "zh") != said(inquiry.title)
