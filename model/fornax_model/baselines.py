"""What the model must beat: a list of rules, thresholds tuned on the data, and a logistic regression."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from .calibrate import at_prevalence
from .dataset import Dataset
from .features import COLUMN, CONDUCT
from .labels import FAULTY, MODERATE
from .perceptron import sigmoid
from .train import CONDUCT_SHIFTS, FAULTY_WEIGHT

TUNED = (
    "lost",
    "lost_long",
    "lost_streak",
    "turns_missed",
    "disagreement",
    "disagreement_long",
    "missed",
    "nil",
    "missed_long",
)
PRECISION = 0.999


def rule_scores(features: np.ndarray) -> np.ndarray:
    """Thresholds that an operator would set by hand; the worst rule that holds decides, 0 … 1."""
    value = {name: features[:, column].astype(np.int64) for name, column in COLUMN.items()}
    rules = [
        (value["evidence"] >= 1, 1.0),
        (value["disagreement"] >= 48, 0.95),
        (value["missed"] >= 32, 0.79),
        (value["missed_long"] >= 16_384, 0.78),
        (value["nil"] >= 20, 0.77),
        (value["disagreement"] >= 14, 0.76),
        ((value["turns_missed"] >= 1_024) & (value["missed"] < 10), 0.75),
        ((value["omissions"] >= 100) & (value["omissions"] >= 3 * value["network_omissions"]), 0.74),
    ]
    score = 0.6 * np.maximum(value["missed"], value["nil"]) / 64
    for holds, worth in reversed(rules):
        score = np.where(holds, worth, score)
    return score


class Thresholds:
    """Nine thresholds, any of which is enough, beside evidence: tuned to the best recall at a precision of 0.999."""

    def __init__(self, data: Dataset):
        self.columns = [COLUMN[name] for name in TUNED]
        guilty = data.label == FAULTY
        weight = data.weight.astype(np.float64)
        values = data.features[:, self.columns].astype(np.int64)
        grids = [
            np.unique(np.quantile(v[guilty], np.linspace(0.02, 1, 40)).astype(np.int64)) for v in values.T
        ]
        never = values.max(0) + 1
        self.least = never.copy()
        sure = data.features[:, COLUMN["evidence"]] >= 1
        hits = values >= self.least
        for _ in range(4):  # one threshold at a time, the others as they are
            for place, grid in enumerate(grids):
                others = sure | np.delete(hits, place, 1).any(1)
                best = self._worth(others, guilty, weight), never[place]
                for least in grid[grid > 0]:
                    worth = self._worth(others | (values[:, place] >= least), guilty, weight)
                    best = max(best, (worth, least))
                self.least[place] = best[1]
                hits[:, place] = values[:, place] >= best[1]

    def _worth(self, flagged: np.ndarray, guilty: np.ndarray, weight: np.ndarray) -> float:
        right, wrong = weight[flagged & guilty].sum(), weight[flagged & ~guilty].sum()
        return right if right >= PRECISION * (right + wrong) else -wrong

    def scores(self, features: np.ndarray) -> np.ndarray:
        """0.79 where a threshold is reached, 1 with evidence, else how near the nearest is."""
        near = (features[:, self.columns] / np.maximum(self.least, 1)).max(1)
        score = np.where(near >= 1, 0.79, 0.69 * near)
        return np.where(features[:, COLUMN["evidence"]] >= 1, 1.0, score)


class Regression:
    """Logistic regression, fitted and calibrated as the model is."""

    def __init__(self, data: Dataset, held: Dataset):
        known = data.label != MODERATE
        features, label = data.features[known], data.label[known]
        weight = at_prevalence(label, np.minimum(data.weight[known], 4), FAULTY_WEIGHT) * len(label)
        self.fit = LogisticRegression(max_iter=300, C=100.0).fit(self.inputs(features), label, weight)
        features, label, weight = held.conduct()
        share = at_prevalence(label, weight) * len(label)
        logit = self.fit.decision_function(self.inputs(features))
        self.platt = LogisticRegression(C=1e6).fit(logit[:, None], label, share)

    def inputs(self, features: np.ndarray) -> np.ndarray:
        return features[:, CONDUCT] / np.exp2(CONDUCT_SHIFTS)

    def scores(self, features: np.ndarray) -> np.ndarray:
        logit = self.fit.decision_function(self.inputs(features))
        return sigmoid(self.platt.decision_function(logit[:, None]))
