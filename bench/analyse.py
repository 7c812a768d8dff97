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
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random

from quorate.protocol import Protocol, load
from quorate.records import Answer, Collected, Item, Participant, Shown

TEMPLATES = ("visual-puns", "abstract-visual", "dialogue")


def study(template: str, n_answers: int) -> tuple[Protocol, Collected]:
    """A study of this template with about so many answers: its own items again and again, three raters an item."""
    protocol = load(Path(str(files("quorate"))) / "templates" / template)
    asks = [(section, ask) for section in protocol.sections for ask in section.ask if ask.question.required]
    n_items = max(len(protocol.pool), n_answers // (3 * len(asks)))
    pool = protocol.pool
    items = tuple(Item(f"item_{k:07d}", pool[k % len(pool)].fields) for k in range(n_items))
    return replace(protocol, pool=items), Collected(items, tuple(_answers(protocol, asks, items)), _people())


def _people() -> tuple[Participant, ...]:
    return tuple(Participant(f"R{k}", "finished", {}, {"consent": "t", "finished": "t"}) for k in range(1, 7))


def _answers(protocol, asks, items):
    draw = Random(1)
    seq = 0
    sides = (Shown({"left": "refined", "right": "baseline"}), Shown({"left": "baseline", "right": "refined"}))
    for section, ask in asks:
        made: dict = {}
        for place, item in enumerate(items):
            if not ask.applies(item.fields):
                continue
            for repeat in range(3):
                shown = sides[draw.random() < 0.5] if ask.question.compares() else Shown()
                # A few hundred different answers an item of the template are enough to look like raters'.
                key = (place % len(protocol.pool), draw.randrange(40), bool(shown.sides) and shown.sides["left"])
                if key not in made:
                    raw = ask.question.simulate(item, shown, 0.7, lambda *_: draw.random())
                    made[key] = (raw, ask.question.parse(raw, shown, item).value)
                raw, value = made[key]
                seq += 1
                yield Answer(
                    seq, "rater", f"R{1 + (repeat + 3 * (place % 2))}", section.id, item.id, ask.id, value, None, raw,
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
