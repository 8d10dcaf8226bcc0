"""The program at the other end of lastbit's py: targets; docs/wire.md is its protocol.

It runs under any Python from 3.6 on, and loads nothing but what a call needs.
"""
import sys

# The working directory is not a place to import from: a random.py that lies
# there is not the one that NumPy means.
sys.path[:] = [p for p in sys.path if p not in ("", ".")]

import ctypes
import importlib
import importlib.util
import mmap
import os
import urllib.parse

SIZES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2}
NAMES = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16"}
LONG = {short: name for name, short in NAMES.items()}


class Refused(Exception):
    """What was asked cannot be had."""


class Request:
    """The hello of a host. Keys it does not know are refused."""

    numbers = {"n": 0, "lanes": 1, "m": 0, "cols": 0, "stride": 1, "align": 0, "threads": 1}
    words = ("op", "dtype", "axis", "trans", "order", "acc", "out_index", "device", "shm", "function")

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
        self.products = self.op != "sum"

    def refuse(self, *keys):
        """Refuse the request if it sets one of these keys."""
        for key in keys:
            value = getattr(self, key)
            if value != self.numbers.get(key, ""):
                raise Refused("%s does not offer %s=%s" % (self.function, key, value))


class Buffers:
    """The arrays on the wire: X, Y and where the results go."""

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
    except Exception as e:  # a broken installation raises what it likes
        raise Refused("unavailable: module %s cannot be imported: %s: %s" % (top, type(e).__name__, e))


# Arrays. NumPy's and PyTorch's are indexed, reshaped and assigned to in the same
# way, so that what differs is a few lines in the classes below.


class Arrays:
    """A function of a library, with its operands laid out as was asked."""

    blas = ()  # the functions that a BLAS computes

    def __init__(self, request, buffers):
        self.request, self.buffers = request, buffers
        self.name = request.function.rpartition(".")[2]
        self.library()
        self.last_y = None
        r = request
        x = self.dense(buffers.x)
        if r.axis or r.op in ("gemv", "gemm"):
            x = x.reshape(r.m, r.n)
        if r.axis == "0":
            self.x, self.a = x.T, self.place((r.n, r.m), axis=0)
        elif r.axis or r.op in ("gemv", "gemm"):
            self.x, self.a = x, self.place((r.m, r.n), axis=1, transposed="a" in r.trans, there=x)
        else:
            self.x, self.a = x, self.place((r.n,), there=x)
        if r.products:
            y = self.dense(buffers.y)
            if r.op == "gemm":
                self.y, self.b = y.reshape(r.n, 1), self.place((r.n, r.cols), axis=0, transposed="b" in r.trans)
            else:
                self.y, self.b = y, self.place((r.n,), there=y)
        self.compute = self.function()

    def place(self, shape, axis=0, transposed=False, there=None):
        """An array of this shape that starts at the address, has the order and the stride along an
        axis that were asked for. It is the one that is there already if that will do."""
        r = self.request
        by_columns = len(shape) == 2 and (r.order == "F") != transposed
        if there is not None and self.in_place() and r.align == 0 and r.stride == 1 and not by_columns:
            return there
        full = list(shape)
        full[axis] *= r.stride
        count = 1
        for n in full:
            count *= n
        flat = self.room(count)
        base = flat.reshape(*full[::-1]).T if by_columns else flat.reshape(*full)
        return base[:, ::r.stride] if axis else base[::r.stride]

    def in_place(self):
        """Whether arrays on the wire start at a multiple of 64 bytes and can be used where they are."""
        return self.buffers.map is not None

    def run(self):
        """The results for what is in the buffers."""
        if self.a is not self.x:
            self.a[...] = self.x
        if self.request.products and self.b is not self.y:
            y = bytes(self.buffers.y)
            if y != self.last_y:  # a matrix takes longer to fill than a vector to compare
                self.b[...] = self.y
                self.last_y = y
        return self.compute()

    def matrix(self):
        return self.bytes(self.run())

    def call(self):
        result, r = self.run(), self.request
        if r.op == "gemm":
            result = result[:, r.index[1]]
        elif self.name == "cumsum":
            result = result[r.index[0]]
        return self.bytes(result)

    def uses_blas(self):
        return self.name in self.blas and self.request.dtype in ("f64", "f32") and not self.request.acc


class NumPy(Arrays):
    blas = ("dot", "matmul", "inner")

    def library(self):
        self.request.refuse(*(["device"] if self.request.device != "cpu" else []))
        self.np = load("numpy")
        self.np.seterr(all="ignore")  # overflow is a result like others
        self.dtype = self.np.dtype(LONG[self.request.dtype])

    def dense(self, buffer):
        return self.np.frombuffer(buffer, self.dtype)

    def room(self, count):
        size = count * self.dtype.itemsize
        raw = self.np.zeros(size + 128, "u1")
        start = -raw.ctypes.data % 64 + self.request.align
        return self.np.frombuffer(raw, self.dtype, count, start)

    def function(self):
        np, r, a = self.np, self.request, self.a
        b = self.b if r.products else None
        f = getattr(np, self.name)
        options = {}
        if r.acc:
            if self.name in ("dot", "inner"):
                r.refuse("acc")
            options["dtype"] = LONG[r.acc]
        if self.name in ("sum", "mean"):
            axis = int(r.axis) if r.axis else None
            return lambda: f(a, axis=axis, **options)
        if self.name == "cumsum":
            r.refuse("axis")
            return lambda: f(a, **options)
        if self.name == "einsum":
            script = {"sum": "i->", "dot": "i,i->", "gemv": "ij,j->i", "gemm": "ij,jk->ik"}[r.op]
            r.refuse("axis")
            return (lambda: f(script, a, b, **options)) if r.products else (lambda: f(script, a, **options))
        return lambda: f(a, b, **options)

    def bytes(self, result):
        result = self.np.asarray(result)
        self.out = result.dtype.name
        return result.tobytes()

    def about(self):
        return {"library": "NumPy", "version": self.np.__version__, "kernel": blas_kernel() if self.uses_blas() else ""}

    def threads(self):
        return blas_threads() if self.uses_blas() else 0


class PyTorch(Arrays):
    blas = ("dot", "matmul", "mv", "mm")

    def library(self):
        r = self.request
        self.torch = load("torch")
        self.dtype = getattr(self.torch, LONG[r.dtype])
        if r.align % SIZES[r.dtype]:
            raise Refused("PyTorch has no tensors at align=%d: it is not a multiple of an element" % r.align)
        self.device = self.torch.device(r.device or "cpu")
        if r.device == "cuda" and not self.torch.cuda.is_available():
            built = self.torch.version.cuda is not None
            raise Refused("device: PyTorch %s" % ("sees no CUDA device" if built else "was built without CUDA"))
        if r.threads > 0:
            self.torch.set_num_threads(r.threads)
        self.torch.set_grad_enabled(False)

    def in_place(self):
        return self.device.type == "cpu" and Arrays.in_place(self)

    def dense(self, buffer):
        return self.torch.frombuffer(buffer, dtype=self.dtype)

    def room(self, count):
        size = SIZES[self.request.dtype]
        raw = self.torch.zeros(count * size + 128, dtype=self.torch.uint8, device=self.device)
        start = -raw.data_ptr() % 64 + self.request.align
        return raw[start:start + count * size].view(self.dtype)

    def function(self):
        torch, r, a = self.torch, self.request, self.a
        b = self.b if r.products else None
        f = getattr(torch, self.name)
        options = {"dtype": getattr(torch, LONG[r.acc])} if r.acc else {}
        if self.name in ("sum", "mean"):
            if r.axis:
                options["dim"] = int(r.axis)
            return lambda: f(a, **options)
        if self.name == "cumsum":
            r.refuse("axis")
            return lambda: f(a, dim=0, **options)
        r.refuse("acc")
        return lambda: f(a, b)

    def bytes(self, result):
        result = result.contiguous().cpu()
        self.out = str(result.dtype).rpartition(".")[2]
        return ctypes.string_at(result.data_ptr(), result.numel() * result.element_size())

    def about(self):
        if self.device.type == "cuda":
            kernel = "%s, CUDA %s" % (self.torch.cuda.get_device_name(), self.torch.version.cuda)
        elif self.uses_blas():
            kernel = blas_kernel()
        else:
            kernel = ""
            for line in self.torch.__config__.show().splitlines():
                if "CPU capability usage:" in line:
                    kernel = line.partition(":")[2].strip()
        return {"library": "PyTorch", "version": str(self.torch.__version__), "kernel": kernel}

    def threads(self):
        return self.torch.get_num_threads()


class JAX:
    """JAX has no views: its arrays lie in memory as it likes."""

    def __init__(self, request, buffers):
        r = self.request = request
        r.refuse("stride", "align", "trans", *(["order"] if r.order != "C" else []))
        # All of this is read when JAX is imported, which nothing has done yet.
        os.environ["JAX_ENABLE_X64"] = "1"
        os.environ["JAX_PLATFORMS"] = r.device or "cpu"
        if r.threads > 0:
            os.environ["NPROC"] = str(r.threads)
        if r.threads == 1:
            os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"
        self.jax, self.jnp, self.np = load("jax"), load("jax.numpy"), load("numpy")
        try:
            self.jax.devices()
        except RuntimeError as e:
            raise Refused("device: JAX has no device %s: %s" % (r.device or "cpu", e))
        dtype = self.np.dtype(getattr(self.jnp, LONG[r.dtype]))
        self.x = self.np.frombuffer(buffers.x, dtype)
        self.y = self.np.frombuffer(buffers.y, dtype).reshape(-1, 1) if r.products else None
        if r.axis or r.op in ("gemv", "gemm"):
            self.x = self.x.reshape(r.m, r.n)
        if r.axis == "0":
            self.x = self.x.T
        self.name = r.function.rpartition(".")[2]
        self.options = {}
        if r.acc:
            key = "dtype" if self.name in ("sum", "mean") else "preferred_element_type"
            self.options[key] = getattr(self.jnp, LONG[r.acc])
        if r.axis:
            self.options["axis"] = int(r.axis)

    def run(self):
        jnp, r = self.jnp, self.request
        operands = [jnp.array(self.x)]
        if r.op == "gemm":
            operands.append(jnp.array(self.np.repeat(self.y, r.cols, axis=1)))
        elif r.products:
            operands.append(jnp.array(self.y[:, 0]))
        return self.np.asarray(getattr(jnp, self.name)(*operands, **self.options))

    def bytes(self, result):
        self.out = result.dtype.name
        return result.tobytes()

    def matrix(self):
        return self.bytes(self.run())

    def call(self):
        result = self.run()
        return self.bytes(result[:, self.request.index[1]] if self.request.op == "gemm" else result)

    def about(self):
        device = self.jax.devices()[0]
        return {"library": "JAX", "version": self.jax.__version__, "kernel": "" if device.platform == "cpu" else device.device_kind}

    def threads(self):
        return 0


class Plain:
    """Python's own sums, of Python's own floats."""

    def __init__(self, request, buffers):
        request.refuse("stride", "align", "axis", "acc", *(["device"] if request.device != "cpu" else []))
        self.function = {"math.fsum": importlib.import_module("math").fsum, "builtins.sum": sum}[request.function]
        self.values = buffers.x.cast("d")
        self.sum = memoryview(bytearray(8)).cast("d")

    def call(self):
        try:
            self.sum[0] = self.function(self.values.tolist())
        except (OverflowError, ValueError):  # math.fsum's way to say that it has no result
            self.sum[0] = float("nan")
        self.out = "float64"
        return bytes(self.sum)

    def about(self):
        return {"library": "Python", "version": "%d.%d.%d" % sys.version_info[:3]}

    def threads(self):
        return 0


# What BLAS has been loaded into this process, and what it says of itself.


def blas_libraries():
    """The shared libraries in this process that may be a BLAS."""
    try:
        with open("/proc/self/maps") as maps:
            paths = {line.split(None, 5)[5].strip() for line in maps if ".so" in line}
    except OSError:
        return []
    named = [p for p in sorted(paths) if any(s in os.path.basename(p) for s in ("blas", "blis", "mkl_rt"))]
    libraries = []
    for path in named:
        try:
            libraries.append((path, ctypes.CDLL(path)))
        except OSError:
            pass
    return libraries


def symbol(library, name, result, *arguments):
    """Call a function of a library without arguments, None if there is no such function."""
    for full in (name, name + "64_", "scipy_" + name, "scipy_" + name + "64_"):
        f = getattr(library, full, None)
        if f is not None:
            f.restype = result
            value = f(*arguments)
            return value.decode() if isinstance(value, bytes) else value
    return None


def blas_kernel():
    """The BLAS by name and version, and the CPU kernel that it has chosen, where it tells."""
    libraries = blas_libraries()
    for path, library in libraries:
        config = symbol(library, "openblas_get_config", ctypes.c_char_p)
        if config:
            words = config.split()
            version = words[1] if words[0] == "OpenBLAS" and len(words) > 1 else ""
            core = symbol(library, "openblas_get_corename", ctypes.c_char_p) or ""
            return " ".join(("OpenBLAS " + version + " " + core).split())
        version = symbol(library, "bli_info_get_version_str", ctypes.c_char_p)
        if version:
            core = symbol(library, "bli_arch_query_id", ctypes.c_int)
            name = symbol(library, "bli_arch_string", ctypes.c_char_p, core) if core is not None else ""
            return " ".join(("BLIS " + version + " " + (name or "")).split())
    return os.path.basename(os.path.realpath(libraries[0][0])) if libraries else ""


def blas_threads():
    """The number of threads that the BLAS uses, 0 if it does not tell."""
    for _, library in blas_libraries():
        n = symbol(library, "openblas_get_num_threads", ctypes.c_int) or symbol(library, "bli_thread_get_num_threads", ctypes.c_long)
        if n:
            return n
    return 0


def stdio():
    """The protocol's streams, taken away from everything else: what a library prints goes to standard error."""
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return stdin, stdout


def open_session(line):
    """Set up what a hello asks for, and try it, which also tells the format of the results."""
    request = Request(line)
    kinds = {"numpy": NumPy, "torch": PyTorch, "jax": JAX, "math": Plain, "builtins": Plain}
    buffers = Buffers(request)
    session = kinds[request.function.partition(".")[0]](request, buffers)
    session.call()
    if session.out not in NAMES:
        raise Refused("its results are of type %s" % session.out)
    fields = dict(session.about(), out=NAMES[session.out])
    fields["runtime"] = "%s %d.%d.%d" % ((sys.executable,) + sys.version_info[:3])
    if request.threads < 0 and session.threads() > 0:
        fields["threads"] = session.threads()
    if request.function.endswith(".mean"):
        fields["mean"] = 1
    if request.op in ("gemv", "gemm"):
        fields["cells"] = 1
    if buffers.map is not None:
        fields["shm"] = 1
    words = ["%s=%s" % (k, urllib.parse.quote(str(v), safe="/,:+")) for k, v in fields.items() if v != ""]
    return session, buffers, "ok " + " ".join(words)


def one_line(error):
    text = str(error) if isinstance(error, Refused) else "%s: %s" % (type(error).__name__, error)
    return "error " + " ".join(text.split())


def main():
    stdin, stdout = stdio()

    def say(line):
        stdout.write(line.encode("utf-8", "replace") + b"\n")
        stdout.flush()

    try:
        session, buffers, answer = open_session(stdin.readline().decode())
    except Exception as e:
        return say(one_line(e))
    say(answer)
    for line in iter(stdin.readline, b""):
        if not buffers.receive(stdin):
            return
        try:
            results = session.matrix() if line == b"cells\n" else session.call()
        except Exception as e:
            say(one_line(e))
        else:
            buffers.send(stdout, results)


main()
sys.stderr.flush()
os._exit(0)  # there is nothing to tidy up, and large libraries take their time over it
