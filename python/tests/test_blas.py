"""NumPy on lastbit's BLAS, in this process and in another one."""

import hashlib
import os
import subprocess
import sys
import tempfile
import unittest

import lastbit

WORK = """
import hashlib, os, sys
import numpy as np
r = np.random.RandomState(1)
a, b = r.standard_normal((60, 60)), r.standard_normal(60)
def work():
    parts = [a @ a, a.T @ b, np.dot(b, b), np.linalg.solve(a, b), np.linalg.svd(a)[1]]
    return hashlib.sha256(b"".join(np.ascontiguousarray(p).tobytes() for p in parts)).hexdigest()
"""


def python(code, **environment):
    """Run code in a new interpreter, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout.strip()


class TestBlas(unittest.TestCase):
    def test_same_as_run(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            script.write(WORK + "print(work())\n")
            script.flush()
            done = lastbit.run([sys.executable, script.name], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0)
        want = done.stdout.strip()
        self.assertEqual(len(want), len(hashlib.sha256().hexdigest()))
        inside = "import lastbit\nwith lastbit.blas():\n    import numpy\n" + WORK
        for core in ["Haswell", "Nehalem"]:
            got = python(inside + "print(work())", OPENBLAS_CORETYPE=core)
            self.assertEqual(got, want, core)
        forked = inside + (
            "first = work()\npid = os.fork()\nif pid == 0:\n"
            "    os._exit(0 if work() == first else 3)\n"
            "print(os.WEXITSTATUS(os.waitpid(pid, 0)[1]), first)"
        )
        self.assertEqual(python(forked), "0 " + want)
        both = inside + "print(lastbit.sum(np.ones(10**6)), work())"
        self.assertEqual(python(both), "1000000.0 " + want)

    def test_late(self):
        code = (
            "import numpy, lastbit\n"
            "try:\n    lastbit.blas().__enter__()\n"
            "except lastbit.Error as e:\n    print(e.id, 'lastbit run' in e.cure)"
        )
        self.assertEqual(python(code), "blas-late True")

    def test_twice(self):
        code = (
            "import lastbit\nwith lastbit.blas():\n    import numpy\n"
            "with lastbit.blas():\n    print(numpy.ones(3) @ numpy.ones(3))"
        )
        self.assertEqual(python(code), "3.0")

    def test_no_library(self):
        code = (
            "import lastbit\n"
            "try:\n    lastbit.blas().__enter__()\n"
            "except lastbit.Error as e:\n"
            "    import os\n    print(e.id, os.environ.get('LASTBIT_RUN'))"
        )
        other = os.environ["LASTBIT_LIBRARY"]  # a library, and no BLAS
        for name in ("/none.so", __file__, other):
            self.assertEqual(python(code, LASTBIT_BLAS=name), "run-library None", name)

    def test_threads(self):
        code = (
            "import lastbit, threading\nfound = []\n"
            "def enter():\n"
            "    try:\n        found.append(lastbit.blas().__enter__() and 0)\n"
            "    except lastbit.Error as e:\n        found.append(e.id)\n"
            "threads = [threading.Thread(target=enter) for _ in range(4)]\n"
            "for t in threads:\n    t.start()\nfor t in threads:\n    t.join()\n"
            "print([f for f in found if isinstance(f, str)], len(found))"
        )
        self.assertEqual(python(code), "[] 4")

    def test_text(self):
        with self.assertRaises(lastbit.Error) as raised:
            lastbit.run("python3 script.py")
        self.assertEqual(raised.exception.id, "bad-usage")


if __name__ == "__main__":
    unittest.main()
