"""ONNX Runtime, in the two ways the recipe uses it: converting and running.

In go model files; out come the ORT form, which can be mapped into memory, and vectors.
"""

from pathlib import Path

import numpy as np
import onnxruntime

PROVIDERS = ["CPUExecutionProvider"]


def convert_to_ort(model: Path, converted: Path) -> None:
    """Writes the ORT form. Its bytes may differ from run to run; what it computes does not."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(converted)
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(str(model), options, providers=PROVIDERS)


class Session:
    """A loaded model on one thread, as the executable runs it."""

    def __init__(self, model: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(model), options, providers=PROVIDERS)

    def embed(self, ids: list[int]) -> np.ndarray:
        """The unit vector of one text, float32; batches would change it."""
        row = np.array([ids], np.int64)
        (vectors,) = self._session.run(["embedding"], {"input_ids": row, "attention_mask": np.ones_like(row)})
        return vectors[0]
