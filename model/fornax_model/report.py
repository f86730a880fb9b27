"""`python -m fornax_model.report FOLDER`: measures the committed model, writes CARD.md and plots/."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from . import adversary, baselines, card, evaluate, plots, quantize, scenarios, search, vectors
from .dataset import CALIBRATION, TEST, TRAIN, collect
from .features import COLUMN
from .graph import build
from .labels import FAULTY, HONEST, MODERATE
from .progress import Progress, progress_from_now

BATCHES, CELLS = 5, 500


def check_products(folder: Path, classifier: quantize.Classifier, progress: Progress) -> str:
    """Throws unless model.onnx is what weights.json and model.sha256 say, and exact; returns its hash."""
    model = (folder / "model.onnx").read_bytes()
    sha256 = hashlib.sha256(model).hexdigest()
    if build(classifier) != model or not (folder / "model.sha256").read_text().startswith(sha256):
        raise ValueError("model.onnx, weights.json and model.sha256 do not belong together")
    quantize.prove_exact(classifier)
    vectors.compare_with_onnxruntime(model, folder / "golden-vectors.csv", progress)
    return sha256


def compare(classifier: quantize.Classifier, progress: Progress) -> dict[str, dict[str, np.ndarray]]:
    """By test set and way: counts [4, bins] on the same rows: honest, faulty, faulty without proof, Moderate."""
    data = collect(TRAIN, 5, 800, 40, False, progress)
    held = collect(CALIBRATION, 5, 800, 30, False, progress)
    regression, thresholds = baselines.Regression(data, held), baselines.Thresholds(data)
    compared = {}
    for name, seed, held_out in (("other kinds", TEST, True), ("other seeds", TEST + 1, False)):
        test = collect(seed, 5, 800, 20, held_out, progress)
        proof = (test.features[:, COLUMN["evidence"]] >= 1) | (
            test.features[:, COLUMN["disagreement"]] >= quantize.PROVEN_DISAGREEMENT
        )
        scores = {
            "this model": classifier.both(test.features)[1],
            "nine thresholds": np.round(thresholds.scores(test.features) * 10_000).astype(int),
            "logistic regression": np.round(regression.scores(test.features) * 10_000).astype(int),
            "rule list": np.round(baselines.rule_scores(test.features) * 10_000).astype(int),
        }
        guilty = test.label == FAULTY
        kinds = (test.label == HONEST, guilty, guilty & ~proof, test.label == MODERATE)
        compared[name] = {
            way: np.stack([np.bincount(score[kind], test.weight[kind], evaluate.BINS) for kind in kinds])
            for way, score in scores.items()
        }
    return compared


def tell_scenarios(
    classifier: quantize.Classifier, progress: Progress
) -> list[tuple[str, scenarios.Scenario, scenarios.Outcome]]:
    def score(batch) -> np.ndarray:
        features, roster = batch.records.features()
        scores = np.zeros(roster.shape, np.int64)
        scores[roster] = classifier.scores(features[roster])
        return scores

    told = []
    for title, listed in scenarios.ALL.items():
        for scenario in listed:
            told.append((title, scenario, scenarios.watch(*scenarios.tell(scenario, TEST), score, 8)))
        progress(f"told {len(told)} stories")
    return told


def press(classifier: quantize.Classifier, progress: Progress) -> dict[str, tuple[int, int, int]]:
    """Searches with seeds of their own: gangs tried, highest p of an honest validator, gangs that reach Heavy."""
    found = {}
    for name, share, generations in (("below a third", None, 2), ("34 %", 0.345, 1)):
        tried = [
            f
            for group in search.GROUPS
            for f in search.evolve(classifier, group, TEST, progress, generations, share)
        ]
        found[name] = len(tried), max(f.p for f in tried), sum(f.p >= quantize.HEAVY for f in tried)
    return found


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
    told = tell_scenarios(classifier, progress)
    pressed = press(classifier, progress)
    (folder / "plots").mkdir(exist_ok=True)
    plots.plot_reliability(results, folder / "plots" / "reliability.png")
    plots.plot_curves(
        {name: counts[:2] for name, counts in compared["other kinds"].items()},
        folder / "plots" / "curves.png",
    )
    plots.plot_histograms(results, folder / "plots" / "scores.png")
    plots.plot_tiers(results, folder / "plots" / "tiers.png")
    training = json.loads((folder / "weights.json").read_text())["training"]
    alone = {size: vectors.offline_alone(size, 800) for size in (4, 7, 50, 175)}
    (folder / "CARD.md").write_text(
        card.write(classifier, results, compared, attacked, alone, told, pressed, training, sha256)
    )
    progress("wrote CARD.md")
    if not card.acceptable(classifier, results, compared, attacked, pressed, training):
        raise SystemExit("the model does not meet its acceptance: see CARD.md")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
