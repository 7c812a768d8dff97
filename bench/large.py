"""A large study against a small one, over HTTP, on both databases: submit and next, and a new rater's first page.

    python bench/large.py [--items 50000] [--rounds 5]

In both studies raters who are gone have answered every item four times, so a study of 50,000 items has 200,000 answers;
new raters take the fifth places, eight at a time, in turns in the large study and in a fresh small one of 1,000 items.
In both, every item is one that the server has not made into HTML yet. What a submission takes of the processors stands
beside its time, since others may use the machine, too.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from load import Measured, cpu_seconds, measure, middle, spread
from server import LISTENS, OurRater, make_study, serving

from postgres import Server as Postgres
from postgres import running
from quorate.collect.claiming import claim
from quorate.store import Store, Tx
from quorate.store.move import copy_study
from quorate.study import DATABASE, Study

SMALL, RATERS, BATCH, GONE = 1_000, 8, 100, 4
#: As many submissions as there are places in a round, within this time.
SECONDS = 20.0


@dataclass
class Round:
    """Eight raters in one study: how long each took to the first page, and what their submissions took."""

    entered: list[float] = field(default_factory=list)
    sent: Measured = field(default_factory=lambda: Measured(0.0))
    processors: float = 0.0


def answered(folder: Path, n_items: int, n_raters: int) -> list[str]:
    """A study on SQLite whose items all have four answers; the links of new raters."""
    n_gone = GONE * n_items // BATCH
    links = make_study(folder, n_items, n_raters, per_item=GONE + 1, cap=n_gone + n_raters, batch=BATCH)
    study = Study(folder)
    for _ in range(n_gone):
        study.store.do(lambda tx: _answer_a_batch(tx, study))
    study.close()
    return links


def _answer_a_batch(tx: Tx, study: Study) -> None:
    rater = tx.add_rater().id
    given = [{"question": "answer", "value": "words", "raw": "words", "seconds": 3.2}]
    for one in claim(tx, study.protocol, rater, study.protocol.sections[0]):
        hash = study.protocol.collection_hash
        tx.add_submission(token_hex(12), rater, one.id, given, {"visible_seconds": 3.1}, protocol=hash)


async def work(port: int, process: int, postgres: Postgres | None, paths: list[str]) -> Round:
    """One round in a study."""
    done = Round()
    raters = [OurRater(port, path) for path in paths]
    for rater in raters:
        begin = time.perf_counter()
        await rater.enter()
        done.entered.append(time.perf_counter() - begin)
    used = (process, postgres.process.pid) if postgres else (process,)
    before = cpu_seconds(*used)
    done.sent = await measure([rater.send for rater in raters], SECONDS)
    done.processors = (cpu_seconds(*used) - before) / len(done.sent.times)
    return done


@contextmanager
def copied(folder: Path, postgres: Postgres | None) -> Iterator[tuple[int, int]]:
    """A copy of a study, served: the port and the process."""
    place = folder.with_name(uuid4().hex)
    shutil.copytree(folder, place)
    command = [sys.executable, "-m", "quorate", "serve", str(place), "--port", "0"]
    if postgres is not None:
        url = f"{postgres.url}?schema=s{uuid4().hex}"
        with Store.open(place / DATABASE) as source, Store.open(url) as target:
            copy_study(source, target)
        command += ["--database", url, "--workers", "2"]
    with serving(command, LISTENS) as (port, process, _):
        yield port, process


def compare(what: str, folder: Path, links: dict[str, list[str]], postgres: Postgres | None) -> None:
    """Prints what a large study costs."""
    paths, few, many = iter(links["large"]), [], []
    with copied(folder / "large", postgres) as large:
        for _ in range(len(links["large"]) // RATERS):
            with copied(folder / "small", postgres) as small:
                few.append(asyncio.run(work(*small, postgres, links["small"])))
                many.append(asyncio.run(work(*large, postgres, [next(paths) for _ in range(RATERS)])))
    times = [high.sent.percentile(0.5) / low.sent.percentile(0.5) for high, low in zip(many, few, strict=True)]
    costs = [high.processors / low.processors for high, low in zip(many, few, strict=True)]
    pages = sorted(seconds for one in many for seconds in one.entered)
    print(
        f"{what}: p50 {spread(times)} times, processors {spread(costs)} times "
        f"({1e6 * middle([one.processors for one in many]):,.0f} µs a submission); a new rater's first page "
        f"{1000 * middle(pages):.0f} ms after the link (the longest {1000 * pages[-1]:.0f} ms)",
        flush=True,
    )


def main() -> None:
    """Both databases, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, n = Path(name), {"large": given.items, "small": SMALL}
        new = {"large": RATERS * given.rounds, "small": RATERS}
        links = {which: answered(folder / which, n[which], new[which]) for which in n}
        print(f"{given.items:,} items with {GONE * given.items:,} answers against {SMALL:,} items:", flush=True)
        compare("SQLite", folder, links, None)
        with running() as postgres:
            if postgres is None:
                sys.exit("PostgreSQL is not installed here: python tests/postgres.py --install")
            compare("PostgreSQL, 2 workers", folder, links, postgres)


if __name__ == "__main__":
    main()
