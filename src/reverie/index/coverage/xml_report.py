"""`coverage.xml`: the Cobertura report of coverage.py and others, read as it streams by."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from reverie.errors import UsageError
from reverie.index.coverage.raw import MAX_LINE, RawCoverage, RawFile

_CHUNK = 1 << 20
_CONDITION = re.compile(r"\((\d{1,9})/(\d{1,9})\)")


def read_xml(path: Path) -> RawCoverage:
    """What was run and what was not, by file. Entities are refused: no report needs one."""
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = _refuse_entity
    try:
        with open(path, "rb") as stream:
            while chunk := stream.read(_CHUNK):
                parser.Parse(chunk, False)
            parser.Parse(b"", True)
    except (expat.ExpatError, ValueError, KeyError) as error:
        raise UsageError(f"{str(path)!r} is no coverage report: {error}") from error
    if not reader.is_coverage:
        raise UsageError(f"{str(path)!r} is no coverage report: no <coverage> in it")
    return reader.result()


def _refuse_entity(*_: object) -> None:
    raise ValueError("it declares entities")


@dataclass(slots=True)
class _Lines:
    executed: set[int] = field(default_factory=set)
    missing: set[int] = field(default_factory=set)
    covered: int = 0
    total: int = 0


class _Reader:
    """Keeps what the elements say; a file may be spread over several classes."""

    def __init__(self) -> None:
        self.is_coverage = False
        self._files: defaultdict[str, _Lines] = defaultdict(_Lines)
        self._folders: list[str] = []
        self._file: _Lines | None = None
        self._in_source = False
        self._in_methods = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "coverage":
                self.is_coverage = True
            case "source":
                self._folders.append("")
                self._in_source = True
            case "class":
                self._file = self._files[attributes.get("filename", "")]
            case "methods":
                self._in_methods += 1
            case "line" if self._file is not None and not self._in_methods:
                self._line(self._file, attributes)

    def end(self, name: str) -> None:
        match name:
            case "source":
                self._in_source = False
            case "class":
                self._file = None
            case "methods":
                self._in_methods -= 1

    def text(self, text: str) -> None:
        if self._in_source:
            self._folders[-1] += text.strip()

    def _line(self, file: _Lines, attributes: dict[str, str]) -> None:
        number, hits = int(attributes["number"]), int(attributes["hits"])
        if not 0 < number <= MAX_LINE:
            raise ValueError(f"line {number}")
        (file.executed if hits > 0 else file.missing).add(number)
        condition = _CONDITION.search(attributes.get("condition-coverage", ""))
        if condition is not None:
            file.covered += int(condition[1])
            file.total += int(condition[2])

    def result(self) -> RawCoverage:
        """Everything that was said, once the end is reached."""
        files = {
            name: RawFile(
                frozenset(lines.executed),
                frozenset(lines.missing - lines.executed),
                lines.covered if lines.total else None,
                lines.total or None,
            )
            for name, lines in self._files.items()
            if name
        }
        return RawCoverage(files, tuple(folder for folder in self._folders if folder))
