"""Reading the weight file: vocabulary, 4-bit matrices, 32-bit vectors.

In goes the path; out comes a `SourceModel`. The file is little-endian: a header, the
vocabulary, a table of folded characters (not used here), a table of tensors, then their
bytes, to which the table holds absolute offsets.
"""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 32
"""Weights that share one scale."""
VECTORS, BLOCKS = 0, 1
"""How a tensor is stored."""


@dataclass(frozen=True)
class Blocks:
    """A matrix of 4-bit weights: weight = (code - 8) * scale of its block."""

    codes: np.ndarray
    """uint8, 0 to 15, [rows, columns]"""
    scales: np.ndarray
    """float32, [rows, columns / 32]"""

    def dequantised(self) -> np.ndarray:
        """The weights as float32, [rows, columns]."""
        blocks = self.codes.astype(np.float32).reshape(-1, BLOCK)
        return ((blocks - 8) * self.scales.reshape(-1, 1)).reshape(self.codes.shape)


@dataclass(frozen=True)
class SourceModel:
    """The whole model as it was published, vocabulary unpruned."""

    hidden: int
    layers: int
    heads: int
    epsilon: float
    """of every layer norm"""
    pieces: list[str]
    scores: np.ndarray
    """float32 logarithm of the probability of each piece"""
    matrices: dict[str, Blocks]
    vectors: dict[str, np.ndarray]
    """float32, one-dimensional: biases, layer norms, position and type tables"""


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def array(self, dtype: str, count: int) -> np.ndarray:
        values = np.frombuffer(self.data, dtype, count, self.at)
        self.at += values.nbytes
        return values

    def skip(self, count: int) -> None:
        self.at += count


def read_weights(path: Path) -> SourceModel:
    """Reads a file whose hash was checked; raises ValueError if the layout is another one."""
    reader = _Reader(path.read_bytes())
    if reader.take("4sI") != (b"E5S1", 1):
        raise ValueError(f"{path} is no weight file of version 1")
    hidden, layers, heads, _feed_forward, _vocabulary, _positions, _types = reader.take("7i")
    (epsilon,) = reader.take("f")
    (block,) = reader.take("i")
    if block != BLOCK:
        raise ValueError(f"{path} has blocks of {block} weights instead of {BLOCK}")

    piece_count, _start, _end, _padding, _unknown = reader.take("5i")
    (text_bytes,) = reader.take("Q")
    ends = reader.array("<u4", piece_count + 1)
    scores = reader.array("<f4", piece_count)
    text = bytes(reader.array("u1", text_bytes))
    pieces = [text[ends[i] : ends[i + 1]].decode("utf-8", "replace") for i in range(piece_count)]

    _folded_count, folded_bytes = reader.take("iI")
    reader.skip(folded_bytes)

    matrices: dict[str, Blocks] = {}
    vectors: dict[str, np.ndarray] = {}
    (tensor_count,) = reader.take("i")
    for _ in range(tensor_count):
        name = bytes(reader.array("u1", reader.take("H")[0])).decode()
        kind, count, offset, size = reader.take("BIQQ")
        if kind == BLOCKS:
            columns = 4 * hidden if name.endswith(".fo.w") else hidden
            matrices[name] = _blocks(np.frombuffer(reader.data, np.uint8, size, offset), columns)
        elif kind == VECTORS:
            vectors[name] = np.frombuffer(reader.data, "<f4", count, offset)
        else:
            raise ValueError(f"{path} stores {name} in an unknown way ({kind})")
    return SourceModel(hidden, layers, heads, epsilon, pieces, scores, matrices, vectors)


def _blocks(stored: np.ndarray, columns: int) -> Blocks:
    """A block is a 16-bit float scale and 16 bytes: low halves are weights 0 to 15, high halves 16 to 31."""
    rows = stored.reshape(-1, 2 + BLOCK // 2)
    scales = rows[:, :2].copy().view("<f2").astype(np.float32)
    packed = rows[:, 2:]
    codes = np.concatenate([packed & 15, packed >> 4], axis=1)
    return Blocks(codes.reshape(-1, columns), scales.reshape(-1, columns // BLOCK))
