"""From 32-bit weights to 8-bit ones that no processor can overflow.

In goes a matrix; out come int8 weights and one scale for each output. How they enter the
graph is `graph.py`.
"""

import numpy as np

LARGEST = 127
LARGEST_PAIR = 128
"""255 * 128 is the most that two products with 8-bit activations may add up to in 16 bits."""
GROWTH = 1.002
ATTEMPTS = 50


def quantise_outputs(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rounds [inputs, outputs] to int8 with a float32 scale for each output.

    Processors without VNNI add the products of neighbouring inputs in 16 bits. A scale
    grows until no pair of neighbours can leave that range.
    """
    scales = np.abs(weights).max(axis=0) / LARGEST
    scales = np.where(scales == 0, 1, scales).astype(np.float32)
    pair_peaks = np.abs(weights[0::2] + weights[1::2]).max(axis=0)
    scales = np.maximum(scales, pair_peaks / (LARGEST_PAIR - 0.5)).astype(np.float32)
    for _ in range(ATTEMPTS):
        rounded = np.clip(np.round(weights / scales), -LARGEST, LARGEST)
        overflows = np.abs(rounded[0::2] + rounded[1::2]).max(axis=0) > LARGEST_PAIR
        if not overflows.any():
            return rounded.astype(np.int8), scales
        scales = np.where(overflows, scales * GROWTH, scales).astype(np.float32)
    raise ValueError("no scale keeps all pairs of weights in range")
