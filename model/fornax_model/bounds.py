"""How far an honest validator can come, whatever a gang below a third does: bounds, since p only rises."""

import numpy as np

from .features import COLUMN, HIGHEST, LOWEST, NAMES

# Once or twice away for 120 blocks in 2,048, and every twentieth of the other votes lost: what all but any third of the
# power tell of that is less. The gang's neighbouring turns, a third of a round of up to 240, prolong the absence; four
# turns to propose are spoilt.
WORST = {"lost": 124, "lost_long": 6_000, "lost_streak": 210, "turns_missed": 1_024}
SIZES = (4, 16, 28, 40, 80, 120, 200, 256, 400, 700, 960)


def within(rng: np.random.Generator, count: int) -> np.ndarray:
    """Rows [count, 20] of honest validators that are at the bound in some things, and below it in others."""
    rows = np.tile(LOWEST, (count, 1))
    for name, most in WORST.items():
        rows[:, COLUMN[name]] = most * np.minimum(2 * rng.random(count), 1)
    rows[:, COLUMN["effective_size"]] = 4 * 240 ** rng.random(count)
    return rows


def worst_honest(classifier, **more: int) -> dict[int, int]:
    """By `effective_size`: p of a row that is at the bound in everything at once."""
    rows = np.tile(LOWEST, (len(SIZES), 1))
    for name, value in {**WORST, **more}.items():
        rows[:, COLUMN[name]] = value
    rows[:, COLUMN["effective_size"]] = SIZES
    return dict(zip(SIZES, classifier.both(rows)[1].tolist()))


def is_rising(classifier, steps: int = 200, seed: int = 5) -> bool:
    """Whether p never falls where one of features 0 … 6 alone grows: along whole axes from random rows."""
    rng = np.random.default_rng(seed)
    base = LOWEST + (rng.random((steps, len(NAMES))) ** 3 * (HIGHEST - LOWEST + 1)).astype(np.int64)
    for column in range(7):
        axis = np.unique(np.linspace(LOWEST[column], HIGHEST[column], 200).astype(np.int64))
        rows = np.repeat(base, len(axis), 0)
        rows[:, column] = np.tile(axis, steps)
        p = classifier.conduct.fine(np.clip(rows, LOWEST, HIGHEST).astype(np.float64)).reshape(steps, -1)
        if (np.diff(p, axis=1) < 0).any():
            return False
    return True
