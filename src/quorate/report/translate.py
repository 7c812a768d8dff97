"""The report in another language: sentences matched against a catalogue of patterns, their parts translated in turn.

The catalogue is a table of two columns: the English text with `{names}` for what varies, and the other language's with
the same names. A sentence is in one language: where a part of it is neither known to the catalogue nor a number nor a
name or text of the study, the whole sentence stays English, so that nothing is lost and nothing is mixed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

from quorate.errors import StudyError
from quorate.exhibits.blocks import Block, Chapter, Drawing
from quorate.exhibits.breakdowns import heading
from quorate.exhibits.tables import Cell, Table
from quorate.findings.names import judge_name
from quorate.languages import LANGUAGES, say, translation
from quorate.messages import Clauses, Listed, Message, Sentences, Text, Together, Word, joined
from quorate.messages import said as in_words
from quorate.report.methods import Paragraph
from quorate.sheets.sheet import Sheet

if TYPE_CHECKING:
    from quorate.report.page import Page

ENGLISH = "en"
_ENDS = tuple(".!?…。！？")
_SENTENCES = re.compile(r"(?<=[.!?…])\s+(?=[A-Z“0-9])")
FEW_LETTERS, SHORT_PART = 12, 60
#: The name that stands for a whole number and nothing else.
COUNT = "n"
_NAME = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Own:
    """A study's own words: its texts that are there in both languages, and names that stay as they are in any."""

    texts: Mapping[str, str] = field(default_factory=dict)
    #: In small letters; a sentence may hold them as they are.
    names: frozenset[str] = frozenset()
    #: Names that are never translated, even where the catalogue knows the word: values of fields, systems.
    kept: frozenset[str] = frozenset()

    @cached_property
    def _kept_in_list(self) -> re.Pattern[str]:
        one = "|".join(re.escape(name) for name in sorted(self.kept, key=len, reverse=True))
        return re.compile(rf"({one})(?:, |$)")

    def listed(self, text: str) -> list[str]:
        """The kept names of which a text is a list, commas or not in them; nothing where it is no such list."""
        found = [one for one in self._kept_in_list.finditer(text)] if self.kept else []
        return [one[1] for one in found] if sum(len(one[0]) for one in found) == len(text) else []

    def holds(self, text: str) -> bool:
        """Whether the text is of no language: numbers, a name of the study, or what it says in quotation marks."""
        rest = _QUOTED.sub("", text)
        return not _WORD.search(rest) or _plain(text) in self.names or _plain(_NUMBER.sub("", rest)) in self.names


NOTHING = Own()
_QUOTED = re.compile(r"“[^”]*”")
#: Two letters make a word; a single one is a symbol.
_WORD = re.compile(r"[A-Za-z]{2}")
_NUMBER = re.compile(r"[\d.,%+−]+")
#: What stands between the parts of a list, from the widest to the closest.
_BETWEEN = (("; ", "；"), (": ", "："), (r", | and ", "、"), (" / ", " / "))


def _plain(text: str) -> str:
    return text.strip(" .“”()[]").lower()


def translated(text: Text, language: str, own: Own = NOTHING) -> str:
    """The text in the language; what the catalogue does not hold stays as it is.

    >>> translated("Methods", "zh")
    '方法'
    """
    if not isinstance(text, str):
        return in_words(_with_labels(text, language, own), language)
    if language == ENGLISH or not text.strip():
        return text
    for english, other in own.texts.items():
        # A question of the study ends like a sentence, and what follows it belongs to it.
        if english[-1:] in _ENDS and text.startswith(f"{english} "):
            return f"{other} {translated(text.removeprefix(english).strip(), language)}"
    sentences = _SENTENCES.split(text)
    if len(sentences) == 1 or text in catalogue(language)[0]:
        return _matched(text, language, own) or text
    return "".join(_matched(sentence, language, own) or f"{sentence} " for sentence in sentences).strip()


def _with_labels(text: Text, language: str, own: Own) -> Text:
    """A message whose parts are labels that are English texts still: they are matched, too."""
    if isinstance(text, Message):
        return text.having(**{name: _with_labels(part, language, own) for name, part in text.parts})
    if isinstance(text, Clauses | Listed | Sentences | Together):
        return replace(text, parts=tuple(_with_labels(part, language, own) for part in text.parts))
    if isinstance(text, Word):
        return _matched(text.word, language, own) or text
    if isinstance(text, str) and _plain(text) not in own.names:
        return _matched(text, language, own) or text
    return text


def check_language(language: str) -> None:
    """Refuses a language in which no report can be written."""
    if language not in LANGUAGES:
        raise StudyError(f"There is no report in '{language}'. There are: {', '.join(LANGUAGES)}.")


def in_language(page: Page, language: str) -> Page:
    """The page with everything that it says in the language; ids and raters' own words stay as they are."""
    own = NOTHING if language == ENGLISH else own_words(page, language)

    def said(text: Text) -> str:
        return translated(text, language, own)

    return replace(
        page,
        language=language,
        own=own,
        facts=tuple(map(said, page.facts)),
        in_short=tuple(map(said, page.in_short)),
        outcomes=tuple(map(said, page.outcomes)),
        methods=tuple(Paragraph(said(p.heading), _sentences(p.text, language, said)) for p in page.methods),
        chapters=tuple(_chapter(chapter, said, language) for chapter in page.chapters),
        became=_table(page.became, said),
        annotators=_table(page.annotators, said),
        borderline=tuple(_table(table, said) for table in page.borderline),
        evidence=_table(page.evidence, said),
        limits=tuple(map(said, page.limits)),
        provenance=tuple((said(name), value) for name, value in page.provenance),
    )


def _sentences(text: Text, language: str, said: Callable[[Text], str]) -> str:
    return joined([said(one) for one in text.parts], language) if isinstance(text, Sentences) else said(text)


def _chapter(chapter: Chapter, said: Callable[[Text], str], language: str) -> Chapter:
    return replace(
        chapter,
        title=said(chapter.title),
        section=in_words(chapter.section, language),
        prose=tuple(map(said, chapter.prose)),
        blocks=tuple(_block(block, said) for block in chapter.blocks),
    )


def _block(block: Block, said: Callable[[Text], str]) -> Block:
    if isinstance(block, Table):
        return _table(block, said)
    if isinstance(block, Drawing):
        drawn = re.sub(r">([^<>]*[A-Za-z][^<>]*)</text>", lambda m: f">{said(m[1])}</text>", block.svg)
        return replace(block, svg=drawn, caption=said(block.caption))
    return replace(block, titles=tuple(map(said, block.titles)), caption=said(block.caption))


OWN_WORDS = (
    "disagreements",
    "excluded",
    "adjudicated",
    "rule",
    "borderline",
    "tags_by_outcome",
    "annotators",
    "evidence",
)


def _table(table: Table, said: Callable[[Text], str]) -> Table:
    # What raters wrote and the names of files, rules and items are nobody's to translate.
    own = any(name in table.key for name in OWN_WORDS)
    rows = tuple(tuple(_cell(cell, _only_ours(said) if own else said) for cell in row) for row in table.rows)
    if "disagreements" in table.key:
        # What a verdict says is the raters'; how it came about is the report's.
        rows = tuple((*row[:-1], replace(row[-1], text=_status(row[-1].text, said))) for row in rows)
    if table.key == "evidence":
        rows = tuple((_cell(row[0], said), *row[1:]) for row in rows)
    return replace(
        table, title=said(table.title), caption=said(table.caption), columns=tuple(map(said, table.columns)),
        notes=tuple(map(said, table.notes)), rows=rows,
    )  # fmt: skip


def _only_ours(said: Callable[[Text], str]) -> Callable[[Text], str]:
    return lambda text: text if isinstance(text, str) else said(text)


def _status(text: str, said: Callable[[Text], str]) -> str:
    verdict, _, status = text.rpartition("(")
    return f"{verdict}{said(f'({status}')}"


def _cell(cell: Cell, said: Callable[[Text], str]) -> Cell:
    return replace(cell, text=said(cell.text), small=_only_ours(said)(cell.small))


def own_words(page: Page, language: str) -> Own:
    """What the study file says in both languages, and the names that stand in its files and results."""
    texts = [page.protocol.file.title, *(one.statement for one in page.protocol.analysis.hypotheses)]
    for section in page.protocol.sections:
        texts += [section.title, *(ask.question.prompt for ask in section.ask)]
    found = {say(text): say(text, language) for text in texts if not isinstance(text, str)}
    heads = {
        heading(ask.id): say(ask.question.prompt, language)
        for section in page.protocol.sections for ask in section.ask if not isinstance(ask.question.prompt, str)
    }  # fmt: skip
    judges = {form for judge in page.protocol.file.judges for form in _forms(judge_name(judge))}
    kept = {finding.stratum for finding in page.results.findings} | _systems(page.sheets) | judges
    # A question called “verdict” does not change what the report's own columns are called.
    heads = {name: words for name, words in heads.items() if name not in catalogue(language)[0]}
    return Own({**heads, **found}, frozenset(_names(page)), frozenset(kept - {""}))


def _forms(name: str) -> tuple[str, str]:
    """A name, and as it begins a sentence."""
    return name, name[:1].upper() + name[1:]


def _names(page: Page) -> Iterator[str]:
    """Every name and text of the study as a sentence may hold it, in small letters."""
    told = [
        *_strings(page.protocol.source),
        *(judge_name(judge) for judge in page.protocol.file.judges),
        *(person.id for person in page.results.annotators),
        *(version.reason for version in page.results.versions),
        *(finding.stratum for finding in page.results.findings),
        *_systems(page.sheets),
    ]
    items = next((sheet.items for sheet in page.sheets), ())
    told += {value for item in items for value in (item.id, *item.fields.values()) if isinstance(value, str)}
    for text in dict.fromkeys(told):
        plain = _plain(text)
        yield from (plain, plain.replace("_", " "))


def _strings(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for inner in part.values():
            yield from _strings(inner)
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from _strings(inner)


def _systems(sheets: Iterable[Sheet]) -> set[str]:
    return {
        system
        for sheet in sheets if sheet.question.compares() or sheet.question.rates_each()
        for shown in sheet.people.column("shown") for system in shown.sides.values()
    }  # fmt: skip


def _matched(text: str, language: str, own: Own) -> str | None:
    exact, patterns = catalogue(language)
    if text in own.kept:
        return text
    if text in own.texts or text in exact:
        return own.texts.get(text) or exact[text]
    message = translation(language).gettext(text) if text else text
    if message != text:
        return message
    for pattern, template in patterns:
        # A name of the study may hold the pattern's own words: where the shortest parts do not fit, the longest may.
        for found in filter(None, (pattern.fullmatch(text), _longest_parts(pattern).fullmatch(text))):
            if not _is_meant(pattern, found):
                continue
            parts = {name: _part(value, language, own) for name, value in found.groupdict().items()}
            if None not in parts.values():
                return template.format(**parts)
    return None


def _is_meant(pattern: re.Pattern[str], found: re.Match[str]) -> bool:
    """A pattern of few letters, such as “{a} and {b}”, is meant for short texts alone."""
    if len(pattern.pattern) - sum(len(name) + 8 for name in pattern.groupindex) > FEW_LETTERS:
        return True
    return all(len(part) <= SHORT_PART and ";" not in part for part in found.groups())


def _part(text: str, language: str, own: Own) -> str | None:
    """A part of a sentence in the language, or as it is where it is of no language; None where it is English."""
    whole = _matched(text, language, own) or (text if own.holds(text) else None)
    return whole or _listed(text, language, own)


def _listed(text: str, language: str, own: Own) -> str | None:
    """A list whose parts can all be said in the language."""
    if names := own.listed(text):
        return "、".join(names)
    for between, joint in _BETWEEN:
        pieces = re.split(between, text)
        if len(pieces) > 1:
            parts = [_part(piece, language, own) for piece in pieces]
            return joint.join(part for part in parts if part) if None not in parts else None
    return None


@cache
def catalogue(language: str) -> tuple[dict[str, str], tuple[tuple[re.Pattern[str], str], ...]]:
    """The texts without parts, and the patterns from the longest to the shortest."""
    path = files("quorate.report").joinpath(f"templates/report.{language}.tsv")
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    pairs = [line.split("\t") for line in lines if line and not line.startswith("#")]
    exact = {english: other for english, other in pairs if not _NAME.search(english)}
    patterns = [(_pattern(english), other) for english, other in _longest(pairs) if _NAME.search(english)]
    return exact, tuple(patterns)


def _longest(pairs: Iterable[list[str]]) -> list[list[str]]:
    return sorted(pairs, key=lambda pair: -len(_NAME.sub("", pair[0])))


@cache
def _longest_parts(pattern: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(pattern.pattern.replace(".+?", ".+"), re.DOTALL)


def _pattern(english: str) -> re.Pattern[str]:
    parts = _NAME.split(english)
    # Every second part is a name; a name that stands twice has to be the same text twice.
    seen: set[str] = set()
    written = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            written += re.escape(part)
        else:
            what = r"[\d,]+" if part == COUNT else ".+?"
            written += f"(?P={part})" if part in seen else f"(?P<{part}>{what})"
            seen.add(part)
    return re.compile(written, re.DOTALL)
