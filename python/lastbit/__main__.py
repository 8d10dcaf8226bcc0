"""python -m lastbit runs the command."""

from ._binary import main

main()
