"""A workflow as somebody wrote it down, read strictly: TOML of a project, JSON of the journal."""

import json
import re
from collections.abc import Mapping
from typing import Any

from reverie.model.workflow import Step, Workflow, WorkflowOrigin

_NAME = re.compile(r"[A-Za-z0-9_][\w.-]*")
_TARGET = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")
_STEP_KEYS = frozenset({"call", "params", "each", "cached"})
_TABLES = ("params", "test_data", "expected_outputs")
_KEYS = frozenset({"steps", "inputs", "safe_mode", *_TABLES})
_MOST_STEPS = 100


def is_workflow_name(text: str) -> bool:
    """Whether a workflow can have this name."""
    return bool(_NAME.fullmatch(text)) and len(text) <= 200


def read_workflow(
    name: str, given: object, origin: WorkflowOrigin = WorkflowOrigin.DECLARED, source: str = ""
) -> Workflow:
    """The workflow of a list of steps, or of a table with `steps`; `ValueError` says what is wrong.

    A step is `module:callable`, or a table with `call`, `params`, `each` and `cached`.
    """
    if not is_workflow_name(name):
        raise ValueError(f"{name!r:.80} is no name of a workflow")
    table = {"steps": given} if isinstance(given, list) else given
    if not isinstance(table, Mapping):
        raise ValueError(f"workflow {name}: expected a list of steps, or a table with steps")
    _refuse_unknown(table, _KEYS, f"workflow {name}")
    steps = table.get("steps")
    if not isinstance(steps, list) or not 0 < len(steps) <= _MOST_STEPS:
        raise ValueError(f"workflow {name}: steps: expected a list of 1 to {_MOST_STEPS}")
    tables = {each: _table(table.get(each, {}), f"workflow {name}: {each}") for each in _TABLES}
    texts = tables["test_data"]
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError(f"workflow {name}: test_data: expected texts by file name")
    inputs = table.get("inputs", [])
    if not isinstance(inputs, list):
        raise ValueError(f"workflow {name}: inputs: expected a list of tables")
    return Workflow(
        name,
        tuple(_step(each, f"workflow {name}: step {at}") for at, each in enumerate(steps, 1)),
        origin,
        params=tables["params"],
        inputs=tuple(_table(each, f"workflow {name}: inputs") for each in inputs),
        test_data=texts,
        expected_outputs=tables["expected_outputs"],
        safe_mode=_flag(table, "safe_mode", f"workflow {name}"),
        source=source,
    )


def _step(given: object, where: str) -> Step:
    table = {"call": given} if isinstance(given, str) else given
    if not isinstance(table, Mapping):
        raise ValueError(f"{where}: expected module:callable, or a table with call")
    _refuse_unknown(table, _STEP_KEYS, where)
    call = table.get("call")
    if not isinstance(call, str) or not _TARGET.fullmatch(call):
        raise ValueError(f"{where}: expected module:callable, not {call!r:.80}")
    each, cached = _flag(table, "each", where), _flag(table, "cached", where)
    if cached and not each:
        raise ValueError(f"{where}: cached needs each")
    return Step(call, _table(table.get("params", {}), f"{where}: params"), each, cached)


def _table(given: object, where: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise ValueError(f"{where}: expected a table")
    try:
        json.dumps(given, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{where}: {error}"[:200]) from None
    return dict(given)


def _flag(table: Mapping[str, Any], key: str, where: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"{where}: {key}: expected true or false, not {value!r:.80}")
    return value


def _refuse_unknown(table: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise ValueError(
                f"{where}: unknown key {key!r:.80}; there are {', '.join(sorted(known))}"
            )
