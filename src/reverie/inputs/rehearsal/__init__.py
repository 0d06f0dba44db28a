"""Whether a function would refuse its arguments, found by reading its guards with them in mind.

    refusal(shape, call)                             # "TypeError", or None when nothing says so
    constructor_refusal(found, [Expression("3")], {})

The source is followed, never run: what is not plain is unknown, an unknown condition is passed by,
and the rehearsal ends, without a verdict, where it can no longer tell which way the code goes.
"""

from reverie.inputs.rehearsal.statements import constructor_refusal, refusal

__all__ = ["constructor_refusal", "refusal"]
