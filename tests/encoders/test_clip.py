"""A picture fits the text that names it; weights that are not there are told in a sentence.

Real ViT-L/14 weights were not at hand: an ONNX pair that knows three colours goes through the same loading code, and
where transformers is installed, a tiny random CLIP goes through that.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from clips_tiny import colour_clip, picture
from quorate.encoders.clip import TorchClip, clip, prepared
from quorate.errors import StudyError

pytest.importorskip("onnx", reason="needs quorate[judges]")


def test_a_picture_fits_the_text_that_names_it_best(tmp_path: Path) -> None:
    model = clip(str(colour_clip(tmp_path / "clip")))
    texts = ["a red thing", "a green thing", "a blue thing"]
    for colour in ("red", "green", "blue"):
        scores = model.score([picture(colour)] * 3, texts)
        assert max(zip(scores, texts, strict=True))[1] == f"a {colour} thing"
    assert model.score([picture("red")], ["red"]) == [1.0]


def test_a_score_does_not_depend_on_its_company(tmp_path: Path) -> None:
    model = clip(str(colour_clip(tmp_path / "clip")))
    pictures, texts = [picture("red", noise=90), picture("blue", noise=40)], ["red", "green blue"]
    together = model.score(pictures, texts)
    assert together == [model.score([p], [t])[0] for p, t in zip(pictures, texts, strict=True)]


def test_a_picture_is_cut_to_its_middle_square() -> None:
    pixels = prepared(picture("green", (90, 30)), 16, (0.5,) * 3, (0.5,) * 3)
    assert pixels.shape == (3, 16, 16)
    np.testing.assert_allclose(pixels.mean(axis=(1, 2)), [-1, 1, -1], atol=1e-6)


def test_bytes_that_are_no_picture_are_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="cannot be opened"):
        clip(str(colour_clip(tmp_path / "clip"))).score([b"no picture"], ["red"])


@pytest.mark.skipif(find_spec("transformers") is not None, reason="transformers is installed, and would look further")
def test_weights_that_are_not_there_are_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"weights of CLIP .* are not there.*quorate\[clip\]"):
        clip(str(tmp_path))


@pytest.mark.skipif(
    find_spec("transformers") is None or find_spec("torch") is None,
    reason="transformers and torch are not part of the locked test environment: install quorate[clip] to run this",
)
def test_a_clip_of_transformers_gives_its_own_cosines(tmp_path: Path) -> None:
    import torch
    from tokenizers import Tokenizer
    from transformers import CLIPConfig, CLIPModel, PreTrainedTokenizerFast

    source = colour_clip(tmp_path / "colours")
    folder = tmp_path / "tiny"
    layers = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = CLIPConfig(
        text_config={**layers, "vocab_size": 8, "max_position_embeddings": 77, "eos_token_id": 3, "bos_token_id": 1},
        vision_config={**layers, "image_size": 32, "patch_size": 8},
        projection_dim=12,
    )
    torch.manual_seed(0)
    model = CLIPModel(config).eval()
    model.save_pretrained(folder)
    words = Tokenizer.from_file(str(source / "tokenizer.json"))
    PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<unk>", unk_token="<unk>").save_pretrained(folder)
    (folder / "preprocessor_config.json").write_bytes((source / "preprocessor_config.json").read_bytes())
    found = clip(str(folder))
    assert isinstance(found, TorchClip)
    pixels = torch.from_numpy(prepared(picture("red"), 32, (0.5,) * 3, (0.5,) * 3))[None]
    with torch.no_grad():
        out = model(input_ids=torch.tensor([[1, 2, 3]]), pixel_values=pixels)
    expected = float((out.image_embeds * out.text_embeds).sum())
    assert found.score([picture("red")], ["red green blue"]) == [pytest.approx(expected, abs=1e-5)]
