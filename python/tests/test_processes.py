"""Forked, spawned and threaded callers."""

import ctypes
import multiprocessing
import os
import platform
import signal
import subprocess
import sys
import threading
import unittest

import numpy

import lastbit

N = 10**7  # enough for several threads


def data():
    return numpy.arange(N, dtype="float64") * 0.1


def summed(part):
    return lastbit.Accumulator(part).state()


class TestProcesses(unittest.TestCase):
    def setUp(self):
        signal.signal(signal.SIGALRM, lambda *_: self.fail("a process hangs"))
        signal.alarm(60)
        self.addCleanup(signal.alarm, 0)

    def test_fork(self):
        x = data()
        want = lastbit.sum(x)
        accumulator = lastbit.Accumulator(x[:1000])
        digest = accumulator.digest()

        def child(generation):
            good = lastbit.sum(x) == want and accumulator.digest() == digest
            if generation < 3 and good:
                good = self.status(lambda: child(generation + 1)) == 0
            return good

        self.assertEqual(self.status(lambda: child(1)), 0)
        self.assertEqual(lastbit.sum(x), want)

    def status(self, work):
        """Run work in a forked process, and return its exit status."""
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                signal.alarm(50)
                code = 0 if work() else 2
            finally:
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def test_fork_while_threads_sum(self):
        x = data()
        want = lastbit.sum(x)
        stop = threading.Event()

        def work():
            while not stop.is_set():
                lastbit.sum(x)

        threads = [threading.Thread(target=work) for _ in range(2)]
        for t in threads:
            t.start()
        try:
            for _ in range(5):
                self.assertEqual(self.status(lambda: lastbit.sum(x) == want), 0)
        finally:
            stop.set()
            for t in threads:
                t.join()

    def test_threads_in_a_child(self):
        x = data()
        lastbit.sum(x)

        def child():
            sums = []
            threads = [threading.Thread(target=lambda: sums.append(lastbit.sum(x)))
                       for _ in range(8)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            return len(set(sums)) == 1

        self.assertEqual(self.status(child), 0)

    def test_pools(self):
        x = data()
        want = lastbit.Accumulator(x).digest()
        parts = numpy.array_split(x, 4)
        for method in ["fork", "spawn"]:
            with multiprocessing.get_context(method).Pool(2) as pool:
                total = lastbit.Accumulator()
                for state in pool.map(summed, parts):
                    total.merge(lastbit.Accumulator.from_state(state))
            self.assertEqual(total.digest(), want, method)

    def test_threads(self):
        total = lastbit.Accumulator()
        parts = numpy.array_split(data(), 64)

        def work(k):
            for part in parts[k::8]:
                total.add(part)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(total.digest(), lastbit.Accumulator(data()).digest())

    def test_signals_reach_the_program(self):
        code = """if True:
            import array, glob, lastbit
            lastbit.sum(array.array("d", [0.5]) * 10**7)
            for path in sorted(glob.glob("/proc/self/task/*/status")):
                try:
                    with open(path) as file:
                        print([line.split()[1] for line in file if line.startswith("SigBlk")][0])
                except (FileNotFoundError, ProcessLookupError):
                    pass  # the thread has ended
            """
        masks = subprocess.check_output([sys.executable, "-c", code], text=True).split()
        self.assertGreater(len(masks), 1, "the library has no thread")
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGALRM, signal.SIGUSR1]:
            blocked = [int(mask, 16) >> number - 1 & 1 for mask in masks]
            self.assertEqual(blocked, [0] + [1] * (len(masks) - 1), number)

    @unittest.skipUnless(platform.machine() == "x86_64", "the constant is x86's")
    def test_the_program_rounds_upwards(self):
        upwards = 0x800
        libm = ctypes.CDLL("libm.so.6")
        x = numpy.random.default_rng(1).uniform(-1, 1, 1001)
        functions = [lastbit.sum, lastbit.mean, lastbit.norm, lastbit.std, lastbit.math.exp]
        arrays = [x, x[::2], x.astype("float16"), x.astype("float32")]
        want = [f(a).tolist() for f in functions for a in arrays]
        self.assertEqual(libm.fesetround(upwards), 0)
        try:
            got = [f(a).tolist() for f in functions for a in arrays]
            direction = libm.fegetround()
        finally:
            libm.fesetround(0)
        self.assertEqual(direction, upwards)
        self.assertEqual(got, want)


if __name__ == "__main__":
    unittest.main()
