"""Study file → types; every complaint carries its line."""

from __future__ import annotations

from quorate.protocol.load import STUDY_FILE, load
from quorate.protocol.protocol import Protocol
from quorate.protocol.study_file import Asks, Section, StudyFile, json_schema

__all__ = ["STUDY_FILE", "Asks", "Protocol", "Section", "StudyFile", "json_schema", "load"]
