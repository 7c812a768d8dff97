"""Two hashes of a study: of what raters meet, and of what is computed."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b, sha256
from typing import Any

import msgspec

# Where a study runs is in neither hash.
_SETTINGS = {"settings"}


def collection_hash(data: Mapping[str, Any], contents: Mapping[str, bytes]) -> str:
    """The study file without its analysis, and the content of every file it names."""
    collected = {key: value for key, value in data.items() if key not in {"analysis", *_SETTINGS}}
    files = {name: sha256(content).hexdigest() for name, content in contents.items()}
    return _hash({"study": collected, "files": files})


def analysis_hash(data: Mapping[str, Any]) -> str:
    """The analysis part of the study file."""
    return _hash(data.get("analysis", {}))


def _hash(value: Any) -> str:
    # Keys in order, so that two files that say the same have the same hash.
    return blake2b(msgspec.json.encode(value, order="deterministic"), digest_size=16).hexdigest()
