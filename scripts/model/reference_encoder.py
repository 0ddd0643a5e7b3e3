"""The unpruned encoder in plain 32-bit arithmetic: what the built-in model is measured against.

In go the source model and token ids of the whole vocabulary; out comes a unit vector. Written
with NumPy alone, so that it shares neither graph nor operators nor quantisation with what it judges.
"""

import math

import numpy as np

from weights import SourceModel

_ERF_REACH = 6
_ERF_AT = np.linspace(-_ERF_REACH, _ERF_REACH, 120_001)
_ERF = np.array([math.erf(x) for x in _ERF_AT])


class ReferenceEncoder:
    """All matrices dequantised once; the word table only where a text needs it."""

    def __init__(self, model: SourceModel) -> None:
        self._model = model
        self._matrices = {
            name: blocks.dequantised().T for name, blocks in model.matrices.items() if name != "emb.word"
        }
        self._positions = model.vectors["emb.pos"].reshape(-1, model.hidden)

    def embed(self, ids: list[int]) -> np.ndarray:
        """The unit vector of one text, float32."""
        words = self._word_rows(ids)
        first_type = self._model.vectors["emb.type"][: self._model.hidden]
        state = self._normalise(words + self._positions[: len(ids)] + first_type, "emb.ln")
        for layer in range(self._model.layers):
            prefix = f"l{layer}."
            state = self._normalise(state + self._attend(prefix, state), prefix + "aln")
            widened = _gelu(self._linear(prefix + "fi", state))
            state = self._normalise(state + self._linear(prefix + "fo", widened), prefix + "oln")
        total = state.sum(axis=0)
        return total / np.linalg.norm(total)

    def _word_rows(self, ids: list[int]) -> np.ndarray:
        table = self._model.matrices["emb.word"]
        return type(table)(table.codes[ids], table.scales[ids]).dequantised()

    def _attend(self, prefix: str, state: np.ndarray) -> np.ndarray:
        heads = self._model.heads
        query, key, value = (
            self._linear(prefix + name, state).reshape(len(state), heads, -1).transpose(1, 0, 2)
            for name in ("q", "k", "v")
        )
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(query.shape[-1]))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (weights / weights.sum(axis=-1, keepdims=True)) @ value
        return self._linear(prefix + "ao", mixed.transpose(1, 0, 2).reshape(state.shape))

    def _linear(self, name: str, state: np.ndarray) -> np.ndarray:
        return state @ self._matrices[name + ".w"] + self._model.vectors[name + ".b"]

    def _normalise(self, state: np.ndarray, name: str) -> np.ndarray:
        centred = state - state.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(self._model.epsilon))
        return centred / deviation * self._model.vectors[name + ".w"] + self._model.vectors[name + ".b"]


def _gelu(values: np.ndarray) -> np.ndarray:
    """The exact form, with the error function interpolated in steps of 0.0001 (off by at most 2e-9)."""
    error = np.interp(values / math.sqrt(2), _ERF_AT, _ERF)
    return (values * (1 + error) / 2).astype(np.float32)
