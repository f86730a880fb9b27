"""Metrics from histograms over scores (last axis), and their intervals by resampling whole runs."""

from collections.abc import Callable

import numpy as np
from scipy.stats import beta

ECE_BINS = 15


def roc_auc(counts: np.ndarray) -> float:
    """Area under the ROC curve of [2, bins] counts (honest, faulty); ties count half."""
    honest, faulty = counts.astype(np.float64)
    below = np.cumsum(honest) - honest
    return float((faulty * (below + honest / 2)).sum() / (honest.sum() * faulty.sum()))


def curves(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """False and true positive rates at each score taken as a threshold, from the highest down."""
    honest, faulty = (np.cumsum(c[::-1]) / c.sum() for c in counts.astype(np.float64))
    return honest, faulty


def precision(counts: np.ndarray, prevalence: float) -> np.ndarray:
    false, true = curves(counts)
    positive = prevalence * true + (1 - prevalence) * false
    return np.where(positive > 0, prevalence * true / np.maximum(positive, 1e-300), 1.0)


def pr_auc(counts: np.ndarray, prevalence: float) -> float:
    """Average precision when faulty rows are the given share."""
    _, true = curves(counts)
    return float((np.diff(true, prepend=0) * precision(counts, prevalence)).sum())


def reliability(counts: np.ndarray, prevalence: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Share of rows, mean score and share of faulty rows in each of 15 equal bins."""
    share = counts / np.maximum(counts.sum(1, keepdims=True), 1) * np.array([[1 - prevalence], [prevalence]])
    value = np.arange(counts.shape[1]) / (counts.shape[1] - 1)
    place = np.minimum((value * ECE_BINS).astype(int), ECE_BINS - 1)
    rows = np.bincount(place, share.sum(0), ECE_BINS)
    safe = np.maximum(rows, 1e-300)
    return (
        rows,
        np.bincount(place, share.sum(0) * value, ECE_BINS) / safe,
        np.bincount(place, share[1], ECE_BINS) / safe,
    )


def ece(counts: np.ndarray, prevalence: float) -> float:
    rows, mean, faulty = reliability(counts, prevalence)
    return float((rows * np.abs(mean - faulty)).sum())


def share_interval(hits: int, total: int) -> tuple[float, float]:
    """Clopper and Pearson's 95 % interval of a share; for no hits the upper end is one-sided."""
    if total == 0:
        return 0.0, 1.0
    if hits == 0:
        return 0.0, float(1 - 0.05 ** (1 / total))
    upper = float(beta.ppf(0.975, hits + 1, total - hits)) if hits < total else 1.0
    lower = float(beta.ppf(0.025, hits, total - hits + 1)) if hits < total else float(0.05 ** (1 / total))
    return lower, upper


def by_runs(
    per_run: np.ndarray, metric: Callable[[np.ndarray], float], seed: int = 1, samples: int = 200
) -> tuple[float, float]:
    """95 % interval of a metric of the summed counts, resampling runs, whose rows are dependent."""
    rng = np.random.default_rng(seed)
    runs = len(per_run)
    flat = per_run.reshape(runs, -1).astype(np.float64)
    values = []
    for _ in range(samples):
        times = np.bincount(rng.integers(0, runs, runs), minlength=runs).astype(np.float64)
        values.append(metric((times @ flat).reshape(per_run.shape[1:])))
    return float(np.quantile(values, 0.025)), float(np.quantile(values, 0.975))
