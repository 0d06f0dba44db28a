"""One planted case: files, and what a person would say of the modules among them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

USED, ORPHAN, ISOLATED, REDUNDANT = "used", "orphan", "isolated", "redundant"
LEGACY = "legacy"
DONOR = "<a real module of another package>"
COPY = "<a real module of this package with its names changed>"


@dataclass(frozen=True, slots=True)
class Case:
    """`{pkg}` in paths and texts is the folder of the package that the case is planted in.

    A file whose text is `DONOR` gets the text of a real module of another package; `COPY`, of a
    real module of this one with its names changed. Text is added to a file that is there already.
    """

    name: str
    repository: str
    files: Mapping[str, str]
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Half:
    """A part of the sample: repositories, each with the package it is grown from, and cases."""

    name: str
    repositories: Mapping[str, str]
    cases: tuple[Case, ...]


def load_half(name: str) -> Half:
    """One of the files beside this one."""
    text = Path(__file__).with_name(f"{name}.json").read_text("utf-8")
    document = json.loads(text)
    return Half(name, document["repositories"], tuple(Case(**each) for each in document["cases"]))
