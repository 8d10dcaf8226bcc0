"""Results of the command as objects: findings, comparisons and explanations."""

import base64
import gzip
import json
from dataclasses import dataclass, field
from typing import Any, Optional

from . import _ask


def _numbers(values: Any) -> "tuple[float, ...]":
    return tuple(float(v) for v in values or ())


@dataclass(frozen=True)
class _Result:
    """What every result can do. ``print`` shows it as the command does; a notebook draws its trees."""

    _data: "dict[str, Any]" = field(repr=False, compare=False, hash=False)

    def to_json(self) -> str:
        """Return the object that the command prints with --json, as text."""
        return json.dumps(self._data)

    def __str__(self) -> str:
        return _ask.text("show", given=self.to_json()).rstrip("\n")

    def _repr_html_(self) -> str:
        return _ask.text("show", "--format", "html", given=self.to_json())


@dataclass(frozen=True)
class Witness:
    """An input that shows why a finding has its verdict.

    ``what`` names the fact, ``x`` and ``y`` are the summands or factors, ``seen``
    the results, and ``want`` the one expected, if there is one.
    """

    what: str
    x: "tuple[float, ...]"
    y: "tuple[float, ...]"
    seen: "tuple[float, ...]"
    want: Optional[float]


@dataclass(frozen=True)
class PairWitness:
    """An input on which two implementations, ``names``, give the results ``outs``.

    ``bits`` are their encodings, and ``ulps`` is their distance.
    """

    names: "tuple[str, str]"
    x: "tuple[float, ...]"
    y: "tuple[float, ...]"
    outs: "tuple[float, ...]"
    bits: "tuple[str, str]"
    ulps: int


@dataclass(frozen=True)
class Finding(_Result):
    """How an implementation adds.

    ``verdict`` is tree, exact, compensated, nondeterministic, value-dependent,
    not-a-sum or unsupported, ``verified`` whether it is proven, ``family`` the name
    of the tree or "", ``tree`` its brackets or None, ``calls`` the number of calls
    that it took, and ``witness`` an input that shows why a tree was refused.
    """

    verdict: str
    verified: bool
    family: str
    tree: Optional[str] = field(repr=False)
    calls: int
    witness: Optional[Witness]


@dataclass(frozen=True)
class Comparison(_Result):
    """Whether implementations compute alike.

    ``conclusion`` is same, different or open (no difference was found, and not
    everything is verified), ``same`` whether it is same. ``groups`` holds the
    indices of ``findings`` that agreed in every bit, and ``witness`` is the smallest
    input found that two of them differ on.
    """

    conclusion: str
    same: bool
    findings: "tuple[Finding, ...]"
    groups: "tuple[tuple[int, ...], ...]"
    witness: Optional[PairWitness]


@dataclass(frozen=True)
class Invariance(_Result):
    """Whether one row is computed alike for every number of rows.

    ``classes`` holds the values that compute alike, ``findings`` one finding for
    each of these classes, and ``witness`` a row whose results differ between two.
    """

    conclusion: str
    invariant: bool
    classes: "tuple[tuple[int, ...], ...]"
    findings: "tuple[Finding, ...]"
    witness: Optional[PairWitness]


@dataclass(frozen=True)
class Explanation(_Result):
    """Where two arrays differ, by how much and, with an operation, why.

    It has the fields of ``lastbit explain --json``: ``count`` elements, of which
    ``differing`` differ by ``max_ulps`` at most, the first at index ``first``;
    ``explained``, ``causes``, the models ``a`` and ``b`` that reproduce the results,
    and ``closer``, the one nearer to the exact result.
    """

    count: int
    differing: int
    max_ulps: int
    explained: bool
    causes: "tuple[str, ...]"

    @property
    def same(self) -> bool:
        """Whether all elements are equal, bit for bit."""
        return self.differing == 0

    def __getattr__(self, name: str) -> Any:
        data = self.__dict__.get("_data", {})
        if name in data:
            return data[name]
        raise AttributeError(f"an explanation has no field {name}")

    def __dir__(self) -> "list[str]":
        return sorted({*super().__dir__(), *self._data})


def finding(data: "dict[str, Any]") -> Finding:
    """Return a finding of its JSON."""
    tree = data["tree"]
    if tree is None and data.get("tree_gzip"):
        tree = gzip.decompress(base64.b64decode(data["tree_gzip"])).decode()
    w, witness = data["witness"], None
    if w is not None:
        want = w.get("want")
        witness = Witness(
            w["what"], _numbers(w["x"]), _numbers(w.get("y")), _numbers(w["seen"]), float(want[0]) if want else None
        )
    return Finding(data, data["verdict"], data["verified"], data["family"], tree, data["calls"], witness)


def comparison(data: "dict[str, Any]") -> Comparison:
    """Return a comparison of its JSON."""
    findings = tuple(map(finding, data["findings"]))
    witnesses = [
        _pair((_name(data["findings"][d["a"]]), _name(data["findings"][d["b"]])), d["witness"])
        for d in data["differences"] or ()
        if d["witness"]
    ]
    groups = tuple(tuple(g) for g in data["groups"])
    conclusion = data["conclusion"]
    return Comparison(data, conclusion, conclusion == "same", findings, groups, witnesses[0] if witnesses else None)


def invariance(data: "dict[str, Any]") -> Invariance:
    """Return an invariance of its JSON."""
    classes = tuple(tuple(int(m) for m in c["members"]) for c in data["classes"])
    findings = tuple(finding(c["representative"]) for c in data["classes"])
    witnesses = [
        _pair((f"m={b['from']}", f"m={b['to']}"), b["witness"]) for b in data["boundaries"] or () if b["witness"]
    ]
    return Invariance(
        data, data["conclusion"], data["invariant"], classes, findings, witnesses[0] if witnesses else None
    )


def explanation(data: "dict[str, Any]") -> Explanation:
    """Return an explanation of its JSON."""
    return Explanation(
        data, data["count"], data["differing"], data["max_ulps"], data["explained"], tuple(data["causes"] or ())
    )


def _name(data: "dict[str, Any]") -> str:
    target = data["key"]["target"]
    return target[len("caller:"):] if target.startswith("caller:") else target


def _pair(names: "tuple[str, str]", w: "dict[str, Any]") -> PairWitness:
    bits = (w["bits"][0], w["bits"][1])
    return PairWitness(names, _numbers(w["x"]), _numbers(w.get("y")), _numbers(w["outs"]), bits, w["ulps"])
