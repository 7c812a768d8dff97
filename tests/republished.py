"""A paper's folder, and what its script says: it runs alone, with Python's standard library and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report import export_paper


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The script alone: no site-packages, no environment, another working directory."""
    command = [sys.executable, "-I", "-S", str(folder / "analysis.py"), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", env={})


def recomputed(folder: Path) -> dict[str, Any]:
    """What the script finds in a folder."""
    done = run(folder, "--json")
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == bool(found["differ"])
    return found


def follows(protocol: Protocol, collected: Collected, folder: Path) -> list[dict[str, Any]]:
    """Writes the folder and finds every number of its report again; the estimates of the report come back."""
    export_paper(protocol, collected, folder)
    found = recomputed(folder)
    assert not (found["differ"] + found["cannot"]), "\n".join(found["differ"] + found["cannot"])
    results = json.loads((folder / "results.json").read_text("utf-8"))
    estimates: list[dict[str, Any]] = results["estimates"]
    told = [*estimates, *results["estimates_with_excluded"]]
    assert len(found["values"]) == sum(one["value"] is not None for one in told)
    assert len(found["undefined"]) == sum(one["value"] is None for one in told)
    return estimates
