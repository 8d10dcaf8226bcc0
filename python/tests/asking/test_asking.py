"""Callables that behave badly, and callers that fork, spawn and use threads.

A Go test runs this file.
"""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import lastbit
import numpy as np
from asking import CHAIN, FOLDER, Asking, after, chain, children, is_running, reveal_chain
from lastbit import _ask


class TestCallables(Asking):
    def test_exception(self):
        for calls in (1, 2, 20):
            error = self.fails(after(calls, lambda x: [][0]), "callable-raised", arrays="numpy")
            self.assertIsInstance(error.__cause__, IndexError)
            self.assertIn("test_asking.py, line", error.cause)

    def test_exit(self):
        error = self.fails(after(5, lambda x: sys.exit(3)), "callable-raised")
        self.assertIsInstance(error.__cause__, SystemExit)

    def test_results(self):
        for wrong in (None, "one", 1j, [1.0], np.ones(2, "f4"), np.int32(3), np.True_):
            self.fails(lambda x: wrong, "callable-result")
            self.fails(after(7, lambda x: wrong), "callable-result")
        self.fails(after(7, lambda x: np.float64(1)), "callable-result")

    def test_nan(self):
        self.fails(lambda x: np.float32("nan"), "returns-nan")

    def test_infinity_later(self):
        found = lastbit.reveal(after(30, lambda x: np.float32("inf")), n=9)
        self.assertNotEqual((found.verdict, found.verified), ("tree", True))

    def test_changes(self):
        def zero(x):
            x[0] = 0
            return chain(x)

        self.fails(zero, "callable-changes")

    def test_warnings_as_errors(self):
        with np.errstate(all="raise"):
            self.assertEqual(reveal_chain(), CHAIN)

    def test_forks(self):
        def fork(x):
            pid = os.fork()
            if pid:
                os.waitpid(pid, 0)
            return chain(x)

        self.assertEqual(lastbit.reveal(fork, n=4).tree, "(((0 1) 2) 3)")

    def test_nested(self):
        inner = after(3, lambda x: chain(x) if reveal_chain() == CHAIN else None)
        self.assertEqual(lastbit.reveal(inner, n=9).tree, CHAIN)

    def test_integers(self):
        found = lastbit.reveal(lambda a, b: a @ b, n=40, dtype="int8", op="dot", arrays="numpy")
        self.assertEqual((found.verdict, found.verified), ("exact", True))
        self.assertIn("modulo 2^8", str(found))

    def test_not_callable(self):
        self.fails(3, "bad-usage")
        self.fails(chain, "bad-dtype", dtype="int16")
        self.fails(chain, "bad-usage", arrays="tables")
        self.fails("caller:nobody", "no-caller")


class TestHangs(Asking):
    def test_loop(self):
        def loop(x):
            while True:
                pass

        self.fails(loop, "worker-timeout", timeout=0.5)
        self.fails(after(20, loop), "worker-timeout", timeout=0.5)

    def test_sleep(self):
        self.fails(after(20, lambda x: time.sleep(1e6)), "worker-timeout", timeout=0.5)

    def test_lock(self):
        lock = threading.Lock()
        with lock:
            self.fails(after(2, lambda x: lock.acquire()), "worker-timeout", timeout=0.5)

    def test_catches_everything(self):
        def stubborn(x):
            for _ in range(3):
                try:
                    time.sleep(1e6)
                except BaseException:
                    pass
            return chain(x)

        self.fails(after(4, stubborn), "worker-timeout", timeout=0.5)

    def test_in_a_thread(self):
        def loop(x):
            while True:
                time.sleep(0.01)

        errors = []

        def ask():
            try:
                lastbit.reveal(after(9, loop), n=9, timeout=0.5)
            except lastbit.Error as error:
                errors.append(error.id)

        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
        self.assertEqual(errors, ["worker-timeout"])


class TestInterrupts(Asking):
    def interrupted(self, f, **options):
        with self.assertRaises(KeyboardInterrupt):
            lastbit.reveal(f, **options)

    def test_raised(self):
        def interrupt(x):
            raise KeyboardInterrupt

        self.interrupted(after(5, interrupt), n=9)

    def test_signal_in_a_call(self):
        def interrupt(x):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1e6)

        self.interrupted(after(5, interrupt), n=9)

    def test_signal_between_calls(self):
        # The signal comes when the callable has returned, mostly while the command computes.
        def interrupt(x):
            threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()
            return np.sum(x)

        self.interrupted(after(5, interrupt), n=100000)

    def test_handler_of_the_user(self):
        seen = []
        before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
        try:
            f = after(5, lambda x: os.kill(os.getpid(), signal.SIGINT) or chain(x))
            self.assertEqual(lastbit.reveal(f, n=9).tree, CHAIN)
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertEqual(seen, [1])

    def test_handlers_of_a_loop(self):
        """A loop gets the signals of others, and not the one that ends a callable."""
        seen = []

        async def ask(f, **options):
            loop = asyncio.get_running_loop()
            for number in (signal.SIGINT, signal.SIGUSR1):
                loop.add_signal_handler(number, seen.append, number)
            try:
                return lastbit.reveal(f, n=9, **options)
            finally:
                await asyncio.sleep(0.05)

        def sends(x):
            os.kill(os.getpid(), signal.SIGUSR1)
            os.kill(os.getpid(), signal.SIGINT)
            return chain(x)

        with self.assertRaisesRegex(lastbit.Error, "worker-timeout"):
            asyncio.run(ask(lambda x: time.sleep(1e6), timeout=0.3))
        self.assertEqual(seen, [])
        self.assertEqual(asyncio.run(ask(after(5, sends))).tree, CHAIN)
        self.assertEqual(sorted(seen), [signal.SIGINT, signal.SIGUSR1])


class TestEnds(Asking):
    def test_killed_command(self):
        def kill(x):
            for pid in children():
                os.kill(pid, signal.SIGKILL)
            return chain(x)

        self.assertIn("signal 9", self.fails(after(5, kill), "failed").cause)

    def test_killed_command_while_a_call_lasts(self):
        def kill(x):
            for pid in children():
                os.kill(pid, signal.SIGKILL)
            time.sleep(1e6)

        self.fails(after(5, kill), "failed")

    def test_killed_command_and_a_fork_that_holds_the_connection(self):
        pids = []

        def fork(x):
            pid = os.fork()
            if not pid:
                time.sleep(1e6)
                os._exit(0)
            pids.append(pid)
            for other in children():
                if other != pid:
                    os.kill(other, signal.SIGKILL)
            return chain(x)

        try:
            self.fails(after(5, fork), "failed")
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)

    def test_missing_command(self):
        os.environ["LASTBIT"], before = "/nowhere/lastbit", os.environ["LASTBIT"]
        try:
            self.fails(chain, "command-missing")
        finally:
            os.environ["LASTBIT"] = before

    def test_not_the_command(self):
        os.environ["LASTBIT"], before = "/bin/false", os.environ["LASTBIT"]
        try:
            self.fails(chain, "failed")
        finally:
            os.environ["LASTBIT"] = before

    def test_no_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lastbit")
            with open(path, "w") as file:
                file.write("no program")
            os.chmod(path, 0o700)
            os.environ["LASTBIT"], before = path, os.environ["LASTBIT"]
            try:
                self.fails(chain, "command-start")
                with self.assertRaises(lastbit.Error) as caught:
                    lastbit.explain([1.0], [2.0])
                self.assertEqual(caught.exception.id, "command-start")
            finally:
                os.environ["LASTBIT"] = before

    def test_cancelled_command(self):
        code = """if True:
            import os, signal, sys, time
            sys.path.insert(0, sys.argv[1])
            import asking as t
            def end(x):
                os.kill(t.children()[0], signal.SIGTERM)
                time.sleep(1e6)
            try:
                t.lastbit.reveal(t.after(5, end), n=9, timeout=1e6)
            except t.lastbit.Error as error:
                print(error.id, bool(error.cure))
        """
        done = subprocess.run([sys.executable, "-c", code, FOLDER], stdout=subprocess.PIPE)
        self.assertEqual(done.stdout, b"cancelled True\n")

    def test_closed_streams(self):
        code = """if True:
            import os, sys
            report = os.dup(1)
            for k in range(3):
                os.close(k)
            sys.path.insert(0, sys.argv[1])
            import asking as t
            os.write(report, t.lastbit.reveal(t.chain, n=9).family.encode())
        """
        done = subprocess.run([sys.executable, "-c", code, FOLDER], stdout=subprocess.PIPE)
        self.assertEqual(done.stdout, b"chain")

    def test_callable_that_closes_everything(self):
        code = """if True:
            import os, sys
            sys.path.insert(0, sys.argv[1])
            import asking as t
            try:
                t.lastbit.reveal(t.after(5, lambda x: os.closerange(3, 256)), n=9)
            except t.lastbit.Error as error:
                print(error.id, error.cure, t.children())
        """
        done = subprocess.run([sys.executable, "-c", code, FOLDER], stdout=-1, stderr=-1)
        want = b"failed let the callable close only what it has opened []\n"
        self.assertEqual((done.stdout, done.stderr), (want, b""))

    def test_killed_caller(self):
        """The command ends with its caller, although a fork of it holds the connection."""
        code = """if True:
            import os, signal, sys, time
            sys.path.insert(0, sys.argv[1])
            import asking as t
            def end(x):
                before = set(t.children())
                if not os.fork():
                    time.sleep(1e6)
                fork = set(t.children()) - before
                print(*before, *fork, flush=True)
                os.kill(os.getpid(), signal.SIGKILL)
            t.lastbit.reveal(t.after(5, end), n=9, timeout=1e6)
        """
        with subprocess.Popen([sys.executable, "-c", code, FOLDER], stdout=subprocess.PIPE) as process:
            command, fork = map(int, process.stdout.readline().split())
            process.wait()
            try:
                while is_running(command):  # or else the time of the test ends
                    time.sleep(0.05)
            finally:
                os.kill(fork, signal.SIGKILL)


class TestCallers(Asking):
    def test_forked(self):
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(reveal_chain, range(2)), [CHAIN] * 2)

    def test_spawned(self):
        code = """if True:
            import multiprocessing, sys
            sys.path.insert(0, sys.argv[1])
            import asking as t
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                assert pool.apply(t.reveal_chain) == t.CHAIN
        """
        subprocess.run([sys.executable, "-c", code, FOLDER], check=True)

    def test_threads(self):
        trees = []
        threads = [threading.Thread(target=lambda: trees.append(reveal_chain())) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(trees, [CHAIN] * 3)

    def test_fork_in_another_thread(self):
        """Forks of the caller hold copies of the connection, and change nothing."""
        begun, done, pids = threading.Event(), threading.Event(), []

        def fork():
            begun.wait()
            while not done.is_set() and len(pids) < 20:
                pid = os.fork()
                if not pid:
                    time.sleep(1e6)
                    os._exit(0)
                pids.append(pid)

        thread = threading.Thread(target=fork)
        thread.start()
        try:
            found = lastbit.reveal(lambda x: begun.set() or chain(x), n=9)
            self.assertEqual(found.tree, CHAIN)
        finally:
            begun.set()
            done.set()
            thread.join()
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)

    def test_prints(self):
        """What a callable prints reaches the caller's output, and nothing else does."""
        code = """if True:
            import os, sys
            sys.path.insert(0, sys.argv[1])
            import asking as t
            def loud(x):
                print("lastbit 1 ok error")
                os.write(1, b"ok\\n")
                os.system("echo call; echo error >&2")
                return t.chain(x)
            assert t.lastbit.reveal(loud, n=3).tree == "((0 1) 2)"
        """
        done = subprocess.run([sys.executable, "-u", "-c", code, FOLDER], capture_output=True, check=True)
        self.assertEqual(set(done.stdout.split(b"\n")), {b"lastbit 1 ok error", b"ok", b"call", b""})
        self.assertEqual(set(done.stderr.split()), {b"error"})

    def test_by_tcp(self):
        """The connection of systems without inherited sockets."""
        before = _ask._Command._start_inheriting
        _ask._Command._start_inheriting = _ask._Command._start_listening
        try:
            self.assertEqual(reveal_chain(), CHAIN)
            self.fails(after(5, lambda x: None), "callable-result")
        finally:
            _ask._Command._start_inheriting = before

    def test_addresses(self):
        found = lastbit.compare(chain, "go:naive", n=50)
        self.assertEqual(found.findings[0].tree, found.findings[1].tree)
        self.assertEqual(lastbit.compare("go:naive", "go:pairwise", n=50).conclusion, "different")

    def test_without_numpy(self):
        code = """if True:
            import sys
            sys.modules["numpy"] = None
            import lastbit, math
            assert lastbit.reveal(math.fsum, n=4, dtype="float64").verdict == "exact"
            assert lastbit.reveal(lambda x: x[0] + (x[1] + x[2]), n=3, dtype="float64").tree == "(0 (1 2))"
            assert lastbit.explain([1.0, 2.0], [1.0, 3.0]).differing == 1
        """
        subprocess.run([sys.executable, "-c", code], check=True)


if __name__ == "__main__":
    unittest.main()
