# Writes files by h5py and netCDF4, and prints what reading them has to give: sums
# as fractions of integers, from the arrays in memory and from netCDF4's own masks.
import json, os, sys, warnings
from fractions import Fraction
import h5py, netCDF4
import numpy as np

warnings.simplefilter("ignore")
os.chdir(sys.argv[1])
r = np.random.default_rng(1)
cases = []
SHAPE = 10, 9


def total(values):
    s = sum((Fraction(int(v)) if isinstance(v, (int, np.integer, np.bool_)) else Fraction(float(v))
             for v in np.ravel(values)), Fraction(0))
    return "%d/%d" % (s.numerator, s.denominator)


def expect(file, columns, **more):
    cases.append({"file": file, "columns": list(columns), **more})


def refused(file, columns, error, **more):
    expect(file, columns, error=error, **more)


def numbers(dtype):
    d = np.dtype(dtype)
    if d.kind == "b":
        return r.integers(0, 2, SHAPE).astype(d)
    if d.kind == "f":
        return (r.standard_normal(SHAPE) * 100).astype(d)
    info = np.iinfo(d)
    return r.integers(info.min // 2, info.max // 2, SHAPE, dtype=d.newbyteorder("="), endpoint=True).astype(d)


TYPES = [o + t for o in "<>" for t in "f2 f4 f8 i2 i4 i8 u2 u4 u8".split()] + ["i1", "u1", "?"]
LAYOUTS = {
    "plain": {}, "chunked": {"chunks": (3, 4)}, "gzip": {"chunks": (4, 9), "compression": "gzip"},
    "shuffled": {"chunks": (3, 2), "compression": "gzip", "shuffle": True}, "lzf": {"chunks": (3, 4), "compression": "lzf"},
    "checked": {"chunks": (10, 1), "fletcher32": True}, "growing": {"maxshape": (None, None), "chunks": (4, 4)},
}
columns, sums = [], []
with h5py.File("h5py.h5", "w") as f:
    for t in TYPES:
        for layout, options in LAYOUTS.items():
            a = numbers(t)
            name = "%s/%s" % (layout, t)
            f.create_dataset(name, data=a, **options)
            columns.append(name)
            sums.append(total(a))
expect("h5py.h5", columns, sums=sums)

with h5py.File("latest.h5", "w", libver="latest", userblock_size=1024) as f:
    a = numbers("<f8")
    f.create_dataset("only", data=a, chunks=(3, 3), compression="gzip", maxshape=(None, 9))
expect("latest.h5", [], sums=[total(a)])

with h5py.File("odd.h5", "w") as f:
    f["scalar"] = 2.5
    f["none"] = np.zeros((0, 3))
    f["z"] = z = np.array([1 + 2j, -3j])
    f["record"] = c = np.array([(1, 2.5, 1j), (-7, 0.5, 2)], [("x", "<i4"), ("y", ">f4"), ("z", "<c8")])
    f["text"] = "word"
    f["texts"] = np.array([b"a", b"b"])
    f["null"] = h5py.Empty("f8")
    f["long"] = np.ones(2, "g")
    f["enum"] = np.zeros(2, h5py.enum_dtype({"a": 0, "b": 1}, basetype="i"))
    f.create_dataset("list", (2,), h5py.vlen_dtype("f8"))
    f["array"] = arrays = np.array([((1, 2, 3),), ((4, 5, 6),)], [("v", "f4", (3,))])
    f["matrix"] = matrix = np.array([[(1, b"a", np.ones((2, 2), "c8") * (k + j)) for j in range(3)] for k in range(2)],
                                    [("k", "i2"), ("s", "S1"), ("m", "c8", (2, 2))])
    f["unwritten"] = 0.0
    f.create_dataset("default", (4,), "f4", fillvalue=1.5)
    f["filled"] = x = np.array([1, -9999, 3], "f4")
    f["filled"].attrs["_FillValue"] = np.float32(-9999)
    f["scaled"] = np.array([1, 2], "i2")
    f["scaled"].attrs["scale_factor"] = 0.5
    f["wide"] = np.array([2**53 + 1], "i8")
    f["wide"].attrs["scale_factor"] = 0.5
    f["a.b"] = np.ones(2)
    f["soft"] = h5py.SoftLink("/nowhere")
for column, value in {"scalar": 2.5, "none": [], "z.real": z.real, "z.imag": z.imag, "record.x": c["x"], "record.y": c["y"],
                      "record.z.imag": c["z"].imag, "array.v.2": arrays["v"][:, 1], "matrix.m.3.real": matrix["m"][:, :, 1, 0].real, "default": [1.5] * 4, "a.b": [1, 1]}.items():
    if column not in ("none", "record.x", "z.real"):
        expect("odd.h5", [column], sums=[total(value)])
expect("odd.h5", ["z.real", "record.x", "record.y"], sums=[total(v) for v in (z.real, c["x"], c["y"])])
for column, error in {
        "z": "complex numbers", "record": "records of several fields", "text": "are texts", "texts": "are texts",
        "null": "it has no values", "long": "longdouble", "enum": "an enumeration", "list": "lists", "array.v": "name one by its number, as array.v.1", "array.v.4": "its values have no part '4'", "array": "name one: array.v.1",
        "matrix": "name one: matrix.k, matrix.m.1.real, matrix.m.1.imag",
        "soft": "no variable of that name", "nowhere": "no variable of that name", "filled": "row 2, column filled: the value is missing",
        "scaled": "use --packed for the stored numbers, or --format netcdf"}.items():
    refused("odd.h5", [column], error)
refused("odd.h5", [], "name one with --column: ")
refused("odd.h5", ["scalar", "z.real"], "its shape is (2,), and that of scalar is ()")
expect("odd.h5", ["filled"], skip=True, sums=["4/1"], missing=[1])
expect("odd.h5", ["filled"], keep=True, sums=[total(x)])
expect("odd.h5", ["scaled"], packed=True, sums=["3/1"])
expect("odd.h5", ["scaled"], netcdf=True, sums=["3/2"])
expect("odd.h5", ["wide"], packed=True, sums=["%d/1" % (2**53 + 1)])
refused("odd.h5", ["wide"], "beyond 2^53", netcdf=True)

# netCDF: masks and units. float64 values and masks come from netCDF4 itself.
FILLS = {"none": {}, "fill": {"_FillValue": 7}, "missing": {"missing_value": 7}, "two": {"_FillValue": 7, "missing_value": [3, 5]},
         "range": {"valid_range": (-20, 60)}, "low": {"valid_min": 0}, "odd": {"missing_value": 7.5}}
PACKINGS = {"stored": {}, "scaled": {"scale_factor": 0.01, "add_offset": 273.15}, "single": {"scale_factor": np.float32(0.1)},
            "moved": {"add_offset": 5.0}, "one": {"scale_factor": 1.0, "add_offset": 0.0}}


def write_netcdf(file, format, types):
    d = netCDF4.Dataset(file, "w", format=format)
    d.createDimension("t", None)
    d.createDimension("x", 9)
    written = []
    for k, t in enumerate(types):
        for fill, attributes in FILLS.items():
            for packing, units in PACKINGS.items():
                kind = np.dtype(t)
                if format == "NETCDF4" and (k + list(FILLS).index(fill) + list(PACKINGS).index(packing)) % 5:
                    continue  # a fifth of all, with each pair of two
                if kind.itemsize == 8 and kind.kind in "iu" and packing not in ("stored", "one"):
                    continue
                name = "_".join((t.replace("<", "le_").replace(">", "be_"), fill, packing))
                more = {}
                if format == "NETCDF4":
                    more = [{}, {"zlib": True, "shuffle": True}, {"chunksizes": (3, 4)}, {"zlib": True, "shuffle": False, "fletcher32": True}][len(written) % 4]
                    more["endian"] = {"<": "little", ">": "big"}.get(t[0], "native")
                native = kind.newbyteorder("=")
                value = attributes.get("_FillValue")
                v = d.createVariable(name, native, ("t", "x"), fill_value=None if value is None else native.type(value), **more)
                v.set_auto_maskandscale(False)
                for key, x in attributes.items():
                    if key != "_FillValue":
                        v.setncattr(key, x if fill == "odd" else np.array(x).astype(native))
                for key, x in units.items():
                    v.setncattr(key, x)
                a = r.integers(0, 100, SHAPE).astype(native)
                a[2, :3] = 7, 3, 5
                # netCDF fills the others; bytes have no default fill value, except in netCDF4
                rows = 10 if len(written) % 3 or native.itemsize == 1 else 8
                v[:rows] = a[:rows]
                written.append(name)
    d.close()
    return written


def read_netcdf(file, written):
    """Returns exact sums, and the numbers of values that netCDF4 masks."""
    d = netCDF4.Dataset(file)
    sums, packed, masked = [], [], []
    for name in written:
        v = d[name]
        v.set_auto_scale(False)
        v.set_auto_mask(True)
        a = np.ma.masked_array(v[:])
        masked.append(int(np.ma.count_masked(a)))
        stored = a.compressed()
        packed.append(total(stored))
        s, o = (float(np.float64(getattr(v, key, one))) for key, one in (("scale_factor", 1), ("add_offset", 0)))
        sums.append(total(stored if (s, o) == (1, 0) else [float(q) * s + o for q in stored.tolist()]))
    d.close()
    return sums, packed, masked


for file, format, types in (
        ("four.nc", "NETCDF4", "<f4 >f4 <f8 >f8 <i2 >i2 <i4 >i4 <i8 >i8 <u2 >u4 <u8 i1 u1".split()),
        ("classic.nc", "NETCDF3_CLASSIC", "f4 f8 i2 i4 i1".split()), ("offset.nc", "NETCDF3_64BIT_OFFSET", "f4 i2".split()),
        ("data.nc", "NETCDF3_64BIT_DATA", "f4 u8 i8".split())):
    written = write_netcdf(file, format, types)
    sums, packed, masked = read_netcdf(file, written)
    files = [file]
    if format == "NETCDF4":
        os.link(file, "four.h5")
        files.append("four.h5")
    for name in files:
        expect(name, written, skip=True, sums=sums, missing=masked)
    if file != "offset.nc":
        expect(file, written, skip=True, packed=True, sums=packed, missing=masked)
    short = [n for n in written if "none_stored" in n][0]
    whole = [n for n, m in zip(written, masked) if m == 0]
    if whole:
        expect(file, whole[:1], sums=[sums[written.index(whole[0])]])
    refused(file, [[n for n, m in zip(written, masked) if m][-1]], "the value ")

d = netCDF4.Dataset("one.nc", "w")
d.createDimension("time", None)
d.createDimension("x", 3)
g = d.createGroup("deep/er")
v = g.createVariable("v", "f4", ("time", "x"), fill_value=np.nan)
v[:2] = [[1, 2, np.nan], [3, 4, 5]]
d.createVariable("time", "f8", ("time",))[:3] = [1, 2, 3]
u = d.createVariable("unsigned", "i1", ("x",), fill_value=-1)
u.set_auto_maskandscale(False)
u.setncattr("_Unsigned", "true")
u[:] = [-2, 5, -1]
b = d.createVariable("bytes", "i1", ("x",))
b[:] = [-127, 0, -128]
w = d.createVariable("bad", "f4", ("x",))
w.set_auto_maskandscale(False)
w.setncattr("scale_factor", "word")
w[:] = 1
t = d.createVariable("text", str, ("x",))


def bounded(name, dtype, values, **attributes):
    v = d.createVariable(name, dtype, ("x",))
    v.set_auto_maskandscale(False)
    for key, x in attributes.items():
        v.setncattr_string(key, x) if isinstance(x, str) else v.setncattr(key, x)
    v[:] = np.array(values, dtype)


bounded("words", "i1", [-2, 5, 6], _Unsigned="true")
bounded("wide_missing", "i1", [-2, 5, -1], _Unsigned="true", missing_value=np.int16(255))
bounded("wide_bound", "i1", [-2, 5, -1], _Unsigned="true", valid_max=np.int16(300))
bounded("near_bound", "i1", [-2, 5, -1], _Unsigned="true", valid_max=np.int16(254))
bounded("double_bounds", "f4", [0.1, 0.5, 0.9], valid_min=0.1, valid_max=0.5)
bounded("float_bound", "i8", [2**53 + 1, 2**53, 5], valid_max=2.0**53 + 0.0)
bounded("half_bounds", "i4", [1, 2, 3], valid_min=1.5, valid_max=2.5)
bounded("endless", "i4", [1, 2, 3], valid_min=-np.inf, valid_max=np.inf, missing_value=np.inf)
bounded("nowhere", "i1", [1, 2, 3], valid_min=np.int16(1000))
d.close()
os.link("one.nc", "one.h5")
with h5py.File("link.h5", "w") as f:  # is no netCDF file, although it links to one
    f["link"] = h5py.ExternalLink("one.nc", "bytes")
    f["scaled"] = np.ones(2, "i2")
    f["scaled"].attrs["scale_factor"] = 0.5
refused("link.h5", ["scaled"], "use --packed for the stored numbers, or --format netcdf")

# Values in other files: HDF5 reads fill values for those that are not there.
def virtual(file, *sources):
    layout = h5py.VirtualLayout((3 * len(sources),), "f8")
    for k, (other, name) in enumerate(sources):
        layout[3 * k:3 * k + 3] = h5py.VirtualSource(other, name, (3,))
    with h5py.File(file, "w", libver="latest") as f:
        f["v/of/itself"] = np.ones(3)
        f.create_virtual_dataset("v/all", layout, fillvalue=7)


with h5py.File("source.h5", "w") as f:
    f["d"] = np.array([1.0, 2, 3])
virtual("virtual.h5", ("source.h5", "d"), (".", "v/of/itself"), ("source.h5", "d"))
virtual("virtual_gone.h5", ("source.h5", "d"), ("gone.h5", "d"))
virtual("virtual_no_d.h5", ("source.h5", "e"))
virtual("virtual_deep.h5", ("source.h5", "d"), ("virtual_gone.h5", "v/all"))
expect("virtual.h5", ["v/all"], sums=["15/1"])
refused("virtual_gone.h5", ["v/all"], "its values are in d of gone.h5, which is not there")
refused("virtual_no_d.h5", ["v/all"], "its values are in e of source.h5, which is not there")
refused("virtual_deep.h5", ["v/all"], "its values are in d of gone.h5, which is not there")
os.link("virtual.h5", "virtual.nc")
os.link("virtual_gone.h5", "virtual_gone.nc")
expect("virtual.nc", ["v/all"], sums=["15/1"])
refused("virtual_gone.nc", ["v/all"], "its values are in d of gone.h5, which is not there")


# Patterns: the block k of a side without an end is in the k-th file, or dataset.
def pattern(file, *sources):
    end, plist = h5py.h5s.UNLIMITED, h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    for k, (other, name) in enumerate(sources):
        space = h5py.h5s.create_simple((0, len(sources)), (end, len(sources)))
        space.select_hyperslab((0, k), (end, 1), stride=(3, 1), block=(3, 1))
        plist.set_virtual(space, other, name, h5py.h5s.create_simple((3,)))
    with h5py.File(file, "w", libver="latest") as f:
        space = h5py.h5s.create_simple((0, len(sources)), (end, len(sources)))
        h5py.h5d.create(f.id, b"d", h5py.h5t.IEEE_F64LE, space, dcpl=plist)


for name in "whole0", "whole1", "gap%0", "gap%1", "gap%3", "one0":
    with h5py.File(name + ".h5", "w") as f:
        f["d0"] = f["d1"] = np.array([1.0, 2, 3])
pattern("pattern.h5", (b"whole%b.h5", b"d0"), (b"one0.h5", b"d%b"))
pattern("pattern_gap.h5", (b"gap%%%b.h5", b"d0"))
pattern("pattern_short.h5", (b"whole%b.h5", b"d0"), (b"one%b.h5", b"d0"))
expect("pattern.h5", ["d"], sums=["24/1"])
refused("pattern_gap.h5", ["d"], "its values end before gap%2.h5, and gap%3.h5 is there")
refused("pattern_short.h5", ["d"], "its values are in d0 of one1.h5, which is not there")
for name, last in ("external", 16), ("external_short", 15):
    parts = [os.path.abspath(name + ".a"), os.path.abspath(name + ".b")]
    with h5py.File(name + ".h5", "w") as f:
        f.create_dataset("e", (5,), "f8", external=[(parts[0], 8, 24), (parts[1], 0, h5py.h5f.UNLIMITED)])
        f["e"][:] = range(5)
    os.truncate(parts[1], last)
    os.link(name + ".h5", name + ".nc")
expect("external.h5", ["e"], sums=["10/1"])
expect("external.nc", ["e"], sums=["10/1"])
for name in "external_short.h5", "external_short.nc":
    refused(name, ["e"], "external_short.b, which ends before them")

for name in "one.nc", "one.h5":
    expect(name, ["deep/er/v"], skip=True, sums=["15/1"], missing=[4])
    refused(name, ["deep/er/v"], "row 3, column deep/er/v: the value is missing: it is the _FillValue or missing_value, at [0 2]")
    expect(name, ["time"], sums=["6/1"])
    expect(name, ["unsigned"], skip=True, sums=["259/1"], missing=[1])
    expect(name, ["bytes"], sums=["-255/1"])
    expect(name, ["words"], sums=["265/1"])
    expect(name, ["wide_missing"], skip=True, sums=["259/1"], missing=[1])
    expect(name, ["wide_bound"], sums=["514/1"])
    expect(name, ["near_bound"], skip=True, sums=["259/1"], missing=[1])
    expect(name, ["double_bounds"], skip=True, sums=[total(np.array([0.1, 0.5], "f4"))], missing=[1])
    expect(name, ["float_bound"], skip=True, sums=["%d/1" % (2**53 + 5)], missing=[1])
    expect(name, ["half_bounds"], skip=True, sums=["2/1"], missing=[2])
    expect(name, ["endless"], sums=["6/1"])
    refused(name, ["nowhere"], "its valid range holds no value of its type")
    refused(name, ["bad"], "scale_factor is not a number")
    refused(name, ["text"], "texts")
    refused(name, [], "name one with --column: ")
whole = open("h5py.h5", "rb").read()
open("cut.h5", "wb").write(whole[:len(whole) // 2])
open("hdf4.h5", "wb").write(b"\x0e\x03\x13\x01" + bytes(100))
open("text.nc", "wb").write(b"netcdf x {}")
open("empty.nc", "wb").close()
refused("cut.h5", ["plain/<f8"], "cannot read it")
refused("hdf4.h5", [], "it is an HDF4 file; convert it: h4toh5")
refused("text.nc", [], "neither a netCDF nor an HDF5 file")
refused("empty.nc", [], "neither a netCDF nor an HDF5 file")
print(json.dumps(cases))
