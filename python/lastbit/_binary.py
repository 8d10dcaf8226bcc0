"""Finds and starts the lastbit command."""

import os
import shutil
import subprocess
import sys
from typing import NoReturn

from ._errors import Error

_NAME = "lastbit.exe" if os.name == "nt" else "lastbit"


def find() -> str:
    """Return the path of the lastbit command.

    $LASTBIT names it; otherwise it is the one in this package, or the first on
    PATH that is not the launcher of this package.
    """
    named = os.environ.get("LASTBIT")
    if named:
        found = shutil.which(named)
        if found is None:
            raise Error(
                "command-missing",
                f"LASTBIT is {named}, which is not a program",
                "set LASTBIT to the path of the lastbit command, or unset it",
            )
        return found
    packed = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", _NAME)
    if os.access(packed, os.X_OK):
        return packed
    for folder in os.get_exec_path():
        path = os.path.join(folder, _NAME)
        if os.path.isfile(path) and os.access(path, os.X_OK) and not _is_script(path):
            return path
    raise Error(
        "command-missing",
        "this package holds no lastbit command, and none is on PATH",
        "install the wheel of this platform, or set LASTBIT to the path of the command",
    )


def environment() -> "dict[str, str]":
    """Return the environment for the command: py: targets use this Python."""
    env = dict(os.environ)
    env.setdefault("LASTBIT_PYTHON", sys.executable)
    return env


def main() -> NoReturn:
    """Replace this process by the command, with the same arguments."""
    try:
        path = find()
    except Error as error:
        sys.exit(f"lastbit: {error}")
    args = [path, *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(args, env=environment()))
    os.execve(path, args, environment())


def _is_script(path: str) -> bool:
    """Report whether a file is a script, such as this package's launcher."""
    with open(path, "rb") as file:
        return file.read(2) == b"#!"
