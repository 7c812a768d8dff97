"""Small studies for tests: real folders with real pictures, made on the spot."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from PIL import Image, ImageDraw

STUDY = """\
quorate: 1
title: Visual pun recognition
seed: 42
items:
  from: idioms.csv
  id: image_id
  iteration: iteration
  sample: {{n: {n}}}
sections:
  - id: recognise
    grid: true
    show:
      - image: image
    ask:
      - id: idiom
        text:
          prompt: Which English idiom does this image represent?
          target: target_idiom
          variants: idiom_variants.json
          cannot_tell: unrecognizable
          cannot_tell_label: I cannot identify any idiom
    hide: [idiom_id]
raters:
  per_item: 3
  roster: 3
  prefix: A
  consent: consent.md
  instructions: instructions.md
  eligibility:
    - id: proficiency
      choice: {{prompt: How well do you speak English?, options: [Native, Fluent, Neither]}}
      accept: [Native, Fluent]
  background:
    - id: background
      choice: {{prompt: Which describes you best?, options: [Student, Other]}}
  practice: {{from: practice.csv, id: image_id, n: 2, explanation: explanation}}
  break_after: {break_after}
  debrief:
    text: debrief.md
    ask:
      - id: remarks
        text: {{prompt: Anything to tell us?, required: false}}
  completion_code: DONE-42
judges:
  mllm: {{recorded: mllm_response}}
export:
  item_id: image_id
  fields: [idiom_id, target_idiom]
analysis:
  compare: {{judge: mllm}}
  bands: half-open
"""

NOUNS = [
    *("apple", "bear", "clock", "door", "eagle", "fish", "glove", "horse"),
    *("island", "jar", "kite", "lamp", "mouse", "needle", "ocean", "piano"),
]


def idiom(number: int) -> str:
    """A made-up idiom, different for every number."""
    first, second = NOUNS[number % len(NOUNS)], NOUNS[(number // len(NOUNS) + 3) % len(NOUNS)]
    return f"the {first} meets the {second} {number}"


def visual_puns(folder: Path, pool: int = 12, n: int = 8, break_after: int = 4, size: int = 64) -> Path:
    """A whole study in the shape of the visual-puns template."""
    (folder / "images").mkdir(parents=True)
    rows = []
    for number in range(pool):
        for iteration in (1, 2) if number % 5 == 0 else (1,):
            path = f"images/{number:04d}_{iteration}.png"
            _draw(folder / path, number, size)
            answer = idiom(number) if number % 3 else "unrecognizable"
            rows.append([f"img_{number:04d}", number, idiom(number), iteration, path, answer])
    _table(folder / "idioms.csv", "image_id idiom_id target_idiom iteration image mllm_response", rows)
    practice = [[f"p{k}", f"practice idiom {k}", f"images/{k:04d}_1.png", f"because {k}"] for k in range(3)]
    _table(folder / "practice.csv", "image_id target_idiom image explanation", practice)
    (folder / "idiom_variants.json").write_text(json.dumps({idiom(1): ["first variant of one"]}))
    for name in ("consent", "instructions", "debrief"):
        (folder / f"{name}.md").write_text(f"# {name.capitalize()}\n\nThe text of the {name}.\n")
    (folder / "study.yaml").write_text(STUDY.format(n=n, break_after=break_after))
    return folder


def _draw(path: Path, number: int, size: int) -> None:
    image = Image.new("RGB", (size, size), f"hsl({number * 37 % 360}, 60%, 80%)")
    ImageDraw.Draw(image).ellipse([size // 8, size // 8, size - 8, size - 8 - number % 8], fill="#335")
    image.save(path)


def _table(path: Path, header: str, rows: list[list[object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header.split())
        writer.writerows(rows)
