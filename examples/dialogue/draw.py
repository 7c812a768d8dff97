# ruff: noqa: E501 - path data does not read better in shorter lines.
"""Draws the pictures that the dialogue template's conversations are about.

Run it after editing a scene: `python examples/dialogue/draw.py`. The same code gives the same bytes.
"""

import io
from pathlib import Path

import vl_convert
from PIL import Image

IMAGES = Path(__file__).resolve().parents[2] / "src" / "quorate" / "templates" / "dialogue" / "images"
WIDTH, HEIGHT = 640, 480


def at(x: float, y: float, body: str, scale: float = 1.0, flip: bool = False) -> str:
    """A group moved to (x, y), scaled and perhaps mirrored."""
    return f'<g transform="translate({x} {y}) scale({-scale if flip else scale} {scale})">{body}</g>'


def person(
    shirt: str,
    trousers: str,
    hair: str = "#3a2a26",
    skin: str = "#e8b48e",
    skirt: bool = False,
    long: bool = False,
    arm: str = "",
) -> str:
    """Somebody standing, 120 high, feet at the origin, seen from the front."""
    legs = (
        f'<path d="M-16-58h32l6 34h-44z" fill="{trousers}"/><path d="M-8-26V-4M8-26V-4" stroke="{skin}" stroke-width="8"/>'
        if skirt
        else f'<path d="M-14-58h28l2 56h-13l-3-36-3 36h-13z" fill="{trousers}"/>'
    )
    locks = (
        f'<path d="M-15-96q-4 22 2 26M15-96q4 22-2 26" stroke="{hair}" stroke-width="7" fill="none"/>'
        if skirt or long
        else ""
    )
    arms = (
        arm
        or f'<path d="M-16-82l-7 34M16-82l7 34" stroke="{shirt}" stroke-width="9"/><circle cx="-24" cy="-44" r="5" fill="{skin}"/><circle cx="24" cy="-44" r="5" fill="{skin}"/>'
    )
    return (
        f'{legs}<path d="M-16-2h13v4h-15zM3-2h13l2 4H3z" fill="#2b2733"/>{arms}<path d="M-17-88q17-8 34 0l-2 34h-30z" fill="{shirt}"/>{locks}'
        f'<circle cy="-102" r="15" fill="{skin}"/><path d="M-16-101q-1-19 16-19t16 19q-8-9-18-8t-14 8z" fill="{hair}"/>'
        '<circle cx="-5" cy="-101" r="1.8" fill="#2b2733"/><circle cx="5" cy="-101" r="1.8" fill="#2b2733"/><path d="M-4-94q4 3 8 0" stroke="#a3503f" stroke-width="1.6" fill="none"/>'
    )


def bicycle(frame: str) -> str:
    """A bicycle from the side, 100 long, wheels on the origin's line."""
    return (
        '<g fill="none" stroke="#2b2733" stroke-width="4"><circle cx="-32" cy="-22" r="21"/><circle cx="32" cy="-22" r="21"/></g>'
        '<g stroke="#9aa3ad" stroke-width="1"><path d="M-53-22h42M-32-43v42M-47-37l30 30M-47-7l30-30M11-22h42M32-43v42M17-37l30 30M17-7l30-30"/></g>'
        f'<path d="M-32-22L-14-52H20L0-22zM-14-52L0-22M32-22L18-60" fill="none" stroke="{frame}" stroke-width="5"/><path d="M-24-58h18M12-62q4-6 14-4" stroke="#2b2733" stroke-width="5" fill="none"/><circle cy="-22" r="6" fill="#6d747d"/>'
    )


def tree(x: float, y: float, scale: float, colour: str) -> str:
    """A broad-leaved tree."""
    return at(
        x,
        y,
        f'<path d="M0 0V-50" stroke="#6d4a32" stroke-width="14"/><circle cy="-84" r="44" fill="{colour}"/><circle cx="-30" cy="-64" r="28" fill="{colour}"/><circle cx="30" cy="-64" r="28" fill="{colour}"/>',
        scale,
    )


def palm(x: float, y: float, scale: float) -> str:
    """A palm."""
    leaves = "".join(
        f'<path d="M0-120q{dx} -20 {dx * 1.7:.0f} {dy}" stroke="#2f7d4f" stroke-width="13" fill="none"/>'
        for dx, dy in [(-40, 10), (-34, -28), (34, -28), (40, 10), (-22, 34), (24, 36)]
    )
    return at(x, y, f'<path d="M0 0q10-60 0-120" stroke="#7d5a3c" stroke-width="14" fill="none"/>{leaves}', scale)


def motorcycle() -> str:
    rider = """<ellipse cy="6" rx="74" ry="12" fill="#8d6f4e" opacity=".6"/><rect x="-15" y="-80" width="30" height="84" rx="14" fill="#22242c"/><rect x="-8" y="-70" width="16" height="66" rx="8" fill="#4b4f5a"/>
    <path d="M-30-72q30-20 60 0l6 26H-36z" fill="#31568a"/><rect x="-12" y="-62" width="24" height="12" rx="3" fill="#e2483c"/><rect x="-13" y="-44" width="26" height="14" fill="#f0ead8"/>
    <path d="M-26-78q-24 22-24 48l-2 12h20l4-36zM26-78q24 22 24 48l2 12H32l-4-36z" fill="#2d3440"/><path d="M-50-20v14M50-20v14" stroke="#c98f68" stroke-width="12"/><path d="M-60-4h22v8h-24zM38-4h22l2 8H38z" fill="#e9d9b8"/>
    <path d="M-78-132l46 12M78-132l-46 12" stroke="#4b4f5a" stroke-width="7"/><circle cx="-84" cy="-134" r="10" fill="#8fa4b8"/><circle cx="84" cy="-134" r="10" fill="#8fa4b8"/>
    <path d="M-30-150q-30 4-46 22M30-150q30 4 46 22" stroke="#cf2f2a" stroke-width="22" fill="none"/><path d="M-34-158q34-18 68 0l-4 84h-60z" fill="#d9352e"/><path d="M0-164v86" stroke="#b02722" stroke-width="3"/>
    <path d="M-26-182a26 28 0 0 1 52 0v14q-26 12-52 0z" fill="#c92a26"/><path d="M-22-184a22 22 0 0 1 16-20" stroke="#fff" stroke-opacity=".6" stroke-width="5" fill="none"/><path d="M-26-172q26 10 52 0" stroke="#8a1b18" stroke-width="4" fill="none"/>"""
    arches = "".join(f'<path d="M{x} 240v-18q0-14 16-14t16 14v18z" fill="#b9d3dd"/>' for x in range(70, 360, 44))
    return f"""<rect width="640" height="480" fill="#cfe5ef"/><circle cx="540" cy="70" r="34" fill="#fbe7a8"/><path d="M40 204h340v36H40z" fill="#a99a8c"/><path d="M30 198h360v10H30z" fill="#8f8072"/>{arches}
    <path d="M0 236q60-60 120-16t90-4 120 0 120-14 190 10v60H0z" fill="#6f9f62"/>{tree(42, 262, 1.3, "#4f8a4c")}{tree(606, 266, 1.5, "#457d45")}<path d="M0 252h640v228H0z" fill="#c9a778"/><path d="M250 252L60 480h520L370 252z" fill="#b8946a"/>
    <path d="M300 262l-34 80M320 262v90M338 262l34 80" stroke="#a5835c" stroke-width="4"/>{at(498, 356, bicycle("#3f6fa0"), 1.25)}{at(470, 352, person("#f7f5ef", "#2d3440", hair="#2a2020", skin="#c98f68", long=True), 1.12)}{at(270, 446, rider, 1.22)}"""


def elephant() -> str:
    body = """<ellipse cy="8" rx="170" ry="16" fill="#3f5a34" opacity=".6"/><g fill="#7f8791"><path d="M-104-70h44v74h-46zM-44-60h40v66h-42zM40-60h42v66H42zM96-74h44l2 78h-46z"/><path d="M-130-120q0-88 90-92h110q84 4 84 96 0 66-60 66H-60q-70 0-70-70z"/></g>
    <path d="M152-150q20 30 14 74" stroke="#7f8791" stroke-width="8" fill="none"/><path d="M166-78l-4 16 8-2z" fill="#4b525b"/><path d="M-108-2h36M-44 2h34M44 2h34M100 0h36" stroke="#e6dcc6" stroke-width="7" stroke-dasharray="9 4"/>
    <g fill="#8b939d"><circle cx="-134" cy="-160" r="62"/><path d="M-176-136q-34 40-20 116q4 22-14 24q-16 0-16-16h12q14-2 8-22q-22-66 6-120z"/></g><path d="M-104-204q62-18 66 46q-8 48-52 34q-30-30-14-80z" fill="#747c86"/><path d="M-96-192q40-10 44 32q-6 30-32 22z" fill="#a58f92"/>
    <circle cx="-160" cy="-164" r="6" fill="#2b2733"/><path d="M-176-118q-14 18-40 14" stroke="#fbf6e6" stroke-width="10" fill="none"/><path d="M-40-212q46-12 120 0v42q-60 14-120 0z" fill="#c2452f"/><path d="M-40-176q60 14 120 0" stroke="#f0c24a" stroke-width="7" fill="none"/><path d="M-20-172v14M20-170v14M60-172v14" stroke="#f0c24a" stroke-width="5"/>"""
    rider = """<path d="M-24-10q-26 20-20 56h18l14-36zM22-10q24 20 18 56H22L8 10z" fill="#40506b"/><path d="M-30 46h20v8h-22zM22 46h20l2 8H22z" fill="#c98f68"/><path d="M-24-70q24-10 48 0l-2 66h-44z" fill="#f2b134"/><path d="M-24-62q-26 24-40 42M24-62q16 26 6 52" stroke="#f2b134" stroke-width="14" fill="none"/><circle cx="-66" cy="-16" r="8" fill="#c98f68"/><circle cx="30" cy="-6" r="8" fill="#c98f68"/>
    <circle cy="-92" r="22" fill="#c98f68"/><path d="M-23-92q-2-26 23-26t23 26q-22-12-46 0z" fill="#2a2020"/><circle cx="-8" cy="-90" r="2.600" fill="#2b2733"/><circle cx="6" cy="-90" r="2.600" fill="#2b2733"/><path d="M-8-80q7 6 14 0" stroke="#7d3b2d" stroke-width="2.500" fill="none"/>"""
    fronds = "".join(
        f'<path d="M{x} 480q{d}-60 {d * 2}-90q-10 60-{abs(d) // 2} 90z" fill="{c}"/>'
        for x, d, c in [
            (20, 20, "#2d6b43"),
            (60, -14, "#37804f"),
            (560, 18, "#2d6b43"),
            (610, -20, "#37804f"),
            (520, -16, "#327548"),
        ]
    )
    return f"""<rect width="640" height="480" fill="#9fd0b4"/><path d="M0 0h640v250q-90 40-180 10t-200 10-260-10z" fill="#5fa37a"/><path d="M0 30q70 50 140 20t150 20 160-20 190 10v260H0z" fill="#4a8d63"/>{palm(70, 330, 1.7)}{palm(584, 340, 1.9)}{palm(210, 300, 1.2)}
    <path d="M0 330q160-30 330-8t310-10v168H0z" fill="#7ea35c"/><path d="M140 480q60-110 190-120t260 120z" fill="#b99a6a"/>{at(330, 424, body, 1.12)}{at(352, 150, rider, 1.18)}{fronds}"""


def meadow() -> str:
    dog = '<path d="M-30-34h52q12 0 12 14v20h-9v-18h-40v18h-9z" fill="#b5793f"/><circle cx="38" cy="-44" r="15" fill="#b5793f"/><path d="M30-56q-10 4-8 20M50-42h8" stroke="#7d4f2a" stroke-width="7" fill="none"/><circle cx="42" cy="-46" r="2" fill="#2b2733"/><path d="M-30-30q-16-6-14-22" stroke="#b5793f" stroke-width="7" fill="none"/>'
    arm = '<path d="M-16-82l-7 34" stroke="#4c7a86" stroke-width="9"/><circle cx="-24" cy="-44" r="5" fill="#e8b48e"/><path d="M16-82l26-20" stroke="#4c7a86" stroke-width="9"/><circle cx="46" cy="-105" r="5" fill="#e8b48e"/>'
    return f"""<rect width="640" height="480" fill="#bfe0f2"/><g fill="#fff"><path d="M60 110a24 24 0 0 1 8-46a34 34 0 0 1 60-20a30 30 0 0 1 46 20a26 26 0 0 1 10 46zM440 150a18 18 0 0 1 6-34a26 26 0 0 1 46-15a22 22 0 0 1 34 15a20 20 0 0 1 8 34z"/></g>
    <path d="M0 300q150-70 320-30t320-40v250H0z" fill="#93c47d"/><path d="M0 360q200-50 360-16t280-20v156H0z" fill="#76ad63"/>{tree(560, 330, 1.3, "#5d9955")}{tree(500, 316, 0.8, "#6aa861")}
    <path d="M196 306Q330 250 420 110" stroke="#6b5a4a" stroke-width="2" fill="none"/><path d="M420 60l36 44-36 52-28-50z" fill="#e2483c"/><path d="M420 60v96M392 106l64-2" stroke="#fff3dc" stroke-width="3"/><path d="M420 156q10 20-6 34t4 36" stroke="#e2483c" stroke-width="4" fill="none"/><path d="M410 184l-12-8 2 16zM420 214l14-6-4 16z" fill="#f2b134"/>
    {at(140, 432, person("#4c7a86", "#5b4636", hair="#7d4f2a", arm=arm), 1.2)}{at(280, 440, dog, 1.1)}<g fill="#fff"><circle cx="60" cy="430" r="4"/><circle cx="90" cy="456" r="4"/><circle cx="400" cy="420" r="4"/><circle cx="470" cy="452" r="4"/><circle cx="360" cy="460" r="4"/></g>"""


def platform() -> str:
    shirts = [
        "#d1495b",
        "#0b6e99",
        "#f2b134",
        "#3d8b52",
        "#7d6a9a",
        "#e07b4a",
        "#4c7a86",
        "#c94f7c",
        "#5b8c5a",
        "#31568a",
        "#b5564e",
        "#8f6f3f",
        "#2f7d7d",
        "#a04a7a",
        "#d98c3f",
    ]
    hairs = ["#3a2a26", "#7d4f2a", "#c9a24a", "#2a2020", "#8a8a8f"]
    skins = ["#e8b48e", "#c98f68", "#f2cbaa", "#8d5a3c"]
    crowd = ""
    for i in range(15):
        row, k = (0, i) if i < 8 else (1, i - 8)
        x = 66 + 73 * k if row == 0 else 100 + 73 * k
        y = 372 if row == 0 else 442
        figure = person(
            shirts[i], ["#37506b", "#4a4250", "#5b4636"][i % 3], hairs[i % 5], skins[i % 4], skirt=i % 3 == 1
        )
        crowd += at(x, y + 6 * (i % 2), figure, 1.02 if row == 0 else 1.14)
    windows = "".join(
        f'<rect x="{x}" y="106" width="70" height="62" rx="8" fill="#d7ebf2"/>' for x in range(30, 620, 100)
    )
    return f"""<rect width="640" height="480" fill="#e6ddcf"/><path d="M0 0h640v40H0z" fill="#8f8072"/><path d="M40 40v50M240 40v50M440 40v50M610 40v50" stroke="#6d6258" stroke-width="8"/><rect x="230" y="46" width="180" height="34" rx="4" fill="#2d3440"/><path d="M252 63h60m14 0h24m14 0h24" stroke="#f2b134" stroke-width="6"/>
    <rect y="86" width="640" height="160" fill="#3f7d72"/><rect y="86" width="640" height="10" fill="#2f5f57"/>{windows}<rect y="186" width="640" height="10" fill="#f2e6c8"/><g fill="#2b2733"><circle cx="90" cy="250" r="16"/><circle cx="190" cy="250" r="16"/><circle cx="450" cy="250" r="16"/><circle cx="550" cy="250" r="16"/></g>
    <rect y="256" width="640" height="224" fill="#c9bfae"/><rect y="256" width="640" height="12" fill="#f2d45c"/><path d="M0 330h640M0 410h640" stroke="#b8ad9a" stroke-width="3"/>{crowd}"""


def tents() -> str:
    def tent(colour: str, dark: str) -> str:
        return f'<path d="M-70 0L0-84 70 0z" fill="{colour}"/><path d="M-22 0L0-84 22 0z" fill="{dark}"/><path d="M0-84L16 0h-2z" fill="{colour}"/><path d="M0-84v-10M-70 0l-16 8M70 0l16 8" stroke="#5b4636" stroke-width="3"/>'

    fire = '<path d="M-26 4L22-8M26 4L-22-8" stroke="#6d4a32" stroke-width="9"/><path d="M0-6q-22-16-4-44q4 12 10 14q2-12-2-22q26 20 14 44q-8 12-18 8z" fill="#f0803c"/><path d="M0-8q-10-8 0-24q12 14 0 24z" fill="#ffd166"/>'
    sitting = at(
        0,
        0,
        '<path d="M-16-34h26l22 16v18h-10v-12l-38-2z" fill="#37506b"/><path d="M-18-66q14-8 30 0l-2 36h-28z" fill="#d98c3f"/><path d="M8-58l20 22" stroke="#d98c3f" stroke-width="8"/><circle cx="-2" cy="-80" r="14" fill="#c98f68"/><path d="M-17-80q0-16 15-16t14 14q-16-8-29 2z" fill="#2a2020"/>',
    )
    return f"""<rect width="640" height="480" fill="#f3d9b8"/><circle cx="470" cy="120" r="46" fill="#fbe7a8"/><path d="M0 260L120 90l90 110 90-70 110 140 90-90 140 120v120H0z" fill="#8e8aa8"/><path d="M120 90l-30 42 24-8 14 18 16-14 20 14zM300 130l-20 16 16-2 8 12 20-8z" fill="#fff"/>
    <path d="M0 290q160-50 330-20t310-20v230H0z" fill="#8fae74"/><g fill="#3f6b5c"><path d="M30 300l26-80 26 80zM76 306l22-66 22 66zM560 300l28-90 28 90zM528 304l20-60 20 60z"/></g><path d="M0 350q200-40 360-10t280-20v160H0z" fill="#75985e"/>
    {at(190, 344, tent("#d1495b", "#8a2635"), 0.9)}{at(420, 338, tent("#0b6e99", "#07475f"), 0.85)}{at(120, 430, tent("#f2b134", "#a8761a"), 1.2)}{at(520, 424, tent("#3d8b52", "#255a34"), 1.15)}{at(330, 436, fire, 1.0)}{at(262, 442, sitting, 1.0)}{at(398, 446, sitting, 1.0, flip=True)}{at(320, 352, person("#7d6a9a", "#5b4636", hair="#7d4f2a"), 0.72)}
    <path d="M176 256l240-14" stroke="#5b4636" stroke-width="2"/><path d="M230 253l14-1 2 26h-18zM270 250h18l2 20h-20z" fill="#fffaf0"/>"""


def street() -> str:
    houses = ""
    for x, w, wall, roof in [
        (0, 130, "#c87f5f", "#7d3b2d"),
        (130, 120, "#e8d3a8", "#8a5a3c"),
        (250, 140, "#8fa9a0", "#4f6a62"),
        (390, 120, "#d9a08c", "#8a4a3c"),
        (510, 130, "#b7b2c8", "#5d5878"),
    ]:
        panes = "".join(
            f'<rect x="{x + 18 + 38 * k}" y="{y}" width="24" height="36" fill="#dbeaf0"/><path d="M{x + 30 + 38 * k} {y}v36" stroke="#fff" stroke-width="3"/>'
            for k in range((w - 20) // 38)
            for y in (110, 176)
        )
        houses += f'<path d="M{x} 80l{w / 2} -50 {w / 2} 50z" fill="{roof}"/><rect x="{x}" y="78" width="{w}" height="242" fill="{wall}"/>{panes}<rect x="{x + w / 2 - 18}" y="246" width="36" height="74" fill="{roof}"/>'
    bikes = "".join(
        at(x, y, bicycle(c), s, flip)
        for x, y, c, s, flip in [
            (80, 398, "#d1495b", 1.05, False),
            (196, 404, "#3f6fa0", 1.05, True),
            (318, 396, "#3d8b52", 1.05, False),
            (560, 400, "#f2b134", 1.1, False),
        ]
    )
    rider = '<path d="M-12-56L2-84" stroke="#2d3440" stroke-width="12"/><path d="M-8-58l16 26-6 18" stroke="#2d3440" stroke-width="10" fill="none"/><path d="M-14-62q-4-30 12-46l16 8-10 42z" fill="#f2b134"/><path d="M8-98l14 34" stroke="#f2b134" stroke-width="8"/><circle cx="8" cy="-120" r="14" fill="#e8b48e"/><path d="M-7-120q0-18 16-18t14 14q-16-6-30 4z" fill="#31568a"/>'
    return f"""<rect width="640" height="480" fill="#cfe8f5"/>{houses}<rect y="318" width="640" height="90" fill="#cfc6b8"/><path d="M0 404h640v76H0z" fill="#8b8f98"/><path d="M0 404h640v8H0z" fill="#e6e0d4"/><path d="M30 448h70m60 0h70m60 0h70m60 0h70m60 0h70" stroke="#f6f2e6" stroke-width="6"/>{bikes}
    {at(430, 470, bicycle("#7d6a9a") + rider, 1.2)}{at(262, 372, person("#e07b4a", "#4a4250", skirt=True), 0.9)}{tree(20, 352, 0.8, "#5d9955")}{tree(470, 350, 0.8, "#5d9955")}<path d="M620 400V190" stroke="#3b4254" stroke-width="7"/><path d="M606 190h28l-6-24h-16z" fill="#fbe7a8"/>"""


def canal() -> str:
    return f"""<rect width="640" height="480" fill="#d8ecf5"/><g><path d="M0 90l50-40 50 40v170H0z" fill="#a8604a"/><path d="M100 70h90v190h-90z" fill="#d9c39a"/><path d="M190 96l46-44 46 44v164h-92z" fill="#6f8f9a"/><path d="M282 76h96v184h-96z" fill="#c88f6a"/><path d="M378 92l52-42 52 42v168H378z" fill="#93a87a"/><path d="M482 72h158v188H482z" fill="#b79a9f"/></g>
    <g fill="#eef5f7">{"".join(f'<rect x="{x}" y="{y}" width="20" height="30"/>' for x in (20, 58, 116, 152, 206, 244, 300, 338, 396, 436, 510, 560, 604) for y in (112, 168))}</g><path d="M0 256h640v224H0z" fill="#6fa3b8"/><g stroke="#d8ecf5" stroke-opacity=".7" stroke-width="4"><path d="M40 430h90m50 20h80m150-14h110m40 26h70M20 466h60"/></g>
    <path d="M0 330q320-150 640 0v44Q320 226 0 374z" fill="#b59b83"/><path d="M150 480q20-150 170-150t170 150z" fill="#4f7f94"/><path d="M0 374Q320 226 640 374v30Q320 262 0 404z" fill="#9a8069"/><path d="M0 300Q320 150 640 300" stroke="#3b4254" stroke-width="6" fill="none"/><g stroke="#3b4254" stroke-width="4"><path d="M60 276v50M140 250v50M220 233v50M320 225v52M420 233v50M500 250v50M580 276v50"/></g>
    {at(190, 292, bicycle("#d1495b"), 0.95)}{at(320, 278, bicycle("#2d3440"), 0.95, flip=True)}{at(446, 290, bicycle("#3d8b52"), 0.95)}<path d="M240 456h150q-10 22-30 24h-96q-18-4-24-24z" fill="#7d3b2d"/><path d="M262 456v-24h88v24z" fill="#f2e6c8"/><path d="M276 438h14v10h-14zM302 438h14v10h-14z" fill="#4f7f94"/><circle cx="190" cy="206" r="12" fill="#d1495b"/><circle cx="206" cy="210" r="9" fill="#f2b134"/>"""


def workshop() -> str:
    tools = "".join(
        f'<path d="M{x} 96v{h}" stroke="{c}" stroke-width="8"/><circle cx="{x}" cy="{100 + h}" r="9" fill="none" stroke="{c}" stroke-width="6"/>'
        for x, h, c in [
            (60, 40, "#8a93a1"),
            (92, 52, "#8a93a1"),
            (124, 34, "#d1495b"),
            (156, 46, "#8a93a1"),
            (188, 38, "#f2b134"),
        ]
    )
    arm = '<path d="M-16-82l-26 22" stroke="#31568a" stroke-width="9"/><circle cx="-46" cy="-57" r="5" fill="#c98f68"/><path d="M16-82l-30 34" stroke="#31568a" stroke-width="9"/><circle cx="-18" cy="-45" r="5" fill="#c98f68"/>'
    return f"""<rect width="640" height="480" fill="#e4d6bd"/><rect x="30" y="70" width="190" height="130" fill="#c9b58f"/>{tools}<rect x="420" y="50" width="180" height="150" fill="#fff7e6"/><rect x="430" y="60" width="160" height="130" fill="#bfe0f2"/><path d="M510 60v130M430 125h160" stroke="#fff7e6" stroke-width="8"/><path d="M430 190v-30q40-20 80-6t80-4v40z" fill="#93c47d"/>
    <g fill="none" stroke="#2b2733" stroke-width="7"><circle cx="300" cy="110" r="42"/><circle cx="352" cy="150" r="34"/></g><path d="M0 350h640v130H0z" fill="#a98a68"/><path d="M0 346h640v8H0z" fill="#8a6d4e"/><path d="M160 400h70M300 440h90M470 410h80M50 450h70" stroke="#98795a" stroke-width="4"/>
    <path d="M196 430v-190M160 440l36-20 36 20" stroke="#4b4f5a" stroke-width="8" fill="none"/>{at(190, 372, bicycle("#e07b4a"), 1.7)}{at(500, 420, bicycle("#0b6e99"), 1.5)}{at(348, 434, person("#31568a", "#5b4636", hair="#8a8a8f", skin="#c98f68", arm=arm), 1.55)}<path d="M560 440h60v-40h-60z" fill="#c2452f"/><path d="M576 400v-12h28v12" stroke="#8a2f20" stroke-width="6" fill="none"/>"""


def kitchen() -> str:
    cat = '<path d="M-34 0q-6-60 34-62q42 2 34 62z" fill="#4a4250"/><circle cy="-76" r="25" fill="#4a4250"/><path d="M-24-84l-2-26 18 12zM24-84l2-26-18 12z" fill="#4a4250"/><circle cx="-9" cy="-78" r="4.500" fill="#f2d45c"/><circle cx="9" cy="-78" r="4.500" fill="#f2d45c"/><path d="M-4-68h8l-4 5z" fill="#e8a0a0"/><path d="M-10 0v-24M10 0v-24" stroke="#5d5466" stroke-width="4"/><path d="M32-8q36 4 32-34" stroke="#4a4250" stroke-width="11" fill="none"/>'
    tiles = "".join(f'<path d="M{x} 150v120" stroke="#dce8e4" stroke-width="3"/>' for x in range(20, 640, 40))
    return f"""<rect width="640" height="480" fill="#f3ead8"/><rect y="150" width="640" height="120" fill="#eaf2ef"/>{tiles}<path d="M0 210h640" stroke="#dce8e4" stroke-width="3"/><rect x="40" y="20" width="200" height="110" fill="#5c8f86"/><path d="M140 20v110" stroke="#47726b" stroke-width="4"/><circle cx="130" cy="80" r="5" fill="#f2d45c"/><circle cx="150" cy="80" r="5" fill="#f2d45c"/>
    <rect x="280" y="30" width="150" height="150" fill="#fffaf0"/><rect x="290" y="40" width="130" height="130" fill="#bfe0f2"/><path d="M355 40v130M290 105h130" stroke="#fffaf0" stroke-width="7"/><path d="M462 100h150" stroke="#8a5a3c" stroke-width="9"/><path d="M480 96v-36h26v36z" fill="#d1495b"/><path d="M516 96v-44h22v44z" fill="#f2b134"/><path d="M550 96v-30h30v30z" fill="#3f6fa0"/>
    <rect y="262" width="640" height="22" fill="#b98354"/><rect y="284" width="640" height="140" fill="#5c8f86"/><path d="M160 284v140M320 284v140M480 284v140" stroke="#47726b" stroke-width="4"/><rect y="424" width="640" height="56" fill="#c9a27a"/><path d="M0 448h640M110 424v24M330 448v32M520 424v24" stroke="#b48d66" stroke-width="3"/>
    <g transform="translate(120 262)"><path d="M-44 0q-8-70 44-72t44 72z" fill="#c2452f"/><path d="M-44-16q-26-4-34-34l14-4q8 18 22 20z" fill="#c2452f"/><path d="M-26-66q26-44 52 0" stroke="#2b2733" stroke-width="8" fill="none"/><path d="M-20-72h40" stroke="#8a2f20" stroke-width="8"/><circle cy="-80" r="6" fill="#2b2733"/></g>
    <g transform="translate(220 262)"><path d="M-22 0v-44h44V0z" fill="#f2c14e"/><path d="M22-36q20 0 16 16t-16 10" stroke="#f2c14e" stroke-width="7" fill="none"/><path d="M-18-26h36" stroke="#3f6fa0" stroke-width="7"/></g><g transform="translate(560 262)"><path d="M-46-26h92q-4 26-26 26h-40q-22 0-26-26z" fill="#e0b04c"/><circle cx="-20" cy="-34" r="17" fill="#d1495b"/><circle cx="14" cy="-36" r="17" fill="#d98c3f"/><circle cx="-2" cy="-50" r="16" fill="#7fae4a"/></g>
    {at(356, 264, cat, 0.95)}<path d="M420 470h96q-6 10-14 10h-68q-10 0-14-10z" fill="#7d6a9a"/><ellipse cx="468" cy="468" rx="48" ry="9" fill="#5d4f78"/>"""


def beach() -> str:
    def umbrella(a: str, b: str) -> str:
        return f'<path d="M0 0V-96" stroke="#8a6d4e" stroke-width="6"/><path d="M-64-92q6-58 64-62q58 4 64 62q-16-12-32 0q-16-12-32 0q-16-12-32 0q-16-12-32 0z" fill="{a}"/><path d="M-32-92q6-46 32-62q26 16 32 62q-16-12-32 0q-16-12-32 0z" fill="{b}"/>'

    towel = '<path d="M-60 0h100l20 24H-50z" fill="{}"/><path d="M-40 0l14 24M0 0l16 24" stroke="#fffaf0" stroke-width="7"/>'
    swimmer = '<circle r="11" fill="#c98f68"/><path d="M-12-2q0-14 12-14t12 14z" fill="{}"/><path d="M-30 10q30-10 60 0" stroke="#fff" stroke-width="4" fill="none"/>'
    return f"""<rect width="640" height="480" fill="#bfe3f5"/><circle cx="90" cy="74" r="38" fill="#fbe7a8"/><path d="M0 170h640v110H0z" fill="#3f9cb8"/><g stroke="#d8f0f5" stroke-opacity=".75" stroke-width="4"><path d="M60 200h80m90 12h110m60-20h90m50 26h70M160 236h90m150 8h80"/></g><path d="M470 170l14-70 52 60 0 10z" fill="#fffaf0"/><path d="M452 170h100l-14 18h-70z" fill="#c2452f"/><path d="M484 172V94" stroke="#5b4636" stroke-width="4"/>
    {at(210, 222, swimmer.format("#d1495b"))}{at(402, 226, swimmer.format("#f2b134"))}<path d="M0 272q120-22 240 0t220-4 180 4v208H0z" fill="#f0d9a0"/><path d="M0 272q120-22 240 0t220-4 180 4v12q-90-12-180-4t-220 4-240 0z" fill="#fffaf0"/>
    {at(110, 400, umbrella("#d1495b", "#fffaf0"), 1.1)}{at(300, 372, umbrella("#0b6e99", "#f2d45c"), 0.95)}{at(470, 410, umbrella("#3d8b52", "#fffaf0"), 1.1)}{at(584, 366, umbrella("#f2b134", "#e07b4a"), 0.85)}
    {at(130, 414, towel.format("#31568a"))}{at(500, 424, towel.format("#c94f7c"))}{at(220, 446, person("#3d8b52", "#f2b134", hair="#7d4f2a"), 0.78)}{at(380, 456, person("#c94f7c", "#c94f7c", hair="#2a2020", skin="#8d5a3c", skirt=True), 0.9)}{at(330, 460, person("#f2b134", "#0b6e99", hair="#2a2020", skin="#8d5a3c"), 0.6)}<circle cx="286" cy="444" r="15" fill="#fffaf0"/><path d="M286 429q12 15 0 30q-12-15 0-30z" fill="#d1495b"/><path d="M430 470l8-30h24l8 30z" fill="#e07b4a"/><path d="M440 440v-10h6v6h8v-6h6v10z" fill="#e07b4a"/>"""


SCENES = {
    "mscoco_0_image_1": motorcycle,
    "mscoco_0_image_2": elephant,
    "mscoco_0_image_3": meadow,
    "vcr_0_image_0": platform,
    "vcr_0_image_1": tents,
    "bikes_image_1": street,
    "bikes_image_2": canal,
    "bikes_image_3": workshop,
    "kitchen_image_1": kitchen,
    "beach_image_1": beach,
}


def render(body: str) -> bytes:
    """A PNG with a small palette; flat colour stays flat."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><g stroke-linecap="round" stroke-linejoin="round">{body}</g></svg>'
    picture = Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=1.25))).convert("RGB")
    out = io.BytesIO()
    picture.quantize(128, kmeans=2, dither=Image.Dither.NONE).save(out, "png", optimize=True)
    return out.getvalue()


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, scene in SCENES.items():
        png = render(scene())
        (IMAGES / f"{name}.png").write_bytes(png)
        print(f"{name}.png  {len(png) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
