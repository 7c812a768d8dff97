"""Small clips for tests, drawn and encoded on the spot, with tags that tell who made them."""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from math import pi, sin

import av
import numpy
from PIL import Image, ImageDraw

SECRET = "made-by-aurora-v2"


def video(seconds: float = 1.0, hue: int = 120, rate: int = 12, size: int = 96, container: str = "mp4") -> bytes:
    """A ball that crosses the picture."""
    out = BytesIO()
    codec = "libx264" if container == "mp4" else "libvpx-vp9"
    with av.open(out, "w", format=container) as target:
        target.metadata["title"] = target.metadata["comment"] = SECRET
        stream = target.add_stream(codec, rate=rate, options={"crf": "30"})
        stream.width = stream.height = size
        stream.pix_fmt = "yuv420p"
        n = round(seconds * rate)
        for k in range(n):
            picture = Image.new("RGB", (size, size), f"hsl({hue}, 50%, 85%)")
            x = (size - 24) * k / max(1, n - 1)
            ImageDraw.Draw(picture).ellipse([x, size / 2 - 12, x + 24, size / 2 + 12], fill="#335")
            frame = av.VideoFrame.from_image(picture)
            frame.pts, frame.time_base = k, Fraction(1, rate)
            for packet in stream.encode(frame):
                target.mux(packet)
        for packet in stream.encode():
            target.mux(packet)
    return out.getvalue()


def sound(seconds: float = 1.0, pitch: float = 440.0, container: str = "wav", codec: str = "pcm_s16le") -> bytes:
    """A tone."""
    rate = 16_000 if codec != "libopus" else 48_000
    out = BytesIO()
    with av.open(out, "w", format=container) as target:
        target.metadata["title"] = target.metadata["artist"] = SECRET
        stream = target.add_stream(codec, rate=rate, layout="mono")
        n = round(seconds * rate)
        samples = numpy.array([[round(9000 * sin(2 * pi * pitch * k / rate)) for k in range(n)]], dtype=numpy.int16)
        step = stream.codec_context.frame_size or 1024
        for start in range(0, n, step):
            frame = av.AudioFrame.from_ndarray(samples[:, start : start + step].copy(), format="s16", layout="mono")
            frame.sample_rate = rate
            frame.pts, frame.time_base = start, Fraction(1, rate)
            for packet in stream.encode(frame):
                target.mux(packet)
        for packet in stream.encode(None):
            target.mux(packet)
    return out.getvalue()


def beginning(content: bytes, seconds: float = 1.0) -> bytes:
    """The first second of a video, as it is: a test that plays it to its end need not wait for all of it."""
    out = BytesIO()
    with av.open(BytesIO(content)) as source, av.open(out, "w", format="mp4") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(source.streams.video[0]):
            if packet.dts is not None and packet.dts * packet.time_base < seconds:
                packet.stream = stream
                target.mux(packet)
    return out.getvalue()
