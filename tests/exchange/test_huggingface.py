"""A study as a dataset folder: a card with configurations, tables in Parquet, media with their metadata."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable
from pathlib import Path

import polars
import pytest
from PIL import Image
from ruamel.yaml import YAML

import quorate
from quorate.exchange.huggingface import COLUMNS, huggingface_files
from quorate.records import Answer, Collected, Item, Reason
from quorate.study import Study

TEMPLATES = Path(quorate.__file__).parent / "templates"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, bytes]]:
    """The files of a rehearsed template's dataset."""
    made: dict[str, dict[str, bytes]] = {}

    def of(template: str) -> dict[str, bytes]:
        if template not in made:
            here = shutil.copytree(TEMPLATES / template, tmp_path_factory.mktemp("hf") / "study")
            study = Study(here)
            study.rehearse(seed=1)
            made[template] = dict(huggingface_files(study.protocol, study.collected()))
            study.close()
        return made[template]

    return of


def frame(files: dict[str, bytes], name: str) -> polars.DataFrame:
    return polars.read_parquet(io.BytesIO(files[f"data/{name}.parquet"]))


TEMPLATE = pytest.mark.parametrize("template", ["visual-puns", "dialogue", "media-preference"])


@TEMPLATE
def test_the_card_names_a_configuration_for_each_table_and_one_default(
    folder: Callable[[str], dict[str, bytes]], template: str
) -> None:
    files = folder(template)
    head = files["README.md"].decode().split("---\n")[1]
    configs = YAML(typ="safe").load(head)["configs"]
    assert [config["config_name"] for config in configs] == ["answers", "items", "verdicts"]
    assert [config.get("default") for config in configs] == [True, None, None]
    for config in configs:
        assert config["data_files"] == [{"split": "train", "path": f"data/{config['config_name']}.parquet"}]
        assert config["data_files"][0]["path"] in files


@TEMPLATE
def test_every_column_is_told_on_the_card(folder: Callable[[str], dict[str, bytes]], template: str) -> None:
    files = folder(template)
    card = files["README.md"].decode()
    assert list(COLUMNS["answers"]) == frame(files, "answers").columns
    for name in ("answers", "items", "verdicts"):
        assert all(f"| `{column}` |" in card for column in frame(files, name).columns)


def test_answers_lead_to_items_and_judges_stand_beside_people(folder: Callable[[str], dict[str, bytes]]) -> None:
    answers, items = (frame(folder("visual-puns"), name) for name in ("answers", "items"))
    assert len(items) == 24
    assert answers.group_by("by").len().sort("by").rows() == [("judge", 24), ("rater", 72)]
    assert set(answers["item"]) == set(items["item"])
    assert answers["correct"].null_count() == 0


def test_media_have_a_row_each_in_the_metadata_and_can_be_opened(folder: Callable[[str], dict[str, bytes]]) -> None:
    files = folder("visual-puns")
    rows = list(csv.DictReader(io.StringIO(files["media/metadata.csv"].decode())))
    assert {f"media/{row['file_name']}" for row in rows} == {n for n in files if n.startswith("media/")} - {
        "media/metadata.csv"
    }
    for row in rows:
        Image.open(io.BytesIO(files[f"media/{row['file_name']}"])).verify()
    assert {row["item"] for row in rows} == set(frame(files, "items")["item"])


def test_a_missing_answer_has_its_reason_and_mixed_fields_become_text(
    folder: Callable[[str], dict[str, bytes]], tmp_path: Path
) -> None:
    study = Study(shutil.copytree(TEMPLATES / "visual-puns", tmp_path / "study"))
    first, second = study.protocol.pool[:2]
    items = (Item(first.id, {**first.fields, "x": 1}), Item(second.id, {**second.fields, "x": ["a", 2]}))
    where = ("recognise", first.id, "idiom")
    skipped = Answer(1, "rater", "A1", *where, None, Reason.SKIPPED, "", "2026-01-01T00:00:00Z", 1)
    files = dict(huggingface_files(study.protocol, Collected(items, (skipped,))))
    assert frame(files, "answers")["reason"].to_list() == ["skipped"]
    assert frame(files, "answers")["value"].to_list() == [None]
    assert frame(files, "items")["x"].to_list() == ["1", '["a", 2]']
