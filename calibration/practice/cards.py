"""The twelve displays and the board. Zones are written once here: they are drawn, and they go into copy.toml.

No slot is drawn as a closed square with a sign in it: the program would take it for a die."""
import patterns as p
from pen import Drawing, arc, around, box, line, ring

CARD = (180.0, 120.0)
SHIPS = {"white": "KITTIWAKE", "black": "CORMORANT"}
INK = "#16181d"
# Ground, deepest tint of the pattern, strong colour of frames and words: matt and light, so that dice stand out.
LOOK = {
    "engineering": ("#f5f2e8", "#c9bf9f", "#6b5c1f"), "helm": ("#fbf6d8", "#dfc765", "#7a6100"), "weapons": ("#fbeae7", "#dd9c93", "#8c241a"),
    "sensors": ("#ecf6e7", "#99c688", "#2a6420"), "shields": ("#e8f0fa", "#93b4dc", "#1c4a86"), "tractor": ("#fcefdd", "#e0ab66", "#8a4d08"),
}
KIND = {"engineering": "energy", "helm": "helm", "weapons": "weapon", "sensors": "sensor", "shields": "shield", "tractor": "tractor"}
STATIONS = list(LOOK)
# The station that each number of an energy die powers.
NUMBERS = ["WEAPONS", "SENSORS", "TRACTOR", "SHIELDS", "HELM", "ROLL AGAIN"]


def rect(x, y, w, h):
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]


def zones(ship, station):
    """Zones of a display: name, corners, kinds that it takes, how many it holds."""
    if station == "engineering":  # the key is so large a part of it that it must not be in the same place on both
        return [("pool", rect(8 if ship == "white" else 64, 24, 108, 88), ["energy"], 6)]
    kind = KIND[station]
    out = [("energy", rect(7, 24, 34, 88), ["energy"], None)]
    if station == "helm":
        out += [(s, rect(54 + 41 * i, 34, 32, 32), [kind], 1) for i, s in enumerate("ABC")]
    elif station == "weapons":
        for row, tube in enumerate(("front-1", "front-2", "rear-1", "rear-2")):
            parts = ("tail", "body", "nose") if row < 2 else ("nose", "body", "tail")
            out += [(f"{tube}.{part}", rect(71 + 35 * i, 20 + 24.5 * row, 32, 21.5), [kind], 1) for i, part in enumerate(parts)]
    elif station == "sensors":
        out += [("lock", rect(47, 34, 60, 78), [kind], None), ("jammer", rect(113, 34, 60, 78), [kind], None)]
    elif station == "shields":
        out += [("1", [[50, 21], [171, 21], [136, 48], [85, 48]], [kind], None), ("2", [[174, 24], [174, 111], [139, 84], [139, 51]], [kind], None),
                ("3", [[85, 87], [136, 87], [171, 114], [50, 114]], [kind], None), ("4", [[47, 24], [82, 51], [82, 84], [47, 111]], [kind], None)]
    else:
        out += [("beam", rect(47, 34, 58, 78), [kind], None), ("mine-A", rect(111, 34, 29, 34), [kind], 1), ("mine-B", rect(144, 34, 29, 34), [kind], 1),
                ("rest", rect(111, 80, 62, 32), [], 2)]
    return out


def brackets(d, corners, colour, width=1.0, part=0.22):
    """A zone's corners, its sides left open."""
    for i, (x, y) in enumerate(corners):
        (ax, ay), (bx, by) = corners[i - 1], corners[(i + 1) % len(corners)]
        d.path(line([(x + part * (ax - x), y + part * (ay - y)), (x, y), (x + part * (bx - x), y + part * (by - y))]), stroke=colour, width=width, join="miter")


def stripes(d, r, corners, colour):
    """The striped section for energy dice; the stripes' widths are this card's own."""
    (x0, y0), (x1, y1) = corners[0], corners[2]
    with d.clipped(line(corners, True)):
        y = y0 - 40
        while y < y1 + 40:
            wide = r.uniform(1.6, 4.4)
            d.path(line([(x0 - 2, y + 20), (x1 + 2, y - 20), (x1 + 2, y - 20 + wide), (x0 - 2, y + 20 + wide)], True), fill=colour)
            y += wide + r.uniform(2.4, 5.5)


def signs(d, ship, station, look):
    """What helps people at this station, drawn beside the slots."""
    _, tint, strong = look
    if station == "engineering":
        x = 124 if ship == "white" else 9
        d.text(x, 31, "POWER", 4.4, strong)
        for i, word in enumerate(NUMBERS):
            d.text(x + 1, 45 + 13 * i, str(i + 1), 7.5, INK, 0.2)
            d.text(x + 9.5, 44 + 13 * i, word, 4.2, strong)
            d.path(f"M{x} {48 + 13 * i}H{x + 36 + 3 * (i % 4)}", stroke=strong, width=0.5)
    elif station == "helm":
        for i in range(2):
            x = 87.5 + 41 * i
            d.path(line([(x, 45), (x + 7, 50), (x, 55), (x + 2, 50)], True), fill=strong)
        for i, s in enumerate("ABC"):
            d.text(70 + 41 * i, 31.5, s, 6, INK, 0.2, "middle")
        d.text(52, 77, "ONE SQUARE ON, THEN THE TURN", 3.6, strong)
        d.path(line([around(60, 95, 11 * (0.8 + 0.2 * (i % 3)), 30 * i) for i in range(12)], True), stroke=strong, width=1.2)
        d.text(76, 92, "ASTEROIDS", 3.4, strong)
        d.text(76, 98.5, "2 SHIELD", 3, INK)
        d.text(76, 104.5, "DICE OFF", 3, INK)
        for a in range(5):
            d.path(arc(128, 96, 4 + 2.2 * a, 40 * a, 40 * a + 200), stroke=strong, width=1.0)
        d.text(145, 92, "NEBULA", 3.4, strong)
        d.text(145, 98.5, "2 SENSOR", 3, INK)
        d.text(145, 104.5, "DICE OFF", 3, INK)
    elif station == "weapons":
        for row, (side, number) in enumerate((("FRONT", 1), ("FRONT", 2), ("REAR", 1), ("REAR", 2))):
            y = 20 + 24.5 * row
            d.text(46, y + 9, side, 4.2, strong)
            d.text(46, y + 18, f"TUBE {number}", 3.4, INK)
            with d.turned(120.5, y + 10.75, 0 if row < 2 else 180):
                d.path(line([(-50, -10), (44, -10), (53.5, 0), (44, 10), (-50, 10), (-45, 0)], True), stroke=strong, width=0.9)
    elif station == "sensors":
        d.text(47, 30, "WEAPON LOCK", 5, strong)
        d.text(113, 30, "JAMMER", 5, strong)
        for a in range(4):
            d.path(arc(60, 101, 5 + 6 * a, -30 + 9 * a, 85 - 4 * a), stroke=strong, width=0.9)
        d.path(line([(126 + 5.2 * i, 104 - 6.5 * ((i * 7) % 5)) for i in range(9)]), stroke=strong, width=1.1)
    elif station == "shields":
        with d.turned(110.5, 67.5):
            d.path("M0 -14L9 9L0 4L-9 9Z", fill=strong)
            d.path("M0 -9L0 2", stroke="#ffffff", width=1.2)
        for s, x, y in (("1", 110.5, 32), ("2", 165, 70.5), ("3", 110.5, 110), ("4", 56, 70.5)):
            d.text(x, y, s, 6.5, strong, 0.2, "middle")
        for s, x, y in (("FRONT", 90, 31), ("BACK", 90, 110)):
            d.text(x, y, s, 3, INK, anchor="middle")
        for s, x, turn in (("RIGHT", 165, 90), ("LEFT", 56, -90)):
            with d.turned(x, 90, turn):
                d.text(0, 0, s, 3, INK, anchor="middle")
    else:
        d.text(47, 30, "BEAM", 5, strong)
        d.text(125.5, 31, "MINE A", 4, strong, anchor="middle")
        d.text(158.5, 31, "MINE B", 4, strong, anchor="middle")
        d.text(111, 77, "MINES IN STORE", 3.6, strong)
        for x in (126, 158):
            d.path(ring(x, 96, 10.6), stroke=strong, width=0.8, dash="3 2")
        d.path(line([(60, 104), (75, 80), (71, 80), (84, 56), (80, 82), (85, 82), (74, 108)], True), stroke=strong, width=1.0)


def display(ship, station):
    """The drawing of one display."""
    r, d = p.chance("display", ship, station), Drawing(*CARD)
    ground, tint, strong = LOOK[station]
    if ship == "black":  # a greyer card with its words in a dark band
        ground, tint = p.mixed(ground, "#8e939c", 0.30), p.mixed(tint, "#5c626e", 0.42)
    w, h = CARD
    d.path(box(0, 0, w, h), fill=ground)
    draw = {"engineering": p.traces, "helm": p.field, "weapons": p.shards, "sensors": p.ripples, "shields": p.cells, "tractor": p.facets}[station]
    with d.clipped(box(0, 0, w, h)):
        draw(d, r, w, h, ground, tint)
        p.marks(d, r, w, h, p.mixed(tint, strong, 0.55), 190)
    band = INK if ship == "black" else "#ffffff"
    d.path(box(0, 0, w, 17), fill=band)
    with d.clipped(box(0, 0, w, 17)):
        p.marks(d, r, w, 17, p.mixed(band, strong, 0.45 if ship == "white" else 0.8), 40)
    words = "#ffffff" if ship == "black" else INK
    d.halo = band
    d.text(8, 13, station.upper(), 8.6, words, 0.2)
    name = f"{SHIPS[ship]} {r.randint(11, 99)}-{r.randint(101, 989)}"
    d.text(w - 6, 10.6, name, 4.2, words, 0.18, "end")
    d.path("M0 17H180", stroke=strong, width=1.2)
    d.halo = ground
    for zone, corners, _, _ in zones(ship, station):
        with d.clipped(line(corners, True)):  # quieter where dice lie
            d.path(line(corners, True), fill=ground, opacity=0.62)
        if zone == "energy":
            stripes(d, r, corners, p.mixed(ground, tint, 0.85))
            d.text(corners[0][0], corners[0][1] - 2, "ENERGY", 3.2, strong)
        if station == "weapons" and zone != "energy":
            x, y = corners[3]
            d.text(x + 2, y - 1.8, zone.split(".")[1].upper(), 2.6, strong)
        brackets(d, corners, strong, 1.3 if len(corners) == 4 and zone not in ("1", "2", "3", "4") else 1.0)
    signs(d, ship, station, (ground, tint, strong))
    d.path(box(0.6, 0.6, w - 1.2, h - 1.2), stroke=INK if ship == "black" else strong, width=1.2, join="miter")
    return d


# The board: the demo map of the rules, two strips beside it.
SQUARE, COLUMNS, ROWS, ORIGIN = 45.0, 10, 8, (42.0, 15.0)
BOARD = (534.0, 390.0)
CRYSTALS = [(1, 6), (4, 4), (7, 5), (2, 2), (5, 3), (8, 1)]
STARTS = {"start-white": (4, 0), "start-black": (5, 7), "start-white-2": (3, 0), "start-black-2": (6, 7)}


def board_zones():
    """Zones of the board: name, meaning, corners, kinds, how many."""
    out = []
    for ship, x in (("white", 6), ("black", BOARD[0] - 36)):
        for i in range(4):
            out.append((f"{ship}-damage-{i + 1}", f"/{ship}.damage.{i + 1}", rect(x + 1, 34 + 31 * i, 28, 28), ["energy"], 1))
        out.append((f"{ship}-crystals", f"/{ship}.crystals", rect(x, 184, 30, 84), [], 6))
    out.append(("used-crystals", "used-crystals", rect(BOARD[0] - 36, 292, 30, 84), [], 6))
    return out


def corner(column, row):
    """Upper left of a square that counts from the bottom left."""
    return ORIGIN[0] + column * SQUARE, ORIGIN[1] + (ROWS - 1 - row) * SQUARE


def board():
    """The drawing of the board."""
    r, d = p.chance("board", "demo"), Drawing(*BOARD)
    w, h = BOARD
    d.path(box(0, 0, w, h), fill="#eef1f5")
    with d.clipped(box(0, 0, w, h)):
        p.facets(d, r, w, h, "#f2f4f8", "#c3cbd9", 24)
        for _ in range(90):  # stars of many kinds, some joined
            x, y = r.uniform(0, w), r.uniform(0, h)
            size = r.uniform(0.8, 3.4)
            points = r.randint(3, 7)
            d.path(line([around(x, y, size if i % 2 else size * 0.4, 180 * i / points + 40 * size) for i in range(2 * points)], True), fill="#66738c")
            if r.random() < 0.5:
                d.path(line([(x, y), (x + r.uniform(-40, 40), y + r.uniform(-40, 40))]), stroke="#8b97ad", width=0.5)
        p.marks(d, r, w, h, "#77839b", 420)
    d.halo = "#eef1f5"
    x0, y0 = ORIGIN
    for strip in ((0, 0, x0 - 2, h), (w - x0 + 2, 0, x0 - 2, h)):
        d.path(box(*strip), fill="#ffffff", opacity=0.55)
    for i in range(COLUMNS + 1):
        d.path(f"M{x0 + i * SQUARE} {y0}V{y0 + ROWS * SQUARE}", stroke="#3d485e", width=1.0 if i in (0, COLUMNS) else 0.6, cap="square")
    for j in range(ROWS + 1):
        d.path(f"M{x0} {y0 + j * SQUARE}H{x0 + COLUMNS * SQUARE}", stroke="#3d485e", width=1.0 if j in (0, ROWS) else 0.6, cap="square")
    for column in range(COLUMNS):
        for row in range(ROWS):
            x, y = corner(column, row)
            d.text(x + 2, y + SQUARE - 2, f"{column},{row}", 2.6, "#55617a")
    for i, (column, row) in enumerate(CRYSTALS):
        x, y = corner(column, row)
        d.path(line([(x + 22.5, y + 6), (x + 34, y + 22.5), (x + 22.5, y + 39), (x + 11, y + 22.5)], True), stroke="#6d2e8f", width=1.1, dash="5 2")
        d.text(x + 42, y + 9.5, str(i + 1), 6.5, "#6d2e8f", 0.2, "end")
    for name, (column, row) in STARTS.items():
        x, y = corner(column, row)
        down, second = "black" in name, name.endswith("2")
        with d.turned(x + 22.5, y + 22.5, 180 if down else 0):
            d.path(line([(-9, 13), (0, -15), (9, 13), (0, 7)], True), stroke="#23304a", width=1.4 if not second else 0.7, dash=None if not second else "2 2")
        d.text(x + 22.5, y + (8 if not down else 42), ("WHITE" if not down else "BLACK") + (" 2" if second else ""), 3.4, "#23304a", 0.2, "middle")
    d.text(w / 2, 10.6, "PRACTICE BOARD: OUR OWN 10 BY 8 SQUARES, NOT THE PUBLISHED BOARD", 5.4, "#23304a", 0.19, "middle")
    d.text(w / 2, h - 4.6, "PRACTICE BOARD: NOT THE PUBLISHED ONE. SQUARES COUNT FROM THE LOWER LEFT, 0,0", 4.4, "#23304a", 0.18, "middle")
    for zone, _, corners, _, _ in board_zones():
        brackets(d, corners, "#23304a", 1.2)
        x, y = corners[0]
        if zone.endswith("damage-1"):
            d.text(x + 14, 22, zone.split("-")[0].upper(), 4.2, "#23304a", 0.2, "middle")
            d.text(x + 14, 29, "DAMAGE", 3.8, "#8c241a", 0.2, "middle")
        if "damage" in zone:
            d.text(x + 30.4, y + 27, zone[-1], 3, "#8c241a", 0.2)
        elif zone.endswith("crystals"):
            d.text(x + 15, y - 9, zone.split("-")[0].upper(), 3.8, "#23304a", 0.2, "middle")
            d.text(x + 15, y - 3, "CRYSTALS", 3.8, "#6d2e8f", 0.2, "middle")
    with d.turned(21, 338, -90):
        d.text(0, 3, "SIGHTLINE PRACTICE", 5, "#23304a", 0.2, "middle")
    d.path(box(0.6, 0.6, w - 1.2, h - 1.2), stroke="#23304a", width=1.2, join="miter")
    return d
