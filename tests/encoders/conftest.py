"""A cache of vectors and graphs that belongs to the tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cache_of_the_session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("encoders")


@pytest.fixture(autouse=True)
def own_cache(cache_of_the_session: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUORATE_CACHE", str(cache_of_the_session))
    return cache_of_the_session
