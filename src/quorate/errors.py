"""Every error that a person may read.

    StudyError                a sentence for its reader: where, what, what to do
    ├── StudyFileError        the study file, or a file it names, has complaints (all of them, with lines)
    ├── PlanError             the plan cannot be made from these items and raters
    │   └── EncoderError      the plan needs an encoder that is not installed here
    ├── StoreError            the database cannot be used as asked
    │   └── FrozenError       the protocol has changed since the first consent
    ├── CollectError          an answer or a step that cannot be accepted
    │   ├── LinkError         a link that is unknown, revoked or for someone else
    │   ├── ClosedError       the study does not take answers now
    │   ├── StaleError        the page was left behind by another tab or device
    │   └── AnswerError       an answer outside what the question allows
    ├── JudgeError            a judge that cannot be asked
    └── DataError             ratings or numbers that a statistic cannot use

Everything else that is raised is a bug and keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from quorate.messages import Text


class StudyError(Exception):
    """Something a person can put right; its text is a sentence that says how."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing wrong in a file, with its place: `study.yaml:14: sections[0].show: sentence`."""

    file: str
    line: int | None
    path: str
    sentence: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(part for part in (place, self.path, self.sentence) if part)


class StudyFileError(StudyError):
    """The study file, or a file it names, cannot be used; `complaints` holds every reason."""

    def __init__(self, complaints: Sequence[Complaint]):
        self.complaints = tuple(complaints)
        super().__init__("\n".join(map(str, self.complaints)))


class PlanError(StudyError):
    """The plan cannot be made from these items and raters."""


class EncoderError(PlanError):
    """The plan needs an encoder that is not installed here; another one would make another plan."""


class StoreError(StudyError):
    """The database cannot be used as asked."""


class FrozenError(StoreError):
    """The protocol has changed since the first consent."""


class CollectError(StudyError):
    """An answer or a step that cannot be accepted."""


class LinkError(CollectError):
    """A link that is unknown, revoked or meant for someone else."""


class ClosedError(CollectError):
    """The study does not take answers now."""


class StaleError(CollectError):
    """The page was left behind by another tab or device."""


class AnswerError(CollectError):
    """An answer outside what its question allows.

    The sentence is a template, so that a page can translate it before it fills in the details.
    """

    def __init__(self, sentence: str, **details: object):
        self.sentence = sentence
        self.details = details
        super().__init__(sentence.format(**details))


class JudgeError(StudyError):
    """A judge that cannot be asked."""


class DataError(StudyError):
    """Ratings or numbers that a statistic cannot use.

    Where the data of a study can be the cause, the sentence is a message without its full stop: `why` then says it in
    each language, as the reason why an estimate has no value.
    """

    def __init__(self, sentence: Text):
        self.why: Text = sentence.rstrip(".") if isinstance(sentence, str) else sentence
        super().__init__(sentence if isinstance(sentence, str) else f"{sentence}.")


def did_you_mean(word: str, known: Iterable[str], alike: float = 0.6) -> str:
    """A suggestion to end a complaint with, or nothing; `alike` is how near it has to be, from 0 to 1.

    >>> did_you_mean("imgae", ["image", "target"])
    " Did you mean 'image'?"
    >>> did_you_mean("xyz", ["image", "target"])
    ''
    """
    near = closest(word, known, alike)
    return f" Did you mean '{near}'?" if near else ""


def closest(word: str, known: Iterable[str], alike: float = 0.6) -> str:
    """The known word that is nearest, or nothing; `alike` is how near it has to be, from 0 to 1.

    >>> closest("imgae", ["image", "target"])
    'image'
    """
    return next(iter(get_close_matches(str(word), list(known), n=1, cutoff=alike)), "")
