"""Draws the clips of the media-preference template frame by frame and encodes them as H.264.

Run it after editing a scene: `python examples/media-preference/make.py [NAME …]`. Every clip is made anew; with names,
only those whose file name contains one of them. Frames are SVG, turned into pixels by vl-convert.
"""

import io
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import vl_convert
from drawing import HEIGHT, WIDTH
from PIL import Image
from scenes_edited import balloon, car, snowman, tomato, viaduct
from scenes_made import SECONDS, ball, boats, candle, clock, plane, rain

TEMPLATE = Path(__file__).resolve().parents[2] / "src" / "quorate" / "templates" / "media-preference"
RATE = 24
FRAMES = round(SECONDS * RATE)

CLIPS: dict[str, Callable[[float], str]] = {
    "clips/ball_aurora.mp4": lambda t: ball(t),
    "clips/ball_borealis.mp4": lambda t: ball(t, "physics"),
    "clips/boats_borealis.mp4": lambda t: boats(t),
    "clips/boats_cirrus.mp4": lambda t: boats(t, "one boat"),
    "clips/rain_aurora.mp4": lambda t: rain(t, "swap"),
    "clips/rain_cirrus.mp4": lambda t: rain(t, "flicker"),
    "clips/clock_aurora.mp4": lambda t: clock(t),
    "clips/clock_borealis.mp4": lambda t: clock(t, "backwards"),
    "clips/plane_borealis.mp4": lambda t: plane(t),
    "clips/plane_cirrus.mp4": lambda t: plane(t, "reset"),
    "clips/balloon_source.mp4": lambda t: balloon(t, edited=False),
    "clips/balloon_aurora.mp4": lambda t: balloon(t),
    "clips/balloon_cirrus.mp4": lambda t: balloon(t, "collateral"),
    "clips/train_source.mp4": lambda t: viaduct(t, edited=False),
    "clips/train_borealis.mp4": lambda t: viaduct(t, "not applied"),
    "clips/train_cirrus.mp4": lambda t: viaduct(t, "lost composition"),
    "clips/car_aurora.mp4": lambda t: car(t),
    "clips/car_borealis.mp4": lambda t: car(t, "inconsistent"),
    "clips/tomato_aurora.mp4": lambda t: tomato(t),
    "clips/tomato_cirrus.mp4": lambda t: tomato(t, "over-refusal"),
    "practice/candle_aurora.mp4": lambda t: candle(t),
    "practice/candle_borealis.mp4": lambda t: candle(t, "lit again"),
    "practice/snowman_source.mp4": lambda t: snowman(t),
    "practice/snowman_borealis.mp4": lambda t: snowman(t, hat=True),
    "practice/snowman_cirrus.mp4": lambda t: snowman(t),
}
# The first frames that image-to-video systems were given.
STILLS: dict[str, Callable[[float], str]] = {"stills/clock.png": clock, "stills/plane.png": plane}


def pixels(svg: str) -> Image.Image:
    """A frame as an RGB picture."""
    return Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=1))).convert("RGB")


def encode(path: Path, scene: Callable[[float], str]) -> None:
    """An MP4 that any browser plays; one thread and no writer's mark, so that the bytes are the same every time."""
    with av.open(str(path), "w", options={"movflags": "+faststart", "fflags": "+bitexact"}) as container:
        stream = container.add_stream("libx264", rate=RATE, options={"crf": "25", "preset": "slow", "threads": "1"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.codec_context.time_base = Fraction(1, RATE)
        for n in range(FRAMES):
            picture = av.VideoFrame.from_ndarray(np.asarray(pixels(scene(n / (FRAMES - 1)))), format="rgb24")
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))


def main(wanted: list[str]) -> None:
    for name, scene in {**CLIPS, **STILLS}.items():
        if wanted and not any(word in name for word in wanted):
            continue
        path = TEMPLATE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name in STILLS:
            pixels(scene(0.0)).quantize(128, dither=Image.Dither.NONE).save(path, "png", optimize=True)
        else:
            encode(path, scene)
        print(f"{name}  {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
