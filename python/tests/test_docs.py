"""The examples in the docstrings of the package."""

import doctest
import importlib
import pkgutil

import lastbit


def load_tests(loader, tests, ignore):
    for module in pkgutil.walk_packages(lastbit.__path__, "lastbit."):
        if module.name != "lastbit.__main__":
            tests.addTests(doctest.DocTestSuite(importlib.import_module(module.name)))
    tests.addTests(doctest.DocTestSuite(lastbit))
    return tests
