"""The overdue list, as text."""

from collections.abc import Iterable
from datetime import date

from lendery.loans import Loan, fine_cents


def money(cents: int) -> str:
    """Cents as people read them."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def overdue_lines(loans: Iterable[Loan], today: date) -> list[str]:
    """One line per loan that owes something, worst first."""
    owing = [(fine_cents(loan, today), loan) for loan in loans]
    owing = [(cents, loan) for cents, loan in owing if cents > 0]
    owing.sort(key=lambda pair: (-pair[0], pair[1].reader))
    return [
        f"{loan.reader:<20} {loan.isbn:<13} {loan.days_late(today):>4} days {money(cents):>7}"
        for cents, loan in owing
    ]
