"""What a study file says of its questions, looked at before anybody is asked: names in conditions, and lengths."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from quorate.conditions import condition
from quorate.errors import did_you_mean
from quorate.importers import Row
from quorate.languages import Words
from quorate.protocol.named import Place
from quorate.protocol.study_file import Asks, Section, StudyFile
from quorate.questions.canonical import as_seen
from quorate.questions.text import MOST_CHARACTERS
from quorate.records import Item

Wrong = Iterator[tuple[Place, str]]
Tables = Mapping[str, Sequence[Row]]


def wrong_in_questions(study: StudyFile, fields: Collection[str], tables: Tables) -> Wrong:
    """Complaints about questions: each a place and a sentence. `fields` are those of the items, if they are known."""
    for s, section in enumerate(study.sections):
        place: Place = ("sections", s)
        yield from _wrong_lengths(section.ask, (*place, "ask"))
        if fields:
            yield from _wrong_conditions(section.ask, fields, (*place, "ask"))
            yield from _wrong_rules(section, fields, place)
            yield from _wrong_guide(section, fields, tables, place)
        yield from _wrong_losers(section.ask, (*place, "ask"))
        yield from _wrong_sides(section, (*place, "ask"))
    raters = study.raters
    pages = ((raters.eligibility, "eligibility"), (raters.background, "background"))
    for asks, name in pages:
        yield from _wrong_lengths(asks, ("raters", name))
        yield from _wrong_conditions(asks, (), ("raters", name))
    if raters.debrief:
        yield from _wrong_lengths(raters.debrief.ask, ("raters", "debrief", "ask"))
        yield from _wrong_conditions(raters.debrief.ask, (), ("raters", "debrief", "ask"))


def wrong_in_quiz(study: StudyFile, pool: Sequence[Item], tables: Tables) -> Wrong:
    """Complaints about the quiz that `raters.screening` names: its fields, and how many questions a panel gets."""
    rule = study.raters.screening
    rows = tables.get(rule.from_, ()) if rule else ()
    if rule is None or not rows:
        return
    columns = rows[0].fields
    named = [("id", rule.id), ("question", rule.question), ("answer", rule.answer), ("by", rule.by)]
    for key, name in (*named, *(("options", option) for option in rule.options)):
        if name is not None and name not in columns:
            hint = did_you_mean(name, columns) or f" It has: {', '.join(columns)}."
            yield ("raters", "screening", key), f"{rule.from_} has no column '{name}'.{hint}"
    panels = sorted({str(item.fields.get(study.raters.panels)) for item in pool}) if study.raters.panels else []
    if rule.by in columns and panels:
        for panel in panels:
            n = sum(str(row.fields[rule.by]) == panel for row in rows)
            if n < (rule.n or 1):
                sentence = (
                    f"a quiz has {rule.n or 'some'} questions, and {rule.from_} has {n} for '{panel}' ({rule.by})."
                )
                yield ("raters", "screening", "n" if rule.n else "by"), sentence
    elif rule.n is not None and rule.n > len(rows):
        yield ("raters", "screening", "n"), f"a quiz has {rule.n} questions, and {rule.from_} has {len(rows)}."


def wrong_in_options(study: StudyFile, items: Sequence[Item]) -> Wrong:
    """Complaints about two options that nobody can tell apart: of a question as it is written, or of an item's own."""
    for place, ask in asked_anywhere(study):
        of: Sequence[Item | None] = [item for item in items if all(field in item.fields for field in ask.part.fields())]
        found = [
            (item, same)
            for item in (of if ask.part.fields() else (None,))
            if (same := ask.question.same_options(as_seen, item))
        ]
        if found:
            item, (option, _) = found[0]
            more = f" (and {len(found) - 1} more)" if found[1:] else ""
            of_item = f"item '{item.id}'{more} has " if item else ""
            yield (*place, ask.kind), f"{of_item}two options that read '{option}'. No rater can tell them apart."


def asked_anywhere(study: StudyFile) -> Iterator[tuple[Place, Asks]]:
    """Every question of a study with its place: those about items, and those about the rater."""
    raters = study.raters
    pages: list[tuple[Place, Sequence[Asks]]] = [
        (("sections", s, "ask"), section.ask) for s, section in enumerate(study.sections)
    ]
    pages += [(("raters", "eligibility"), raters.eligibility), (("raters", "background"), raters.background)]
    pages += [(("raters", "debrief", "ask"), raters.debrief.ask)] if raters.debrief else []
    for place, asks in pages:
        yield from (((*place, a), ask) for a, ask in enumerate(asks))


def _wrong_conditions(asks: Sequence[Asks], fields: Collection[str], place: Place) -> Wrong:
    """A condition speaks of fields of the item and of questions before its own."""
    ids = [ask.id for ask in asks]
    for a, ask in enumerate(asks):
        for key, text in (("applies_when", ask.applies_when), ("required_when", ask.required_when)):
            for name in sorted(condition(text).names) if text else ():
                if name in ids[a:]:
                    sentence = (
                        f"'{name}' is asked at this place or after it. A condition may speak of questions before it."
                    )
                    yield (*place, a, key), sentence
                elif name not in fields and name not in ids:
                    yield (*place, a, key), _unknown(name, [*fields, *ids[:a]])


def _wrong_rules(section: Section, fields: Collection[str], place: Place) -> Wrong:
    ids = [ask.id for ask in section.ask]
    for s, score in enumerate(section.scores):
        for name in score.weights:
            if name not in ids:
                yield (*place, "scores", s, "weights"), f"this section asks no '{name}'.{did_you_mean(name, ids)}"
        taken = {*ids, *(id for one in section.scores[:s] for id in (one.id, one.shared_id))}
        for id in sorted({score.id, score.shared_id} & taken):
            yield (*place, "scores", s, "id"), f"a question or score of this section is named '{id}' already."
    known = [*fields, *ids, *(score.id for score in section.scores)]
    for r, rule in enumerate(section.rules):
        for name in sorted(rule.names()):
            if name not in known:
                yield (*place, "rules", r), _unknown(name, known)


def _wrong_losers(asks: Sequence[Asks], place: Place) -> Wrong:
    ids = [ask.id for ask in asks]
    for a, ask in enumerate(asks):
        name = getattr(ask.question, "loser_of", None)
        if name is not None and name not in ids[:a]:
            sentence = f"no question before this one is named '{name}'.{did_you_mean(name, ids[:a])}"
            yield (*place, a, ask.kind, "loser_of"), sentence


def _wrong_sides(section: Section, place: Place) -> Wrong:
    """What is asked of sides needs something that stands side by side."""
    n_sides = next((n for show in section.show if (n := show.part.n_sides)), 0)
    for a, ask in enumerate(section.ask):
        if ask.question.compares() and n_sides != 2:
            yield (*place, a, ask.kind), f"a {ask.kind} is asked of two systems: `show` should have a pair."
        elif ask.question.rates_each() and not n_sides:
            yield (*place, a, ask.kind, "each"), "there are no sides to rate: `show` should have a pair or a set."


def _wrong_guide(section: Section, fields: Collection[str], tables: Tables, place: Place) -> Wrong:
    guide = section.guide
    rows = tables.get(guide.from_, ()) if guide else ()
    if guide is None or not rows:
        return
    columns = rows[0].fields
    if guide.on not in fields:
        yield (*place, "guide", "on"), _unknown(guide.on, fields)
    for key, name in (("on", guide.on), *(("text", text) for text in _every(guide.text))):
        if name not in columns:
            hint = did_you_mean(name, columns) or f" It has: {', '.join(columns)}."
            yield (*place, "guide", key), f"{guide.from_} has no column '{name}'.{hint}"


def _wrong_lengths(asks: Sequence[Asks], place: Place) -> Wrong:
    """What can be typed on one page fits into one form."""
    longest = sum(ask.question.longest() for ask in asks)
    if longest > MOST_CHARACTERS:
        yield (
            place,
            f"the texts of this page may have {longest:,} characters in all, and a page takes {MOST_CHARACTERS:,}. "
            "Lower `max_length` of some of them.",
        )


def _every(words: Words) -> list[str]:
    return [words] if isinstance(words, str) else list(words.values())


def _unknown(name: str, known: Collection[str]) -> str:
    hint = did_you_mean(name, known) or f" There are: {', '.join(sorted(set(known)))}."
    return f"neither a field of the items nor a question before it is named '{name}'.{hint}"
