"""How well a picture fits a text: the cosine of CLIP's two embeddings, by transformers or by an ONNX pair."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quorate.encoders.places import has
from quorate.encoders.sentences import session
from quorate.errors import StudyError

if TYPE_CHECKING:
    import numpy as np

VIT_L_14 = "openai/clip-vit-large-patch14"
TOKENS = 77
# CLIP's own, for folders that do not say.
_MEAN, _STD, _SIZE = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711), 224
_TEXT, _VISION = ("text_model.onnx", "vision_model.onnx")


class Clip:
    """A pair of encoders, one for pictures and one for texts, in one space; `score` is the cosine in it."""

    def __init__(self, model: str, folder: Path | None):
        self.model = model
        self.folder = folder

    def texts(self, texts: Sequence[str]) -> np.ndarray:
        """One row a text."""
        raise NotImplementedError

    def pictures(self, pixels: np.ndarray) -> np.ndarray:
        """One row a picture, from pixels as `prepared` gives them."""
        raise NotImplementedError

    def score(self, pictures: Sequence[bytes], texts: Sequence[str]) -> list[float]:
        """The cosine of each picture with the text beside it, from −1 to 1."""
        import numpy as np

        if not pictures:
            return []
        pixels = np.stack([prepared(picture, self._size, self._mean, self._std) for picture in pictures])
        one, other = _unit(self.pictures(pixels)), _unit(self.texts(texts))
        return [round(float(value), 6) for value in (one * other).sum(axis=1)]

    @cached_property
    def _stated(self) -> dict[str, Any]:
        path = self.folder / "preprocessor_config.json" if self.folder else None
        return json.loads(path.read_text(encoding="utf-8")) if path and path.is_file() else {}

    @property
    def _size(self) -> int:
        size = self._stated.get("crop_size", _SIZE)
        return int(size["height"] if isinstance(size, dict) else size)

    @property
    def _mean(self) -> Sequence[float]:
        return self._stated.get("image_mean", _MEAN)

    @property
    def _std(self) -> Sequence[float]:
        return self._stated.get("image_std", _STD)


class OnnxClip(Clip):
    """`text_model.onnx` and `vision_model.onnx` in one folder (or its `onnx`), with `tokenizer.json`."""

    def texts(self, texts: Sequence[str]) -> np.ndarray:
        import numpy as np

        rows = []
        for text in texts:
            # One at a time: graphs differ in what they take for padding.
            ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
            rows.append(
                self._run(self._text, {"input_ids": ids, "attention_mask": np.ones_like(ids)}, "text_embeds")[0]
            )
        return np.stack(rows)

    def pictures(self, pixels: np.ndarray) -> np.ndarray:
        return self._run(self._vision, {"pixel_values": pixels}, "image_embeds")

    def _run(self, graph: Any, given: dict[str, np.ndarray], wanted: str) -> np.ndarray:
        names = {one.name for one in graph.get_inputs()}
        outputs = [one.name for one in graph.get_outputs()]
        name = wanted if wanted in outputs else outputs[0]
        return graph.run([name], {key: value for key, value in given.items() if key in names})[0]

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        assert self.folder is not None
        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.enable_truncation(TOKENS)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _text(self) -> Any:
        return session(_graph(self.folder, _TEXT))

    @cached_property
    def _vision(self) -> Any:
        return session(_graph(self.folder, _VISION))


class TorchClip(Clip):
    """A CLIP that transformers loads, by its id on the Hugging Face hub or by its folder; on CUDA if there is one."""

    def texts(self, texts: Sequence[str]) -> np.ndarray:
        torch, model = self._loaded
        given = self._tokenizer(list(texts), padding=True, truncation=True, max_length=TOKENS, return_tensors="pt")
        with torch.no_grad():
            return _numpy(model.get_text_features(**{k: v.to(model.device) for k, v in given.items()}))

    def pictures(self, pixels: np.ndarray) -> np.ndarray:
        torch, model = self._loaded
        with torch.no_grad():
            return _numpy(model.get_image_features(pixel_values=torch.from_numpy(pixels).to(model.device)))

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        import torch
        from transformers import CLIPModel

        try:
            model = CLIPModel.from_pretrained(str(self.folder or self.model)).eval()
        except (OSError, ValueError) as error:
            raise StudyError(_absent(self.model)) from error
        return torch, model.to("cuda" if torch.cuda.is_available() else "cpu")

    @cached_property
    def _tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(str(self.folder or self.model))


@lru_cache(maxsize=2)
def clip(model: str = VIT_L_14) -> Clip:
    """The CLIP of this id or folder; a StudyError says what is missing."""
    folder = Path(model) if Path(model).is_dir() else None
    if folder is not None and _graph(folder, _VISION).is_file() and has("onnxruntime", "tokenizers"):
        return OnnxClip(model, folder)
    if has("torch", "transformers"):
        return TorchClip(model, folder)
    raise StudyError(_absent(model))


def prepared(picture: bytes, size: int, mean: Sequence[float], std: Sequence[float]) -> np.ndarray:
    """A picture as CLIP was trained on it: the shorter side to size, the middle square, mean 0 and deviation 1."""
    import numpy as np
    from PIL import Image

    try:
        with Image.open(BytesIO(picture)) as opened:
            image = opened.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise StudyError(f"a picture cannot be opened ({error})") from error
    scale = size / min(image.size)
    width, height = (max(size, int(side * scale)) for side in image.size)
    image = image.resize((width, height), Image.Resampling.BICUBIC)
    left, top = (width - size) // 2, (height - size) // 2
    pixels = np.asarray(image.crop((left, top, left + size, top + size)), dtype=np.float32) / 255
    return ((pixels - np.array(mean, np.float32)) / np.array(std, np.float32)).transpose(2, 0, 1)


def _graph(folder: Path | None, name: str) -> Path:
    assert folder is not None
    return folder / "onnx" / name if (folder / "onnx" / name).is_file() else folder / name


def _unit(rows: np.ndarray) -> np.ndarray:
    import numpy as np

    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _numpy(features: Any) -> np.ndarray:
    # Newer versions give the features inside an output with other tensors.
    tensor = getattr(features, "pooler_output", features)
    return tensor.float().cpu().numpy()


def _absent(model: str) -> str:
    return (
        f"The weights of CLIP '{model}' are not there. Name a folder with text_model.onnx, vision_model.onnx and "
        "tokenizer.json, or install 'quorate[clip]' and name a folder or a model id that transformers can load."
    )
