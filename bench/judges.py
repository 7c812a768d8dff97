"""Speed of judges, as ratios in one run: similarity scoring against a row-by-row loop, and distractor search.

    python -P bench/judges.py               # 400 rows, 100,000 concepts; a minute or two
    python -P bench/judges.py --rows 2000

The loop is the published one: it encodes the caption, then the description, one row after the other, with
sentence-transformers where that is installed, else with our own encoder, one text at a time. It is held against in its
kindest setting: torch's own choice of threads, and a single one, which is many times faster where other programs keep
the cores busy. Ratios are of CPU seconds, which such programs disturb less. Claims are printed with what was measured;
the exit status says whether they hold:

* scoring in batches is 3 times as fast on unseen texts, and 100 times as fast from the cache;
* the two nearest of 100,000 concepts are found in seconds for 200 targets (vectors at hand; how long encoding takes is
  printed beside it).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from quorate.encoders import text_encoder
from quorate.encoders.places import has, minilm_folder
from quorate.encoders.sentences import minilm
from quorate.judges import Request, Similarity
from quorate.plan.distractors import _ranked
from quorate.records import Item, Shown

WORDS = """
    line chart of mean leaf area by day of year with three curves that rise first and end near one hundred per cent
    table of sites altitude frost nights saplings error bars show confidence intervals treatment control warmed
    chamber night polymer chain length against temperature scatter plot axis legend caption figure model accuracy
""".split()  # noqa: SIM905


def text(rng: np.random.Generator, least: int, most: int) -> str:
    return " ".join(rng.choice(WORDS, int(rng.integers(least, most))))


def rows(n: int, seed: int) -> list[tuple[str, str]]:
    """Captions of 8 to 40 words, descriptions of 20 to 90, as in the published table."""
    rng = np.random.default_rng(seed)
    return [(f"Figure {k}: {text(rng, 8, 40)}", f"{k}. {text(rng, 20, 90)}") for k in range(n)]


def timed(call: Callable[[], Any]) -> float:
    """CPU seconds of this process, all threads together."""
    began = time.process_time()
    call()
    return time.process_time() - began


def loop_seconds(table: list[tuple[str, str]]) -> tuple[str, float]:
    """The published loop in its kindest setting, and what it was."""

    def run(encode: Callable[[str], Any]) -> float:
        encode("warm up")
        return timed(lambda: [float(np.dot(encode(one), encode(other))) for one, other in table])

    if not has("sentence_transformers"):
        encoder = minilm()
        return "our encoder, one text at a time", run(lambda one: encoder.encode([one])[0])
    import torch
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(minilm_folder()), device="cpu")
    found = {}
    for threads in (torch.get_num_threads(), 1):
        torch.set_num_threads(threads)
        found[f"sentence-transformers with {threads} threads"] = run(
            lambda one: model.encode(one, show_progress_bar=False)
        )
    return min(found.items(), key=lambda pair: pair[1])


def similarity(n: int) -> list[tuple[str, float, float]]:
    """The loop, ours on unseen texts and ours from the cache, on the same texts."""
    table = rows(n, 1)
    name, loop = loop_seconds(table)
    judge = Similarity(compare={"caption_score": ("caption", "description")})
    prompts = {"caption_score": "How accurate?"}
    requests = [
        Request(Item(str(k), {"caption": one, "description": other}), "s", Shown(), prompts=prompts)
        for k, (one, other) in enumerate(table)
    ]
    batches = [requests[start : start + judge.batch] for start in range(0, n, judge.batch)]
    text_encoder("minilm").encode(["warm up"])
    unseen = timed(lambda: [judge.ask_all(batch) for batch in batches])
    cached = timed(lambda: [judge.ask_all(batch) for batch in batches])
    print(f"similarity, {n} rows, against {name}:")
    for what, seconds in (("row by row", loop), ("unseen texts", unseen), ("from the cache", cached)):
        print(f"  {what:16s} {n / seconds:10.0f} rows a CPU second")
    return [("unseen texts", loop / unseen, 3.0), ("from the cache", loop / cached, 100.0)]


def distractors(n: int, targets: int = 200) -> float:
    """Seconds to find the two nearest of n concepts for so many targets, vectors at hand."""
    rng = np.random.default_rng(2)
    vectors = rng.standard_normal((n, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    concepts = [f"concept {k}" for k in range(n)]
    seconds = timed(lambda: [_ranked(vectors @ vectors[k], concepts, 4, 0.9) for k in range(targets)])
    names = [text(rng, 1, 4) + f" {k}" for k in range(1000)]
    each = timed(lambda: minilm().encode(names)) / len(names)
    print(f"distractors: {targets} targets among {n:,} concepts in {seconds:.2f} CPU s; encoding the concepts")
    print(f"  would take about {n * each:.0f} CPU s here, once ({1 / each:.0f} texts a second), and is kept")
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=400)
    parser.add_argument("--concepts", type=int, default=100_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # A graph that was built before is used; vectors that were kept before are not.
        for graph in (Path.home() / ".cache" / "quorate").glob("*.onnx"):
            (Path(folder) / graph.name).symlink_to(graph)
        os.environ["QUORATE_CACHE"] = folder
        claims = similarity(given.rows)
        seconds = distractors(given.concepts)
    fine = True
    for what, ratio, least in claims:
        fine = fine and ratio >= least
        print(f"{'holds' if ratio >= least else 'FAILS'}: {what}, {ratio:.1f} times the loop (at least {least:g})")
    print(f"{'holds' if seconds < 20 else 'FAILS'}: distractor search in {seconds:.2f} CPU s (below 20)")
    return 0 if fine and seconds < 20 else 1


if __name__ == "__main__":
    sys.exit(main())
