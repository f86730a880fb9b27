"""`python -m fornax_model.report FOLDER`: measures the committed model, writes CARD.md and plots/."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from . import adversary, baselines, card, evaluate, plots, quantize, vectors
from .dataset import CALIBRATION, TEST, TRAIN, collect
from .graph import build
from .progress import Progress, progress_from_now

BATCHES, CELLS = 8, 2_500


def check_products(folder: Path, classifier: quantize.Classifier, progress: Progress) -> str:
    """Throws unless model.onnx is what weights.json and model.sha256 say, and exact; returns its hash."""
    model = (folder / "model.onnx").read_bytes()
    sha256 = hashlib.sha256(model).hexdigest()
    if build(classifier) != model or not (folder / "model.sha256").read_text().startswith(sha256):
        raise ValueError("model.onnx, weights.json and model.sha256 do not belong together")
    quantize.prove_exact(classifier)
    vectors.compare_with_onnxruntime(model, folder / "golden-vectors.csv", progress)
    return sha256


def compare(classifier: quantize.Classifier, progress: Progress) -> dict[str, np.ndarray]:
    """Counts [3, bins] on the same held-out rows: honest, faulty, and faulty without proof."""
    data = collect(TRAIN, 12, 2_000, 40, False, progress)
    held = collect(CALIBRATION, 8, 2_000, 25, False, progress)
    test = collect(TEST, 8, 2_500, 20, True, progress)
    regression = baselines.Regression(data, held)
    proof = (test.features[:, 11] >= 1) | (test.features[:, 5] >= quantize.PROVEN_DISAGREEMENT)
    scores = {
        "this model": classifier.both(test.features)[1],
        "logistic regression": np.round(regression.scores(test.features) * 10_000).astype(int),
        "rule list": np.round(baselines.rule_scores(test.features) * 10_000).astype(int),
    }
    kinds = (test.label == 0, test.label == 1, (test.label == 1) & ~proof)
    return {
        name: np.stack([np.bincount(score[kind], test.weight[kind], evaluate.BINS) for kind in kinds])
        for name, score in scores.items()
    }


def attack(folder: Path, classifier: quantize.Classifier) -> tuple[int, int, int, int]:
    """(rows, rows whose tier telemetry changed, scores tried, largest rise)."""
    features, scores = vectors.read_golden(folder / "golden-vectors.csv")
    near = np.nonzero((scores > 4_000) & (scores < 9_990))[0]
    rng = np.random.default_rng(3)
    rows = np.clip(
        features[np.concatenate([rng.choice(near, 2_000), rng.integers(0, 6_000, 2_000)])],
        quantize.LOWEST,
        quantize.HIGHEST,
    )
    engine = vectors.session((folder / "model.onnx").read_bytes())
    changed, tried, rise = adversary.search(engine, rows, 4)
    return len(rows), changed, tried, rise


def main(folder: Path) -> None:
    progress = progress_from_now()
    classifier = quantize.load(folder / "weights.json")
    sha256 = check_products(folder, classifier, progress)
    attacked = attack(folder, classifier)
    progress(f"telemetry changed the tier of {attacked[1]} of {attacked[0]:,} rows in {attacked[2]:,} tries")
    results = evaluate.evaluate(classifier, BATCHES, CELLS, progress)
    compared = compare(classifier, progress)
    (folder / "plots").mkdir(exist_ok=True)
    plots.plot_reliability(results, folder / "plots" / "reliability.png")
    plots.plot_curves(
        {name: counts[:2] for name, counts in compared.items()}, folder / "plots" / "curves.png"
    )
    plots.plot_histograms(results, folder / "plots" / "scores.png")
    plots.plot_tiers(results, folder / "plots" / "tiers.png")
    training = json.loads((folder / "weights.json").read_text())["training"]
    alone = {size: vectors.offline_alone(size, 100) for size in (4, 7, 50, 175)}
    (folder / "CARD.md").write_text(
        card.write(classifier, results, compared, attacked, alone, training, sha256)
    )
    progress("wrote CARD.md")
    if not card.acceptable(results, compared, attacked, training):
        raise SystemExit("the model does not meet its acceptance: see CARD.md")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
