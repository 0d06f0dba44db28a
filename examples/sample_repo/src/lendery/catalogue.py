"""What the library has, and how to find it."""

from dataclasses import dataclass

from lendery.isbn import is_valid_isbn10, is_valid_isbn13, normalise, to_isbn13
from lendery.names import filing_key


@dataclass(frozen=True)
class Book:
    """One title."""

    isbn: str
    title: str
    author: str
    year: int


class Catalogue:
    """Books by ISBN-13."""

    def __init__(self) -> None:
        self._books: dict[str, Book] = {}

    def __len__(self) -> int:
        return len(self._books)

    def add(self, book: Book) -> str:
        """Take a book in and return the ISBN-13 it is kept under."""
        isbn = normalise(book.isbn)
        if is_valid_isbn10(isbn):
            isbn = to_isbn13(isbn)
        if not is_valid_isbn13(isbn):
            raise ValueError(f"not an ISBN: {book.isbn!r}")
        self._books[isbn] = book
        return isbn

    def search(self, query: str) -> list[Book]:
        """Books whose title or author holds every word of the query."""
        words = query.lower().split()
        return [book for book in self._books.values() if _matches(book, words)]

    def authors(self) -> list[str]:
        """Every author once, in the order in which they came in."""
        return unique([book.author for book in self._books.values()])

    def shelf(self) -> list[Book]:
        """The books as they stand: by author, then by year and title."""
        books = self._books.values()
        return sorted(books, key=lambda book: (filing_key(book.author), book.year, book.title))


def unique(names: list[str]) -> list[str]:
    """The names without repetitions; the first of each stays."""
    seen: list[str] = []
    for name in names:
        if name not in seen:
            seen.append(name)
    return seen


def most_common_words(titles: list[str], count: int = 10) -> list[tuple[str, int]]:
    """The words that most titles share, most frequent first."""
    words = []
    for title in titles:
        words = words + title.lower().split()
    pairs = []
    for word in words:
        pair = (word, words.count(word))
        if pair not in pairs:
            pairs.append(pair)
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:count]


def _matches(book: Book, words: list[str]) -> bool:
    text = f"{book.title} {book.author}".lower()
    return all(word in text for word in words)
