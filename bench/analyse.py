"""How long `analyse` takes and how much memory it needs, at ten thousand, a hundred thousand and a million answers.

    python bench/analyse.py [n ...]

Each size runs in a process of its own; the answers are made before the clock starts and count in the memory.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random

from quorate.errors import AnswerError
from quorate.plan import Plan, make_plan
from quorate.protocol import Protocol, load
from quorate.records import Answer, Collected, Item, Participant, Reason, Shown

TEMPLATES = ("visual-puns", "abstract-visual", "media-preference", "document-extraction", "dialogue")
#: In how many ways an item is answered: enough to look like raters.
KINDS = 40


def study(template: str, n_answers: int) -> tuple[Protocol, Collected]:
    """A study of this template with about so many answers: its own items again and again, in clusters of their own."""
    protocol = load(Path(str(files("quorate"))) / "templates" / template)
    plan = make_plan(protocol)
    pool = plan.items
    kinds = {(section.id, place): _kinds(plan, section, item)
             for section in protocol.sections for place, item in enumerate(pool)}  # fmt: skip
    per_item = sum(len(made[0]) for made in kinds.values()) / len(pool) * protocol.raters.per_item
    items = tuple(_item(protocol, pool, k) for k in range(max(len(pool), round(n_answers / per_item))))
    protocol = replace(protocol, pool=items, tables=_tables(protocol, len(items) // len(pool) + 1))
    answers = tuple(_answers(protocol, kinds, items, len(pool)))
    return protocol, Collected(items, answers, _people())


def _item(protocol: Protocol, pool: Sequence[Item], k: int) -> Item:
    cluster, fields = protocol.file.items.cluster, pool[k % len(pool)].fields
    again = {cluster: f"{fields[cluster]}_{k // len(pool)}"} if cluster else {}
    return Item(f"item_{k:07d}", {**fields, **again})


def _tables(protocol: Protocol, times: int) -> dict:
    """Every table as it is; that of automatic metrics with a row for each of the clusters."""
    rule = protocol.analysis.metrics
    if rule is None:
        return dict(protocol.tables)
    rows = protocol.tables[rule.from_]
    more = [
        replace(row, fields={**row.fields, rule.on: f"{row.fields[rule.on]}_{k}"}) for k in range(times) for row in rows
    ]
    return {**protocol.tables, rule.from_: tuple(more)}


def _people() -> tuple[Participant, ...]:
    return tuple(Participant(f"R{k}", "finished", {}, {"consent": "t", "finished": "t"}) for k in range(1, 7))


def _kinds(plan: Plan, section, item: Item) -> list[list[tuple]]:
    """Some ways in which raters answer all questions about one item: what is shown, asked, typed and stored."""
    sides = [slot.shown for slot in plan.slots if (slot.section, slot.item) == (section.id, item.id)]
    draw = Random(f"{section.id}/{item.id}")
    return [list(_filled(section, item, sides[k % len(sides)], draw)) for k in range(KINDS)]


def _filled(section, item: Item, shown: Shown, draw: Random) -> Iterator[tuple]:
    given: dict = {}
    known = dict(item.fields)
    for ask in section.ask:
        raw, value = None, None
        reason: Reason | None = Reason.NOT_APPLICABLE
        if ask.applies(known):
            raw = ask.question.simulate(item, shown.to(ask.id), 0.7, lambda *_: draw.random())
            try:
                given[ask.id] = ask.question.parse(raw, shown.to(ask.id), item, given)
                value, reason = given[ask.id].value, None
                known[ask.id] = ask.question.plain(value)
            except AnswerError:
                raw, reason = None, Reason.SKIPPED
        yield shown, ask.id, raw, value, reason


def _answers(protocol: Protocol, kinds: dict, items: tuple[Item, ...], n: int) -> Iterator[Answer]:
    draw, seq = Random(1), 0
    per_item = protocol.raters.per_item
    for section in protocol.sections:
        for place, item in enumerate(items):
            for repeat in range(per_item):
                rater = f"R{1 + repeat + per_item * (place % (6 // per_item))}"
                for shown, question, raw, value, reason in kinds[section.id, place % n][draw.randrange(KINDS)]:
                    seq += 1
                    yield Answer(
                        seq, "rater", rater, section.id, item.id, question, value, reason, raw,
                        "2026-03-01T10:00:00.000Z", place, repeat, 12.5, 0, "", shown,
                    )  # fmt: skip


def once(template: str, n: int) -> dict:
    """One size in this process."""
    protocol, collected = study(template, n)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    from quorate.analyse import analyse

    start, cpu = time.perf_counter(), time.process_time()
    found = analyse(protocol, collected)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "template": template, "answers": len(collected.answers), "findings": len(found.findings),
        "seconds": round(seconds, 2), "cpu": round(cpu, 2), "peak_mb": round(peak), "mb_before": round(before),
    }  # fmt: skip


def main() -> None:
    """Every size of every template, a line each."""
    if len(sys.argv) == 4 and sys.argv[1] == "--once":
        print(json.dumps(once(sys.argv[2], int(sys.argv[3]))))
        return
    sizes = [int(float(size)) for size in sys.argv[1:]] or [10_000, 100_000, 1_000_000]
    print(f"{'template':<18}{'answers':>10}{'findings':>10}{'seconds':>9}{'cpu':>8}{'peak MB':>9}{'data MB':>9}")
    for template in TEMPLATES:
        for size in sizes:
            command = [sys.executable, __file__, "--once", template, str(size)]
            done = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            line = f"{done['template']:<18}{done['answers']:>10,}{done['findings']:>10}{done['seconds']:>9}"
            print(f"{line}{done['cpu']:>8}{done['peak_mb']:>9}{done['mb_before']:>9}", flush=True)


if __name__ == "__main__":
    main()
