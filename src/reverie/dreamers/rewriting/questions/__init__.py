"""Every question that a `where` clause may ask."""

from reverie.dreamers.rewriting.questions import general, lists, ordering
from reverie.dreamers.rewriting.questions.general import QUESTIONS

__all__ = ["QUESTIONS", "general", "lists", "ordering"]
