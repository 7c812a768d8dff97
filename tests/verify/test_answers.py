"""Each fault in the rows of the answers is found, and told where it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from planted import Rehearsed

from quorate.verify import Verification

ONE = "rater = 'A2' AND position = 5"
COLUMNS = (
    "submission, by, rater, section, item, repeat, round, question, value, reason, raw, at, position, seconds, "
    "revision, protocol, shown, late, number, chain"
)


@pytest.fixture
def puns(rehearsed: Callable[[str], Rehearsed]) -> Rehearsed:
    return rehearsed("visual-puns")


def kinds(found: Verification) -> set[str]:
    return {finding.kind for finding in found.findings}


def test_a_changed_answer_row_is_found(puns: Rehearsed) -> None:
    seq = puns.value(f"SELECT seq FROM answers WHERE {ONE}")
    found = puns.plant(f"""UPDATE answers SET value = '"a better one"' WHERE {ONE}""").verify()
    assert kinds(found) == {"chain", "values"}
    (chain,) = found.of("chain")
    assert f"answer {seq} " in chain.what
    assert "was changed" in chain.what
    assert "'a better one' is stored" in found.of("values")[0].what


def test_a_value_and_what_was_typed_changed_together_are_found(puns: Rehearsed) -> None:
    found = puns.plant(f"""UPDATE answers SET value = '"same"', raw = '"same"' WHERE {ONE}""").verify()
    assert "chain" in kinds(found)


def test_a_removed_row_is_found(puns: Rehearsed) -> None:
    found = puns.plant(f"DELETE FROM answers WHERE {ONE}").verify()
    assert "1 row missing before" in found.of("chain")[0].what
    assert found.of("revisions")


def test_the_last_row_removed_is_found_too(puns: Rehearsed) -> None:
    found = puns.plant("DELETE FROM answers WHERE seq = (SELECT max(seq) FROM answers WHERE by = 'rater')").verify()
    assert "was answered 1 times, and 0 are stored" in found.of("revisions")[0].what


def test_an_inserted_row_is_found(puns: Rehearsed) -> None:
    found = puns.plant(
        f"""INSERT INTO answers ({COLUMNS}) SELECT submission, by, rater, section, item, repeat, round, 'idiom2',
        '"x"', NULL, '"x"', at, position, seconds, revision, protocol, shown, late, 999, chain
        FROM answers WHERE {ONE}"""
    ).verify()
    assert "chain" in kinds(found)
    assert any("does not ask" in finding.what for finding in found.of("values"))


def test_an_answer_without_assignment_is_found(puns: Rehearsed) -> None:
    found = puns.plant(
        f"UPDATE answers SET item = (SELECT id FROM items WHERE id != item LIMIT 1) WHERE {ONE}"
    ).verify()
    assert "no assignment of this rater" in found.of("assignments")[0].what


def test_an_answer_moved_to_another_rater_is_found(puns: Rehearsed) -> None:
    found = puns.plant(f"UPDATE answers SET rater = 'A9', number = 1 WHERE {ONE}").verify()
    assert found.of("assignments")[0].where.split("(")[1].startswith("A9")


def test_another_protocol_hash_is_found(puns: Rehearsed) -> None:
    found = puns.plant(f"UPDATE answers SET protocol = 'deadbeefdeadbeef' WHERE {ONE}").verify()
    (hash,) = found.of("hash")
    assert "deadbeef, which this study never had" in hash.what


def test_answers_under_an_old_protocol_after_a_new_one_are_found(puns: Rehearsed) -> None:
    found = puns.plant(
        "UPDATE protocols SET number = 1",
        "INSERT INTO protocols SELECT 0, 'older', 'older', text, 'first', '2020', 0, 0 FROM protocols",
        f"UPDATE answers SET protocol = 'older' WHERE {ONE}",
    ).verify()
    (hash,) = found.of("hash")
    assert "after answers under a later one" in hash.what


@pytest.mark.parametrize(
    ("planted", "kind", "what"),
    [
        (f"UPDATE answers SET revision = 3 WHERE {ONE}", "revisions", "the revisions are 3"),
        (f"UPDATE answers SET value = NULL, reason = 'skipped' WHERE {ONE}", "reasons", "counts as skipped"),
        (f"UPDATE answers SET value = NULL, reason = 'not applicable' WHERE {ONE}", "reasons", "applies here"),
        (f"UPDATE answers SET value = NULL, reason = 'cannot judge' WHERE {ONE}", "reasons", "does not offer"),
        (f"UPDATE answers SET value = NULL, reason = 'unreadable reply' WHERE {ONE}", "reasons", "machines alone"),
        (f"UPDATE answers SET value = NULL, raw = NULL, reason = 'withdrawn' WHERE {ONE}", "reasons", "no withdrawal"),
        (f"UPDATE answers SET reason = 'skipped' WHERE {ONE}", "reasons", "a value and the reason"),
        (f"UPDATE answers SET late = 1 WHERE {ONE}", "times", "came in time"),
        (f"UPDATE answers SET raw = '\"\"', value = '\"\"' WHERE {ONE}", "values", "does not take it"),
        (f"UPDATE answers SET question = 'idoim' WHERE {ONE}", "revisions", "has no row for the question idiom"),
        ("UPDATE answers SET rater = 'another' WHERE by = 'judge'", "assignments", "no such judge"),
        ("UPDATE answers SET by = 'member' WHERE by = 'judge'", "assignments", "no member of the team"),
        ("UPDATE events SET kind = 'closed' WHERE kind = 'opened'", "times", "the study was closed"),
        (
            "UPDATE events SET kind = 'withdrawn', data = '{\"erased\": true}' WHERE kind = 'debrief' AND rater = 'A1'",
            "erasure",
            "still there",
        ),
        (f"UPDATE answers SET value = '{{broken' WHERE {ONE}", "unreadable", "cannot be read"),
        (f"UPDATE answers SET reason = 'because', value = NULL WHERE {ONE}", "unreadable", "cannot be read"),
    ],
)
def test_what_the_rules_do_not_allow_is_found(puns: Rehearsed, planted: str, kind: str, what: str) -> None:
    found = puns.plant(planted).verify()
    assert any(what in finding.what for finding in found.of(kind)), found


def test_a_swapped_side_of_an_answer_is_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    study = rehearsed("media-preference").plant(
        """UPDATE answers SET shown = json_set(shown, '$.sides.left', json_extract(shown, '$.sides.right'),
        '$.sides.right', json_extract(shown, '$.sides.left')) 
        WHERE question = 'winner' AND rater = 'R1' AND position = 2"""
    )
    found = study.verify()
    assert {"sides", "chain"} <= kinds(found)


def test_a_final_answer_that_was_revised_is_found(rehearsed: Callable[[str], Rehearsed]) -> None:
    study = rehearsed("abstract-visual")
    study.plant(
        f"""INSERT INTO answers ({COLUMNS}) SELECT submission, by, rater, section, item, repeat, round, 'again', value,
        reason, raw, at, position, seconds, 2, protocol, shown, late, 999, chain
        FROM answers WHERE section = 'recognise' AND by = 'rater' LIMIT 1"""
    )
    assert any("are final" in finding.what for finding in study.verify().of("revisions"))


def test_a_list_of_findings_says_what_where_and_what_it_means(puns: Rehearsed) -> None:
    found = puns.plant(f"UPDATE answers SET protocol = 'deadbeef' WHERE {ONE}").verify()
    text = str(found)
    assert "things are wrong with a rehearsal" in text
    assert "hash: An answer was given under a protocol that this study never had" in text
    data = found.as_dict()
    assert data["ok"] is False
    assert {"kind", "where", "what", "means"} == set(data["findings"][0])
