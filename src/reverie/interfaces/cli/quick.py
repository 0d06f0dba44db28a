"""`reverie search WORDS` before Click is loaded, which takes longer than the search itself.

Answered is only what needs nothing else: words, `--json` and `--repo`, of an index that is
current. Anything out of the ordinary, an error too, is left to the command itself, which begins
anew: a question that was not answered has written nothing.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reverie.interfaces.cli.app import App

MOST = 10
"""Answers where no other number was asked for."""


def answer(arguments: Sequence[str]) -> int | None:
    """Answer a plain question and return the exit code; None: leave it to the command."""
    if arguments[:1] != ["search"]:
        return None
    from reverie.interfaces.cli.app import App

    app = App(environ=os.environ)
    question = _read(arguments[1:], app)
    if not question:
        return None
    try:
        return _answer(question, app)
    except Exception:  # noqa: BLE001 - the command meets it again, inside the boundary
        return None


def _read(arguments: Sequence[str], app: App) -> str | None:
    words, left = [], iter(arguments)
    for each in left:
        match each:
            case "--json":
                app.json = True
            case "--repo":
                app.repo = next(left, None)
            case _ if each.startswith("-"):
                return None
            case _:
                words.append(each)
    return " ".join(words)


def _answer(question: str, app: App) -> int | None:
    from reverie.bootstrap import open_index_of
    from reverie.interfaces.cli.answers import answer_document, answer_text
    from reverie.interfaces.cli.output import json_text

    started = time.perf_counter()
    with open_index_of(app.loaded) as index:
        if not index.is_current():
            return None
        hits = index.search(question, MOST)
        names = index.memory.module_names({each.found.path for each in hits}) if app.json else {}
    seconds = time.perf_counter() - started
    if app.json:
        _write(json_text(answer_document(question, hits, names, seconds)) + "\n")
    else:
        _write(answer_text(hits))
    return 0 if hits else 1


def _write(text: str) -> None:
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.stdout.write(text)
    sys.stdout.flush()
