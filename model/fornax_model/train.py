"""`python -m fornax_model.train FOLDER`: simulate, train, calibrate, quantise, check, write the products."""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from . import vectors
from .bounds import is_rising, within, worst_honest
from .calibrate import at_prevalence, calibrate
from .dataset import CALIBRATION, SEED, TRAIN, Dataset, collect
from .features import COLUMN, CONDUCT, HIGHEST, LOWEST, NAMES, SIGNS
from .graph import build
from .labels import MODERATE
from .families import FAMILY
from .perceptron import CEILING, Perceptron, initial, train
from .progress import Progress, progress_from_now
from .quantize import (
    BAN,
    BITS,
    FINE,
    HEAVY,
    P_FULL,
    PROVEN_DISAGREEMENT,
    REACH,
    STEP_BITS,
    T_FULL,
    Classifier,
    IntegerNet,
    float_scores,
    prove_exact,
    quantize,
)

CONDUCT_SHIFTS = np.array([7, 12, 7, 8, 4, 12, 0, 6])
SIGNS_SHIFTS = np.array([4, 4, 13, 5, 6, 6, 6, 12, 10, 9, 9, 6])
RISING = np.arange(7)  # all of conduct but effective_size: more of it never makes a score lower
EPOCHS = 15
BOUNDED = 60_000  # rows within the bounds of what is honest
FAULTY_WEIGHT = 0.15  # of all faulty rows together, beside the honest ones
MODERATE_TARGET = 0.3  # what is seen by all, but too little for more than Moderate
PRESSED = ("victim of a gang", "outage of up to 10 minutes", "partition victim")
PRESSED_WEIGHT = 4.0  # honest rows of these families, which somebody presses or bad luck does


def with_proofs(data: Dataset, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Training rows with targets and weights.

    To rows as they are come copies, and rows drawn at random, that carry proof of a fault, so that nothing
    else about a validator can talk it away; and rows of what an honest one can come to at worst (`bounds.py`).
    """
    parts = [data.features]
    for column, least in ((COLUMN["evidence"], 1), (COLUMN["disagreement"], 44)):
        copies = data.features[rng.integers(0, len(data.label), 60_000)]
        proven = np.concatenate([copies, vectors.random_features(rng, 40_000)])
        proven[:, column] = rng.integers(least, HIGHEST[column] + 1, len(proven))
        parts.append(proven)
    added = sum(map(len, parts)) - len(data.label)
    parts.append(within(rng, BOUNDED))
    features = np.concatenate(parts).astype(np.int32)
    label = np.concatenate([data.label, np.ones(added), np.zeros(BOUNDED)])
    pressed = np.isin(data.family, [FAMILY[name] for name in PRESSED]) & (data.label != 1)
    pressed |= data.label == MODERATE
    own = np.where(pressed, PRESSED_WEIGHT, np.minimum(data.weight, 4))
    weight = at_prevalence(
        label, np.concatenate([own, np.full(added, 0.3), np.full(BOUNDED, 4.0)]), FAULTY_WEIGHT
    )
    return features, np.where(label == MODERATE, MODERATE_TARGET, label), weight * len(label)


def train_conduct(data: Dataset, held: Dataset, progress: Progress) -> Perceptron:
    rng = np.random.default_rng([SEED, 7])
    net = initial([8, 32, 16, 1], CONDUCT_SHIFTS, CONDUCT, rng, RISING)
    train(net, *with_proofs(data, rng), EPOCHS, rng, progress)
    slope, offset = calibrate(net, *held.conduct())
    progress(f"calibrated: slope {slope:.3f}, offset {offset:.3f}")
    return net


def train_signs(data: Dataset, held: Dataset, progress: Progress) -> Perceptron:
    """Whom to look at: a machine in trouble or off, one side of what only two can know, too little for more."""
    rng = np.random.default_rng([SEED, 8])
    net = initial([12, 12, 1], SIGNS_SHIFTS, SIGNS, rng)
    label = data.troubled.astype(np.float64)
    rows = np.nonzero((label == 1) | (rng.random(len(label)) < 0.3))[0]
    weight = np.where(label == 1, 1.0, np.minimum(data.weight, 8.0))[rows]
    train(net, data.features[rows], label[rows], weight, 8, rng, progress)
    calibrate(net, held.features, held.troubled.astype(np.float64), held.weight.astype(np.float64))
    return net


def describe(net: IntegerNet) -> dict:
    whole = lambda array: np.asarray(array).astype(np.int64).tolist()  # noqa: E731
    return {
        "columns": [net.columns.start, net.columns.stop],
        "multipliers": whole(net.multipliers),
        "weights": [whole(w) for w in net.weights],
        "biases": [whole(b) for b in net.biases],
        "table": whole(net.table),
    }


def weights_json(classifier: Classifier, training: dict) -> str:
    """All integers of the graph; model/README.md says how they are used."""
    content = {
        "features": [
            {"name": n, "lowest": int(a), "highest": int(b)} for n, a, b in zip(NAMES, LOWEST, HIGHEST)
        ],
        "bits": BITS,
        "ceiling": int(CEILING),
        "reach": REACH,
        "step_bits": STEP_BITS,
        "fine": FINE,
        "heavy": HEAVY,
        "ban": BAN,
        "p_full": P_FULL,
        "t_full": T_FULL,
        "proven_disagreement": PROVEN_DISAGREEMENT,
        "conduct": describe(classifier.conduct),
        "signs": describe(classifier.signs),
        "training": training,
    }
    return json.dumps(content, separators=(",", ":")).replace('],"', '],\n"').replace('},"', '},\n"') + "\n"


def main(folder: Path) -> None:
    progress = progress_from_now()
    data = collect(TRAIN, 42, 2_000, 40, False, progress)
    held = collect(CALIBRATION, 12, 1_500, 30, False, progress)
    conduct = train_conduct(data, held, progress)
    signs = train_signs(data, held, progress)
    classifier = Classifier(quantize(conduct, P_FULL), quantize(signs, T_FULL))
    worst = prove_exact(classifier)
    progress(f"no partial sum exceeds 2^{np.log2(float(worst)):.2f} (exact below 2^53)")
    progress(f"p of an honest validator at the bounds, by effective size: {worst_honest(classifier)}")
    if not is_rising(classifier):
        raise ArithmeticError("more of what speaks against a validator lowers p")
    sample = np.concatenate([held.features, vectors.random_features(np.random.default_rng(1), 200_000)])
    gap = float(np.abs(classifier.scores(sample) / P_FULL - float_scores(conduct, signs, sample)).max())
    progress(f"integers differ from float64 by {gap:.2e} at most, in {len(sample):,} rows")
    if gap > 1e-4:
        raise ArithmeticError("quantisation is too coarse")
    model = build(classifier)
    sha256 = hashlib.sha256(model).hexdigest()
    training = {
        "seed": SEED,
        "rows": len(data.label),
        "sha256": data.sha256,
        "calibration_sha256": held.sha256,
        "largest_sum": worst,
        "quantisation_gap": gap,
    }
    (folder / "model.onnx").write_bytes(model)
    (folder / "model.sha256").write_text(f"{sha256}  model.onnx\n")
    (folder / "weights.json").write_text(weights_json(classifier, training))
    vectors.write_golden(folder / "golden-vectors.csv", classifier, progress)
    vectors.write_observations(folder / "observation-vectors.json")
    vectors.compare_with_onnxruntime(model, folder / "golden-vectors.csv", progress)
    progress(f"model.onnx {len(model):,} bytes, sha256 {sha256}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
