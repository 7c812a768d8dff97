"""Single keys answer in the real browser: one key a question, and Enter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from rooms import Room

pytestmark = pytest.mark.browser
Open = Callable[..., tuple[Room, Any]]
TRAITS = ("clear", "kind", "sound", "short", "useful", "fluent")

MIXED = """
      - id: seen
        yes_no: {prompt: Is there a cat?}
      - id: grade
        rating: {prompt: How many points?, points: [0, 1, 2]}
      - id: why
        applies_when: seen == "Yes"
        text: {prompt: Which cat?}
      - id: note
        text: {prompt: Anything else?, required: false}
      - id: kind
        choice: {prompt: Which kind?, options: [Drawn, Filmed, Written]}
      - id: faults
        tags:
          prompt: What is wrong?
          primary: 1
          secondary: {most: 2}
          groups: [{name: Faults, tags: [Blur, Noise, Cut]}]
      - id: loud
        slider: {prompt: How loud?, low: 0, high: 100}
      - id: overall
        rating: {prompt: Overall?, points: [1, 2, 3, 4, 5]}
"""


def _study(folder: Path, asks: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "study.yaml").write_text(
        "quorate: 1\ntitle: Answers by key\nseed: 3\nitems: {from: texts.csv, id: id}\nsections:\n"
        f"  - id: s\n    show: [{{text: said}}]\n    ask:{asks}"
        "raters: {per_item: 1, roster: 1, consent: consent.md, instructions: instructions.md}\n"
    )
    (folder / "texts.csv").write_text("id,said\n" + "".join(f"t{n},Text {n}\n" for n in range(1, 4)))
    for name in ("consent.md", "instructions.md"):
        (folder / name).write_text("# Texts\n\nRead each text, and say how it is.\n")
    return folder


def six_ratings(folder: Path) -> Path:
    rating = "\n      - id: {0}\n        rating: {{prompt: How {0}?, points: [1, 2, 3, 4, 5]}}"
    return _study(folder, "".join(rating.format(trait) for trait in TRAITS) + "\n")


def mixed(folder: Path) -> Path:
    return _study(folder, MIXED)


#: Scales whose numbers are not the places of their points, and scales without numbers.
SCALES = {
    "ten": "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]",
    "around": "[-2, -1, 0, 1, 2]",
    "signed": "['-1', '0', '+1']",
    "halves": "['0', '0.5', '1', '1.5', '2']",
    "told": "['0 – none', '1 – some', '2 – much']",
    "back": "[5, 4, 3, 2, 1]",
    "words": "[bad, so so, good]",
}


def scales(folder: Path) -> Path:
    rating = "\n      - id: {0}\n        rating: {{prompt: How {0}?, points: {1}}}"
    return _study(folder, "".join(rating.format(*scale) for scale in SCALES.items()) + "\n")


def chosen(page: Page) -> dict[str, str]:
    """What is checked or typed, by name."""
    return page.evaluate(
        "Object.fromEntries([...new FormData(document.querySelector('form.work'))]"
        ".filter(([name, value]) => !name.startsWith('_') && value))"
    )


def at(page: Page) -> str:
    """The question that has the focus."""
    return page.evaluate("document.activeElement.closest('[data-question]')?.dataset.question ?? ''")


def press(page: Page, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def test_an_item_of_six_ratings_takes_six_keys_and_enter(at_work: Open) -> None:
    room, page = at_work(six_ratings)
    for n in range(1, 4):
        expect(page.locator(".count")).to_have_text(f"{n} / 3")
        press(page, "3 1 4 1 5 2 Enter")
    page.wait_for_url("**/done")
    assert {answer.question: answer.value for answer in room.answers()} == dict(
        zip(TRAITS, (3, 1, 4, 1, 5, 2), strict=True)
    )


def test_back_and_tab_lead_to_an_answer_that_the_next_key_corrects(at_work: Open) -> None:
    _, page = at_work(six_ratings)
    press(page, "3 3 3")
    assert at(page) == "short"
    press(page, "Backspace Backspace 5")
    assert chosen(page) == {"clear": "3", "kind": "5", "sound": "3"}
    assert at(page) == "short"
    press(page, "Shift+Tab 1")
    assert (chosen(page)["sound"], at(page)) == ("1", "short")
    # A key that is no point of the question changes nothing, here or elsewhere.
    press(page, "9 0")
    assert (chosen(page), at(page)) == ({"clear": "3", "kind": "5", "sound": "1"}, "short")
    page.locator("[name=fluent][value='2']").check(force=True)
    press(page, "4 4 Enter")
    expect(page.locator(".count")).to_have_text("2 / 3")


def test_once_all_are_answered_a_key_corrects_the_last_and_no_other(at_work: Open) -> None:
    _, page = at_work(six_ratings)
    press(page, "1 2 3 4 5 1 2")
    assert list(chosen(page).values()) == ["1", "2", "3", "4", "5", "2"]
    press(page, "ArrowRight")
    assert chosen(page)["fluent"] == "3"
    press(page, "Enter")
    expect(page.locator(".count")).to_have_text("2 / 3")
    page.get_by_role("link", name="Previous").click()
    expect(page.locator(".count")).to_have_text("1 / 3")
    press(page, "5")
    assert chosen(page) == dict(zip(TRAITS, "523453", strict=True))


def test_questions_of_every_kind_take_their_keys_and_typing_is_left_alone(at_work: Open) -> None:
    room, page = at_work(mixed)
    assert at(page) == "seen"
    press(page, "1")
    # A point is chosen by its number, also where the scale begins at 0; the text that now applies has to be typed.
    press(page, "2")
    assert (chosen(page), at(page)) == ({"seen": "Yes", "grade": "2"}, "why")
    page.keyboard.type("g2?+ [cat]")
    assert chosen(page)["why"] == "g2?+ [cat]"
    expect(page.locator("dialog[open]")).to_have_count(0)
    press(page, "Enter")
    # What is optional and has to be typed is passed over.
    assert at(page) == "kind"
    press(page, "3 2")
    assert at(page) == "loud"
    press(page, "Backspace 1 Enter")
    assert at(page) == "loud"
    page.keyboard.type("75")
    press(page, "Enter")
    assert at(page) == "overall"
    press(page, "5")
    assert chosen(page) == {
        "seen": "Yes", "grade": "2", "why": "g2?+ [cat]", "kind": chosen(page)["kind"],
        "faults.primary": "Noise", "faults.secondary": "Blur", "loud": "75", "overall": "5",
    }  # fmt: skip
    press(page, "Enter")
    expect(page.locator(".count")).to_have_text("2 / 3")
    # What is said of the first answer comes before what is said of the next one.
    expect(page.locator("[data-save]")).to_have_text("saved")
    press(page, "2 0 1")
    # Without a cat nothing asks which.
    assert (chosen(page)["seen"], chosen(page)["grade"], at(page)) == ("No", "0", "faults")
    expect(page.locator("[data-save]")).to_have_text("draft kept here")
    assert {answer.question for answer in room.answers()} >= {"seen", "overall"}


def test_a_point_that_has_a_number_is_chosen_by_it_wherever_it_stands(at_work: Open) -> None:
    _, page = at_work(scales)
    press(page, "3 2 1 1 2 4 3")
    assert chosen(page) == {
        "ten": "3", "around": "2", "signed": "+1", "halves": "1", "told": "2 – much", "back": "4", "words": "good",
    }  # fmt: skip


def test_a_digit_that_is_no_number_of_the_scale_chooses_nothing(at_work: Open) -> None:
    _, page = at_work(scales)
    press(page, "3 5 9")
    assert (chosen(page), at(page)) == ({"ten": "3"}, "around")


def test_the_help_says_what_the_keys_do(at_work: Open) -> None:
    _, page = at_work(six_ratings)
    press(page, "?")
    help = page.locator("dialog[open]")
    expect(help).to_contain_text("Answer the open question, and go on to the next")
    expect(help).to_contain_text("One question back")
    press(page, "3 Escape 4")
    assert chosen(page) == {"clear": "4"}
