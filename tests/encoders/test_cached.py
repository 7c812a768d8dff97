"""What was encoded once is not encoded again, in this process or in another, and a crash costs one record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from quorate.encoders.cached import Cached


class Counting:
    """Letters as vectors; counts what it is asked."""

    method, model, identity = "letters", "counting", "counting"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return np.array([[len(text), text.count("a"), 1] for text in texts], dtype=np.float32)


def test_only_new_texts_reach_the_encoder(tmp_path: Path) -> None:
    encoder = Counting()
    cached = Cached(encoder, tmp_path)
    first = cached.encode(["a", "bb", "a"])
    assert encoder.asked == ["a", "bb"]
    np.testing.assert_array_equal(first, [[1, 1, 1], [2, 0, 1], [1, 1, 1]])
    np.testing.assert_array_equal(cached.encode(["ccc", "a"]), [[3, 0, 1], [1, 1, 1]])
    assert encoder.asked == ["a", "bb", "ccc"]


def test_another_process_finds_what_was_kept(tmp_path: Path) -> None:
    Cached(Counting(), tmp_path).encode(["a", "bb"])
    later = Counting()
    np.testing.assert_array_equal(Cached(later, tmp_path).encode(["bb", "a"]), [[2, 0, 1], [1, 1, 1]])
    assert later.asked == []


def test_two_that_write_in_turn_see_each_other(tmp_path: Path) -> None:
    one, two = Counting(), Counting()
    first, second = Cached(one, tmp_path), Cached(two, tmp_path)
    first.encode(["a"])
    second.encode(["bb"])
    first.encode(["a", "bb"])
    second.encode(["a", "bb"])
    assert (one.asked, two.asked) == (["a"], ["bb"])


def test_a_record_that_a_crash_cut_short_is_made_again(tmp_path: Path) -> None:
    Cached(Counting(), tmp_path).encode(["a", "bb"])
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-5])
    later = Counting()
    np.testing.assert_array_equal(Cached(later, tmp_path).encode(["a", "bb", "ccc"]), [[1, 1, 1], [2, 0, 1], [3, 0, 1]])
    assert later.asked == ["bb", "ccc"]
    again = Counting()
    Cached(again, tmp_path).encode(["a", "bb", "ccc"])
    assert again.asked == []


def test_another_model_has_vectors_of_its_own(tmp_path: Path) -> None:
    other = Counting()
    other.identity = "other"
    Cached(Counting(), tmp_path).encode(["a"])
    Cached(other, tmp_path).encode(["a"])
    assert other.asked == ["a"]


def test_nothing_gives_nothing(tmp_path: Path) -> None:
    assert Cached(Counting(), tmp_path).encode([]).size == 0
