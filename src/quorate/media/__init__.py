"""What can be shown: one kind a file, and a row in this table."""

from __future__ import annotations

from collections.abc import Mapping

from quorate.media.audio import Audio
from quorate.media.base import Contents, FieldMedium, FileMedium, Medium, ToPlay, contents_of, source_of, to_play
from quorate.media.clip import Clip, Plays
from quorate.media.conversation import HISTORY, Conversation, with_history
from quorate.media.image import Image
from quorate.media.markdown import MarkdownMedium
from quorate.media.noted import as_it_came
from quorate.media.originals import Originals, is_object, place_in_folder, wrong_address
from quorate.media.page import PAGES, PageMedium, find_page, with_pages
from quorate.media.pair import PairBase, SetBase, pair_of
from quorate.media.table import Table
from quorate.media.text import TextMedium
from quorate.media.video import Video

#: Kinds that one field of an item holds: they can stand alone, or on the sides of a pair.
SINGLE: Mapping[str, type[FieldMedium]] = {
    "image": Image,
    "text": TextMedium,
    "markdown": MarkdownMedium,
    "table": Table,
    "video": Video,
    "audio": Audio,
}
Pair = pair_of(SINGLE)
Set = pair_of(SINGLE, SetBase)

MEDIA: Mapping[str, type[Medium]] = {
    **SINGLE,
    "conversation": Conversation,
    "page": PageMedium,
    "pair": Pair,
    "set": Set,
}

__all__ = [
    "HISTORY",
    "MEDIA",
    "PAGES",
    "SINGLE",
    "Audio",
    "Clip",
    "Contents",
    "Conversation",
    "FieldMedium",
    "FileMedium",
    "Image",
    "MarkdownMedium",
    "Medium",
    "Originals",
    "PageMedium",
    "Pair",
    "PairBase",
    "Plays",
    "Set",
    "SetBase",
    "Table",
    "TextMedium",
    "ToPlay",
    "Video",
    "as_it_came",
    "contents_of",
    "find_page",
    "is_object",
    "place_in_folder",
    "source_of",
    "to_play",
    "with_history",
    "with_pages",
    "wrong_address",
]
