"""Dice with numerals, one die of each common shape. A face's picture is the square about its outline as it is read upright."""
import math

from pen import Drawing, around, box, line

SIZE, MARGIN = 60.0, 0.2
BODIES = {"d4": ("#2f7d4f", "#ffffff"), "d6": ("#f2efe6", "#15171c"), "d8": ("#23508f", "#ffffff"), "d10": ("#8e2f2a", "#ffffff"), "d12": ("#e0b43a", "#15171c"), "d20": ("#4b3a86", "#ffffff")}
# How high the face that is read lies over the table; a d4, which has none on top, its own height.
HEIGHT_MM = {"d4": 16.3, "d6": 16.0, "d8": 15.5, "d10": 16.0, "d12": 18.5, "d20": 20.0}
FACES = {"d4": [str(i) for i in range(1, 5)], "d6": [str(i) for i in range(1, 7)], "d8": [str(i) for i in range(1, 9)], "d10": [str(i) for i in range(10)],
         "d12": [str(i) for i in range(1, 13)], "d20": [str(i) for i in range(1, 21)]}


def outline(shape):
    """A face upright, in the square that stands for it (src/copy/die.rs) from -1 to 1, y down, and where its numeral stands and how tall it is."""
    turned = lambda sides, start, r=1.0, y=0.0: [(r * math.sin(math.radians(start + 360 * i / sides)), y - r * math.cos(math.radians(start + 360 * i / sides))) for i in range(sides)]
    if shape in ("d4", "d8", "d20"):
        return turned(3, 0, 2 / math.sqrt(3)), (0, 0.08), 0.62
    if shape == "d6":
        return [(-1, -1), (1, -1), (1, 1), (-1, 1)], (0, 0), 1.1
    if shape == "d10":
        return [(0, -1.369), (0.803, 0.278), (0, 0.667), (-0.803, 0.278)], (0, 0.0), 0.62
    return turned(5, 0, 1 / math.cos(math.pi / 5)), (0, 0.0), 0.9


def numeral(d, x, y, words, tall, ink):
    """In the middle of `x`, `y`; 6 and 9 have a bar under them."""
    d.text(x, y + tall / 2, words, tall, ink, 0.17, "middle")
    if words in ("6", "9"):
        d.path(f"M{x - tall * 0.3} {y + tall * 0.78}H{x + tall * 0.3}", stroke=ink, width=tall * 0.12)


def face(shape, name, ground="#9a9184", light=1.0):
    """The picture of one face, its margin included."""
    body, ink = BODIES[shape]
    tone = lambda c, k: "#" + "".join(f"{max(0, min(255, round(int(c[i:i + 2], 16) * k * light))):02x}" for i in (1, 3, 5))
    d, half, middle = Drawing(SIZE, SIZE), SIZE / (1 + 2 * MARGIN) / 2, SIZE / 2
    at = lambda p, k=1.0: (middle + half * p[0] * k, middle + half * p[1] * k)
    d.path(box(0, 0, SIZE, SIZE), fill=tone(ground, 1))
    corners, (x, y), tall = outline(shape)
    if shape == "d4":
        # from above: three sides about the point, the number that counts upright beside the point on each of them
        for i in range(3):
            d.path(line([at(corners[i]), at(corners[(i + 1) % 3]), at((0, 0))], True), fill=tone(body, (1.05, 0.85, 0.95)[i]), stroke=tone(body, 0.6), width=0.8)
        for i in range(3):
            with d.turned(*at((0, 0)), 120 * i):
                numeral(d, 0, half * 0.32, name, half * 0.36, ink)
        return d
    # the sides that fall away round the face that is read
    sides = len(corners)
    cx, cy = sum(p[0] for p in corners) / sides, sum(p[1] for p in corners) / sides
    if shape != "d6":
        for i in range(sides):
            a, b = corners[i], corners[(i + 1) % sides]
            out = ((a[0] + b[0]) / 2 - cx) * 1.75 + cx, ((a[1] + b[1]) / 2 - cy) * 1.75 + cy
            d.path(line([at(a), at(out), at(b)], True), fill=tone(body, (0.7, 0.82, 0.62, 0.76, 0.66)[i]))
    d.path(line([at(p) for p in corners], True), fill=tone(body, 1), stroke=tone(body, 0.75), width=1.4)
    numeral(d, *at((x, y)), name, half * tall, ink)
    return d
