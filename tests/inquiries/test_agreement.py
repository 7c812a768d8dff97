"""Agreement is told by one coefficient, question by question, and nothing is said that its figures do not bear."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parent.parent / "strange"))

from analyse.collecting import RATERS, make_protocol, simulated, written
from inquiries.telling import english_in, parts, rest_on_what_is_there, sentences, texts
from quorate.analyse import Results, analyse
from quorate.errors import StudyError
from quorate.exhibits.blocks import Block, Drawing
from quorate.exhibits.tables import Table
from quorate.inquiries.agreement import Agreement
from quorate.inquiries.coefficients import FEWEST_BANDED
from quorate.messages import said
from quorate.protocol import Protocol, load
from quorate.protocol.coefficients import KNOWN, fits
from quorate.records import Collected, Estimate
from quorate.statistics.table import TWO_RATERS
from quorate.study import Study
from words import words

AGREEMENT = Agreement()
KAPPA = "recognise.idiom.fleiss_kappa.correctness"
PLAIN = "      - id: score\n        rating: {prompt: How good is it?, points: [1, 2, 3, 4, 5]}\n"
KINDS = {
    "rating": PLAIN,
    "yes_no": "      - id: score\n        yes_no: {prompt: Is it so?}\n",
    "choice": "      - id: score\n        choice: {prompt: Which?, options: [red, green, blue]}\n",
    "slider": "      - id: score\n        slider: {prompt: How loud?, low: 0, high: 10, step: 1}\n",
    "text": "      - id: score\n        text: {prompt: Which field?, target: field}\n",
    "tags": "      - id: score\n        tags: {prompt: Why?, groups: [{name: All, tags: [a, b, c]}], primary: 1, "
    "secondary: {least: 0, most: 1}}\n",
}


@pytest.fixture
def many(tmp_path: Path) -> Protocol:
    """Twenty-four items, enough for a band."""
    return make_protocol(tmp_path / "many", n=24, pool=30)


def study_of(folder: Path, asks: str, analysis: str = "{}", per_item: int = 3, n: int = 12) -> Path:
    file = words(folder, f"per_item: {per_item}\nroster: {per_item}", n=n) / "study.yaml"
    file.write_text(file.read_text().replace(PLAIN, asks) + f"analysis: {analysis}\n")
    return folder


def rehearsed(folder: Path) -> tuple[Protocol, Collected, Results]:
    study = Study(folder)
    study.rehearse(seed=3)
    found = study.protocol, study.collected(), study.results()
    study.close()
    return found


def blocks(protocol: Protocol, collected: Collected, results: Results) -> dict[str, Block]:
    """What it shows, but for what is empty, by kind and key."""
    shown = (one for part in parts(protocol, collected, results) for one in AGREEMENT.exhibits(part))
    kept = [one for one in shown if (one.rows if isinstance(one, Table) else isinstance(one, Drawing) and one.svg)]
    return {f"{type(one).__name__.lower()} {one.key}": one for one in kept if isinstance(one, Table | Drawing)}


def first_sentence(protocol: Protocol, collected: Collected, results: Results) -> str:
    part = next(parts(protocol, collected, results))
    return " ".join(map(str, AGREEMENT.headline(part)))


def told(protocol: Protocol, collected: Collected) -> str:
    return " ".join(map(str, sentences(AGREEMENT, protocol, collected, analyse(protocol, collected))))


def with_kappa(protocol: Protocol, **estimate: Any) -> str:
    """The first sentence where κ were this."""
    collected = simulated(protocol)
    results = analyse(protocol, collected)
    band = estimate.pop("band")
    changed = [
        replace(one, estimate=Estimate(**estimate), band=band) if one.id == KAPPA else one for one in results.findings
    ]
    return first_sentence(protocol, collected, replace(results, findings=tuple(changed)))


@pytest.mark.parametrize(
    ("kappa", "sentence"),
    [
        ({"value": 0.5, "low": 0.3, "high": 0.7, "band": "moderate"}, "is moderately beyond chance: Fleiss’ κ = 0.50"),
        ({"value": 0.1, "low": -0.1, "high": 0.3, "band": "slight"}, "is not told apart from chance: Fleiss’ κ = 0.10"),
        (
            {"value": -0.3, "low": -0.5, "high": -0.1, "band": "poor"},
            "is less than chance would give: Fleiss’ κ = −0.3",
        ),
        ({"value": 1.0, "low": None, "high": None, "band": "almost perfect"}, "is perfect: Fleiss’ κ = 1.00"),
        ({"value": 0.5, "low": None, "high": None, "band": "moderate"}, "Agreement of annotators: Fleiss’ κ = 0.50."),
        (
            {"value": 0.5, "low": 0.1, "high": 0.7, "band": ""},
            "Agreement of annotators: Fleiss’ κ = 0.50 [0.10, 0.70].",
        ),
    ],
)
def test_it_is_beyond_chance_only_where_its_interval_says_so(
    protocol: Protocol, kappa: dict[str, Any], sentence: str
) -> None:
    assert sentence in with_kappa(protocol, **kappa)


def test_no_band_is_named_of_few_items(protocol: Protocol, many: Protocol) -> None:
    few, enough = (analyse(one, simulated(one))[KAPPA] for one in (protocol, many))
    assert (few.estimate.n_items or 0) < FEWEST_BANDED <= (enough.estimate.n_items or 0)
    assert few.band == ""
    assert enough.band != ""
    assert "Landis" not in told(protocol, simulated(protocol))
    assert "Landis and Koch (1977), half-open as the protocol writes them" in told(many, simulated(many))
    file = many.folder / "study.yaml"
    file.write_text(file.read_text().replace("bands: half-open", "bands: published"))
    published = load(many.folder)
    assert "closed at two decimals as published" in told(published, simulated(published))


def test_no_band_is_named_of_what_is_undefined(many: Protocol) -> None:
    collected = written(many, dict.fromkeys(RATERS, "+" * 24))
    kappa = analyse(many, collected)[KAPPA]
    assert (kappa.estimate.value, kappa.band) == (None, "")
    assert "cannot be told by Fleiss’ κ, since every rating is in one category" in told(many, collected)


def test_a_band_that_differs_from_the_published_one_has_a_note(many: Protocol) -> None:
    collected = simulated(many)
    results = analyse(many, collected)
    for value, is_noted in ((0.4, True), (0.5, False)):
        found = [
            replace(f, estimate=Estimate(value), band="moderate") if f.id == KAPPA else f for f in results.findings
        ]
        table = blocks(many, collected, replace(results, findings=tuple(found)))["table agreement"]
        assert isinstance(table, Table)
        notes = [str(note) for note in table.notes if "Fleiss’ κ (all" in str(note)]
        assert any("“fair” in the bands as published" in note for note in notes) is is_noted


def test_what_is_undefined_says_why_below_the_table(protocol: Protocol) -> None:
    collected = written(protocol, dict.fromkeys(RATERS, "++++++++"), judge="++++++++")
    table = blocks(protocol, collected, analyse(protocol, collected))["table agreement"]
    assert isinstance(table, Table)
    assert {str(row[1].text) for row in table.rows} == {"undefined"}
    assert any("every rating is in one category" in str(note) for note in table.notes)


def test_the_figure_shows_every_label(many: Protocol) -> None:
    collected = simulated(many)
    drawn = blocks(many, collected, analyse(many, collected))["drawing agreement"]
    assert isinstance(drawn, Drawing)
    labels = ("Fleiss’ κ (all three annotators)", "Fleiss’ κ on responses", "A1 vs A2", "human majority vs MLLM")
    assert "from slight to almost perfect" in str(drawn.caption)
    for label in labels:
        assert label in drawn.svg.replace("</tspan>", " "), label


def test_nobody_is_told_of_where_nobody_answered(protocol: Protocol) -> None:
    collected = written(protocol, {})
    assert sentences(AGREEMENT, protocol, collected, analyse(protocol, collected)) == []
    assert not [key for key in blocks(protocol, collected, analyse(protocol, collected)) if "drawing" in key]


@pytest.mark.parametrize("name", ["protocol", "many"])
def test_every_sentence_rests_on_what_was_found(name: str, request: pytest.FixtureRequest) -> None:
    protocol = request.getfixturevalue(name)
    assert rest_on_what_is_there(AGREEMENT, protocol, simulated(protocol)) > 4


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_that_fits_a_question_is_found_and_leads(tmp_path: Path, kind: str) -> None:
    question = load(study_of(tmp_path / "plain", KINDS[kind])).sections[0].ask[0].question
    for place, row in enumerate(KNOWN.values()):
        made = study_of(tmp_path / f"s{place}", KINDS[kind], f"{{primary: '{row.name}', agreement: ['{row.name}']}}")
        if not fits(row, question):
            with pytest.raises(StudyError, match=r"fits no question of this study\. Those that fit: "):
                load(made)
            continue
        protocol, collected, results = rehearsed(made)
        leads = results.select(inquiry="agreement", primary=True, by="")
        assert {one.statistic for one in leads} == {row.found_as}
        assert len(leads) == (3 if row.shape == TWO_RATERS else 1)
        assert any(one.estimate.value is not None for one in leads), row.name
        table = blocks(protocol, collected, results)["table agreement"]
        assert isinstance(table, Table)
        assert table.rows[0][1].id == leads[0].id
        methods = [str(one) for one in AGREEMENT.methods(next(parts(protocol, collected, results)))]
        assert str(row.sentence) in methods


MORE = """\
      - id: good
        yes_no: {prompt: Is it good?}
      - id: loud
        slider: {prompt: How loud is it?, low: 0, high: 10, step: 1}
"""


def test_each_of_several_questions_is_told(tmp_path: Path) -> None:
    protocol, collected, results = rehearsed(study_of(tmp_path / "s", PLAIN + MORE))
    sentence = first_sentence(protocol, collected, results)
    for title, name in (
        ("How good is it?", "Krippendorff’s α (ordinal)"), ("Is it good?", "Fleiss’ κ"),
        ("How loud is it?", "Krippendorff’s α (interval)"),
    ):  # fmt: skip
        assert f"on “{title}”: {name} =" in sentence
    table = blocks(protocol, collected, results)["table agreement"]
    assert isinstance(table, Table)
    assert [str(row[1].text) for row in table.rows] == [
        "Krippendorff’s α (ordinal)", "Fleiss’ κ", "Krippendorff’s α (interval)",
    ]  # fmt: skip


def test_more_questions_than_a_sentence_holds_are_told_by_their_range(tmp_path: Path) -> None:
    asks = "".join(PLAIN.replace("score", f"q{k}").replace("it?", f"{k}?") for k in range(7))
    protocol, collected, results = rehearsed(study_of(tmp_path / "s", asks))
    sentence = first_sentence(protocol, collected, results)
    assert sentence.startswith("Agreement of annotators on 7 questions is told by Krippendorff’s α (ordinal): from ")
    values = {f.title: f.estimate.value or 0 for f in results.select(inquiry="agreement", primary=True)}
    assert f"(“{min(values, key=values.__getitem__)}”)" in sentence.split(" to ")[0]
    assert sentence.endswith(f"(“{max(values, key=values.__getitem__)}”).")


def test_many_raters_are_told_by_the_range_of_their_pairs(tmp_path: Path) -> None:
    made = study_of(tmp_path / "s", PLAIN, "{primary: weighted kappa}", per_item=6, n=20)
    protocol, collected, results = rehearsed(made)
    found = blocks(protocol, collected, results)
    pairs = results.select(statistic="weighted kappa")
    summary, listed = found["table agreement_pairs"], found["table agreement_each_pair"]
    assert isinstance(summary, Table)
    assert isinstance(listed, Table)
    assert len(pairs) == 15
    assert listed.further
    assert len(listed.rows) >= 15
    assert not summary.further
    row = summary.rows[0]
    values = sorted((one.estimate.value or 0, one.id) for one in pairs)
    assert (row[2].id, row[4].id) == (values[0][1], values[-1][1])
    assert row[3].text == f"{values[7][0] + 0.0:.2f}".replace("-", "−")
    assert "over 15 pairs" in first_sentence(protocol, collected, results)
    assert not any(cell.id in {one.id for one in pairs} for row in _rows(found["table agreement"]) for cell in row)
    assert any("drawing agreement_pairs" in key for key in found)


def _rows(block: Block) -> Any:
    assert isinstance(block, Table)
    return block.rows


def test_raters_of_different_panels_make_no_pair(tmp_path: Path) -> None:
    from strangers import study, written

    protocol, collected, results = rehearsed(written(study(17), tmp_path / "study"))
    assert protocol.raters.panels
    pairs = results.select(section="part0", statistic="scott pi", by="")
    met = [one for one in pairs if one.estimate.n_items]
    assert 0 < len(met) < len(pairs)
    sentence = first_sentence(protocol, collected, results)
    known = sum(one.estimate.value is not None for one in met)
    assert f"over {known} pairs" in sentence or f"over {known} of {len(met)} pairs" in sentence
    listed = blocks(protocol, collected, results)["table part0_agreement_each_pair"]
    assert {row[1].id for row in _rows(listed)} >= {one.id for one in met}
    assert not {row[1].id for row in _rows(listed)} & {one.id for one in pairs if one not in met}


def test_more_raters_than_pairs_are_made_of_are_told_by_a_coefficient_of_all(tmp_path: Path) -> None:
    made = study_of(tmp_path / "s", PLAIN, "{primary: weighted kappa}", per_item=13, n=6)
    protocol, collected, results = rehearsed(made)
    assert not results.select(statistic="weighted kappa")
    assert "Krippendorff’s α (ordinal)" in first_sentence(protocol, collected, results)
    methods = " ".join(map(str, AGREEMENT.methods(next(parts(protocol, collected, results)))))
    assert "Coefficients of two raters are not computed of more than 12 raters." in methods


@pytest.fixture(params=[0, 5, 9, 38, 48])
def strange(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Study]:
    from strangers import study, written

    made = Study(written(study(request.param), tmp_path / "study"))
    made.rehearse(seed=1)
    yield made
    made.close()


def test_it_is_chinese_in_chinese(strange: Study) -> None:
    found = strange.results().findings
    own = {name.replace("_", " ") for f in found for name in (f.question, f.by, f.stratum, f.section) if name}
    own |= {name.capitalize() for name in own} | {f.question for f in found}
    own |= {said(f.title, "zh") for f in found} | {one.id for one in strange.results().annotators} | {"MLLM"}
    coefficients = ("Krippendorff", "Light", "Conger", "Gwet", "Scott", "Brennan", "Prediger", "Landis", "Koch", "ICC")
    assert english_in(texts(AGREEMENT, strange.protocol, strange.collected()), *coefficients, *own) == []


def test_what_strange_studies_are_told_rests_on_what_was_found(strange: Study) -> None:
    assert rest_on_what_is_there(AGREEMENT, strange.protocol, strange.collected()) > 3
