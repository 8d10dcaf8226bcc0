"""What the tests of questions about callables share."""

import gc
import os
import signal
import sys
import threading
import unittest

import lastbit
import numpy as np

torch = None
if "torch" in sys.argv[1:]:
    sys.argv.remove("torch")
    import torch

def chain(x):
    """Add from left to right, in the format of the array."""
    s = x[0]
    for v in x[1:]:
        s = s + v
    return s


def children():
    """The processes of this one, whose threads may end meanwhile."""
    found = []
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/children") as file:
                found += [int(pid) for pid in file.read().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def after(calls, act):
    """A sum whose call of this number does something else."""
    count = [0]

    def counted(x):
        count[0] += 1
        if count[0] == calls:
            return act(x)
        return chain(x)

    return counted


def reveal_chain(_=None):
    return lastbit.reveal(chain, n=9).tree


FOLDER = os.path.dirname(os.path.abspath(__file__))
CHAIN = "((((((((0 1) 2) 3) 4) 5) 6) 7) 8)"


class Asking(unittest.TestCase):
    """Every test leaves no process, no thread and no setting behind."""

    def setUp(self):
        self.before = self.state()

    def tearDown(self):
        self.assertEqual(self.state(), self.before)
        self.assertEqual(reveal_chain(), CHAIN)

    def state(self):
        gc.collect()  # exceptions hold frames
        return (
            children(),
            [t for t in threading.enumerate() if t.name == "lastbit"],
            signal.getsignal(signal.SIGINT),
            dict(os.environ),
            np.geterr(),
            torch.is_grad_enabled() if torch else None,
            len(os.listdir("/proc/self/fd")),
        )

    def fails(self, f, id, **options):
        """Check that a callable ends in one error, and return it."""
        options.setdefault("n", 9)
        with self.assertRaises(lastbit.Error) as caught:
            lastbit.reveal(f, **options)
        self.assertEqual(caught.exception.id, id, caught.exception)
        return caught.exception


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
