lastbit_arrays = "cupy"


def f(x):
    return x.sum()
