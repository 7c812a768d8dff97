"""What a chapter of the report is made of, before it has a form: tables, drawings and galleries."""

from __future__ import annotations

from dataclasses import dataclass, replace

from quorate.exhibits.tables import Table
from quorate.findings.results import Comparison
from quorate.messages import Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure as SVG, with a caption that states the finding."""

    key: str
    svg: str
    caption: Text
    #: Whether it stands in the supplement.
    further: bool = False
    #: Whether it answers what the study asks, and may be the one figure of the first screen.
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Gallery:
    """An item of each cell of a comparison, with its picture and what was answered.

    `titles` say of each example whether people and the judge are right, `judge` is what the judge is called.
    """

    comparison: Comparison
    titles: tuple[Text, ...]
    judge: str
    caption: Text
    further: bool = False


Block = Table | Drawing | Gallery


@dataclass(frozen=True, slots=True)
class Chapter:
    """One part of the results."""

    title: Text
    blocks: tuple[Block, ...]
    #: Matrix tables, which are shaded by their numbers.
    shaded: frozenset[str] = frozenset()
    #: What its tables and figures amount to, in sentences.
    prose: tuple[Text, ...] = ()
    #: The section of the study that it is of, where there are several.
    section: Text = ""
    #: Whether it stands in the supplement, but for what a hypothesis rests on.
    is_detail: bool = False
    #: Whether it says how far answers agree or why they were given, and not what they say.
    is_told_later: bool = False

    def layer(self, further: bool) -> Chapter | None:
        """What of it stands in the paper section or, with `further`, in the supplement; None where nothing does."""
        blocks = tuple(block for block in self.blocks if block.further is further)
        # What it amounts to is said once, where it is shown first.
        is_first = not further or len(blocks) == len(self.blocks)
        return replace(self, blocks=blocks, prose=self.prose if is_first else ()) if blocks else None

    @property
    def tables(self) -> tuple[Table, ...]:
        """Its tables, in order."""
        return tuple(block for block in self.blocks if isinstance(block, Table))

    @property
    def drawings(self) -> tuple[Drawing, ...]:
        """Its drawings, in order."""
        return tuple(block for block in self.blocks if isinstance(block, Drawing))
