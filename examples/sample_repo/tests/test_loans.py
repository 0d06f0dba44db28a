from datetime import date

from lendery.loans import Loan, fine_cents

LOAN = Loan("9780306406157", "card-17", date(2024, 2, 1))


def test_due_after_four_weeks():
    assert LOAN.due_on == date(2024, 2, 29)


def test_nothing_is_owed_in_time():
    assert fine_cents(LOAN, date(2024, 2, 29)) == 0


def test_a_week_late():
    assert fine_cents(LOAN, date(2024, 3, 7)) == 140
