"""Callables whose cost is measured as their input grows: those that do not say it is high."""

import re

from reverie.dreamers.fuzz.claims.subjects import Reading

_COSTLY = re.compile(
    r"\bcubic\b|\bexponential|\bfactorial time|\bbrute[- ]force|\bpower ?set\b|\bpermutations?\b"
    r"|\bcombinations\b|\ball subsets\b|\bbacktrack|\bNP-|O\((?:n|N|V|m|k)\s*(?:\^|\*\*)\s*[3-9]"
    r"|O\((?:n|N)[³⁴]|O\(\d\s*(?:\^|\*\*)|O\((?:n|N)!|\bslow(?:ly)? for (?:large|long)|\bexpensive\b"
    r"|\b(?:recursively|recursion depth)\b",
    re.IGNORECASE,
)


def measured_callables(name: str, reading: Reading) -> tuple[str, ...]:
    """The function itself, when it is one and its documentation does not speak of a high cost."""
    subject = reading.functions.get(name)
    if subject is None or not subject.is_plain or _COSTLY.search(subject.doc):
        return ()
    return (name,)
