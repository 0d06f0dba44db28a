"""The in-toto statement of a bundle: every file of it by its digest, and what it is about."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reverie.errors import BundleRefused
from reverie.model.promotion import Proven
from reverie.promotion.bundle.canonical import decode, encode

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:reverie:proof-bundle:v1"
ENVELOPE = "statement.dsse.json"
TREE = "tree"
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)+")


@dataclass(frozen=True, slots=True)
class Statement:
    """What was signed."""

    files: Mapping[str, str]
    """sha256 of each file besides the envelope, by name."""
    predicate: Mapping[str, Any]


def statement_of(
    proven: Proven, files: Mapping[str, str], result_tree: str | None, at: datetime, version: str
) -> bytes:
    """The statement as it is signed."""
    subject = [{"name": name, "digest": {"sha256": files[name]}} for name in sorted(files)]
    if result_tree is not None:
        subject.append({"name": TREE, "digest": {"gitTree": result_tree}})
    predicate = {
        "dream": proven.dream.id,
        "kind": str(proven.dream.kind),
        "stage": str(proven.stage),
        "title": proven.dream.title,
        "revision": proven.source.revision,
        "verdict": str(proven.judgement.verdict),
        "created_at": at.isoformat(),
        "reverie_version": version,
    }
    return encode(
        {
            "_type": STATEMENT_TYPE,
            "subject": subject,
            "predicateType": PREDICATE_TYPE,
            "predicate": predicate,
        }
    )


def read_statement(payload: bytes) -> Statement:
    """What a signed statement says; `BundleRefused` when it is not one of ours."""
    told = decode(payload, "the statement")
    try:
        is_ours = told["_type"] == STATEMENT_TYPE and told["predicateType"] == PREDICATE_TYPE
        files = {
            str(each["name"]): str(each["digest"]["sha256"])
            for each in told["subject"]
            if each["name"] != TREE
        }
        predicate = dict(told["predicate"])
    except (KeyError, TypeError, ValueError) as error:
        raise BundleRefused("malformed", "the statement lacks something") from error
    if not is_ours:
        raise BundleRefused("malformed", f"the statement is not of type {PREDICATE_TYPE}")
    for name in files:
        if not _PLAIN_NAME.fullmatch(name) or name == ENVELOPE:
            raise BundleRefused("unsafe_name", f"no name of a file in a bundle: {name!r}")
    return Statement(files, predicate)
