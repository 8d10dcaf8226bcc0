"""The operators that lastbit computes, by PyTorch's names."""

from typing import Any, Callable, Dict

from . import _attention as a
from . import _functions as f
from . import _products as p
from . import _reductions as r

Operator = Callable[..., Any]

PRODUCTS: Dict[str, Operator] = {
    "mm": p.mm, "bmm": p.mm, "mv": p.mv, "dot": p.dot, "vdot": p.dot, "addmm": p.addmm,
    "baddbmm": p.addmm, "addbmm": p.addbmm, "addmv": p.addmv, "addr": p.addr,
    "_addmm_activation": p.addmm_activation,
}

FUNCTIONS: Dict[str, Operator] = {
    **{name: f.elementary(ours) for name, ours in f.ELEMENTARY.items()},
    "atan2": f.two("atan2"), "hypot": f.two("hypot"), "pow": f.power,
    "sigmoid": f.sigmoid, "silu": f.silu, "gelu": f.gelu,
}

OTHERS: Dict[str, Operator] = {
    "sigmoid_backward": f.sigmoid_backward, "tanh_backward": f.tanh_backward,
    "silu_backward": f.silu_backward, "gelu_backward": f.gelu_backward,
    "addcmul": f.addcmul, "addcdiv": f.addcdiv, "lerp": f.lerp,
    "_softmax": r.softmax, "_safe_softmax": r.safe_softmax, "_log_softmax": r.log_softmax,
    "_softmax_backward_data": r.softmax_backward,
    "_log_softmax_backward_data": r.log_softmax_backward,
    "native_layer_norm": r.layer_norm, "native_layer_norm_backward": r.layer_norm_backward,
    "mse_loss": r.mse_loss, "nll_loss_forward": r.nll_loss,
    "_scaled_dot_product_flash_attention_for_cpu": a.attention,
    "_scaled_dot_product_flash_attention_for_cpu_backward": a.attention_backward,
}

SUMS: Dict[str, Operator] = {"sum": r.sum, "mean": r.mean}
