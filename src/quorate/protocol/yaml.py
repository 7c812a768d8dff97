"""Reads YAML and remembers on which line everything stood."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from quorate.errors import Complaint, StudyError, StudyFileError
from quorate.files import read_bounded
from quorate.importers.tables import decode, unkept

Path_ = Sequence[str | int]
#: How deep a file may be nested, how many values it may have once its aliases (*) are written out, and how many
#: characters. Items are rows of tables, which have no such limit; nobody writes a study file of this size by hand.
DEEPEST, MOST_VALUES, LARGEST = 50, 200_000, 5_000_000
#: And how many bytes, as a text that raters read.
LARGEST_TEXT = 4 * LARGEST
# So many open brackets are no nesting that anybody wrote, and take the reader their number squared.
_MOST_OPEN = 1_000
_MOST_BITS = 1_000
TOO_DEEP = f"it is nested more than {DEEPEST} levels deep, or within itself."
# What reading a text that is no study file may raise beside YAML's own errors: a number of 5,000 digits, a 13th month.
_UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, AssertionError, NotImplementedError)


class Document:
    """A YAML file: its data as plain dicts and lists, and the line of every path in it."""

    def __init__(self, path: Path):
        self.name = path.name
        self._tree = _load(path)
        self.data: dict[str, Any] = _plain(self._tree)
        self._misspelt: Mapping[Path_, str] = {}

    def line(self, path: Path_) -> int:
        """The line on which the last known part of a path stands."""
        node, line = self._tree, 1
        for key in path:
            if isinstance(node, CommentedMap) and key in node:
                if key in (node.lc.data or {}):  # a merged key (<<) has no line of its own
                    line = node.lc.key(key)[0] + 1
            elif isinstance(node, CommentedSeq) and isinstance(key, int) and key < len(node):
                line = node.lc.item(key)[0] + 1
            else:
                break
            node = node[key]
        return line

    def reading_as(self, data: dict[str, Any], misspelt: Mapping[Path_, str]) -> Document:
        """The same file read as if this stood in it; `misspelt` are the keys as they stand there, by their places."""
        other = copy(self)
        other.data, other._misspelt = data, misspelt
        return other

    def complaint(self, path: Path_, sentence: str) -> Complaint:
        """A complaint about what stands at this path."""
        written = [self._misspelt.get(tuple(path[: depth + 1]), key) for depth, key in enumerate(path)]
        return Complaint(self.name, self.line(written), dotted(written), sentence)


def dotted(path: Path_) -> str:
    """The path as a person writes it.

    >>> dotted(("sections", 0, "show"))
    'sections[0].show'
    """
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}"
    return text.removeprefix(".")


def as_yaml(data: Mapping[str, Any]) -> str:
    """Data as YAML that reads back to the same: JSON would make texts of the points of a scale.

    >>> as_yaml({"anchors": {5: "good", 1: "bad"}})
    'anchors:\\n  5: good\\n  1: bad\\n'
    """
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.allow_unicode = True
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    out = StringIO()
    yaml.dump(dict(data), out)
    return out.getvalue()


def from_yaml(text: str) -> Any:
    """What `as_yaml` was given."""
    try:
        _look_over(text)
        tree = YAML(typ="safe", pure=True).load(text)
        _measure(tree)
    except RecursionError as error:
        raise YAMLError("it is nested too deeply") from error
    except _UNREADABLE as error:
        raise YAMLError(f"it cannot be read ({error})") from error
    except StudyError as error:
        raise YAMLError(str(error)) from error
    return tree


def _load(path: Path) -> CommentedMap:
    yaml = YAML(typ="rt")
    try:
        text = decode(read_bounded(path, LARGEST_TEXT))
        _look_over(text)
        tree = yaml.load(text)
        _measure(tree)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = (error.problem or error.context or "this is not YAML").strip()
        if "character '\\t'" in what:
            what = "a tab stands here, and YAML indents with spaces alone"
        line = mark.line + 1 if mark else None
        raise StudyFileError([Complaint(path.name, line, "", f"{what.splitlines()[0].rstrip('.')}.")]) from error
    except YAMLError as error:
        raise StudyFileError([Complaint(path.name, None, "", f"{error}.")]) from error
    except StudyError as error:
        raise StudyFileError([Complaint(path.name, None, "", str(error))]) from error
    except RecursionError as error:
        raise StudyFileError([Complaint(path.name, None, "", TOO_DEEP)]) from error
    except _UNREADABLE as error:
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise StudyFileError([Complaint(path.name, None, "", f"a value cannot be read ({what}).")]) from error
    if not isinstance(tree, CommentedMap):
        sentence = "a study file is a list of keys and values, such as 'title: Visual puns'."
        raise StudyFileError([Complaint(path.name, 1, "", sentence)])
    return tree


def _look_over(text: str) -> None:
    """Raise a StudyError for a text that would take long to read, and is no study file."""
    if len(text) > LARGEST:
        raise StudyError(f"it is longer than {LARGEST:,} characters. Put what is long into files that it names.")
    open_now = 0
    for bracket in re.findall(r"[][{}]", text):
        open_now = open_now + 1 if bracket in "[{" else max(0, open_now - 1)
        if open_now > _MOST_OPEN:
            raise StudyError(TOO_DEEP)


def _measure(tree: Any) -> None:
    """Raise a StudyError where a file is nested too deeply, or grows too large when its aliases are written out.

    What aliases stand for is one node, however often they stand there: so it is counted without writing it out.
    """
    known: dict[int, tuple[int, int]] = {}

    def measured(node: Any, depth: int) -> tuple[int, int]:
        """How many values there are, and how many levels."""
        if not isinstance(node, dict | list | tuple | set):
            _refuse_unkept(node)
            return 1, 0
        if id(node) not in known:
            if depth > DEEPEST:
                raise StudyError(TOO_DEEP)
            parts = [*node.keys(), *node.values()] if isinstance(node, dict) else node
            found = [measured(part, depth + 1) for part in parts]
            known[id(node)] = 1 + sum(n for n, _ in found), 1 + max((levels for _, levels in found), default=0)
        n, levels = known[id(node)]
        if levels > DEEPEST:
            raise StudyError(TOO_DEEP)
        if n > MOST_VALUES:
            raise StudyError(
                f"it has more than {MOST_VALUES:,} values, counting what aliases (*) stand for. "
                "Put what is long into a table."
            )
        return n, levels

    measured(tree, 0)


def _refuse_unkept(node: Any) -> None:
    """Raise a StudyError for a value that no database keeps, and no page shows."""
    if isinstance(node, str) and (what := unkept(node)):
        raise StudyError(f"a text holds {what}: {node[:40]!r}. Take it out.")
    if isinstance(node, int) and node.bit_length() > _MOST_BITS:
        raise StudyError("a number has more than 300 digits. Write a smaller one.")


def _plain(node: Any) -> Any:
    if isinstance(node, CommentedMap):
        return {_plain(key): _plain(value) for key, value in node.items()}
    if isinstance(node, CommentedSeq):
        return [_plain(value) for value in node]
    # Scalars with comments attached are subclasses of the plain types.
    for plain in (bool, int, float, str):
        if isinstance(node, plain):
            return plain(node)
    return node
