"""The program at the other end of lastbit's py: targets; docs/reference/wire.md is its protocol.

It runs under any Python from 3.6 on, and loads only the modules that a call needs.
"""
import ctypes
import faulthandler
import importlib
import importlib.machinery
import importlib.util
import inspect
import mmap
import operator
import os
import re
import struct
import sys
import threading
import traceback
import typing
import urllib.parse

SIZES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2}
NAMES = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16"}
LONG = {short: name for name, short in NAMES.items()}
INTEGERS = {name + bits: short + bits for name, short in (("int", "i"), ("uint", "u")) for bits in ("8", "16", "32", "64")}
LONGEST = 4000  # characters of an error's text


class Refused(Exception):
    """The request cannot be met."""


class Request:
    """The hello of a host. Keys it does not know are refused."""

    numbers = {"n": 0, "lanes": 1, "m": 0, "cols": 0, "stride": 1, "align": 0, "threads": 1, "limit": 0}
    guest = False  # whether this process is the caller's, whose settings stay as they are
    words = ("op", "dtype", "integers", "axis", "trans", "order", "acc", "out_index", "device", "shm", "function")

    def __init__(self, line):
        head = line.split()
        if head[:2] != ["lastbit", "1"]:
            raise Refused("not a hello of version 1: %r" % line)
        for word in self.words:
            setattr(self, word, "")
        for number, default in self.numbers.items():
            setattr(self, number, default)
        for pair in head[2:]:
            key, _, value = pair.partition("=")
            value = urllib.parse.unquote(value)
            if key in self.numbers:
                setattr(self, key, int(value))
            elif key in self.words:
                setattr(self, key, value)
            else:
                raise Refused("unknown key %s" % key)
        self.index = [int(i) for i in self.out_index.split(",") if i]
        self.cols = max(1, self.cols)
        self.products = self.op in ("dot", "gemv", "gemm")
        self.rows = self.op in ("gemv", "gemm", "rmsnorm", "softmax", "attention")
        self.element = {"i8": "int8", "u8": "uint8"}[self.integers] if self.integers else LONG.get(self.dtype, "")

    def refuse(self, *keys):
        """Refuse the request if it sets one of these keys."""
        for key in keys:
            value = getattr(self, key)
            if value != self.numbers.get(key, ""):
                raise Refused("%s does not offer %s=%s" % (self.function, key, value))


class Buffers:
    """The arrays on the wire: X, Y and the results."""

    def __init__(self, request):
        size = SIZES[request.dtype]
        nx = request.lanes * request.n * size
        ny = request.n * size if request.products else 0
        self.map = share(request.shm)
        if self.map is None:
            self.x, self.y = memoryview(bytearray(nx)), memoryview(bytearray(ny))
            return
        view, start = memoryview(self.map), up(nx)
        self.x, self.y, self.out = view[:nx], view[start:start + ny], start + up(ny)

    def receive(self, stdin):
        """Read X and Y, unless they are here already; False at the end of the input."""
        if self.map is not None:
            return True
        return stdin.readinto(self.x) == len(self.x) and (not self.y or stdin.readinto(self.y) == len(self.y))

    def send(self, stdout, results):
        """Answer with results."""
        if self.map is not None:
            self.map[self.out:self.out + len(results)] = results
            results = b""
        stdout.write(b"ok\n" + results)
        stdout.flush()


def up(n):
    return (n + 63) & ~63


def share(path):
    """Map the shared memory, None where that is not possible."""
    if not path:
        return None
    try:
        fd = os.open(path, os.O_RDWR)
        try:
            return mmap.mmap(fd, 0)
        finally:
            os.close(fd)
    except (OSError, ValueError):
        return None


def load(name):
    """Import a module."""
    top = name.partition(".")[0]
    if importlib.util.find_spec(top) is None:
        raise Refused("unavailable: no module %s" % top)
    try:
        return importlib.import_module(name)
    except Exception as e:  # a broken installation may raise anything
        raise Refused("unavailable: module %s cannot be imported: %s: %s" % (top, type(e).__name__, e))


def stdio():
    """The protocol's streams, taken away from everything else: what a library or a callable prints goes
    to standard error, at the end of each line."""
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout = open(1, "w", 1, "utf-8", "backslashreplace", closefd=False)
    return stdin, stdout


def by_address(request, buffers):
    """The session of the function that a request names."""
    kinds = {"numpy": NumPy, "torch": PyTorch, "jax": JAX, "math": Plain, "builtins": Plain}
    dotted = re.match(r"[\w.]+$", request.function)
    kind = kinds.get(request.function.partition(".")[0], own) if dotted else own
    return kind(request, buffers)


def open_session(line, make, late):
    """Set up the session of a hello by make, and try it, to learn the format of the results. If there is a
    limit to the time of that, late is called."""
    request = Request(line)
    buffers = Buffers(request)
    session = make(request, buffers)
    watch = threading.Timer(request.limit / 1000, late)
    if request.limit:
        watch.start()
    try:
        session.call()
    finally:
        watch.cancel()
    names = INTEGERS if request.integers else NAMES
    if session.out not in names:
        raise Refused("its results are of type %s" % session.out)
    if request.integers:
        fields = dict(session.about(), out=request.dtype, integers=names[session.out])
    else:
        fields = dict(session.about(), out=names[session.out])
    fields["runtime"] = "%s %d.%d.%d" % ((sys.executable,) + sys.version_info[:3])
    if request.threads < 0 and session.threads() > 0:
        fields["threads"] = session.threads()
    if request.op == "attention" or re.search(r"[.:]mean\)*$|^torch\.nn\.functional\.layer_norm$", request.function):
        fields["mean"] = 1
    if request.op in ("gemv", "gemm"):
        fields["cells"] = 1
    if getattr(session, "reach", None):
        fields["moves"] = "%d,%d,%d" % session.reach
    if buffers.map is not None:
        fields["shm"] = 1
        if type(session) in (NumPy, PyTorch, JAX, Plain):  # the functions of a library leave their operands alone
            fields["keeps"] = 1
    words = ["%s=%s" % (k, urllib.parse.quote(str(v), safe="/,:+")) for k, v in fields.items() if v != ""]
    return session, buffers, "ok " + " ".join(words)


def places(line):
    """The offsets of the operands that a request asks for."""
    _, _, at = line.partition(b" at=")
    return tuple(int(n) for n in at.split(b",")) if at else (0, 0, 0)


def one_line(error):
    """The answer for an error: its text on one line, without the middle of a long one."""
    text = str(error) if isinstance(error, Refused) else "%s: %s" % (type(error).__name__, words(error))
    text = " ".join(text.split())
    if len(text) > LONGEST:
        text = text[:LONGEST // 2] + " … " + text[-LONGEST // 2:]
    return "error " + text


def main():
    stdin, stdout = stdio()
    faulthandler.enable(all_threads=False)  # the line of a crash

    def reply(line):
        stdout.write(line.encode("utf-8", "replace") + b"\n")
        stdout.flush()

    def late():
        reply("error slow: its first call returned nothing within the time of a call")
        os._exit(1)

    converse(stdin, stdout, by_address, late)


def converse(stdin, stdout, make, late=None):
    """Answer requests until their end. A session is made by make, from a request and its buffers."""
    def reply(line):
        stdout.write(line.encode("utf-8", "replace") + b"\n")
        stdout.flush()

    sessions, using = {}, b""  # more than one where lastbit shares an interpreter
    for line in iter(stdin.readline, b""):
        word, _, name = line.partition(b" ")
        if word == b"use":
            using = name
        elif word == b"forget":
            sessions.pop(name, None)
        elif word == b"lastbit":
            sessions.pop(using, None)
            try:
                session, buffers, answer = open_session(line.decode(), make, late)
            except Exception as e:
                reply(one_line(e))
            else:
                sessions[using] = session, buffers
                reply(answer)
        elif using not in sessions:
            return reply(one_line(Refused("not a hello of version 1: %r" % line)))
        else:
            session, buffers = sessions[using]
            if not buffers.receive(stdin):
                return
            try:
                if getattr(session, "reach", None):
                    session.move(places(line))
                results = session.matrix() if line == b"cells\n" else session.call()
            except Exception as e:
                reply(one_line(e))
            else:
                buffers.send(stdout, results)

