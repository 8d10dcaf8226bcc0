# The functions whose summands cannot be negative, and attention. The class of
# their library, in arrays.py, lays out the operand.


def numpy_norm(session):
    """The root of a sum of squares."""
    axis = int(session.request.axis) if session.request.axis else None
    return lambda: session.np.linalg.norm(session.a, axis=axis)


def torch_norm(session):
    """A function of PyTorch on rows, as the result that docs/reference/wire.md names for each."""
    torch, r, a = session.torch, session.request, session.a
    r.refuse("acc")
    if r.op == "sumsq":
        options = {"dim": int(r.axis)} if r.axis else {}
        return lambda: torch.linalg.vector_norm(a, **options)
    f = getattr(torch.nn.functional, session.name, None)
    if f is None:
        raise Refused("unavailable: PyTorch %s has no %s" % (torch.__version__, r.function))
    if r.op == "rmsnorm":
        return lambda: pick(f(a, (r.n,)), a.abs().argmax(dim=1))
    if r.op == "softmax":
        def smallest():
            return a.masked_fill(a == float("-inf"), float("inf")).argmin(dim=1)
        return lambda: pick(f(a, dim=1), smallest())
    q = torch.zeros(1, 1, 1, r.m, dtype=session.dtype, device=session.device)
    k = torch.ones(1, 1, r.n, r.m, dtype=session.dtype, device=session.device)
    return lambda: f(q, k, a.reshape(1, 1, r.n, r.m)).reshape(r.m)


def pick(result, index):
    """The element of each row at its index."""
    return result.gather(1, index.reshape(-1, 1))[:, 0]
