"""Search the functions of a repository by name, by words and by the shape of their signature."""

from reverie.index.search.question import Question, read_question
from reverie.index.search.ranking import Hit, rank

__all__ = ["Hit", "Question", "rank", "read_question"]
