"""Explained scores: a list of terms that sums exactly to the number shown."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from agents.models import Term


class Sheet:
    """Collects the terms of one score. Amounts are kept in hundredths, so the sum a reader makes is the score."""

    def __init__(self, terms: tuple[Term, ...] = ()) -> None:
        self._terms = list(terms)

    def add(self, label: str, amount: float) -> None:
        """Adds one term; a term of nothing is left out."""
        rounded = round(amount, 2)
        if rounded:
            self._terms.append(Term(label, rounded))

    def cap(self, label: str, ceiling: float) -> None:
        """Brings the sum down to `ceiling` with a term that says why."""
        over = self.total - ceiling
        if over > 0:
            self.add(label, -over)

    @property
    def total(self) -> float:
        return total(self._terms)

    def closed(self) -> tuple[Term, ...]:
        """The terms, the last one holding the sum to 0..1 where it would leave it."""
        total = self.total
        if not 0.0 <= total <= 1.0:
            self.add("held to 0..1", min(1.0, max(0.0, total)) - total)
        return tuple(self._terms)


def total(terms: Iterable[Term]) -> float:
    """The score the terms sum to; nothing is 0.00 and never -0.00."""
    return round(fsum(term.amount for term in terms), 2) + 0.0


def rationale(terms: tuple[Term, ...], note: str = "") -> str:
    """The sum as a line: "0.82 = bankruptcy 0.85, named holding +0.05, unconfirmed -0.08"."""
    parts = [f"{terms[0].label} {terms[0].amount:.2f}"] if terms else ["nothing"]
    parts += [f"{term.label} {term.amount:+.2f}" for term in terms[1:]]
    line = f"{total(terms):.2f} = {', '.join(parts)}"
    return f"{line}. {note}" if note else line
