"""The tables and sounds of three studies that no template knows; their study files lie in folders beside this one."""

from __future__ import annotations

import csv
import json
import math
import shutil
import struct
import wave
from pathlib import Path

HERE = Path(__file__).parent
SYSTEMS = {"reference": 16, "codec_a": 6, "codec_b": 4, "anchor": 2}  # bits that are left of each sample
RATE = 8000


def listening(folder: Path) -> Path:
    """Three excerpts through two codecs, the hidden reference and a low anchor; X is one of the two sides."""
    shutil.copytree(HERE / "listening", folder)
    (folder / "sounds").mkdir()
    rows = []
    for excerpt, pitch in (("bell", 880.0), ("cello", 220.0), ("voice", 330.0)):
        for number, (system, bits) in enumerate(SYSTEMS.items()):
            tone(folder / "sounds" / f"{excerpt}_{system}.wav", pitch, bits)
            x_is = ("original", "coded")[number % 2]
            x = "reference" if x_is == "original" else system
            rows.append(
                {
                    "clip_id": f"{excerpt}_{system}",
                    "excerpt": excerpt,
                    "system": system,
                    "reference": f"sounds/{excerpt}_reference.wav",
                    "clip": f"sounds/{excerpt}_{system}.wav",
                    "x": f"sounds/{excerpt}_{x}.wav",
                    "x_is": x_is,
                }
            )
    table(folder / "clips.csv", rows)
    tone(folder / "sounds" / "p_clean.wav", 500.0, 16)
    tone(folder / "sounds" / "p_rough.wav", 500.0, 2)
    practice = {"excerpt": "tone", "system": "", "reference": "sounds/p_clean.wav", "x": "sounds/p_clean.wav"}
    table(
        folder / "practice.csv",
        [{"clip_id": "p1", **practice, "x_is": "original", "clip": "sounds/p_rough.wav", "stated": "20"}],
    )
    return texts(folder)


def mushra(folder: Path) -> Path:
    """Three excerpts, each with a hidden reference, two codecs and a low anchor on one page."""
    shutil.copytree(HERE / "mushra", folder)
    (folder / "sounds").mkdir()
    rows = []
    for excerpt, pitch in (("bell", 880.0), ("cello", 220.0), ("voice", 330.0)):
        for system, bits in SYSTEMS.items():
            tone(folder / "sounds" / f"{excerpt}_{system}.wav", pitch, bits)
        rows.append({"excerpt": excerpt, **{system: f"sounds/{excerpt}_{system}.wav" for system in SYSTEMS}})
    table(folder / "excerpts.csv", rows)
    return texts(folder)


def side_by_side(folder: Path) -> Path:
    """Summaries by two of three systems, of health and other news."""
    shutil.copytree(HERE / "side_by_side", folder)
    systems = ("plain", "long", "short")
    rows = []
    for number in range(10):
        one, other = systems[number % 3], systems[(number + 1) % 3]
        rows.append(
            {
                "id": f"s{number}",
                "article": f"a{number // 2}",
                "condition": ("health", "sports")[number % 2],
                "article_text": f"# Article {number}\n\nSomething *happened* on day {number}.",
                "first_system": one,
                "second_system": other,
                "first": f"On day {number} something happened.",
                "second": f"Day {number}: **it** happened.",
            }
        )
    lines(folder / "summaries.jsonl", rows)
    lines(folder / "gold.jsonl", [{**rows[0], "id": "g1", "condition": "health", "known_harmful": "No"}])
    return texts(folder)


def tone(path: Path, pitch: float, bits: int, seconds: float = 0.4) -> None:
    """A tone whose samples keep so many bits."""
    step = 1 << (16 - bits)
    samples = [int(12000 * math.sin(2 * math.pi * pitch * k / RATE)) // step * step for k in range(int(RATE * seconds))]
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))


def texts(folder: Path) -> Path:
    """The texts that raters read."""
    for name in ("consent", "instructions"):
        (folder / f"{name}.md").write_text(f"# {name.capitalize()}\n\nThe text of the {name}.\n")
    return folder


def table(path: Path, rows: list[dict[str, str]]) -> None:
    """A CSV file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def lines(path: Path, rows: list[dict[str, str]]) -> None:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
