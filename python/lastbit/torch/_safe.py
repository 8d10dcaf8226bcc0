"""The operators of PyTorch's own that have the same bits everywhere."""

from typing import Any, Dict, Sequence

import torch

# Values are copied, selected, compared or made, and none is computed.
MOVES = frozenset("""
_cummax_helper _cummin_helper _efficientzerotensor _local_scalar_dense _pin_memory _reshape_alias
_stack _to_copy _unique _unique2 _unsafe_view adaptive_max_pool1d adaptive_max_pool2d
adaptive_max_pool3d argmax argmin argsort as_strided as_strided_scatter
bucketize cat channel_shuffle clone contiguous copy copysign
count_nonzero cummax cummin diag_embed diagonal_scatter embedding empty empty_like empty_permuted
empty_strided eq equal eye fill flip full full_like gather ge gt hardshrink
hardtanh heaviside index index_copy index_fill index_select
isin isnan isneginf isposinf kthvalue le lift_fresh logical_and logical_not logical_or logical_xor
lt masked_fill masked_scatter masked_select max_pool2d_with_indices max_pool3d_with_indices
max_unpool2d max_unpool3d median mode nan_to_num nanmedian narrow_copy ne neg
new_empty new_empty_strided new_full new_ones new_zeros nextafter nonzero nonzero_static one_hot
ones ones_like pixel_shuffle pixel_unshuffle reflection_pad1d reflection_pad2d reflection_pad3d
relu repeat repeat_interleave replication_pad1d replication_pad2d replication_pad3d resize
resize_as roll scalar_tensor searchsorted select_backward select_scatter set sign signbit
slice_backward slice_scatter sort take threshold threshold_backward topk tril tril_indices triu
triu_indices unfold unfold_copy unique_consecutive unique_dim unique_dim_consecutive
upsample_nearest1d upsample_nearest2d upsample_nearest3d where zero zeros zeros_like
""".split())

# Each result is one operation of IEEE 754, or a few that nothing can fuse.
ARITHMETIC = frozenset("""
_prelu_kernel abs add ceil div floor frac leaky_relu leaky_relu_backward mse_loss_backward mul
native_dropout_backward nll_loss_backward reciprocal round rsub sgn
sub trunc
""".split())


def _is_arithmetic_exact(name: str, args: Sequence[Any], kwargs: Dict[str, Any]) -> bool:
    if name == "div":
        return kwargs.get("rounding_mode") in (None, "trunc")
    if name == "round":
        return not kwargs.get("decimals")
    return True


def _is_integral(x: Any) -> bool:
    return isinstance(x, int) or isinstance(x, float) and x.is_integer() and abs(x) < 1 << 24


def is_safe(name: str, args: Sequence[Any], kwargs: Dict[str, Any]) -> bool:
    """Report whether a call has the same bits on every machine.

    The name lacks the underscore of the form in place.
    """
    if name in MOVES:
        return True
    if name in ARITHMETIC:
        return _is_arithmetic_exact(name, args, kwargs)
    if name == "arange":
        return all(_is_integral(a) for a in args if not isinstance(a, torch.Tensor))
    if name == "scatter":
        return "reduce" not in kwargs
    if name in ("index_put", "_unsafe_index_put", "_index_put_impl"):
        return not (args[3] if len(args) > 3 else kwargs.get("accumulate"))
    if name == "embedding_dense_backward":
        return not args[4]  # gradients are added in the order of their positions
    return False
