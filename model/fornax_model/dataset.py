"""Rows of the simulator as data sets: split by run, and for the test by variants of families too."""

import hashlib
from dataclasses import dataclass

import numpy as np

from .features import COLUMN
from .labels import HONEST, LEFT_OUT, MODERATE
from .progress import Progress
from .simulator import Rows, batches

SEED = 20_240_731
TRAIN, CALIBRATION, VALIDATION, TEST = SEED, SEED + 1, SEED + 2, SEED + 3
DULL_KEPT = 32  # one of so many honest rows without any mark is kept


@dataclass
class Dataset:
    """Rows [n, 20], labels 0, 1 or 2, weights that restore what was thinned out, and where rows come from."""

    features: np.ndarray
    label: np.ndarray  # of labels.py
    weight: np.ndarray
    family: np.ndarray
    troubled: np.ndarray
    sha256: str

    def conduct(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, labels and weights of what is honest or at fault."""
        known = self.label != MODERATE
        return self.features[known], self.label[known].astype(np.float64), self.weight[known]


def is_dull(features: np.ndarray) -> np.ndarray:
    """Rows that show no mark at all: nearly all there are."""
    most = {
        "lost": 0,
        "lost_long": 600,
        "lost_streak": 4,
        "turns_missed": 256,
        "disagreement": 2,
        "disagreement_long": 700,
        "evidence": 0,
        "missed": 4,
        "nil": 3,
        "deviant": 7,
        "omissions": 50,
    }
    return np.all([features[:, COLUMN[name]] <= value for name, value in most.items()], 0)


def collect(seed: int, count: int, cells: int, every: int, held_out: bool, progress: Progress) -> Dataset:
    """Simulates `count` batches and keeps labelled rows; equal arguments give equal bytes."""
    keep: list[tuple[np.ndarray, ...]] = []
    rng = np.random.default_rng([seed, 1 << 20])
    for number, batch in enumerate(batches(seed, count, cells, held_out)):
        for rows in batch.run(every):
            keep.append(thin(rows, rng))
        if (number + 1) % 8 == 0 or number + 1 == count:
            progress(f"simulated {number + 1} of {count} batches, {sum(len(k[1]) for k in keep):,} rows kept")
    features, label, weight, family, troubled = (np.concatenate(part) for part in zip(*keep))
    digest = hashlib.sha256()
    for array in (features, label, weight, family):
        digest.update(np.ascontiguousarray(array.astype("<i8")).tobytes())
    return Dataset(features, label, weight, family, troubled, digest.hexdigest())


def thin(rows: Rows, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Drops unlabelled rows and most dull honest ones; the weight says how many rows one stands for."""
    dull = is_dull(rows.features) & (rows.label == HONEST) & ~rows.troubled
    kept = (rows.label != LEFT_OUT) & (~dull | (rng.integers(0, DULL_KEPT, len(dull)) == 0))
    weight = np.where(dull, DULL_KEPT, 1)[kept].astype(np.int32)
    return (
        rows.features[kept].astype(np.int32),
        rows.label[kept].astype(np.int8),
        weight,
        rows.family[kept].astype(np.int8),
        rows.troubled[kept],
    )
