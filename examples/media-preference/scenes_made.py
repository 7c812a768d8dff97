# ruff: noqa: E501 - path data does not read better in shorter lines.
"""Scenes made from a text or from a first frame: ball, boats, rain walk, clock, paper plane, candle."""

from math import sqrt

from drawing import HEIGHT, WIDTH, at, cloud, ease, frame, glow, gradient, lerp, mix, noise, wave

SECONDS = 3.5


# --- a red ball on a wooden floor


def bounce(seconds: float, drop: float, first: float, rests: tuple[float, ...]) -> tuple[float, float]:
    """Height above the floor, and how near the last contact is (1 = touching), of a ball that keeps `rests` of its drop."""
    if seconds < first:
        return drop * (1 - (seconds / first) ** 2), 0.0
    seconds -= first
    for part in rests:
        span = 2 * first * sqrt(part)
        if seconds < span:
            u = seconds / span
            return drop * part * 4 * u * (1 - u), max(0.0, 1 - min(u, 1 - u) * 12)
        seconds -= span
    return 0.0, max(0.0, 1 - seconds * 12) if rests else 0.0


def ball(t: float, flaw: str = "") -> str:
    floor, radius, drop = 178.0, 19.0, 112.0
    # The flawed ball leaves the second bounce higher than it fell, then sinks into the floor.
    rests = (0.46, 1.12) if flaw else (0.50, 0.24, 0.11, 0.05)
    seconds = t * SECONDS
    height, touch = bounce(seconds, drop, 0.62, rests)
    x = lerp(96, 288, 1 - (1 - min(t / 0.92, 1)) ** 1.6)
    sink = lerp(0, 30, (t - 0.79) / 0.16) if flaw else 0.0
    y = floor - radius - height + sink
    squash = 0.16 * touch if not sink else 0.0
    turn = (x - 96) / radius * 57.3
    planks = "".join(
        f'<path d="M{192 + (i - 4.5) * 46} 150L{192 + (i - 4.5) * 86} 216" stroke="#a96f3f" stroke-width="1.6"/>'
        for i in range(10)
    )
    seams = "".join(
        f'<path d="M{x0} {y0}h{w}" stroke="#a96f3f" stroke-width="1.4"/>'
        for x0, y0, w in [(40, 190, 62), (150, 168, 48), (212, 200, 80), (300, 176, 56), (96, 206, 70), (250, 160, 40)]
    )
    wide = 1 - 0.45 * height / drop
    shadow = (
        ""
        if sink > 4
        else (
            f'<ellipse cx="{x:.1f}" cy="{floor + 2}" rx="{22 * wide:.1f}" ry="{5 * wide:.1f}" fill="#5b3418" '
            f'opacity="{0.45 * wide:.2f}"/>'
        )
    )
    skin = (
        '<circle r="19" fill="#d9362b"/><path d="M-19 0a19 7 0 0 0 38 0" fill="none" stroke="#a81f1c" stroke-width="2.4"/>'
        '<path d="M0-19a8 19 0 0 1 0 38" fill="none" stroke="#a81f1c" stroke-width="2.4"/>'
    )
    shape = (
        f'<g transform="translate({x:.2f} {y + radius * squash:.2f}) scale({1 + squash:.3f} {1 - squash:.3f})">'
        f'<g transform="rotate({turn:.1f})">{skin}</g>'
        '<circle r="19" fill="url(#shade)"/><ellipse cx="-7" cy="-8" rx="5" ry="3.4" fill="#fff" opacity=".75" '
        'transform="rotate(-40 -7 -8)"/></g>'
    )
    hole = ""
    if sink:
        hole = f'<ellipse cx="{x:.1f}" cy="{floor + 2}" rx="21" ry="{lerp(1, 4, sink / 30):.1f}" fill="#5b3418"/>'
        shape = f'<clipPath id="floor"><rect width="{WIDTH}" height="{floor + 3}"/></clipPath><g clip-path="url(#floor)">{shape}</g>'
    body = f"""<rect width="{WIDTH}" height="152" fill="#e9dcc3"/>
    <g stroke="#ddcdaf" stroke-width="6">{"".join(f'<path d="M{x0} 0V150"/>' for x0 in range(12, 384, 24))}</g>
    <rect y="112" width="{WIDTH}" height="38" fill="#f6efe0"/><rect y="110" width="{WIDTH}" height="4" fill="#d5c4a3"/>
    <rect x="232" y="14" width="92" height="78" fill="#fffaf0"/><rect x="238" y="20" width="80" height="66" fill="url(#sky)"/>
    {at(268 + 8 * t, 58, cloud(), 0.55)}<path d="M278 20v66M238 52h80" stroke="#fffaf0" stroke-width="4"/>
    <rect x="226" y="90" width="104" height="6" rx="2" fill="#fffaf0"/>
    <rect x="44" y="26" width="52" height="40" fill="#7c5b3c"/><rect x="49" y="31" width="42" height="30" fill="#9ec7c1"/>
    <path d="M49 61l14-18 9 10 7-8 12 16z" fill="#3f7d72"/><circle cx="80" cy="39" r="4" fill="#f6c453"/>
    <rect y="150" width="{WIDTH}" height="66" fill="#c98d56"/><rect y="146" width="{WIDTH}" height="6" fill="#fffaf0"/>
    {planks}{seams}<path d="M226 152l94 0 60 64H252z" fill="#ffe7b0" opacity=".25"/>
    <path d="M340 150q-16-34-30-38M344 150q0-44-4-58M348 150q8-38 28-46M344 146q14-26 34-24" stroke="#4f8a4c" stroke-width="6"
     fill="none"/><path d="M326 140h38l-5 30h-28z" fill="#d98c5f"/><rect x="322" y="136" width="46" height="8" rx="2" fill="#c27748"/>
    {shadow}{hole}{shape}"""
    shade = (
        '<radialGradient id="shade" cx=".35" cy=".3" r=".8"><stop offset=".3" stop-color="#fff" stop-opacity="0"/>'
        '<stop offset="1" stop-color="#4a0d0d" stop-opacity=".55"/></radialGradient>'
    )
    return frame(body, shade + gradient("sky", "#8fc8ec", "#d8eef8"))


# --- sailing boats at sunset


def boat(t: float, phase: float, hull: str, sail: str) -> str:
    tilt = 4 * wave(t, 0.5, phase)
    return at(
        0,
        1.6 * wave(t, 0.42, phase),
        f"""<path d="M0-4V-62" stroke="#3d2a2e" stroke-width="2.6"/>
        <path d="M3-60Q34-34 31-9L3-7z" fill="{sail}"/><path d="M-3-54Q-24-28-25-9L-3-7z" fill="{mix(sail, "#7a3b52", 0.22)}"/>
        <path d="M3-30Q24-24 31-20M3-45Q18-40 23-38" stroke="#7a3b52" stroke-opacity=".35" stroke-width="1.2" fill="none"/>
        <path d="M0-62l14 4-14 4z" fill="{hull}"/><path d="M-34-5H38Q32 8 20 10H-22Q-31 8-34-5z" fill="{hull}"/>
        <path d="M-33-2H36" stroke="#fff3dc" stroke-width="2"/><circle cx="-12" cy="-11" r="3.4" fill="#3d2a2e"/>
        <path d="M-17-4q5-7 10 0z" fill="#3d2a2e"/><path d="M-44 11q40 6 92 0" stroke="#ffe9c9" stroke-opacity=".6" stroke-width="2" fill="none"/>""",
        turn=tilt,
    )


def boats(t: float, flaw: str = "") -> str:
    pretty = flaw == "one boat"
    sun = lerp(92, 124, t)
    # Without the flaw the picture is plainer, and its sun stutters a little: prettier is not better here.
    step = round(t * 14) / 14 if not pretty else t
    sun = sun if pretty else lerp(92, 124, step)
    glitter = ""
    for i in range(46 if pretty else 22):
        row = abs(noise("row", i))
        y = 130 + row * 78
        spread = 12 + (y - 126) * (0.75 if pretty else 0.45)
        x = 214 + noise("x", i) * spread + 3 * wave(t, 0.6, row)
        light = max(0.0, 0.55 + 0.45 * wave(t, 0.45, noise("p", i)))
        glitter += f'<path d="M{x - 4 - row * 8:.1f} {y:.1f}h{8 + row * 16:.1f}" stroke="#ffe3a3" stroke-opacity="{light:.2f}" stroke-width="2"/>'
    swell = ""
    for i in range(9):
        y = 140 + i * 9
        shift = (t * 26 + i * 37) % 96
        swell += (
            f'<path d="M{-100 + shift:.1f} {y}' + "q24-5 48 0t48 0" * 6 + f'" stroke="#4d3a6b" '
            f'stroke-opacity=".28" stroke-width="{1 + i * 0.18:.1f}" fill="none"/>'
        )
    rays = birds = ""
    if pretty:
        rays = "".join(
            f'<path d="M214 {sun:.1f}L{214 + 360 * wave(k / 26, 1, 0.01):.0f} {sun - 300 * abs(wave(k / 26, 1, 0.26)) - 40:.0f}" '
            f'stroke="#fff0c0" stroke-opacity=".10" stroke-width="9"/>'
            for k in range(-6, 7)
        )
        birds = "".join(
            at(
                60 + 30 * k + 46 * t,
                40 + 9 * k % 22 + 2 * wave(t, 0.3, k / 3),
                f'<path d="M-8 {-3 - 3 * wave(t, 0.28, k / 3):.1f}Q-4-4 0 0Q4-4 8 {-3 - 3 * wave(t, 0.28, k / 3):.1f}" fill="none" '
                'stroke="#4a2c4a" stroke-width="2"/>',
            )
            for k in range(3)
        )
    sails = at(lerp(52, 236, t), 150, boat(t, 0.0, "#7d2e46", "#fff1da"), 0.92)
    if not pretty:
        sails = at(lerp(10, 150, t), 140, boat(t, 0.4, "#2f4f6f", "#ffd9a8"), 0.58) + at(
            lerp(74, 262, t), 168, boat(t, 0.0, "#7d2e46", "#fff1da"), 0.98
        )
    else:
        sails = at(lerp(84, 268, t), 166, boat(t, 0.0, "#7d2e46", "#fff1da"), 1.08)
    body = f"""<rect width="{WIDTH}" height="130" fill="url(#dusk)"/>{rays}
    <circle cx="214" cy="{sun:.1f}" r="74" fill="url(#halo)"/><circle cx="214" cy="{sun:.1f}" r="25" fill="#ffdf8a"/>
    {at(70 + 10 * t, 74, cloud("#e98f86", 0.75), 1.1)}{at(318 + 7 * t, 56, cloud("#f2a58c", 0.7), 1.3)}{birds}
    <path d="M0 128V112q34-16 66-6t52 22z" fill="#6b3f63"/><path d="M384 128v-24q-30-10-58 4t-44 20z" fill="#5d3760"/>
    <rect y="126" width="{WIDTH}" height="90" fill="url(#sea)"/>{swell}{glitter}{sails}"""
    defs = gradient("dusk", "#4b3a72", "#c65f7a", "#f6a35f", "#ffd48a") + gradient(
        "sea", "#d97b6a", "#7d4a78", "#37305c"
    )
    return frame(body, defs + glow("halo", "#ffe3a0", 0.85))


# --- a girl with an umbrella walks in the rain


def walker(t: float, coat: str, umbrella: str, hair: str) -> str:
    step = wave(t, 0.24)
    bob = abs(wave(t, 0.24, 0.25)) * 2.2
    legs = "".join(
        f'<g transform="translate({x} -34) rotate({turn:.1f})"><path d="M0 0V20" stroke="{cloth}" stroke-width="7"/>'
        f'<path d="M-4.5 18h9v11q9 0 9 5H-4.5z" fill="#d8433b"/></g>'
        for x, turn, cloth in [(-3, 24 * step, "#37506b"), (3, -24 * step, "#2f455c")]
    )
    ribs = "".join(
        f'<path d="M0-136Q{x * 0.8}-126 {x}-102" stroke="{mix(umbrella, "#000000", 0.28)}" stroke-width="1.5" fill="none"/>'
        for x in (-19, 0, 19)
    )
    return f"""{legs}<g transform="translate(0 {-bob:.2f})">
    <path d="M-13-72Q0-80 13-72L21-29H-21z" fill="{coat}"/><path d="M0-74V-29" stroke="{mix(coat, "#000000", 0.2)}" stroke-width="1.6"/>
    <circle cx="4" cy="-60" r="1.7" fill="#5a4a22"/><circle cx="4" cy="-48" r="1.7" fill="#5a4a22"/>
    <circle cy="-86" r="13" fill="#f2c6a0"/><path d="M-13-82q-4-18 13-19q16 0 13 12q-12 3-17-4q-3 10-9 11z" fill="{hair}"/>
    <path d="M-10-80q-8 4-7 14" stroke="{hair}" stroke-width="6" fill="none"/>
    <circle cx="6" cy="-86" r="1.7" fill="#2b2430"/><path d="M6-79q2.500 1.500 5-.5" stroke="#a3503f" stroke-width="1.3" fill="none"/>
    <circle cx="3" cy="-82" r="2.4" fill="#ef9d86" opacity=".6"/>
    <path d="M19-58V-134" stroke="#5b4636" stroke-width="2.6"/><path d="M19-58q0 7 6 6" stroke="#5b4636" stroke-width="2.6" fill="none"/>
    <path d="M3-68L18-62" stroke="{mix(coat, "#000000", 0.1)}" stroke-width="8"/><circle cx="19" cy="-62" r="4" fill="#f2c6a0"/>
    <g transform="translate(19 0)"><path d="M0-138Q40-136 44-102q-10-6-20 0q-6-5-24-1q-18-4-24 1q-10-6-20 0Q-40-136 0-138z" fill="{umbrella}"/>
    {ribs}<path d="M0-138v-6" stroke="#5b4636" stroke-width="2.6"/></g></g>"""


def rain(t: float, flaw: str = "") -> str:
    n = round(t * 84)
    coat, umbrella, hair = "#f2c12e", "#3f9c63", "#6b3f2a"
    if flaw == "swap":
        k = ease((t - 0.5) / 0.06)
        coat, umbrella, hair = mix(coat, "#3767b0", k), mix(umbrella, "#d8433b", k), mix(hair, "#e7c46a", k)
    jitter = flaw == "flicker"
    dx, dy = (3.2 * noise("dx", n // 2), 2.4 * noise("dy", n // 2)) if jitter else (0.0, 0.0)
    gloom = 0.34 * max(0.0, noise("light", n // 3)) if jitter else 0.0
    shops = ""
    for i in range(6):
        x = i * 112 - 60 - 96 * t
        wall = ["#a7b7bd", "#c7a794", "#93aab0", "#bda58f", "#9fb3a6", "#b79aa2"][i]
        awning = ["#b5564e", "#4c7a86", "#7d6a9a", "#b5564e", "#4c7a86", "#7d6a9a"][i]
        panes = "".join(
            f'<rect x="{x + 14 + 30 * k:.1f}" y="{24}" width="20" height="26" fill="{"#ffdf97" if (i + k) % 2 else "#6d8490"}"/>'
            for k in range(3)
        )
        stripes = "".join(f'<path d="M{x + 6 + 20 * k:.1f} 72h10l-2 16h-12z" fill="#f1e7d8"/>' for k in range(5))
        shops += (
            f'<rect x="{x:.1f}" y="0" width="112" height="158" fill="{wall}"/>{panes}'
            f'<rect x="{x + 10:.1f}" y="88" width="58" height="50" fill="#ffe5a8"/><rect x="{x + 76:.1f}" y="88" width="26" height="70" fill="{mix(wall, "#20303a", 0.55)}"/>'
            f'<path d="M{x + 10:.1f} 138h58" stroke="#6d5a4a" stroke-width="4"/><path d="M{x + 39:.1f} 88v50" stroke="#b8905a" stroke-width="2"/>'
            f'<path d="M{x + 4:.1f} 72h104l-6 16h-92z" fill="{awning}"/>{stripes}'
        )
    lamp_x = 330 - 190 * t
    lamp = (
        f'<path d="M{lamp_x:.1f} 170V62" stroke="#2e3a42" stroke-width="5"/><circle cx="{lamp_x:.1f}" cy="54" r="40" fill="url(#lamp)"/>'
        f'<path d="M{lamp_x - 9:.1f} 62l4-18h10l4 18z" fill="#ffe9ae"/><path d="M{lamp_x - 8:.1f} 44h16l-4-6h-8z" fill="#2e3a42"/>'
    )
    drops = "".join(
        f'<path d="M{(noise("rx", i) * 220 + 200 - 40 * u) % 400 - 8:.1f} {u * 240 - 20:.1f}l-3 13" stroke="#dcebf2" stroke-opacity=".62" stroke-width="1.3"/>'
        for i in range(70)
        for u in [(t * 5.2 + noise("ry", i)) % 1]
    )
    rings = "".join(
        f'<ellipse cx="{(noise("sx", i) * 200 + 190 - 150 * t) % 400:.1f}" cy="{180 + 30 * abs(noise("sy", i)):.1f}" rx="{2 + 8 * u:.1f}" ry="{0.7 + 2.2 * u:.1f}" '
        f'fill="none" stroke="#dcebf2" stroke-opacity="{0.7 * (1 - u):.2f}" stroke-width="1"/>'
        for i in range(16)
        for u in [(t * 4 + noise("su", i)) % 1]
    )
    body = f"""{shops}{lamp}<rect y="158" width="{WIDTH}" height="58" fill="#6d7d86"/><rect y="158" width="{WIDTH}" height="6" fill="#8d9aa0"/>
    <ellipse cx="{250 - 110 * t:.1f}" cy="196" rx="70" ry="7" fill="#8fa6b2"/><ellipse cx="{470 - 110 * t:.1f}" cy="184" rx="50" ry="5" fill="#8fa6b2"/>{rings}
    <ellipse cx="{lerp(128, 206, t) + dx:.1f}" cy="197" rx="24" ry="4" fill="#35424a" opacity=".5"/>
    {at(lerp(128, 206, t) + dx, 197 + dy, walker(t * SECONDS / 3.5, coat, umbrella, hair), 1.06)}{drops}
    <rect width="{WIDTH}" height="{HEIGHT}" fill="#0f1c28" opacity="{0.10 + gloom:.3f}"/>"""
    return frame(body, glow("lamp", "#ffe9ae", 0.8))


# --- a clock on the mantelpiece, a cat asleep


def clock(t: float, flaw: str = "") -> str:
    start = 10 * 60 + 10
    minutes = lerp(start, start - 110 if flaw else 12 * 60, ease(t))
    long, short = minutes % 60 * 6, minutes / 2 % 360
    marks = "".join(
        f'<path d="M0-{42 if k % 3 else 40}V-45" stroke="#4b3226" stroke-width="{2 if k % 3 else 3.6}" transform="rotate({30 * k})"/>'
        for k in range(12)
    )
    breath = 1 + 0.025 * wave(t, 0.55)
    tail = 5 * wave(t, 0.7)
    flames = "".join(
        f'<path d="M{x + 2 * wave(t, 0.16, p):.1f} 216q-{w} -16 0 -{h + 5 * wave(t, 0.2, p):.1f}q{w} 18 0 {h}z" fill="{c}"/>'
        for x, w, h, p, c in [
            (178, 22, 38, 0.1, "#f0803c"),
            (206, 24, 42, 0.5, "#f0803c"),
            (192, 18, 32, 0.8, "#ffc857"),
        ]
    )
    pendulum = at(
        118,
        122,
        '<path d="M0 0V20" stroke="#c9a24a" stroke-width="2"/><circle cy="22" r="6" fill="#e7c05f"/>',
        turn=16 * wave(t, 0.29),
    )
    body = f"""<rect width="{WIDTH}" height="{HEIGHT}" fill="#3f5f5b"/>
    <g fill="#4a6d68">{"".join(f'<path d="M{x} {y}q8-12 16 0q-8 12-16 0z"/>' for y in range(16, 160, 36) for x in range(8 + y % 5 * 9, 384, 48))}</g>
    <rect x="262" y="18" width="84" height="66" fill="#b98b4a"/><rect x="269" y="25" width="70" height="52" fill="#dfe9e2"/>
    <path d="M269 77l20-26 16 16 12-12 22 22z" fill="#5b8c85"/><circle cx="322" cy="40" r="6" fill="#f3b562"/>
    <rect x="96" y="164" width="192" height="52" fill="#8d5d43"/><path d="M132 216v-24q0-14 14-14h92q14 0 14 14v24z" fill="#241a1d"/>{flames}
    <rect x="40" y="148" width="304" height="16" rx="3" fill="#b27850"/><rect x="52" y="160" width="280" height="7" fill="#8f5c3c"/>
    <path d="M64 148q-6-58 24-86q30-26 60 0q30 28 24 86z" fill="#7a4a34"/><path d="M74 148q-4-54 22-78q22-20 44 0q26 24 22 78z" fill="#93603f"/>
    <rect x="98" y="116" width="40" height="32" rx="4" fill="#2c1c1a"/>{pendulum}
    <g transform="translate(118 84)"><circle r="40" fill="#c9a24a"/><circle r="36.5" fill="#fff6e2"/><g transform="scale(.76)">{marks}</g>
    <path d="M0 4V-19" stroke="#2b1f24" stroke-width="4.6" transform="rotate({short:.2f})"/><path d="M0 6V-29" stroke="#2b1f24" stroke-width="2.8" transform="rotate({long:.2f})"/>
    <circle r="3.4" fill="#a8322a"/></g>
    <g transform="translate(266 148)"><path d="M38-6q26 2 {24 + tail:.1f} 22" stroke="#d58a3f" stroke-width="9" fill="none"/>
    <g transform="scale(1 {breath:.3f})"><path d="M-50 0q-6-38 34-40q52-4 58 40z" fill="#e29a4c"/><path d="M-6-39l4 14M10-40l3 14M25-35l0 13" stroke="#b9682b" stroke-width="5"/></g>
    <path d="M-60-24l-2-20 14 9q8-4 16 0l12-10 2 20q5 24-21 24t-21-23z" fill="#e29a4c"/>
    <path d="M-54-16q4 4 8 0M-36-16q4 4 8 0" stroke="#5b3420" stroke-width="2" fill="none"/><path d="M-43-10h5l-2.5 3z" fill="#c95c50"/>
    <path d="M-40-7q-4 5-8 1M-40-7q4 5 8 1" stroke="#5b3420" stroke-width="1.6" fill="none"/><path d="M-20 0q2-9 14-8q10 0 10 8z" fill="#f6d4a4"/></g>
    <g transform="translate(330 148)"><path d="M-7 0v-18h14V0z" fill="#d9d2c3"/><path d="M-4-18v-26h8v26z" fill="#f4ead6"/><path d="M0-44v-4" stroke="#3b2c26" stroke-width="1.6"/>
    <circle cy="-54" r="16" fill="url(#flame)"/><path d="M0-62q6 8 0 14q-6-6 0-14z" fill="#ffd166"/></g>"""
    return frame(body, glow("flame", "#ffe6a1", 0.7))


# --- a paper plane leaves the desk through the window


def plane(t: float, flaw: str = "") -> str:
    wall = "#cfdce8"
    if flaw and t >= 0.54:
        t, wall = t - 0.54, "#e6cdbb"
    u = ease((t - 0.12) / 0.80)
    # A cubic curve: off the desk, up in a swing to the left, out of the window.
    p = [(118, 168), (-10, 60), (150, 20), (304, 66)]
    c = [(1 - u) ** 3, 3 * u * (1 - u) ** 2, 3 * u * u * (1 - u), u**3]
    x, y = (sum(w * q[k] for w, q in zip(c, p, strict=True)) for k in (0, 1))
    size = lerp(1.3, 0.32, u**2.2)
    away = 1 - ease((u - 0.97) / 0.03)
    turn = lerp(0, -34, u * 5) if u < 0.3 else lerp(-34, 10, (u - 0.3) / 0.4)
    paper = (
        '<path d="M30-8L-28-5-10 4z" fill="#fff" stroke="#7d92a8" stroke-width="1"/><path d="M30-8L-10 4-8 17z" fill="#7f97b0"/>'
        '<path d="M30-8L-3 9 11 15z" fill="#e8eef5" stroke="#7d92a8" stroke-width="1"/>'
    )
    outside = f'<g opacity="{away:.2f}">{at(x, y, paper, size, turn)}</g>' if x > 244 else ""
    sway = 6 * wave(t, 0.6)
    body = f"""<rect width="{WIDTH}" height="{HEIGHT}" fill="{wall}"/>
    <rect x="222" y="10" width="146" height="118" fill="#fffaf0"/><rect x="230" y="18" width="130" height="102" fill="url(#sky)"/>
    <circle cx="336" cy="40" r="11" fill="#ffe08a"/>{at(262 + 12 * t, 52, cloud(), 0.6)}{at(318 + 10 * t, 76, cloud(), 0.45)}
    <path d="M230 120V98q30-18 60-6t70-8v36z" fill="#8fbf7f"/><path d="M230 120v-8q40-12 130 0v8z" fill="#6fa765"/>
    <path d="M300 92h14v-9l-7-6-7 6z" fill="#c8644f"/>
    {outside}<path d="M222 10h-44v104l44 12z" fill="#f4efe2"/><path d="M217 20l-32 0v86l32 10z" fill="#bcd7e6"/><path d="M201 20v91" stroke="#f4efe2" stroke-width="3"/>
    <path d="M230 18v102M360 18v102" stroke="#e6dcc8" stroke-width="3"/>
    <path d="M348 8q{-14 + sway:.1f} 60 {4 + sway:.1f} 126h40V8z" fill="#e2705a"/><path d="M360 8q{-8 + sway:.1f} 60 {2 + sway:.1f} 126M374 8q{-6 + sway:.1f} 60 {0 + sway:.1f} 126" stroke="#c65642" stroke-width="3" fill="none"/>
    <path d="M196 6h190" stroke="#8d6a4a" stroke-width="5"/>
    <rect x="20" y="34" width="96" height="6" fill="#8d6a4a"/><rect x="28" y="8" width="9" height="26" fill="#b5564e"/><rect x="38" y="12" width="11" height="22" fill="#4c7a86"/><rect x="50" y="6" width="8" height="28" fill="#e0b04c"/>
    <rect x="59" y="10" width="12" height="24" fill="#6b8f5e"/><path d="M90 34q-9 0-9-10h18q0 10-9 10z" fill="#f4efe2"/><path d="M90 24q-8-8-4-16M90 24q6-6 4-18" stroke="#5d9455" stroke-width="3" fill="none"/>
    <path d="M0 172h330l14 18H0z" fill="#b98354"/><rect y="190" width="344" height="12" fill="#9a6840"/><path d="M300 202v14M30 202v14" stroke="#7e5432" stroke-width="12"/>
    <path d="M170 172l70 0 8 12h-76z" fill="#fff"/><path d="M180 175h54M181 179h58" stroke="#b8c4cf" stroke-width="1.4"/>
    <path d="M262 172v-16h22v16z" fill="#4c7a86"/><path d="M284 160q9 0 7 7h-7" stroke="#4c7a86" stroke-width="3" fill="none"/>
    <path d="M270 150q-3-5 1-9t0-9" stroke="#fff" stroke-opacity=".7" stroke-width="2" fill="none" transform="translate({wave(t, 0.4):.1f} 0)"/>"""
    if u < 0.5:
        body += f'<ellipse cx="{x:.1f}" cy="180" rx="{26 * (1 - u):.1f}" ry="3.5" fill="#6e4727" opacity="{0.5 * (1 - 2 * u):.2f}"/>'
    if not outside:
        body += at(x, y, paper, size, turn)
    return frame(body, gradient("sky", "#86c2ea", "#e2f3fb"))


# --- practice: a candle is blown out


def candle(t: float, flaw: str = "") -> str:
    out = 0.55
    lit = t < out or (bool(flaw) and t > 0.78)
    lean = 22 * ease((t - 0.3) / 0.25) if t < out else 0.0
    light = 1.0 if lit else max(0.0, 1 - (t - out) / 0.1)
    smoke = ""
    if t > out:
        for i in range(12):
            u = (t - out) / 0.45 - i * 0.055
            if 0 < u < 1:
                smoke += f'<circle cx="{192 + 9 * wave(u, 0.6, i * 0.04) * u:.1f}" cy="{92 - 80 * u:.1f}" r="{3 + 7 * u:.1f}" fill="#cfd3e0" opacity="{0.34 * (1 - u):.2f}"/>'
    flame = ""
    if lit:
        flame = at(
            192,
            96,
            f'<path d="M0 2q-{11 + wave(t, 0.11):.1f}-14 0-{34 + 2 * wave(t, 0.13):.1f}q{11 - wave(t, 0.11):.1f} 20 0 34z" fill="#ffb545"/>'
            '<path d="M0 2q-6-8 0-19q6 11 0 19z" fill="#fff2c4"/>',
            turn=lean + 3 * wave(t, 0.17),
        )
    wind = "".join(
        f'<path d="M{20 + 260 * u - 40 * i:.0f} {64 + 18 * i}q20-8 40 0t40 0" stroke="#c4d0ea" stroke-opacity="{0.5 * max(0.0, wave(u, 2)):.2f}" stroke-width="2" fill="none"/>'
        for i in range(3)
        for u in [(t - 0.28) / 0.34]
        if 0 < u < 1
    )
    body = f"""<rect width="{WIDTH}" height="{HEIGHT}" fill="{mix("#161a30", "#2c2a45", light)}"/>
    <rect x="20" y="16" width="84" height="100" fill="#0f1326"/><circle cx="78" cy="40" r="9" fill="#d9dcec"/><circle cx="40" cy="36" r="1.2" fill="#fff"/><circle cx="52" cy="70" r="1.2" fill="#fff"/><circle cx="34" cy="90" r="1.2" fill="#fff"/>
    <path d="M62 16v100M20 66h84" stroke="#4b3d4a" stroke-width="4"/><rect x="18" y="14" width="88" height="104" fill="none" stroke="#4b3d4a" stroke-width="5"/>
    <circle cx="192" cy="92" r="150" fill="url(#glow)" opacity="{light * (0.9 + 0.08 * wave(t, 0.12)):.2f}"/>
    <rect y="172" width="{WIDTH}" height="44" fill="{mix("#2a1f28", "#6d4a38", light)}"/><path d="M0 174h384" stroke="{mix("#3a2c34", "#8d6244", light)}" stroke-width="4"/>
    <path d="M262 172v-8h70v8z" fill="{mix("#2c3b4a", "#5b8296", light)}"/><path d="M268 164v-8h58v8z" fill="{mix("#4a2a30", "#a8524a", light)}"/>
    <ellipse cx="192" cy="180" rx="48" ry="8" fill="{mix("#3b3540", "#c2a24e", light)}"/><path d="M236 178q18-10 20 2t-18 4" stroke="{mix("#3b3540", "#c2a24e", light)}" stroke-width="5" fill="none"/>
    <path d="M176 178v-72q16-8 32 0v72q-16 6-32 0z" fill="{mix("#4e4a58", "#f4e4c4", light)}"/><path d="M176 112q-2 26 4 30t4-14q2-8 5-18z" fill="{mix("#5d5866", "#fff4dc", light)}"/>
    <path d="M192 106v-12" stroke="#2b1f24" stroke-width="2.4"/>{flame}{wind}{smoke}"""
    return frame(body, glow("glow", "#ffb95e", 0.75))
