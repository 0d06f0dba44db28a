"""One-step workflows for modules, so that later runs include them."""

from collections.abc import Iterable, Iterator

from reverie.errors import UsageError
from reverie.model.workflow import Step, Workflow, WorkflowOrigin
from reverie.workflows.discovery.catalogue import Catalogue, Known

_ENTRIES = ("main", "run", "execute")


def generate_workflows_for_modules(
    modules: Iterable[str], catalogue: Catalogue
) -> Iterator[Workflow]:
    """A workflow of one step for each module that has a callable to enter it by."""
    for name in modules:
        module = catalogue.modules.get(name)
        if module is None:
            raise UsageError(f"there is no module {name!r:.80} in the repository")
        entry = _entry(catalogue, name)
        if entry is not None:
            step = Step(entry.target)
            yield Workflow(name, (step,), WorkflowOrigin.MODULE, source=module.path)


def _entry(catalogue: Catalogue, module: str) -> Known | None:
    """A function called like an entry; else one that needs nothing; else the first public one."""
    found = [
        known
        for known in catalogue.known.values()
        if known.module.name == module and known.owner is None and known.function is not None
    ]
    public = [known for known in found if not str(known.target.rpartition(":")[2]).startswith("_")]
    named = [known for known in public if known.target.rpartition(":")[2] in _ENTRIES]
    free = [known for known in public if not known.required]
    return next(iter([*named, *free, *public]), None)
