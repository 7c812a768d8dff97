"""A CLIP that knows three colours, as an ONNX pair with its tokenizer: small enough to be made for a test."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}
MEAN, STD = (0.5, 0.5, 0.5), (0.5, 0.5, 0.5)


def colour_clip(folder: Path) -> Path:
    """Its pictures' embedding is their mean colour; its texts' embedding is that of the colours they name."""
    from onnx import TensorProto, helper, numpy_helper, save
    from tokenizers import Tokenizer, models, pre_tokenizers

    folder.mkdir(parents=True, exist_ok=True)
    words = {"<unk>": 0, **{name: n for n, name in enumerate(COLOURS, start=1)}}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    stated = {"crop_size": {"height": 32, "width": 32}, "image_mean": MEAN, "image_std": STD}
    (folder / "preprocessor_config.json").write_text(json.dumps(stated))

    def model(nodes: list[Any], given: Any, output: str, constants: list[Any]) -> Any:
        out = helper.make_tensor_value_info(output, TensorProto.FLOAT, ["n", 3])
        graph = helper.make_graph(nodes, "tiny", [given], [out], constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)

    axes = numpy_helper.from_array(np.array([2, 3], np.int64), "axes")
    pixels = helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, ["n", 3, 32, 32])
    mean = helper.make_node("ReduceMean", ["pixel_values", "axes"], ["image_embeds"], keepdims=0)
    save(model([mean], pixels, "image_embeds", [axes]), str(folder / "vision_model.onnx"))

    known = [[0.0, 0.0, 0.0], *[[1.0 if c else -1.0 for c in colour] for colour in COLOURS.values()]]
    table = numpy_helper.from_array(np.array(known, np.float32), "table")
    one = numpy_helper.from_array(np.array([1], np.int64), "one")
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n", "tokens"])
    text = [
        helper.make_node("Gather", ["table", "input_ids"], ["words"]),
        helper.make_node("ReduceSum", ["words", "one"], ["text_embeds"], keepdims=0),
    ]
    save(model(text, ids, "text_embeds", [table, one]), str(folder / "text_model.onnx"))
    return folder


def picture(colour: str, size: tuple[int, int] = (64, 48), noise: int = 0) -> bytes:
    """A picture of one colour, with so much noise."""
    pixels = np.zeros((size[1], size[0], 3), np.int16) + np.array(COLOURS[colour], np.int16)
    pixels += np.random.default_rng(noise).integers(-noise, noise + 1, pixels.shape, dtype=np.int16)
    buffer = BytesIO()
    Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()
