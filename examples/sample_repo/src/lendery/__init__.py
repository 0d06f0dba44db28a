"""Loans, fines and catalogue of a small lending library."""

from lendery.catalogue import Book, Catalogue
from lendery.loans import Loan, fine_cents

__all__ = ["Book", "Catalogue", "Loan", "fine_cents"]
