"""Sums one Parquet file in every engine, and prints one table.

    python3 check.py REQUEST

REQUEST is a JSON object: rows, runs, folder; lastbit and mpirun, commands;
extension of DuckDB, jar of Spark, beam, a program; postgres, the address of a
server; and engines, a list, or an empty one for all. The exit status is 1 if a
digest differs from the one of lastbit sum, if math.fsum finds other bits, or if
an engine's own sums are right.
"""

import concurrent.futures
import json
import math
import os
import struct
import subprocess
import sys

import numpy
import pyarrow.compute
import pyarrow.csv

import data

ENGINES = ["duckdb", "clickhouse", "postgres", "spark", "datafusion", "beam"]
COLUMNS = ["x", "f", "i", "d"]


def bits(x):
    return "0x" + struct.pack(">d", x).hex()


def lastbit_sum(request, files, *before):
    """Returns the results of lastbit sum: by column and group, one each."""
    out = subprocess.run(
        [*before, request["lastbit"], "sum", *files, "--column", ",".join(COLUMNS), "--by", "k",
         "--digest", "--json", "--skip-empty", *(["--mpi"] if before else [])],
        check=True, capture_output=True, text=True).stdout
    return {(r["column"], r["key"]): r for r in json.loads(out)}


class Runs:
    """The runs of one method."""

    def __init__(self):
        self.count, self.digests, self.own = 0, set(), []

    def add(self, digests, own):
        self.count += 1
        self.digests.add(tuple(sorted(digests.items())))
        self.own.append(own)


class Check:
    def __init__(self, request):
        self.request, self.failures, self.methods = request, [], {}
        print("making the file", file=sys.stderr)
        self.table = data.write(request["file"], request["rows"], request["parts"])
        pyarrow.csv.write_csv(self.table, request["csv"])
        self.results = lastbit_sum(request, [request["file"]])
        self.digests = {k: r["digest"] for k, r in self.results.items()}
        assert len(self.digests) == len(COLUMNS) * len(data.GROUPS)

    def add(self, method, digests, own):
        if digests != self.digests:
            other = [k for k in self.digests if digests.get(k) != self.digests[k]]
            self.failures.append(f"{method}: other digests of {other}")
        self.methods.setdefault(method, Runs()).add(digests, own)

    def commands(self):
        """Runs lastbit sum, alone and as ranks of MPI."""
        print("lastbit", file=sys.stderr)
        files = [os.path.join(self.request["parts"], f"{n}.parquet") for n in range(4)]
        for _ in range(self.request["runs"]):
            for method, found in [
                ("lastbit sum", lastbit_sum(self.request, [self.request["file"]])),
                ("lastbit sum --mpi, 4 ranks", lastbit_sum(
                    self.request, files, self.request["mpirun"], "-n", "4")),
            ]:
                self.add(method, {k: r["digest"] for k, r in found.items()}, None)
        self.print_rows(self.methods)

    def engine(self, name):
        print(name, file=sys.stderr)
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engines.py")
        child = subprocess.run([sys.executable, script, name], input=json.dumps(self.request),
                               stdout=subprocess.PIPE, text=True)
        if child.returncode:
            self.failures.append(f"{name} did not run")
        return child.stdout

    def engines(self):
        """Runs the engines, one after the other, or few rows in two at a time."""
        with concurrent.futures.ThreadPoolExecutor(1 + (self.request["rows"] < 10**5)) as pool:
            for lines in pool.map(self.engine, self.request["engines"] or ENGINES):
                self.print_rows(self.read(lines))

    def read(self, lines):
        """Adds the runs of an engine, and returns its methods."""
        methods = {}
        for line in lines.splitlines():
            method, digests, own = json.loads(line)
            self.add(method, {(c, k): d for c, k, d in digests},
                     {k: float.fromhex(v) for k, v in own.items()})
            methods[method] = True
        return methods

    def print_rows(self, methods):
        """Prints the rows of methods, so that a long check shows what it has."""
        for method in methods:
            runs = self.methods[method]
            values, wrong, off = self.own(method)
            same = "the same" if len(runs.digests) == 1 else f"{len(runs.digests)} different"
            print(f"| {method} | {runs.count} | {same} | {values} | {wrong} | {off} |", flush=True)

    def python(self):
        """Compares the bits with Python's own exact sums."""
        print("python", file=sys.stderr)
        checked = 0
        for group in data.GROUPS:
            rows = self.table.filter(pyarrow.compute.equal(self.table["k"], group))
            for column in COLUMNS:
                want = total(column, rows[column].drop_null())
                if want is None:
                    continue
                checked += 1
                got = self.results[column, group]["bits"]
                if got != bits(want) and not (want == 0 and got == bits(-0.0)):
                    self.failures.append(f"{column} of {group}: {got}, and Python has {bits(want)}")
        return checked

    def own(self, method):
        """Returns the columns of a method about the engine's own sums: how many
        results they have, in the group of the most, how many groups are off, and
        by how many ULPs."""
        if self.methods[method].own[0] is None:
            return "", "", ""
        values, off, wrong = 0, 0, 0
        for group in data.FINITE:
            exact = struct.unpack(">d", bytes.fromhex(self.results["x", group]["bits"][2:]))[0]
            found = {run[group] for run in self.methods[method].own}
            values = max(values, len(found))
            worst = max(abs(v - exact) / math.ulp(exact) for v in found)
            wrong += worst > 0
            off = max(off, worst)
        if wrong == 0:
            self.failures.append(f"{method}: own sums are right, the file proves nothing")
        return values, f"{wrong} of {len(data.FINITE)}", f"{off:.2g}"


def total(column, numbers):
    """Returns the real sum, rounded once, or None where Python has none."""
    if column == "i":
        return float(sum(numbers.to_pylist()))
    if column == "d":
        units = sum(int(d.scaleb(2)) for d in numbers.to_pylist())
        return units / 100  # a quotient of integers is rounded once
    try:
        return math.fsum(numbers.to_numpy().astype(numpy.float64).tolist())
    except (OverflowError, ValueError):
        return None


def main():
    request = json.loads(sys.argv[1])
    folder = request["folder"]
    request |= {"file": os.path.join(folder, "one.parquet"), "csv": os.path.join(folder, "one.csv"),
                "parts": os.path.join(folder, "parts")}
    check = Check(request)
    print("| sums by | runs | digests | own sum: results, at most | groups off | ULPs off, at most |")
    print("|---|---|---|---|---|---|", flush=True)
    check.commands()
    checked = check.python()
    check.engines()
    print(f"\n{request['rows']} rows; {len(check.digests)} digests a run; Python's exact sums have "
          f"the bits of {checked}.")
    for failure in check.failures:
        print("FAILED:", failure)
    sys.exit(1 if check.failures else 0)


main()
