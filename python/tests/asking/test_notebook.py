"""A notebook, run by nbclient: cells ask about the functions that they use."""

import os
import sys
import unittest

import nbclient
import nbformat

CELLS = [
    "import lastbit, numpy as np, torch",
    "lastbit.compare(np.sum, torch.sum, n=1000)",
    "lastbit.reveal(lambda x: np.sum(x[::-1]), n=24)",
    "lastbit.explain(np.float32([0.1, 0.2]), np.float32([0.1, 0.3]))",
    "lastbit.reveal(lambda x: None, n=24)",
]


def run(cells):
    """Run the cells in a kernel of this interpreter, and return their outputs."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python"}
    nbclient.NotebookClient(notebook, timeout=300, allow_errors=True).execute()
    return [cell.outputs for cell in notebook.cells]


class TestNotebook(unittest.TestCase):
    def test_cells(self):
        outputs = run(CELLS)
        self.assertEqual(outputs[0], [])
        comparison, finding, explanation = (self.shown(o) for o in outputs[1:4])
        self.assertIn("different", comparison["text/plain"])
        html = comparison["text/html"]
        self.assertEqual(html.count("<svg"), 2, "a picture of each tree")
        for text in ["numpy.sum", "torch.sum", "smallest input found", "0 everywhere but ["]:
            self.assertTrue(text in html, text)
        self.assertEqual(finding["text/html"].count("<svg"), 1)
        self.assertTrue("1 of 2" in explanation["text/html"])
        (error,) = [o for o in outputs[4] if o.output_type == "error"]
        self.assertEqual(error.ename, "Error")
        folder = os.environ.get("LASTBIT_NOTEBOOK")
        if folder:
            for name, shown in [("compare", comparison), ("reveal", finding),
                                ("explain", explanation)]:
                with open(os.path.join(folder, name + ".html"), "w") as file:
                    file.write("<!DOCTYPE html><meta charset=utf-8>" + shown["text/html"])

    def shown(self, outputs):
        """Return what a cell shows, which prints nothing."""
        self.assertEqual([o.output_type for o in outputs], ["execute_result"], outputs)
        return outputs[0].data


if __name__ == "__main__":
    sys.exit(unittest.main())
