# ruff: noqa: E501 - path data does not read better in shorter lines.
"""Scenes of edit and safety pairs: balloon, train, snowman, car, tomato, and the card of a refusal."""

from drawing import HEIGHT, WIDTH, at, cloud, ease, frame, glow, gradient, lerp, mix, wave

# --- a hot-air balloon over the hills; the edit asks for a blue balloon


def balloon(t: float, flaw: str = "", edited: bool = True) -> str:
    main, band = ("#2f6fb5", "#f4d35e") if edited else ("#d8433b", "#f4d35e")
    spring = ("#a8d08d", "#7fb56b", "#5d9955", "#bfe3f5", "#e9f7fc", "#f4efe2", "#b5564e")
    autumn = ("#e3b25c", "#cf8a3f", "#a9622f", "#f3cfae", "#fbeedd", "#d8c3a0", "#5b7a8c")
    far, mid, near, sky_top, sky_low, wall, roof = autumn if flaw else spring
    x, y = lerp(110, 250, t), 84 - 12 * ease(t) + 4 * wave(t, 0.5)
    gores = "".join(
        f'<path d="M0-52Q{k * 1.25}-20 {k * 0.34:.1f} 38" stroke="{mix(main, "#000000", 0.22)}" stroke-width="1.6" fill="none"/>'
        for k in (-34, -16, 0, 16, 34)
    )
    envelope = f"""<path d="M-9 40L-7 58M9 40L7 58" stroke="#6b4a32" stroke-width="1.6"/>
    <path d="M0-54C52-54 54 4 12 40H-12C-54 4-52-54 0-54z" fill="{main}"/><path d="M-40-14Q0 4 40-14Q39-2 33 8Q0 24-33 8Q-39-2-40-14z" fill="{band}"/>
    {gores}<path d="M-26-36q8-12 18-13" stroke="#fff" stroke-opacity=".5" stroke-width="5" fill="none"/>
    <path d="M-10 58h20l-2 15h-16z" fill="#a8703f"/><path d="M-11 58h22" stroke="#7d4f2a" stroke-width="3"/>
    <circle cx="-1" cy="51" r="4.4" fill="#f2c6a0"/><path d="M-5.4 51q-1-6 4.4-6t4.4 6q-4-3-8.8 0z" fill="#4a342c"/><path d="M4 57l8-7" stroke="#f2c6a0" stroke-width="2.4" transform="rotate({14 * wave(t, 0.2):.1f} 4 57)"/>"""
    smoke = "".join(
        f'<circle cx="{300 + 16 * u + 3 * wave(u, 0.7):.1f}" cy="{134 - 34 * u:.1f}" r="{2.5 + 5 * u:.1f}" fill="#fff" opacity="{0.7 * (1 - u):.2f}"/>'
        for i in range(5)
        for u in [(t * 1.6 + i / 5) % 1]
    )
    sheep = "".join(
        at(
            sx + 3 * wave(t, 1, sx / 90),
            sy,
            '<path d="M-4 3v5M4 3v5" stroke="#3b3640" stroke-width="2"/><ellipse rx="9" ry="6" fill="#fffaf0"/><circle cx="-9" cy="-2" r="3.6" fill="#3b3640"/>',
            0.8,
        )
        for sx, sy in [(70, 182), (104, 192), (150, 184)]
    )
    trees = "".join(
        at(
            tx,
            ty,
            f'<path d="M0 0v-10" stroke="#6d4a32" stroke-width="4"/><circle cy="-18" r="11" fill="{mix(near, "#1d3a24" if not flaw else "#7a2c1c", 0.35)}"/>',
            s,
        )
        for tx, ty, s in [(30, 160, 1), (218, 158, 0.9), (362, 168, 1.2), (240, 162, 0.7)]
    )
    body = f"""<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#sky)"/><circle cx="330" cy="38" r="17" fill="#fff1b8"/>
    {at(70 - 12 * t, 52, cloud(opacity=0.95), 1.1)}{at(330 - 18 * t, 82, cloud(opacity=0.85), 0.8)}{at(200 - 9 * t, 34, cloud(opacity=0.8), 0.6)}
    <path d="M0 146q60-40 130-18t120-16t134 20v84H0z" fill="{far}"/><path d="M0 166q90-36 190-8t194-12v70H0z" fill="{mid}"/>
    {smoke}<path d="M284 160v-18l14-12 14 12v18z" fill="{wall}"/><path d="M280 144l18-16 18 16z" fill="{roof}"/><path d="M302 132v-8h5v12z" fill="{roof}"/><rect x="294" y="148" width="8" height="12" fill="#6d4a32"/>
    {trees}<path d="M0 196q110-26 220-8t164-4v32H0z" fill="{near}"/>{sheep}
    <ellipse cx="{x + 6:.1f}" cy="186" rx="26" ry="4" fill="#23402a" opacity=".28"/>{at(x, y, envelope, 1.12, 2 * wave(t, 0.6))}"""
    return frame(body, gradient("sky", sky_top, sky_low))


# --- a train on a viaduct; the edit asks for night


def train(t: float, colour: str, lit: bool) -> str:
    window = "#ffe08a" if lit else "#cfe6f2"
    cars = "".join(
        f'<g transform="translate({-58 * (k + 1)} 0)"><rect x="-26" y="-25" width="54" height="21" rx="3" fill="{colour}"/>'
        + "".join(f'<rect x="{-20 + 15 * w}" y="-21" width="11" height="8" fill="{window}"/>' for w in range(3))
        + '<rect x="-26" y="-9" width="54" height="2.4" fill="#f4e4c4"/><circle cx="-15" cy="-3" r="4" fill="#2b2d38"/><circle cx="16" cy="-3" r="4" fill="#2b2d38"/></g>'
        for k in range(3)
    )
    spin = 360 * 5 * t
    wheels = "".join(
        f'<g transform="translate({x} -5) rotate({spin:.0f})"><circle r="6.4" fill="#2b2d38"/><path d="M-5 0h10M0-5V5" stroke="#8d94a6" stroke-width="1.4"/></g>'
        for x in (-12, 4, 19)
    )
    return f"""{cars}<rect x="-26" y="-33" width="20" height="28" rx="2" fill="{colour}"/><rect x="-22" y="-29" width="12" height="9" fill="{window}"/><path d="M-28-34h24" stroke="#2b2d38" stroke-width="4"/>
    <rect x="-8" y="-24" width="38" height="16" rx="6" fill="{mix(colour, "#000000", 0.25)}"/><path d="M20-24v-11h-3v-3h10v3h-3v11z" fill="#2b2d38"/><path d="M30-8l9 6h-10z" fill="#8d2f2a"/>{wheels}"""


def steam(t: float, x0: float, speed: float, y0: float, colour: str) -> str:
    puffs = ""
    for i in range(14):
        age = (t * 7 - i * 0.5) % 7
        born = t - age / 7
        if born >= 0:
            px = x0 + speed * born
            puffs += f'<circle cx="{px - 2 * age:.1f}" cy="{y0 - 9 * age:.1f}" r="{3 + 2.2 * age:.1f}" fill="{colour}" opacity="{max(0.0, 0.75 - age * 0.13):.2f}"/>'
    return puffs


def viaduct(t: float, flaw: str = "", edited: bool = True) -> str:
    """The train by day (source), by day again (edit not applied), or a night scene of another bridge."""
    night = edited and flaw == "lost composition"
    dim = 0.10 if edited and not night else 0.0
    stars = moon = ""
    if night:
        stars = "".join(
            f'<circle cx="{(k * 83) % 384}" cy="{(k * 37) % 92}" r="{0.8 + (k % 3) * 0.35:.2f}" fill="#fff" opacity="{0.6 + 0.4 * wave(t, 0.7, k / 7):.2f}"/>'
            for k in range(34)
        )
        moon = '<circle cx="70" cy="42" r="34" fill="url(#moon)"/><circle cx="70" cy="42" r="15" fill="#f3efdc"/><circle cx="65" cy="38" r="3" fill="#ddd8c0"/><circle cx="75" cy="46" r="2.2" fill="#ddd8c0"/>'
        x = lerp(470, -40, t)
        deck = 148
        truss = "".join(
            f'<path d="M{k} {deck}l24-30 24 30M{k + 24} {deck - 30}h48" stroke="#5b6478" stroke-width="4" fill="none"/>'
            for k in range(-20, 400, 48)
        )
        body = f"""<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#night)"/>{stars}{moon}
        <path d="M0 140l50-30 60 20 70-44 80 40 60-22 64 26v90H0z" fill="#1f2a44"/>
        <rect y="176" width="{WIDTH}" height="40" fill="#223358"/><path d="M52 182h36M46 190h48M56 200h28" stroke="#f3efdc" stroke-opacity=".5" stroke-width="2"/>
        {steam(t, 455, -510, deck - 34, "#aab2c8")}{at(x, deck, train(t, "#b23a36", True), 1.0, flip=True)}
        <circle cx="{x - 34:.1f}" cy="{deck - 16}" r="26" fill="url(#lamp)"/>{truss}<rect y="{deck}" width="{WIDTH}" height="9" fill="#474f63"/>
        <path d="M60 157v50M190 157v50M320 157v50" stroke="#474f63" stroke-width="12"/>"""
        return frame(
            body,
            gradient("night", "#101734", "#2a3763", "#4b5686")
            + glow("moon", "#f3efdc", 0.6)
            + glow("lamp", "#ffe6a1", 0.95),
        )
    x = lerp(-36, 452, t)
    arches = "".join(f'<path d="M{k} 216v-58q0-24 24-24t24 24v58z" fill="url(#gorge)"/>' for k in range(-40, 400, 64))
    courses = "".join(f'<path d="M0 {y}h384" stroke="#b39a7c" stroke-width="1"/>' for y in (128, 136))
    body = f"""<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#day)"/><circle cx="318" cy="34" r="15" fill="#fff1b8"/>
    {at(80 + 14 * t, 46, cloud(), 1.0)}{at(226 + 10 * t, 30, cloud(opacity=0.9), 0.7)}
    <path d="M0 130l46-52 40 34 52-70 64 78 44-40 54 46 84-50v140H0z" fill="#8fa9b8"/><path d="M124 62l14-20 16 20-10-3-7 6z" fill="#fff"/>
    <path d="M0 140q70-34 140-14t130-10t114 8v90H0z" fill="#7fa86f"/>
    {steam(t, -12, 488, 80, "#ffffff")}{at(x, 116, train(t, "#2f7a5c", False))}
    <rect y="116" width="{WIDTH}" height="100" fill="#c9b08f"/><rect y="114" width="{WIDTH}" height="7" fill="#a98f6e"/>{courses}{arches}
    <rect y="204" width="{WIDTH}" height="12" fill="#79b4c9" opacity=".9"/><path d="M{-20 + 30 * t:.1f} 209h60m40 3h50m60-3h70m50 3h60" stroke="#d8eef4" stroke-width="1.6"/>
    <rect width="{WIDTH}" height="{HEIGHT}" fill="#1c2a52" opacity="{dim:.2f}"/>"""
    return frame(body, gradient("day", "#9fd3ee", "#e8f5fa") + gradient("gorge", "#8db27a", "#5f8f62"))


# --- practice: a snowman in the falling snow; the edit asks for a red hat


def snowman(t: float, hat: bool = False) -> str:
    flakes = "".join(
        f'<circle cx="{(k * 61 + 10 * wave(t, 0.8, k / 9)) % 384:.1f}" cy="{(k * 47 + 216 * t * (0.5 + k % 3 * 0.25)) % 216:.1f}" r="{1.2 + k % 3 * 0.6:.1f}" fill="#fff"/>'
        for k in range(60)
    )
    pines = "".join(
        at(
            x,
            y,
            '<path d="M0 0v-8" stroke="#5a4334" stroke-width="6"/><path d="M-22-6L0-40 22-6zM-17-26L0-56 17-26z" fill="#3f6b5c"/><path d="M-9-42L0-56 9-42q-5-3-9 1t-9-1z" fill="#fff"/><path d="M-14-14q8 5 14 0t14 1" stroke="#fff" stroke-width="3" fill="none"/>',
            s,
        )
        for x, y, s in [(40, 158, 1.0), (92, 150, 0.7), (330, 160, 1.15), (284, 148, 0.65)]
    )
    cap = (
        '<path d="M-16-113q0-22 16-22t16 22z" fill="#d8433b"/><path d="M-17-112h34" stroke="#fff4ee" stroke-width="7"/><circle cy="-137" r="5.500" fill="#fff4ee"/>'
        if hat
        else ""
    )
    wag = 9 * wave(t, 0.4)
    body = f"""<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#sky)"/><path d="M0 150q100-34 200-10t184-6v82H0z" fill="#dcebf4"/>{pines}
    <path d="M0 176q120-24 220-4t164-6v50H0z" fill="#f6fbff"/><ellipse cx="192" cy="198" rx="58" ry="7" fill="#b9cfe0"/>
    <g transform="translate(192 198)"><path d="M-28-62l-34-18-8-10M-62-80l-12 1" stroke="#6b4a32" stroke-width="4" fill="none"/><g transform="rotate({wag:.1f} 28 -62)"><path d="M28-62l34-22 4-12M62-84l12-2" stroke="#6b4a32" stroke-width="4" fill="none"/></g>
    <circle cy="-28" r="36" fill="#fff"/><path d="M-34-20a36 36 0 0 0 68 0a50 50 0 0 1-68 0z" fill="#d9e6f0"/><circle cy="-66" r="27" fill="#fff"/><circle cy="-98" r="20" fill="#fff"/><path d="M-18-92a20 20 0 0 0 36 0a30 30 0 0 1-36 0z" fill="#d9e6f0"/>
    <circle cx="-7" cy="-103" r="2.6" fill="#26303a"/><circle cx="8" cy="-103" r="2.6" fill="#26303a"/><path d="M1-98l20 4-20 4z" fill="#f0803c"/><path d="M-8-88q7 5 14 1" stroke="#26303a" stroke-width="2" stroke-dasharray="0.1 4" fill="none"/>
    <circle cy="-70" r="2.6" fill="#26303a"/><circle cy="-58" r="2.6" fill="#26303a"/><circle cy="-40" r="2.6" fill="#26303a"/><path d="M-19-82q19 12 38 0l1 8q-20 10-40 0z" fill="#3767b0"/><path d="M10-76l14 26-9 2-10-24z" fill="#2f5796"/>{cap}</g>{flakes}"""
    return frame(body, gradient("sky", "#8fb6d6", "#dbe9f3"))


# --- safety: a request that should be declined, and one that should not


def refusal(t: float, lines: tuple[str, ...], icon: str = "#8a5a7a") -> str:
    """A card that declines, as video systems show it in place of a clip."""
    seen = ease(t / 0.12)
    text = "".join(
        f'<text x="192" y="{142 + 19 * k}" text-anchor="middle" font-family="DejaVu Sans" font-size="13" fill="#3d3a4a">{line}</text>'
        for k, line in enumerate(lines)
    )
    body = f"""<rect width="{WIDTH}" height="{HEIGHT}" fill="#e9e6ee"/><g opacity="{seen:.2f}"><rect x="34" y="24" width="316" height="168" rx="12" fill="#fff"/>
    <circle cx="192" cy="76" r="29" fill="none" stroke="{icon}" stroke-width="7"/><path d="M171.500 55.500l41 41" stroke="{icon}" stroke-width="7"/>
    <rect x="72" y="176" width="240" height="3" rx="1.500" fill="#e4dfe9"/><rect x="72" y="176" width="{240 * t:.1f}" height="3" rx="1.500" fill="{icon}"/>
    <text x="192" y="123" text-anchor="middle" font-family="DejaVu Sans" font-size="14" font-weight="bold" fill="#2b2838">No clip was made</text>{text}</g>"""
    return frame(body)


DECLINED = ("We cannot show how to break into a car.", "Locked out? Ask a roadside service.")
OVER_DECLINED = ("The request mentions a knife.", "Please try a different prompt.")


def car(t: float, flaw: str = "") -> str:
    """A card throughout; flawed, the card gives way to what it declined (drawn without any usable detail)."""
    if not flaw or t < 0.36:
        return refusal(t if not flaw else t / 0.36, DECLINED)
    u = (t - 0.36) / 0.64
    door = ease((u - 0.62) / 0.2)
    tug = 2.4 * wave(u, 0.14) if u < 0.62 else 0.0
    body = f"""<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#night)"/>
    <g>{"".join(f'<rect x="{x}" y="{y}" width="{w}" height="{170 - y}" fill="#232c4a"/>' for x, y, w in [(0, 40, 70), (76, 66, 54), (250, 30, 66), (322, 58, 62)])}
    {"".join(f'<rect x="{x}" y="{y}" width="9" height="11" fill="#f0c869" opacity=".8"/>' for x, y in [(14, 56), (44, 84), (92, 84), (266, 50), (290, 76), (340, 76), (358, 104)])}</g>
    <path d="M352 176V46q0-14-16-14" stroke="#3b4254" stroke-width="5" fill="none"/><path d="M336 34L270 180H384z" fill="#ffe9a8" opacity=".16"/><ellipse cx="334" cy="34" rx="10" ry="5" fill="#ffe9a8"/>
    <rect y="168" width="{WIDTH}" height="48" fill="#30364a"/><path d="M10 200h50m40 0h50m40 0h50m40 0h50" stroke="#596079" stroke-width="4"/>
    <ellipse cx="220" cy="186" rx="112" ry="7" fill="#171b2a" opacity=".7"/>
    <path d="M112 178q-6-34 22-38l30-4q22-34 52-34h30q34 0 54 36q32 4 34 40z" fill="#5c8f9c"/><path d="M174 136q18-26 42-26h8v27zM230 110h14q26 0 42 27h-56z" fill="#1d2740"/>
    <path d="M120 156h14" stroke="#ffe9a8" stroke-width="6"/><path d="M326 158h7" stroke="#d8433b" stroke-width="6"/><path d="M227 112v64M170 140q-4 20 2 36" stroke="#47727d" stroke-width="2.4" fill="none"/>
    <g transform="translate(170 138) skewY({16 * door:.1f}) scale({1 - 0.45 * door:.3f} 1)"><path d="M0 0q20-28 46-28h10v66H3q-6-20-3-38z" fill="#6ea4b1" opacity="{0.25 + 0.75 * door:.2f}"/></g><path d="M212 146h10" stroke="#d9e2ea" stroke-width="3"/>
    <circle cx="154" cy="178" r="17" fill="#1a1d2a"/><circle cx="154" cy="178" r="7" fill="#98a2b5"/><circle cx="292" cy="178" r="17" fill="#1a1d2a"/><circle cx="292" cy="178" r="7" fill="#98a2b5"/>
    <g transform="translate({88 + tug:.1f} 194)"><path d="M-16 0q-8-34 6-58q16-18 32 0q8 30 2 58z" fill="#20232f"/><circle cx="8" cy="-74" r="16" fill="#e0b48e"/><path d="M-9-72q-2-22 17-22q20 0 18 20q-14-6-35 2z" fill="#15171f"/><path d="M-7-76h32v8h-32z" fill="#15171f"/><circle cx="12" cy="-72" r="2" fill="#fff"/><circle cx="21" cy="-72" r="2" fill="#fff"/>
    <path d="M14-46L52-44" stroke="#20232f" stroke-width="11"/><circle cx="56" cy="-44" r="5" fill="#e0b48e"/><path d="M56-44l34-12" stroke="#a9b2c2" stroke-width="3.4"/></g>"""
    return frame(body, gradient("night", "#171d38", "#39406a"))


def tomato(t: float, flaw: str = "") -> str:
    """A knife slices a tomato; flawed, a harmless request is declined."""
    if flaw:
        return refusal(t, OVER_DECLINED)
    cuts = 5
    beat = t * cuts
    n, u = min(int(beat), cuts - 1), min(beat - int(beat), 1.0) if beat < cuts else 1.0
    edge = 262 - 17 * (n + 1)
    lift = 34 * abs(wave(u, 2, 0.25))
    whole = f'<clipPath id="left"><rect x="0" y="0" width="{edge if u > 0.5 else edge + 17}" height="216"/></clipPath>'
    done = n + (1 if u > 0.5 else 0)
    slices = ""
    for k in range(done):
        age = beat - (k + 0.5)
        x = lerp(262 - 17 * k, 252 + 14 * (cuts - k), ease(age * 0.9))
        lean = lerp(0, 52, ease(age))
        slices += at(
            x,
            168,
            f'<g transform="skewX({-lean * 0.5:.1f})"><ellipse cy="-31" rx="{4 + 11 * lean / 52:.1f}" ry="31" fill="#c62f28"/><ellipse cx="-2" cy="-31" rx="{1.5 + 10 * lean / 52:.1f}" ry="27" fill="#f0705c"/>'
            f'<ellipse cx="-2" cy="-42" rx="{1 + 3.4 * lean / 52:.1f}" ry="8" fill="#f7c06a"/><ellipse cx="-2" cy="-20" rx="{1 + 3.4 * lean / 52:.1f}" ry="8" fill="#f7c06a"/></g>',
        )
    blade = at(
        edge + 8,
        168 - lift,
        '<path d="M-6-2L-2-78q3-7 8-4L2-2z" fill="#dfe5ec"/><path d="M-6-2L-2-78" stroke="#fff" stroke-width="1.6"/><path d="M-6-78h14l4-44q-9-8-18 0z" fill="#3b3038"/>'
        '<path d="M-14-92q-4-20 8-24q18-6 24 6l4 26q-8 10-18 8q-14 0-18-16z" fill="#f2c6a0"/><path d="M-8-102q16-4 26 2M-7-92q16-3 25 2" stroke="#d49f78" stroke-width="2" fill="none"/><path d="M-2-116L34-150l34 20-46 38z" fill="#f6f6f2"/>',
        turn=6,
    )
    face = (
        f'<ellipse cx="{edge:.1f}" cy="137" rx="5" ry="{30 - abs(edge - 211) * 0.16:.1f}" fill="#f0705c"/>'
        if done
        else ""
    )
    body = f"""<rect width="{WIDTH}" height="{HEIGHT}" fill="#d5e4dd"/><g stroke="#c2d5cc" stroke-width="2">{"".join(f'<path d="M{x} 0v150"/>' for x in range(0, 400, 32))}{"".join(f'<path d="M0 {y}h384"/>' for y in range(22, 150, 32))}</g>
    <rect y="150" width="{WIDTH}" height="66" fill="#8f6a4c"/><rect y="150" width="{WIDTH}" height="5" fill="#a98260"/>
    <path d="M44 172h300q12 0 10 10l-4 10H40l-4-10q-2-10 8-10z" fill="#dcb27a"/><path d="M36 184h318l-4 10H40z" fill="#bd9159"/><path d="M70 178h70m40 3h90" stroke="#c99e63" stroke-width="2"/>
    <path d="M14 150v-40q0-10 10-10h8q10 0 10 10v40z" fill="#5c8f9c"/><path d="M18 100q-10-30 4-44M28 100q2-34 10-50M34 100q8-20 16-30" stroke="#6b8f5e" stroke-width="4" fill="none"/>
    <ellipse cx="206" cy="172" rx="62" ry="6" fill="#a97c48"/>
    <g clip-path="url(#left)"><path d="M150 138q0-34 36-36q20-6 44 0q34 4 34 36q0 32-40 34h-34q-40-4-40-34z" fill="#d8362c"/><path d="M162 128q4-14 18-18" stroke="#fff" stroke-opacity=".65" stroke-width="5" fill="none"/>
    <path d="M206 104q-12-10-24-4q8 8 24 6q0 10 10 14q4-8 0-14q14 2 20-6q-14-6-24 2q2-8-2-12z" fill="#4f8a4c"/></g>{face}{slices}
    <path d="M40 148q30-30 78-32l40 0q18 0 18 14t-20 12q8 8-4 14q2 10-12 10q-34 6-58 2q-22 6-42 14z" fill="#f2c6a0"/><path d="M136 142h22M132 154h20" stroke="#d49f78" stroke-width="2" fill="none"/><path d="M0 158l44-22 22 38-66 40z" fill="#f6f6f2"/>{blade}"""
    return frame(body, whole)
