"""The encoder as an ONNX graph, quantised and with its operators already fused.

In go the source model, the ids of the pieces to keep and the smoothing vectors; out comes
the model whose bytes `hashes.json` pins: names and order of everything below are part of them.
Pooling and the division by the length are inside. Load it with optimisation disabled.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from quantise import quantise_outputs
from weights import BLOCK, SourceModel

FUSED = "com.microsoft"
MAX_TOKENS = 512
SIGN_BIT_OF_BOTH = 0x88
"""Turns a byte of two codes around 8 into two signed 4-bit numbers."""


def build_graph(model: SourceModel, keep: np.ndarray, smooth: Mapping[str, np.ndarray]) -> onnx.ModelProto:
    """Inputs `input_ids` and `attention_mask`, int64 [b, s]; output `embedding`, float32 [b, hidden]."""
    return _Encoder(model, smooth).build(keep)


class _Encoder:
    def __init__(self, model: SourceModel, smooth: Mapping[str, np.ndarray]) -> None:
        self.model = model
        self.smooth = smooth
        self.vectors = model.vectors
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def build(self, keep: np.ndarray) -> onnx.ModelProto:
        state = self.word_vectors(keep)
        for layer in range(self.model.layers):
            state = self.layer(f"l{layer}.", state)
        self.pool(state)

        inputs = [
            helper.make_tensor_value_info(n, TensorProto.INT64, ["b", "s"])
            for n in ("input_ids", "attention_mask")
        ]
        output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["b", self.model.hidden])
        graph = helper.make_graph(self.nodes, "e5", inputs, [output], self.constants)
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(FUSED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="e5-build")

    def word_vectors(self, keep: np.ndarray) -> str:
        """Word table in 4 bits, plus positions, normalised."""
        table = self.model.matrices["emb.word"]
        codes = table.codes[keep]
        packed = (codes[:, 0::2] | (codes[:, 1::2] << 4)) ^ SIGN_BIT_OF_BOTH
        self.constants.append(
            helper.make_tensor("word_q4", TensorProto.INT4, list(codes.shape), packed.tobytes(), raw=True)
        )
        self.constant("word_scale", table.scales[keep].astype(np.float16))
        self.fused(
            "GatherBlockQuantized",
            ["word_q4", "input_ids", "word_scale"],
            ["e0h"],
            block_size=BLOCK,
            gather_axis=0,
            quantize_axis=1,
        )
        self.node("Cast", ["e0h"], ["e0"], to=TensorProto.FLOAT)

        positions = self.vectors["emb.pos"].reshape(-1, self.model.hidden)[:MAX_TOKENS]
        # All tokens are of type 0: its row is part of each position's.
        self.constant("pos_type", positions + self.vectors["emb.type"][: self.model.hidden])
        self.node("Shape", ["input_ids"], ["seqlen"], start=1, end=2)
        self.constant("i0", np.array([0], np.int64))
        self.constant("i1", np.array([1], np.int64))
        self.node("Slice", ["pos_type", "i0", "seqlen", "i0"], ["pos"])
        self.node("Add", ["e0", "pos"], ["e1"])
        norm = [
            self.constant("eln.w", self.vectors["emb.ln.w"]),
            self.constant("eln.b", self.vectors["emb.ln.b"]),
        ]
        state = self.node("LayerNormalization", ["e1", *norm], ["x0"], axis=-1, epsilon=self.model.epsilon)
        self.node("Cast", ["attention_mask"], ["mask32"], to=TensorProto.INT32)
        return state

    def layer(self, prefix: str, state: str) -> str:
        """Attention and feed-forward, each added to what came in and normalised after it."""
        query_key_value, bias = self.attention_weights(prefix)
        state_in = self.smoothed(prefix + "qkv", state)
        merged = self.linear(prefix + "qkv", state_in, query_key_value, bias)
        parts = [prefix + "q", prefix + "k", prefix + "v"]
        self.node("Split", [merged], parts, axis=-1, num_outputs=3)
        attended = self.fused(
            "MultiHeadAttention", [*parts, "", "mask32"], [prefix + "att"], num_heads=self.model.heads
        )
        # Not smoothed here: attention is linear in the values, so their weights carry the division.
        mixed = self.linear(prefix + "ao", attended, self.matrix(prefix + "ao"))
        state = self.add_and_normalise(mixed, state, prefix, "aln", "ao.b", "n1")

        widened = self.linear(prefix + "fi", self.smoothed(prefix + "fi", state), self.matrix(prefix + "fi"))
        bias_of_widened = self.constant(prefix + "fi.b", self.vectors[prefix + "fi.b"])
        curved = self.fused("BiasGelu", [widened, bias_of_widened], [prefix + "gelu"])
        narrowed = self.linear(
            prefix + "fo", self.smoothed(prefix + "fo", curved), self.matrix(prefix + "fo")
        )
        return self.add_and_normalise(narrowed, state, prefix, "oln", "fo.b", "n2")

    def attention_weights(self, prefix: str) -> tuple[np.ndarray, np.ndarray]:
        """Query, key and value as one matrix [outputs, inputs], smoothed on both sides, and its bias."""
        divisor = self.smooth[prefix + "ao"]
        weights = [self.model.matrices[prefix + name].dequantised() for name in ("q.w", "k.w", "v.w")]
        biases = [self.vectors[prefix + name] for name in ("q.b", "k.b", "v.b")]
        weights[2] = weights[2] / divisor[:, None]
        biases[2] = biases[2] / divisor
        return np.concatenate(weights) * self.smooth[prefix + "qkv"], np.concatenate(biases)

    def matrix(self, name: str) -> np.ndarray:
        """Weights [outputs, inputs], multiplied by what their inputs are divided by."""
        return self.model.matrices[name + ".w"].dequantised() * self.smooth[name]

    def smoothed(self, name: str, state: str) -> str:
        """Divides activations so that their peaks do not cost the others their precision."""
        inverse = self.constant(name + ".is", 1 / self.smooth[name])
        return self.node("Mul", [state, inverse], [name + ".sx"])

    def linear(self, name: str, state: str, weights: np.ndarray, bias: np.ndarray | None = None) -> str:
        rounded, scales = quantise_outputs(np.ascontiguousarray(weights.T))
        inputs = [
            state,
            self.constant(name + ".w", rounded),
            self.constant(name + ".s", scales),
            self.constant(name + ".z", np.zeros(scales.shape, np.int8)),
        ]
        if bias is not None:
            inputs.append(self.constant(name + ".b", bias))
        return self.fused("DynamicQuantizeMatMul", inputs, [name])

    def add_and_normalise(self, change: str, state: str, prefix: str, norm: str, bias: str, out: str) -> str:
        names = [f"{prefix}{norm}.w", f"{prefix}{norm}.b", prefix + bias]
        inputs = [change, state, *(self.constant(name, self.vectors[name]) for name in names)]
        return self.fused("SkipLayerNormalization", inputs, [prefix + out], epsilon=self.model.epsilon)

    def pool(self, state: str) -> None:
        """The sum over all tokens that are no padding; dividing by its length makes a mean the same."""
        self.node("Cast", ["attention_mask"], ["maskf"], to=TensorProto.FLOAT)
        self.node("Unsqueeze", ["maskf", "i1"], ["m3"])
        self.node("MatMul", ["m3", state], ["sum3"])
        self.node("Squeeze", ["sum3", "i1"], ["sum"])
        self.node("LpNormalization", ["sum"], ["embedding"], axis=1, p=2)

    def constant(self, name: str, values: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(
        self,
        operator: str,
        inputs: Sequence[str],
        outputs: Sequence[str],
        domain: str = "",
        **options: Any,
    ) -> str:
        self.nodes.append(
            helper.make_node(operator, inputs, outputs, name=outputs[0], domain=domain, **options)
        )
        return outputs[0]

    def fused(self, operator: str, inputs: Sequence[str], outputs: Sequence[str], **options: Any) -> str:
        return self.node(operator, inputs, outputs, FUSED, **options)
