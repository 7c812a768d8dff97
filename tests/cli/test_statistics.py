import json

import pytest
import typer
from typer.testing import CliRunner

from quorate.cli.agree import agree
from quorate.cli.power import power
from quorate.errors import DataError

app = typer.Typer(rich_markup_mode=None)
app.command()(power)
app.command()(agree)

WIDE = "image_id,ann,bob,eve\n1,1,1,2\n2,2,2,2\n3,3,3,3\n4,1,,1\n5,2,3,3\n6,4,4,4\n"
LONG = "item,rater,value\na,x,yes\na,y,yes\nb,x,no\nb,y,yes\nc,x,no\nc,y,no\n"


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def wide(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(WIDE)
    return path


@pytest.fixture
def long(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(LONG)
    return path


def test_power_says_64_a_group_and_128_in_all():
    for words in (["power"], ["power", "--d", 0.5, "--alpha", 0.05, "--power", 0.80]):
        assert "64 a group, 128 in all" in run(*words).output


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--test", "paired"], "34 pairs"),
        (["--test", "one-sample", "--one-sided"], "27 items"),
        (["--test", "anova", "--effect", 0.25], "53 a group, 159 in all"),
        (["--test", "proportions", "--shares", 0.5, 0.75, "--power", 0.9], "77 a group, 154 in all"),
        (["--test", "correlation", "--effect", 0.3], "84 pairs"),
        (["--test", "chi-square", "--effect", 0.3], "88 items"),
        (["--test", "sign", "--shares", 0.5, 0.65], "it stays from 97 on"),
        (["--test", "mcnemar", "--shares", 0.32, 0.08, "--one-sided"], "46 pairs"),
        (["--test", "kappa", "--kappas", 0.7, 0.85, "--one-sided"], "117 items"),
        (["--n", 64], "0.8015"),
        (["--test", "sign", "--shares", 0.5, 0.65, "--n", 90], "0.8123"),
    ],
)
def test_power_of_every_test(words, expected):
    assert expected in run("power", *words).output


def test_power_as_json():
    found = json.loads(run("power", "--json").output)
    assert (found["n"], found["total"], found["alpha"]) == (64, 128, 0.05)
    assert json.loads(run("power", "--json", "--n", 64).output)["power"] == pytest.approx(0.8014596)


def test_power_asks_for_what_it_needs():
    with pytest.raises(DataError, match="--shares"):
        run("power", "--test", "sign")
    with pytest.raises(DataError, match="--kappas"):
        run("power", "--test", "kappa")


def test_agree_reads_a_wide_table(wide):
    found = run("agree", wide).output
    for name in ("Fleiss' kappa", "Gwet's AC1", "Krippendorff's alpha, ordinal", "ICC(2,1)", "raters ann, bob, eve"):
        assert name in found


def test_agree_reads_a_long_table_as_json(long):
    found = json.loads(run("agree", long, "--json").output)
    values = {row["name"]: row for row in found["estimates"]}
    assert found["level"] == "nominal"
    assert values["Cohen's kappa"]["value"] == pytest.approx(0.4)
    assert values["Cohen's kappa"]["n_items"] == 3


def test_columns_may_be_named(tmp_path, long):
    path = tmp_path / "odd.csv"
    path.write_text(LONG.replace("item,rater,value", "what,who,said"))
    named = json.loads(run("agree", path, "--item", "what", "--rater", "who", "--value", "said", "--json").output)
    assert named["estimates"] == json.loads(run("agree", long, "--json").output)["estimates"]


def test_some_columns_of_a_wide_table_may_be_chosen(wide):
    found = json.loads(run("agree", wide, "--raters", "ann,bob", "--level", "nominal", "--json").output)
    assert "Cohen's kappa" in [row["name"] for row in found["estimates"]]


def test_bootstrap_intervals_and_clusters(tmp_path):
    path = tmp_path / "grouped.csv"
    path.write_text("page,a,b\n" + "".join(f"p{k // 4},{k % 3},{(k * k) % 3}\n" for k in range(40)))
    found = json.loads(
        run("agree", path, "--clusters", "page", "--interval", "bca", "--replicates", 200, "--json").output
    )
    fleiss = next(row for row in found["estimates"] if row["name"] == "Fleiss' kappa")
    assert fleiss["n_items"] == 40
    assert "BCa" in fleiss["method"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no rows"),
        ("a,b\n", "no rows"),
        ("a,a\n1,2\n", "occurs twice"),
        ("a,b\n1,2,3\n", ":2: 3 cells"),
        ("id,a\n1,2\n2,3\n", "fewer than two columns"),
    ],
)
def test_bad_files_are_sentences(tmp_path, text, sentence):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=sentence):
        run("agree", path)


def test_a_missing_file_and_a_missing_column_are_sentences(tmp_path, wide):
    with pytest.raises(DataError, match="no such file"):
        run("agree", tmp_path / "nowhere.csv")
    with pytest.raises(DataError, match="Did you mean 'bob'"):
        run("agree", wide, "--raters", "ann,bobb")
