"""Grounds of cards: each full of corners, each by its own numbers, so that a part of a card tells which it is and where."""
import random

from pen import arc, around, box, line, ring


def mixed(a, b, k):
    """A colour between two."""
    at = lambda c, i: int(c[1 + 2 * i:3 + 2 * i], 16)
    return "#" + "".join(f"{round(at(a, i) + (at(b, i) - at(a, i)) * k):02x}" for i in range(3))


def lattice(r, w, h, step, jitter):
    """Points of a grid, pushed about; one row and column beyond each edge."""
    columns, rows = int(w / step) + 3, int(h / step) + 3
    return [[((i - 1 + r.uniform(-jitter, jitter)) * step, (j - 1 + r.uniform(-jitter, jitter)) * step) for i in range(columns)] for j in range(rows)]


def facets(d, r, w, h, light, dark, step=13.0):
    """Triangles of many tints."""
    p = lattice(r, w, h, step, 0.36)
    for j in range(len(p) - 1):
        for i in range(len(p[0]) - 1):
            a, b, c, e = p[j][i], p[j][i + 1], p[j + 1][i + 1], p[j + 1][i]
            for tri in ([(a, b, c), (a, c, e)] if r.random() < 0.5 else [(a, b, e), (b, c, e)]):
                d.path(line(tri, True), fill=mixed(light, dark, r.random() ** 1.6))


def shards(d, r, w, h, light, dark):
    """Bars that lean one way, broken."""
    lean = r.choice((-0.7, -0.45, 0.45, 0.7))
    x = -h
    while x < w + h:
        wide, y = r.uniform(3, 10), -5.0
        while y < h + 5:
            tall = r.uniform(6, 30)
            at = lambda u, v: (u + lean * (v - h / 2), v)
            d.path(line([at(x, y), at(x + wide, y + r.uniform(-3, 3)), at(x + wide, y + tall), at(x, y + tall)], True), fill=mixed(light, dark, r.random() ** 1.6))
            y += tall
        x += wide


def ripples(d, r, w, h, light, dark):
    """Rings about a few centres."""
    for _ in range(9):
        x, y = r.uniform(0, w), r.uniform(0, h)
        k, radius = r.uniform(0.35, 0.95), r.uniform(2, 4)
        while radius < r.uniform(22, 48):
            start = r.uniform(0, 360)
            d.path(arc(x, y, radius, start, start + r.uniform(60, 320)), stroke=mixed(light, dark, k), width=r.uniform(0.5, 1.8))
            radius += r.uniform(2.2, 5)


def traces(d, r, w, h, light, dark):
    """Conductors as on a board of electronics."""
    for _ in range(75):
        x, y, points = r.uniform(0, w), r.uniform(0, h), []
        way = r.randrange(8)
        for _ in range(r.randint(2, 5)):
            points.append((x, y))
            x, y = around(x, y, r.uniform(5, 18), 45 * way)
            way += r.choice((-1, 1, 2, -2))
        colour = mixed(light, dark, r.uniform(0.35, 1))
        d.path(line(points), stroke=colour, width=r.uniform(0.6, 1.5))
        for x, y in (points[0], points[-1]):
            d.path(ring(x, y, r.uniform(1, 1.9)), fill=colour)


def cells(d, r, w, h, light, dark, step=15.0):
    """Six-sided cells, some filled."""
    rows = int(h / (step * 0.866)) + 3
    for j in range(-1, rows):
        for i in range(-1, int(w / step) + 3):
            x, y = (i + 0.5 * (j % 2)) * step + r.uniform(-2.4, 2.4), j * step * 0.866 + r.uniform(-2.4, 2.4)
            size = step * r.uniform(0.3, 0.6)
            outline = line([around(x, y, size, 60 * k + r.uniform(-7, 7)) for k in range(6)], True)
            colour = mixed(light, dark, r.uniform(0.2, 1))
            if r.random() < 0.5:
                d.path(outline, fill=colour)
            else:
                d.path(outline, stroke=colour, width=r.uniform(0.6, 1.8))


def field(d, r, w, h, light, dark):
    """Strokes along the field of a few poles."""
    poles = [(r.uniform(0, w), r.uniform(0, h), r.choice((-1, 1))) for _ in range(5)]
    for _ in range(230):
        x, y = r.uniform(0, w), r.uniform(0, h)
        points = [(x, y)]
        for _ in range(r.randint(3, 9)):
            fx = sum(s * (x - a) / ((x - a) ** 2 + (y - b) ** 2 + 30) for a, b, s in poles)
            fy = sum(s * (y - b) / ((x - a) ** 2 + (y - b) ** 2 + 30) for a, b, s in poles)
            k = 2.4 / (fx * fx + fy * fy + 1e-9) ** 0.5
            x, y = x + k * fx, y + k * fy
            points.append((x, y))
        d.path(line(points), stroke=mixed(light, dark, r.uniform(0.3, 1)), width=r.uniform(0.6, 1.7))


def marks(d, r, w, h, dark, count):
    """Small signs strewn about: what a camera finds again first."""
    for _ in range(count):
        x, y, s, k = r.uniform(2, w - 2), r.uniform(2, h - 2), r.uniform(0.9, 2.6), r.randrange(7)
        with d.turned(x, y, r.uniform(0, 360)):
            if k == 0:
                d.path(line([(-s, s), (s, s), (0, -s)], True), fill=dark)
            elif k == 1:
                d.path(line([(-s, -s), (-s, s), (s, s)]), stroke=dark, width=0.6)
            elif k == 2:
                d.path(f"M{-s} 0H{s}M0 {-s}V{s}", stroke=dark, width=0.6)
            elif k == 3:
                d.path(ring(0, 0, s * 0.7), stroke=dark, width=0.6)
            elif k == 4:
                d.path(ring(0, 0, s * 0.45), fill=dark)
            elif k == 5:
                d.path(box(-s, -s / 3, 2 * s, s / 1.5), fill=dark)
            else:
                d.path(line([(-s, 0), (0, -s), (s, 0), (0, s * 1.6)], True), fill=dark)


def chance(*words):
    """Numbers that are the same each time the same thing is drawn."""
    return random.Random("/".join(words))
