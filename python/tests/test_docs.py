"""The examples in the docstrings of the package, and of its page."""

import doctest
import importlib
import importlib.util
import pkgutil
from pathlib import Path

import lastbit


# What the examples of a module need.
NEEDS = {"lastbit._questions": "numpy", "lastbit.pytest": "pytest"}


class Fenced(doctest.DocTestParser):
    """Reads a page, whose examples end with a fence."""

    def parse(self, string, name="<string>"):
        return super().parse(string.replace("```python", "").replace("```", ""), name)


def load_tests(loader, tests, ignore):
    for module in pkgutil.walk_packages(lastbit.__path__, "lastbit."):
        needed = NEEDS.get(module.name, "lastbit")
        if module.name != "lastbit.__main__" and importlib.util.find_spec(needed):
            tests.addTests(doctest.DocTestSuite(importlib.import_module(module.name)))
    tests.addTests(doctest.DocTestSuite(lastbit))
    page = Path(__file__).resolve().parents[2] / "docs" / "use" / "numpy.md"
    tests.addTests(doctest.DocFileSuite(str(page), module_relative=False, parser=Fenced()))
    return tests
