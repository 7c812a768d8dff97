"""A real llama.cpp server with random weights, for tests of the wire: its answers mean nothing.

The model has two layers over single bytes; the picture encoder has two layers over a 28 × 28 picture. Both are written
as GGUF files in a second, and the server speaks the OpenAI protocol with JSON Schema and pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

WIDTH, LAYERS, HEADS, INNER = 64, 2, 4, 128
SEEN = 32
CHAT = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"


def _byte_tokens() -> list[str]:
    """The letters that stand for the 256 bytes in GPT-2's vocabulary."""
    own = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {byte: chr(byte) for byte in own}
    for n, byte in enumerate(byte for byte in range(256) if byte not in letters):
        letters[byte] = chr(256 + n)
    return [letters[byte] for byte in range(256)]


def _random(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return (rng.standard_normal(shape) * 0.3).astype(np.float32)


def write_model(path: Path) -> None:
    """A language model of 468 kB."""
    import gguf

    tokens = [*_byte_tokens(), "<|im_start|>", "<|im_end|>", "<|endoftext|>", "th", "the"]
    w = gguf.GGUFWriter(str(path), "llama")
    w.add_context_length(4096)
    w.add_embedding_length(WIDTH)
    w.add_block_count(LAYERS)
    w.add_feed_forward_length(INNER)
    w.add_head_count(HEADS)
    w.add_head_count_kv(HEADS)
    w.add_layer_norm_rms_eps(1e-5)
    w.add_rope_dimension_count(WIDTH // HEADS)
    w.add_vocab_size(len(tokens))
    w.add_file_type(0)
    w.add_tokenizer_model("gpt2")
    w.add_tokenizer_pre("gpt-2")
    w.add_token_list(tokens)
    w.add_token_types([1] * 256 + [3, 3, 3, 1, 1])
    w.add_token_merges(["t h", "th e"])
    w.add_bos_token_id(258)
    w.add_eos_token_id(257)
    w.add_add_bos_token(False)
    w.add_chat_template(CHAT)
    rng, ones = np.random.default_rng(0), np.ones(WIDTH, np.float32)
    w.add_tensor("token_embd.weight", _random(rng, len(tokens), WIDTH))
    w.add_tensor("output_norm.weight", ones)
    w.add_tensor("output.weight", _random(rng, len(tokens), WIDTH))
    for layer in range(LAYERS):
        p = f"blk.{layer}."
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            w.add_tensor(f"{p}{name}.weight", _random(rng, WIDTH, WIDTH))
        for name in ("ffn_gate", "ffn_up"):
            w.add_tensor(f"{p}{name}.weight", _random(rng, INNER, WIDTH))
        w.add_tensor(f"{p}ffn_down.weight", _random(rng, WIDTH, INNER))
        w.add_tensor(f"{p}attn_norm.weight", ones)
        w.add_tensor(f"{p}ffn_norm.weight", ones)
    _finish(w)


def write_eyes(path: Path) -> None:
    """A picture encoder in front of it, of LLaVA's kind."""
    import gguf

    w = gguf.GGUFWriter(str(path), "clip")
    w.add_bool("clip.has_vision_encoder", True)
    w.add_bool("clip.has_llava_projector", True)
    w.add_string("clip.projector_type", "mlp")
    w.add_bool("clip.use_gelu", True)
    w.add_file_type(0)
    for name, value in {
        "image_size": 28,
        "patch_size": 14,
        "embedding_length": SEEN,
        "feed_forward_length": 64,
        "projection_dim": WIDTH,
        "block_count": 2,
        "attention.head_count": 2,
    }.items():
        w.add_uint32(f"clip.vision.{name}", value)
    w.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-5)
    w.add_array("clip.vision.image_mean", [0.5, 0.5, 0.5])
    w.add_array("clip.vision.image_std", [0.5, 0.5, 0.5])
    rng = np.random.default_rng(1)

    def both(name: str, *shape: int) -> None:
        w.add_tensor(f"{name}.weight", _random(rng, *shape))
        w.add_tensor(f"{name}.bias", np.zeros(shape[0], np.float32))

    w.add_tensor("v.class_embd", _random(rng, SEEN))
    w.add_tensor("v.patch_embd.weight", _random(rng, SEEN, 3, 14, 14))
    w.add_tensor("v.position_embd.weight", _random(rng, 5, SEEN))
    for name in ("v.pre_ln", "v.post_ln"):
        both(name, SEEN)
    for layer in range(2):
        p = f"v.blk.{layer}."
        for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
            both(p + name, SEEN, SEEN)
        both(p + "ln1", SEEN)
        both(p + "ln2", SEEN)
        both(p + "ffn_up", 64, SEEN)
        both(p + "ffn_down", SEEN, 64)
    both("mm.0", WIDTH, SEEN)
    both("mm.2", WIDTH, WIDTH)
    _finish(w)


def _finish(w: Any) -> None:
    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


@contextmanager
def llama(folder: Path, at_once: int = 8) -> Iterator[str]:
    """The address of a server that answers so many at once."""
    import xllamacpp

    write_model(folder / "tiny.gguf")
    write_eyes(folder / "eyes.gguf")
    p = xllamacpp.CommonParams()
    p.model.path = str(folder / "tiny.gguf")
    p.mmproj.path = str(folder / "eyes.gguf")
    p.n_ctx = 4096 * at_once
    p.n_parallel = at_once
    p.port = 0
    p.warmup = False
    # Two threads wait for each other at every layer of so small a model, in a loop, which a busy machine punishes.
    for threads in (p.cpuparams, p.cpuparams_batch):
        threads.n_threads, threads.poll = 1, 0
    server = xllamacpp.Server(p)
    yield f"{server.listening_address}/v1"
    del server
