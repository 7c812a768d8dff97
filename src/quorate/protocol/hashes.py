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
    return _hash({"study": collected, "files": _digests(contents)})


def analysis_hash(data: Mapping[str, Any], contents: Mapping[str, bytes]) -> str:
    """The analysis part of the study file, and the content of the files that it alone names."""
    analysis = data.get("analysis", {})
    return _hash({"analysis": analysis, "files": _digests(contents)} if contents else analysis)


def canonical_json(value: Any) -> bytes:
    """JSON with its keys in order, so that two files that say the same are the same to the byte."""
    return msgspec.json.encode(_named(value), order="deterministic")


def _digests(contents: Mapping[str, bytes]) -> dict[str, str]:
    return {name: sha256(content).hexdigest() for name, content in contents.items()}


def _hash(value: Any) -> str:
    return blake2b(canonical_json(value), digest_size=16).hexdigest()


def _named(value: Any) -> Any:
    """The same with keys that are texts: the points of a scale are keys too, and JSON knows no other."""
    if isinstance(value, Mapping):
        return {str(key): _named(part) for key, part in value.items()}
    return [_named(part) for part in value] if isinstance(value, list | tuple) else value
