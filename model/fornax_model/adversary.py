"""Tries to reach Heavy or a ban, or to escape them, by telemetry alone."""

import numpy as np
import onnxruntime

from .features import HIGHEST, LOWEST, TELEMETRY
from .quantize import BAN, HEAVY


def search(engine: onnxruntime.InferenceSession, rows: np.ndarray, seed: int) -> tuple[int, int, int]:
    """(rows whose tier changed, scores computed, largest rise).

    Every row meets all corners of its five telemetry features and random values; from the best and the worst
    of them hill climbs start, up and down.
    """
    rng = np.random.default_rng(seed)
    run = lambda x: engine.run(["score"], {"features": x.astype(np.float64)})[0][:, 0]  # noqa: E731
    tier = lambda score: (score >= HEAVY).astype(int) + (score >= BAN)  # noqa: E731
    low, high = LOWEST[TELEMETRY], HIGHEST[TELEMETRY]
    corners = np.array(np.meshgrid(*zip(low, high))).reshape(5, -1).T
    base = tier(run(rows))
    changed = np.zeros(len(rows), bool)
    start = run(rows)
    best = {sign: (rows.copy(), start.copy()) for sign in (1, -1)}
    tried = 0

    def attempt(telemetry: np.ndarray, sources: tuple[int, ...]) -> None:
        nonlocal tried
        candidate = rows.copy()
        candidate[:, TELEMETRY] = np.clip(telemetry, low, high)
        score = run(candidate)
        tried += len(score)
        changed[tier(score) != base] = True
        for sign in sources:
            kept, reached = best[sign]
            better = sign * score > sign * reached
            kept[better], reached[better] = candidate[better], score[better]

    for corner in corners:
        attempt(np.tile(corner, (len(rows), 1)), (1, -1))
    for _ in range(60):
        attempt(low + (rng.random((len(rows), 5)) * (high - low + 1)).astype(np.int64), (1, -1))
    for step in range(120):
        for sign in (1, -1):
            reach = (high - low) * 0.5 ** (step / 12)
            move = np.round((rng.random((len(rows), 5)) * 2 - 1) * np.maximum(reach, 1)).astype(np.int64)
            attempt(best[sign][0][:, TELEMETRY] + move, (sign,))
    return int(changed.sum()), tried, int((best[1][1] - start).max())
