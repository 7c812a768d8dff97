"""A study as one object: what `quorate.open(DIR)` returns, for notebooks and for the doors."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quorate.collect.freeze import amend, check_frozen, check_media, is_same_plan, keep_media, media_kept
from quorate.collect.gather import gather
from quorate.collect.judging import ask_judges
from quorate.collect.staging import FOLDER, Staged, digests_now, is_current, is_untouched, load_staged, stage
from quorate.errors import StudyError
from quorate.exchange.imports import IMPORTED, Imported, import_file
from quorate.languages import say
from quorate.plan import Plan, make_plan
from quorate.protocol import Protocol, load
from quorate.records import Collected
from quorate.store import Store, Tx, is_postgresql

if TYPE_CHECKING:
    from quorate.analyse import Results

DATABASE = "study.sqlite"
MOVED = f"{DATABASE}.moved"
"""What the file is called once the study was moved elsewhere."""
REHEARSAL = "rehearsal.sqlite"


def open(folder: str | Path) -> Study:
    """The study in this folder; a StudyFileError holds every complaint about it."""
    return Study(Path(folder))


class Study:
    """One study: its protocol, its store, and everything that can be done with them.

    Nothing is written until something needs it: opening a study to look at it leaves the folder as it was.
    """

    def __init__(self, folder: Path, protocol: Protocol | None = None, store: Store | None = None, database: str = ""):
        self.folder = folder
        self.protocol = protocol or load(folder)
        self._database = database
        if store is not None:
            self.store = store

    @cached_property
    def store(self) -> Store:
        """The study's database, made when there is none."""
        return Store.open(self.database)

    @property
    def database(self) -> str:
        """Where the database is: as given, as QUORATE_DATABASE says, as the study file says, else a file beside it."""
        given = self._database or os.environ.get("QUORATE_DATABASE") or self.protocol.file.settings.database
        if is_postgresql(given):
            return with_schema(given, self.folder)
        beside = self.folder / DATABASE
        if not given and not beside.exists() and (self.folder / MOVED).exists():
            raise StudyError(
                f"{self.folder}: this study was moved to another database. Say where it is: in study.yaml, "
                "`settings: {database: …}`, or as QUORATE_DATABASE, or with --database where a command has it. "
                f"(To go on with what was left behind, name {MOVED} {DATABASE} again.)"
            )
        return given or str(beside)

    @property
    def title(self) -> str:
        """The study's title."""
        return say(self.protocol.file.title)

    @cached_property
    def plan(self) -> Plan:
        """Who sees what: the drawn items and the slots that raters claim."""
        return make_plan(self.protocol)

    @property
    def media_folder(self) -> Path:
        """Where media lie under opaque names."""
        return self.folder / FOLDER

    @property
    def secret(self) -> str:
        """The random secret that opaque names are keyed by."""
        return self.store.read(_secret)

    def prepare(self, apart: bool = False) -> Staged:
        """Puts the plan into the store and stages the media; refuses a protocol that is not the frozen one.

        `apart` does it in a process of its own: drawing the plan and reading pictures take memory that a server
        should not keep.
        """
        self.store.read(lambda tx: check_frozen(tx, self.protocol))
        staged = self._prepared()
        if staged is None and apart:
            _prepare_apart(self.folder, self.database)
            staged = self._prepared()
        if staged is None:
            self.store.do(self._put_plan)
            staged = self._stage()
        if self.store.read(media_kept) != staged.digests:
            digests = staged.digests
            self.store.do(lambda tx: keep_media(tx, self.protocol, digests))
        return staged

    def check_frozen(self) -> None:
        """Refuses a study file or media other than those that raters consented to; nothing is read twice or changed."""
        if not self.has_answers:
            return
        self.store.read(lambda tx: check_frozen(tx, self.protocol))
        known = self.store.read(media_kept)
        now = digests_now(load_staged(self.media_folder), self.protocol, list(known))
        self.store.read(lambda tx: check_media(tx, self.protocol, now))

    def put_plan(self) -> None:
        """Puts the plan into the store and stages nothing: what machines look at need not be servable."""
        self.store.do(self._put_plan)

    def _stage(self) -> Staged:
        return stage(self.protocol, self.store.read(Tx.items), self.secret, self.media_folder)

    def amend(self, reason: str) -> int:
        """Takes the study file and the media as they are now as the next numbered version; returns its number."""
        digests = self._stage().digests
        return self.store.do(lambda tx: amend(tx, self.protocol, reason, digests))

    def _prepared(self) -> Staged | None:
        """What is staged, if the plan in the store and every staged file are this protocol's."""
        staged = load_staged(self.media_folder)
        if staged is None or not self.store.read(self._is_planned):
            return None
        # From the first consent on, raters go on seeing what was staged, also while the store of the media is away.
        objects = not self.store.read(Tx.protocols)
        if staged.protocol == self.protocol.collection_hash:  # the same items, so nobody has to read them all
            return staged if is_untouched(staged, self.protocol, objects=objects) else None
        return staged if is_current(staged, self.protocol, self.store.read(Tx.items), objects=objects) else None

    def _is_planned(self, tx: Tx) -> bool:
        known = tx.last_event("planned")
        return known is not None and known.data["protocol"] == self.protocol.collection_hash

    def _put_plan(self, tx: Tx) -> None:
        check_frozen(tx, self.protocol)
        if self._is_planned(tx):
            return
        # An amendment may leave the plan as it is, and then the slots that raters hold stay theirs.
        if not is_same_plan(tx, self.plan):
            tx.put_plan(self.plan.items, self.plan.slots)
        tx.add_event("planned", data={"protocol": self.protocol.collection_hash, "plan": self.plan.hash})

    def rehearse(self, seed: int = 0, accuracy: float = 0.65, on_answer: Callable[[], None] = lambda: None) -> int:
        """Simulated raters run the whole study into a database of their own; returns how many answers they gave."""
        from quorate.collect.rehearsal import rehearse

        path = self.folder / REHEARSAL
        for stale in self.folder.glob(REHEARSAL + "*"):
            stale.unlink()
        store = Store.open(path)
        try:
            store.do(self._put_plan)
            answers = rehearse(store, self.protocol, seed, accuracy, on_answer)
            store.do(lambda tx: ask_judges(tx, self.protocol))
            return answers
        finally:
            store.close()

    def rehearsed(self) -> tuple[int, int]:
        """How many simulated raters came to the last rehearsal, and how many of them rated something."""
        with Store.open(self.folder / REHEARSAL) as store:
            came = store.read(Tx.raters)
            return len(came), len({one.rater for one in store.read(Tx.assignments)})

    @property
    def has_answers(self) -> bool:
        """Whether people have answered anything yet."""
        return self._is_made and self.store.read(_any_answer)

    @property
    def _is_made(self) -> bool:
        """Whether there is a database."""
        return is_postgresql(self.database) or Path(self.database).exists()

    def judge(self) -> int:
        """Asks judges that need no one else to answer for what is still due; returns how many answers came."""
        if self._is_real:
            self.prepare()
        with self._answered() as (store, _):
            return store.do(lambda tx: ask_judges(tx, self.protocol))

    def collected(self) -> Collected:
        """Reads what has come in: real answers where there are any, else the rehearsal's, marked as simulated."""
        with self._answered() as (store, simulated):
            return store.read(lambda tx: gather(tx, simulated, self.protocol))

    @property
    def _is_real(self) -> bool:
        """Whether what has come in is in the study's own database, and not in the rehearsal's."""
        return self.has_answers or not (self.folder / REHEARSAL).exists()

    @contextmanager
    def _answered(self) -> Iterator[tuple[Store, bool]]:
        """The database with what has come in, and whether it is simulated."""
        if not self._is_real:
            with Store.open(self.folder / REHEARSAL) as store:
                yield store, True
            return
        self.check_frozen()
        if not self._is_made or self.store.read(lambda tx: tx.last_event("planned")) is None:
            raise StudyError(f"Nothing has come in yet. Rehearse the study with: quorate rehearse {self.folder}")
        yield self.store, False

    def import_file(self, file: Path | str, rater: str) -> Imported:
        """Brings a filled file in the study's own format in as one rater's answers."""
        self.prepare()
        return self.store.do(lambda tx: import_file(tx, self.protocol, rater, Path(file)))

    def import_label_studio(self, file: Path | str) -> list[Imported]:
        """Brings a JSON export of Label Studio in: each annotator's answers as those of a rater."""
        from quorate.exchange.label_studio import import_label_studio

        self.prepare()
        return self.store.do(lambda tx: import_label_studio(tx, self.protocol, Path(file)))

    def results(self) -> Results:
        """Every estimate that the study asks for."""
        from quorate.analyse import analyse

        return analyse(self.protocol, self.collected())

    def report(self, folder: Path | None = None, **options: Any) -> list[Path]:
        """Writes the report; returns the files."""
        from quorate.report import write_report

        return write_report(self.protocol, self.collected(), folder or self.folder / "report", **options)

    def bundle(self, path: Path | str, media: str = "include") -> Path:
        """Writes the one file from which every printed number can be derived again; `media` may be "hashes"."""
        from quorate.report.bundle import write_bundle

        with self._answered() as (store, simulated):
            return write_bundle(self.protocol, store, path, simulated=simulated, media=media)

    def __enter__(self) -> Study:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the database, if it was opened."""
        if "store" in self.__dict__:
            self.store.close()


def with_schema(url: str, folder: Path) -> str:
    """The address with a schema of the study's own: the one it names, else one named like the study's folder."""
    if "schema=" in url:
        return url
    name = re.sub(r"[^a-z0-9]+", "_", folder.resolve().name.lower()).strip("_")
    return f"{url}{'&' if '?' in url else '?'}schema=study_{name[:50] or 'here'}"


def _prepare_apart(folder: Path, database: str) -> None:
    command = [sys.executable, "-m", __name__, str(folder)]
    environment = {**os.environ, "QUORATE_DATABASE": database}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise StudyError(done.stderr.strip())


def _secret(tx: Tx) -> str:
    secret = tx.setting("secret")
    assert secret is not None, "a store has a secret from its creation on"
    return secret


def _any_answer(tx: Tx) -> bool:
    return tx.last_event(("consent", IMPORTED)) is not None


if __name__ == "__main__":
    try:
        open(sys.argv[1]).prepare()
    except StudyError as sentence:
        sys.exit(str(sentence))
