"""Loans, fines and catalogue of a small lending library."""

from lendery.catalogue import Book, Catalogue
from lendery.loans import Loan, fine_cents
from lendery.reservations import Waiting

__all__ = ["Book", "Catalogue", "Loan", "Waiting", "fine_cents"]
