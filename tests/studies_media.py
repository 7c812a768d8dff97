"""Small studies of every other medium for tests: clips, papers and conversations made on the spot."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from clips import sound, video
from papers import paper

_REST = """
raters:
  per_item: 1
  consent: consent.md
  instructions: instructions.md
  roster: 1
"""

COMPARE = """\
quorate: 1
title: Which clip is better?
seed: 3
items: {from: pairs.csv, id: pair}
sections:
  - id: compare
    show:
      - text: {field: prompt, label: Prompt}
      - pair:
          video: {plays: {full: 2, passes: [adherence, consistency]}}
          systems: [system_1, system_2]
          outputs: [clip_1, clip_2]
    ask:
      - id: winner
        winner: {prompt: Which clip is better?, tie_help: Only if truly indistinguishable.}
      - id: reasons
        tags:
          prompt: Why?
          primary: 1
          secondary: {most: 2}
          loser_of: winner
          groups:
            - {name: Motion, tags: [Flicker, Reset, Drift]}
            - {name: Edit, tags: [Collateral], applies_when: family == "edit"}
      - id: adherence
        rating: {prompt: Prompt adherence, points: [1, 2, 3, 4, 5], each: side, anchors: {5: All of it, 1: Nothing}}
      - id: comment
        applies_when: winner == "tie"
        text: {prompt: Why a tie?, lines: 2}
"""

EXTRACTION = """\
quorate: 1
title: What was extracted
seed: 3
items: {from: elements.csv, id: element}
sections:
  - id: score
    show:
      - page: {pdf: pdf, page: page, search: caption, label: The page}
      - markdown: {field: caption, label: Caption}
      - table: {field: content, label: Table, applies_when: type == "table"}
    ask:
      - id: caption_score
        rating: {prompt: Caption, points: [0, 1, 2], anchors: {2: Right, 1: Partly, 0: Wrong}, cannot_judge: true}
      - id: correct
        applies_when: caption_score < 2
        text: {prompt: The right caption, required: false}
"""

TALK = """\
quorate: 1
title: Replies
seed: 3
items: {from: turns.jsonl, id: turn_id}
sections:
  - id: rate
    show:
      - conversation: {user: asked, assistant: said, images: images, history: {by: talk, turn: turn}}
    ask:
      - id: consistent
        applies_when: turn > 0
        yes_no: {prompt: Is it consistent?, cannot_judge: true}
      - id: overall
        rating: {prompt: Overall, points: [1, 2, 3, 4, 5]}
"""

ESSENCE = """\
quorate: 1
title: Which captures it better?
seed: 3
items: {from: concepts.csv, id: id}
sections:
  - id: prefer
    show:
      - text: {field: concept, label: The target concept}
      - pair: {image: {}, systems: {refined: image, baseline: baseline_image}}
    ask:
      - id: essence
        preference: {prompt: Which image better captures the essence of the concept?, of: refined}
"""

LISTEN = """\
quorate: 1
title: Which sounds better?
seed: 3
items: {from: sounds.csv, id: sound}
sections:
  - id: listen
    show:
      - pair:
          audio: {plays: {full: 1, together: true}}
          systems: {codec: coded, original: hidden_reference}
          reference: reference
          reference_label: The original
    ask:
      - id: quality
        slider: {prompt: How good is each?, each: side, anchors: {0: Bad, 100: Excellent}}
      - id: versus
        preference: {prompt: Compare them.}
"""

HOSTILE = "Figure 1: Mean speed <script>alert(1)</script> [x](javascript:alert(1)) ![p](https://evil.example/p.png)"
TEXTS = (
    "An introduction to snails and their speed.",
    "Figure 1: Mean speed of snails.",
    "Table 1: Surfaces of snails.",
)


def compare(folder: Path, n: int = 2) -> Path:
    """Pairs of one-second clips by aurora and borealis; the second pair is an edit."""
    rows = []
    for k in range(n):
        for system, hue in (("aurora", 30 + 60 * k), ("borealis", 200 + 60 * k)):
            _write(folder / "clips" / f"{system}_{k}.mp4", video(1.0, hue=hue))
        names = ["aurora", f"clips/aurora_{k}.mp4", "borealis", f"clips/borealis_{k}.mp4"]
        rows.append([f"p{k}", "edit" if k else "make", f"Prompt {k}", *names])
    _table(folder / "pairs.csv", "pair family prompt system_1 clip_1 system_2 clip_2", rows)
    return _study(folder, COMPARE)


def extraction(folder: Path) -> Path:
    """A table on a named page, a figure whose caption is hostile, and one that is nowhere in the paper."""
    _write(folder / "papers" / "snails.pdf", paper(TEXTS))
    table = "| Surface | Snails |\n|---|---|\n| stone | 15 |\n| grass | 12 |"
    rows = [
        ["e1", "papers/snails.pdf", "3", "table", "Table 1: Surfaces of snails.", table],
        ["e2", "papers/snails.pdf", "2", "figure", HOSTILE, ""],
        ["e3", "papers/snails.pdf", "", "figure", "Figure 9: Quite another thing, never printed.", ""],
    ]
    _table(folder / "elements.csv", "element pdf page type caption content", rows)
    return _study(folder, EXTRACTION)


def talk(folder: Path) -> Path:
    """A conversation of two turns with a picture."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "images").mkdir()
    Image.new("RGB", (120, 80), "#88aacc").save(folder / "images" / "sea.png")
    first = {"turn_id": "t0", "talk": "a", "turn": 0, "asked": "What is this?", "said": "**The sea.**"}
    second = {
        "turn_id": "t1",
        "talk": "a",
        "turn": 1,
        "asked": "Are you sure?",
        "said": "Yes: *the sea*.\n\n1. Blue.",
    }
    lines = [{**first, "images": ["images/sea.png"], "model": "zeta"}, {**second, "images": [], "model": "zeta"}]
    (folder / "turns.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return _study(folder, TALK)


def listen(folder: Path) -> Path:
    """A listening test with a hidden reference."""
    _write(folder / "sounds" / "coded.wav", sound(0.6, 300))
    _write(folder / "sounds" / "hidden.wav", sound(0.6, 440))
    _write(folder / "sounds" / "open.wav", sound(0.6, 441))
    rows = [["s1", "sounds/coded.wav", "sounds/hidden.wav", "sounds/open.wav"]]
    _table(folder / "sounds.csv", "sound coded hidden_reference reference", rows)
    return _study(folder, LISTEN)


def essence(folder: Path) -> Path:
    """Two pictures of one concept."""
    for name, colour in (("refined", "#c86"), ("best_of_n", "#68c")):
        (folder / "made").mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (160, 160), colour).save(folder / "made" / f"{name}.png")
    rows = [["c1", "cold feet", "made/refined.png", "made/best_of_n.png"]]
    _table(folder / "concepts.csv", "id concept image baseline_image", rows)
    return _study(folder, ESSENCE)


STUDIES: Mapping[str, Any] = {
    "essence": essence,
    "compare": compare,
    "extraction": extraction,
    "talk": talk,
    "listen": listen,
}


def _study(folder: Path, text: str) -> Path:
    for name in ("consent", "instructions"):
        (folder / f"{name}.md").write_text(f"# {name.capitalize()}\n\nThe text of the {name}.\n")
    (folder / "study.yaml").write_text(text + _REST)
    return folder


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _table(path: Path, header: str, rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header.split())
        writer.writerows(rows)
