"""The browser for the tests: Debian's Chromium, installed where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """Where the browser is, if there is one."""
    return next(
        (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
    )


def install() -> None:
    """Installs Chromium from Debian's packages where there is no browser and we may."""
    if chromium():
        return
    if not (os.geteuid() == 0 and shutil.which("apt-get")):
        sys.exit("The browser tests need Chromium. Install it with your system's packages, then run make test again.")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=True, env=environment)
    subprocess.run(["apt-get", "install", "-y", "-qq", "chromium"], check=True, env=environment)


if __name__ == "__main__" and "--install" in sys.argv:
    install()
