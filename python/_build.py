"""Builds wheels and source distributions of lastbit, for pip (PEP 517).

Go builds the command, and a C compiler the library, so a wheel that is there for
a platform is quicker to install.
"""

import gzip
import io
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Build the wheel of this platform, and return its name."""
    go = _go()
    with tempfile.TemporaryDirectory() as folder:
        command = [go, "run", "./internal/wheel/create", "-o", folder, _platform(go)]
        if subprocess.run(command, cwd=ROOT, stdout=sys.stderr).returncode:
            raise SystemExit("lastbit: its wheel could not be built: see the message above")
        (name,) = os.listdir(folder)
        shutil.move(os.path.join(folder, name), os.path.join(wheel_directory, name))
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Build a source distribution from a checkout, and return its name."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE)
    if listed.returncode:
        raise SystemExit("lastbit: a source distribution is built from a checkout, with git")
    names = [name for name in listed.stdout.decode().split("\0") if _is_source(name)]
    top = f"lastbit-{_version()}"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        _add(archive, f"{top}/PKG-INFO", _metadata())
        _add(archive, f"{top}/pyproject.toml", _project())
        for name in sorted(names):
            with open(os.path.join(ROOT, name), "rb") as file:
                _add(archive, f"{top}/{name}", file.read())
    with open(os.path.join(sdist_directory, f"{top}.tar.gz"), "wb") as file:
        file.write(gzip.compress(packed.getvalue(), mtime=0))
    return f"{top}.tar.gz"


def _go():
    go = shutil.which("go")
    if go is None:
        raise SystemExit(
            "lastbit: building from source needs Go 1.26 or later, and there is no go on PATH.\n"
            "Install it from https://go.dev/dl, or install a wheel: "
            "pip install --only-binary lastbit lastbit"
        )
    return go


def _platform(go):
    """Return the name of this platform, as internal/wheel has it."""
    names = subprocess.run([go, "env", "GOOS", "GOARCH"], stdout=subprocess.PIPE, check=True)
    name = "/".join(names.stdout.decode().split())
    if name.startswith("linux/") and platform.libc_ver()[0] != "glibc":
        name += "/static"
    return name


def _is_source(name):
    """Report whether a build needs a file of the repository."""
    return bool(name) and not re.search(r"_test\.go$|(^|/)testdata/|^docs/|^\.|^examples/", name)


def _version():
    with open(os.path.join(ROOT, "internal", "version", "version.go")) as file:
        return re.search(r'Number = "(.*)"', file.read())[1]


def _metadata():
    return f"Metadata-Version: 2.1\nName: lastbit\nVersion: {_version()}\n".encode()


def _project():
    """Return the project's file for the top folder of a source distribution."""
    with open(os.path.join(ROOT, "python", "pyproject.toml")) as file:
        text = file.read()
    text = text.replace('backend-path = ["."]', 'backend-path = ["python"]')
    return text.replace('"README.md"', '"python/README.md"').encode()


def _add(archive, name, content):
    member = tarfile.TarInfo(name)
    member.size = len(content)
    member.mode = 0o644
    archive.addfile(member, io.BytesIO(content))
