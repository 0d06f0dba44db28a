"""Search the functions of a repository by name, by words and by the shape of their signature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reverie.index.paths import is_test_path
from reverie.index.search.ranking import Candidates, Hit, Question, rank, read_question

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Candidates", "Hit", "Question", "rank", "read_question", "search"]


def search(candidates: Callable[[Question], Candidates], question: str, limit: int) -> list[Hit]:
    """The functions, methods and classes that answer a question best."""
    asked = read_question(question)
    return rank(candidates(asked), asked.words, asked.shape, is_test_path, limit)
