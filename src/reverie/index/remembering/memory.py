"""What the index needs from whoever remembers it, and a memory that lasts as long as a process."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from reverie.model.repository.indexed import (
    FileOutline,
    FileRecord,
    KnownFile,
    KnownIndex,
    StoredEvidence,
    StoredFacts,
)
from reverie.model.repository.symbol import FoundSymbol


class Memory(Protocol):
    """The remembered index of one repository."""

    def known_format(self) -> str | None:
        """The format of what is remembered; None when nothing is."""
        ...

    def begin(self, written_as: str) -> None:
        """Forget everything: what comes is in another format."""
        ...

    def known_index(self) -> KnownIndex | None:
        """What is remembered of the whole; None before a first index was finished."""
        ...

    def known_files(self) -> Mapping[str, KnownFile]:
        """Every remembered file, by path."""
        ...

    def save_files(self, files: Sequence[FileRecord]) -> None:
        """Remember files, each in place of what was known of its path, all or none."""
        ...

    def save_signatures(self, signatures: Mapping[str, str]) -> None:
        """Remember files by a new signature: they look changed and are not."""
        ...

    def forget_files(self, paths: Sequence[str]) -> None:
        """Forget files that are gone."""
        ...

    def save_index(self, whole: KnownIndex, names: Mapping[str, str]) -> None:
        """Remember the whole, with the module name of each path."""
        ...

    def trail(self) -> str | None:
        """What the files looked like when all of this was true; None: look at them."""
        ...

    def save_trail(self, trail: str) -> None:
        """Remember it until a file is saved or forgotten."""
        ...

    def outlines(self) -> Iterable[FileOutline]:
        """What names, edges and totals are made of, by path."""
        ...

    def errors(self) -> Mapping[str, str]:
        """What is wrong with the files that could not be read or parsed, by path."""
        ...

    def facts(self) -> Iterable[StoredFacts]:
        """All that is remembered of each file, by path."""
        ...

    def evidence(self) -> Iterable[StoredEvidence]:
        """What is remembered of the use of modules, file by file."""
        ...

    def save_evidence(self, evidence: Sequence[StoredEvidence]) -> None:
        """Remember it until the file changes or is gone, in place of what was known of its path."""
        ...

    def find_symbols(self, stems: Sequence[str], *, only_shaped: bool) -> list[FoundSymbol]:
        """Symbols with one of the stems among their words, or all; those with types only."""
        ...

    def module_names(self, paths: Collection[str]) -> Mapping[str, str]:
        """The names of the modules at some paths; empty while an index is not finished."""
        ...


class ProcessMemory:
    """Remembers nothing beyond this process: for a repository without a journal."""

    def __init__(self) -> None:
        self._format: str | None = None
        self._whole: KnownIndex | None = None
        self._files: dict[str, FileRecord] = {}
        self._names: dict[str, str] = {}
        self._evidence: dict[str, StoredEvidence] = {}
        self._trail: str | None = None

    def known_format(self) -> str | None:
        """The format of what is remembered; None when nothing is."""
        return self._format

    def begin(self, written_as: str) -> None:
        """Forget everything: what comes is in another format."""
        self._format, self._whole, self._trail = written_as, None, None
        self._files.clear()
        self._names.clear()
        self._evidence.clear()

    def known_index(self) -> KnownIndex | None:
        """What is remembered of the whole."""
        return self._whole

    def known_files(self) -> Mapping[str, KnownFile]:
        """Every remembered file, by path."""
        return {
            path: KnownFile(file.signature, file.content_hash, self._names.get(path, ""))
            for path, file in self._files.items()
        }

    def save_files(self, files: Sequence[FileRecord]) -> None:
        """Remember files."""
        self._trail = None
        self._files.update((file.path, file) for file in files)
        for file in files:
            self._evidence.pop(file.path, None)

    def save_signatures(self, signatures: Mapping[str, str]) -> None:
        """Remember files by a new signature."""
        for path, signature in signatures.items():
            self._files[path] = replace(self._files[path], signature=signature)

    def forget_files(self, paths: Sequence[str]) -> None:
        """Forget files that are gone."""
        self._trail = None
        for path in paths:
            self._files.pop(path, None)
            self._names.pop(path, None)
            self._evidence.pop(path, None)

    def save_index(self, whole: KnownIndex, names: Mapping[str, str]) -> None:
        """Remember the whole."""
        self._whole = whole
        self._names.update(names)

    def trail(self) -> str | None:
        """What the files looked like when all of this was true."""
        return self._trail

    def save_trail(self, trail: str) -> None:
        """Remember it until a file is saved or forgotten."""
        self._trail = trail

    def outlines(self) -> Iterable[FileOutline]:
        """What names, edges and totals are made of."""
        return [file.outline for _, file in sorted(self._files.items())]

    def errors(self) -> Mapping[str, str]:
        """What is wrong with the files that could not be read or parsed."""
        outlines = (file.outline for _, file in sorted(self._files.items()))
        return {each.path: each.error for each in outlines if each.error is not None}

    def facts(self) -> Iterable[StoredFacts]:
        """All that is remembered of each file."""
        for path, file in sorted(self._files.items()):
            yield StoredFacts(path, file.content_hash, file.outline.imports, file.facts)

    def evidence(self) -> Iterable[StoredEvidence]:
        """What is remembered of the use of modules."""
        return list(self._evidence.values())

    def save_evidence(self, evidence: Sequence[StoredEvidence]) -> None:
        """Remember it until the file changes or is gone."""
        self._evidence.update((each.path, each) for each in evidence)

    def find_symbols(self, stems: Sequence[str], *, only_shaped: bool) -> list[FoundSymbol]:
        """Symbols with one of the stems among their words, or all; those with types only."""
        return [
            FoundSymbol(path, symbol)
            for path, file in sorted(self._files.items())
            for symbol in file.symbols
            if (symbol.shape or not only_shaped)
            and (not stems or any(stem in symbol.words for stem in stems))
        ]

    def module_names(self, paths: Collection[str]) -> Mapping[str, str]:
        """The names of the modules at some paths."""
        return {path: self._names.get(path, "") for path in paths}
