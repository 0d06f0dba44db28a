"""What runs inside: modules of mutation and equivalence that are needed, and those of replaying."""

from functools import cache
from pathlib import Path

from reverie.instruments.mutation.program import far_sources, packed

ENTRY = "answer"
_SHARED = ("probes", "canon")
_OWN = ("given", "patching", "asking", "watching", "replaying")


@cache
def replaying_program() -> str:
    """The source of a program whose `answer` takes a request and returns what was seen."""
    here = Path(__file__).parent
    folders = [(here.parent / "equivalence" / "inside", _SHARED), (here / "inside", _OWN)]
    return packed(
        [
            *far_sources("loading"),
            *(
                (name, (folder / f"{name}.py").read_text("utf-8"))
                for folder, names in folders
                for name in names
            ),
        ]
    )
