"""quorate judge: what it will cost, then what came of it; and the published file of scores with its columns."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from asked import with_judge
from openai_server import Fails, answers, scripted, words_of
from quorate.cli import main
from quorate.encoders.sentences import is_minilm_here, minilm
from quorate.judges.table_parser import keyword_score
from quorate.records import Reason
from quorate.store import Store

PUBLISHED = """\
judges:
  texts: {similarity: {recipe: caption with description}}
  tables: {table_parser: {method: keywords}}
"""


def quorate(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command as `python -m quorate` runs it, in this process: starting one takes longer than most tests."""
    out, err, before = StringIO(), StringIO(), sys.argv
    sys.argv = ["quorate", *map(str, arguments)]
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main()
        status = 0
    except SystemExit as left:
        status = int(left.code or 0)
    finally:
        sys.argv = before
    return subprocess.CompletedProcess(sys.argv, status, out.getvalue(), err.getvalue())


def test_a_dry_run_says_what_it_would_cost_and_asks_nobody(study_folder: Path) -> None:
    with scripted(lambda body, n: answers(idiom="x")) as server:
        with_judge(study_folder, f"{{openai: {{model: m, url: '{server.url}', price: {{input: 1, output: 10}}}}}}")
        done = quorate("judge", study_folder, "--dry-run")
        assert server.requests == []
    assert done.returncode == 0
    assert "8 of 8 due requests" in done.stdout
    assert re.search(r"cost about 0\.\d+", done.stdout)


def test_the_summary_and_the_exit_status_tell_of_failures(study_folder: Path) -> None:
    with scripted(lambda body, n: Fails(404, "no such model")) as server:
        with_judge(study_folder, f"{{openai: {{model: m, url: '{server.url}'}}}}")
        failed = quorate("judge", study_folder)
        server.script = lambda body, n: answers(idiom="break the ice")
        went_on = quorate("judge", study_folder, "--json")
    assert failed.returncode == 1
    assert "no such model" in failed.stdout
    assert "8 are still due" in failed.stdout
    assert went_on.returncode == 0
    (facts,) = json.loads(went_on.stdout)["judges"]
    assert (facts["asked"], facts["answered"], facts["left"]) == (8, 8, 0)


def test_a_limit_is_kept_and_is_no_failure(study_folder: Path) -> None:
    done = quorate("judge", study_folder, "--limit", 3, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["judges"][0]["asked"] == 3


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--judge", "mlm"), "Did you mean 'mllm'?"),
        (("--engine", "spark"), "There is no engine 'spark'"),
        (("--engine", "dask"), "needs --scheduler"),
    ],
)
def test_a_wrong_option_is_a_sentence(study_folder: Path, options: tuple[str, ...], sentence: str) -> None:
    done = quorate("judge", study_folder, *options)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


BAD = """\
quorate: 1
title: Bad input
seed: 1
items: {from: items.csv, id: id}
sections:
  - id: look
    show: [{image: image}]
    ask:
      - id: caption_score
        rating: {prompt: How good is the caption?, points: [0, 1, 2]}
      - id: table_score
        rating: {prompt: How good is the table?, points: [0, 1, 2]}
raters: {per_item: 1, roster: 1, consent: consent.md, instructions: consent.md}
judges:
  it: JUDGE
"""


@pytest.fixture
def bad_folder(tmp_path: Path) -> Path:
    """Five items, of which one alone has nothing wrong with it."""
    folder = tmp_path / "bad"
    folder.mkdir()
    for name, side in (("fine.png", 8), ("nan.png", 8), ("big.png", 6400)):
        Image.new("1", (side, side)).save(folder / name)
    (folder / "broken.png").write_bytes(b"\x89PNG, and then nothing")
    (folder / "items.csv").write_text(
        "id,image,caption,reference,content\n"
        'fine,fine.png,a cat on a mat,a cat on the mat,"a,b\n1,2"\n'
        'gone,gone.png,a dog,a dog,"| a | b |\n|---|---|\n| 1 | 2 |"\n'
        'big,big.png,a bird,a bird,"Just a sentence, with a comma."\n'
        "broken,broken.png,,a fish,\n"
        "nan,nan.png,NaN,nan,NaN\n"
    )
    (folder / "consent.md").write_text("Yes?")
    return folder


def judged_by(folder: Path, judge: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    """The command over the bad items, and what each row says: a value, or the reason why there is none."""
    (folder / "study.yaml").write_text(BAD.replace("JUDGE", judge))
    done = quorate("judge", folder)
    with closing(Store.open(str(folder / "study.sqlite"))) as store:
        rows = store.read(lambda tx: tx.latest_answers("it", by="judge"))
    assert "Traceback" not in done.stderr
    return done, {row.item: row.reason or row.value for row in rows}


def test_bad_pictures_are_reasons_on_their_rows_and_the_others_are_asked(bad_folder: Path) -> None:
    with scripted(lambda body, n: answers(caption_score=2, table_score=1)) as server:
        done, rows = judged_by(bad_folder, f"{{openai: {{model: m, url: '{server.url}'}}}}")
        assert len(server.requests) == 2
    assert rows == {"fine": 1, "nan": 1, **dict.fromkeys(("gone", "big", "broken"), Reason.MEDIA_FAILED)}
    assert done.returncode == 3
    assert "it: 2 of 5 answered" in done.stdout
    assert "gone.png cannot be read (No such file or directory) (gone)" in done.stdout
    assert "a picture has 41 megapixels" in done.stdout
    assert re.search(r"1 × .*picture.*\(broken\)", done.stdout)


def test_empty_captions_and_nan_are_reasons_on_their_rows(bad_folder: Path) -> None:
    done, rows = judged_by(
        bad_folder, "{similarity: {compare: {caption_score: [caption, reference]}, encoder: lexical}}"
    )
    assert {item: rows[item] for item in ("gone", "broken", "nan")} == {
        "gone": 2,
        "broken": Reason.CANNOT_JUDGE,
        "nan": Reason.CANNOT_JUDGE,
    }
    assert done.returncode == 3
    assert "2 × caption is empty (broken, nan)" in done.stdout


def test_a_table_that_is_no_table_is_a_reason_on_its_row(bad_folder: Path) -> None:
    done, rows = judged_by(bad_folder, "{table_parser: {}}")
    assert rows == {"fine": 2, "gone": 2, **dict.fromkeys(("big", "broken", "nan"), Reason.CANNOT_JUDGE)}
    assert done.returncode == 3
    assert "1 × content cannot be read as a table (big)" in done.stdout
    assert "2 × content is empty (broken, nan)" in done.stdout


def test_a_model_that_is_not_there_leaves_everything_due_and_bad_pictures_are_told_once(bad_folder: Path) -> None:
    cut = "thresholds: {least: {2: 0.3}, otherwise: 0}"
    clip = f"{{clip: {{question: caption_score, text: caption, model: {bad_folder / 'none'}, {cut}}}}}"
    done, rows = judged_by(bad_folder, clip)
    assert done.returncode == 1
    assert "it: 0 of 5 answered" in done.stdout
    assert done.stdout.count("The weights of CLIP") == 1
    assert "3 are still due" in done.stdout
    bad = dict.fromkeys(("gone", "broken"), Reason.MEDIA_FAILED)
    assert rows == {**dict.fromkeys(("fine", "big", "nan"), Reason.NOT_REACHED), **bad}


def test_a_second_run_asks_nothing_and_says_so(bad_folder: Path) -> None:
    judged_by(bad_folder, "{table_parser: {}}")
    again = quorate("judge", bad_folder)
    assert again.returncode == 0
    assert again.stdout == "it: nothing is due; everything that it is asked has an answer or a reason.\n"


def published_scores(rows: list[dict[str, str]]) -> list[tuple[Any, Any, Any]]:
    """The document's own cell, row by row, with its own conditions."""
    model = minilm()
    found: list[tuple[Any, Any, Any]] = []
    for row in rows:
        caption, description, content = (
            re.sub(r"\s+", " ", row[name]).strip() for name in ("caption", "vlm_description", "content")
        )
        if row["type"] == "figure":
            score = 0
            if caption and description:
                one, other = model.encode([caption])[0], model.encode([description])[0]
                cosine = float(one @ other)
                score = 2 if cosine >= 0.80 else 1 if cosine >= 0.60 else 0
            found.append((score, score, ""))
        else:
            found.append(("", "", keyword_score(content)))
    return found


def replaced_judges(folder: Path, judges: str) -> None:
    """The template with other judges."""
    path = folder / "study.yaml"
    text = re.sub(r"(?m)^judges:\n(  .*\n|\n)*", "", path.read_text(encoding="utf-8"))
    path.write_text(text.replace("export:\n", f"{judges}\nexport:\n"), encoding="utf-8")


def test_a_vision_model_that_scores_page_caption_and_description_is_a_study_file_and_nothing_more(
    tmp_path: Path,
) -> None:
    folder, out = tmp_path / "study", tmp_path / "scored.csv"
    quorate("new", "document-extraction", folder)
    with scripted(lambda body, n: answers(caption_score=2, vlm_score=1, table_score=0)) as server:
        replaced_judges(folder, f"judges:\n  vlm: {{openai: {{model: m, url: '{server.url}'}}}}\n")
        done = quorate("judge", folder, "--limit", 3, "--csv", out)
        sent = [body for body in server.requests if "Description by the model" in words_of(body)]
    assert done.returncode == 0, done.stdout
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    scored = [row for row in rows if row["caption_score_ai"]]
    assert [(row["caption_score_ai"], row["vlm_score_ai"]) for row in scored] == [("2", "1")] * len(sent)
    for body in sent:
        (page,) = (part for part in body["messages"][1]["content"] if part["type"] == "image_url")
        assert page["image_url"]["url"].startswith("data:image/")
        shown = [row for row in scored if " ".join(row["caption"].split()) in " ".join(words_of(body).split())]
        assert [" ".join(row["vlm_description"].split()) in " ".join(words_of(body).split()) for row in shown] == [True]
        schema = body["response_format"]["json_schema"]["schema"]["properties"]
        assert schema["caption_score"]["enum"] == [0, 1, 2]
    assert sent


@pytest.mark.skipif(not is_minilm_here(), reason="needs the weights of all-MiniLM-L6-v2")
def test_the_published_file_of_scores_comes_out_with_its_columns_and_its_scores(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    assert quorate("new", "document-extraction", folder).returncode == 0
    replaced_judges(folder, PUBLISHED)
    out = tmp_path / "accuracy_annotations_scored_ai.csv"
    done = quorate("judge", folder, "--csv", out)
    assert done.returncode == 0, done.stderr
    assert "one number" in done.stdout  # what is weak about the recipe
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with (folder / "accuracy_annotations_multi.csv").open(encoding="utf-8", newline="") as file:
        source = list(csv.DictReader(file))
    assert list(rows[0]) == [*source[0], "caption_score_ai", "vlm_score_ai", "table_score_ai"]
    assert len(rows) == len(source)
    scores = [(row["caption_score_ai"], row["vlm_score_ai"], row["table_score_ai"]) for row in rows]
    assert scores == [tuple(map(str, expected)) for expected in published_scores(source)]
