"""A perceptron with one hidden layer, trained with Adam: NumPy only, the same result for the same seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cleancrawl.methods.learned.arranged_weights import CLIP
from cleancrawl.methods.learned.features.sheet import Matrix
from cleancrawl.methods.learned.perceptron import Perceptron


@dataclass(frozen=True, slots=True)
class Training:
    """How to train; every field is part of a model's provenance."""

    units: int = 32
    epochs: int = 10
    batch: int = 1024
    rate: float = 0.004
    decay: float = 0.01
    dropout: float = 0.2
    input_dropout: float = 0.25
    """The share of features that is blotted out at random, so that no single one is relied on."""
    seed: int = 1

    def fit(self, features: tuple[str, ...], table: Matrix, labels: Matrix, weights: Matrix) -> Perceptron:
        """Minimise the weighted cross-entropy; the weights are rounded as they will be written."""
        random = np.random.default_rng(self.seed)
        mean = table.mean(axis=0, dtype=np.float64).astype(np.float32)
        scale = (1 / np.maximum(table.std(axis=0, dtype=np.float64), 1e-3)).astype(np.float32)
        ready = np.clip((table - mean) * scale, -CLIP, CLIP)
        weights = (weights / weights.mean()).astype(np.float32)
        parameters = self._start(table.shape[1], random)
        moments = [(np.zeros_like(parameter), np.zeros_like(parameter)) for parameter in parameters]
        steps = self.epochs * (len(table) // self.batch + 1)
        step = 0
        for _ in range(self.epochs):
            order = random.permutation(len(table))
            for first in range(0, len(table), self.batch):
                rows = order[first : first + self.batch]
                gradients = self._gradients(parameters, ready[rows], labels[rows], weights[rows], random)
                step += 1
                # The rate falls to zero in a cosine, so that the last steps settle.
                rate = self.rate * 0.5 * (1 + np.cos(np.pi * step / (steps + 1)))
                self._update(parameters, moments, gradients, float(rate), step)
        hidden, hidden_bias, output, output_bias = parameters
        return Perceptron(features, mean, scale, hidden, hidden_bias, output, float(output_bias[0])).rounded()

    def _start(self, wide: int, random: np.random.Generator) -> list[Matrix]:
        return [
            (random.standard_normal((wide, self.units)) * np.sqrt(2 / wide)).astype(np.float32),
            np.zeros(self.units, dtype=np.float32),
            (random.standard_normal(self.units) * np.sqrt(1 / self.units)).astype(np.float32),
            np.zeros(1, dtype=np.float32),
        ]

    def _gradients(
        self, parameters: list[Matrix], rows: Matrix, labels: Matrix, weights: Matrix, random: np.random.Generator
    ) -> list[Matrix]:
        hidden, hidden_bias, output, output_bias = parameters
        if self.input_dropout:
            shown = random.random(rows.shape, dtype=np.float32) >= self.input_dropout
            rows = rows * shown / np.float32(1 - self.input_dropout)
        layer = rows @ hidden + hidden_bias
        active = layer > 0
        active &= random.random(layer.shape, dtype=np.float32) >= self.dropout
        layer = layer * active / np.float32(1 - self.dropout)
        logits = np.clip(layer @ output + output_bias, -30, 30)
        error = (1 / (1 + np.exp(-logits)) - labels) * weights / np.float32(len(rows))
        back = np.outer(error, output) * active / np.float32(1 - self.dropout)
        return [rows.T @ back, back.sum(axis=0), layer.T @ error, error.sum(keepdims=True)]

    def _update(
        self,
        parameters: list[Matrix],
        moments: list[tuple[Matrix, Matrix]],
        gradients: list[Matrix],
        rate: float,
        step: int,
    ) -> None:
        for parameter, (first, second), gradient in zip(parameters, moments, gradients, strict=True):
            first += np.float32(0.1) * (gradient - first)
            second += np.float32(0.001) * (gradient * gradient - second)
            change = (
                first / np.float32(1 - 0.9**step) / (np.sqrt(second / np.float32(1 - 0.999**step)) + np.float32(1e-8))
            )
            if parameter.ndim == 2:
                parameter *= np.float32(1 - rate * self.decay)
            parameter -= np.float32(rate) * change
