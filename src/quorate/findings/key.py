"""What a finding is of, as fields; and the readable id that stands for them."""

from __future__ import annotations

from dataclasses import dataclass

from quorate.findings.ids import id_of

#: Words of an id that say what the names after them are. A name that is one of them is escaped.
MARKS = ("of", "rater", "judge", "round", "by")


@dataclass(frozen=True, slots=True)
class Key:
    """What one finding is of: no two findings of a study have the same key.

    `reading` is how the answers were read; `what` tells a finding from others of the same statistic: a role, a tag, a
    class of errors, a column of metrics.

    >>> Key("compare", "winner", "sign test", reading="verdict", systems=("gpt-4.1", "C++"), by="lang", stratum="by").id
    'compare.winner.sign_test.verdict.of.gpt-4%2E1.C%2B%2B.by.lang.%62y'
    """

    section: str
    question: str
    statistic: str
    reading: str = ""
    what: str = ""
    systems: tuple[str, ...] = ()
    raters: tuple[str, ...] = ()
    judge: str = ""
    round: int = 1
    by: str = ""
    stratum: str = ""

    @property
    def id(self) -> str:
        """The key as one text, which no other key gives."""
        words = [*filter(None, (self.section, self.question)), self.statistic.replace(" ", "_")]
        words += filter(None, (self.reading, self.what))
        marked = [_escaped(word) for word in words]
        if self.systems:
            marked += ["of", *map(_escaped, self.systems)]
        if self.raters:
            marked += ["rater", *map(_escaped, self.raters)]
        if self.judge:
            marked += ["judge", _escaped(self.judge)]
        if self.round > 1:
            marked += ["round", str(self.round)]
        if self.by:
            marked += ["by", _escaped(self.by), _escaped(self.stratum)]
        return ".".join(marked)


def _escaped(name: str) -> str:
    return f"%{ord(name[0]):02X}{name[1:]}" if name in MARKS else id_of(name)
