"""How far feet are off, beside what is said of them: whether a zone may be believed.

    sightline read --copy COPY --json DIR/{team,board,whole}/*.jpg > READ
    python feet.py READ [READ ...]

READ is what the program printed of pictures with truth beside them (tables.py). A foot's error over what is said of it is
1.73 or less for 95 in 100, and 2.15 for 99, where errors spread normally along both axes as they are said to. Outlines by
how far they are from a square, laid flat by the surface's corners, both in sides.
"""
import json
import sys

import cv2
import numpy as np

AT = (0.5, 0.9, 0.95, 0.99)


def side(q):
    return float(np.linalg.norm(np.subtract(q[1], q[0])))


def misshape(polygon, corners, size_mm):
    w, h = size_mm
    m = cv2.getPerspectiveTransform(np.float32(corners), np.float32([[0, 0], [w, 0], [w, h], [0, h]]))
    q = cv2.perspectiveTransform(np.float32([polygon]), m)[0]
    z = np.array([complex(*v) for v in q - q.mean(0)]) * [1, -1j, -1, 1j]
    return float(np.sqrt(np.mean(abs(z - z.mean()) ** 2)) / (abs(z.mean()) * np.sqrt(2)))


def feet(path):
    """(error in mm, said, status, zone_status, outline's error in sides, its misshape) of each die that lies on a surface."""
    for line in open(path):
        report = json.loads(line)
        truth = json.load(open(report["image"].rsplit(".", 1)[0] + ".json"))
        plates = {f"{p['team']}.{p['station']}" if p.get("team") else "board": p for p in truth["plates"]}
        found = {s["id"]: s for s in report["surfaces"]}
        for o in truth["objects"]:
            local = (o.get("location") or {}).get("local_mm")
            if o["type"] != "die" or not o.get("top_polygon_px") or local is None:
                continue
            middle = np.mean(o["top_polygon_px"], 0)
            for d in report["dice"]:
                off = np.linalg.norm(np.mean(d["polygon"], 0) - middle) / side(d["polygon"])
                if off < 0.5 and d["at_mm"] and d["surface"] in plates:
                    error = float(np.hypot(*np.subtract(d["at_mm"], local)))
                    yield error, max(d["error_mm"], 0.05), d["status"], d["zone_status"], off, misshape(d["polygon"], found[d["surface"]]["corners"], plates[d["surface"]]["size_mm"])
                    break


def main():
    rows = [r for path in sys.argv[1:] for r in feet(path)]
    error, said, off, shape = (np.array([r[i] for r in rows]) for i in (0, 1, 4, 5))
    which = {"all": np.ones(len(rows), bool), "sure": np.array([r[2] == "sure" for r in rows]), "sure of their zone": np.array([r[3] == "sure" for r in rows])}
    for name, m in which.items():
        if m.any():
            print(f"{name}: {m.sum()} dice, off by {np.quantile(error[m], AT).round(2)} mm at {AT}, over what is said {np.quantile((error / said)[m], AT).round(2)}")
    for low, high in ((0, 0.02), (0.02, 0.04), (0.04, 0.06), (0.06, 0.1)):
        m = which["sure"] & (shape >= low) & (shape < high)
        if m.any():
            print(f"outlines {low} to {high} from a square: {m.sum()} dice, middles off by {np.quantile(off[m], AT).round(3)} of a side")


if __name__ == "__main__":
    main()
