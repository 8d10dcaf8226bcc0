# Sends variables of a netCDF or HDF5 file, as rows: a line of JSON that describes
# them, and then, for each element in C's order, the value of each variable and a
# byte with the reason why it is missing, 0 for a value. The library converts
# nothing but stored bytes to numbers; masks and units are computed here.
import sys
sys.path[:] = [p for p in sys.path if p not in ("", ".")]
import json, math
import numpy as np

library, path, request = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
FILL, DEFAULT, INVALID = 1, 2, 3
BUDGET = 1 << 25  # bytes of a variable that are read at once


class Refusal(Exception):
    def __init__(self, cause, cure, column=""):
        self.record = {"cause": cause, "cure": cure, "column": column}


class Unopened(Refusal):
    """Another library may open the file."""


class Variable:
    """A variable: its name, dtype, shape and attributes, and read(slices)."""

    def __init__(self, name, dtype, shape, attributes, chunks, read):
        self.name, self.dtype, self.shape, self.attributes = name, dtype, shape, attributes
        self.chunks, self.read = chunks or None, read
        self.bytes = dtype.itemsize  # that are read for a value, of a field too


def with_h5py():
    import h5py
    try:
        import hdf5plugin  # more filters, where it is installed
    except ImportError:
        pass
    f = h5py.File(path, "r", rdcc_nbytes=BUDGET)

    def is_scale(d):
        return h5py.h5ds.is_scale(d.id)

    def is_dimension(d):
        """Reports whether a dataset is only a dimension of netCDF."""
        return bytes(np.asarray(d.attrs.get("NAME", b"")).astype("S").tobytes()).startswith(b"This is a netCDF dimension but not")

    def variable(name, d):
        if d.shape is None:
            raise Refusal("it has no values (a null dataspace)", "name another variable", name)
        if h5py.check_enum_dtype(d.dtype) and d.dtype.kind != "b":
            raise Refusal("its values are an enumeration, and not numbers", "name another variable", name)
        check_parts(h5py, name, d, path)
        attributes = {key: d.attrs[key] for key in KNOWN if key in d.attrs}
        shape = full_shape(d) if is_netcdf else d.shape
        read = (lambda s: d[s]) if shape == d.shape else (lambda s: padded(d, s))
        return Variable(name, d.dtype, shape, attributes, d.chunks, read)

    def full_shape(d):
        """Returns the shape that netCDF gives: a record that no value of d was written to counts."""
        if None not in d.maxshape:
            return d.shape
        if "DIMENSION_LIST" not in d.attrs and not (is_scale(d) and len(d.shape) == 1):
            raise Refusal("how many records it has cannot be read with h5py", "pip install netCDF4", d.name)
        if not lengths:
            f.visititems(measure)
        if is_scale(d) and len(d.shape) == 1:
            return (lengths[place(d)],)
        return tuple(max(n, lengths[place(d.dims[i][0])]) if len(d.dims[i]) else n for i, n in enumerate(d.shape))

    def place(d):
        return h5py.h5o.get_info(d.id).addr

    lengths = {}  # of dimensions, by their places in the file

    def measure(_, other):
        if not isinstance(other, h5py.Dataset) or not other.shape:
            return
        if is_scale(other) and len(other.shape) == 1:
            lengths[place(other)] = max(lengths.get(place(other), 0), other.shape[0])
        for axis, scales in enumerate(other.dims if "DIMENSION_LIST" in other.attrs else []):
            if len(scales):
                scale = place(scales[0])
                lengths[scale] = max(lengths.get(scale, 0), other.shape[axis])

    def padded(d, s):
        a = np.full([t.stop - t.start for t in s], d.fillvalue, d.dtype)
        inside = tuple(slice(t.start, min(t.stop, n)) for t, n in zip(s, d.shape))
        if all(t.stop > t.start for t in inside):
            a[tuple(slice(0, t.stop - t.start) for t in inside)] = d[inside]
        return a

    def find(name):
        try:
            d = f[name]
        except KeyError:
            return None
        return variable(name, d) if isinstance(d, h5py.Dataset) and not is_dimension(d) else None

    def names():
        found = []

        def visit(name, d):
            if not isinstance(d, h5py.Dataset) or d.shape is None or not is_numeric(d.dtype):
                return
            if not is_dimension(d):
                found.append((name, bool(is_scale(d))))
        f.visititems(visit)
        return found

    is_netcdf = request["netcdf"] or "_NCProperties" in f.attrs
    for name in f:
        if not isinstance(f.get(name, getlink=True), h5py.HardLink):
            continue  # to another file, or to nothing
        d = f[name]
        if isinstance(d, h5py.Dataset):
            is_netcdf |= "_Netcdf4Dimid" in d.attrs or "_Netcdf4Coordinates" in d.attrs
    return find, names, is_netcdf


def with_netcdf4():
    import netCDF4
    try:
        f = netCDF4.Dataset(path)
    except Exception as e:
        raise Unopened("netCDF4 cannot open it (%s)" % e, "is it whole?")
    f.set_auto_maskandscale(False)
    f.set_always_mask(False)
    check = checker(path)

    def variable(name, v):
        dtype = v.dtype
        if dtype is str or isinstance(v.datatype, (netCDF4.VLType, netCDF4.EnumType)):
            raise Refusal("its values are texts, lists or an enumeration, and not numbers",
                          "name another variable", name)
        check(name)
        attributes = {k: v.getncattr(k) for k in v.ncattrs() if k in KNOWN}
        try:
            chunks = v.chunking()
        except Exception:
            chunks = None
        return Variable(name, np.dtype(dtype), v.shape, attributes,
                        chunks if isinstance(chunks, (list, tuple)) else None, lambda s: v[s])

    def find(name):
        try:
            v = f[name]
        except (IndexError, KeyError):
            return None
        return variable(name, v) if isinstance(v, netCDF4.Variable) else None

    def names(group=f, prefix=""):
        found = [(prefix + n, n in v.dimensions) for n, v in group.variables.items()
                 if isinstance(v.datatype, (np.dtype, netCDF4.CompoundType)) and is_numeric(np.dtype(v.dtype))]
        for n, g in group.groups.items():
            found += names(g, prefix + n + "/")
        return found
    return find, names, True


def with_scipy():
    from scipy.io import netcdf_file
    with open(path, "rb") as b:
        if b.read(4) == b"CDF\x05":
            raise Refusal("SciPy does not read this version of netCDF (CDF-5)", "pip install netCDF4")
    f = netcdf_file(path, "r", mmap=True)

    def find(name):
        v = f.variables.get(name)
        if v is None:
            return None
        attributes = {k: a for k, a in v._attributes.items() if k in KNOWN}
        return Variable(name, v.data.dtype, v.data.shape, attributes, None, lambda s: v.data[s])

    def names():
        return [(n, n in v.dimensions) for n, v in f.variables.items() if is_numeric(v.data.dtype)]
    return find, names, True


KNOWN = {"_FillValue", "missing_value", "scale_factor", "add_offset", "valid_min", "valid_max",
         "valid_range", "_Unsigned"}

# The fill values of netCDF for variables without one; bytes have none.
DEFAULTS = {"i2": -32767, "u2": 65535, "i4": -2147483647, "u4": 4294967295,
            "i8": -9223372036854775806, "u8": 18446744073709551614,
            "f4": 9.9692099683868690e+36, "f8": 9.9692099683868690e+36}


def is_numeric(dtype):
    return dtype.kind in "fiubc" or dtype.names is not None


WORDS = {"S": "texts", "U": "texts", "O": "texts, lists or references", "V": "opaque"}


def take(find, names, name):
    """Returns the variable of a name: a path, with a field or a part of complex numbers after dots."""
    v, parts = find(name), []
    path = name
    while v is None and "." in path:
        path, _, part = path.rpartition(".")
        parts.insert(0, part)
        v = find(path)
    if v is None:
        known = [n for n, _ in names()]
        raise Refusal("the file has no variable of that name", "it has " + listed(known), name)
    dtype = v.dtype
    for k, part in enumerate(parts):
        if dtype.names and part in dtype.names:
            dtype = dtype[part]
        elif dtype.subdtype and part.isascii() and part.isdigit() and 1 <= int(part) <= math.prod(dtype.shape):
            parts[k], dtype = int(part), dtype.base
        elif dtype.kind == "c" and k == len(parts) - 1 and part in ("real", "imag"):
            dtype = np.zeros(1, dtype).real.dtype
        else:
            raise Refusal("its values have no part " + repr(part), "name one that they have", name)
    if dtype.names:
        raise Refusal("its values are records of several fields", "name one: " + listed(fields_of(dtype, name)), name)
    if dtype.kind == "c":
        raise Refusal("its values are complex numbers, which have two parts",
                      "name one: %s.real, %s.imag" % (name, name), name)
    if dtype.subdtype:
        raise Refusal("the field is an array of %d values" % math.prod(dtype.shape), "name one by its number, as %s.1" % name, name)
    if dtype.kind not in "fiub":
        raise Refusal("its values are %s, and not numbers" % WORDS.get(dtype.kind, "of type %s" % dtype),
                      "name another variable", name)
    if dtype.kind == "f" and dtype.itemsize > 8:
        raise Refusal("its values are longdouble, whose format depends on the machine",
                      "write them as float64, which rounds them", name)
    whole = v.read

    def read(s):
        a = np.asarray(whole(s))
        for part in parts:
            if isinstance(part, int):
                a = a.reshape(a.shape[:len(v.shape)] + (-1,))[..., part - 1]
            else:
                a = a[part] if a.dtype.names else getattr(a, part)
        return a
    v.read, v.dtype, v.name = read, dtype, name
    return v


def fields_of(dtype, prefix):
    """Returns the names of the numbers in a record, of an array the first."""
    found = []
    for n in dtype.names:
        t, name = dtype[n], prefix + "." + n
        if t.subdtype:
            t, name = t.base, name + ".1"
        if t.names:
            found += fields_of(t, name)
        elif t.kind == "c":
            found += [name + ".real", name + ".imag"]
        elif t.kind in "fiub":
            found.append(name)
    return found


def listed(names):
    return ", ".join(names[:20]) + (", …" if len(names) > 20 else "") or "none"


def numbers(v, key):
    """Returns an attribute as a list of numbers, [] without one."""
    if key not in v.attributes:
        return []
    a = np.ravel(np.asarray(v.attributes[key]))
    if a.dtype.kind not in "fiu":
        raise Refusal("its attribute %s is not a number" % key, "correct it", v.name)
    return list(a)


def as_stored(x, dtype):
    """Returns an attribute as a value of a type, None if it cannot be one."""
    if dtype.kind == "b":
        return None
    if dtype.kind in "iu":
        if x != x or np.isinf(x) or x != int(x):
            return None
        limits = np.iinfo(dtype)
        return dtype.type(int(x)) if limits.min <= int(x) <= limits.max else None
    with np.errstate(over="ignore"):
        return dtype.type(x)


def as_bound(x, dtype, is_low):
    """Returns a bound as a value of a type that is compared without a conversion; None for no bound.

    A float is rounded to the type: valid_max=0.1 admits a float32 0.1. For integers it is the next one inside."""
    if x is None or x != x:
        return None
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return dtype.type(x)
    if dtype.kind == "b":
        return x
    limits = np.iinfo(dtype)
    if x.dtype.kind in "iu":
        n = int(x)
    elif np.isinf(x):
        n = limits.max + 1 if x > 0 else limits.min - 1
    else:
        n = math.ceil(x) if is_low else math.floor(x)
    if n < limits.min if is_low else n > limits.max:
        return None
    if n > limits.max if is_low else n < limits.min:
        raise Refusal("its valid range holds no value of its type", "correct it: valid_min, valid_max or valid_range")
    return dtype.type(n)


class Column:
    """The values of a variable in the units of its attributes, and why they are missing."""

    def __init__(self, v, is_netcdf):
        self.v, self.notes = v, []
        native = v.dtype.newbyteorder("=")
        flag = ([""] + np.ravel(np.asarray(v.attributes.get("_Unsigned", ""))).tolist())[-1]
        flag = flag.decode() if isinstance(flag, bytes) else flag
        self.view = None
        if native.kind == "i" and str(flag).lower() == "true":
            self.view = np.dtype("u%d" % native.itemsize)
        elif native.kind == "u" and str(flag).lower() == "false":
            self.view = np.dtype("i%d" % native.itemsize)
        self.stored = self.view or native
        self.set_missing(native, is_netcdf)
        self.set_packing(is_netcdf)
        self.set_valid()
        self.masked = bool(self.fills or self.valid) and not request["keep"]
        kind = np.dtype("f8") if self.packing else self.stored
        self.type = kind if kind.itemsize == 1 else kind.newbyteorder("<")

    def set_missing(self, native, is_netcdf):
        self.fills = []
        if request["keep"]:
            return
        named = numbers(self.v, "_FillValue") + numbers(self.v, "missing_value")
        for x in named:
            y = as_stored(x, native)
            y = as_stored(x, self.stored) if y is None else y
            if y is not None:
                self.fills.append((FILL, y.astype(native)))
        kind = native.kind + str(native.itemsize)
        if is_netcdf and "_FillValue" not in self.v.attributes and kind in DEFAULTS:
            self.fills.append((DEFAULT, native.type(DEFAULTS[kind])))

    def set_packing(self, is_netcdf):
        self.packing = None
        scale, offset = numbers(self.v, "scale_factor"), numbers(self.v, "add_offset")
        if len(scale) > 1 or len(offset) > 1:
            raise Refusal("its attribute scale_factor or add_offset has several values", "use --packed", self.v.name)
        factor = np.float64(scale[0]) if scale else np.float64(1)
        plus = np.float64(offset[0]) if offset else np.float64(0)
        if request["packed"] or (factor == 1 and plus == 0):
            return
        if not is_netcdf:
            raise Refusal("it has the attribute scale_factor or add_offset, and an HDF5 file does not define what that means",
                          "use --packed for the stored numbers, or --format netcdf to unpack them", self.v.name)
        if self.stored.kind == "b":
            raise Refusal("its values are booleans with a scale_factor", "use --packed", self.v.name)
        self.packing = factor, plus
        self.notes.append("%s is unpacked in float64: stored values · %r + %r, each operation rounded"
                          % (self.v.name, float(factor), float(plus)))

    def set_valid(self):
        self.valid = None
        if request["keep"]:
            return
        low, high = numbers(self.v, "valid_min"), numbers(self.v, "valid_max")
        both = numbers(self.v, "valid_range")
        if len(both) == 2:
            low, high = both[:1], both[1:]
        if len(low) > 1 or len(high) > 1 or len(both) not in (0, 2):
            raise Refusal("its attribute valid_range is not two numbers", "correct it", self.v.name)
        if not low and not high:
            return
        bounds = []
        for x in low[:1] or [None], high[:1] or [None]:
            x = x[0]
            if x is not None and self.view and x.dtype.kind != self.stored.kind and x.dtype.kind in "iu" and x.dtype.itemsize == self.stored.itemsize:
                x = x.astype(self.stored)
            bounds.append(x)
        # Bounds of another kind than the stored integers are those of unpacked values.
        kinds = {x.dtype.kind for x in bounds if x is not None}
        unpacked = bool(self.packing) and self.stored.kind in "iu" and "f" in kinds
        kind = np.dtype("f8") if unpacked else self.stored
        self.valid = as_bound(bounds[0], kind, True), as_bound(bounds[1], kind, False), unpacked

    def outside(self, values):
        low, high, _ = self.valid
        bad = np.zeros(values.shape, "?")
        if low is not None:
            bad |= values < low
        if high is not None:
            bad |= values > high
        return bad

    def block(self, s):
        a = np.asarray(self.v.read(s))
        a = a.astype(self.v.dtype.newbyteorder("="), copy=False)
        why = np.zeros(a.shape, "u1")
        for reason, x in reversed(self.fills):
            why[(a != a) if x != x else (a == x)] = reason
        if self.view:
            a = a.view(self.view)
        if self.valid and not self.valid[2]:
            why[self.outside(a) & (why == 0)] = INVALID
        if self.packing:
            if a.dtype.kind in "iu" and a.dtype.itemsize == 8 and a.size and (
                    int(a.max()) > 1 << 53 or int(a.min()) < -(1 << 53)):
                if ((why == 0) & ((a > 1 << 53) | (a < (-(1 << 53) if a.dtype.kind == "i" else 0)))).any():
                    raise Refusal("a stored integer beyond 2^53 cannot be unpacked in float64", "use --packed", self.v.name)
            a = a.astype("f8") * self.packing[0] + self.packing[1]
        if self.valid and self.valid[2]:
            why[self.outside(a) & (why == 0)] = INVALID
        return a, why


def slabs(shape, chunks, row):
    """Yields slices that cut an array, in C's order, into blocks of about BUDGET bytes."""
    if not shape:
        yield ()
        return
    inner = row
    for n in shape[1:]:
        inner *= n
    if inner > BUDGET and len(shape) > 1:
        for i in range(shape[0]):
            for rest in slabs(shape[1:], chunks and chunks[1:], row):
                yield (slice(i, i + 1),) + rest
        return
    step = max(1, BUDGET // max(inner, 1))
    if chunks and chunks[0] < step:
        step -= step % chunks[0]
    for i in range(0, shape[0], step):
        yield (slice(i, min(i + step, shape[0])),) + tuple(slice(0, n) for n in shape[1:])


def main():
    find, names, is_netcdf = {"h5py": with_h5py, "netCDF4": with_netcdf4, "scipy": with_scipy}[library]()
    is_netcdf = is_netcdf or request["netcdf"]
    if not request["columns"]:
        all_names = names()
        data = [n for n, is_coordinate in all_names if not is_coordinate]
        data = data or [n for n, _ in all_names]
        if len(data) != 1:
            raise Refusal("it has %d variables" % len(all_names) if all_names else "it has no variables of numbers",
                          "name one with --column: " + listed([n for n, _ in all_names]))
        request["columns"] = data
    columns = [Column(take(find, names, n), is_netcdf) for n in request["columns"]]
    first = columns[0].v
    for c in columns[1:]:
        if c.v.shape != first.shape:
            raise Refusal("its shape is %s, and that of %s is %s" % (c.v.shape, first.name, first.shape),
                          "name variables of one shape", c.v.name)
    fields = []
    for k, c in enumerate(columns):
        fields.append(("v%d" % k, c.type))
        if c.masked:
            fields.append(("m%d" % k, "u1"))
    record = np.dtype(fields)
    out = sys.stdout.buffer
    head = {"shape": list(first.shape), "notes": sum((c.notes for c in columns), []),
            "columns": [{"name": n, "type": c.type.str, "masked": c.masked}
                        for n, c in zip(request["columns"], columns)]}
    out.write(json.dumps(head).encode() + b"\n")
    size = sum(c.v.bytes + 16 for c in columns)
    for s in slabs(tuple(first.shape), first.chunks, size):
        rows = None
        for k, c in enumerate(columns):
            a, why = c.block(s)
            if rows is None:
                rows = np.empty(a.shape, record)
            rows["v%d" % k] = a
            if c.masked:
                rows["m%d" % k] = why
        out.write(rows.tobytes())
    out.flush()


def refuse(record, status=4):
    sys.stderr.write("\n" + json.dumps(record) + "\n")
    sys.exit(status)


try:
    main()
except Unopened as e:
    refuse(e.record, 5)
except Refusal as e:
    refuse(e.record)
except BrokenPipeError:
    sys.exit(0)
except Exception as e:
    text = "%s: %s" % (type(e).__name__, e)
    cure = "is it whole? can Python read it, with the same library?"
    if "filter" in text or "plugin" in text:
        cure = "its compression needs a plug-in: pip install hdf5plugin"
    refuse({"cause": "%s cannot read it (%s)" % (library, text), "cure": cure, "column": ""})
