"""Callables as users write them, good and bad."""
import ctypes
import os
import sys

import numpy as np

import totals


class Sums:
    def method(self, x):
        return x.sum()


sums = Sums()
number = 3.0


def right_to_left(x):
    total = x[-1]
    for value in x[-2::-1]:
        total = total + value
    return total


def lists(x: list):
    assert type(x) is list and type(x[0]) is float
    return sum(x)


def dot(x, y):
    return np.array(right_to_left(x * y))


def matrix(a, b):
    return a @ b


def whole(x):
    return int(x.sum())


def sibling(x):
    return totals.total(x)


def twice(f):
    return lambda *operands: f(*operands) + f(*operands)


def raises(x):
    raise ValueError("not today,\nnot tomorrow")


def leaves(x):
    sys.exit(3)


def raises_much(x):
    raise ValueError("begin " + "x" * 100000 + " end")


class Mute(Exception):
    def __str__(self):
        raise ValueError("no words")


def raises_mute(x):
    raise Mute()


def exits(x):
    os._exit(7)


def crashes(x):
    ctypes.string_at(0)


def closes(x):
    os.closerange(3, 50)
    return x.sum()


def forks(x):
    if os.fork() == 0:
        raise ValueError("not the one that was called")
    return x.sum()


def prints(x):
    print("to be read")
    sys.stderr.write("y" * 1000000)
    return x.sum()


def word(x):
    return "abc"


def nothing(x):
    pass


def plain_list(x):
    return [0.0] * 40


def takes_two(x, y):
    return float((x * y).sum())


def vector(x):
    return x[:2]


def integers(x):
    return np.int64(3)


def fickle(x):
    return x.sum() if x.any() else 0.0


def changes(x):
    x[0] = 3
    return x.sum()


def changes_second(x, y):
    if y.any():
        y *= 2
    return x @ y


def hangs(x):
    while True:
        pass


def hangs_later(x):
    while x.any():
        pass
    return x.sum()


def dies_later(x):
    if x[0] == 13:
        os.abort()
    return x.sum()


def speaks(x):
    print("ok library=nonsense", flush=True)
    return x.sum()
