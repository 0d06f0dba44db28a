"""Every question that a `where` clause may ask."""

from reverie.dreamers.rewriting.questions import common, lists, ordering, taking
from reverie.dreamers.rewriting.questions.registry import QUESTIONS

__all__ = ["QUESTIONS", "common", "lists", "ordering", "taking"]
