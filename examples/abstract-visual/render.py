"""Renders the hand-written drawings to the pictures of the abstract-visual template.

Run it after editing a drawing: `python examples/abstract-visual/render.py`. The same drawings give the same bytes.

The template's tables say which pictures there are. An earlier iteration is the same drawing without the shapes that
came later, and with those since painted out (`data-from`, `data-until`). The best-of-n baseline, which never had a
critique, is the first iteration without what is marked `data-base="no"`, mirrored.
"""

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import vl_convert
from PIL import Image

HERE = Path(__file__).resolve().parent
DRAWINGS = HERE / "drawings"
TEMPLATE = HERE.parents[1] / "src" / "quorate" / "templates" / "abstract-visual"
SIDE = 640
COLOURS = 96
SVG = "http://www.w3.org/2000/svg"


def slug(concept: str) -> str:
    """The drawing's file name for a concept.

    >>> slug("A drop in the ocean")
    'a-drop-in-the-ocean'
    """
    return re.sub(r"[^a-z0-9]+", "-", concept.lower().replace("'", "")).strip("-")


def drawn(svg: str, iteration: int, baseline: bool = False) -> str:
    """The drawing as it stood at an iteration, or its baseline."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(svg)
    for parent in list(root.iter()):
        for shape in list(parent):
            first, last = int(shape.get("data-from", "1")), int(shape.get("data-until", "99"))
            if not first <= iteration <= last or (baseline and shape.get("data-base") == "no"):
                parent.remove(shape)
    return ElementTree.tostring(root, encoding="unicode")


def render(svg: str, mirrored: bool = False) -> bytes:
    """A square PNG of a drawing, reduced to a small palette so that a pool of pictures stays light."""
    width = float(ElementTree.fromstring(svg).get("viewBox", "").split()[2])
    picture = Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=SIDE / width))).convert("RGB")
    if mirrored:
        picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    # No dither: flat colour stays flat, and only the edges between colours are approximated.
    picture = picture.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
    out = io.BytesIO()
    picture.save(out, "png", optimize=True)
    return out.getvalue()


def rows(table: str) -> list[dict[str, str]]:
    """The rows of one of the template's tables."""
    with (TEMPLATE / table).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main() -> None:
    for row in [*rows("items.csv"), *rows("practice.csv")]:
        svg = (DRAWINGS / f"{slug(row['concept'])}.svg").read_text(encoding="utf-8")
        # A practice picture has no history: whatever is drawn is shown.
        pictures = {row["image"]: render(drawn(svg, int(row.get("iteration", "3"))))}
        pictures[row["baseline_image"]] = render(drawn(svg, 1, baseline=True), mirrored=True)
        for name, png in pictures.items():
            (TEMPLATE / name).parent.mkdir(parents=True, exist_ok=True)
            (TEMPLATE / name).write_bytes(png)
            print(f"{name}  {len(png) / 1000:.0f} kB  {row['concept']}")


if __name__ == "__main__":
    main()
