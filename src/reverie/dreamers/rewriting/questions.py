"""Questions that a `where` clause may ask about what holes stand for."""

from reverie.syntax.patterns.conditions import Question

QUESTIONS: dict[str, Question] = {}
