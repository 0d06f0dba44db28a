"""Code from a specification: a recipe that fits, or an expression that the examples lead to.

    from reverie.dreamers.generate import generate, parse_spec

    answer = generate(sandbox, parse_spec("Check if a number is prime"), seconds=20)
    answer.source, answer.tests        # or answer.reason

Examples are oracles: what fails one is never returned, and when nothing is found nothing is
written that pretends.
"""

from reverie.dreamers.generate.answer import Answer, generate
from reverie.dreamers.generate.spec import Spec, parse_spec, read_spec

__all__ = ["Answer", "Spec", "generate", "parse_spec", "read_spec"]
