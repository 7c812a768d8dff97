"""Rater pages, the researcher's desk, and the files they need, as one Starlette app."""

from __future__ import annotations

from quorate.web.app import make_app

__all__ = ["make_app"]
