"""Try it as a rater: the same app and pages over a store that is thrown away."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from quorate.collect import links, way
from quorate.collect.staging import Staged
from quorate.errors import StudyError
from quorate.store import Store
from quorate.study import Study
from quorate.web.replies import see_other
from quorate.web.site import Site
from quorate.web.views import member_form, seen_by

BASE = "/desk/preview"
_MAKE = "import sys; from quorate.store import Store; Store.open(sys.argv[1]).close()"


@dataclass
class _Trial:
    """One member's preview."""

    app: ASGIApp
    store: Store
    folder: TemporaryDirectory[str]

    def end(self) -> None:
        self.store.close()
        self.folder.cleanup()


@dataclass
class Preview:
    """Sends a member to their own preview; a preview lives until its member begins another one."""

    make_app: Callable[[Site], ASGIApp]
    trials: dict[str, _Trial] = field(default_factory=dict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        trial = self.trials.get(seen_by(request).person)
        reply: ASGIApp = see_other("/desk/")
        await (trial.app if trial else reply)(scope, receive, send)

    async def begin(self, member: str, study: Study, staged: Staged) -> str:
        """Makes a fresh store and a rater in it, who sees the media that raters see; returns the rater's link."""
        old = self.trials.pop(member, None)
        if old:
            old.end()
        folder = TemporaryDirectory(prefix="quorate-preview-")
        path = Path(folder.name) / "preview.sqlite"
        # Making a database needs the migrations, which take 40 MB: another process does it, and the server stays small.
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", _MAKE, str(path))
        if await process.wait():
            raise StudyError("The preview could not be made. Is the disk full?")
        store = Store.open(path)
        trial = Study(study.folder, study.protocol, store)
        trial.put_plan()
        store.do(way.open_study)
        site = Site(study.protocol, store, staged, base=BASE, is_preview=True)
        self.trials[member] = _Trial(self.make_app(site), store, folder)
        panel = links.panels(study.protocol)[0]
        return store.do(lambda tx: links.invite(tx, study.protocol, 1, panel))[0].link(BASE)


def start_preview(preview: Preview) -> Callable[[Request], Awaitable[Response]]:
    """The handler that begins a member's preview."""

    async def start(request: Request) -> Response:
        session, _ = await member_form(request)
        site: Site = request.app.state.site
        return see_other(await preview.begin(session.person, request.app.state.study, site.staged))

    return start
