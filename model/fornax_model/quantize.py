"""The trained networks as integers, their forward pass, and the proof that all of it is exact.

A value v is held as the integer v × 2^BITS. Products of a weight and an activation have 2 × BITS fractional
bits and are brought back by floor(x × 2^-BITS + 0.5). All intermediate values are integers, or integers over
a power of two, of less than 53 bits: float64 arithmetic is exact in any order and on any machine.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .features import COLUMN, HIGHEST, LOWEST
from .perceptron import CEILING, Perceptron, sigmoid

BITS = 21
FINE = 1_024  # scores are carried in 1/1,024 units until the last rounding
REACH, STEP_BITS = 12, 7  # the table of the sigmoid covers ±12 in steps of 2^-7
HEAVY, BAN = 7_000, 8_000
P_FULL, T_FULL = 10_000, 3_000
PROVEN_DISAGREEMENT = 48
EXACT = 1 << 53


@dataclass
class IntegerNet:
    """One network: weights and activations × 2^BITS, biases × 2^(2 BITS), and its sigmoid's table."""

    weights: list[np.ndarray]
    biases: list[np.ndarray]
    multipliers: np.ndarray
    columns: slice
    table: np.ndarray

    def fine(self, clamped: np.ndarray) -> np.ndarray:
        """The network's output in 1/1,024 units, [n]; features must be clamped, all arrays float64."""
        x = clamped[:, self.columns] * self.multipliers
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases)):
            x = rescale(x @ weight + bias)
            if layer < len(self.weights) - 1:
                x = np.clip(x, 0, CEILING * 2**BITS)
        reach, grain = REACH * 2.0**BITS, 2.0 ** (BITS - STEP_BITS)
        u = np.clip(x[:, 0], -reach, reach) + reach
        step = np.floor(u / grain)
        part = u - step * grain
        at = step.astype(np.int64)
        low, high = self.table[at], self.table[at + 1]
        return low + np.floor((high - low) * part / grain + 0.5)


def rescale(x: np.ndarray) -> np.ndarray:
    return np.floor(x * 2.0**-BITS + 0.5)


def sigmoid_table(full: int) -> np.ndarray:
    steps = np.arange(-REACH << STEP_BITS, (REACH << STEP_BITS) + 1) / 2**STEP_BITS
    table = np.round(sigmoid(steps) * full * FINE)
    return np.append(table, table[-1])


def quantize(net: Perceptron, full: int) -> IntegerNet:
    # + 0.0 makes -0 a plain 0, which weights.json cannot tell apart
    weights = [np.round(w * 2.0**BITS) + 0.0 for w in net.weights]
    biases = [np.round(b * 2.0 ** (2 * BITS)) + 0.0 for b in net.biases]
    return IntegerNet(weights, biases, np.exp2(BITS - net.shifts), net.columns, sigmoid_table(full))


@dataclass
class Classifier:
    """Both networks and the gates between them."""

    conduct: IntegerNet  # features 0 … 7
    signs: IntegerNet  # features 8 … 19

    def scores(self, features: np.ndarray) -> np.ndarray:
        """Scores 0 … 10,000 of integer features [n, 20]."""
        return self.both(features)[0]

    def both(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scores, and p alone before the gates, both rounded to 0 … 10,000."""
        clamped = np.clip(features, LOWEST, HIGHEST).astype(np.float64)
        p, t = self.conduct.fine(clamped), self.signs.fine(clamped)
        score = np.maximum(p, np.minimum(p + t, (HEAVY - 1) * FINE))
        proven = (clamped[:, COLUMN["evidence"]] >= 1) | (
            clamped[:, COLUMN["disagreement"]] >= PROVEN_DISAGREEMENT
        )
        score = np.where(proven, score, np.minimum(score, (BAN - 1) * FINE))
        return tuple(np.floor(x / FINE + 0.5).astype(np.int64) for x in (score, p))


def load(path: Path) -> Classifier:
    """The classifier of a weights.json."""
    content = json.loads(path.read_text())
    nets = []
    for name in ("conduct", "signs"):
        part = content[name]
        arrays = [[np.array(a, np.float64) for a in part[kind]] for kind in ("weights", "biases")]
        multipliers, table = (np.array(part[kind], np.float64) for kind in ("multipliers", "table"))
        nets.append(IntegerNet(*arrays, multipliers, slice(*part["columns"]), table))
    return Classifier(*nets)


def float_scores(conduct: Perceptron, signs: Perceptron, features: np.ndarray) -> np.ndarray:
    """The same in float64 from the trained weights, 0 … 1: what quantisation is compared with."""
    clamped = np.clip(features, LOWEST, HIGHEST)
    p = sigmoid(conduct.logits(clamped))
    t = sigmoid(signs.logits(clamped)) * T_FULL / P_FULL
    score = np.maximum(p, np.minimum(p + t, (HEAVY - 1) / P_FULL))
    proven = (clamped[:, COLUMN["evidence"]] >= 1) | (
        clamped[:, COLUMN["disagreement"]] >= PROVEN_DISAGREEMENT
    )
    return np.where(proven, score, np.minimum(score, (BAN - 1) / P_FULL))


def largest_sums(net: IntegerNet) -> list[int]:
    """Interval analysis: for each layer, what no partial sum in any order can exceed in magnitude.

    It is the sum of |weight| × largest |activation|, plus |bias|, in Python's integers of any size.
    """
    highest = [int(h) * int(m) for h, m in zip(HIGHEST[net.columns], net.multipliers)]
    bounds = []
    for weight, bias in zip(net.weights, net.biases):
        sums = [
            abs(int(b)) + sum(abs(int(w)) * h for w, h in zip(column, highest))
            for column, b in zip(weight.T, bias)
        ]
        bounds.append(max(sums))
        highest = [int(CEILING * 2**BITS)] * weight.shape[1]
    steepest = int(np.abs(np.diff(net.table)).max())
    bounds.append(steepest << (BITS - STEP_BITS))  # the interpolation's product
    return bounds


def prove_exact(classifier: Classifier) -> int:
    """Returns the largest bound of all sums; throws when one is not below 2^52 (2^53 with the added half)."""
    worst = max(largest_sums(classifier.conduct) + largest_sums(classifier.signs))
    if worst >= EXACT // 2:
        raise ArithmeticError(f"a partial sum may reach {worst}, which float64 does not hold exactly")
    return worst
