"""Starts workers in the blink of an eye: a process that has loaded a library forks one for every connection.

A connection brings the descriptors 0, 1, 2 and, if there is one, 3 of the worker, then its code, and ends with the worker.
"""
import array
import importlib
import os
import select
import signal
import socket
import sys


def work(fds, code):
    for target, fd in enumerate(fds):
        os.dup2(fd, target)
    exec(compile(code, "<worker>", "exec"), {"__name__": "__main__"})


def accept(listener):
    conn, _ = listener.accept()
    fds = array.array("i")
    _, rights, _, _ = conn.recvmsg(1, socket.CMSG_SPACE(4 * fds.itemsize))
    for _, _, data in rights:
        fds.frombytes(data)
    with conn.makefile("rb") as f:
        code = f.read()
    if os.fork() == 0:
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            work(fds, code)
        finally:
            os._exit(1)
    for fd in fds:
        os.close(fd)
    conn.close()


def main():
    path, module = sys.argv[1:]
    importlib.import_module(module)
    while os.open(os.devnull, os.O_RDONLY) < 3:  # received descriptors must not be 0 to 2, their destinations
        pass
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(8)
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [])
        if sys.stdin in ready:
            return
        accept(listener)


main()
