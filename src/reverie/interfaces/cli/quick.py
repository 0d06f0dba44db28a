"""`reverie search WORDS` before Click is loaded, which takes longer than the search itself.

Answered is only what needs nothing else: words, `--json` and `--repo`, of an index that is
current. Its sheet answers, or else its journal. Anything out of the ordinary, an error too, is
left to the command itself, which begins anew: a question that was not answered has written
nothing.
"""

import os
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from reverie.index.search import Hit

MOST = 10
"""Answers where no other number was asked for."""


class _Asked(NamedTuple):
    question: str
    json: bool
    repo: str | None
    started: float


def answer(arguments: "Sequence[str]") -> int | None:
    """Answer a plain question and return the exit code; None: leave it to the command."""
    asked = _read(arguments[1:]) if arguments[:1] == ["search"] else None
    if asked is None or not asked.question:
        return None
    try:
        code = _ask_sheet(asked)
        return _ask_journal(asked) if code is None else code
    except Exception:  # noqa: BLE001 - the command meets it again, inside the boundary
        return None


def _read(arguments: "Sequence[str]") -> _Asked | None:
    words, json, repo, left = list[str](), False, None, iter(arguments)
    for each in left:
        match each:
            case "--json":
                json = True
            case "--repo":
                repo = next(left, None)
            case _ if each.startswith("-"):
                return None
            case _:
                words.append(each)
    return _Asked(" ".join(words), json, repo, time.perf_counter())


def _ask_sheet(asked: _Asked) -> int | None:
    from reverie.index.remembering.sheet import SHEET_FILE, SHEET_FOLDER, read_sheet
    from reverie.index.search import search
    from reverie.settings.sources import find_folder, look_at_sources

    folder = find_folder(asked.repo, os.environ).folder
    sources = look_at_sources(folder, os.environ)
    sheet = None if sources is None else read_sheet(f"{folder}/{SHEET_FOLDER}/{SHEET_FILE}")
    if sources is None or sheet is None or not sheet.is_current(folder, sources):
        return None
    return _show(asked, search(sheet.candidates, asked.question, MOST), sheet.module_names)


def _ask_journal(asked: _Asked) -> int | None:
    from reverie.bootstrap import open_index_of
    from reverie.interfaces.cli.app import App

    with open_index_of(App(os.environ, repo=asked.repo).loaded) as index:
        if not index.is_current():
            return None
        hits = index.search(asked.question, MOST)
        index.lay_sheet()
        return _show(asked, hits, index.memory.module_names)


def _show(
    asked: _Asked,
    hits: "Sequence[Hit]",
    names_of: "Callable[[Collection[str]], Mapping[str, str]]",
) -> int:
    from reverie.interfaces.cli.answers import answer_document, answer_text

    if asked.json:
        from reverie.interfaces.cli.output import json_text

        names = names_of({each.found.path for each in hits})
        seconds = time.perf_counter() - asked.started
        _write(json_text(answer_document(asked.question, hits, names, seconds)) + "\n")
    else:
        _write(answer_text(hits))
    return 0 if hits else 1


def _write(text: str) -> None:
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.stdout.write(text)
    sys.stdout.flush()
