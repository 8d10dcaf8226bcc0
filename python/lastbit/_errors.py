"""The error of this package."""


class Error(Exception):
    """An error of lastbit: its ID, its cause, and what to do.

    ``id`` is a heading of docs/reference/errors.md.

    >>> import lastbit
    >>> try:
    ...     lastbit.sum("text")
    ... except lastbit.Error as error:
    ...     print(error.id)
    array-unsupported
    """

    def __init__(self, id: str, cause: str, cure: str = "") -> None:
        super().__init__(id, cause, cure)
        self.id = id
        self.cause = cause
        self.cure = cure

    def __str__(self) -> str:
        text = f"{self.cause} [{self.id}]"
        return f"{text}: {self.cure}" if self.cure else text
