"""The integer graph as ONNX: input `features` [N, 20], output `score` [N, 1], both double."""

import numpy as np
import onnx
from onnx import TensorProto, helper

from .features import COLUMN, HIGHEST, LOWEST
from .perceptron import CEILING
from .quantize import (
    BAN,
    BITS,
    FINE,
    HEAVY,
    P_FULL,
    PROVEN_DISAGREEMENT,
    REACH,
    STEP_BITS,
    Classifier,
    IntegerNet,
)

OPSET, IR_VERSION = 14, 8


class Graph:
    """Collects nodes and constants; every value has a name."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value) -> str:
        array = np.asarray(value)
        array = array.astype("<i8" if array.dtype.kind == "i" and name.endswith("_at") else "<f8")
        kind = TensorProto.INT64 if array.dtype.kind == "i" else TensorProto.DOUBLE
        self.constants[name] = helper.make_tensor(name, kind, array.shape, array.tobytes(), raw=True)
        return name

    def node(self, operator: str, inputs: list[str], output: str, **attributes) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def scaled_floor(self, value: str, factor: str, output: str) -> str:
        """floor(value × factor + 0.5), where the factor is a power of two."""
        product = self.node("Mul", [value, factor], f"{output}_scaled")
        return self.node("Floor", [self.node("Add", [product, "half"], f"{output}_half")], output)

    def column(self, value: str, start: int, end: int, output: str) -> str:
        bounds = [
            self.constant(f"{output}_{what}_at", [at])
            for what, at in (("from", start), ("to", end), ("axis", 1))
        ]
        return self.node("Slice", [value, *bounds], output)


def add_net(graph: Graph, name: str, net: IntegerNet, clamped: str) -> str:
    """Adds one network; returns its output in 1/1,024 units, [N, 1]."""
    x = graph.column(clamped, net.columns.start, net.columns.stop, f"{name}_features")
    x = graph.node("Mul", [x, graph.constant(f"{name}_multipliers", net.multipliers)], f"{name}_inputs")
    last = len(net.weights) - 1
    for layer, (weight, bias) in enumerate(zip(net.weights, net.biases)):
        constants = [
            graph.constant(f"{name}_weight{layer}", weight),
            graph.constant(f"{name}_bias{layer}", bias),
        ]
        x = graph.node("Gemm", [x, *constants], f"{name}_sum{layer}")
        x = graph.scaled_floor(x, "per_weight", f"{name}_output{layer}")
        if layer < last:
            x = graph.node("Clip", [x, "zero", "ceiling"], f"{name}_activation{layer}")
    u = graph.node(
        "Add", [graph.node("Clip", [x, "reach_low", "reach"], f"{name}_logit"), "reach"], f"{name}_place"
    )
    step = graph.node("Floor", [graph.node("Mul", [u, "per_grain"], f"{name}_steps")], f"{name}_step")
    part = graph.node("Sub", [u, graph.node("Mul", [step, "grain"], f"{name}_step_start")], f"{name}_part")
    at = graph.node("Cast", [step], f"{name}_at", to=TensorProto.INT64)
    following = graph.node("Add", [at, "one_at"], f"{name}_following_at")
    table = graph.constant(f"{name}_table", net.table)
    low, high = (
        graph.node("Gather", [table, at], f"{name}_low"),
        graph.node("Gather", [table, following], f"{name}_high"),
    )
    rise = graph.node("Mul", [graph.node("Sub", [high, low], f"{name}_rise"), part], f"{name}_rise_part")
    return graph.node("Add", [low, graph.scaled_floor(rise, "per_grain", f"{name}_risen")], f"{name}_fine")


def build(classifier: Classifier) -> bytes:
    """The model file; equal weights give equal bytes."""
    graph = Graph()
    reach, grain = REACH * 2.0**BITS, 2.0 ** (BITS - STEP_BITS)
    for name, value in {
        "lowest": LOWEST,
        "highest": HIGHEST,
        "zero": 0.0,
        "half": 0.5,
        "one": 1.0,
        "ceiling": CEILING * 2**BITS,
        "per_weight": 2.0**-BITS,
        "reach": reach,
        "reach_low": -reach,
        "grain": grain,
        "per_grain": 1 / grain,
        "per_fine": 1 / FINE,
        "below_heavy": (HEAVY - 1) * FINE,
        "below_ban": (BAN - 1) * FINE,
        "above_ban": (P_FULL - BAN + 1) * FINE,
        "unproven_disagreement": PROVEN_DISAGREEMENT - 1,
        "one_at": 1,
    }.items():
        graph.constant(name, value)
    clamped = graph.node("Min", [graph.node("Max", ["features", "lowest"], "raised"), "highest"], "clamped")
    p = add_net(graph, "conduct", classifier.conduct, clamped)
    t = add_net(graph, "signs", classifier.signs, clamped)
    raised = graph.node("Min", [graph.node("Add", [p, t], "p_and_t"), "below_heavy"], "p_and_t_below_heavy")
    score = graph.node("Max", [p, raised], "ungated")
    evidence = graph.column(clamped, COLUMN["evidence"], COLUMN["evidence"] + 1, "evidence")
    disagreement = graph.column(clamped, COLUMN["disagreement"], COLUMN["disagreement"] + 1, "disagreement")
    excess = graph.node("Sub", [disagreement, "unproven_disagreement"], "disagreement_excess")
    proofs = graph.node(
        "Add", [evidence, graph.node("Max", [excess, "zero"], "disagreement_proof")], "proofs"
    )
    proven = graph.node("Min", [proofs, "one"], "proven")
    cap = graph.node("Add", [graph.node("Mul", [proven, "above_ban"], "cap_raise"), "below_ban"], "cap")
    graph.scaled_floor(graph.node("Min", [score, cap], "gated"), "per_fine", "score")
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "fornax_classifier",
            [helper.make_tensor_value_info("features", TensorProto.DOUBLE, ["N", len(LOWEST)])],
            [helper.make_tensor_value_info("score", TensorProto.DOUBLE, ["N", 1])],
            list(graph.constants.values()),
        ),
        producer_name="fornax",
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
    )
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString(deterministic=True)
