"""What can go wrong, named by its mathematical or practical situation.

Every error that a user can cause carries one plain sentence: what is wrong,
where it stands, and what to do about it.
"""

from __future__ import annotations


class IdentcertError(Exception):
    """Root of all errors that identcert raises on purpose."""


class InputError(IdentcertError):
    """A file, array or argument that does not say what its format demands.

    Parameters
    ----------
    what : the fault, as a clause without a final full stop.
    where : the place, such as ``"net.network.json, layers[1].weight"``.
    fix : what to do about it, as a clause.
    """

    def __init__(self, what: str, where: str | None = None, fix: str | None = None) -> None:
        self.what, self.where, self.fix = what, where, fix
        super().__init__(f"{where}: {what}" if where else what)

    def __str__(self) -> str:
        """Return the one sentence that people read."""
        sentence = f"{self.where}: {self.what}" if self.where else self.what
        return f"{sentence}; {self.fix}" if self.fix else sentence


class SingularMatrix(InputError):
    """A square matrix without an inverse, where one is needed."""


class NotAHomomorphism(InputError):
    """Generator images that break a relator, so that no homomorphism extends them."""


class UnsupportedError(IdentcertError):
    """A mathematical situation that identcert refuses rather than guesses."""


class OutOfBudget(IdentcertError):
    """The time or size that the caller allowed is used up."""


class EvidenceRejected(IdentcertError):
    """Evidence that the independent checker refused: a fault of identcert itself."""
