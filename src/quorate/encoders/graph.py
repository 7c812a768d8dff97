"""A BERT sentence encoder as an ONNX graph, built from its safetensors, so that no torch is needed.

Mean pooling over the tokens and length one are part of the graph: token ids and mask in, sentence vectors out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

IDS, MASK, VECTORS = "input_ids", "attention_mask", "sentence_embedding"
OPSET = 20  # the first with Gelu


class Graph:
    """Nodes and constants as they are added; every node gives the name of its one output."""

    def __init__(self, weights: dict[str, Any]):
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: dict[str, Any] = {}

    def node(self, op: str, *inputs: str, **attributes: Any) -> str:
        """One operation."""
        from onnx import helper

        output = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [output], **attributes))
        return output

    def constant(self, name: str, value: Any) -> str:
        """A constant, once for each name."""
        import numpy as np
        from onnx import numpy_helper

        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name: str) -> str:
        """A weight of the model as it is."""
        return self.constant(name, self.weights[name])

    def numbers(self, name: str, *values: int) -> str:
        """A constant of whole numbers, for shapes and axes."""
        import numpy as np

        return self.constant(name, np.array(values, np.int64))

    def real(self, name: str, value: float) -> str:
        """A constant of one real number."""
        import numpy as np

        return self.constant(name, np.array([value], np.float32))

    def linear(self, x: str, name: str) -> str:
        """x W^T + b."""
        weight = self.constant(f"{name}.weight.T", self.weights[f"{name}.weight"].T)
        return self.node("Add", self.node("MatMul", x, weight), self.weight(f"{name}.bias"))

    def norm(self, x: str, name: str, epsilon: float) -> str:
        """Layer normalisation."""
        weight, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.node("LayerNormalization", x, weight, bias, axis=-1, epsilon=epsilon)


def build(folder: Path, target: Path) -> None:
    """Writes the graph of the model in this folder (`config.json`, `model.safetensors`)."""
    import onnx
    from onnx import TensorProto, helper
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    graph = Graph(load_file(folder / "model.safetensors"))
    mask = graph.node("Cast", MASK, to=TensorProto.FLOAT)
    x = _embeddings(graph, config)
    away = _masked_away(graph, mask)
    for layer in range(config["num_hidden_layers"]):
        x = _layer(graph, x, away, f"encoder.layer.{layer}", config)
    graph.nodes.append(helper.make_node("LpNormalization", [_mean(graph, x, mask)], [VECTORS], axis=-1, p=2))
    shape = ["batch", "tokens"]
    made = helper.make_graph(
        graph.nodes,
        "sentence encoder",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in (IDS, MASK)],
        [helper.make_tensor_value_info(VECTORS, TensorProto.FLOAT, ["batch", config["hidden_size"]])],
        list(graph.constants.values()),
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def _embeddings(graph: Graph, config: dict[str, Any]) -> str:
    """Word, position and type embeddings; every token is of the first type, as in a single sentence."""
    words = graph.node("Gather", graph.weight("embeddings.word_embeddings.weight"), IDS)
    length = graph.node("Gather", graph.node("Shape", IDS), graph.numbers("one", 1), axis=0)
    places = graph.weight("embeddings.position_embeddings.weight")
    places = graph.node("Slice", places, graph.numbers("zero", 0), length, graph.numbers("axis0", 0))
    first = graph.constant("first type", graph.weights["embeddings.token_type_embeddings.weight"][0])
    x = graph.node("Add", graph.node("Add", words, places), first)
    return graph.norm(x, "embeddings.LayerNorm", config["layer_norm_eps"])


def _masked_away(graph: Graph, mask: str) -> str:
    """What is added to attention: nothing for tokens, very little chance for padding."""
    padding = graph.node("Sub", graph.real("1", 1), graph.node("Unsqueeze", mask, graph.numbers("axes12", 1, 2)))
    return graph.node("Mul", padding, graph.real("never", -1e9))


def _layer(graph: Graph, x: str, away: str, name: str, config: dict[str, Any]) -> str:
    hidden, heads, epsilon = config["hidden_size"], config["num_attention_heads"], config["layer_norm_eps"]
    split = graph.numbers("split", 0, 0, heads, hidden // heads)

    def head(kind: str, order: list[int]) -> str:
        projected = graph.linear(x, f"{name}.attention.self.{kind}")
        return graph.node("Transpose", graph.node("Reshape", projected, split), perm=order)

    scores = graph.node("MatMul", head("query", [0, 2, 1, 3]), head("key", [0, 2, 3, 1]))
    scores = graph.node("Div", scores, graph.real("scale", (hidden // heads) ** 0.5))
    attention = graph.node("Softmax", graph.node("Add", scores, away), axis=-1)
    mixed = graph.node("MatMul", attention, head("value", [0, 2, 1, 3]))
    mixed = graph.node(
        "Reshape", graph.node("Transpose", mixed, perm=[0, 2, 1, 3]), graph.numbers("join", 0, 0, hidden)
    )
    attended = graph.node("Add", graph.linear(mixed, f"{name}.attention.output.dense"), x)
    x = graph.norm(attended, f"{name}.attention.output.LayerNorm", epsilon)
    wide = graph.node("Gelu", graph.linear(x, f"{name}.intermediate.dense"))
    return graph.norm(
        graph.node("Add", graph.linear(wide, f"{name}.output.dense"), x), f"{name}.output.LayerNorm", epsilon
    )


def _mean(graph: Graph, x: str, mask: str) -> str:
    weights = graph.node("Unsqueeze", mask, graph.numbers("axis2", 2))
    axis = graph.numbers("axis1", 1)
    total = graph.node("ReduceSum", graph.node("Mul", x, weights), axis, keepdims=0)
    return graph.node("Div", total, graph.node("ReduceSum", weights, axis, keepdims=0))
