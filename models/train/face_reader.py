"""Train readers of faces of which pictures were made before, by kinds of dice: what is printed on a triangle, a kite or a pentagon, to unit vectors, as
reader.py does it for squares; and on for longer the reader of squares.

    python ../synth/solids.py --faces WORK/solid-faces --count 1500 --seed 61 --photos PHOTOS       or ../synth/symbols.py --faces …
    python face_reader.py --faces WORK/solid-faces --init ../print-reader.onnx --out WORK/solid-reader.pt
    python face_reader.py --test WORK/solid-faces-test --net WORK/solid-reader.pt      kinds that trained nothing; --net may be an exported file
    python face_reader.py --export WORK/solid-reader.pt --fitted scale=24 near=0.4 … --faces … --out ../solid-reader.onnx

A batch holds a score of kinds, of each some faces, of each its views, which are to be near each other and far from the kind's other faces, from the
same face turned, and from what is no face's print. The same figure on another kind neither pulls nor pushes (prints.loss), nor does the middle of a square
face, which the program looks at, too, the whole of it.
"""
import argparse
import collections
import copy
import glob
import math
import os

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import loop
import prints
import views
from nets import Reader, even, short_floats

SIZE, MARGIN = 48, 0.2
MEAN, STD = 127.5, 64.0
NONE = 0.35
SCALE, APART = 24.0, 0.2
SHAPES = ["d4", "d8", "d10", "d12", "d20", "d6"]
CLOSER, CLOSELY = 0.65, 0.25  # what part of a square face its middle is, and of how many kinds of a batch that is what is seen
SPOILT = 0.35  # of pictures that are as cameras give them already so many are spoilt once more
TRIANGLE = [[0.5, 0.5 - 1 / math.sqrt(3)], [1.0, 0.5 + 0.5 / math.sqrt(3)], [0.0, 0.5 + 0.5 / math.sqrt(3)]]
# a face's corners in the square that stands for it, and how much of that its print is (src/copy/die.rs)
UNIT = dict(d4=TRIANGLE, d8=TRIANGLE, d20=TRIANGLE, d10=[[0.5, -0.1847], [0.9013, 0.639], [0.5, 0.8333], [0.0987, 0.639]],
            d12=[[0.5 + 0.5 / math.cos(math.pi / 5) * math.sin(2 * math.pi * i / 5), 0.5 - 0.5 / math.cos(math.pi / 5) * math.cos(2 * math.pi * i / 5)] for i in range(5)],
            d6=[[0, 0], [1, 0], [1, 1], [0, 1]])
PART = dict(d4=3**-0.5, d8=3**-0.5, d20=3**-0.5, d10=0.6, d12=1.0, d6=1.0)
TURNS = dict(d4=1, d8=3, d10=2, d12=5, d20=3, d6=4)


def square(shape, part=1.0):
    """What takes a face's corners to those of the square that stands for it, or of that part of it about its middle (4, corners)."""
    one = lambda p: np.concatenate([np.array(p), np.ones((len(p), 1))], 1)
    corners = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * part + 0.5
    return one(corners) @ np.linalg.pinv(one(UNIT[shape]))


SQUARE = {s: square(s, PART[s]) for s in SHAPES}
LO, HI = SIZE * MARGIN / (1 + 2 * MARGIN) - 0.5, SIZE * (1 + MARGIN) / (1 + 2 * MARGIN) - 0.5
SEEN = np.float32([[LO, LO], [HI, LO], [HI, HI], [LO, HI]])


def turned(shape, corners, turn):
    """A face's corners from another one on."""
    return np.roll(corners, -turn * (2 if shape == "d10" else 1), 0)


def off(r, q, much=1.0):
    """A print's corners as a detector may find them."""
    side = math.sqrt(max(abs(cv2.contourArea(np.float32(q))), 1))
    c = q.mean(0)
    a = math.radians(r.normal(0, 5 * much))
    turn = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    lean = np.eye(2) + r.normal(0, 0.04 * much, (2, 2))
    return (q - c) @ lean @ turn * math.exp(r.normal(0, 0.08 * much)) + c + r.normal(0, 0.09 * much, 2) * side + r.normal(0, 0.03 * much, (4, 2)) * side


class Kinds:
    """Views of single dice, by kind and face."""

    def __init__(self, folders, device):
        self.kinds, pictures, spoilt, n = [], [], [], 0
        for path in sorted(p for f in folders for p in glob.glob(os.path.join(f, "faces-*.npz"))):
            with np.load(path) as z:
                about, corners, seen = z["about"], z["corners"], z["pictures"]
            faces = collections.defaultdict(list)
            for i, row in enumerate(about):
                faces[int(row[1])].append(n + i)
            if len(faces) > 1:
                self.kinds.append(dict(shape=SHAPES[about[0][0]], first=n, about=about, corners=corners, faces=faces))
                pictures.append(seen)
                spoilt.append(np.full(len(seen), SHAPES[about[0][0]] == "d6"))
                n += len(seen)
        if not n:
            raise SystemExit(f"{folders}: no faces-*.npz")
        self.pictures = torch.from_numpy(np.concatenate(pictures)).permute(0, 3, 1, 2).contiguous().to(device)
        self.spoilt = torch.from_numpy(np.concatenate(spoilt)).to(device)

    def where(self):
        """The same without pixels, for those who only say where things are."""
        other = copy.copy(self)
        other.pictures = other.spoilt = None
        return other

    def print_at(self, kind, row, turn):
        c = kind["corners"][row - kind["first"]]
        c = c[~np.isnan(c[:, 0])]
        return SQUARE[kind["shape"]] @ turned(kind["shape"], c, turn)


class Batches(torch.utils.data.IterableDataset):
    """Rows of pictures, maps from what is to be seen to them, and (group, symbol, kind) of each; -1 what is no face."""

    def __init__(self, kinds, batch, seed):
        self.kinds, self.batch, self.seed = kinds, batch, seed

    def __iter__(self):
        w = torch.utils.data.get_worker_info()
        r = np.random.default_rng([self.seed, w.id if w else 0])
        while True:
            rows, back, labels, groups = [], [], [], {}

            def put(row, q, label):
                rows.append(row)
                back.append(cv2.getPerspectiveTransform(SEEN, np.float32(q)))
                labels.append(label)

            while len(rows) < self.batch:
                n = int(r.integers(len(self.kinds.kinds)))
                kind = self.kinds.kinds[n]
                faces = list(kind["faces"])
                square, part, label = kind["shape"] == "d6", 1.0, n
                if square and r.random() < CLOSELY:
                    part, label = CLOSER, n + len(self.kinds.kinds)
                for face in r.permutation(faces)[:8]:
                    its = kind["faces"][int(face)]
                    turns = [0] if r.random() < 0.75 else [int(r.integers(TURNS[kind["shape"]]))]
                    if r.random() < 0.25:
                        turns.append(int(r.integers(TURNS[kind["shape"]])))
                    for turn in dict.fromkeys(turns):
                        about = kind["about"][its[0] - kind["first"]]
                        group = groups.setdefault((label, int(about[3 + turn])), len(groups))
                        # one view may be seen twice, as a face of which there is one photograph
                        some = list(r.permutation(its)[:3])
                        for row in some if len(some) > 1 else some * 2:
                            q = off(r, self.kinds.print_at(kind, int(row), turn), r.choice([0.25, 0.5, 1.0]) if square else 1.0)
                            put(int(row), (q - q.mean(0)) * part + q.mean(0), (group, int(about[8 + turn]), label))
                for _ in range(2):  # beside it, or between two faces
                    row = int(r.choice(kind["faces"][int(r.choice(faces))]))
                    q = self.kinds.print_at(kind, row, 0)
                    side = math.sqrt(max(abs(cv2.contourArea(np.float32(q))), 1))
                    a, far = r.uniform(0, 2 * math.pi, 2), r.uniform(0.55, 1.3)
                    t = np.array([[math.cos(a[0]), math.sin(a[0])], [-math.sin(a[0]), math.cos(a[0])]])
                    q = (q - q.mean(0)) @ t * r.uniform(0.5, 1.5) + q.mean(0) + far * side * np.array([math.cos(a[1]), math.sin(a[1])])
                    put(row, q, (groups.setdefault((label, "none", len(rows)), len(groups)), -1 - len(rows), label))
            yield torch.tensor(rows[: self.batch]), torch.from_numpy(np.float32(back[: self.batch])), torch.tensor(labels[: self.batch])


def seen(kinds, rows, back, g=None):
    """Prints as a reader takes them; with a generator as cameras may give them, near and far."""
    x = views.warped(kinds.pictures, rows.to(kinds.pictures.device), back, SIZE)
    if g is None:
        return (x - MEAN) / STD
    dev, out = x.device, []
    again = (torch.rand(len(x), generator=g, device=dev) < SPOILT) | ~kinds.spoilt[rows.to(dev)]
    as_it_is = x
    for part in x.chunk(6):  # smaller in the picture
        f = float(torch.rand((), generator=g, device=dev)) * 0.75 + 0.25
        if f < 0.85:
            part = F.interpolate(F.interpolate(part, size=[round(SIZE * f)] * 2, mode="area"), size=[SIZE] * 2, mode="bilinear", align_corners=False)
        out.append(part)
    x = torch.cat(out)
    b = len(x)
    yes = lambda p: (torch.rand(b, generator=g, device=dev) < p).view(-1, 1, 1, 1)
    any_ink = torch.eye(3, device=dev) + 0.3 * torch.randn(b, 3, 3, generator=g, device=dev)
    inked = (torch.einsum("bij,bjhw->bihw", any_ink, x) + 15 * torch.randn(b, 3, 1, 1, generator=g, device=dev)).clamp(0, 255)
    x = torch.where(yes(0.35), inked, x)
    k = torch.rand(b, 1, 1, 1, generator=g, device=dev) * 0.8 + 0.2
    pale = x * k + x.mean((2, 3), keepdim=True) * (1 - k) * (0.5 + 0.6 * torch.rand(b, 1, 1, 1, generator=g, device=dev))
    x = torch.where(yes(0.4), pale.clamp(0, 255), x)
    x = torch.where(again[:, None, None, None], views.camera(x, g, 0.6, 60), as_it_is)
    return (x - MEAN) / STD


def train(a):
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cudnn.benchmark = True
    kinds = Kinds(a.faces, device)
    print(f"{len(kinds.kinds)} kinds, {len(kinds.pictures)} views, on {device}", flush=True)
    g = torch.Generator(device).manual_seed(a.seed)
    net, none = Reader(), torch.zeros(0, 64, device=device)

    def step(net, batch):
        rows, back, labels = batch
        x = seen(kinds, rows, back, g).contiguous(memory_format=torch.channels_last)
        with short_floats(device):
            e = net.body(even(x))
        e = F.normalize(net.head(e.float().flatten(1)), dim=1)
        loss, right = prints.loss(e, labels.to(device), none, SCALE, APART, NONE)
        return (loss,), (loss, right)

    given = lambda seed: torch.utils.data.DataLoader(Batches(kinds.where(), a.batch, seed), batch_size=None, num_workers=a.workers, prefetch_factor=8)
    loop.begin(net, a.init, lambda: seen(kinds, *next(iter(Batches(kinds, a.batch, a.seed)))[:2], g).cpu())
    net = net.to(device, memory_format=torch.channels_last)
    loop.learn(a, net, given, step, a.lr, device=device, every=300, names=("loss", "nearest is right"))


def reads(path):
    """What takes prints (N, 3, 48, 48) to vectors, from a checkpoint or an exported file."""
    if path.endswith(".onnx"):
        import onnxruntime

        s = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        return lambda x: s.run(None, {"faces": x.numpy()})[0]
    net = Reader()
    held = torch.load(path, weights_only=False, map_location="cpu")
    net.load_state_dict(held["ema"] if "ema" in held else held["net"])
    net.eval()
    return lambda x: net(x).numpy()


@torch.no_grad()
def test(a):
    kinds, read = Kinds([a.test], "cpu"), reads(a.net)
    g = torch.Generator().manual_seed(5)
    n = collections.Counter()
    r = np.random.default_rng(5)
    for kind in kinds.kinds:
        shape = kind["shape"]
        turns = TURNS[shape]
        square = lambda row, turn, much: cv2.getPerspectiveTransform(SEEN, np.float32(off(r, kinds.print_at(kind, row, turn), much)))
        own = [(rows[0], int(kind["about"][rows[0] - kind["first"]][3])) for rows in kind["faces"].values() if len(rows) > 1]
        if len(own) < 2:
            continue
        known = read(seen(kinds, torch.tensor([o[0] for o in own]), torch.from_numpy(np.float32([square(o[0], 0, 0.4) for o in own]))))
        asked = [(row, int(kind["about"][row - kind["first"]][3])) for rows in kind["faces"].values() if len(rows) > 1 for row in rows[1:]]
        each = [(row, t) for row, _ in asked for t in range(turns)]
        x = seen(kinds, torch.tensor([e[0] for e in each]), torch.from_numpy(np.float32([square(*e, a.off) for e in each])), g)
        like = (read(x) @ known.T).reshape(len(asked), turns, len(own)).max(1)
        for (_, true), row in zip(asked, like):
            best = [own[i][1] for i in np.argsort(-row)]
            gap = np.sort(row)[::-1]
            n[shape, "n"] += 1
            n[shape, "right"] += best[0] == true
            n[shape, "apart"] += gap[0] - gap[1] > 0.15
            n[shape, "apart, right"] += gap[0] - gap[1] > 0.15 and best[0] == true
    for shape in SHAPES:
        m = {k: n[shape, k] for k in ("n", "right", "apart", "apart, right")}
        print(shape.ljust(4), f"{m['right']} of {m['n']} right ({100 * m['right'] / max(m['n'], 1):.1f} %); {m['apart']} by more than 0.15, of those {m['apart, right']} right")
    total = lambda k: sum(n[s, k] for s in SHAPES)
    print("all ", f"{total('right')} of {total('n')} right ({100 * total('right') / max(total('n'), 1):.1f} %); {total('apart')} by more than 0.15, of those {total('apart, right')} right")


def export(a):
    import export as ex

    net = Reader()
    net.load_state_dict(torch.load(a.export, weights_only=False, map_location="cpu")["net"])
    torch.onnx.export(net.eval(), (torch.zeros(2, 3, SIZE, SIZE),), a.out, dynamo=False, opset_version=17, input_names=["faces"], output_names=["vectors"], dynamic_axes={"faces": {0: "n"}, "vectors": {0: "n"}})
    fitted = dict(f.split("=") for f in a.fitted)
    # archives hold the time at which they were written: what they were made from says what they are
    made = [os.path.join(f, "made.json") for f in a.faces]
    if not made:
        raise SystemExit("--export wants --faces: the folder says what it was made from")
    digest = ex.data_hash(made)
    ex.finish(a.out, dict(model="dice-reader", format=1, size=SIZE, dim=64, margin=MARGIN, mean=MEAN, std=STD, none=NONE, **fitted, parameters=sum(q.numel() for q in net.parameters()), data_sha256=digest), a.half)


if __name__ == "__main__":
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--faces", nargs="+", default=[])
    loop.options(a, steps=4000, batch=256, seed=71)
    a.add_argument("--net")
    a.add_argument("--test")
    a.add_argument("--off", type=float, default=1.0, help="of `--test`: how far off faces are found, by what is trained for")
    a.add_argument("--export")
    a.add_argument("--fitted", nargs="*", default=[], metavar="NAME=VALUE")
    a.add_argument("--half", action="store_true", help="weights in 16 bits")
    a = a.parse_args()
    export(a) if a.export else test(a) if a.test else train(a)
