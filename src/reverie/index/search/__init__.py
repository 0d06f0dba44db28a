"""Search the functions of a repository by name, by words and by the shape of their signature."""

from reverie.index.search.question import Question, read_question
from reverie.index.search.ranking import Hit, rank
from reverie.index.search.symbols import symbols_of

__all__ = ["Hit", "Question", "rank", "read_question", "symbols_of"]
