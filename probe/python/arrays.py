# The classes that call a function of a library. NumPy's and PyTorch's arrays are
# indexed, reshaped and assigned to alike, so their classes differ in few lines.
# Everything else that these classes use is in the files that follow.


class Arrays:
    """A function of a library, with its operands in the requested layout."""

    blas = ()  # the functions that a BLAS computes

    def __init__(self, request, buffers):
        self.request, self.buffers = request, buffers
        self.name = request.function.rpartition(".")[2]
        self.library()
        self.last_y = None
        self.weight = self.name == "linear"  # it has b transposed unless that is transposed
        self.x, self.a = self.first()
        if request.products:
            self.y, self.b = self.second()
        self.compute = self.function()
        self.reach = (4096, 4096 if request.products else 0, 0)  # the library places results itself
        self.at, self.own = (0, 0, 0), None

    def first(self, start=None):
        """The first operand: the values on the wire, and their array."""
        r, x = self.request, self.dense(self.buffers.x)
        if r.axis or r.rows:
            x = x.reshape(r.m, r.n)
        if r.axis == "0" or r.op == "attention":
            return x.T, self.place((r.n, r.m), start, axis=0)
        if r.axis or r.rows:
            return x, self.place((r.m, r.n), start, axis=1, transposed="a" in r.trans, there=x)
        return x, self.place((r.n,), start, there=x)

    def second(self, start=None):
        """The second operand."""
        r, y = self.request, self.dense(self.buffers.y)
        if r.op == "gemm":
            return y.reshape(r.n, 1), self.place((r.n, r.cols), start, axis=0, transposed=("b" in r.trans) != self.weight)
        return y, self.place((r.n,), start, there=y)

    def move(self, at):
        """Place the operands some bytes past their own places, modulo a page, or in these."""
        if at == self.at:
            return
        if self.own is None:
            self.own = self.a, getattr(self, "b", None), self.compute
        self.at, self.last_y = at, None
        self.a, self.b, self.compute = self.own
        if at != (0, 0, 0):
            self.x, self.a = self.first(self.address(self.a) + at[0])
            if self.request.products:
                self.y, self.b = self.second(self.address(self.b) + at[1])
            self.compute = self.function()

    def place(self, shape, start=None, axis=0, transposed=False, there=None):
        """Return an array of this shape with the requested alignment, order and stride along an axis:
        the existing array if it fits. A start is its address modulo a page."""
        r = self.request
        by_columns = len(shape) == 2 and (r.order == "F") != transposed
        if start is None and there is not None and self.in_place() and not r.integers and r.align == 0 and r.stride == 1 and not by_columns:
            return there
        full = list(shape)
        full[axis] *= r.stride
        count = 1
        for n in full:
            count *= n
        flat = self.room(count, r.align, 64) if start is None else self.room(count, start, 4096)
        base = flat.reshape(*full[::-1]).T if by_columns else flat.reshape(*full)
        return base[:, ::r.stride] if axis else base[::r.stride]

    def in_place(self):
        """Whether arrays on the wire start at a multiple of 64 bytes and can be used in place."""
        return self.buffers.map is not None

    def run(self):
        """The results for the values in the buffers."""
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
        r = self.request
        return self.name in self.blas and r.dtype in ("f64", "f32") and not r.acc and not r.integers


class NumPy(Arrays):
    blas = ("dot", "matmul", "inner")

    def library(self):
        self.request.refuse(*(["device"] if self.request.device != "cpu" else []))
        self.np = load("numpy")
        if not self.request.guest:
            self.np.seterr(all="ignore")  # overflow is a result like others
        self.dtype = self.np.dtype(self.request.element)

    def dense(self, buffer):
        return self.np.frombuffer(buffer, LONG[self.request.dtype])

    def room(self, count, start, unit):
        raw = self.np.zeros(count * self.dtype.itemsize + unit, "u1")
        return self.np.frombuffer(raw, self.dtype, count, (start - raw.ctypes.data) % unit)

    def address(self, array):
        return array.ctypes.data

    def function(self):
        np, r, a = self.np, self.request, self.a
        if r.op == "sumsq":
            return numpy_norm(self)
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
        return widened(self.request, result).tobytes()

    def about(self):
        return {"library": "NumPy", "version": self.np.__version__, "kernel": numpy_blas().kernel() if self.uses_blas() else "",
                "settings": numpy_settings()}

    def threads(self):
        return numpy_blas().threads() if self.uses_blas() else 0


class PyTorch(Arrays):
    blas = ("dot", "matmul", "mv", "mm", "bmm", "linear")

    def library(self):
        r = self.request
        self.torch = load("torch")
        self.dtype = getattr(self.torch, r.element)
        self.wire, self.size = getattr(self.torch, LONG[r.dtype]), 1 if r.integers else SIZES[r.dtype]
        if r.align % self.size:
            raise Refused("PyTorch has no tensors at align=%d: it is not a multiple of an element" % r.align)
        self.device = self.torch.device(r.device or "cpu")
        if r.device == "cuda" and not self.torch.cuda.is_available():
            built = self.torch.version.cuda is not None
            raise Refused("device: PyTorch %s" % ("sees no CUDA device" if built else "was built without CUDA"))
        if r.threads > 0:
            self.torch.set_num_threads(r.threads)
        if not r.guest:
            self.torch.set_grad_enabled(False)

    def in_place(self):
        return self.device.type == "cpu" and Arrays.in_place(self)

    def dense(self, buffer):
        return self.torch.frombuffer(buffer, dtype=self.wire)

    def room(self, count, start, unit):
        size = self.size
        raw = self.torch.zeros(count * size + unit, dtype=self.torch.uint8, device=self.device)
        skip = (start - raw.data_ptr()) % unit
        return raw[skip:skip + count * size].view(self.dtype)

    def address(self, array):
        return array.data_ptr()

    def function(self):
        torch, r, a = self.torch, self.request, self.a
        if r.op in ("sumsq", "rmsnorm", "softmax", "attention"):
            return torch_norm(self)
        b = self.b if r.products else None
        f = operator.attrgetter(r.function.partition(".")[2])(torch)
        options = {"dtype": getattr(torch, LONG[r.acc])} if r.acc else {}
        if self.name in ("sum", "mean"):
            if r.axis:
                options["dim"] = int(r.axis)
            return lambda: f(a, **options)
        if self.name == "cumsum":
            r.refuse("axis")
            return lambda: f(a, dim=0, **options)
        r.refuse("acc")
        if self.name == "layer_norm":  # the mean; the result shows the order of no sum
            return lambda: torch.native_layer_norm(a, (r.n,), None, None, 1e-5)[1]
        if self.name == "linear":  # of a weight, which is b transposed: one row for each output
            weight = b.t() if r.op == "gemm" else b.unsqueeze(0)
            return lambda: f(a, weight).reshape(self.outputs())
        if self.name == "bmm":  # of a batch of one
            a, b = a.unsqueeze(0), b.unsqueeze(0)
            return lambda: f(a, b)[0]
        return lambda: f(a, b)

    def outputs(self):
        """The shape of the results."""
        return (self.request.m, self.request.cols) if self.request.op == "gemm" else (self.request.m,)

    def bytes(self, result):
        result = result.contiguous().cpu()
        self.out = str(result.dtype).rpartition(".")[2]
        result = widened(self.request, result)
        return ctypes.string_at(result.data_ptr(), result.numel() * result.element_size())

    def about(self):
        if self.device.type == "cuda":
            kernel = "%s, CUDA %s" % (self.torch.cuda.get_device_name(), self.torch.version.cuda)
        elif self.uses_blas():
            kernel = torch_kernel(self.torch)
        else:
            kernel = ""
            for line in self.torch.__config__.show().splitlines():
                if "CPU capability usage:" in line:
                    kernel = line.partition(":")[2].strip()
        settings = "" if self.device.type == "cuda" else torch_settings(self.torch, kernel)
        return {"library": "PyTorch", "version": str(self.torch.__version__), "kernel": kernel, "settings": settings}

    def threads(self):
        return self.torch.get_num_threads()


def widened(request, result):
    """Integers of results as the numbers that hold them on the wire; other results as they are."""
    if not request.integers or ("int" not in str(result.dtype)):
        return result
    exact = result.double() if hasattr(result, "double") else result.astype("float64")
    if bool((abs(exact) >= 2.0**53).any()):
        raise Refused("its results are beyond 2^53, which is not supported")
    return exact


def prepare_jax(request):
    """Set what JAX reads when it is imported, which nothing has done yet."""
    if request.guest:
        return
    os.environ["JAX_ENABLE_X64"] = "1"
    os.environ["JAX_PLATFORMS"] = request.device or "cpu"
    if request.threads > 0:
        os.environ["NPROC"] = str(request.threads)
    if request.threads == 1:
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"


class JAX:
    """JAX has no views: it chooses the layout of its arrays."""

    def __init__(self, request, buffers):
        r = self.request = request
        r.refuse("integers", "stride", "align", "trans", *(["order"] if r.order != "C" else []))
        prepare_jax(r)
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

    def operands(self):
        jnp, r = self.jnp, self.request
        operands = [jnp.array(self.x)]
        if r.op == "gemm":
            operands.append(jnp.array(self.np.repeat(self.y, r.cols, axis=1)))
        elif r.products:
            operands.append(jnp.array(self.y[:, 0]))
        if any(a.dtype != self.x.dtype for a in operands):
            raise Refused("JAX has no %s here; its option jax_enable_x64 adds that" % self.x.dtype.name)
        return operands

    def run(self):
        return self.np.asarray(getattr(self.jnp, self.name)(*self.operands(), **self.options))

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
        request.refuse("integers", "stride", "align", "axis", "acc", *(["device"] if request.device != "cpu" else []))
        self.function = {"math.fsum": importlib.import_module("math").fsum, "builtins.sum": sum}[request.function]
        self.values = buffers.x.cast("d")
        self.sum = memoryview(bytearray(8)).cast("d")

    def call(self):
        try:
            self.sum[0] = self.function(self.values.tolist())
        except (OverflowError, ValueError):  # math.fsum has no result
            self.sum[0] = float("nan")
        self.out = "float64"
        return bytes(self.sum)

    def about(self):
        return {"library": "Python", "version": "%d.%d.%d" % sys.version_info[:3]}

    def threads(self):
        return 0
