"""Train what holds a die's face between two enrolled pictures: which of the two does it show?

    python chooser.py train --data DIR --init print-comparer.pt --out print-chooser.pt      DIR: what comparer.py makes
    python chooser.py test --data DIR --net print-chooser.pt --comparer print-comparer.pt
    python chooser.py export --data DIR --net print-chooser.pt [--weights 0.4 0.4 0.8 --sure 1 0 0] --out ../

The comparer (comparer.py) says of each picture by itself how well a face goes with it: light, wear and a shifted outline count there, though they
are the same beside either of two faces that are alike but for a dot. This net sees both pictures, and so where they differ, and looks there. It answers
with a log-odds; asked the other way round it says the opposite, since it is made so (in 8 bits nearly so: `export` says how nearly).

Every sixteenth set is held out, as there. Seeded; checkpoints carry on where they stopped.
"""
import argparse
import os

import numpy as np
import torch
import torch.nn.functional as F

import comparer
import loop
from comparer import FACES, Questions, files_of, of_one_kind, planes
from nets import Chooser, short_floats

EACH = 4  # questions about each face that is seen
ALIKE = 0.8  # of these are about one that is like it, where its set has any


def asked(net, x, owners, which):
    """Log-odds of each (set, what is seen, first face, second face) of `which` that it is the first."""
    with short_floats():
        a, b = net.look(planes(x[:, :FACES].flatten(0, 1))), net.look(planes(owners.flatten(0, 1)))
        s, seen, first, second = which.T
        three = (a[s * FACES + seen], b[s * FACES + first], b[s * FACES + second])
        return net.choose(*(v.contiguous(memory_format=torch.channels_last) for v in three)).float()


def questions(r, alike):
    """(set, what is seen, first face, second face) and whether it is the second: either may be, so that what a batch's mean is says nothing."""
    out, second = [], []
    for s, of_set in enumerate(alike.numpy()):
        for face in range(FACES):
            rest = np.flatnonzero(np.arange(FACES) != face)
            like = rest[of_set[face, rest]]
            for _ in range(EACH):
                other = r.choice(like if len(like) and r.random() < ALIKE else rest)
                second.append(r.random() < 0.5)
                out.append((s, face, other, face) if second[-1] else (s, face, face, other))
    return torch.tensor(np.array(out)), torch.tensor(second)


def train(a):
    files, r = files_of(a.data, False), np.random.default_rng([a.seed, 31])
    print(len(files), "sets", flush=True)
    batches = lambda seed: torch.utils.data.DataLoader(Questions(files, a.batch, seed), batch_size=None, num_workers=a.workers, prefetch_factor=6)
    net = Chooser().to(memory_format=torch.channels_last)
    # what the comparer looks at is where this begins
    loop.begin(net, a.init, None)

    def step(net, batch):
        x, owners, _, alike = batch
        which, second = questions(r, alike)
        odds = asked(net, x, owners, which)
        odds = torch.where(second, -odds, odds)
        loss = F.softplus(-odds).mean()
        return (loss,), (loss, (odds > 0).float().mean())

    loop.learn(a, net, batches, step, a.lr, names=("loss", "right"))


@torch.no_grad()
def test(a):
    """Prints how often a face is told from those of its set that are like it, and how much of it is said with a chance of 0.99: by the comparer, by this net, by both, each weighed
    as is best for these pairs."""
    net, beside = loaded(a.net), comparer.loaded(a.comparer)
    files = files_of(a.data, True)
    for name, kind in (("of one kind", True), ("of several kinds", False)):
        some = [f for f in files if of_one_kind(a.data, f) == kind]
        if not some:
            continue
        r, odds = iter(Questions(some, 4, 3)), []
        for _ in range(a.rounds):
            x, owners, _, alike = next(r)
            s, i, j = (alike & ~torch.eye(FACES, dtype=bool)).nonzero().T
            if len(s):
                by_comparer = comparer.asked(beside, x[:, :FACES], owners)
                odds.append(torch.stack([by_comparer[s, i, i] - by_comparer[s, i, j], asked(net, x, owners, torch.stack([s, i, i, j], 1))]))
        odds = torch.cat(odds, 1)
        for how, some in (("comparer", odds[:1]), ("chooser", odds[1:]), ("both", odds)):
            w = weights(some)
            z = w @ some
            surely = z.abs() > np.log(99)
            print(f"{z.shape[0]} pairs {name}, by {how} (weights {[round(float(v), 2) for v in w]}): right {(z > 0).float().mean():.4f}, log-loss {F.softplus(-z).mean():.4f}, sure {surely.float().mean():.4f}, of these right {(z > 0)[surely].float().mean():.4f}")


def weights(odds):
    """What each of several log-odds counts, so that what is right is likeliest."""
    w = torch.full((len(odds),), 0.5, requires_grad=True)
    opt = torch.optim.LBFGS([w], max_iter=50)

    def off():
        opt.zero_grad()
        loss = F.softplus(-(w @ odds)).mean()
        loss.backward()
        return loss

    with torch.enable_grad():
        opt.step(off)
    return w.detach()


def loaded(path):
    net = Chooser()
    net.load_state_dict(torch.load(path, weights_only=False, map_location="cpu")["net"])
    return net.eval()


def triples_of(files, rounds, seed):
    """What the net sees in the program: faces between pictures of theirs and of others, 24 at once."""
    given = iter(Questions(files, 1, seed))
    for _ in range(rounds):
        x, owners = (v[0] for v in next(given)[:2])
        which = torch.arange(FACES).repeat_interleave(3)
        other = (which + 1 + torch.arange(3).repeat(FACES)) % FACES
        swap = torch.arange(len(which)) % 2 == 1
        first, second = torch.where(swap, other, which), torch.where(swap, which, other)
        yield np.concatenate([planes(v).numpy() for v in (x[:FACES][which], owners[first], owners[second])], 1)


def export(a):
    """In 8 bits, as the comparer."""
    given = triples_of(files_of(a.data, False), 60, 5), triples_of(files_of(a.data, True), 40, 6)
    fitted = dict(zip(("weight_vectors", "weight_pictures", "weight_choice", "sure_odds", "sure_likeness", "sure_bias"), [*a.weights, *a.sure]))
    session = comparer.in_bytes(loaded(a.net), "triples", given, os.path.join(a.out, "print-chooser.onnx"), dict(model="print-chooser", **fitted), a.data)
    swapped = lambda x: np.concatenate([x[:, :3], x[:, 6:], x[:, 3:6]], 1)
    both = np.concatenate([session.run(None, {"triples": x})[0] + session.run(None, {"triples": swapped(x)})[0] for x in triples_of(files_of(a.data, True), 40, 6)])
    print(f"asked both ways round: off by {np.median(np.abs(both)):.3f} (median), {np.percentile(np.abs(both), 95):.3f} (95 in 100), {both.mean():.3f} in the mean")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("what", choices=["train", "test", "export"])
    p.add_argument("--data", required=True)
    loop.options(p, steps=16000, batch=3, seed=1)
    p.add_argument("--net")
    p.add_argument("--comparer", help="of `test`: a checkpoint of the net before")
    p.add_argument("--weights", type=float, nargs=3, default=(0.4, 0.4, 0.8), metavar=("VECTORS", "PICTURES", "CHOICE"), help="of `export`: as sure.py fits them")
    p.add_argument("--sure", type=float, nargs=3, default=(1.0, 0.0, 0.0), metavar=("ODDS", "LIKENESS", "BIAS"), help="of `export`: as sure.py fits them")
    p.add_argument("--rounds", type=int, default=60, help="of `test`: four sets each")
    a = p.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    dict(train=train, test=test, export=export)[a.what](a)


if __name__ == "__main__":
    main()
