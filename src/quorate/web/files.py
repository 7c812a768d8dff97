"""Static files and media: names that change with the content, kept by browsers for ever."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from quorate.web.site import Site

FOR_EVER = "public, max-age=31536000, immutable"
NEVER = "Thu, 01 Jan 1970 00:00:00 GMT"
_FOLDER = Path(__file__).parent / "static"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One of our own files, with its compressed form."""

    content: bytes
    compressed: bytes
    type: str


@cache
def static_files() -> dict[str, StaticFile]:
    """Every static file, read and compressed once."""
    files = {path.name: _static(path) for path in sorted(_FOLDER.iterdir()) if path.suffix in _TYPES}
    # One sheet is one request: what media and questions need comes with the rest.
    return {**files, "app.css": _file(files["app.css"].content + files["media.css"].content, ".css")}


@cache
def static_version() -> str:
    """One name for all static files together: modules import each other by plain names within it."""
    contents = b"".join(name.encode() + file.content for name, file in static_files().items())
    return blake2b(contents, digest_size=6).hexdigest()


def _static(path: Path) -> StaticFile:
    return _file(path.read_bytes(), path.suffix)


def _file(content: bytes, suffix: str) -> StaticFile:
    return StaticFile(content, gzip.compress(content, 9, mtime=0), _TYPES[suffix])


async def static(request: Request) -> Response:
    """One of our own files."""
    file = static_files().get(request.path_params["name"])
    if file is None or request.path_params["version"] != static_version():
        raise HTTPException(404)
    headers = {"cache-control": FOR_EVER, "vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.compressed, headers={**headers, "content-encoding": "gzip"}, media_type=file.type)
    return Response(file.content, headers=headers, media_type=file.type)


async def media(request: Request) -> Response:
    """A staged file under its opaque name, whole or in ranges; its headers tell nothing but what its bytes tell."""
    site: Site = request.app.state.site
    name = request.path_params["name"]
    kind = site.staged.types.get(name)
    path = site.staged.file(name) if kind else None
    if path is None or not path.is_file():
        raise HTTPException(404)
    # Times of files tell in which order they were staged, and Starlette makes its own ETag of them.
    headers = {"cache-control": FOR_EVER, "etag": f'"{name}"', "last-modified": NEVER}
    return FileResponse(path, headers=headers, media_type=kind)
