"""Draws the practice set and the polyhedral copy: every drawing as SVG, and from that SVG the pictures that the program knows
things by, with copy.toml (what the program reads) and print.toml (what `sightline print practice` lays out).

    pip install resvg-py pillow
    python draw.py                                    writes ../copies/practice and ../copies/polyhedral
    python draw.py --raster DIR --per-mm 16           only: every drawing as an RGBA picture, for whoever renders tables

Run again it writes the same files.
"""
import argparse
import io
import math
import os
import shutil

import resvg_py
from PIL import Image

import cards
import faces
import howto
import pieces
import polyhedral
from pen import Drawing, box, line, n

HERE = os.path.dirname(os.path.abspath(__file__))
COPIES = os.path.join(HERE, "..", "copies")
# Light on an enrolment picture: ground, how the paper lies (degrees, scale), a veil and its strength, pixels before it is brought to size.
LIGHTS = [("#6d6a63", 0.0, 1.0, "#fff4df", 0.10, 96), ("#4f6b52", 2.5, 0.985, "#1d2430", 0.30, 52), ("#a98a66", -2.0, 1.01, "#ffd9a0", 0.26, 40)]


def picture(svg, per_mm):
    """An SVG as pixels."""
    return Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, dpi=25.4 * per_mm, skip_system_fonts=True)))).convert("RGBA")


def write(folder, name, data):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w" if isinstance(data, str) else "wb") as f:
        f.write(data)


def png(image, colours=0):
    """PNG bytes; with `colours`, only so many of them, which makes flat drawings small."""
    out = io.BytesIO()
    image = image.convert("RGB")
    (image.quantize(colours, dither=Image.Dither.NONE) if colours else image).save(out, "PNG", optimize=True)
    return out.getvalue()


def inside(drawing):
    """A drawing's parts, to be put into another."""
    return "\n".join(drawing.parts)


def enrolled(kind, name, light):
    """One face as an owner's photograph would show it: a margin of 20 % all round."""
    ground, turn, scale, veil, strength, pixels = light
    side = faces.SIZE * 1.4
    d = Drawing(side, side)
    d.path(box(0, 0, side, side), fill=ground)
    with d.turned(side / 2, side / 2, turn, scale):
        with d.turned(-8, -8):
            d.path(box(-0.5, 0.3, 16.6, 16.5, 0.8), fill="#000000", opacity=0.35)
            d.path(box(-0.2, -0.2, 16.4, 16.4, 0.8), fill=faces.PAPER[kind])
            d.parts.append(inside(faces.face(kind, name)))
    d.path(box(0, 0, side, side), fill=veil, opacity=strength)
    return png(picture(d.svg(), pixels / side).resize((96, 96), Image.Resampling.BICUBIC))


def laid(drawing, outline, turn=0.0, ground="#77746c"):
    """A piece on the table, seen from above, in a square one and a half times as wide as it is long."""
    w, h = drawing.size
    side = 1.5 * max(w, h)
    d = Drawing(side, side)
    d.path(box(0, 0, side, side), fill=ground)
    with d.turned(side / 2, side / 2, turn), d.turned(-w / 2, -h / 2):
        d.path(outline, fill="#000000", stroke="#000000", width=1.4, opacity=0.3)
        d.parts.append(inside(drawing))
    return png(picture(d.svg(), 192 / side), 96)


def drawings():
    """Every drawing of the practice set by the name of its file in art/."""
    out = {f"display-{ship}-{station}": cards.display(ship, station) for ship in cards.SHIPS for station in cards.STATIONS}
    out["board"] = cards.board()
    out |= {f"face-{kind}-{name}": faces.face(kind, name) for kind in faces.CUBE for name, _ in faces.names(kind)}
    out |= {f"ship-{ship}": pieces.ship(ship) for ship in cards.SHIPS}
    out |= {f"token-{kind}-{side}": pieces.token(kind, side) for kind, _, _, sides, _ in pieces.TOKENS for side, _ in sides}
    out["how-to"] = howto.how_to()
    return out


def quoted(words):
    return "[" + ", ".join(f'"{w}"' for w in words) + "]"


def pairs(corners):
    return "[" + ", ".join(f"[{n(x)}, {n(y)}]" for x, y in corners) + "]"


def zone(table, name, means, corners, takes, holds):
    out = [f"\n[[{table}.zones]]", f'zone = "{name}"', f'means = "{means}"', f"polygon_mm = {pairs(corners)}"]
    if takes:
        out.append(f"takes = {quoted(takes)}")
    if holds:
        out.append(f"holds = {holds}")
    return out


def practice_toml():
    out = ["# The practice set: a whole copy of Dice Duel to print, with art of our own. The board is a demo, not the published",
           "# one; how often a symbol is on a die is an assumption of the rules' demo print. Everything here is written by",
           "# calibration/practice/draw.py.", "format = 1", 'name = "Practice set"', 'game = "dice-duel"']
    for kind in faces.CUBE:
        out += ["\n[[dice]]", f'kind = "{kind}"', 'shape = "d6"', "size_mm = 16.0", f'colour = "{dict(energy="white", helm="yellow", weapon="red", sensor="green", shield="blue", tractor="orange")[kind]}"',
                f'means = "{kind}"']
        for name, count in faces.names(kind):
            out += ["\n[[dice.faces]]", f'face = "{name}"', f'means = "{name}"'] + ([f"count = {count}"] if count > 1 else [])
            out.append(f"pictures = {quoted(f'faces/{kind}-{name}-{i + 1}.png' for i in range(len(LIGHTS)))}")
    for ship in cards.SHIPS:
        for station in cards.STATIONS:
            out += ["\n[[displays]]", f'id = "{ship}-{station}"', f'means = "{ship}.{station}"', f"size_mm = [{n(cards.CARD[0])}, {n(cards.CARD[1])}]", "thickness_mm = 0.3",
                    f'reference = "displays/{ship}-{station}.png"']
            for name, corners, takes, holds in cards.zones(ship, station):
                # where dice rest is nothing to the rules
                out += zone("displays", name, "" if name == "rest" else name, corners, takes, holds)
    out += ["\n[[boards]]", 'id = "board"', 'means = "board"', f"size_mm = [{n(cards.BOARD[0])}, {n(cards.BOARD[1])}]", "thickness_mm = 0.3", 'reference = "boards/board.png"']
    for name, means, corners, takes, holds in cards.board_zones():
        out += zone("boards", name, means, corners, takes, holds)
    out += ["\n[boards.grid]", f"origin_mm = [{n(cards.ORIGIN[0])}, {n(cards.ORIGIN[1])}]", f"square_mm = {n(cards.SQUARE)}", f"columns = {cards.COLUMNS}", f"rows = {cards.ROWS}"]
    marked = [(f"crystal-{i + 1}", at) for i, at in enumerate(cards.CRYSTALS)] + list(cards.STARTS.items())
    for means, (column, row) in marked:
        out += ["\n[[boards.grid.marked]]", f"square = [{column}, {row}]", f'means = "{means}"']
    for ship in cards.SHIPS:
        out += ["\n[[miniatures]]", f'id = "{ship}"', f'means = "{ship}"', f"length_mm = {n(pieces.SHIP[1])}"]
        for heading in (0, 90, 180, 270):
            out += ["\n[[miniatures.views]]", f"heading_deg = {heading}", f'picture = "ships/{ship}-{heading}.png"']
    for kind, outline, size, sides, _ in pieces.TOKENS:
        out += ["\n[[tokens]]", f'kind = "{kind}"', f'outline = "{outline}"', f"size_mm = {n(size)}"]
        for side, means in sides:
            out += ["\n[[tokens.sides]]", f'side = "{side}"', f'means = "{means}"', f'pictures = ["tokens/{kind}-{side}.png"]']
    return "\n".join(out) + "\n"


HOW_TO = [
    "Print every page at 100 % (not 'fit to page'), in colour, best on card of 160 to 250 g, matt.",
    "The bar at the foot of every page must then be 100 mm long: measure it on this one first.",
    "Board: cut each sheet along its solid edges, with the pale flaps left on; glue the next sheet onto the flap, up to the dashed line.",
    "Displays: cut them out along their frames. Six are for each ship.",
    "Dice: cut round sides and tabs, fold back along every dashed line, glue the tabs inside, the one at the strip's end last.",
    "Stickers are there for blank 16 mm dice, if you have some: take folded dice or stickers, not both.",
    "The energy dice are ordinary dice: any six-sided dice with pips will do instead.",
    "Tokens, ships, mines, crystals: cut the strip, fold on the dashed line, glue back to back, then cut out.",
    "The board is our own demo board, not the published one. All art here was drawn for this program.",
]


def print_toml():
    art = lambda name: f"art/{name}.svg"
    out = ["# What `sightline print practice` lays out, from the drawings in art/. Written by calibration/practice/draw.py.", "format = 1", 'title = "sightline practice set"',
           f'picture = "{art("how-to")}"', "how_to = [", *(f'    "{words}",' for words in HOW_TO), "]",
           "\n[[boards]]", 'name = "board"', f'art = "{art("board")}"']
    for ship in cards.SHIPS:
        for station in cards.STATIONS:
            out += ["\n[[cards]]", f'name = "{ship} {station}"', f'art = "{art(f"display-{ship}-{station}")}"']
    for kind, sides in faces.CUBE.items():
        out += ["\n[[dice]]", f'name = "{kind}"', f"count = {faces.BOX[kind]}", "# top, left, front, right, back, bottom",
                "faces = [\n" + "".join(f'    "{art(f"face-{kind}-{s}")}",\n' for s in sides) + "]", "sticker_mm = 13"]
    for ship in cards.SHIPS:
        out += ["\n[[pieces]]", f'name = "{ship} ship"', "count = 1", f'front = "{art(f"ship-{ship}")}"', f'back = "{art(f"ship-{ship}")}"']
    for kind, _, _, sides, count in pieces.TOKENS:
        front, back = sides[0][0], sides[-1][0]
        out += ["\n[[pieces]]", f'name = "{kind}"', f"count = {count}", f'front = "{art(f"token-{kind}-{front}")}"', f'back = "{art(f"token-{kind}-{back}")}"']
    return "\n".join(out) + "\n"


def practice(folder):
    shutil.rmtree(folder, ignore_errors=True)
    art = drawings()
    for name, drawing in art.items():
        write(folder, f"art/{name}.svg", drawing.svg())
    for ship in cards.SHIPS:
        for station in cards.STATIONS:
            write(folder, f"displays/{ship}-{station}.png", png(picture(art[f"display-{ship}-{station}"].svg(), 6), 128))
        for heading in (0, 90, 180, 270):
            write(folder, f"ships/{ship}-{heading}.png", laid(art[f"ship-{ship}"], pieces.outline(ship), heading))
    write(folder, "boards/board.png", png(picture(art["board"].svg(), 4), 128))
    for kind in faces.CUBE:
        for name, _ in faces.names(kind):
            for i, light in enumerate(LIGHTS):
                write(folder, f"faces/{kind}-{name}-{i + 1}.png", enrolled(kind, name, light))
    for kind, _, _, sides, _ in pieces.TOKENS:
        for side, _ in sides:
            write(folder, f"tokens/{kind}-{side}.png", laid(art[f"token-{kind}-{side}"], pieces.outline(kind)))
    write(folder, "copy.toml", practice_toml())
    write(folder, "print.toml", print_toml())


def polyhedral_copy(folder):
    shutil.rmtree(folder, ignore_errors=True)
    out = ["# Dice of the common shapes with numerals, one kind a shape; 6 and 9 have a bar under them.",
           "# The 0 of the ten-sided die is a ten. Everything here is written by calibration/practice/draw.py.", "format = 1", 'name = "Polyhedral dice"', 'game = "nearspace"']
    for shape, names in polyhedral.FACES.items():
        out += ["\n[[dice]]", f'kind = "{shape}"', f'shape = "{shape}"', f"size_mm = {polyhedral.HEIGHT_MM[shape]}"]
        if shape == "d4":
            out += ["# upright beside the point that is up, on each of the three sides that are seen", 'read = "point"']
        for name in names:
            out += ["\n[[dice.faces]]", f'face = "{name}"', f'means = "{"10" if shape == "d10" and name == "0" else name}"', f'pictures = ["faces/{shape}-{name}-1.png", "faces/{shape}-{name}-2.png"]']
            for i, (ground, light, pixels) in enumerate((("#9a9184", 1.0, 96), ("#4d5a52", 0.78, 56))):
                drawn = picture(polyhedral.face(shape, name, ground, light).svg(), pixels / polyhedral.SIZE)
                write(folder, f"faces/{shape}-{name}-{i + 1}.png", png(drawn.resize((96, 96), Image.Resampling.BICUBIC)))
    write(folder, "copy.toml", "\n".join(out) + "\n")


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--raster", metavar="DIR", help="only write every drawing as an RGBA picture")
    a.add_argument("--per-mm", type=float, default=16.0, help="pixels a millimetre of those")
    a.add_argument("--no-paper", action="store_true", help="faces of dice without their paper: print on nothing")
    a = a.parse_args()
    if not a.raster:
        practice(os.path.join(COPIES, "practice"))
        polyhedral_copy(os.path.join(COPIES, "polyhedral"))
        return
    os.makedirs(a.raster, exist_ok=True)
    for name, drawing in drawings().items():
        if a.no_paper and name.startswith("face-"):
            drawing = faces.face(*name.split("-")[1:], paper=False)
        picture(drawing.svg(), a.per_mm).save(os.path.join(a.raster, f"{name}.png"))


if __name__ == "__main__":
    main()
