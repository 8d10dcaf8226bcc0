"""A small transformer whose weights an integer generator makes.

Its blocks are of two kinds in turn: layer norm with gelu, and RMS norm with
silu. Run as a program, it prints a line of JSON with hashes of its results, by
PyTorch alone and in the context of lastbit:

    transformer.py BATCH...
"""

import hashlib
import json
import sys

import torch
from torch.nn import functional as F


class Generator:
    """A generator of numbers of 12 bits, with the bits of its formula."""

    def __init__(self, seed):
        self.state = seed

    def integers(self, *shape):
        n = 1
        for size in shape:
            n *= size
        x = torch.arange(n, dtype=torch.int64) + (self.state << 32)
        self.state += 1
        for multiplier in (0x5851F42D4C957F2D, 0x14057B7EF767814F):
            x = (x ^ (x >> 29) & 0x7FFFFFFFF) * multiplier
        return (x >> 40 & 0xFFF).view(shape)

    def numbers(self, *shape, bits=0):
        """Return multiples of 2^-11 from -1 to 1, times 2^-bits."""
        return (self.integers(*shape) - 2048).float() * 2.0 ** (-11 - bits)


class Transformer:
    def __init__(self, width=64, heads=4, layers=2, length=16, words=97, dtype=torch.float32):
        g = Generator(31)
        self.heads = heads

        def weights(*shape, bits=3):
            return g.numbers(*shape, bits=bits).to(dtype).requires_grad_()

        self.words = weights(words, width, bits=0)
        self.places = weights(length, width, bits=1)
        self.blocks = [{
            "norm": weights(2, width, bits=0), "shift": weights(2, width, bits=4),
            "qkv": weights(3 * width, width), "qkv_shift": weights(3 * width, bits=4),
            "out": weights(width, width), "out_shift": weights(width, bits=4),
            "up": weights(4 * width, width), "up_shift": weights(4 * width, bits=4),
            "down": weights(width, 4 * width), "down_shift": weights(width, bits=4),
        } for _ in range(layers)]

    def parameters(self):
        return [self.words, self.places, *(p for b in self.blocks for p in b.values())]

    def __call__(self, inputs):
        """Return the logits of embedded words."""
        x = inputs + self.places
        for i, block in enumerate(self.blocks):
            norm = self.layer_norm if i % 2 == 0 else self.rms_norm
            x = x + self.attention(block, norm(x, block, 0))
            h = F.linear(norm(x, block, 1), block["up"], block["up_shift"])
            h = F.gelu(h) if i % 2 == 0 else F.silu(h)
            x = x + F.linear(h, block["down"], block["down_shift"])
        return F.linear(F.layer_norm(x, x.shape[-1:]), self.words)

    def layer_norm(self, x, block, k):
        return F.layer_norm(x, x.shape[-1:], block["norm"][k], block["shift"][k])

    def rms_norm(self, x, block, k):
        if hasattr(F, "rms_norm"):
            return F.rms_norm(x, x.shape[-1:], block["norm"][k])
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * block["norm"][k]

    def attention(self, block, x):
        batch, length, width = x.shape
        qkv = F.linear(x, block["qkv"], block["qkv_shift"])
        q, k, v = qkv.view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        y = y.transpose(1, 2).reshape(batch, length, width)
        return F.linear(y, block["out"], block["out_shift"])

    def inputs(self, batch):
        """Return embedded words: the first rows of a larger batch."""
        rows = Generator(7).integers(64, len(self.places))
        return F.embedding(rows[:batch] % len(self.words), self.words)


def digest(*tensors):
    h = hashlib.sha256()
    for t in tensors:
        h.update(t.detach().contiguous().view(torch.uint8).numpy().tobytes())
    return h.hexdigest()[:16]


def hashes(model, batches):
    """Return hashes of the first row's logits and gradient, and of all gradients.

    The first two have one for each batch size; the gradients of the weights are
    of the last. Rows that differ from those of the largest batch have no hash.
    """
    found = {"logits": [], "input": [], "weights": ""}
    whole = {}
    for batch in sorted(batches, reverse=True):
        x = model.inputs(batch).detach().requires_grad_()
        for p in model.parameters():
            p.grad = None
        logits = model(x)
        (logits * torch.cos(logits.detach())).backward(torch.ones_like(logits))
        for name, t in (("logits", logits), ("input", x.grad)):
            largest = whole.setdefault(name, t)
            same = torch.equal(t, largest[:batch])
            found[name].append(digest(t[0]) if same else f"{digest(t[0])}, rows differ")
        if batch == max(batches):
            found["weights"] = digest(*(p.grad for p in model.parameters() if p.grad is not None))
    return found


def operators():
    """Return the hash of each operator that lastbit leaves to PyTorch as safe."""
    aten, found = torch.ops.aten, {}
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        g = Generator(5)
        x, y, z = (((g.numbers(501, 7) * 8 + 0.1).to(dtype) / 3).t()[:, ::2] for _ in range(3))
        rows, places = x.contiguous(), g.integers(7) % 251
        total, weights = torch.tensor(3.0, dtype=dtype), z[0].contiguous()
        calls = {
            "add": lambda: x + y, "add scalar": lambda: x + 0.3, "sub": lambda: x - y,
            "rsub": lambda: 0.3 - x, "mul": lambda: x * y, "mul scalar": lambda: x * 0.3,
            "div": lambda: x / y, "div scalar": lambda: x / 0.3,
            "trunc div": lambda: torch.div(x, y, rounding_mode="trunc"),
            "reciprocal": lambda: x.reciprocal(), "frac": lambda: x.frac(),
            "prelu": lambda: F.prelu(x.t(), y[:, 0].contiguous()),
            "leaky": lambda: F.leaky_relu(x, 0.3),
            "round": lambda: x.round() + x.floor() + x.ceil(),
            "leaky backward": lambda: aten.leaky_relu_backward(x, y, 0.3, False),
            "softshrink": lambda: F.softshrink(x, 0.3), "trunc": lambda: x.trunc(),
            "mse": lambda: aten.mse_loss_backward(total, x, y, 1),
            "nll": lambda: aten.nll_loss_backward(total, rows, places, weights, 1, -100, total),
            "dropout": lambda: aten.native_dropout_backward(x, y > 0, 1 / 0.9),
            "embedding": lambda: aten.embedding_dense_backward(rows, places % 3, 3, -1, False),
            "short": lambda: x.to(torch.bfloat16), "half": lambda: x.to(torch.float16),
        }
        for name, call in calls.items():
            try:
                found[f"{name} {str(dtype)[6:]}"] = digest(call())
            except NotImplementedError:  # for float16
                continue
    return found


def main():
    import lastbit.torch

    batches = [int(a) for a in sys.argv[1:]]
    found = {"operators": operators()}
    for name, arguments, dtype in [
        ("float32", (64, 4, 2, 16), torch.float32), ("bfloat16", (64, 4, 2, 16), torch.bfloat16),
        ("float32, two words", (128, 4, 2, 2), torch.float32),
    ]:
        model = Transformer(*arguments, dtype=dtype)
        found["plain " + name] = hashes(model, batches)
        with lastbit.torch.ordered(strict=True):
            found["ordered " + name] = hashes(model, batches)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
