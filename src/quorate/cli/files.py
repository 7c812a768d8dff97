"""Commands that bring files in and out: export, import, and the check of a filled file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quorate.protocol import Protocol


def check_file(protocol: Protocol, file: Path, as_json: bool) -> None:
    """Says what is wrong in a filled file of the study's own format."""
