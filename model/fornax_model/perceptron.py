"""A multilayer perceptron with clipped ReLU, trained by Adam in float64 on one thread."""

from dataclasses import dataclass

import numpy as np

from .progress import Progress

CEILING = 16.0  # activations are clipped here, which bounds every sum of the integer graph


@dataclass
class Perceptron:
    """Weights [in, out] and biases [out] of each layer; inputs are features divided by powers of two."""

    weights: list[np.ndarray]
    biases: list[np.ndarray]
    shifts: np.ndarray  # log2 of each input's divisor
    columns: slice
    rising: np.ndarray | None = (
        None  # inputs that may only raise the output: no weight on their way is negative
    )

    def keep_rising(self) -> None:
        if self.rising is not None:
            self.weights[0][self.rising] = np.maximum(self.weights[0][self.rising], 0)
            for weight in self.weights[1:]:
                np.maximum(weight, 0, out=weight)

    def inputs(self, features: np.ndarray) -> np.ndarray:
        return features[:, self.columns] / np.exp2(self.shifts)

    def logits(self, features: np.ndarray) -> np.ndarray:
        return self.forward(self.inputs(features))[-1][:, 0]

    def forward(self, activation: np.ndarray) -> list[np.ndarray]:
        """The input and every layer's output, the last one not clipped."""
        outputs = [activation]
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases)):
            activation = activation @ weight + bias
            if layer < len(self.weights) - 1:
                activation = np.clip(activation, 0, CEILING)
            outputs.append(activation)
        return outputs


def sigmoid(logit: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(logit, -40, 40)))


def initial(
    sizes: list[int],
    shifts: np.ndarray,
    columns: slice,
    rng: np.random.Generator,
    rising: np.ndarray | None = None,
) -> Perceptron:
    """Random weights. Where inputs only raise, they are small and positive, and units begin at different places."""
    weights = [(rng.random((m, n)) * 2 - 1) * np.sqrt(6 / m) * 0.7 for m, n in zip(sizes, sizes[1:])]
    biases = [np.zeros(n) for n in sizes[1:]]
    if rising is not None:
        weights = [weights[0], *(np.abs(w) * 0.3 for w in weights[1:])]
        weights[0][rising] = np.abs(weights[0][rising])
        biases[:-1] = [-3 * rng.random(len(b)) for b in biases[:-1]]
        biases[-1] -= 4
    return Perceptron(weights, biases, shifts, columns, rising)


def train(
    net: Perceptron,
    features: np.ndarray,
    label: np.ndarray,
    weight: np.ndarray,
    epochs: int,
    rng: np.random.Generator,
    progress: Progress,
    rate: float = 4e-3,
    decay: float = 1e-6,
    batch: int = 2_048,
) -> None:
    """Minimises the weighted cross-entropy in place, with a rate that falls along a parabola."""
    parameters = net.weights + net.biases
    first = [np.zeros_like(p) for p in parameters]
    second = [np.zeros_like(p) for p in parameters]
    step, steps = 0, epochs * (len(label) // batch)
    for epoch in range(epochs):
        order = rng.permutation(len(label))
        loss = 0.0
        for start in range(0, len(order) - batch + 1, batch):
            rows = order[start : start + batch]
            gradients, batch_loss = gradient(
                net, net.inputs(features[rows]), label[rows], weight[rows], decay
            )
            loss += batch_loss
            step += 1
            now = rate * (1 - step / (steps + 1)) ** 2
            for p, g, m, v in zip(parameters, gradients, first, second):
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                p -= now * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
            net.keep_rising()
        progress(f"epoch {epoch + 1} of {epochs}, loss {loss / (len(label) // batch):.6f}")


def gradient(net: Perceptron, x: np.ndarray, label: np.ndarray, weight: np.ndarray, decay: float):
    """Gradients of weights, then biases, and the loss."""
    outputs = net.forward(x)
    logit = outputs[-1][:, 0]
    share = weight / weight.sum()
    loss = float((share * (np.maximum(logit, 0) - logit * label + np.log1p(np.exp(-np.abs(logit))))).sum())
    delta = ((sigmoid(logit) - label) * share)[:, None]
    by_weight, by_bias = [], []
    for layer in reversed(range(len(net.weights))):
        by_weight.append(outputs[layer].T @ delta + decay * net.weights[layer])
        by_bias.append(delta.sum(0))
        if layer:
            inside = (outputs[layer] > 0) & (outputs[layer] < CEILING)
            delta = (delta @ net.weights[layer].T) * inside
    return by_weight[::-1] + by_bias[::-1], loss
