"""`reverie exec --stream`: a request per line in, an answer per line out, in order."""

import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from reverie.bootstrap import open_sandbox
from reverie.errors import ReverieError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json
from reverie.interfaces.cli.requests import execution_document, failure_document, parse_request
from reverie.model.execution import Policy
from reverie.sandbox.engine import Sandbox

_Answer = tuple[dict[str, Any], int]
_AHEAD_PER_SLOT = 4


def serve_stream(app: App, policy: Policy, journal_url: str | None) -> int:
    """Answer until standard input ends; the exit code is the worst of the answers' own."""
    section = app.settings.sandbox
    answers: queue.Queue[Future[_Answer] | None] = queue.Queue(_AHEAD_PER_SLOT * section.slots)
    worst = [0]
    with open_sandbox(section, journal_url) as sandbox:
        printer = threading.Thread(target=_print_in_order, args=(answers, worst))
        printer.start()
        try:
            with ThreadPoolExecutor(section.slots) as workers:
                for line in sys.stdin.buffer:
                    if line.strip():
                        answers.put(workers.submit(_answer, sandbox, line, policy))
        finally:
            answers.put(None)
            printer.join()
    return worst[0]


def _answer(sandbox: Sandbox, line: bytes, policy: Policy) -> _Answer:
    try:
        text = line.decode("utf-8", "strict")
        execution = sandbox.run(parse_request(text, sandbox.section.limits(), policy))
    except UnicodeDecodeError as error:
        return failure_document(f"the request is not UTF-8: {error}", sandbox.section.tier), 2
    except ReverieError as error:
        return failure_document(str(error), sandbox.section.tier), error.exit_code
    return execution_document(execution), 0


def _print_in_order(answers: "queue.Queue[Future[_Answer] | None]", worst: list[int]) -> None:
    take: Callable[[], Future[_Answer] | None] = answers.get
    while (future := take()) is not None:
        document, code = future.result()
        worst[0] = max(worst[0], code)
        emit_json(document, on_one_line=True)
        sys.stdout.flush()
