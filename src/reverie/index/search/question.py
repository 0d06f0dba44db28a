"""What was asked: words, the shape of a signature, or both."""

from typing import NamedTuple

from reverie.errors import UsageError
from reverie.index.search.shapes import Shape, question_shape
from reverie.index.search.words import question_words, stem


class Question(NamedTuple):
    """A question as it is looked up."""

    words: tuple[str, ...]
    shape: Shape | None

    @property
    def stems(self) -> tuple[str, ...]:
        """What a symbol has to contain one of."""
        return tuple(stem(word) for word in self.words)


def read_question(text: str) -> Question:
    """Words, `(types) -> type`, or both; `UsageError` when there is neither."""
    said, shape = question_shape(text)
    words = tuple(question_words(said))
    if not words and shape is None:
        raise UsageError(f"nothing to search for in {text!r}: give a name, words or a signature")
    return Question(words, shape)
