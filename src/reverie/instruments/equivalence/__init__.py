"""Equivalence of two versions of a callable, on generated inputs, in the sandbox.

    from reverie import check_equivalence

    answer = check_equivalence("old.py:parse", "new.py:parse")
    answer.verdict            # equivalent, different or unknown
    answer.counterexample     # the smallest call found on which they differ

`compare_versions` is the same for whoever has a sandbox and sources already.
"""

from reverie.instruments.equivalence.targets import Version, read_version, version_of
from reverie.instruments.equivalence.trial import check_equivalence, compare_versions

__all__ = ["Version", "check_equivalence", "compare_versions", "read_version", "version_of"]
