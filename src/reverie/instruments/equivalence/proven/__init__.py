"""Equivalence without a single input: two versions that take the same steps on the same values.

from reverie.instruments.equivalence.proven import prove_modules
"""

from reverie.instruments.equivalence.proven.modules import (
    Proven,
    laws_of_versions,
    prove_modules,
    renamed_functions,
)
from reverie.instruments.equivalence.proven.scopes import ModuleFacts, occurrences

__all__ = [
    "ModuleFacts",
    "Proven",
    "laws_of_versions",
    "occurrences",
    "prove_modules",
    "renamed_functions",
]
