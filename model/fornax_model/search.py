"""Searches for a gang below a third of the power that gets an honest validator the highest score.

`python -m fornax_model.search FOLDER SEED` searches against the model in a folder and adds what it finds to gangs.json,
on which `make model` trains then. With a third argument, the gang's share, nothing is written.
"""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from . import families as fam
from .families import Draw
from .gangs import FOUND_FILE, NAMES, Gang, draw_gang, from_vector, to_vector
from .labels import HONEST
from .networks import POWERS, Network, draw_powers, settle
from .progress import Progress, progress_from_now
from .quantize import HEAVY, Classifier, load
from .simulator import Batch

GROUPS = [(4, 5, 6, 7), (8, 10, 13, 16), (20, 25, 30, 36), (50, 64, 75), (100, 128), (175, 210)]
BLOCKS, LOOK = 1_800, 6
KEPT = 6  # strategies of each group that are added to gangs.json
GENES = len(NAMES) + 2  # and the size of the network and its powers


@dataclass
class Found:
    """A strategy with where it was tried, and the highest p that it brought an honest validator to."""

    gang: Gang
    size: int
    powers: str
    p: int


def network_for(genes: np.ndarray, group: tuple[int, ...], rng: np.random.Generator, share: float | None):
    """A quiet network with the gang that the genes tell of; `share` takes the place of its own."""
    draw = Draw(rng)
    size = group[min(int(genes[-2] * len(group)), len(group) - 1)]
    shape = POWERS[min(int(genes[-1] * len(POWERS)), len(POWERS) - 1)]
    gang = from_vector(genes[:-2])
    if share is not None:
        gang.share = share
    network = Network(
        [fam.honest("normal", draw, False, BLOCKS, 0.006) for _ in range(size)],
        draw_powers(draw, size, shape),
    )
    settle(network, gang, draw)
    return network, size, shape


def play(
    classifier: Classifier, genes: np.ndarray, group: tuple[int, ...], seed: list[int], share: float | None
) -> tuple[np.ndarray, list[Found]]:
    """The highest p of an honest validator with each of the strategies [n, GENES]."""
    rng = np.random.default_rng(seed)
    networks = [network_for(g, group, rng, share) for g in genes]
    batch = Batch(rng, [network for network, *_ in networks], BLOCKS)
    best = np.zeros(len(genes), np.int64)
    for height in range(1, BLOCKS + 1):
        batch.step()
        if height > 60 and height % LOOK == 0:
            rows = batch.rows()
            p = classifier.both(rows.features)[1]
            honest = (rows.label == HONEST) & ~batch.members[rows.run, rows.validator]
            np.maximum.at(best, rows.run[honest], p[honest])
    found = [
        Found(network.gang, size, shape, int(p)) for (network, size, shape), p in zip(networks, best.tolist())
    ]
    return best, found


def evolve(
    classifier: Classifier,
    group: tuple[int, ...],
    seed: int,
    progress: Progress,
    generations: int = 6,
    share: float | None = None,
) -> list[Found]:
    """Strategies of one group of sizes, the best first: the fittest are mixed and changed a little."""
    rng = np.random.default_rng([seed, group[0]])
    count = max(32, min(96, 2_400 // max(group)))
    genes = rng.random((count, GENES))
    for place in range(0, count, 2):  # half of them known, or what somebody might think of
        genes[place, :-2] = to_vector(draw_gang(Draw(rng), False))
    everything: list[Found] = []
    for generation in range(generations):
        best, found = play(classifier, genes, group, [seed, group[0], generation], share)
        everything += found
        order = np.argsort(-best, kind="stable")
        elite = genes[order[: count // 4]]
        parents = elite[rng.integers(0, len(elite), (2, count))]
        child = np.where(rng.random((count, GENES)) < 0.5, parents[0], parents[1])
        step = rng.normal(0, 0.12, child.shape) * (rng.random(child.shape) < 0.4)
        genes = np.clip(child + step, 0, 1)
        genes[: count // 8] = elite[: count // 8]
        genes[count - count // 8 :] = rng.random((count // 8, GENES))
    everything.sort(key=lambda f: -f.p)
    top = everything[0]
    progress(
        f"{group[0]} to {group[-1]} validators: {len(everything):,} gangs, p {top.p:,} at most, "
        f"{sum(f.p >= HEAVY for f in everything)} at Heavy; best {top.powers} {asdict(top.gang)}"
    )
    return everything


def main(folder: Path, seed: int, share: float | None = None) -> None:
    progress = progress_from_now()
    classifier = load(folder / "weights.json")
    found: list[Found] = []
    for group in GROUPS:
        found += evolve(classifier, group, seed, progress, share=share)[:KEPT]
    if share is None:
        known = json.loads(FOUND_FILE.read_text()) if FOUND_FILE.exists() else []
        lines = [json.dumps(f, separators=(",", ":")) for f in known + [asdict(f) for f in found]]
        FOUND_FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else None)
