"""Pictures on their way to a model: small enough for an endpoint, or a reason why not."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Sequence
from io import BytesIO
from typing import Any

Contents = list[dict[str, Any]]


def fitted(contents: Sequence[dict[str, Any]], megapixels: float, shrink: int | None) -> tuple[Contents, str]:
    """The contents with pictures that an endpoint takes, and what is wrong with one that it does not take, else ""."""
    made: Contents = []
    for part in contents:
        url = part.get("image_url", {}).get("url", "") if part.get("type") == "image_url" else ""
        if not url.startswith("data:"):
            made.append(dict(part))
            continue
        fit, wrong = _fitted(url, megapixels, shrink)
        if wrong:
            return [], wrong
        made.append({"type": "image_url", "image_url": {**part["image_url"], "url": fit}})
    return made, ""


def _fitted(url: str, megapixels: float, shrink: int | None) -> tuple[str, str]:
    from PIL import Image

    head, data = url.split(",", 1)
    if "svg" in head:
        return url, ""
    try:
        with Image.open(BytesIO(b64decode(data))) as image:
            size = image.width * image.height / 1_000_000
            if shrink and max(image.size) > shrink:
                image.thumbnail((shrink, shrink))
                buffer = BytesIO()
                image.convert("RGB").save(buffer, "PNG")
                return f"data:image/png;base64,{b64encode(buffer.getvalue()).decode()}", ""
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        return "", f"a picture cannot be opened ({error})"
    if size > megapixels:
        return "", f"a picture has {size:.0f} megapixels, and the judge takes {megapixels:g}; `shrink` makes it smaller"
    return url, ""
