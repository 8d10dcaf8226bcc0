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
        if "%" in source.file_name + source.dset_name:
            continue  # a pattern of names, whose end nobody knows
        prefix = os.environ.get("HDF5_VDS_PREFIX", "").replace("${ORIGIN}", folder)
        places = [os.path.join(p, source.file_name) for p in ([prefix] if prefix else []) + [folder, ""]]
        if source.file_name == ".":
            places = [owner]
        whole = False
        try:
            with h5py.File(next((p for p in places if os.path.exists(p)), places[0]), "r") as g:
                other = g.get(source.dset_name)
                if isinstance(other, h5py.Dataset):
                    check_parts(h5py, name, other, g.filename)
                    whole = True
        except OSError:
            pass
        if not whole:
            raise Refusal("its values are in %s of %s, which is not there or cannot be read"
                          % (source.dset_name, source.file_name), "put that file where it was", name)
