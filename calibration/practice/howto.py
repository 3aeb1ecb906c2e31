"""The picture on the first printed page: what to do with the sheets."""
from pen import Drawing, around, box, line, ring

import faces

INK, PALE, FOLD = "#16181d", "#e9ecf1", "#2c4a86"


def head(d, x, y, deg):
    d.path(line([around(x, y, 2.4, deg), around(x, y, 2.4, deg + 130), around(x, y, 2.4, deg - 130)], True), fill=INK)


def net(d, x, y, k):
    """A cube's six sides and its seven tabs as they are printed, `k` mm a side."""
    t = 0.3 * k
    at = lambda c, r: (x + c * k, y + r * k)

    def tab(a, b):
        (ax, ay), (bx, by) = a, b
        ux, uy = (bx - ax) / k, (by - ay) / k
        tip = lambda p, along: (p[0] + along * ux + t * uy, p[1] + along * uy - t * ux)
        d.path(line([a, tip(a, 0.15 * k), tip(b, -0.15 * k), b], True), fill=PALE, stroke=INK, width=0.4)

    for a, b in (((0, 1), (1, 1)), ((0, 2), (0, 1)), ((1, 2), (0, 2)), ((2, 1), (3, 1)), ((3, 1), (3, 2)), ((3, 2), (2, 2)), ((2, 4), (1, 4))):
        tab(at(*a), at(*b))
    for i, cell in enumerate(((1, 0), (0, 1), (1, 1), (2, 1), (1, 3), (1, 2))):
        cx, cy = at(*cell)
        d.path(box(cx, cy, k, k), fill=faces.PAPER["helm"], stroke=FOLD, width=0.4, dash="1.4 0.9")
        with d.turned(cx, cy, 0, k / 16):
            faces.helm(d, faces.CUBE["helm"][i])


def cube(d, x, y, k):
    """A finished cube, seen from a corner."""
    a, b = 0.45 * k, 0.28 * k
    d.path(line([(x, y), (x + a, y - b), (x + a + k, y - b), (x + k, y)], True), fill=faces.PAPER["helm"], stroke=INK, width=0.5)
    d.path(line([(x + k, y), (x + a + k, y - b), (x + a + k, y - b + k), (x + k, y + k)], True), fill="#d9c35c", stroke=INK, width=0.5)
    d.path(box(x, y, k, k), fill=faces.PAPER["helm"], stroke=INK, width=0.5)
    with d.turned(x, y, 0, k / 16):
        faces.helm(d, "FR")


def how_to():
    d = Drawing(186, 128)
    for x, y, w, h in ((0, 0, 91, 62), (95, 0, 91, 62), (0, 66, 91, 62), (95, 66, 91, 62)):
        d.path(box(x + 0.4, y + 0.4, w - 0.8, h - 0.8, 3), fill="#fbfbfa", stroke="#9aa3b2", width=0.5)
    d.text(5, 9, "1 BOARD", 4, INK, 0.19)
    for i in range(2):
        x = 10 + 34 * i
        if i == 0:
            d.path(box(x + 30, 17, 5, 34), fill=PALE, stroke="#7d8696", width=0.4, dash="1.4 1")
        d.path(box(x + (0 if i == 0 else 3), 17, 30, 34), fill="#dfe5ee", stroke=INK, width=0.5)
        for k in range(1, 3):
            d.path(f"M{x + (0 if i == 0 else 3) + 10 * k} 17V51M{x + (0 if i == 0 else 3)} {17 + 11.3 * k}H{x + (30 if i == 0 else 33)}", stroke="#7d8696", width=0.3)
    d.path("M47 56H41", stroke=INK, width=0.8)
    head(d, 40, 56, -90)
    d.text(52, 57.6, "ONTO THE FLAP", 2.8, INK)
    d.text(100, 9, "2 DICE", 4, INK, 0.19)
    net(d, 106, 13, 10.8)
    d.path("M144 34.5H150", stroke=INK, width=0.8)
    head(d, 151, 34.5, 90)
    cube(d, 157, 30, 13)
    d.text(164, 52, "FOLD BACK,", 2.8, INK, anchor="middle")
    d.text(164, 57, "GLUE THE TABS", 2.8, INK, anchor="middle")
    d.text(5, 75, "3 TOKENS, SHIPS, CRYSTALS", 4, INK, 0.19)
    hexagon = lambda x, y, r: [around(x, y, r, 30 + 60 * i) for i in range(6)]
    d.path(line(hexagon(17, 90, 9), True), fill="#e9e0d2", stroke=INK, width=0.5)
    d.path(line(hexagon(17, 105.6, 9), True), fill="#eadff3", stroke=INK, width=0.5)
    d.path("M6 97.8H28", stroke=FOLD, width=0.6, dash="1.4 0.9")
    d.path("M31 98H37", stroke=INK, width=0.8)
    head(d, 38, 98, 90)
    d.path(line([(44, 99), (61, 99), (64, 103), (47, 103)], True), fill="#eadff3", stroke=INK, width=0.5)
    d.path(line([(44, 99), (47, 89), (64, 89), (61, 99)], True), fill="#e9e0d2", stroke=INK, width=0.5)
    d.path("M66 98H70", stroke=INK, width=0.8)
    head(d, 71, 98, 90)
    d.path(line(hexagon(81.5, 98, 7.6), True), fill="#e9e0d2", stroke=INK, width=0.7)
    for x, words in ((17, "CUT APART"), (50, "FOLD, GLUE"), (78, "CUT OUT")):
        d.text(x, 123, words, 2.6, INK, anchor="middle")
    d.text(100, 75, "4 STICKERS INSTEAD", 4, INK, 0.19)
    for i, f in enumerate(("L1", "J2", "L2", "EXP")):
        with d.turned(104 + 12 * i, 84, 0, 0.66):
            d.path(box(0, 0, 16, 16), fill=faces.PAPER["sensor"], stroke="#7d8696", width=0.4)
            faces.sensor(d, f)
    d.path(box(158, 92, 17, 17, 3), fill="#ffffff", stroke=INK, width=0.6)
    with d.turned(160.1, 94.1, 0, 0.8):
        d.path(box(0, 0, 16, 16), fill=faces.PAPER["sensor"])
        faces.sensor(d, "L1")
    d.path("M134 103H149", stroke=INK, width=0.8)
    head(d, 150, 103, 90)
    d.text(140, 123, "ON BLANK DICE OF 16 MM", 2.6, INK, anchor="middle")
    return d
