"""What holds for every kind of judge: a reply to every request, by the same door, or a reason."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from asked import with_judge
from quorate.collect.judging import ask_judges, judge_study
from quorate.judges import JUDGES
from quorate.plan import make_plan
from quorate.protocol import load
from quorate.records import Reason
from quorate.store import Store
from raters import UnderWay, under_way

TEMPLATES = Path(__file__).parents[2] / "src" / "quorate" / "templates"


def answers(folder: Path, judge: str) -> list[tuple[str, object, object]]:
    with under_way(with_judge(folder, judge)) as running:
        judge_study(running.store, running.protocol)
        return [(answer.item, answer.value, answer.reason) for answer in running.answers("mllm")]


@pytest.mark.parametrize("template", sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir()))
def test_every_template_has_a_judge_that_answers_offline_and_is_asked_once(template: str, tmp_path: Path) -> None:
    protocol = load(TEMPLATES / template)
    with closing(Store.open(str(tmp_path / "study.sqlite"))) as store:
        plan = make_plan(protocol)
        store.do(lambda tx: tx.put_plan(plan.items, plan.slots))
        first, again = (judge_study(store, protocol) for _ in range(2))
    assert sum(summary.answered for summary in first) > 0
    assert all(summary.is_whole for summary in first)
    assert [summary.due for summary in again] == [0] * len(first)


def test_every_kind_has_a_sentence_of_its_own() -> None:
    for kind, judge in JUDGES.items():
        assert judge.__doc__ and judge.__doc__.split("\n")[0].endswith("."), kind  # noqa: PT018


@pytest.mark.parametrize(("accuracy", "right"), [(1.0, 8), (0.0, 0)])
def test_a_simulated_judge_is_right_as_often_as_stated(study_folder: Path, accuracy: float, right: int) -> None:
    with under_way(with_judge(study_folder, f"{{simulated: {accuracy}}}")) as running:
        running.do(ask_judges)
        question = running.protocol.ask("recognise", "idiom").question
        items = {item.id: item for item in running.read(lambda tx: tx.items())}
        found = [question.score(answer.value, items[answer.item]) for answer in running.answers("mllm")]
    assert (len(found), sum(map(bool, found))) == (8, right)


def test_a_simulated_judge_says_the_same_on_every_machine(study_folder: Path) -> None:
    first = answers(study_folder, "{simulated: {accuracy: 0.5, seed: 4}}")
    for path in study_folder.glob("study.sqlite*"):
        path.unlink()
    assert answers(study_folder, "{simulated: {accuracy: 0.5, seed: 4}}") == first


def test_a_simulated_judge_can_fail(study_folder: Path) -> None:
    assert {reason for _, _, reason in answers(study_folder, "{simulated: {unreadable: 1}}")} == {Reason.UNREADABLE}


@pytest.mark.parametrize("name", ["replies.csv", "replies.jsonl"])
def test_replies_may_stand_in_a_table_of_their_own(study_folder: Path, name: str) -> None:
    rows = [(f"img_{number:04d}", f"reply {number}") for number in range(12) if number != 1]
    if name.endswith("csv"):
        text = "image,said\n" + "".join(f"{id},{reply}\n" for id, reply in rows)
    else:
        text = "".join(f'{{"image": "{id}", "said": "{reply}"}}\n' for id, reply in rows)
    (study_folder / name).write_text(text)
    found = answers(study_folder, f"{{recorded: {{from: {name}, id: image, field: said}}}}")
    for item, value, reason in found:
        if item == "img_0001":
            assert reason is Reason.NOT_REACHED
        else:
            assert value == f"reply {int(item[-4:])}"


def test_a_table_of_replies_is_part_of_the_protocol(study_folder: Path) -> None:
    (study_folder / "replies.csv").write_text("image,said\nimg_0002,x\n")
    with_judge(study_folder, "{recorded: {from: replies.csv, id: image, field: said}}")
    before = load(study_folder).collection_hash
    (study_folder / "replies.csv").write_text("image,said\nimg_0002,y\n")
    assert load(study_folder).collection_hash != before


def test_an_amendment_of_something_else_asks_nothing_again(study_folder: Path) -> None:
    first = answers(study_folder, "{recorded: mllm_response}")
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("completion_code: DONE-42", "completion_code: DONE-43"))
    with UnderWayAgain(study_folder) as running:
        assert running.do(ask_judges) == 0
    assert len(first) == 8


def test_a_question_in_other_words_is_asked_again(study_folder: Path) -> None:
    answers(study_folder, "{recorded: mllm_response}")
    path = study_folder / "study.yaml"
    path.write_text(path.read_text().replace("Which English idiom", "What English idiom"))
    with UnderWayAgain(study_folder) as running:
        assert running.do(ask_judges) == 8
        assert len(running.answers("mllm")) == 8  # the newest count
        assert len(running.read(lambda tx: tx.all_answers("mllm"))) == 16


class UnderWayAgain(UnderWay):
    """The study opened once more."""

    def __enter__(self) -> UnderWayAgain:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()
