"""Which callables the declared workflows spend their time in.

Every workflow is run as it always is, step by step in the sandbox; before each step a profiler is
started, and what it saw is left as a file beside those of the workflow.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from reverie.instruments.profiling import planted_source, read_profile
from reverie.model.code import CodeIndex
from reverie.model.profile import Profile, merged_profile
from reverie.model.workflow import Workflow, WorkflowRun
from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

_PREFIX = "reverie-profile-"
_MOST_BYTES = 16 << 20
_INJECTOR = """

def profile_step(root):
    import json, os
    profiler = cProfile.Profile()
    profiler.enable()
    planted_slow()
    planted_quick()

    def write_down():
        profiler.disable()
        number = sum(each.startswith({prefix!r}) for each in os.listdir(root))
        with open(os.path.join(root, {prefix!r} + str(number) + ".json"), "x") as file:
            json.dump(profile_rows(profiler, {repository!r}), file)

    return write_down
"""


def profile_workflows(
    runner: WorkflowSandboxRunner, workflows: Iterable[Workflow], index: CodeIndex
) -> Profile:
    """Run workflows under a profiler; the functions of the repository, hottest first."""
    found: list[Profile] = []
    source = planted_source() + _INJECTOR.format(prefix=_PREFIX, repository=index.repository)
    for workflow in workflows:
        run = runner.run_workflow(workflow, mock_injectors=[source])
        profiles = [read_profile(each, index) for each in _written(run)]
        if not run.succeeded and run.failed_step is not None:
            profiles.append(Profile((), 0.0, f"{workflow.name}: {run.failed_step}: {run.outcome}"))
        found.append(merged_profile(profiles))
    if not found:
        return Profile((), 0.0, "no workflow is declared")
    return merged_profile(found)


def _written(run: WorkflowRun) -> Iterator[Any]:
    """What steps left of their profiles: text of code that nobody trusts, read as JSON."""
    for name, data in sorted(run.files.items()):
        if name.startswith(_PREFIX) and len(data) <= _MOST_BYTES:
            try:
                yield json.loads(data)
            except (ValueError, RecursionError):
                yield None
