"""A sound clip."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import ClassVar

from quorate.media.base import Contents
from quorate.media.clip import Clip
from quorate.media.clips import as_wav
from quorate.records import Item, Shown


class Audio(Clip):
    """A sound, named by a path in a field of the item."""

    track: ClassVar[str] = "audio"

    def as_content(self, item: Item, shown: Shown, files: Mapping[str, bytes]) -> Contents:
        return [_sound(path, files[path]) for path in self.paths(item)]


def _sound(path: str, content: bytes) -> dict[str, object]:
    """Endpoints take WAV and MP3; every other sound is turned into WAV."""
    format = "mp3" if path.lower().endswith(".mp3") else "wav"
    if not path.lower().endswith((".mp3", ".wav")):
        content = as_wav(content)
    return {"type": "input_audio", "input_audio": {"data": b64encode(content).decode(), "format": format}}
