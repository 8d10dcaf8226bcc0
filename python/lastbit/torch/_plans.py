"""Decides for each operator who computes it, once."""

import math
import operator
from typing import Any, Callable, Dict, List, Tuple

import torch

from . import _functions, _products, _safe
from ._covered import EXTREMES, FUNCTIONS, OTHERS, PRODUCTS, SUMS, Operator
from ._written import is_view

Tensor = torch.Tensor
Plan = Callable[..., Any]  # of the mode, the operator, its arguments and keywords
Call = Callable[[Any, Any, Tuple[Any, ...], Dict[str, Any]], Any]

_REAL = frozenset([torch.float32, torch.float64, torch.bfloat16])
_NUMBERS = _REAL | frozenset([
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
])
_STRIDED = torch.strided
_PLAIN = frozenset([Tensor, torch.nn.Parameter])
_COVERED = {**PRODUCTS, **FUNCTIONS, **OTHERS, **SUMS, **EXTREMES}
_SUMS_OF_TWO = ("add", "sub", "rsub")
_UNKNOWN = "no order is published for it"

# Operators whose kernels look made of others, and call a library.
_LIBRARY = frozenset(["convolution", "_convolution", "convolution_backward"])
_LIBRARIES = ("mkldnn_", "fbgemm_", "miopen_", "cudnn_")

_plans: Dict[Any, Plan] = {}


def plan_of(func: Any) -> Plan:
    plan = _plans.get(func)
    if plan is None:
        plan = _plans[func] = _plan(func)
    return plan


def _plan(func: Any) -> Plan:
    schema = getattr(func, "_schema", None)
    if schema is None or func.namespace != "aten":
        return _alone
    if is_view(schema):
        return _run
    name = schema.name.partition("::")[2]
    in_place = name.endswith("_") and not name.endswith("__")
    base = name[:-1] if in_place else name
    outputs = [a.name for a in schema.arguments if a.is_out]
    if base in _safe.MOVES:
        return _run
    if base in _SUMS_OF_TWO:
        return _addition(base, in_place, outputs)
    if base in _COVERED and "dtype" not in schema.overload_name:
        return _covered(base, in_place, outputs)
    key = None if base in _LIBRARY or base.startswith(_LIBRARIES) else _composite(func)
    if key is not None:
        return _composed(key)
    return _unless_safe(base)


def _composite(func: Any) -> Any:
    """Return the key of a kernel that is made of other operators, or None."""
    if "scalar" in func._schema.overload_name.lower():
        return None  # its kernel passes a number on where Python needs a tensor
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    name = func.name()
    if has(name, "CompositeImplicitAutograd"):
        return torch._C.DispatchKey.CompositeImplicitAutograd
    if has(name, "CompositeExplicitAutograd") and not has(name, "CPU"):
        return torch._C.DispatchKey.CompositeExplicitAutograd
    return None


def _run(mode: Any, func: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
    return func(*args, **kwargs)


def _alone(mode: Any, func: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
    return mode.leave_alone(func, args, kwargs, _UNKNOWN)


def _composed(key: Any) -> Plan:
    def plan(mode: Any, func: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        with mode.seeing() as written:
            result = func._op_dk(key, *args, **kwargs)
        if not written.has_all(func, args, kwargs, result):
            mode.note(func, _UNKNOWN)
        return result
    return plan


def _unless_safe(base: str) -> Plan:
    def plan(mode: Any, func: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        if not _safe.is_safe(base, args, kwargs):
            return mode.leave_alone(func, args, kwargs, _UNKNOWN)
        if base in _safe.ARITHMETIC:
            reason = obstacle(_tensors(args) + _tensors(kwargs.values()), is_arithmetic=True)
            if reason:
                return mode.leave_alone(func, args, kwargs, reason)
        return func(*args, **kwargs)
    return plan


def _tensors(values: Any) -> List[Tensor]:
    return [v for v in values if isinstance(v, Tensor)]


def obstacle(tensors: List[Tensor], is_arithmetic: bool = False) -> str:
    """Return why lastbit does not compute with these, or the empty string."""
    for t in tensors:
        if t.dtype in _NUMBERS and t.is_cpu and type(t) in _PLAIN and t.layout is _STRIDED:
            continue
        if type(t).__torch_dispatch__ != Tensor.__torch_dispatch__:
            return f"a {type(t).__name__} computes by itself"
        if t.device.type != "cpu":
            return f"a tensor is on the device {t.device.type}"
        if t.layout is not _STRIDED:
            return f"a tensor has the layout {str(t.layout).rpartition('.')[2]}"
        if t.dtype in _NUMBERS:
            continue
        if not is_arithmetic or t.is_complex() or t.is_quantized:
            return f"a tensor is of {str(t.dtype).rpartition('.')[2]}"
    return ""


def _covered(base: str, in_place: bool, outputs: List[str]) -> Plan:
    """Return the plan of an operator that lastbit computes."""
    compute = _COVERED[base]
    adapt = _ADAPTERS.get(base, _same_dtypes)

    def plan(mode: Any, func: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        given = {k: v for k, v in kwargs.items() if k not in outputs} if outputs else kwargs
        tensors = _tensors(args) + _tensors(given.values()) if given else _tensors(args)
        reason = obstacle(tensors)
        if reason:
            return mode.leave_alone(func, args, kwargs, reason)
        if outputs and base in SUMS and given.get("dtype") is None:
            given = {**given, "dtype": kwargs[outputs[0]].dtype}
        adapted = adapt(base, args, given)
        if adapted is None:
            return mode.leave_alone(func, args, kwargs, "its arguments have other dtypes")
        if adapted is _WRONG:
            return mode.expect_error(func, args, kwargs)
        result = compute(*adapted, **given)
        if in_place:
            return _into_place(mode, func, args, kwargs, result)
        if outputs:
            return _into_outputs(base, mode, func, args, kwargs, result, outputs)
        return result
    return plan


def _addition(base: str, in_place: bool, outputs: List[str]) -> Plan:
    """Return the plan of a sum of two tensors, one of them perhaps multiplied."""
    def plan(mode: Any, func: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
        alpha = kwargs.get("alpha", args[2] if len(args) > 2 else 1)
        tensors = _tensors(args)
        reason = obstacle(tensors, is_arithmetic=True)
        if reason:
            return mode.leave_alone(func, args, kwargs, reason)
        if alpha in (1, -1) or not torch.result_type(*args[:2]).is_floating_point:
            return func(*args, **kwargs)
        x, y = args[:2]
        if base == "rsub":
            x, y = y, x
        result = _functions.add(x, y, alpha if base == "add" else -alpha)
        if in_place:
            return _into_place(mode, func, args, kwargs, result)
        if outputs:
            return _into_outputs(base, mode, func, args, kwargs, result, outputs)
        return result
    return plan


def _into_place(mode: Any, func: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any],
                result: Tensor) -> Any:
    target = args[0]
    if target.shape != result.shape or not torch.can_cast(result.dtype, target.dtype):
        return mode.expect_error(func, args, kwargs)
    return target.copy_(result)


def _into_outputs(base: str, mode: Any, func: Any, args: Tuple[Any, ...],
                  kwargs: Dict[str, Any], result: Any, outputs: List[str]) -> Any:
    results = result if isinstance(result, tuple) else (result,)
    targets = [kwargs[name] for name in outputs]
    casts = torch.can_cast if base in FUNCTIONS or base in _SUMS_OF_TWO else operator.eq
    if not all(casts(r.dtype, t.dtype) for r, t in zip(results, targets)):
        return mode.expect_error(func, args, kwargs)
    for r, t in zip(results, targets):
        if r.shape != t.shape:
            t.resize_(r.shape)
        t.copy_(r)
    return tuple(targets) if isinstance(result, tuple) else targets[0]


# Adapters return the arguments that the operator takes, None if it takes no
# such dtypes, or _WRONG for arguments that PyTorch refuses.
_WRONG = object()


def _same_dtypes(base: str, args: Tuple[Any, ...], given: Dict[str, Any]) -> Any:
    dtypes = {t.dtype for t in _tensors(args) if t.is_floating_point()}
    return args if len(dtypes) == 1 else None


def _promoted(base: str, args: Tuple[Any, ...], given: Dict[str, Any]) -> Any:
    """Integers become the format of the floats."""
    dtypes = {t.dtype for t in _tensors(args) if t.is_floating_point()}
    if base == "addcdiv" and not any(t.is_floating_point() for t in args[1:3]):
        return _WRONG
    if len(dtypes) > 1 and len(_tensors(args)) == 2:
        dtypes = {torch.result_type(*_tensors(args))}
    if not dtypes and base.startswith("clamp") and any(isinstance(a, float) for a in args):
        dtypes = {torch.get_default_dtype()} & _REAL
    if len(dtypes) != 1:
        return None
    dtype = dtypes.pop()
    return tuple(a.to(dtype) if isinstance(a, Tensor) else a for a in args)


def _interpolated(base: str, args: Tuple[Any, ...], given: Dict[str, Any]) -> Any:
    has_integers = not all(t.is_floating_point() for t in _tensors(args))
    return _WRONG if has_integers else _same_dtypes(base, args, given)


def _normalized(base: str, args: Tuple[Any, ...], given: Dict[str, Any]) -> Any:
    """Weights have the shape of a row, and may have a wider format."""
    is_backward = base.endswith("backward")
    x, shape = args[1:3] if is_backward else args[:2]
    weights = args[5:7] if is_backward else args[2:4]
    shapes = {tuple(shape), x.shape[-len(shape):], *(w.shape for w in _tensors(weights))}
    if not shape or len(shapes) > 1:
        return _WRONG
    if is_backward and (args[0].shape != x.shape or {t.numel() for t in args[3:5]} != {
            math.prod(x.shape[:-len(shape)])}):
        return _WRONG
    dtypes = {t.dtype for t in _tensors(args)}
    mixed = x.dtype is torch.bfloat16 and dtypes == {torch.bfloat16, torch.float32}
    return args if dtypes == {x.dtype} and dtypes <= _REAL or mixed else None


def _attended(base: str, args: Tuple[Any, ...], given: Dict[str, Any]) -> Any:
    """The factors have one dtype. The mask and the logarithms may have others."""
    factors = list(args[1:4] if base.endswith("backward") else args[:3])
    q, k, v = factors
    dropout = args[6:7] if base.endswith("backward") else args[3:4]
    dtypes = {t.dtype for t in factors + _tensors(args[:1])}
    if len(dtypes) != 1 or not dtypes <= _REAL or dropout not in ((), (0.0,)):
        return None
    fits = (q.dim() == k.dim() == v.dim() == 4 and k.shape[:3] == v.shape[:3]
            and q.shape[0] == k.shape[0] and q.shape[3] == k.shape[3]
            and k.shape[1] > 0 and q.shape[1] % k.shape[1] == 0)
    return args if fits else _WRONG


def _classified(base: str, args: Tuple[Any, ...], given: Dict[str, Any]) -> Any:
    x, target = args[:2]
    fits = (x.dim() in (1, 2) and target.shape == x.shape[:-1]
            and target.dtype in (torch.int64, torch.uint8))
    return _same_dtypes(base, args, given) if fits else _WRONG


def _factors(base: str, args: Tuple[Any, ...], given: Dict[str, Any]) -> Any:
    tensors = _tensors(args)
    if not all(t.dtype in _REAL for t in tensors):
        return None
    return args if _products.fit(base, *tensors) else _WRONG


def _floating(base: str, args: Tuple[Any, ...], given: Dict[str, Any]) -> Any:
    """Integers become the default format, and two arguments have one format."""
    dtype = torch.result_type(*args[:2]) if len(args) > 1 else args[0].dtype
    if not dtype.is_floating_point:
        if base == "pow":
            return None
        if base in ("gelu", "silu", "hypot"):
            return _WRONG
        dtype = torch.get_default_dtype()
    if dtype not in _REAL:
        return None
    return tuple(a.to(dtype) if isinstance(a, Tensor) else a for a in args)


def _summands(base: str, args: Tuple[Any, ...], given: Dict[str, Any]) -> Any:
    if (given.get("dtype") or args[0].dtype) not in _REAL:
        return None
    return args if _are_dims(args[1] if len(args) > 1 else None, args[0].dim()) else _WRONG


def _along(base: str, args: Tuple[Any, ...], given: Dict[str, Any]) -> Any:
    """The dimension follows the tensors."""
    tensors = _tensors(args)
    if len({t.dtype for t in tensors}) > 1 or tensors[0].dtype not in _REAL:
        return None
    fits = len({t.shape for t in tensors}) == 1 and _are_dims(args[len(tensors)], tensors[0].dim())
    return args if fits else _WRONG


def _are_dims(dims: Any, count: int) -> bool:
    """Report whether dims names dimensions of a tensor of count, each once."""
    count = max(count, 1)
    found = [] if dims is None else [dims] if isinstance(dims, int) else list(dims)
    places = {d % count for d in found if -count <= d < count}
    return len(places) == len(found)


_ADAPTERS: Dict[str, Operator] = {
    **dict.fromkeys(PRODUCTS, _factors), **dict.fromkeys(FUNCTIONS, _floating),
    **dict.fromkeys(SUMS, _summands), **dict.fromkeys(EXTREMES, _promoted),
    **dict.fromkeys(["addcmul", "addcdiv", "mse_loss"], _promoted), "lerp": _interpolated,
    **dict.fromkeys(["_softmax", "_safe_softmax", "_log_softmax", "_softmax_backward_data",
                     "_log_softmax_backward_data"], _along),
    "_scaled_dot_product_flash_attention_for_cpu": _attended,
    "_scaled_dot_product_flash_attention_for_cpu_backward": _attended,
    "native_layer_norm": _normalized, "native_layer_norm_backward": _normalized,
    "nll_loss_forward": _classified,
}
