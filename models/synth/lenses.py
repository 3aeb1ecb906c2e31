"""The lenses of made pictures, as their owner would have calibrated them: a rig for `sightline eval --scenes`.

    python lenses.py DIR > rig.toml

DIR holds pictures and truths as table-photos does (folders of NAME.jpg and NAME.json). Each picture becomes a camera called NAME, with
its lens alone: where it stood is not told.
"""
import glob
import json
import os
import sys


def main():
    print("format = 2")
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "**", "*.json"), recursive=True)):
        camera = json.load(open(path))
        camera = camera.get("camera") if isinstance(camera, dict) else None
        if not camera or os.sep + "enrol" + os.sep in path:
            continue
        k, size = camera["K"], [camera["width"], camera["height"]]
        lens = dict(size_px=size, focal_px=[k[0][0], k[1][1]], centre_px=[k[0][2], k[1][2]], distortion=[float(v) for v in camera["dist_k1_k2_p1_p2_k3"]])
        name = os.path.splitext(os.path.basename(path))[0]
        print(f'\n[[cameras]]\nid = "{name}"\nsize_px = {size}\nlens = {{ ' + ", ".join(f"{a} = {b}" for a, b in lens.items()) + " }")


if __name__ == "__main__":
    main()
