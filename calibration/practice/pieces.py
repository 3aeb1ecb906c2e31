"""Ships, tokens, mines and crystals: flat pieces, seen from above, in pictures a little larger than they are."""
import patterns as p
from pen import Drawing, around, box, line, ring

INK = "#16181d"
SHIP, HEX, MINE, CRYSTAL = (22.0, 32.0), 38.0, 20.0, (15.0, 20.0)
# What lies in the box: kind, its sides (side, meaning), how many.
TOKENS = [
    ("drift", "hexagon", HEX, [("asteroid", "asteroid"), ("nebula", "nebula")], 10),
    ("rim", "hexagon", HEX, [("wormhole", "wormhole"), ("boulders", "asteroid")], 2),
    ("mine-white", "round", MINE, [("mine", "mine")], 2),
    ("mine-black", "round", MINE, [("mine", "mine")], 2),
    ("crystal", "other", CRYSTAL[1], [("crystal", "crystal")], 6),
]


def hexagon(w=HEX):
    """Two sides level, so that it folds along one of them."""
    r = w / 2 / 0.8660254
    return [(w / 2 * 1.1547 + r * 0.5 * a, w / 2 * (1 + b)) for a, b in ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))]


def outline(kind):
    """Where a piece is cut, in its drawing's millimetres."""
    if kind in ("white", "black"):
        w, h = SHIP
        half = [(0, 0), (3.2, 6), (3.6, 12), (11, 24), (11, 27.5), (5.5, 28.5), (5, 32)] if kind == "white" else [(0, 0), (5.5, 2), (6.6, 8), (5.2, 14), (11, 19), (11, 29), (7, 32)]
        return line([(w / 2 + x, y) for x, y in half] + [(w / 2 - x, y) for x, y in reversed(half)], True)
    if kind.startswith("mine"):
        return ring(MINE / 2, MINE / 2, MINE / 2)
    if kind == "crystal":
        w, h = CRYSTAL
        return line([(w * 0.5, 0), (w, h * 0.3), (w * 0.86, h * 0.86), (w * 0.5, h), (w * 0.14, h * 0.86), (0, h * 0.3)], True)
    return line(hexagon(), True)


def size(kind):
    if kind in ("white", "black"):
        return SHIP
    if kind.startswith("mine"):
        return MINE, MINE
    return CRYSTAL if kind == "crystal" else (HEX * 1.1547, HEX)


def ship(team):
    """A ship from above, its nose up. The two differ in outline, not in colour alone."""
    d = Drawing(*SHIP)
    w, h = SHIP
    white = team == "white"
    with d.clipped(outline(team)):
        d.path(box(0, 0, w, h), fill="#f4f4f0" if white else "#3a3e47")
        r = p.chance("ship", team)
        p.marks(d, r, w, h, "#b9bcc0" if white else "#5b606c", 16)
        if white:
            d.path(line([(11, 1), (13.4, 9), (11, 13), (8.6, 9)], True), fill="#c0392b")
            d.path(line([(7.4, 12), (0, 24), (0, 28), (7, 22)], True), fill="#2c4a86")
            d.path(line([(14.6, 12), (22, 24), (22, 28), (15, 22)], True), fill="#c0392b")
            d.path(box(9, 15, 4, 10, 1.6), fill="#2b2f38")
            d.path("M8 31.2H14", stroke="#d98a1f", width=1.8)
        else:
            d.path(ring(11, 6.4, 3.4), fill="#e9b949")
            d.path(ring(11, 6.4, 1.4), fill="#23262d")
            d.path("M11 11V25", stroke="#e8eaee", width=2)
            d.path(line([(2, 21), (7.5, 19.5), (7.5, 28), (2, 27)], True), fill="#4fb3a5")
            d.path(line([(20, 21), (14.5, 19.5), (14.5, 28), (20, 27)], True), fill="#e9b949")
            d.path("M6 31H9.4M12.6 31H16", stroke="#e8743b", width=1.8)
        d.path(outline(team), stroke=INK if white else "#e8eaee", width=0.9, join="miter")
    return d


def token(kind, side):
    """One side of a token."""
    w, h = size(kind)
    d, r = Drawing(w, h), p.chance("token", kind, side)
    with d.clipped(outline(kind)):
        if side in ("asteroid", "boulders"):
            d.path(box(0, 0, w, h), fill="#e9e0d2")
            spots = [(14, 14, 8), (31, 12, 5.5), (25, 28, 8.5), (8, 28, 4.5), (38, 23, 4)] if side == "asteroid" else [(22, 17, 12), (9, 27, 5), (36, 28, 5.5), (10, 8, 3), (35, 6, 3.5), (23, 34, 3)]
            for x, y, size_mm in spots:
                rock = [around(x, y, size_mm * r.uniform(0.72, 1.1), 40 * i) for i in range(9)]
                d.path(line(rock, True), fill="#8a6d4b", stroke="#3d2d1b", width=1.1)
                d.path(ring(x - size_mm * 0.25, y - size_mm * 0.2, size_mm * 0.26), fill="#5f4930")
                d.path(ring(x + size_mm * 0.35, y + size_mm * 0.3, size_mm * 0.16), fill="#c9b08c")
            p.marks(d, r, w, h, "#3d2d1b", 12)
        elif side == "nebula":
            d.path(box(0, 0, w, h), fill="#eadff3")
            for i in range(13):
                x, y = r.uniform(6, w - 6), r.uniform(5, h - 5)
                cloud = [around(x, y, r.uniform(4, 8), 30 * k) for k in range(12)]
                d.path(line(cloud, True), fill=("#b48bd6", "#d3a6d8", "#8f7fd0")[i % 3], opacity=0.75)
            for i in range(3):
                y = 10 + 9 * i
                d.path(f"M6 {y}Q14 {y - 7} 22 {y}T38 {y}", stroke="#4a2374", width=1.3)
            p.marks(d, r, w, h, "#4a2374", 14)
        elif side == "wormhole":
            d.path(box(0, 0, w, h), fill="#dcebec")
            turn = [around(w / 2, h / 2, 1 + 20 * t / 120, 9.2 * t) for t in range(121)]
            d.path(line(turn), stroke="#0f4f57", width=2.2)
            d.path(ring(w / 2, h / 2, 3.4), fill="#0b1f24")
            for i in range(4):
                x, y = around(w / 2, h / 2, 15.5, 25 + 80 * i)
                d.path(line([(x - 2, y + 2), (x + 2, y + 2), (x, y - 2.4)], True), fill="#e07a1f")
        elif side == "mine":
            ours = kind == "mine-white"
            d.path(box(0, 0, w, h), fill="#f6f2e6" if ours else "#4a4e58")
            for i in range(8):
                d.path(line([around(10, 10, 4, 45 * i), around(10, 10, 7.8 if i else 9.4, 45 * i)]), stroke=INK if ours else "#f2efe6", width=1.5)
            d.path(ring(10, 10, 5), fill="#b8261c")
            d.path(line([(7.2, 12), (10, 6.4), (12.8, 12)], True) if ours else box(7.6, 8.6, 4.8, 3), fill="#ffffff")
            d.path(ring(10, 10, 9.4), stroke=INK if ours else "#f2efe6", width=0.9)
        else:
            d.path(box(0, 0, w, h), fill="#b26fd8")
            d.path(line([(7.5, 0), (15, 6), (7.5, 8)], True), fill="#e3c1f5")
            d.path(line([(7.5, 8), (15, 6), (12.9, 17.2), (7.5, 20)], True), fill="#7f36ad")
            d.path(line([(0, 6), (7.5, 8), (7.5, 20), (2.1, 17.2)], True), fill="#9850c5")
            d.path("M0 6L7.5 8L15 6M7.5 8V20", stroke="#3d1159", width=0.7)
        d.path(outline(kind), stroke=INK, width=1.0 if side != "crystal" else 0.8, join="miter")
    return d
