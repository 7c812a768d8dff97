"""How often raters and judges are right, one by one and together, and what is said of it."""

from __future__ import annotations

from xml.etree import ElementTree

from analyse.collecting import RATERS, simulated, written
from inquiries.telling import english_in, parts, rest_on_what_is_there, sentences, texts
from quorate.analyse import analyse
from quorate.exhibits import figures
from quorate.exhibits.blocks import Drawing
from quorate.inquiries.accuracy import Accuracy, OfEach
from quorate.protocol import Protocol
from quorate.records import Collected

AT = "recognise.idiom"


def drawn(protocol: Protocol, collected: Collected) -> dict[str, str]:
    part = next(parts(protocol, collected, analyse(protocol, collected)))
    return {block.key: block.svg for block in Accuracy().exhibits(part) if isinstance(block, Drawing) and block.svg}


def told(protocol: Protocol, collected: Collected) -> str:
    results = analyse(protocol, collected)
    return " ".join(
        str(one) for kind in (Accuracy(), OfEach()) for one in sentences(kind, protocol, collected, results)
    )


def test_each_reading_has_its_own_count(protocol: Protocol) -> None:
    marks = {"A1": "++++----", "A2": "+++-+---", "A3": "++-++---"}
    results = analyse(protocol, written(protocol, marks, judge="+-------"))
    assert results[f"{AT}.individual_accuracy"].counted == (12, 24)
    assert results[f"{AT}.majority_accuracy"].counted == (5, 8)
    assert results[f"{AT}.unanimous_accuracy"].counted == (2, 8)
    assert results[f"{AT}.accuracy.rater.A2"].counted == (4, 8)
    assert results[f"{AT}.accuracy.judge.mllm"].counted == (1, 8)


def test_the_first_screen_says_how_often_people_are_right_and_what_is_only_known_of_some_items(
    protocol: Protocol,
) -> None:
    text = told(protocol, written(protocol, {"A1": "+++++---", "A2": "+++++---", "A3": "----++++"}))
    assert "An annotator alone is right in 58.3% of answers. The majority is right on 62.5% of items." in text
    text = told(protocol, written(protocol, {"A1": "++++++++", "A2": "----++++"}))
    assert "Where there is a majority, it is right on 100.0% of items." in text


def test_raters_are_said_to_differ_where_their_intervals_leave_no_doubt(protocol: Protocol) -> None:
    lines = ("++++++++", "+++++++-", "++------")
    text = told(protocol, written(protocol, dict(zip(RATERS, lines, strict=True))))
    assert "Raters differ: A1 was right 100% of the time and A3 25%. The majority hides that." in text
    close = ("++++++++", "+++++++-", "+++++---")
    assert "Raters differ" not in told(protocol, written(protocol, dict(zip(RATERS, close, strict=True))))
    fewer = ("++++++++", "++++++++", "------..")
    text = told(protocol, written(protocol, dict(zip(RATERS, fewer, strict=True))))
    assert "They did not all answer about the same items." in text


def test_an_answer_that_says_nothing_counts_where_a_study_offers_it(protocol: Protocol) -> None:
    assert "The answer “unrecognizable” counts: as not correct" in told(protocol, simulated(protocol))


def test_the_figure_shows_every_reading_rater_and_judge(protocol: Protocol) -> None:
    text = "".join(ElementTree.fromstring(drawn(protocol, simulated(protocol))["accuracy"]).itertext())
    assert all(label in text for label in ("Majority accuracy", "A3", "MLLM"))
    assert "accuracy" not in drawn(protocol, written(protocol, {}))


def test_a_rater_is_a_row_and_an_item_a_column(protocol: Protocol) -> None:
    answers = drawn(protocol, written(protocol, dict.fromkeys(RATERS, "+-+-+-+-"), judge="++++----"))["answers"]
    assert answers.count(f'fill="{figures.BLUE}"') == 5 * 4
    assert answers.count(f'fill="{figures.RULE}"') == 5 * 4


def test_sentences_go_with_what_they_rest_on(protocol: Protocol) -> None:
    assert rest_on_what_is_there(Accuracy(), protocol, simulated(protocol)) >= 5
    lines = ("++++++++", "+++++++-", "++------")
    differ = written(protocol, dict(zip(RATERS, lines, strict=True)))
    assert rest_on_what_is_there(OfEach(), protocol, differ) == 1


def test_it_is_chinese_in_chinese(protocol: Protocol) -> None:
    own = ("MLLM", "A1", "A2", "A3")
    assert not english_in(texts(Accuracy(), protocol, simulated(protocol)), *own)


def test_two_figures_share_no_id(protocol: Protocol) -> None:
    both = drawn(protocol, simulated(protocol))
    ids = [{node.get("id") for node in ElementTree.fromstring(one).iter() if node.get("id")} for one in both.values()]
    assert len(ids) == 2
    assert not ids[0] & ids[1]
