"""Who borrowed what until when, and what being late costs."""

from dataclasses import dataclass
from datetime import date, timedelta

LOAN_DAYS = 28
GRACE_DAYS = 2
CENTS_PER_DAY = 20
LONG_OVERDUE_DAYS = 30
LONG_OVERDUE_CENTS_PER_DAY = 50
LARGEST_FINE_CENTS = 2000


@dataclass(frozen=True)
class Loan:
    """One book, lent to one reader."""

    isbn: str
    reader: str
    lent_on: date
    renewals: int = 0

    @property
    def due_on(self) -> date:
        """The last day on which nothing is owed."""
        return self.lent_on + timedelta(days=LOAN_DAYS * (1 + self.renewals))

    def days_late(self, today: date) -> int:
        """Days since the book was due; 0 when it is not."""
        return max((today - self.due_on).days, 0)


def fine_cents(loan: Loan, today: date, is_child: bool = False) -> int:
    """What the reader owes today.

    Children owe half. Past 30 days the daily rate rises for the days beyond them.
    """
    late = loan.days_late(today)
    if late <= GRACE_DAYS:
        return 0
    fine = min(late, LONG_OVERDUE_DAYS) * CENTS_PER_DAY
    if late > LONG_OVERDUE_DAYS:
        fine += (late - LONG_OVERDUE_DAYS) * LONG_OVERDUE_CENTS_PER_DAY
    if is_child:
        fine //= 2
    return min(fine, LARGEST_FINE_CENTS)


def renew(loan: Loan, today: date, is_reserved: bool, most: int = 2) -> Loan:
    """The same loan, one period longer."""
    if is_reserved:
        raise ValueError("another reader is waiting for this book")
    if loan.renewals >= most:
        raise ValueError(f"renewed {loan.renewals} times already")
    if loan.days_late(today) > GRACE_DAYS:
        raise ValueError("overdue: bring the book back first")
    return Loan(loan.isbn, loan.reader, loan.lent_on, loan.renewals + 1)
