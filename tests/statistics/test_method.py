"""docs/method.md keeps its word: its examples run, and it names every statistic of the room."""

import re
from pathlib import Path

import pytest

from quorate import statistics

PAGE = (Path(__file__).parents[2] / "docs" / "method.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(example):
    exec(compile(example, "docs/method.md", "exec"), {})


def test_every_statistic_of_the_table_is_explained():
    assert [row.function for row in statistics.TABLE if f"`{row.function}" not in PAGE] == []
