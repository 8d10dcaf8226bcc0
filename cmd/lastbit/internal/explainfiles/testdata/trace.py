"""Writes a trace of a small network: NAME.log, and its arrays to the folder NAME.

Usage: trace.py NAME PRECISION …, where PRECISION is highest, high or medium.
"""
import itertools
import pathlib
import sys

import numpy as np
import torch
from torch.utils._debug_mode import DebugMode


def trace(name, program):
    folder = pathlib.Path(name)
    folder.mkdir()
    number = itertools.count()
    step = ""

    def save(what, tensors):
        for k, t in enumerate(t for t in tensors if torch.is_tensor(t)):
            np.save(folder / f"{step}.{what}{k}.npy", t.numpy())

    def before(func, types, args, kwargs, call):
        nonlocal step
        step = f"{next(number):04}.{func}"
        save("in", args)

    def after(func, types, args, kwargs, result):
        save("out", [result])

    with DebugMode() as mode, \
            DebugMode.dispatch_hooks(pre_log_hook=before, log_hook=after), \
            DebugMode.log_tensor_hashes(hash_fn="hash_tensor", hash_inputs=True):
        program()
    pathlib.Path(name + ".log").write_text(mode.debug_string())
    DebugMode.save_logs(mode.logs, name + ".json")


torch.manual_seed(1)
torch.set_num_threads(1)
x, v, w = torch.randn(64, 300), torch.randn(300, 200), torch.randn(200, 50)
for name, precision in zip(sys.argv[1::2], sys.argv[2::2]):
    torch.set_float32_matmul_precision(precision)
    trace(name, lambda: (torch.tanh(x @ v) @ w).sum(1))
