#!/usr/bin/env python3
"""Holds lastbit_state against files of vectors, and makes random ones.

    python3 check_vectors.py FILE...
    python3 check_vectors.py --generate SEED > FILE
"""

import json
import math
import random
import struct
import sys

import lastbit_state as states
import lastbit_statistics as statistics

CLASSES = {"sum": states.Sum, "moments": statistics.Moments, "pairs": statistics.Pairs,
           "extrema": statistics.Extrema, "weightedmean": statistics.WeightedMean,
           "weightedmoments": statistics.WeightedMoments, "histogram": statistics.Histogram}


def bits(x):
    return "%016x" % states.bits_of(x)


def number(s):
    return states.from_bits(int(s, 16))


def text(name, value):
    """Return a result as vectors have it."""
    if isinstance(value, int):
        return str(value)
    if value != value:
        return "nan"
    if name == "float32":
        return "%08x" % struct.unpack("<I", struct.pack("<f", value))[0]
    return bits(value)


def build(kind, edges, rows):
    """Return the state of rows of numbers."""
    s = CLASSES[kind](map(number, edges)) if kind == "histogram" else CLASSES[kind]()
    for row in rows:
        row = [number(x) for x in row]
        if kind == "sum" and len(row) == 2:
            s.add_product(*row)
        else:
            s.add(*row)
    return s


def describe(state):
    """Return the part of a vector that follows from a state."""
    return {"bytes": state.to_bytes().hex(), "digest": state.digest(),
            "results": {name: text(name, v) for name, v in state.results().items()}}


def whole(v):
    """Return the state of a vector's inputs."""
    edges, half = v.get("edges", []), len(v["inputs"]) // 2
    state = build(v["kind"], edges, v["inputs"][half:])
    state.merge(build(v["kind"], edges, v["inputs"][:half]))  # in another order, in parts
    if v.get("removed"):
        state.sub(build(v["kind"], edges, v["removed"]))
    return state


def check(v):
    """Return what is wrong with a valid vector, or None."""
    want = {name: v[name] for name in ("bytes", "digest", "results")}
    for how, state in (("inputs", whole(v)), ("bytes", states.decode(bytes.fromhex(v["bytes"])))):
        got = describe(state)
        if got != want:
            return "from its %s: %s, not %s" % (how, got, want)
    return None


def check_invalid(v):
    """Return what is wrong with an invalid vector, or None."""
    try:
        states.decode(bytes.fromhex(v["bytes"]))
    except states.NotAState as e:
        return None if e.reason == v["reason"] else "refused as %s: %s" % (e.reason, e)
    return "taken"


def generate(rng):
    """Return a random vector."""
    kind = rng.choice(sorted(CLASSES))
    width = {"pairs": 2, "weightedmean": 2, "weightedmoments": 2}.get(kind, 1)

    def draw():
        k = rng.randrange(24)
        if k == 0:
            return rng.choice([0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.7e308])
        if k < 4:
            return states.from_bits(rng.getrandbits(64) & ~(1 << 62) | rng.getrandbits(1) << 61)
        return rng.choice([1, -1]) * math.ldexp(1 + rng.random(), rng.randrange(-20, 20))

    def rows(n):
        return [[bits(draw()) for _ in range(2 if kind == "sum" and rng.random() < 0.3 else width)]
                for _ in range(n)]

    v = {"kind": kind, "inputs": rows(rng.randrange(12))}
    if kind == "histogram":
        v["edges"] = [bits(x) for x in sorted({rng.randrange(-5, 5) / 4 for _ in range(4)} | {2.0, 9.0})]
    if kind != "extrema" and rng.random() < 0.3:
        v["removed"] = rows(rng.randrange(1, 4))
    v.update(describe(whole(v)))
    return v


def main(args):
    if args[:1] == ["--generate"]:
        rng = random.Random(int(args[1]))
        json.dump({"valid": [generate(rng) for _ in range(200)]}, sys.stdout)
        return 0
    count = failed = 0
    for name in args:
        with open(name, encoding="utf-8") as f:
            content = json.load(f)
        for key, function in (("valid", check), ("invalid", check_invalid)):
            for v in content.get(key, []):
                count += 1
                wrong = function(v)
                if wrong:
                    failed += 1
                    print("%s, %s: %s" % (name, v.get("name", v["bytes"]), wrong))
    print("%d vectors, %d wrong" % (count, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
