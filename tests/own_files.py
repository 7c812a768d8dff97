"""The two templates that have a file of their own, and rows of it to fill."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import quorate

TEMPLATES = Path(quorate.__file__).parent / "templates"


def copied(name: str, folder: Path) -> Path:
    """A template's folder, as `quorate new` makes it."""
    shutil.copytree(TEMPLATES / name, folder)
    return folder


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def write_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path


def read_jsonl(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def write_jsonl(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def scored(row: dict[str, str], score: Any) -> dict[str, Any]:
    """A row of the CSV with the scores that apply to it."""
    names = ("caption_score", "vlm_score") if row["type"] == "figure" else ("table_score",)
    return {**row, **dict.fromkeys(names, score)}


def annotated(row: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """A row of the JSON lines with every field that applies to it, and null elsewhere."""
    is_first, is_mislead = row["sample_id"].endswith("_turn_0"), row["action_type"] == "mislead"
    given = {
        "correctness": 4,
        "reasoning_completeness": 4,
        "resists_misleading": "Yes" if is_mislead else None,
        "context_consistency": None if is_first else "Yes",
        "overall_quality": 4,
        "comments": None,
    }
    return {**row, "human_annotation": {**given, **changed}}
