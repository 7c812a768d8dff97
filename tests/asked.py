"""A small study whose judge is behind a scripted server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from openai_server import Script, Scripted, scripted
from quorate.collect.judging import Summary, judge_study
from raters import UnderWay, under_way


def with_judge(folder: Path, judge: str) -> Path:
    """The study with this judge instead of its own."""
    path = folder / "study.yaml"
    path.write_text(re.sub(r"  mllm: .*\n", f"  mllm: {judge}\n", path.read_text()))
    return folder


@contextmanager
def judged_by(folder: Path, script: Script, **options: Any) -> Iterator[tuple[UnderWay, Scripted]]:
    """The study under way, with a model behind this script."""
    with scripted(script) as server:
        said = "".join(f", {name}: {value}" for name, value in {"first_wait": 0, **options}.items())
        with_judge(folder, f"{{openai: {{model: m, url: '{server.url}'{said}}}}}")
        with under_way(folder) as running:
            yield running, server


def judge(running: UnderWay, **options: Any) -> Summary:
    (summary,) = judge_study(running.store, running.protocol, **options)
    return summary
