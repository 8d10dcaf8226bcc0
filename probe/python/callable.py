# Callables that the worker has no class for: those of the user's own code, and
# those of libraries whose functions take and return values like these do.
# docs/use/python.md is their contract.

CONTAINERS = ("numpy", "torch", "jax", "pandas", "polars", "pyarrow", "list")
VECTORS = ("pandas", "polars", "pyarrow", "list")  # containers without matrices here
ARROW = {"double": "float64", "float": "float32", "halffloat": "float16"}
TITLES = {"torch": "PyTorch", "jax": "JAX", "numpy": "NumPy", "scipy": "SciPy", "duckdb": "DuckDB",
          "polars": "Polars", "pyarrow": "PyArrow", "numba": "Numba"}


class Reference:
    """A callable by its address: pandas.Series.sum, module:function, /path/file.py:object.method or
    wrapper(callable). Its module, name and container are those of the innermost callable."""

    def __init__(self, text):
        self.f, self.module, self.file, self.top, self.wrapper = None, None, "", "", ""
        wrapper, paren, inner = text.partition("(")
        if paren and text.endswith(")") and re.match(r"[\w.]+(:[\w.]+)?$", wrapper):
            self.wrap(Reference(wrapper), Reference(inner[:-1]))
        else:
            self.find(text)
            self.innermost = self.f
        if not callable(self.f):
            raise Refused("attribute: %s is of type %s, and cannot be called" % (text, type(self.f).__name__))

    def wrap(self, outer, inner):
        self.module, self.file, self.top = inner.module, inner.file, inner.top
        self.innermost, self.wrapper = inner.innermost, outer.top
        self.f = guard("raised", self.file, outer.f, inner.f)

    def find(self, text):
        where, colon, attributes = text.rpartition(":")
        if colon and is_file(where):
            self.file = os.path.abspath(where)
            self.module = load_file(self.file)
        elif colon:
            self.module = load_module(where)
        else:
            where, attributes = longest_module(text)
            self.module = load(where)
        if not self.file:
            self.top = self.module.__name__.partition(".")[0]
        self.f = ADAPTED[text]() if text in ADAPTED else self.attribute(attributes)

    def attribute(self, path):
        value = self.module
        for name in path.split("."):
            try:
                value = getattr(value, name)
            except AttributeError:
                names = [n for n in sorted(dir(value)) if n[0] != "_" and callable(getattr(value, n, None))]
                has = "; it has " + ", ".join(names[:12]) + (", …" if len(names) > 12 else "") if names else ""
                raise Refused("attribute: %s has no %s%s" % (self.title(value), name, has))
        return value

    def title(self, value):
        if value is not self.module:
            return getattr(value, "__name__", type(value).__name__)
        if self.file:
            return os.path.basename(self.file)
        return " ".join([value.__name__] + ["(%s)" % f for f in [getattr(value, "__file__", "")] if f])

    def container(self):
        """What the callable takes: by the annotation of its first parameter, the variable lastbit_arrays
        of its module, or the library that it belongs to, or else its wrapper."""
        chosen = getattr(self.module, "lastbit_arrays", "")
        if chosen and chosen not in CONTAINERS:
            raise Refused("import: lastbit_arrays is %r, which is none of %s" % (chosen, ", ".join(CONTAINERS)))
        for name in (annotated(self.innermost), chosen, self.top, self.wrapper):
            if name in CONTAINERS:
                return name
        return "numpy"

    def call(self, *operands):
        return guard("raised", self.file, self.f, *operands)

    def about(self):
        if self.file:
            library, version = os.path.basename(self.file), getattr(self.module, "__version__", "")
        else:
            library, version = TITLES.get(self.top, self.top), getattr(sys.modules[self.top], "__version__", "")
        kernel = BLAS(load("scipy.linalg._fblas")).kernel() if self.top == "scipy" else ""
        return {"library": library, "version": version if isinstance(version, str) else "", "kernel": kernel}


def is_file(where):
    return "/" in where or os.sep in where or where.endswith(".py")


def guard(kind, file, f, *arguments):
    """Call f; anything that it raises, SystemExit included, becomes a refusal. A process that f has
    forked ends here."""
    this = os.getpid()
    try:
        return f(*arguments)
    except Refused:
        raise
    except BaseException as e:
        raise Refused("%s: %s" % (kind, with_place(e, file)))
    finally:
        if os.getpid() != this:
            os._exit(0)


def with_place(error, file):
    """The type and the text of an exception, and the line that raised it: the last one in the file, or else
    in any."""
    frames = [] if isinstance(error, SyntaxError) else traceback.extract_tb(error.__traceback__)
    places = [p for p in frames if p.filename == file] or [p for p in frames if p.filename[0] != "<"]
    place = " (%s, line %d)" % (os.path.basename(places[-1].filename), places[-1].lineno) if places else ""
    return "%s: %s%s" % (type(error).__name__, words(error), place)


def words(error):
    """The text of an exception, whose own code may fail."""
    try:
        return str(error)
    except BaseException as e:
        return "(its text cannot be had: %s)" % type(e).__name__


def longest_module(dotted):
    """Split a dotted name into a module and the attributes in it."""
    parts = dotted.split(".")
    load(parts[0])
    for k in range(len(parts) - 1, 0, -1):
        name = ".".join(parts[:k])
        try:
            if importlib.util.find_spec(name) is not None:
                return name, ".".join(parts[k:])
        except ModuleNotFoundError:  # a class is not a package
            pass
    raise Refused("attribute: %s names a module, and no function of it" % dotted)


def load_file(path):
    """Import a file as a module of its own. Its folder is the first to import from until it is
    imported, as for a script, and the last after that."""
    if not os.path.isfile(path):
        raise Refused("import: there is no file %s" % path)
    title = os.path.basename(path)
    name = "lastbit_" + re.sub(r"\W", "_", os.path.splitext(title)[0])
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, path, loader=loader))
    sys.modules[name] = module
    folder = os.path.dirname(path)
    sys.path.insert(0, folder)
    guard("import", path, imported, title, loader.exec_module, module)
    sys.path.remove(folder)
    sys.path.append(folder)
    return module


def load_module(name):
    """Import a module by its name; the working directory is the last place to look."""
    sys.path.append(os.getcwd())
    return guard("import", "", imported, name, importlib.import_module, name)


def imported(title, do, argument):
    """Import by do. Another interpreter may have a module that this one lacks."""
    try:
        return do(argument)
    except ModuleNotFoundError as e:
        if not e.name:
            raise
        by = "" if (title + ".").startswith(e.name + ".") else " (%s imports it)" % title
        raise Refused("unavailable: no module %s%s" % (e.name, by))


def annotated(f):
    """The container that the first parameter of f is annotated with, "" if none."""
    try:
        parameter = next(iter(inspect.signature(f).parameters.values()))
    except (TypeError, ValueError, StopIteration):
        return ""
    kind = parameter.annotation
    try:
        hints = typing.get_type_hints(inspect.unwrap(f) if hasattr(f, "__annotations__") else f.__call__)
        kind = hints.get(parameter.name, kind)
    except Exception:  # names in it may be those of a type checker only
        pass
    kind = getattr(kind, "__origin__", kind)
    if kind is list:
        return "list"
    module = kind if isinstance(kind, str) else getattr(kind, "__module__", "")
    top = str(module).partition(".")[0]
    top = {"jaxlib": "jax", "np": "numpy", "jnp": "jax", "pd": "pandas", "pl": "polars", "pa": "pyarrow"}.get(top, top)
    return top if top in CONTAINERS else ""


class Own:
    """The session of a Reference. A subclass has the operands, as its container holds them."""

    def __init__(self, reference, kind, request, buffers):
        self.reference, self.kind, self.out = reference, kind, ""
        if kind in VECTORS:
            request.refuse("integers", "stride", "align")
            if request.op in ("gemv", "gemm"):
                raise Refused("it takes %s, which holds vectors, and a %s has a matrix" % (kind, request.op))
        super().__init__(request, buffers)
        if kind in VECTORS:
            self.reach = None  # the container may hold copies

    def settle(self, value):
        """The value as a float, a NumPy array or a tensor, if it is a result of the operation."""
        value, shape, dtype = plain(value)
        r = self.request
        wanted = {"gemv": (r.m,), "gemm": (r.m, r.cols)}.get(r.op, (r.m,) if r.axis else ())
        if dtype not in (INTEGERS if r.integers else NAMES):
            raise Refused("result: it returns values of type %s" % dtype)
        if shape != wanted:
            raise Refused("result: it returns an array of shape %s, not %s" % (
                shape, "one of shape %s" % (wanted,) if wanted else "one number"))
        if self.out not in ("", dtype):
            raise Refused("result: it returns %s, and returned %s before" % (dtype, self.out))
        self.out = dtype
        return value

    def bytes(self, value):
        if type(value) is float:
            return struct.pack("=d", value)
        value = widened(self.request, value)
        if hasattr(value, "tobytes"):
            return value.tobytes()
        value = value.contiguous().cpu()
        return ctypes.string_at(value.data_ptr(), value.numel() * value.element_size())

    def about(self):
        return self.reference.about()

    def threads(self):
        return sys.modules["torch"].get_num_threads() if self.kind == "torch" else 0


def plain(value):
    """A result as a float, a NumPy array or a tensor, with its shape and the name of its type."""
    if hasattr(value, "as_py") and str(value.type) in ARROW and value.as_py() is not None:
        value = load("numpy").dtype(ARROW[str(value.type)]).type(value.as_py())
    elif type(value) is int and abs(value) < 2**53:
        value = float(value)
    if type(value) is float:
        return value, (), "float64"
    if "torch" in sys.modules and isinstance(value, sys.modules["torch"].Tensor):
        value = value.detach().resolve_neg()  # a negative view is its memory, and a bit
        return value, tuple(value.shape), str(value.dtype).rpartition(".")[2]
    if not hasattr(value, "__array__"):
        text = "%r" % (value,)
        text = text if len(text) <= 60 else text[:59].rstrip(", ") + " …"
        raise Refused("result: it returns %s, of type %s" % (text, type(value).__name__))
    value = load("numpy").asarray(value)
    if not value.dtype.isnative:
        value = value.astype(value.dtype.newbyteorder("="))
    return value, value.shape, value.dtype.name


class OwnArrays(Own):
    """The session of a Reference whose operands another class lays out in memory."""

    def library(self):
        if self.request.dtype == "bf16" and self.kind != "torch":
            raise Refused("it takes arrays of %s, which has no bf16" % TITLES.get(self.kind, self.kind))
        super().library()
        self.name = ""
        wraps = {"pandas": "Series", "polars": "Series", "pyarrow": "array"}
        self.wrap = getattr(load(self.kind), wraps[self.kind]) if self.kind in wraps else lambda v: v

    def in_place(self):
        return False

    def function(self):
        return self.invoke

    def invoke(self):
        pairs = [(self.a, self.x)] + ([(self.b, self.y)] if self.request.products else [])
        value = self.reference.call(*[self.wrap(used) for used, _ in pairs])
        for name, (used, given) in zip(("first", "second"), pairs):
            if not self.same_bits(used, given):
                self.last_y = None
                raise Refused("changed: it changes its %s operand" % name)
        return self.settle(value)


class OwnNumPy(OwnArrays, NumPy):
    def same_bits(self, a, b):
        if self.request.integers:
            return bool((a == b).all())
        bits = "u%d" % SIZES[self.request.dtype]
        return bool((a.view(bits) == b.view(bits)).all())


class OwnTorch(OwnArrays, PyTorch):
    def same_bits(self, a, b):
        if self.request.integers:
            return bool((a.cpu() == b).all())
        bits = {2: self.torch.int16, 4: self.torch.int32, 8: self.torch.int64}[SIZES[self.request.dtype]]
        return bool((a.cpu().view(bits) == b.view(bits)).all())


class OwnCopies(Own):
    """The session of a Reference whose operands are made anew for each call, by another class."""

    def run(self):
        return self.settle(self.reference.call(*self.operands()))


class OwnJAX(OwnCopies, JAX):
    """A callable of JAX's arrays."""


class Lists:
    """Operands as lists of Python's own floats."""

    def __init__(self, request, buffers):
        request.refuse(*(["device"] if request.device != "cpu" else []))
        if request.dtype == "bf16":
            raise Refused("it takes lists, and Python has no floats of bf16")
        self.request, self.buffers = request, buffers

    def operands(self):
        form = "=%d%s" % (self.request.n, {"f64": "d", "f32": "f", "f16": "e"}[self.request.dtype])
        used = [self.buffers.x] + ([self.buffers.y] if self.request.products else [])
        return [list(struct.unpack(form, b)) for b in used]

    def call(self):
        return self.bytes(self.run())


class OwnLists(OwnCopies, Lists):
    """A callable of lists."""


def own(request, buffers):
    """The session of a callable that no class is for."""
    prepare_jax(request)
    reference = Reference(request.function)
    kind = reference.container()
    session = {"torch": OwnTorch, "jax": OwnJAX, "list": OwnLists}.get(kind, OwnNumPy)
    return session(reference, kind, request, buffers)


# Functions of libraries that take other arguments than operands.


def with_alpha(name):
    """A function of SciPy's BLAS whose first argument is a factor."""
    def prepare():
        f = getattr(load("scipy.linalg.blas"), name)
        return lambda a, b: f(1.0, a, b)
    return prepare


def polars_sum():
    """Polars adds float32 values to a float32, and returns it as a float of Python's."""
    numpy = load("numpy")

    def call(series):
        total = series.sum()
        narrow = numpy.dtype(str(series.dtype).lower()).type(total)
        return narrow if float(narrow) == total or total != total else total
    return call


def polars_group_by():
    polars, zeros = load("polars"), load("numpy").zeros
    total = polars.col("x").sum()
    return lambda s: polars.DataFrame({"k": zeros(len(s), int), "x": s}).group_by("k").agg(total)["x"].to_numpy()[0]


def pandas_group_by():
    zeros = load("numpy").zeros
    return lambda s: s.groupby(zeros(len(s), int)).sum().iloc[0]


def duckdb_aggregate(name):
    def prepare():
        connection = load("duckdb").connect()
        if "LASTBIT_THREADS" in os.environ:
            connection.execute("SET threads = %s" % os.environ["LASTBIT_THREADS"])
        operands = []  # that the query reads, in place

        def call(x):
            if not any(x is operand for operand in operands):
                connection.register("operand", {"x": x})
                connection.execute("PREPARE query AS SELECT %s(x) FROM operand" % name)
                operands[:] = [x]
            return connection.execute("EXECUTE query").fetchall()[0][0]
        return call
    return prepare


ADAPTED = {
    "scipy.linalg.blas.dgemv": with_alpha("dgemv"), "scipy.linalg.blas.sgemv": with_alpha("sgemv"),
    "scipy.linalg.blas.dgemm": with_alpha("dgemm"), "scipy.linalg.blas.sgemm": with_alpha("sgemm"),
    "pandas.Series.groupby.sum": pandas_group_by,
    "polars.Series.sum": polars_sum, "polars.DataFrame.group_by.sum": polars_group_by,
    "duckdb.sum": duckdb_aggregate("sum"), "duckdb.fsum": duckdb_aggregate("fsum"),
}
