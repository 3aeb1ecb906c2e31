"""Train what holds a die's face and an enrolled picture side by side: do they show the same print?

    python comparer.py make --data DIR --sets 6500 --mixed 2600 --seed 97       eight faces each, most of them alike: of one kind of dice; of two to four
    python comparer.py train --data DIR --out print-comparer.pt
    python comparer.py test --data DIR --net print-comparer.pt [--reader ../print-reader.onnx]
    python comparer.py export --data DIR --net print-comparer.pt --out ../

The reader (reader.py) has 64 numbers for a face, whatever is printed there. Of faces that are one icon with another little number, as a copy's
often are, these differ by less than light and outlines do, though a person tells them at a glance. This net sees both pictures at once, so that it
can look where they differ: in a number, or, where two kinds have one print or one number, in colour, body and hand. It answers with a log-odds; that of none of a copy's faces is 0: a batch asks of each face which of several pictures shows it,
or whether none does.

Every sixteenth set is held out. Seeded; what is made already is left alone, checkpoints carry on where they stopped.
"""
import argparse
import glob
import hashlib
import json
import math
import multiprocessing as mp
import os
import sys
import tempfile

import cv2
import numpy as np
import torch
import torch.nn.functional as F

import loop
from nets import Comparer, short_floats

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "synth"))
import art  # noqa: E402
import symbols  # noqa: E402

FACES, OWNERS, SEEN = 8, 2, 4  # faces of a set; of each as many pictures as an owner takes, and as the table's camera sees
KEPT, RIM = 80, 1 / 3  # pixels of a picture that is kept, and what it shows round the face, in sides: the face has 48
SIZE, MARGIN = 64, 0.12  # the same of what the net sees
MEAN, STD = 127.5, 64.0
HELD_OUT = 16
NONE_OF_THEM = 0.2  # of the questions have no right answer


def set_of(r, number):
    """Pictures (FACES, OWNERS + SEEN, KEPT, KEPT, 3) of one kind's faces, upright; of each turn the least in which the face looks the same (FACES, 4); and
    which faces are alike (FACES)."""
    kind, family, shown = int(r.integers(1 << 40)), symbols.FAMILY + 32 * number, []
    while len(shown) < FACES:
        shown += [family + int(i) for i in r.permutation(4)[: int(r.choice([1, 2, 3, 4], p=[0.15, 0.2, 0.25, 0.4]))]][: FACES - len(shown)]
        family += 4
    return pictured(r, [(symbol, kind, kind) for symbol in shown], [symbol // 4 for symbol in shown])


def mixed_set_of(r, number):
    """The same of two to four kinds: a print that each of them has, or the numerals or the pips of each in its own hand, on plastics of their own or not."""
    hands, what = r.integers(1 << 20, size=int(r.integers(2, 5))).tolist(), r.choice(["prints", "numerals", "pips"], p=[0.4, 0.35, 0.25])
    plastics = r.integers(1 << 40, size=len(hands)).tolist()
    if what != "prints":
        plastics = [plastics[int(i)] for i in r.integers(len(hands), size=len(hands))]
    which = r.permutation(4 if what == "prints" else 6)[: -(-FACES // len(hands))].tolist()
    of = dict(prints=lambda n, hand: symbols.FAMILY + 32 * number + n, numerals=lambda n, hand: -(8 * hand + n + 1), pips=lambda n, hand: n)[what]
    shown = [(of(n, hand), plastic, hand) for n in which for hand, plastic in zip(hands, plastics)][:FACES]
    # what is turned may look as another hand's does upright
    return pictured(r, shown, [0] * FACES)


def pictured(r, shown, family):
    """Pictures of such prints, on such plastics, with the habits of such kinds, and what set_of says of them."""
    pictures, least = [], []
    for symbol, kind, habits in shown:
        same = symbols.turns(symbol) if symbol >= 6 else art.same_turns(symbols.texture(symbol, habits)[0])
        least.append([min((t + k) % 4 for k in same) for t in range(4)])
        view = lambda **how: symbols.face(symbol, kind, int(r.integers(1 << 40)), size=KEPT, margin=RIM, habits=habits, **how)
        pictures.append([view(least=60.0, most=100.0, steep=25.0, careful=True) for _ in range(OWNERS)] + [view(least=16.0, most=90.0) for _ in range(SEEN)])
    return np.array(pictures, np.uint8), np.array(least, np.uint8), np.array(family)


def work(args):
    job, a = args
    for i in range(job, a.sets + a.mixed, a.jobs):
        path = os.path.join(a.data, f"set-{i:05d}.npz")
        if not os.path.exists(path):
            pictures, least, family = (set_of if i < a.sets else mixed_set_of)(np.random.default_rng([a.seed, i]), a.seed % 1000 * 5000 + i)
            symbols.print_of.cache_clear(), symbols.turns.cache_clear(), symbols.kind_of.cache_clear()
            np.savez(path + ".part.npz", pictures=pictures, least=least, family=family)
            os.replace(path + ".part.npz", path)
        if job == 0 and (i // a.jobs) % 50 == 0:
            print(f"{i} of {a.sets + a.mixed} sets", flush=True)


def make(a):
    os.makedirs(a.data, exist_ok=True)
    sources = [os.path.abspath(__file__)] + [m.__file__ for m in (symbols, art)]
    with open(os.path.join(a.data, "made.json"), "w") as f:
        json.dump(dict(seed=a.seed, sets=a.sets, mixed=a.mixed, source=hashlib.sha256(b"".join(open(p, "rb").read() for p in sources)).hexdigest()), f)
    with mp.get_context("spawn").Pool(a.jobs) as pool:
        pool.map(work, [(j, a) for j in range(a.jobs)])


def cut(r, im, shift, scale, degrees, corners):
    """What the net sees of a picture that is kept, the outline off by as much as that."""
    lo, hi = SIZE * MARGIN / (1 + 2 * MARGIN) - 0.5, SIZE * (1 + MARGIN) / (1 + 2 * MARGIN) - 0.5
    side = KEPT / (1 + 2 * RIM)
    q = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) + r.normal(0, 1, (4, 2)) * corners
    t = math.radians(r.normal(0, 1) * degrees)
    q = q @ np.array([[math.cos(t), math.sin(t)], [-math.sin(t), math.cos(t)]]) * math.exp(r.normal(0, 1) * scale) + r.normal(0, 1, 2) * shift
    q = q * side + (KEPT - 1) / 2
    m = cv2.getPerspectiveTransform(np.float32([[lo, lo], [hi, lo], [hi, hi], [lo, hi]]), np.float32(q))
    return cv2.warpPerspective(im, m, (SIZE, SIZE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)


def lit(r, im):
    """The same in another light."""
    im = np.float32(im)
    if r.random() < 0.5:
        im = (im / 255) ** math.exp(r.normal(0, 0.2)) * 255 * r.normal(1, 0.08, 3) * r.uniform(0.75, 1.2)
    if r.random() < 0.2:
        im = im + r.normal(0, r.uniform(2, 9), im.shape)
    if r.random() < 0.15:
        im = cv2.GaussianBlur(im, (0, 0), r.uniform(0.5, 1.6))
    return np.uint8(np.clip(im, 0, 255))


class Questions(torch.utils.data.IterableDataset):
    """Sets: what is seen of each face, as it lies and turned by some quarters (2 FACES), an owner's picture of each (FACES), which of them look as they did
    when they are turned so, and which are alike."""

    def __init__(self, files, batch, seed):
        self.files, self.batch, self.seed = files, batch, seed

    def __iter__(self):
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        r = np.random.default_rng([self.seed, 9, info.id if info else 0])
        while True:
            X, R, same, alike = [], [], [], []
            for _ in range(self.batch):
                held = np.load(self.files[int(r.integers(len(self.files)))])
                pictures = held["pictures"]
                turn = int(r.integers(1, 4))
                mix = r.permutation(3) if r.random() < 0.3 else np.arange(3)
                seen = [cut(r, p[OWNERS + int(r.integers(SEEN))], 0.025, 0.02, 1.5, 0.01) for p in pictures]
                owners = [cut(r, p[int(r.integers(OWNERS))], 0.012, 0.015, 1.0, 0.006) for p in pictures]
                seen, owners = ([lit(r, im)[..., mix] for im in some] for some in (seen, owners))
                X.append(np.stack(seen + [np.rot90(im, turn) for im in seen]))
                R.append(np.stack(owners))
                same.append(held["least"][:, turn] == held["least"][:, 0])
                alike.append(held["family"][:, None] == held["family"][None])
            yield [torch.from_numpy(np.stack(v)) for v in (X, R, same, alike)]


def planes(pictures):
    """Pictures (n, SIZE, SIZE, 3) as nets take them."""
    return ((pictures.permute(0, 3, 1, 2).float() - MEAN) / STD).contiguous(memory_format=torch.channels_last)


def asked(net, x, owners):
    """Log-odds (sets, what is seen, FACES) that what is seen shows what the owner's picture does."""
    n = len(x)
    with short_floats():
        a, b = net.look(planes(x.flatten(0, 1))), net.look(planes(owners.flatten(0, 1)))
        a, b = (v.reshape(n, -1, *v.shape[1:]) for v in (a, b))
        pairs = torch.broadcast_tensors(a[:, :, None], b[:, None])
        out = net.compare(*(v.flatten(0, 2).contiguous(memory_format=torch.channels_last) for v in pairs))
    return out.float().reshape(n, x.shape[1], FACES)


def step(net, batch):
    x, owners, same, alike = batch
    odds = asked(net, x, owners)
    n = len(x)
    upright, turned = odds[:, :FACES], odds[:, FACES:]
    # a face that is turned is another, but one that looks the same then, or that may be what another one of its like shows
    itself = turned.diagonal(dim1=1, dim2=2).masked_fill(same, -1e4)
    others = turned.masked_fill(alike, -1e4)
    odds = torch.cat([upright, itself[..., None], others, odds.new_zeros(n, FACES, 1)], 2).flatten(0, 1)
    which = torch.arange(FACES).repeat(n)
    none = torch.rand(len(odds)) < NONE_OF_THEM
    given = odds.clone()
    given[none, which[none]] = -1e4
    loss = F.cross_entropy(given, torch.where(none, odds.shape[1] - 1, which))
    right = (odds.argmax(1) == which).float().mean()
    return (loss,), (loss, right)


def files_of(folder, held_out):
    made = json.load(open(os.path.join(folder, "made.json")))
    files = sorted(glob.glob(os.path.join(folder, "set-?????.npz")))[: made["sets"] + made["mixed"]]
    return [f for f in files if (int(os.path.basename(f)[4:9]) % HELD_OUT == 0) == held_out]


def of_one_kind(folder, file):
    return int(os.path.basename(file)[4:9]) < json.load(open(os.path.join(folder, "made.json")))["sets"]


def train(a):
    files = files_of(a.data, False)
    print(len(files), "sets", flush=True)
    batches = lambda seed: torch.utils.data.DataLoader(Questions(files, a.batch, seed), batch_size=None, num_workers=a.workers, prefetch_factor=6)
    net = Comparer().to(memory_format=torch.channels_last)
    loop.begin(net, a.init, None)  # what is exported is in 8 bits: a checkpoint it must be
    loop.learn(a, net, batches, step, a.lr, names=("loss", "right"))


@torch.no_grad()
def test(a):
    net = loaded(a.net)
    session = None
    if a.reader:
        import onnxruntime
        session = onnxruntime.InferenceSession(a.reader, providers=["CPUExecutionProvider"])
    files = files_of(a.data, True)
    for name, kind in (("of one kind", True), ("of several kinds", False)):
        some = [f for f in files if of_one_kind(a.data, f) == kind]
        if some:
            measure(net, session, some, a.rounds, name)


def measure(net, session, files, rounds, name):
    """Prints how often a face is told from the seven others of its set, and how often a chance holds; by the reader's `session`, too."""
    r, n, right, read, bins = iter(Questions(files, 4, 3)), 0, 0, 0, {}
    for _ in range(rounds):
        x, owners = next(r)[:2]
        odds = asked(net, x[:, :FACES], owners)
        which = torch.arange(FACES)
        n += odds.shape[0] * FACES
        right += int((odds.argmax(2) == which).sum())
        p = F.softmax(torch.cat([odds, odds.new_zeros(*odds.shape[:2], 1)], 2), 2)
        best, face = p[..., :-1].max(2)
        for c, f in zip(best.flatten().tolist(), (face == which).flatten().tolist()):
            b = bins.setdefault(min(int(c * 20), 19) if c < 0.99 else 20, [0, 0])
            b[0], b[1] = b[0] + 1, b[1] + f
        if session:
            # the reader sees more of the rim, in fewer pixels: what it would make of these cut-outs padded as they are
            wide = lambda v: np.stack([cv2.resize(cv2.copyMakeBorder(im, 5, 5, 5, 5, cv2.BORDER_REPLICATE), (48, 48), interpolation=cv2.INTER_AREA) for im in v.numpy()])
            run = lambda v: session.run(None, {"faces": (np.float32(wide(v)).transpose(0, 3, 1, 2) - MEAN) / STD})[0]
            for s in range(len(x)):
                read += int(((run(x[s, :FACES]) @ run(owners[s]).T).argmax(1) == np.arange(FACES)).sum())
    print(f"{n} faces {name}, among eight: right {right / n:.4f}" + (f", by the reader {read / n:.4f}" if session else ""))
    for k in sorted(bins):
        print(f"  chance from {k / 20 if k < 20 else 0.99:.2f}: {bins[k][0]}, right {bins[k][1] / bins[k][0]:.4f}")


def loaded(path):
    net = Comparer()
    net.load_state_dict(torch.load(path, weights_only=False, map_location="cpu")["net"])
    return net.eval()


def pairs_of(files, rounds, seed):
    """What the net sees in the program: faces beside pictures of theirs and of others, 24 at once."""
    questions = iter(Questions(files, 1, seed))
    for _ in range(rounds):
        x, owners = (v[0] for v in next(questions)[:2])
        which = torch.arange(FACES).repeat_interleave(3)
        beside = (which + torch.arange(3).repeat(FACES)) % FACES
        yield np.concatenate([planes(v).numpy() for v in (x[:FACES][which], owners[beside])], 1)


def in_bytes(net, name, given, path, fields, folder):
    """Exports a net that takes faces of SIZE pixels, in 8 bits, as quantize.py does it: twice as fast, a quarter as large. `given`: what it sees, to measure on, and held out. Returns a session of it."""
    import onnx
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    from export import data_hash, finish
    from quantize import Inputs, ends, session

    measured, held_out = given
    held_out = list(held_out)
    with tempfile.TemporaryDirectory() as at:
        floats, plain = (os.path.join(at, n) for n in ("floats.onnx", "plain.onnx"))
        torch.onnx.export(net, (torch.from_numpy(held_out[0][:2]),), floats, dynamo=False, opset_version=17, input_names=[name], output_names=["odds"], dynamic_axes={name: {0: "n"}, "odds": {0: "n"}})
        quant_pre_process(floats, plain, skip_symbolic_shape=True)
        quantize_static(plain, path, Inputs(name, measured), quant_format=QuantFormat.QDQ, per_channel=True, reduce_range=True,
                        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, nodes_to_exclude=ends(onnx.load(plain).graph))
        before, after = session(floats), session(path)
        off = np.abs(np.concatenate([before.run(None, {name: x})[0] - after.run(None, {name: x})[0] for x in held_out]))
        print(f"log-odds off by {np.median(off):.3f} (median), {np.percentile(off, 95):.3f} (95 in 100)")
    finish(path, dict(format=1, size=SIZE, margin=MARGIN, mean=MEAN, std=STD, **fields, parameters=sum(q.numel() for q in net.parameters()), data_sha256=data_hash([os.path.join(folder, "made.json")])), False)
    return after


def export(a):
    fitted = dict(zip(("weight_vectors", "weight_pictures", "sure_odds", "sure_likeness", "sure_bias", "still_odds", "still_bias"), [*a.weights, *a.sure, *a.still]))
    given = pairs_of(files_of(a.data, False), 60, 5), pairs_of(files_of(a.data, True), 40, 6)
    in_bytes(loaded(a.net), "pairs", given, os.path.join(a.out, "print-comparer.onnx"), dict(model="print-comparer", **fitted), a.data)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("what", choices=["make", "train", "test", "export"])
    p.add_argument("--data", required=True)
    loop.options(p, steps=8000, batch=3, seed=1)
    p.add_argument("--sets", type=int, default=6500)
    p.add_argument("--mixed", type=int, default=0, help="sets of more than one kind, besides")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--net")
    p.add_argument("--reader", help="of `test`: how the reader does with the same")
    p.add_argument("--rounds", type=int, default=40, help="of `test`: four sets each")
    p.add_argument("--weights", type=float, nargs=2, default=(0.7, 0.7), metavar=("VECTORS", "PICTURES"), help="of `export`: as sure.py fits them")
    p.add_argument("--sure", type=float, nargs=3, default=(1.0, 0.0, 0.0), metavar=("ODDS", "LIKENESS", "BIAS"), help="of `export`: as sure.py fits them")
    p.add_argument("--still", type=float, nargs=2, default=(0.0, 100.0), metavar=("ODDS", "BIAS"), help="of `export`: as sure.py fits them")
    a = p.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    dict(make=make, train=train, test=test, export=export)[a.what](a)


if __name__ == "__main__":
    main()
