"""The report at the desk: made in a process of its own, so that the server stays small, then served as files."""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from quorate.findings.names import AMBIGUITY
from quorate.messages import Message
from quorate.plan import why_not
from quorate.protocol import Protocol
from quorate.web.replies import see_other
from quorate.web.site import Site
from quorate.web.views import desk_page, member_form, seen_by

#: A report is one file that fetches nothing. Its own policy says which script it may run; here it runs in a sandbox, as
#: a stranger to the desk.
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads allow-popups; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_SUFFIXES = (".html", ".csv", ".json", ".md", ".tex", ".pdf", ".py", ".txt")
_MAKE = """\
import sys
from quorate.errors import StudyError
from quorate.study import open
try:
    study = open(sys.argv[1])
    study.judge()
    study.report()
except StudyError as error:
    sys.exit(str(error))
"""


@dataclass
class Making:
    """A report on its way, or the last one's fate."""

    began: float
    is_running: bool = True
    sentence: str = ""


def routes() -> list[BaseRoute]:
    """The report's addresses, below the desk."""
    return [
        Route("/report", show),
        Route("/report", make, methods=["POST"]),
        Route("/report/{name}", serve),
    ]


async def show(request: Request) -> Response:
    """When the report was made, and its files."""
    site: Site = request.app.state.site
    session = seen_by(request)
    made: Making | None = getattr(request.app.state, "making", None)
    return desk_page(
        request, session, "desk/report.html", files=_files(site.folder / "report"), making=made,
        seconds=round(time.monotonic() - made.began) if made else 0,
        alarms=alarms(site.folder / "report" / "results.json", site.protocol),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alarm:
    """A stratum, or all items where it has no name, of which too many items have no verdict."""

    section: str
    question: str
    stratum: str
    by: str
    hits: int
    of: int
    share: float
    interval: tuple[float, float] | None
    #: Why no further round can be opened for this stratum; nothing where one can.
    why_not: Message | None


def alarms(path: Path, protocol: Protocol) -> list[Alarm]:
    """The strata that the newest report marks: too many of their items have no verdict."""
    try:
        results = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError):
        return []
    found = results.get("estimates", []) if isinstance(results, dict) else []
    marked = [
        one for one in found if one.get("statistic") == AMBIGUITY and one.get("band") and one.get("round", 1) == 1
    ]
    return [_alarm(one, why_not(protocol, one.get("by", ""))) for one in marked]


def _alarm(one: dict[str, Any], why: Message | None) -> Alarm:
    """An entry of results.json, which leaves out what is empty."""
    between = None if one["low"] is None or one["high"] is None else (one["low"], one["high"])
    stratum = one.get("stratum", "")
    return Alarm(
        one["section"], one["question"], stratum, one.get("by", ""), one["count"], one["of"], one["value"], between, why
    )


def _files(folder: Path) -> list[dict[str, str]]:
    found = sorted(p for p in folder.glob("*") if p.suffix in _SUFFIXES and p.is_file()) if folder.is_dir() else []
    return [
        {
            "name": path.name,
            "size": f"{path.stat().st_size / 1000:,.1f} kB",
            "at": datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M UTC"),
        }
        for path in found
    ]


async def make(request: Request) -> Response:
    """Starts to make the report, unless it is being made."""
    site: Site = request.app.state.site
    await member_form(request)
    state = request.app.state
    if getattr(state, "making", None) is None or not state.making.is_running:
        state.making = Making(time.monotonic())
        # The reference keeps the job from being collected before it ends.
        state.making_job = asyncio.create_task(_make(site.folder, state.making))
    return see_other("/desk/report")


async def _make(folder: Path, making: Making) -> None:
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _MAKE, str(folder), stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
        _, errors = await process.communicate()
        if process.returncode:
            making.sentence = _why(errors.decode(errors="replace").strip(), folder)
    finally:
        making.is_running = False


def _why(said: str, folder: Path) -> str:
    """What the process said when it ended: a sentence for people, or a bug, which keeps its traceback elsewhere."""
    if said and "Traceback" not in said:
        return said.replace(f"{folder}/", "").replace(str(folder), folder.name)
    last = said.splitlines()[-1] if said else "it ended without a word"
    return f"this is a fault in Quorate ({last}). The whole of it is shown by: quorate report {folder.name}"


async def serve(request: Request) -> Response:
    """One file of the report."""
    site: Site = request.app.state.site
    seen_by(request)
    path = site.folder / "report" / request.path_params["name"]
    if path.suffix not in _SUFFIXES or not path.is_file() or path.parent != site.folder / "report":
        raise HTTPException(404)
    if path.suffix == ".html":
        return FileResponse(path, media_type="text/html", headers={"content-security-policy": REPORT_POLICY})
    return FileResponse(path, filename=path.name)
