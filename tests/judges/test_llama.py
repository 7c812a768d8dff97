"""A real llama.cpp server: the wire format holds, output keeps to the schema, pictures arrive, eight at once.

Its weights are random, so its answers mean nothing, and nothing here pretends otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from asked import judge, with_judge
from llama_server import llama
from raters import under_way
from studies import visual_puns

pytest.importorskip("xllamacpp", reason="needs xllamacpp and gguf: a real server to talk to")
pytest.importorskip("gguf", reason="needs xllamacpp and gguf: a real server to talk to")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with llama(tmp_path_factory.mktemp("llama")) as address:
        yield address


def study(folder: Path, url: str, more: str = "", n: int = 8) -> Path:
    """The small study as a choice, so that a random model can only give one of its options."""
    visual_puns(folder, n=n)
    path = folder / "study.yaml"
    text = path.read_text()
    head, rest = text.split("        text:\n", 1)
    question = "        choice: {prompt: What is it?, options: [A circle, A square, A star]}\n"
    path.write_text(head + question + rest[rest.index("    hide:") :].replace("  compare: {judge: mllm}\n", ""))
    return with_judge(
        folder, f"{{openai: {{model: tiny, url: '{url}', at_once: 8, max_tokens: 60, tries: 1, timeout: 600{more}}}}}"
    )


def test_every_item_gets_an_option_of_the_question(tmp_path: Path, url: str) -> None:
    with under_way(study(tmp_path / "study", url)) as running:
        summary = judge(running)
        rows, calls = running.answers("mllm"), running.read(lambda tx: tx.calls("mllm"))
    assert summary.asked == len(rows) == 8
    assert summary.left == 0
    assert all(row.value in ("A circle", "A square", "A star") for row in rows)
    assert all(call.tokens_in and call.tokens_out and call.reply.startswith("{") for call in calls)
    # The picture became tokens of the prompt: without it, the words alone would be as many in every call.
    assert all("image_url" in call.prompt and "sha256:" in call.prompt for call in calls)


def test_a_picture_adds_its_tokens_to_the_prompt(tmp_path: Path, url: str) -> None:
    with_picture, without = study(tmp_path / "one", url), study(tmp_path / "two", url)
    path = without / "study.yaml"
    path.write_text(path.read_text().replace("- image: image", "- text: {field: image}").replace("grid: true", ""))
    tokens = []
    for folder in (with_picture, without):
        with under_way(folder) as running:
            judge(running, limit=1)
            (call,) = running.read(lambda tx: tx.calls("mllm"))
            tokens.append(call.tokens_in)
    assert tokens[0] != tokens[1]


def test_samples_at_a_temperature_differ_and_at_zero_do_not(tmp_path: Path, url: str) -> None:
    found = []
    for n, temperature in enumerate((0, 2)):
        folder = study(tmp_path / str(n), url, f", samples: 4, temperature: {temperature}, output: text", n=2)
        with under_way(folder) as running:
            judge(running)
            calls = running.read(lambda tx: tx.calls("mllm"))
            found.append(len({(call.item, call.reply) for call in calls}) / len({call.item for call in calls}))
    assert found[0] < found[1]
