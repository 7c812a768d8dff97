from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from analyse.collecting import simulated
from analyse.simulating import simulate, template
from quorate.analyse import analyse
from quorate.protocol import Protocol, load
from quorate.records import Collected, Participant, ProtocolVersion
from quorate.report.methods import methods
from quorate.statistics import sign_test_power, sign_test_sample_size, wilson


def text_of(protocol: Protocol) -> str:
    return " ".join(str(paragraph.text) for paragraph in methods(protocol, analyse(protocol, simulated(protocol))))


def test_the_methods_say_what_the_protocol_says(protocol: Protocol) -> None:
    text = text_of(protocol)
    for words in (
        "8 items were drawn from a pool of 12",
        "the seed 42",
        "planned for three raters",
        "“How well do you speak English?” (Native / Fluent)",
        "practised on two items",
        "an optional break after 4 items",
        "“Which English idiom does this image represent?”",
        "lowercase, no articles and no punctuation",
        "at least two of three answers",
        "“target_idiom”",
    ):
        assert words in text, words


def test_the_methods_follow_the_study_file(study_folder: Path) -> None:
    file = study_folder / "study.yaml"
    changed = file.read_text().replace("bands: half-open", "bands: half-open\n  confidence: 0.9")
    file.write_text(changed.replace("sample: {n: 8}", "sample: {n: 8, method: python random}"))
    text = text_of(load(study_folder))
    assert "a 90% interval" in text
    assert "random.sample" in text


def told(protocol: Protocol, collected: Collected) -> dict[str, str]:
    found = methods(protocol, analyse(protocol, collected))
    return {str(paragraph.heading): str(paragraph.text) for paragraph in found}


def imported(rater: str) -> Participant:
    return Participant(rater, "invited", {}, {"imported": "2026-03-01T09:00:00+00:00"})


def test_raters_from_files_did_not_consent_here(protocol: Protocol) -> None:
    collected = simulated(protocol)
    everyone = told(protocol, replace(collected, participants=tuple(map(imported, ("A1", "A2", "A3")))))
    assert "gave consent" not in everyone["Ethics"]
    assert "The 3 raters whose answers came from files did not consent here" in everyone["Ethics"]
    assert "Procedure" not in everyone
    assert "Blinding and order" not in everyone
    one = told(protocol, replace(collected, participants=(imported("A1"), *collected.participants[1:])))
    assert "Raters who worked here gave consent before they began" in one["Ethics"]
    assert "The answers of 1 rater were brought in from files" in one["Raters"]
    assert one["Raters"].count("2 people were invited and 2 consented") == 1


def test_the_size_is_stated_and_recomputed() -> None:
    protocol = template("abstract-visual")
    sample = told(protocol, simulate(protocol))["Sample"]
    # Items go together by concept there, and the sign test has one sign a concept.
    assert "states a size of 210 in all, for a sign test of 60% of decided values of concept" in sample
    assert f"recomputed, it is {sign_test_sample_size(0.6).stays}" in sample
    assert f"each of the 24 values of concept is decided, the power is {sign_test_power(0.6, 24):.2f}" in sample


def test_without_a_stated_size_the_methods_say_what_so_many_can_tell(protocol: Protocol) -> None:
    sample = told(protocol, simulated(protocol))["Sample"]
    assert "does not say why so many" in sample
    widest = wilson(4, 8)
    assert widest.high is not None
    assert f"± {100 * (widest.high - 0.5):.1f} points" in sample


def test_amendments_are_listed_with_their_reasons(protocol: Protocol) -> None:
    versions = tuple(
        ProtocolVersion(number, reason, f"2026-03-0{number + 1}T09:00:00Z", "c", "a", "")
        for number, reason in enumerate(("first consent", "a typing error in the instructions"))
    )
    text = told(protocol, replace(simulated(protocol), protocols=versions, simulated=False))["Amendments"]
    assert "amended once after it. Amendment 1 (2026-03-02): a typing error in the instructions." in text
    plain = told(protocol, replace(simulated(protocol), protocols=versions[:1], simulated=False))["Amendments"]
    assert "nothing that raters meet was changed" in plain


def test_a_stand_in_is_called_one() -> None:
    protocol = template("dialogue")
    people = simulate(protocol)
    assert "Judge" not in told(protocol, people)
    machine = replace(people.answers[0], seq=len(people.answers) + 1, by="judge", rater="stand_in", repeat=0)
    both = replace(people, answers=(*people.answers, machine))
    assert "no figure about it is a finding" in told(protocol, both)["Judge"]


def test_what_one_section_hides_is_not_said_of_every_page() -> None:
    protocol = template("abstract-visual")
    first = protocol.sections[0].model_copy(update={"hide": ("style", *protocol.sections[0].hide)})
    file = protocol.file.model_copy(update={"sections": (first, *protocol.sections[1:])})
    text = told(replace(protocol, file=file), simulate(protocol))["Blinding and order"]
    assert "Hidden in “Part A: which concept?”: “style”" in text
    assert "style" not in text.split("Hidden in")[0]
