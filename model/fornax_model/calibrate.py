"""Platt scaling on a split of its own, folded into the last layer."""

import numpy as np

from .perceptron import Perceptron, sigmoid

PREVALENCE = 0.01  # share of rows that are faulty, in calibration and wherever ECE is measured


def at_prevalence(label: np.ndarray, weight: np.ndarray, prevalence: float = PREVALENCE) -> np.ndarray:
    """Weights, adding up to 1, that make faulty rows the given share."""
    faulty = weight[label == 1].sum()
    honest = weight[label == 0].sum()
    return np.where(label == 1, prevalence / faulty, (1 - prevalence) / honest) * weight


def calibrate(
    net: Perceptron, features: np.ndarray, label: np.ndarray, weight: np.ndarray
) -> tuple[float, float]:
    """Finds slope and offset of the logit by Newton's method and folds them in; returns them."""
    logit = net.logits(features)
    share = at_prevalence(label, weight)
    slope, offset = 1.0, 0.0
    for _ in range(50):
        p = sigmoid(slope * logit + offset)
        residual, curve = share * (p - label), share * p * (1 - p)
        # a weak pull towards what training found keeps the slope finite where the split is separable
        g = np.array([(residual * logit).sum() + 1e-7 * (slope - 1), residual.sum() + 1e-7 * offset])
        mixed = (curve * logit).sum()
        h = np.array([[(curve * logit * logit).sum() + 1e-7, mixed], [mixed, curve.sum() + 1e-7]])
        change = np.linalg.solve(h, g)
        slope, offset = slope - change[0], offset - change[1]
        if np.abs(change).max() < 1e-10:
            break
    net.weights[-1] = net.weights[-1] * slope
    net.biases[-1] = net.biases[-1] * slope + offset
    return float(slope), float(offset)
