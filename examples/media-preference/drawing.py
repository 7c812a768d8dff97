"""What the scenes share: a frame as SVG, easing, colour, and noise that is the same on every machine."""

import hashlib
from math import pi, sin

WIDTH, HEIGHT = 384, 216


def frame(body: str, defs: str = "") -> str:
    """One frame of a clip as an SVG document."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><defs>{defs}</defs>'
        f'<g stroke-linecap="round" stroke-linejoin="round">{body}</g></svg>'
    )


def lerp(a: float, b: float, t: float) -> float:
    """The point between a and b at t, held at both ends.

    >>> lerp(10, 20, 0.5), lerp(10, 20, 7)
    (15.0, 20.0)
    """
    return a + (b - a) * min(max(t, 0.0), 1.0)


def ease(t: float) -> float:
    """Slow at both ends, held at 0 and 1.

    >>> ease(0.5), ease(2)
    (0.5, 1.0)
    """
    t = min(max(t, 0.0), 1.0)
    return t * t * (3 - 2 * t)


def mix(a: str, b: str, t: float) -> str:
    """The colour between two colours.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = zip(bytes.fromhex(a[1:]), bytes.fromhex(b[1:]), strict=True)
    return "#" + "".join(f"{round(lerp(x, y, t)):02x}" for x, y in pairs)


def noise(*key: object) -> float:
    """A number in [-1, 1) that depends on the key alone."""
    digest = hashlib.blake2b(repr(key).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**31 - 1


def wave(t: float, period: float = 1.0, phase: float = 0.0) -> float:
    """A sine of time."""
    return sin(2 * pi * (t / period + phase))


def at(x: float, y: float, body: str, scale: float = 1.0, turn: float = 0.0, flip: bool = False) -> str:
    """A group moved to (x, y), turned by degrees, scaled and perhaps mirrored."""
    sx = -scale if flip else scale
    move = f"translate({x:.2f} {y:.2f}) rotate({turn:.2f}) scale({sx:.4f} {scale:.4f})"
    return f'<g transform="{move}">{body}</g>'


def gradient(name: str, *stops: str, across: bool = False) -> str:
    """A linear gradient of evenly spaced colours, downwards unless across."""
    parts = "".join(f'<stop offset="{i / (len(stops) - 1):.3f}" stop-color="{c}"/>' for i, c in enumerate(stops))
    end = f'x2="{int(across)}" y2="{int(not across)}"'
    return f'<linearGradient id="{name}" x1="0" y1="0" {end}>{parts}</linearGradient>'


def glow(name: str, colour: str, strength: float = 0.9) -> str:
    """A radial gradient that fades to nothing."""
    return (
        f'<radialGradient id="{name}"><stop offset="0" stop-color="{colour}" stop-opacity="{strength:.3f}"/>'
        f'<stop offset="1" stop-color="{colour}" stop-opacity="0"/></radialGradient>'
    )


def cloud(colour: str = "#ffffff", opacity: float = 1.0) -> str:
    """A cloud about 60 wide with its foot at the origin."""
    return (
        f'<path d="M-28 0a10 10 0 0 1 4-19a14 14 0 0 1 24-9a12 12 0 0 1 20 7a11 11 0 0 1 8 21z" '
        f'fill="{colour}" opacity="{opacity:.3f}"/>'
    )
