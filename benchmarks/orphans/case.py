"""One planted case: files, and what a person would say of the modules among them."""

from dataclasses import dataclass, field

USED, ORPHAN, ISOLATED, REDUNDANT = "used", "orphan", "isolated", "redundant"


@dataclass(frozen=True, slots=True)
class Case:
    """`{pkg}` in paths and texts is the folder of the package that the case is planted in.

    A file whose text is `DONOR` gets the text of a real module of another package; `COPY` of a
    real module of this one, its names changed. Text is added to a file that is there already.
    """

    name: str
    repository: str
    files: dict[str, str]
    labels: dict[str, str] = field(default_factory=dict)


DONOR = "<a real module of another package>"
COPY = "<a real module of this package with its names changed>"


