# Looks for the files that the values of an HDF5 dataset are in. It is in front of
# read.py, which has the class Refusal.
import os


def check_parts(h5py, name, d, owner):
    """Refuses a dataset whose values are in other files that are not whole: HDF5 reads fill values for those."""
    folder = os.path.dirname(os.path.realpath(owner))
    left = d.size * d.dtype.itemsize
    for part, offset, size in d.external or []:
        prefix = os.environ.get("HDF5_EXTFILE_PREFIX", "").replace("${ORIGIN}", folder)
        size, left = min(size, left), max(left - size, 0)
        at = os.path.join(prefix, part)
        if os.path.exists(at) and os.path.getsize(at) < offset + size:
            raise Refusal("its values are in %s, which ends before them" % part, "is that file whole?", name)
    for source in d.virtual_sources() if d.is_virtual else []:
        blocks = blocks_of(h5py, d, source)
        for k in range(blocks or 1):
            part, dataset = (filled(s, k) for s in (source.file_name, source.dset_name))
            check_source(h5py, name, owner, folder, part, dataset)
        if blocks is not None and "%b" in source.file_name.replace("%%", ""):
            check_end(name, folder, source.file_name, blocks)


def check_source(h5py, name, owner, folder, part, dataset):
    """Refuses a source of a virtual dataset that is not there. HDF5 itself refuses one that is too short."""
    whole = False
    try:
        with h5py.File(owner if part == "." else place_of(folder, part), "r") as g:
            other = g.get(dataset)
            if isinstance(other, h5py.Dataset):
                check_parts(h5py, name, other, g.filename)
                whole = True
    except OSError:
        pass
    if not whole:
        raise Refusal("its values are in %s of %s, which is not there or cannot be read"
                      % (dataset, part), "put that file where it was", name)


def check_end(name, folder, pattern, blocks):
    """Refuses a pattern of which a file is missing and a later one is there."""
    at = os.path.dirname(place_of(folder, filled(pattern, 0)))
    last = os.path.basename(pattern)
    before, _, after = last.replace("%%", "\0").partition("%b")
    before, after = before.replace("\0", "%"), after.replace("\0", "%")
    for other in os.listdir(at) if os.path.isdir(at) and "%b" not in after else []:
        number = other[len(before):len(other) - len(after)]
        if other.startswith(before) and other.endswith(after) and number.isdecimal() and str(int(number)) == number \
                and int(number) >= blocks:
            raise Refusal("its values end before %s, and %s is there" % (before + str(blocks) + after, other),
                          "put the missing file where it was", name)


def place_of(folder, part):
    """Returns where HDF5 finds a source: at the prefix, beside the file, or as it is."""
    prefix = os.environ.get("HDF5_VDS_PREFIX", "").replace("${ORIGIN}", folder)
    places = [os.path.join(p, part) for p in ([prefix] if prefix else []) + [folder, ""]]
    return next((p for p in places if os.path.exists(p)), places[0])


def filled(pattern, number):
    """Returns the name of a block's file or dataset."""
    return pattern.replace("%%", "\0").replace("%b", str(number)).replace("\0", "%")


def blocks_of(h5py, d, source):
    """Returns how many blocks of a pattern of names are in a dataset, None for a name of one source."""
    if "%b" not in (source.file_name + " " + source.dset_name).replace("%%", ""):
        return None
    start, stride, count, block = source.vspace.get_regular_hyperslab()
    axis = count.index(h5py.h5s.UNLIMITED)
    return max(0, -(-(d.shape[axis] - start[axis]) // stride[axis]))


def checker(path):
    """Returns a function that checks the parts of a variable by h5py: netCDF's own library does not name them."""
    try:
        import h5py
        f = h5py.File(path, "r")
    except (ImportError, OSError):
        return lambda name: None

    def check(name):
        d = f.get(name)
        if isinstance(d, h5py.Dataset):
            check_parts(h5py, name, d, path)
    return check
