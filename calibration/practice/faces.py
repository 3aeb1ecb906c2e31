"""The faces of the dice: 16 mm square, one icon each, its code in the lower left corner, so that none is like another, nor like
itself or another when turned. Icons stay within 13 mm, the part of a blank die that takes a sticker."""
import math

from pen import Drawing, arc, around, box, line, ring

SIZE = 16.0
INK = "#15171c"
PAPER = {"energy": "#f8f6ef", "helm": "#f7e27a", "weapon": "#f2aaa0", "sensor": "#b7dfa9", "shield": "#b3d1f2", "tractor": "#f8c78a"}
# What lies on which side of a folded cube: top, left, front, right, back, bottom. How often a symbol is on a die is the
# rules' demo print; opposite sides are alike where a symbol is there twice.
CUBE = {
    "energy": ["1", "2", "3", "5", "4", "6"],
    "helm": ["F1", "FR", "F2", "FL", "FU", "F1"],
    "weapon": ["BLAST1", "NOSE", "BODY", "TAIL", "BLAST2", "BLAST1"],
    "sensor": ["L1", "J1", "L2", "J2", "EXP", "L1"],
    "shield": ["EXP", "S1", "S2", "S3", "S4", "EXP"],
    "tractor": ["T1", "MINE_A", "T2", "MINE_B", "EXP", "T1"],
}
BOX = {"energy": 12, "helm": 6, "weapon": 12, "sensor": 8, "shield": 6, "tractor": 6}


def star(x, y, outer, inner, points, turn=0.0):
    return line([around(x, y, outer if i % 2 == 0 else inner, turn + 180 * i / points) for i in range(2 * points)], True)


def code(d, words):
    d.text(1.9, 14.3, words, 2.5, INK, 0.17)


def arrow(d, points, head=2.7, width=2.1):
    """A line with a head at its end."""
    (x0, y0), (x1, y1) = points[-2:]
    a = math.degrees(math.atan2(x1 - x0, y0 - y1))
    d.path(line(points), stroke=INK, width=width, cap="butt", join="miter")
    d.path(line([around(x1, y1, head, a), around(x1, y1, head, a + 120), around(x1, y1, head, a - 120)], True), fill=INK)


def helm(d, face):
    if face == "F1":
        arrow(d, [(8.2, 13.4), (8.2, 6)], 3.6, 2.6)
        code(d, "1")
    elif face == "F2":
        for y in (1.7, 5.9):
            d.path(line([(9.2, y), (14, y + 5), (11, y + 5), (9.2, y + 3.2), (7.4, y + 5), (4.4, y + 5)], True), fill=INK)
        d.path(box(7.8, 11, 2.8, 2.4), fill=INK)
        code(d, "2")
    elif face in ("FR", "FL"):
        x = (lambda v: v) if face == "FR" else (lambda v: 16 - v)
        shift = 0 if face == "FR" else 0.7
        arrow(d, [(x(5.2) + shift, 10.6), (x(5.2) + shift, 5.3), (x(10.3) + shift, 5.3)], 3.0, 2.3)
        if face == "FR":
            d.path("M8.2 13.8V9.2H14V13.8Z", fill=INK)
            d.text(11.1, 13.1, "R", 3.2, PAPER["helm"], 0.2, "middle")
        else:
            d.path(ring(6.6, 11.7, 2.5), stroke=INK, width=0.8)
            d.text(6.8, 13.1, "L", 2.7, INK, 0.22, "middle")
        code(d, "+" if face == "FR" else "-")
    else:
        d.path("M5.4 10.6V6.2A3 3 0 0 1 11.4 6.2V8.6", stroke=INK, width=2.2, cap="butt")
        d.path(line([(8.2, 8.4), (14.6, 8.4), (11.4, 13.2)], True), fill=INK)
        code(d, "U")


def weapon(d, face):
    if face == "NOSE":
        d.path("M8.2 1.7C12 4.6 13.2 7.8 13.2 11.4H3.2C3.2 7.8 4.4 4.6 8.2 1.7Z", fill=INK)
        d.path(line([(8.2, 6), (10.6, 9.6), (5.8, 9.6)], True), fill=PAPER["weapon"])
        d.path(box(6.2, 12.5, 7, 1.4), fill=INK)
        code(d, "N")
    elif face == "BODY":
        d.path(box(4.4, 2.2, 8.8, 8.4, 0.8), stroke=INK, width=1.3)
        d.path(line([(4.8, 8.2), (12.8, 3.2), (12.8, 6.2), (4.8, 10.4)], True), fill=INK)
        d.path(box(6.4, 12.7, 7.2, 1), fill=INK)
        code(d, "B")
    elif face == "TAIL":
        d.path(line([(6, 2), (10, 2), (10, 5.4), (14, 9.6), (10, 9), (10, 9.9), (6, 9.9), (6, 9), (2, 9.6), (6, 5.4)], True), fill=INK)
        for x, y in ((6.9, 13.2), (9, 14.2), (11.1, 12.6)):
            d.path(f"M{x} 10.7V{y}", stroke=INK, width=1.2)
        code(d, "T")
    elif face == "BLAST1":
        d.path(star(8.6, 7.4, 5.9, 2.7, 7, 8), fill=INK)
        d.text(8.8, 9.2, "1", 3.6, PAPER["weapon"], 0.2, "middle")
        code(d, "X")
    else:
        d.path(star(5.9, 5.9, 4.3, 1.2, 4, 0), fill=INK)
        d.path(star(10.1, 9.9, 4.3, 1.2, 4, 0), fill=INK)
        d.path("M10.6 2.6H14", stroke=INK, width=1.2, cap="butt")
        d.text(1.9, 14.3, "XX", 2, INK, 0.19)


def sensor(d, face):
    if face == "L1":
        d.path(ring(8.4, 7.2, 4.3), stroke=INK, width=1.3)
        d.path("M8.4 1.5V5.4M8.4 9V12.9M2.7 7.2H6.6", stroke=INK, width=1.3, cap="butt")
        d.path(line([(11.6, 10.4), (14.2, 10.4), (14.2, 13)], True), fill=INK)
        code(d, "1")
    elif face == "L2":
        d.path("M2.2 7.4Q8 .6 13.8 7.4Q8 12.4 2.2 7.4Z", stroke=INK, width=1.2)
        d.path("M7.9 4.2A3.1 3.1 0 1 0 11.1 7.3L7.9 7.3Z", fill=INK)
        d.path("M6.4 13.7H9.2M11 13.7H13.8", stroke=INK, width=1.3, cap="butt")
        code(d, "2")
    elif face == "J1":
        for y, bars in ((3, ((2, 8.6), (10.4, 14))), (6.1, ((4.4, 6.6), (8.2, 14))), (9.2, ((2, 5), (6.4, 11)))):
            for x0, x1 in bars:
                d.path(f"M{x0} {y}H{x1}", stroke=INK, width=1.9, cap="butt")
        d.path("M6.4 13.4L8.8 11.8L11.2 14.2L13.8 12", stroke=INK, width=1.2)
        code(d, "1")
    elif face == "J2":
        for y, w in ((4.2, 1.6), (9.0, 1.6)):
            d.path(f"M2.2 {y}Q4.1 {y - 4} 6 {y}T9.8 {y}T13.6 {y}", stroke=INK, width=w)
        d.path(line([(7, 12), (13.8, 12), (13.8, 13.8), (10.4, 13.8)], True), fill=INK)
        code(d, "2")
    else:
        d.path("M7 2H10.2M7.6 2.2V5.4L4.4 9.4Q3.8 10.7 5 10.7H12.2Q13.4 10.7 12.8 9.4L9.6 5.4V2.2", stroke=INK, width=1.1)
        d.path("M6.4 7.8H10.8L12.6 10.3H4.6Z", fill=INK)
        d.path(ring(12.6, 4.2, 1.2), fill=INK)
        d.path("M8.4 13.8H13.6", stroke=INK, width=1)
        code(d, "EX")


def shield(d, face):
    if face == "S1":
        d.path("M1.9 5.6A7.4 7.4 0 0 1 14.1 5.6L12.3 6.9A5.2 5.2 0 0 0 3.7 6.9Z", fill=INK)
        d.text(8, 13.4, "1", 6.2, INK, 0.2, "middle")
    elif face == "S2":
        d.path(arc(5.4, 8, 8, 48, 132), stroke=INK, width=1.3, cap="butt")
        d.path(arc(5.4, 8, 5.6, 48, 132), stroke=INK, width=1.3, cap="butt")
        d.text(5.2, 10.4, "2", 6.6, INK, 0.17, "middle")
    elif face == "S3":
        for i in range(3):
            d.path(f"M{2.2 + i} {10.4 + 1.5 * i}Q8 {14.2 + 1.2 * i} {13.8 - i} {10.4 + 1.5 * i}", stroke=INK, width=0.8, cap="butt")
        d.text(8, 8.9, "3", 7, INK, 0.18, "middle")
    elif face == "S4":
        d.path(line([(1.8, 1.9), (5.4, 1.9), (3.4, 4.9), (5.4, 4.9), (3.4, 7.9), (5.4, 7.9), (3.4, 10.9), (5.4, 10.9), (1.8, 14.2)], True), fill=INK)
        d.text(10.2, 11.8, "4", 8.4, INK, 0.16, "middle")
    else:
        d.path("M4.6 2.2H13.4M4.6 10.4H13.4", stroke=INK, width=1.2)
        d.path("M5.4 2.6L9 6.3L5.4 10M12.6 2.6L9 6.3L12.6 10", stroke=INK, width=0.9)
        d.path(line([(9, 6.4), (12.4, 10), (5.6, 10)], True), fill=INK)
        d.path("M8.6 13.9H13.8", stroke=INK, width=1)
        code(d, "EX")


def bolt(d, x, y, k):
    pts = [(0, 0), (3.6, 0), (2.3, 3.6), (4.6, 3.6), (0.4, 10.6), (1.5, 5.4), (-0.9, 5.4)]
    d.path(line([(x + k * a, y + k * b) for a, b in pts], True), fill=INK)


def tractor(d, face):
    if face == "T1":
        bolt(d, 6.6, 1.9, 1.12)
        code(d, "1")
    elif face == "T2":
        bolt(d, 3.4, 1.8, 0.88)
        bolt(d, 9.3, 4.3, 0.88)
        d.path("M6 13.6H8.4", stroke=INK, width=1)
        code(d, "2")
    elif face == "MINE_A":
        for i in (-1, 0, 1):
            d.path(line([around(8, 8.6, 4, 38 * i), around(8, 8.6, 7, 38 * i)]), stroke=INK, width=1.5, cap="butt")
        d.path(ring(8, 8.8, 4.9), fill=INK)
        d.text(8, 11.5, "A", 5.4, PAPER["tractor"], 0.17, "middle")
    elif face == "MINE_B":
        d.path(line([(4.4, 2), (11.6, 2), (14.2, 4.6), (14.2, 13.8), (1.8, 13.8), (1.8, 4.6)], True), fill=INK)
        d.text(8, 12, "B", 7.2, PAPER["tractor"], 0.2, "middle")
    else:
        spiral = [around(9, 6.7, 0.5 + 4.8 * t / 90, 30 + 8.3 * t) for t in range(91)]
        d.path(line(spiral), stroke=INK, width=1.25)
        d.path(line([(9, 13.9), (13.8, 13.9), (13.8, 11.7)], True), fill=INK)
        code(d, "EX")


def energy(d, face):
    """Pips as on any die, and a corner, so that these are not alike when turned."""
    spots = {"1": [4], "2": [2, 6], "3": [2, 4, 6], "4": [0, 2, 6, 8], "5": [0, 2, 4, 6, 8], "6": [0, 2, 3, 5, 6, 8]}[face]
    for s in spots:
        d.path(ring(8 + 3.7 * (s % 3 - 1), 7.7 + 3.7 * (s // 3 - 1), 1.5), fill=INK)
    d.path("M1.7 14.4H3.7L1.7 12.4Z", fill=INK)


def face(kind, name, paper=True):
    """The drawing of one face."""
    d = Drawing(SIZE, SIZE)
    if paper:
        d.path(box(0, 0, SIZE, SIZE), fill=PAPER[kind])
    {"energy": energy, "helm": helm, "weapon": weapon, "sensor": sensor, "shield": shield, "tractor": tractor}[kind](d, name)
    return d


def names(kind):
    """The faces of a kind, each once, and how often it is on the die."""
    return [(f, CUBE[kind].count(f)) for f in dict.fromkeys(CUBE[kind])]
