# Callables of the process that started lastbit. The command sends this program
# to that process, so that both speak the same protocol; the Python package calls
# answer.


class Given(Reference):
    """A callable that the caller has given. arrays names the container of its operands, or is None.
    watch is a context in which it is called."""

    def __init__(self, f, arrays, watch):
        self.f, self.innermost, self.watch = f, innermost(f), watch
        self.file, self.wrapper, self.arrays, self.error = "", "", arrays, None
        self.module = sys.modules.get(str(getattr(self.innermost, "__module__", "")))
        self.top = library_of(f) or library_of(self.innermost)

    def kinds(self):
        """The containers to try, in this order."""
        if self.arrays:
            return [self.arrays]
        if self.top in ("builtins", "math"):
            return ["list"]
        kind = annotated(self.innermost) or getattr(self.module, "lastbit_arrays", "") or self.top
        if kind in CONTAINERS:
            return [kind]
        usable = [k for k in ("numpy", "torch", "jax") if sys.modules.get(k)]
        return usable or ["numpy" if importlib.util.find_spec("numpy") else "list"]

    def call(self, *operands):
        this = os.getpid()
        try:
            with quiet(), self.watch:
                return self.f(*operands)
        except (Refused, KeyboardInterrupt):
            raise
        except BaseException as e:
            if not isinstance(e, (Exception, SystemExit)):
                raise
            self.error = e
            raise Raised("raised: " + with_place(e, self.file))
        finally:
            if os.getpid() != this:
                os._exit(0)


class Raised(Refused):
    """The callable raised an exception."""


def quiet():
    """A context in which an overflow in NumPy is a result like others."""
    numpy = sys.modules.get("numpy")
    return numpy.errstate(all="ignore") if numpy else threading.Lock()


def innermost(f):
    """The function behind partial objects and wrappers. What has every attribute, as a Mock, is none."""
    if hasattr(f, "no such attribute"):
        return f
    while hasattr(f, "func") and hasattr(f, "keywords"):
        f = f.func
    try:
        return inspect.unwrap(f)
    except ValueError:
        return f


def library_of(f):
    """The library that a callable belongs to, or "": by its module, its type, or the object that it is a
    method of."""
    torch = sys.modules.get("torch")
    if hasattr(f, "no such attribute"):
        return ""
    if torch and isinstance(f, torch.nn.Module) or hasattr(f, "_torchdynamo_orig_callable"):
        return "torch"
    of = getattr(f, "__self__", None)
    for thing in (f, type(f), of, type(of)):
        top = str(getattr(thing, "__module__", None) or getattr(thing, "__name__", "")).partition(".")[0]
        top = {"jaxlib": "jax"}.get(top, top)
        if top in TITLES or top in CONTAINERS or top in ("math", "pandas"):
            return top
    return "builtins" if f is sum else ""


class OfCaller:
    """The session of a Given. Its container describes itself."""

    def about(self):
        fields = self.describe()
        if self.reference.top in TITLES and self.reference.top != self.kind:
            fields.update(self.reference.about())
        return fields

    def describe(self):
        version = getattr(sys.modules.get(self.kind), "__version__", "")
        return {"library": TITLES.get(self.kind, self.kind), "version": str(version)}


class GivenNumPy(OfCaller, OwnNumPy):
    def describe(self):
        return NumPy.about(self) if self.kind == "numpy" else OfCaller.describe(self)


class GivenTorch(OfCaller, OwnTorch):
    def describe(self):
        return PyTorch.about(self)


class GivenJAX(OfCaller, OwnJAX):
    def describe(self):
        return JAX.about(self)


class GivenLists(OfCaller, OwnLists):
    def describe(self):
        return Plain.about(self)


GIVEN = {"torch": GivenTorch, "jax": GivenJAX, "list": GivenLists}


def given(request, buffers, callables):
    """The session of a callable in the first container whose values it takes."""
    reference = callables.get(request.function)
    if reference is None:
        raise Refused("attribute: this program has given no callable of that name")
    request.guest = True
    failures = []
    for kind in reference.kinds():
        session = GIVEN.get(kind, GivenNumPy)(reference, kind, request, buffers)
        try:
            session.call()
            return session
        except Raised as e:
            failures.append((TITLES.get(kind, kind), str(e)[len("raised: "):]))
            vars(session).clear()
        except BaseException:
            vars(session).clear()
            raise
    if len(failures) == 1:
        raise Refused("raised: " + failures[0][1])
    raise Refused("raised: " + "; ".join("with arrays of %s, %s" % f for f in failures))


def answer(connection, callables):
    """Answer lastbit on a socket until it ends the conversation. callables maps names to Given."""
    sessions = []

    def make(request, buffers):
        sessions.append(given(request, buffers, callables))
        return sessions[-1]

    try:
        with connection.makefile("rb") as stdin, connection.makefile("wb") as stdout:
            converse(stdin, stdout, make)
    finally:
        for session in sessions:  # each refers to itself, and holds shared memory
            vars(session).clear()
