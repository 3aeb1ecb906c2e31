"""A pen that draws SVG in millimetres, and its own letters. Nothing here needs more than Python."""
import math
from contextlib import contextmanager

# Single strokes in a cell of which the capitals are 6 high, y down; a letter, how wide it is, how it runs.
LETTERS = {
    "A": (4, "M0 6L2 0L4 6M.7 4H3.3"),
    "B": (4, "M0 0V6H2.3Q4 6 4 4.4Q4 2.9 2.3 2.9H0M2.1 2.9Q3.6 2.9 3.6 1.4Q3.6 0 2.1 0H0"),
    "C": (4, "M4 1.1Q3.4 0 2.2 0Q0 0 0 3Q0 6 2.2 6Q3.4 6 4 4.9"),
    "D": (4, "M0 0V6H1.6Q4 6 4 3Q4 0 1.6 0Z"),
    "E": (3.6, "M3.6 0H0V6H3.6M0 3H2.9"),
    "F": (3.5, "M3.5 0H0V6M0 3H2.8"),
    "G": (4, "M4 1.1Q3.4 0 2.2 0Q0 0 0 3Q0 6 2.2 6Q4 6 4 4.4V3.3H2.4"),
    "H": (4, "M0 0V6M4 0V6M0 3H4"),
    "I": (1, "M.5 0V6"),
    "J": (3.4, "M3.4 0V4.2Q3.4 6 1.7 6Q0 6 0 4.5"),
    "K": (4, "M0 0V6M3.9 0L0 3.7M1.4 2.4L4 6"),
    "L": (3.5, "M0 0V6H3.5"),
    "M": (4.8, "M0 6V0L2.4 3.7L4.8 0V6"),
    "N": (4, "M0 6V0L4 6V0"),
    "O": (4.2, "M2.1 0Q4.2 0 4.2 3Q4.2 6 2.1 6Q0 6 0 3Q0 0 2.1 0Z"),
    "P": (3.9, "M0 6V0H2.2Q3.9 0 3.9 1.7Q3.9 3.4 2.2 3.4H0"),
    "Q": (4.2, "M2.1 0Q4.2 0 4.2 3Q4.2 6 2.1 6Q0 6 0 3Q0 0 2.1 0ZM2.6 4.3L4.3 6.4"),
    "R": (4, "M0 6V0H2.2Q3.9 0 3.9 1.6Q3.9 3.2 2.2 3.2H0M2 3.2L4 6"),
    "S": (4, "M3.8 1Q3.2 0 2 0Q.2 0 .2 1.5Q.2 2.7 2 3Q4 3.3 4 4.5Q4 6 2 6Q.6 6 0 4.9"),
    "T": (4, "M0 0H4M2 0V6"),
    "U": (4, "M0 0V4Q0 6 2 6Q4 6 4 4V0"),
    "V": (4, "M0 0L2 6L4 0"),
    "W": (5.2, "M0 0L1.3 6L2.6 1.4L3.9 6L5.2 0"),
    "X": (4, "M0 0L4 6M4 0L0 6"),
    "Y": (4, "M0 0L2 3L4 0M2 3V6"),
    "Z": (4, "M0 0H4L0 6H4"),
    "0": (4, "M2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3Q0 0 2 0Z"),
    "1": (3, "M0 1.4L1.6 0V6M.2 6H3"),
    "2": (4, "M.2 1.6Q.3 0 2 0Q3.8 0 3.8 1.6Q3.8 2.8 2.4 4L0 6H4"),
    "3": (4, "M.3 0H3.8L1.8 2.4Q4 2.4 4 4.2Q4 6 2 6Q.5 6 0 4.9"),
    "4": (4, "M3 6V0L0 4.3H4"),
    "5": (4, "M3.7 0H.6L.3 2.8Q1 2.2 2 2.2Q4 2.2 4 4.1Q4 6 2 6Q.6 6 0 5"),
    "6": (4, "M3.6 .8Q3.1 0 2.2 0Q0 .2 0 3.9Q0 6 2 6Q4 6 4 4.1Q4 2.3 2 2.3Q.3 2.3 0 3.9"),
    "7": (4, "M0 0H4L1.4 6M1.1 3.1H3.4"),
    "8": (4, "M2 0Q3.6 0 3.6 1.4Q3.6 2.8 2 2.8Q.4 2.8 .4 1.4Q.4 0 2 0ZM2 2.8Q4 2.8 4 4.4Q4 6 2 6Q0 6 0 4.4Q0 2.8 2 2.8Z"),
    "9": (4, "M.4 5.2Q.9 6 1.8 6Q4 5.8 4 2.1Q4 0 2 0Q0 0 0 1.9Q0 3.7 2 3.7Q3.7 3.7 4 2.1"),
    ".": (.6, "M.3 5.9V6"), ",": (.8, "M.5 5.7L.1 6.8"), ":": (.6, "M.3 2V2.1M.3 5.9V6"), "'": (.6, "M.3 0V1.4"),
    "-": (2.4, "M0 3.2H2.4"), "/": (3, "M0 6L3 0"), "+": (3, "M0 3.2H3M1.5 1.7V4.7"), "=": (3, "M0 2.3H3M0 4.1H3"),
    ">": (3, "M0 1.2L3 3.2L0 5.2"), "(": (1.4, "M1.4 -.4Q0 3 1.4 6.4"), ")": (1.4, "M0 -.4Q1.4 3 0 6.4"), " ": (2, ""),
}
GAP = 1.5


def n(value):
    """A number as SVG likes it, short."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "-0") if value else "0"


def line(points, close=False):
    """Path data through points."""
    return "M" + "L".join(f"{n(x)} {n(y)}" for x, y in points) + ("Z" if close else "")


def ring(x, y, r):
    """Path data of a circle."""
    return f"M{n(x - r)} {n(y)}A{n(r)} {n(r)} 0 1 1 {n(x + r)} {n(y)}A{n(r)} {n(r)} 0 1 1 {n(x - r)} {n(y)}Z"


def box(x, y, w, h, r=0.0):
    """Path data of a rectangle, its corners rounded."""
    if not r:
        return f"M{n(x)} {n(y)}H{n(x + w)}V{n(y + h)}H{n(x)}Z"
    return (f"M{n(x + r)} {n(y)}H{n(x + w - r)}A{n(r)} {n(r)} 0 0 1 {n(x + w)} {n(y + r)}V{n(y + h - r)}A{n(r)} {n(r)} 0 0 1 {n(x + w - r)} {n(y + h)}"
            f"H{n(x + r)}A{n(r)} {n(r)} 0 0 1 {n(x)} {n(y + h - r)}V{n(y + r)}A{n(r)} {n(r)} 0 0 1 {n(x + r)} {n(y)}Z")


def arc(x, y, r, start_deg, end_deg):
    """Path data of a part of a circle; 0 is up, clockwise."""
    a, b = math.radians(start_deg), math.radians(end_deg)
    large = int((end_deg - start_deg) % 360 > 180)
    return f"M{n(x + r * math.sin(a))} {n(y - r * math.cos(a))}A{n(r)} {n(r)} 0 {large} 1 {n(x + r * math.sin(b))} {n(y - r * math.cos(b))}"


def around(x, y, r, deg):
    """The point at a distance and a bearing; 0 is up, clockwise."""
    a = math.radians(deg)
    return x + r * math.sin(a), y - r * math.cos(a)


class Drawing:
    """An SVG `width` by `height` mm."""

    def __init__(self, width, height):
        self.size, self.parts, self.clips = (width, height), [], 0
        self.halo = None  # what is kept clear about letters

    def path(self, d, fill="none", stroke=None, width=0.4, cap="round", join="round", dash=None, opacity=None):
        look = f' fill="{fill}"'
        if stroke:
            look += f' stroke="{stroke}" stroke-width="{n(width)}" stroke-linecap="{cap}" stroke-linejoin="{join}"'
            if dash:
                look += f' stroke-dasharray="{dash}"'
        if opacity is not None:
            look += f' opacity="{n(opacity)}"'
        self.parts.append(f'<path d="{d}"{look}/>')

    def text(self, x, y, words, height, colour="#16181d", weight=0.16, anchor="start"):
        """Letters with their base line at `y`, `height` tall, stroked with `weight` of that height."""
        k = height / 6
        wide = (sum(LETTERS[c][0] + GAP for c in words) - GAP) * k
        x -= {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        for look, thick in ([(self.halo, 6 * weight + 2.4)] if self.halo else []) + [(colour, 6 * weight)]:
            at = x
            for c in words:
                w, d = LETTERS[c]
                if d:
                    self.parts.append(f'<path transform="translate({n(at)} {n(y - height)}) scale({k:.4f})" d="{d}" fill="none" stroke="{look}"'
                                      f' stroke-width="{n(thick)}" stroke-linecap="round" stroke-linejoin="round"/>')
                at += (w + GAP) * k
        return wide

    @contextmanager
    def turned(self, x, y, deg=0.0, scale=1.0):
        """What is drawn inside has its origin at `x`, `y` and is turned clockwise."""
        self.parts.append(f'<g transform="translate({n(x)} {n(y)}) rotate({n(deg)}) scale({n(scale)})">')
        yield
        self.parts.append("</g>")

    @contextmanager
    def clipped(self, d):
        """What is drawn inside stays inside this outline."""
        self.clips += 1
        self.parts.append(f'<clipPath id="c{self.clips}"><path d="{d}"/></clipPath><g clip-path="url(#c{self.clips})">')
        yield
        self.parts.append("</g>")

    def svg(self):
        w, h = (n(v) for v in self.size)
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm" viewBox="0 0 {w} {h}">\n' + "\n".join(self.parts) + "\n</svg>\n"
