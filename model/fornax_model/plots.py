"""The card's plots: few and small."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from . import metrics
from .calibrate import PREVALENCE
from .evaluate import Results
from .families import FAMILIES

HONEST_COLOUR, FAULTY_COLOUR = "#2a7fba", "#c0392b"


def save(figure: plt.Figure, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, dpi=90, metadata={"Software": None})
    plt.close(figure)


def plot_reliability(results: Results, path: Path) -> None:
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.4))
    for prevalence, mark in ((PREVALENCE, "o"), (0.05, "s")):
        rows, mean, faulty = metrics.reliability(results.conduct, prevalence)
        seen = rows > 1e-9
        axes[0].plot(mean[seen], faulty[seen], mark + "-", ms=4, lw=1, label=f"{prevalence:.1%} faulty")
        axes[1].plot(
            np.arange(metrics.ECE_BINS) / metrics.ECE_BINS, np.maximum(rows, 1e-9), mark + "-", ms=4, lw=1
        )
    axes[0].plot([0, 1], [0, 1], "k:", lw=1)
    axes[0].set(xlabel="p", ylabel="share that is faulty", title="Reliability of p, 15 bins")
    axes[0].legend(fontsize=8)
    axes[1].set(yscale="log", xlabel="p", title="Share of rows in each bin")
    save(figure, path)


def plot_curves(compared: dict[str, np.ndarray], path: Path) -> None:
    """ROC and precision–recall of the model and the baselines, on the same rows."""
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.4))
    for name, counts in compared.items():
        false, true = metrics.curves(counts)
        axes[0].plot(np.maximum(false, 1e-7), true, lw=1.2, label=name)
        axes[1].plot(true, metrics.precision(counts, PREVALENCE), lw=1.2, label=name)
    axes[0].set(
        xscale="log", xlabel="honest rows above", ylabel="faulty rows above", title="ROC (logarithmic)"
    )
    axes[1].set(xlabel="recall", ylabel="precision", title=f"Precision and recall, {PREVALENCE:.1%} faulty")
    axes[1].legend(fontsize=8)
    save(figure, path)


def plot_histograms(results: Results, path: Path) -> None:
    figure, axes = plt.subplots(6, 3, figsize=(9, 9), sharex=True)
    edges = np.linspace(0, 10_000, 51)
    place = np.minimum(np.arange(10_001) // 200, 49)
    for axis, name, counts in zip(axes.flat, FAMILIES, results.by_family):
        for label, colour in ((0, HONEST_COLOUR), (1, FAULTY_COLOUR)):
            if counts[label].sum():
                axis.stairs(np.bincount(place, counts[label], 50), edges, color=colour, fill=True, alpha=0.6)
        for threshold in (7_000, 8_000):
            axis.axvline(threshold, color="k", lw=0.6, ls=":")
        axis.set_yscale("log")
        axis.set_title(name, fontsize=8)
        axis.tick_params(labelsize=6)
    figure.suptitle("Scores by family (blue: rows labelled honest, red: faulty)", fontsize=9)
    save(figure, path)


def plot_tiers(results: Results, path: Path) -> None:
    table = results.tiers.sum(0)
    figure, axis = plt.subplots(figsize=(6.4, 2.8))
    axis.imshow(
        table / np.maximum(table.sum(1, keepdims=True), 1), cmap="Blues", vmin=0, vmax=1.6, aspect="auto"
    )
    for row in range(3):
        for column in range(3):
            axis.text(column, row, f"{table[row, column]:,}", ha="center", va="center", fontsize=9)
    axis.set_xticks(range(3), ["below 7,000", "7,000 … 7,999", "8,000 and more"], fontsize=8)
    axis.set_yticks(range(3), ["honest", "faulty, no proof", "faulty, with proof"], fontsize=8)
    axis.set_title("Rows by truth and tier", fontsize=9)
    save(figure, path)
