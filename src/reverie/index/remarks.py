"""What a ranking has to say about itself: what was not known, and what was left out."""

from collections.abc import Collection, Mapping

from reverie.model.repository.candidate import CoverageMap, History, ModuleHistory

NO_GIT = "git is not installed: change, fault and spread are not known"
NO_REPOSITORY = "not a git repository: change, fault and spread are not known"
BARE = "a bare repository has a past, but no files"
NO_COMMITS = "no commits yet: change, fault and spread are not known"
NO_MODULES = "no Python module that a test could be written for"
_NAMED = 3


def remarks_on_history(
    history: History, histories: Mapping[str, ModuleHistory] | None
) -> list[str]:
    """What is missing from a history; None are the histories when nothing in it counts."""
    remarks = []
    if history.is_shallow:
        remarks.append("shallow clone: older commits are missing, only those that are there count")
    if history.is_truncated:
        remarks.append(f"only the newest {len(history.commits)} commits were read")
    if history.only_exact_renames:
        remarks.append("contents are missing (partial clone): only unchanged renames were followed")
    if histories is None:
        remarks.append("no commit counts: change, fault and spread are not known")
    return remarks


def remarks_on_coverage(coverage: CoverageMap | None, paths: Collection[str]) -> list[str]:
    """What is wrong with a coverage report, or missing from it."""
    if coverage is None:
        return ["no coverage: untested is not known (leave a coverage file, or use --measure)"]
    remarks = list(coverage.notes)
    if coverage.stale:
        remarks.append(
            f"stale coverage, of lines that are no longer there, is not used: "
            f"{_some(coverage.stale)}"
        )
    absent = [path for path in paths if path not in coverage.files and path not in coverage.stale]
    if absent:
        remarks.append(f"not in the coverage of {coverage.source}: {_some(absent)}")
    if coverage.unknown:
        remarks.append(f"{coverage.unknown} covered files are no modules here")
    return remarks


def _some(paths: Collection[str]) -> str:
    named = ", ".join(sorted(paths)[:_NAMED])
    more = len(paths) - _NAMED
    return f"{named} and {more} more" if more > 0 else named
