# The BLAS that a library calls, and what it reports of itself. Several may be in
# one process: NumPy's, SciPy's and PyTorch's need not be the same.


class BLAS:
    """The BLAS of an extension module. The linker finds in a module what the module and the libraries
    that it needs define, and nothing of what others have loaded."""

    def __init__(self, extension):
        self.path = extension.__file__
        try:
            self.library = ctypes.CDLL(self.path)
        except OSError:
            self.library = None

    def function(self, name):
        """A function by one of its names, None if there is none."""
        for full in (name, name + "64_", "scipy_" + name, "scipy_" + name + "64_"):
            f = getattr(self.library, full, None)
            if f is not None:
                return f
        return None

    def call(self, name, result, *arguments):
        """Call a function, None if there is none."""
        f = self.function(name)
        if f is None:
            return None
        f.restype = result
        value = f(*arguments)
        return value.decode() if isinstance(value, bytes) else value

    def kernel(self):
        """Its name and version, and the CPU kernel that it has chosen, where it reports them."""
        config = self.call("openblas_get_config", ctypes.c_char_p)
        if config:
            words = config.split()
            version = words[1] if words[0] == "OpenBLAS" and len(words) > 1 else ""
            core = self.call("openblas_get_corename", ctypes.c_char_p) or ""
            return " ".join(("OpenBLAS " + version + " " + core).split())
        version = self.call("bli_info_get_version_str", ctypes.c_char_p)
        if version:
            core = self.call("bli_arch_query_id", ctypes.c_int)
            name = self.call("bli_arch_string", ctypes.c_char_p, core) if core is not None else ""
            return " ".join(("BLIS " + version + " " + (name or "")).split())
        return self.file()

    def file(self):
        """The name of the library that holds its functions, "" if they are the module's own."""
        f = self.function("dgemm_") or self.function("cblas_dgemm")
        dladdr = getattr(ctypes.CDLL(None), "dladdr", None) if os.name == "posix" else None
        if f is None or dladdr is None:
            return ""

        class Info(ctypes.Structure):
            _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p),
                        ("name", ctypes.c_char_p), ("address", ctypes.c_void_p)]

        info = Info()
        if not dladdr(ctypes.cast(f, ctypes.c_void_p), ctypes.byref(info)) or not info.file:
            return ""
        real = os.path.realpath(os.fsdecode(info.file))
        return "" if real == os.path.realpath(self.path) else os.path.basename(real)

    def threads(self):
        """The number of threads that it uses, 0 if it does not report that."""
        return (self.call("openblas_get_num_threads", ctypes.c_int)
                or self.call("bli_thread_get_num_threads", ctypes.c_long) or 0)


def numpy_blas():
    """The BLAS of NumPy's dot."""
    for name in ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath"):
        if name in sys.modules:
            return BLAS(sys.modules[name])
    raise Refused("this NumPy has no module _multiarray_umath")


def numpy_settings():
    """The features of the processor that NumPy's own loops are chosen by, those in use."""
    for name in ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath"):
        module = sys.modules.get(name)
        found = getattr(module, "__cpu_features__", None)
        if found:
            wanted = list(module.__cpu_baseline__) + list(module.__cpu_dispatch__)
            return " ".join(f for f in wanted if found.get(f))
    return ""


# The names of MKL's branches, by the numbers of its header mkl_types.h.
BRANCHES = {1: "off", 2: "AUTO", 3: "COMPATIBLE", 4: "SSE2", 6: "SSSE3", 7: "SSE4_1", 8: "SSE4_2", 9: "AVX",
            10: "AVX2", 11: "AVX512_MIC", 12: "AVX512", 13: "AVX512_MIC_E1", 14: "AVX512_E1"}


def torch_settings(torch, kernel):
    """The vector instructions that PyTorch's own loops use, unless the kernel names them, and the branch that
    MKL is told to take."""
    capability = getattr(torch.backends.cpu, "get_cpu_capability", None) if hasattr(torch.backends, "cpu") else None
    words = [capability()] if capability and capability() != kernel else []
    branch = BLAS(torch._C).call("mkl_serv_cbwr_get", ctypes.c_int, 1)
    if branch is not None:
        words.append("MKL_CBWR " + BRANCHES.get(branch, str(branch)))
    return ", ".join(words)


def torch_kernel(torch):
    """PyTorch's BLAS. MKL is part of PyTorch's own libraries, whose configuration names it."""
    mkl = re.search(r"Math Kernel Library Version ([0-9][0-9.]*[0-9])", torch.__config__.show())
    if mkl:
        return "MKL " + mkl.group(1)
    return BLAS(torch._C).kernel()
