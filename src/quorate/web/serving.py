"""How the app is served: uvicorn's settings, with limits to each connection."""

from __future__ import annotations

from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from quorate.web.limits import Limited


def configured(app: Starlette, **options: Any) -> uvicorn.Config:
    """The settings of a server of the app."""
    http = type("Limited", (Limited,), {"inner": HttpToolsProtocol})
    # Browsers that came over HTTPS once come by nothing else; raters' links are in the addresses.
    is_https = (app.state.site.public_url or "").startswith("https:")
    headers = [("strict-transport-security", "max-age=31536000")] if is_https else []
    return uvicorn.Config(
        app, http=http, ws="none", headers=headers, access_log=False, server_header=False, lifespan="off", **options
    )
