"""Renders the hand-written drawings to the pictures of the visual-puns template.

Run it after editing a drawing: `python examples/visual-puns/render.py`. The same drawings give the same bytes.

The template's tables say which pictures there are: the drawing of a row is named after its target idiom, and
an earlier iteration is the same drawing without the shapes that came later (`data-from` names the iteration).
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
TEMPLATE = HERE.parents[1] / "src" / "quorate" / "templates" / "visual-puns"
SIDE = 768
COLOURS = 128
SVG = "http://www.w3.org/2000/svg"


def slug(idiom: str) -> str:
    """The drawing's file name for an idiom.

    >>> slug("a wolf in sheep's clothing")
    'a-wolf-in-sheeps-clothing'
    """
    return re.sub(r"[^a-z0-9]+", "-", idiom.lower().replace("'", "")).strip("-")


def drawn_by(svg: str, iteration: int) -> str:
    """The drawing as it stood at an iteration: shapes with a later `data-from` are left out."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(svg)
    for parent in list(root.iter()):
        for shape in list(parent):
            if int(shape.get("data-from", "1")) > iteration:
                parent.remove(shape)
    return ElementTree.tostring(root, encoding="unicode")


def render(svg: str) -> bytes:
    """A square PNG of a drawing, reduced to a small palette so that a pool of pictures stays light."""
    width = float(ElementTree.fromstring(svg).get("viewBox", "").split()[2])
    picture = Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=SIDE / width))).convert("RGB")
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
    for row in [*rows("idioms.csv"), *rows("practice.csv")]:
        svg = (DRAWINGS / f"{slug(row['target_idiom'])}.svg").read_text(encoding="utf-8")
        # A practice picture has no history: whatever is drawn is shown.
        png = render(drawn_by(svg, int(row.get("iteration", "5"))))
        path = TEMPLATE / row["image"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png)
        print(f"{row['image']}  {len(png) / 1000:.0f} kB  {row['target_idiom']}")


if __name__ == "__main__":
    main()
