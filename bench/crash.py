"""Kill the server in mid-load, again and again: nothing acknowledged is lost, nothing is stored twice.

    python bench/crash.py [--kills 20]

Eight raters send answers over HTTP, and send again what was not acknowledged. The server is killed (kill -9, all its
processes) and started again; on PostgreSQL, the database is killed once, too. At the end every acknowledged answer
has to be there once, and every item has to have its answers.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from crowd import Found, Rater, Server, look, make_study, work_all
from postgres import Server as Postgres
from postgres import running
from quorate.chance import uniform

RATERS, K = 8, 2
#: So many that raters are still at work when the last kill comes.
ITEMS = 200


def storm(folder: Path, database: str, kills: int, postgres: Postgres | None) -> tuple[Found, list[Rater], list[float]]:
    """Kills the server so many times under load, lets everybody finish, and looks."""
    items = ITEMS * kills
    paths = make_study(folder, database, items, RATERS, K, batch=-(-items * K // RATERS) + 10)
    server = Server(folder, database, workers=2 if database else 1)
    server.start()
    done: list[Rater] = []
    crowd = threading.Thread(target=lambda: done.extend(work_all(server.port, paths)))
    crowd.start()
    back = []
    try:
        for kill in range(kills):
            crowd.join(0.2 + 0.8 * uniform(1, "kill", kill))
            if postgres is not None and kill == kills // 2:
                postgres.kill()
                postgres.start()
                continue
            server.kill()
            back.append(server.start())
            if not crowd.is_alive():
                break
        crowd.join()
    finally:
        server.stop()
    return look(folder, database, done), done, sorted(back)


def main() -> None:
    """Prints one line for each database; ends with 1 where something was lost or stored twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    kills = parser.parse_args().kills
    failed = False
    with tempfile.TemporaryDirectory() as name, running() as postgres:
        places = {"SQLite": ""} | ({"PostgreSQL, 2 workers": postgres.url} if postgres else {})
        for what, url in places.items():
            database = f"{url}?schema=s{uuid4().hex}" if url else ""
            begin = time.perf_counter()
            found, raters, back = storm(Path(name) / uuid4().hex, database, kills, postgres if url else None)
            is_exact = found.is_exact(ITEMS * kills, K)
            failed |= not is_exact
            n = sum(len(rater.acknowledged) for rater in raters)
            again = sum(rater.resent for rater in raters)
            print(
                f"{what}: {len(back) + bool(url)} kills in {time.perf_counter() - begin:.0f} s, {n:,} answers "
                f"acknowledged, {again} sent again, {'all there once' if is_exact else found}; back after "
                f"{back[len(back) // 2]:.2f} s (the longest {back[-1]:.2f} s)",
                flush=True,
            )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
