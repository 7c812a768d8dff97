from __future__ import annotations

import json
import math
from dataclasses import replace

from analyse.collecting import RATERS, answer, finished, simulated, votes, written
from quorate.analyse import Results, analyse
from quorate.protocol import Protocol
from quorate.records import Collected, Reason

AT = "recognise.idiom"


def no_number_is_made_up(results: Results) -> None:
    """Undefined has a reason; nothing is NaN; everything becomes JSON."""
    for finding in (*results.findings, *results.with_excluded):
        value = finding.estimate.value
        assert value is None or math.isfinite(value), finding.id
        assert value is not None or finding.estimate.note, f"{finding.id} does not say why it is undefined"
    json.dumps(results.as_dict(), allow_nan=False)


def test_raters_who_always_agree_have_kappa_one(protocol: Protocol) -> None:
    results = analyse(protocol, written(protocol, dict.fromkeys(RATERS, "++++----"), judge="++++----"))
    assert results[f"{AT}.fleiss_kappa.correctness"].estimate.value == 1
    assert results[f"{AT}.judge.mllm.cohen_kappa"].estimate.value == 1
    assert results[f"{AT}.judge.mllm.agreement_rate"].counted == (8, 8)


def test_the_two_by_two_counts_every_item_once(protocol: Protocol) -> None:
    marks = {"A1": "+++++---", "A2": "+++++---", "A3": "--------"}
    results = analyse(protocol, written(protocol, marks, judge="++---+--"))
    assert results.comparisons[0].cells == {(True, True): 2, (True, False): 3, (False, True): 1, (False, False): 2}
    assert results.comparisons[0].classes == {
        "both correct": 2,
        "human correct, judge incorrect": 3,
        "human incorrect, judge correct": 1,
        "both incorrect": 2,
    }
    assert results[f"{AT}.judge.mllm.agreement_rate"].counted == (4, 8)
    assert results[f"{AT}.judge.mllm.class.human_correct_judge_incorrect"].counted == (3, 8)


def test_two_wrong_answers_agree_on_the_verdict_and_not_on_the_label(protocol: Protocol) -> None:
    results = analyse(protocol, written(protocol, dict.fromkeys(RATERS, "++++----"), judge="++++????"))
    assert results[f"{AT}.judge.mllm.agreement_rate"].estimate.value == 1
    assert results[f"{AT}.judge.mllm.label_agreement"].counted == (4, 8)


def test_unanimous_needs_every_planned_answer(protocol: Protocol) -> None:
    results = analyse(protocol, written(protocol, {"A1": "++++++++", "A2": "++++++++", "A3": "+-......"}))
    found = results[f"{AT}.unanimous_accuracy"]
    assert found.counted == (1, 2)
    assert found.estimate.left_out == {"fewer answers than planned": 6}


def test_findings_do_not_depend_on_the_order_of_rows(protocol: Protocol) -> None:
    collected = simulated(protocol)
    turned = replace(collected, answers=collected.answers[::-1], participants=collected.participants[::-1])
    assert analyse(protocol, turned) == analyse(protocol, collected)


def test_every_rater_and_pair_has_a_figure_and_every_id_is_its_own(protocol: Protocol) -> None:
    results = analyse(protocol, simulated(protocol))
    ids = [finding.id for finding in results.findings]
    assert len(ids) == len(set(ids))
    pairs = {f"{AT}.cohen_kappa.correctness.{pair}" for pair in ("A1.A2", "A1.A3", "A2.A3")}
    assert pairs | {f"{AT}.accuracy.rater.{rater}" for rater in RATERS} <= set(ids)
    for finding in results.findings:
        assert finding.estimate.n_items == 8 or finding.estimate.left_out, finding.id


def test_who_withdrew_leaves_the_analysis_and_stays_in_the_flow(protocol: Protocol) -> None:
    collected = simulated(protocol)
    people = (*collected.participants[:2], finished("A3", "withdrawn"))
    results = analyse(protocol, replace(collected, participants=people))
    assert [annotator.id for annotator in results.annotators] == ["A1", "A2"]
    assert results.flow.became["withdrew"] == 1
    assert results.flow.raters["invited"] == 3
    assert results.flow.answers["of withdrawn or excluded raters"] == 8
    assert results.with_excluded == ()


def test_exclusions_are_reported_with_and_without(protocol: Protocol) -> None:
    collected = simulated(protocol)
    whole = analyse(protocol, collected)
    people = (*collected.participants[:2], finished("A3", "excluded"))
    results = analyse(protocol, replace(collected, participants=people))
    kept = {finding.id: finding for finding in results.with_excluded}
    key = f"{AT}.individual_accuracy"
    assert kept[key] == whole[key]
    assert results[key].estimate.n_ratings == 16


def test_a_third_opinion_asked_for_because_of_a_disagreement_is_not_in_agreement(protocol: Protocol) -> None:
    collected = written(protocol, {"A1": "++++++++", "A2": "----++++"})
    extra = replace(answer(protocol, collected.items[0], "A9", "anything", 99), repeat=3)
    results = analyse(protocol, replace(collected, answers=(*collected.answers, extra)))
    before = analyse(protocol, collected)
    assert results.select(inquiry="agreement") == before.select(inquiry="agreement") != ()
    assert results.verdicts[0].status == "third rater"
    assert before.verdicts[0].status == "ambiguous"


def test_a_stratum_that_is_assessed_again_has_figures_of_its_own(protocol: Protocol) -> None:
    collected = written(protocol, {"A1": "++++++++", "A2": "----++++"})
    again = tuple(
        replace(answer(protocol, item, rater, str(item["target_idiom"]), 50 + n), round=2, repeat=n)
        for item in collected.items[:4]
        for n, rater in enumerate(("A7", "A8"))
    )
    results = analyse(protocol, replace(collected, answers=(*collected.answers, *again)))
    assert results[f"{AT}.ambiguity"].counted == (4, 8)
    assert results[f"{AT}.ambiguity.round.2"].counted == (0, 4)


def test_a_reason_is_never_counted_as_an_answer(protocol: Protocol) -> None:
    collected = written(protocol, dict.fromkeys(RATERS, "++++++++"))
    first, *rest = collected.answers
    failed = replace(first, value=None, raw=None, reason=Reason.MEDIA_FAILED)
    results = analyse(protocol, replace(collected, answers=(failed, *rest)))
    assert results[f"{AT}.individual_accuracy"].counted == (23, 23)
    assert results.flow.missing == {"media failed": 1}


def test_a_decision_holds_for_every_rater_and_judge_and_says_what_it_changed(protocol: Protocol) -> None:
    collected = written(protocol, dict.fromkeys(RATERS, "-+++++++"), judge="-+++++++")
    item = collected.items[0]
    typed = str(item["target_idiom"]).replace("meets", "meet")
    rows = tuple(
        answer(protocol, item, row.rater, typed, row.seq, row.by) if row.item == item.id and row.rater != "A3" else row
        for row in collected.answers
    )
    (case,) = analyse(protocol, replace(collected, answers=rows)).borderline
    decided = replace(collected, answers=rows, votes=votes(case.target, case.canonical, True, True, True))
    results = analyse(protocol, decided)
    assert {flip.given.by for flip in results.changes.flips} == {"A1", "A2", "mllm"}
    before, after = next(pair for pair in results.changes.figures if pair[1].id == f"{AT}.majority_accuracy")
    assert (before.counted, after.counted) == ((7, 8), (8, 8))
    assert analyse(protocol, decided) == results


def test_a_refused_borderline_answer_changes_nothing(protocol: Protocol) -> None:
    collected = simulated(protocol)
    cast = votes("anything", "at all", False, False, False)
    results = analyse(protocol, replace(collected, votes=cast))
    assert results.changes.flips == ()
    assert results.changes.figures == ()


def degenerate(protocol: Protocol) -> dict[str, Collected]:
    everyone = simulated(protocol)
    gone = tuple(finished(rater, "withdrawn") for rater in RATERS)
    return {
        "nothing at all": Collected((), ()),
        "no answers": written(protocol, {}),
        "no judge": written(protocol, dict.fromkeys(RATERS, "+-+-+-+-")),
        "a judge alone": written(protocol, {}, judge="+-+-+-+-"),
        "one rater": written(protocol, {"A1": "+-+-+-+-"}, judge="++++----"),
        "one item": written(protocol, dict.fromkeys(RATERS, "+......."), judge="+"),
        "one category": written(protocol, dict.fromkeys(RATERS, "++++++++"), judge="++++++++"),
        "all wrong": written(protocol, dict.fromkeys(RATERS, "--------"), judge="--------"),
        "nothing in common": written(
            protocol, {"A1": "++......", "A2": "..-+....", "A3": "....+-+-"}, judge="....++++"
        ),
        "all withdrawn": replace(everyone, participants=gone),
        "all excluded": replace(everyone, participants=tuple(finished(rater, "excluded") for rater in RATERS)),
    }


def test_what_cannot_be_said_is_undefined_with_a_reason(protocol: Protocol) -> None:
    for collected in degenerate(protocol).values():
        no_number_is_made_up(analyse(protocol, collected))


def test_with_one_category_kappa_is_undefined_and_accuracy_is_not(protocol: Protocol) -> None:
    results = analyse(protocol, degenerate(protocol)["one category"])
    assert results[f"{AT}.fleiss_kappa.correctness"].estimate.value is None
    assert results[f"{AT}.judge.mllm.cohen_kappa"].estimate.value is None
    assert results[f"{AT}.individual_accuracy"].estimate.value == 1


def test_an_example_is_drawn_from_each_cell_that_has_items(protocol: Protocol) -> None:
    collected = written(protocol, dict.fromkeys(RATERS, "++++++--"), judge="+++---++")
    results = analyse(protocol, collected)
    cells = {(e.human_correct, e.judge_correct): e for e in results.comparisons[0].examples}
    assert cells[False, False].item is None
    assert cells[True, True].n == 3
    shown = cells[True, False]
    assert shown.item in {item.id for item in collected.items[3:6]}
    assert [given.by for given in shown.people] == list(RATERS)
    assert shown.judge is not None
    assert shown.judge.correct is False
    assert analyse(protocol, collected).comparisons == results.comparisons


def test_a_judge_beside_nobody_is_undefined_in_the_studys_words(protocol: Protocol) -> None:
    clustered = protocol.file.items.model_copy(update={"cluster": "idiom_id"})
    for items in (protocol.file.items, clustered):
        study = replace(protocol, file=protocol.file.model_copy(update={"items": items}))
        results = analyse(study, replace(simulated(study), answers=()))
        gap = results["recognise.idiom.judge.mllm.difference"].estimate
        assert (gap.value, str(gap.note)) == (None, "no item has both answers")
