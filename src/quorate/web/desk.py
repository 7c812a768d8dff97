"""The researcher's desk."""

from __future__ import annotations

from starlette.routing import BaseRoute


def routes() -> list[BaseRoute]:
    """The desk's addresses."""
    return []
