"""dot.py multiplies and adds float64 values from right to left."""
import sys
from array import array

stdin, stdout = sys.stdin.buffer, sys.stdout.buffer

def reply(line, data=b""):
    stdout.write(line.encode() + b"\n" + data)
    stdout.flush()

hello = dict(word.split("=", 1) for word in stdin.readline().decode().split()[2:])
hello.pop("shm", None)  # the only key that may be ignored
n, lanes = int(hello.pop("n")), int(hello.pop("lanes"))
if hello != {"op": "dot", "dtype": "f64"}:
    reply("error this program knows only op=dot dtype=f64")
    sys.exit(1)
reply("ok library=dot.py version=1.0")
while stdin.readline() == b"call\n":
    x, y = array("d", stdin.read(lanes * n * 8)), array("d", stdin.read(n * 8))
    out = array("d")
    for r in range(lanes):
        s = 0.0
        for i in reversed(range(n)):
            s += x[r * n + i] * y[i]
        out.append(s)
    reply("ok", out.tobytes())
