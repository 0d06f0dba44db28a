"""What is run under a profiler before a repository is optimised."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.interfaces.cli.app import App
from reverie.model.code import CodeIndex
from reverie.model.codec import pick
from reverie.model.profile import Profile, ProfileSource

if TYPE_CHECKING:
    from reverie.sandbox.engine import Sandbox


def sources_asked(word: str) -> tuple[ProfileSource, ...]:
    """The sources that `--profile` names."""
    return tuple(ProfileSource) if word == "all" else (ProfileSource(word),)


def profile_sources(
    app: App,
    sandbox: "Sandbox",
    index: CodeIndex,
    sources: Sequence[ProfileSource],
    python: str | None,
    progress: Callable[[str], None],
) -> dict[ProfileSource, Profile]:
    """One profile for each source, in the order asked."""
    found: dict[ProfileSource, Profile] = {}
    for source in sources:
        progress(f"profiling the {source}")
        found[source] = _profile(app, sandbox, index, source, python)
    return found


def _profile(
    app: App, sandbox: "Sandbox", index: CodeIndex, source: ProfileSource, python: str | None
) -> Profile:
    section = app.settings.candidates
    if source is ProfileSource.TESTS:
        from reverie.instruments.profiling import profile_suite

        return profile_suite(sandbox, index, section, python)
    if source is ProfileSource.BENCHMARKS:
        from reverie.instruments.benchmark_profile import profile_benchmarks

        return profile_benchmarks(sandbox, index, section, python)
    from reverie.settings import load_settings
    from reverie.workflows.declared import declared_workflows
    from reverie.workflows.profiling import profile_workflows
    from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

    declared = load_settings(Path(index.repository), app.environ, app.overrides).settings.workflows
    with WorkflowSandboxRunner(repository=index.repository, sandbox=sandbox) as runner:
        return profile_workflows(runner, declared_workflows(declared), index)


def profile_document(profile: Profile, seen: Mapping[ProfileSource, Profile]) -> dict[str, Any]:
    """The profile as JSON values, with what each source came to."""
    sources = [
        {"source": source.value, **pick(each, "seconds problem"), "callables": len(each.hot)}
        for source, each in seen.items()
    ]
    return pick(profile, "seconds problem", sources=sources)
