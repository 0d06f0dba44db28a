"""Facts about use as JSON, to be remembered."""

import base64
import json
import sys
from array import array

from reverie.index.orphans.duplicates import Fingerprint
from reverie.index.orphans.legacy import LegacySign
from reverie.index.orphans.mention import Mention, MentionKind
from reverie.index.orphans.source import SourceFacts

FORMAT = f"2/{sys.version_info[0]}.{sys.version_info[1]}/{sys.byteorder}"
"""Its number changes whenever the same file would give other facts."""
_MARK = "q"


def encode_source(facts: SourceFacts) -> str:
    """The facts as one line, the format first."""
    flags = [
        facts.imports_dynamically,
        facts.changes_path,
        facts.acts_when_run,
        facts.has_shebang,
        facts.is_empty,
    ]
    marks = array(_MARK, sorted(facts.fingerprint.marks)).tobytes()
    return json.dumps(
        [
            FORMAT,
            [[each.kind.value, each.text, each.line] for each in facts.mentions],
            [int(flag) for flag in flags],
            sorted(facts.defines),
            [[each.text, each.confidence] for each in facts.signs],
            facts.fingerprint.functions,
            base64.b64encode(marks).decode("ascii"),
        ],
        separators=(",", ":"),
    )


def decode_source(text: str) -> SourceFacts | None:
    """The reverse; None for another format, `ValueError` or `TypeError` for what nobody wrote."""
    written_as, *rest = json.loads(text)
    if written_as != FORMAT:
        return None
    mentions, flags, defines, signs, functions, encoded = rest
    marks = array(_MARK)
    marks.frombytes(base64.b64decode(encoded))
    dynamic, changes_path, acts, shebang, empty = (bool(flag) for flag in flags)
    return SourceFacts(
        mentions=tuple(Mention(MentionKind(kind), said, line) for kind, said, line in mentions),
        imports_dynamically=dynamic,
        changes_path=changes_path,
        defines=frozenset(defines),
        acts_when_run=acts,
        has_shebang=shebang,
        is_empty=empty,
        signs=tuple(LegacySign(said, confidence) for said, confidence in signs),
        fingerprint=Fingerprint(frozenset(marks), functions),
    )
