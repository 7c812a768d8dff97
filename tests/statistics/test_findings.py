"""Results of several estimates show themselves whole."""

import json

from quorate.statistics import bradley_terry, confusion, judge_against_people, win_tie_loss


def test_every_estimate_is_named_in_the_order_of_the_fields():
    assert list(win_tie_loss([1, 0, -1]).estimates()) == ["success rate", "net gain", "tie rate"]


def test_estimates_inside_findings_and_mappings_keep_their_path():
    found = judge_against_people(["y", "n"], [["y", "n"], ["n", "n"]])
    assert "all items: judge by person: 1" in found.estimates()


def test_a_finding_is_ready_for_json():
    for found in (
        win_tie_loss([1, 0, -1]),
        confusion("yyn", "yny"),
        bradley_terry([("a", "b"), ("b", "a")]),
        bradley_terry([("a", "b")]),
        judge_against_people(["y", "n"], [["y", "n"], ["n", "n"]]),
    ):
        assert json.loads(json.dumps(found.as_dict(), allow_nan=False))


def test_text_and_html_name_every_estimate_and_escape_what_raters_wrote():
    found = confusion(["<b>", "y", "y"], ["<b>", "y", "<b>"])
    assert all(name in str(found) for name in found.estimates())
    assert "<b>" not in found._repr_html_()
    assert "&lt;b&gt;" in found._repr_html_()
