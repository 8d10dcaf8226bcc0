"""Asks the lastbit command about callables of this process.

The command runs as a child, and this process answers its questions on a
connection of their own, in the thread that asks: a callable sees the caller's
threads, devices, modes and closures. The command sends the program that answers,
probe/python in its source, so both speak the same protocol.
"""

import contextlib
import json
import linecache
import os
import secrets
import signal
import socket
import subprocess
import threading
import time
import types
from typing import Any, Callable, Iterator, Optional

from . import _binary
from ._errors import Error

_GRACE = 2.0  # seconds that the command has to end
_AGAIN = 0.2  # seconds between two attempts to end a callable
_CURE = "call it again"
_ARRAYS = ("numpy", "torch", "jax", "pandas", "polars", "pyarrow", "list")


class _Late(BaseException):
    """Ends a callable that nobody waits for any more."""


class Question:
    """Arguments of the command, and the callables that they name.

    ``target`` names a callable in them; ``ask`` runs the command.
    """

    def __init__(self, arrays: Optional[str] = None) -> None:
        if arrays is not None and arrays not in _ARRAYS:
            raise Error("bad-usage", f"arrays={arrays!r} names no container of numbers", "use one of " + ", ".join(_ARRAYS))
        self._arrays = arrays
        self._callables: "dict[str, Callable[..., Any]]" = {}

    def target(self, f: Any) -> str:
        """Return the address of a callable. A text is an address already."""
        if isinstance(f, str):
            return f
        if not callable(f):
            raise Error(
                "bad-usage",
                f"{f!r} cannot be called",
                "give a function of an array, or an address such as 'py:numpy.sum'",
            )
        title = _title(f)
        name, number = title, 1
        while name in self._callables and self._callables[name] is not f:
            number += 1
            name = f"{title}-{number}"
        self._callables[name] = f
        return "caller:" + name

    def ask(self, *arguments: str) -> "dict[str, Any]":
        """Run the command with --json and return its object."""
        if not self._callables:
            return run(*arguments)
        watch = _Watch()
        with _Command(arguments) as command:
            command.start(watch)
            given = {}
            try:
                answering = _program(command.connection)
                for name, f in self._callables.items():
                    given[name] = answering.Given(f, self._arrays, watch)
                with watch.interruptible():
                    answering.answer(command.connection, given)
            except (_Late, OSError):
                pass  # the command has ended, and knows why
            result = command.result()
        if isinstance(result, Error):
            if result.id == "callable-raised":
                for answerer in given.values():
                    if answerer.error is not None:
                        raise result from answerer.error
            raise result
        return result


def run(*arguments: str, given: Optional[str] = None) -> "dict[str, Any]":
    """Run the command with --json, a text on its standard input, and return its object."""
    done = _complete([*arguments, "--json"], given)
    result = _parse(arguments[0], done.returncode, done.stdout, done.stderr)
    if isinstance(result, Error):
        raise result
    return result


def text(*arguments: str, given: Optional[str] = None) -> str:
    """Run the command with a text on its standard input, and return what it prints."""
    done = _complete(list(arguments), given)
    if done.returncode not in (0, 1):
        raise _failure(arguments[0], done.returncode, done.stderr)
    return done.stdout.decode("utf-8", "replace")


def exit_code(*arguments: str, folder: str) -> "tuple[int, str]":
    """Run the command in a folder, and return its exit code and what it prints."""
    done = _complete(list(arguments), None, folder)
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace").strip()


def _complete(
    arguments: "list[str]", given: Optional[str], folder: Optional[str] = None
) -> "subprocess.CompletedProcess[bytes]":
    with _starting():
        return subprocess.run(
            [_binary.find(), *arguments],
            input=(given or "").encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_binary.environment(),
            cwd=folder,
            check=False,
        )


@contextlib.contextmanager
def _starting() -> "Iterator[None]":
    """A context whose errors of the system mean that the command cannot be started."""
    try:
        yield
    except OSError as error:
        raise Error(
            "command-start",
            f"lastbit cannot be started ({error.strerror or error})",
            "close files or end processes where there are too many, or run lastbit version by hand",
        ) from error


class _Command:
    """The command as a child, with a connection. It has ended when the context ends."""

    def __init__(self, arguments: "tuple[str, ...]") -> None:
        self._verb = arguments[0]
        self._arguments = [_binary.find(), *arguments, "--threads", "-1", "--json"]
        self._process: "Optional[subprocess.Popen[bytes]]" = None
        self.connection: Any = None  # a socket
        self._reader: Optional[threading.Thread] = None
        self._output: "Optional[tuple[bytes, bytes]]" = None

    def __enter__(self) -> "_Command":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self._end()
        except BaseException:  # a second interrupt
            if self._process:
                self._process.kill()
            raise

    def start(self, watch: "_Watch") -> None:
        """Start the command and connect to it. When it has ended, watch stops the callable."""
        if os.name == "nt":
            self._start_listening()
        else:
            self._start_inheriting()
        self._reader = threading.Thread(target=self._read, args=(watch,), name="lastbit", daemon=True)
        self._reader.start()

    def _start_inheriting(self) -> None:
        with _starting():
            self.connection, theirs = _pair()
        with theirs:
            self._popen(f"fd:{theirs.fileno()}", pass_fds=[theirs.fileno()], start_new_session=True)

    def _start_listening(self) -> None:
        token = secrets.token_hex(16)
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen()
            server.settimeout(30)
            host, port = server.getsockname()
            group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
            self._popen(f"tcp:{host}:{port}:{token}", creationflags=group)
            while True:
                self.connection, _ = server.accept()
                self.connection.settimeout(10)
                if _line(self.connection) == token:
                    self.connection.settimeout(None)
                    return
                self.connection.close()

    def _popen(self, place: str, **options: Any) -> None:
        with _starting():
            self._process = subprocess.Popen(
                self._arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(_binary.environment(), LASTBIT_CALLER=place),
                **options,
            )

    def _read(self, watch: "_Watch") -> None:
        assert self._process
        try:
            self._output = self._process.communicate()
        except (OSError, ValueError):  # a callable has closed its pipes
            self._process.kill()
            self._process.wait()
        self._hang_up()  # processes that hold its end open do not matter
        watch.stop()

    def _hang_up(self) -> None:
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it is closed already

    def result(self) -> "dict[str, Any] | Error":
        """Wait for the end of the command and return its object, or its error."""
        assert self._process and self._reader
        self._hang_up()
        self._reader.join()
        if self._output is None:
            how = f"the pipes of lastbit {self._verb} were closed in this process, so it has no result"
            return Error("failed", how, "let the callable close only what it has opened")
        return _parse(self._verb, self._process.returncode, *self._output)

    def _end(self) -> None:
        if self._process is None:
            if self.connection:
                self.connection.close()
            return
        self._hang_up()
        if self._process.poll() is None:
            self._process.terminate()
        if self._reader:
            self._reader.join(_GRACE)
        if self._process.poll() is None:
            self._process.kill()
        if self._reader:
            self._reader.join()
        else:
            self._process.communicate()
        with contextlib.suppress(OSError):  # a callable has closed it
            self.connection.close()


def _pair() -> "tuple[socket.socket, socket.socket]":
    """Return connected sockets. Their numbers are none that a child has for its streams."""
    standard = 3
    pair = socket.socketpair()
    held = []
    try:
        while min(end.fileno() for end in pair) < standard:
            held.append(pair)
            pair = socket.socketpair()
    finally:
        for end in [end for ends in held for end in ends]:
            end.close()
    return pair


class _Watch:
    """A context that a callable runs in, and that another thread can end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread = threading.get_ident()
        self._inside = self._stopped = False
        self._by_signal = self._signalled = False  # signalled: the handler has not seen it
        self._sent = 0  # signals

    def __enter__(self) -> None:
        with self._lock:
            if self._stopped:
                raise _Late
            self._inside = True

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._inside = False

    def stop(self) -> None:
        """End the callable, and wait until it has ended. It may catch exceptions and go on for a while."""
        self._stopped = True
        while self._interrupt():
            time.sleep(_AGAIN)

    def _interrupt(self) -> bool:
        with self._lock:
            if not self._inside:
                return False
            if self._by_signal:
                self._signalled = True
                self._sent += 1
                signal.pthread_kill(self._thread, signal.SIGINT)
            else:
                _raise_in(self._thread, _Late)
            return True

    def interruptible(self) -> "_Interrupts":
        """Return a context in which stop interrupts system calls too, where it can."""
        return _Interrupts(self)


class _Interrupts:
    """While it lasts, an interrupt by a _Watch ends the callable, and others are the user's.

    The main thread is interrupted by a signal, which ends a sleep as well; other
    threads at their next instruction of Python.
    """

    def __init__(self, watch: _Watch) -> None:
        self._watch = watch
        self._before: Any = None
        self._wakeups: "Optional[_Wakeups]" = None

    def __enter__(self) -> None:
        before = signal.getsignal(signal.SIGINT)
        main = threading.current_thread() is threading.main_thread()
        if not main or before is None or not hasattr(signal, "pthread_kill"):
            return
        try:
            signal.signal(signal.SIGINT, self._handle)
        except ValueError:  # in a subinterpreter
            return
        self._before = before
        self._wakeups = _Wakeups()
        self._watch._by_signal = True

    def _handle(self, number: int, frame: Any) -> None:
        if self._watch._signalled:
            self._watch._signalled = False
            if self._watch._inside:
                raise _Late
        elif callable(self._before):
            self._before(number, frame)
        elif self._before == signal.SIG_DFL:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        watch = self._watch
        while True:
            try:
                with watch._lock:
                    watch._inside = False
                while watch._signalled:  # the signal is on its way
                    time.sleep(0.001)
                with watch._lock:
                    if self._before is not None:
                        signal.signal(signal.SIGINT, self._before)
                        self._before = None
                        self._wakeups.end(watch._sent)
                    elif watch._stopped:
                        _raise_in(watch._thread, None)
                return
            except _Late:  # it was on its way
                continue


class _Wakeups:
    """Holds back the numbers of signals that Python writes to a loop, such as asyncio's.

    The loop must not take an interrupt by a _Watch for one of the user. It does not
    run meanwhile, since the main thread is in the context.
    """

    def __init__(self) -> None:
        self._before = -1
        try:
            self._inner, self._outer = socket.socketpair()
        except OSError:  # too many files are open
            return
        for end in (self._inner, self._outer):
            end.setblocking(False)
        self._before = signal.set_wakeup_fd(self._outer.fileno(), warn_on_full_buffer=False)
        if self._before == -1:
            self._restore()
            self._close()

    def _restore(self) -> None:
        with contextlib.suppress(ValueError, OSError):  # it has been closed meanwhile
            signal.set_wakeup_fd(self._before)

    def _close(self) -> None:
        self._inner.close()
        self._outer.close()

    def end(self, interrupts: int) -> None:
        """Pass on all signals except for some interrupts."""
        if self._before == -1:
            return
        self._restore()
        signals = bytearray()
        with contextlib.suppress(BlockingIOError):
            signals += self._inner.recv(1 << 16)
        self._close()
        for _ in range(interrupts):
            if signal.SIGINT in signals:
                signals.remove(signal.SIGINT)
        if signals:
            with contextlib.suppress(OSError):
                os.write(self._before, signals)


def _raise_in(thread: int, kind: "Optional[type[BaseException]]") -> None:
    """Raise an exception in a thread, or with None take back one that it has not met yet."""
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(kind) if kind else None
    )


_programs: "dict[str, types.ModuleType]" = {}


def _program(connection: socket.socket) -> types.ModuleType:
    """Receive the program that answers, as a module."""
    size = _line(connection)
    if not size.isdigit():
        raise ConnectionError("the command has ended")
    code = _exactly(connection, int(size)).decode()
    if code not in _programs:
        file = f"<lastbit {len(_programs)}>"
        module = types.ModuleType("lastbit._program")
        module.__file__ = file
        exec(compile(code, file, "exec"), module.__dict__)
        linecache.cache[file] = (len(code), None, code.splitlines(True), file)
        _programs[code] = module
    return _programs[code]


def _line(connection: socket.socket) -> str:
    """Receive a short line, byte by byte, and return it without its end."""
    line = b""
    while len(line) < 80:
        byte = connection.recv(1)
        if byte in (b"", b"\n"):
            break
        line += byte
    return line.decode("ascii", "replace")


def _exactly(connection: socket.socket, size: int) -> bytes:
    parts = []
    while size > 0:
        part = connection.recv(size)
        if not part:
            raise ConnectionError("the command has ended")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _parse(verb: str, code: int, out: bytes, err: bytes) -> "dict[str, Any] | Error":
    """Return the object that the command has printed, or its error."""
    try:
        result = json.loads(out)
    except ValueError:
        return _failure(verb, code, err)
    if code in (0, 1) and "error" not in result:
        return result
    fault = result.get("error", {})
    if not fault:
        return _failure(verb, code, err)
    return Error(fault["id"], f"{fault['thing']}: {fault['cause']}", fault["cure"] or _CURE)


def _failure(verb: str, code: int, err: bytes) -> Error:
    """Return the error of a command that has ended without a result."""
    how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
    lines = err.decode("utf-8", "replace").strip().splitlines()
    words = f"; its last words: {lines[-1]}" if lines else ""
    return Error("failed", f"lastbit {verb} {how}, and has no result{words}", _CURE)


def _title(f: Callable[..., Any]) -> str:
    """Return a name for a callable that fits in an address."""
    inner = f if hasattr(f, "no such attribute") else getattr(f, "func", f)
    module = getattr(inner, "__module__", None) or type(getattr(inner, "__self__", inner)).__module__
    name = getattr(inner, "__qualname__", "") or type(inner).__qualname__
    name = ".".join(part for part in name.split(".") if part[0] not in "_<") or name.rpartition(".")[2]
    module = {"__main__": "", "builtins": ""}.get(module, module)
    if module.startswith("torch."):
        module = "torch"
    parts = [module, name.strip("<>")] if module else [name]
    return "".join(c if c.isalnum() or c in "._" else "-" for c in ".".join(parts)).strip("-.")
