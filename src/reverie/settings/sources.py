"""Where settings come from, looked at without reading them; and every other name of a variable.

A plain question waits for this, so nothing is imported here that is slow to import. `ALIASES`
holds every variable name accepted besides `REVERIE_<SECTION>_<KEY>`: this table and no other.
"""

import os
from typing import TYPE_CHECKING, NamedTuple

from reverie.errors import UsageError
from reverie.home.folder import settings_file
from reverie.index.remembering.trail import look

if TYPE_CHECKING:
    from collections.abc import Mapping

REPOSITORY_KEY = "repository"


class Alias(NamedTuple):
    """A variable of the source documents that means one of our settings."""

    name: str
    key: str
    shared: bool = False
    """Other programs use this name too: a value that is no use here is passed over, with a note."""
    when_true: str | None = None
    """For an on/off variable: the value it stands for when on. Off says nothing."""


# Where two names mean one setting, the earlier row wins.
ALIASES: tuple[Alias, ...] = (
    Alias("DATABASE_URL", "journal.url", shared=True),
    Alias("SANDBOX_DATA_DIR", "journal.data_dir"),
    Alias("SANDBOX_DEBUG", "logging.level", when_true="debug"),
    Alias("SANDBOX_VERBOSE", "logging.level", when_true="debug"),
    Alias("SANDBOX_LOG_LEVEL", "logging.level"),
    Alias("LOG_LEVEL", "logging.level", shared=True),
    Alias("SANDBOX_JSON_LOGS", "logging.json"),
    Alias("SANDBOX_REPO_PATH", REPOSITORY_KEY),
    Alias("SANDBOX_RECURSIVE_ORPHANS", "orphans.recursive"),
    Alias("SELF_TEST_RECURSIVE_ORPHANS", "orphans.recursive"),
    Alias("SANDBOX_RECURSIVE_ISOLATED", "orphans.recursive_isolated"),
    Alias("SELF_TEST_RECURSIVE_ISOLATED", "orphans.recursive_isolated"),
    Alias("SANDBOX_DISCOVER_ISOLATED", "orphans.discover_isolated"),
    Alias("SELF_TEST_DISCOVER_ISOLATED", "orphans.discover_isolated"),
    Alias("SANDBOX_TEST_REDUNDANT", "orphans.include_redundant"),
    Alias("SELF_TEST_INCLUDE_REDUNDANT", "orphans.include_redundant"),
    Alias("SANDBOX_MAX_RECURSION_DEPTH", "orphans.max_depth"),
    Alias("SANDBOX_DISABLE_ORPHANS", "integration.enabled", when_true="false"),
    Alias("SANDBOX_DISABLE_ORPHAN_SCAN", "integration.enabled", when_true="false"),
    Alias("SELF_TEST_DISABLE_ORPHANS", "integration.enabled", when_true="false"),
    Alias("SELF_TEST_INCLUDE_ORPHANS", "integration.enabled"),
    Alias("SELF_TEST_DISCOVER_ORPHANS", "integration.enabled"),
    Alias("SANDBOX_AUTO_INCLUDE_ISOLATED", "integration.include_isolated"),
    Alias("SELF_TEST_AUTO_INCLUDE_ISOLATED", "integration.include_isolated"),
    Alias("SELF_TEST_DISABLE_AUTO_INTEGRATION", "integration.promote", when_true="false"),
    Alias("SANDBOX_CLEAN_ORPHANS", "integration.clean"),
    Alias("MIN_INTEGRATION_ROI", "integration.min_roi"),
    Alias("MICROPILOT_MODE", "governance.micropilot"),
    Alias("BORDERLINE_RAROI_THRESHOLD", "governance.borderline_raroi"),
    Alias("BORDERLINE_CONFIDENCE_THRESHOLD", "governance.borderline_confidence"),
    Alias("ROI_THRESHOLD", "governance.completion_points"),
    Alias("ENTROPY_PLATEAU_THRESHOLD", "governance.plateau"),
    Alias("ENTROPY_PLATEAU_CONSECUTIVE", "governance.plateau_consecutive"),
    Alias("ROI_GATING_THRESHOLD", "workflows.gating_threshold"),
    Alias("ROI_GATING_CONSECUTIVE", "workflows.gating_consecutive"),
    Alias("WORKFLOW_MERGE_SIMILARITY", "workflows.merge_similarity"),
    Alias("WORKFLOW_MERGE_ENTROPY_DELTA", "workflows.merge_entropy_delta"),
    Alias("WORKFLOW_DUPLICATE_SIMILARITY", "workflows.duplicate_similarity"),
    Alias("WORKFLOW_DUPLICATE_ENTROPY", "workflows.duplicate_entropy"),
    Alias("IMPACT_SEVERITY_CONFIG", "roi.severity_file"),
    Alias("SANDBOX_ENV_PRESETS", "scenarios.presets"),
    Alias("SANDBOX_PRESET_MODE", "scenarios.mode"),
    Alias("SANDBOX_FAIL_ON_MISSING_SCENARIOS", "scenarios.fail_on_missing"),
    Alias("PRESET_DEBUG", "scenarios.preset_debug"),
    Alias("ENABLE_ALIGNMENT_FLAGGER", "alignment.enabled"),
    Alias("ALIGNMENT_WARNING_THRESHOLD", "alignment.warning_threshold"),
    Alias("ALIGNMENT_FAILURE_THRESHOLD", "alignment.failure_threshold"),
    Alias("AUTO_DASHBOARD_PORT", "web.port"),
    Alias("METRICS_PORT", "metrics.port"),
    Alias("SELF_TEST_METRICS_PORT", "metrics.port"),
    Alias("SYNERGY_METRICS_PORT", "metrics.synergy_port"),
)


PREFIX = "REVERIE_"
VARIABLE = "REVERIE_REPOSITORY"
MARKERS = (".git", "pyproject.toml")
FILES = ("pyproject.toml", ".env")
"""The files of a repository that settings are read from, weakest first."""


class Place(NamedTuple):
    """A folder, and why it was taken to be the repository."""

    folder: str
    origin: str


def look_at_sources(folder: str, environ: "Mapping[str, str]") -> tuple[int, ...] | None:
    """What the files look like that settings come from; None: variables speak as well."""
    if any(each.startswith(PREFIX) and each != VARIABLE for each in environ):
        return None
    if any(environ.get(each.name) for each in ALIASES if each.key != REPOSITORY_KEY):
        return None
    own = settings_file(environ)
    files = (*(f"{folder}/{name}" for name in FILES), *([] if own is None else [own]))
    return tuple(map(look, files))


def find_folder(given: str | None, environ: "Mapping[str, str]") -> Place:
    """The folder given, else the one the environment names, else the one around us."""
    if given is not None:
        return Place(_existing_folder(given, "--repo"), "--repo")
    aliases = [alias.name for alias in ALIASES if alias.key == REPOSITORY_KEY]
    for name in (VARIABLE, *aliases):
        if environ.get(name):
            suffix = "" if name == VARIABLE else " (alias)"
            origin = f"environment {name}{suffix}"
            return Place(_existing_folder(environ[name], origin), origin)
    return Place(_around(_current_folder()), "current folder")


def _existing_folder(text: str, origin: str) -> str:
    try:
        path = os.path.expanduser(text) or "."
        if os.path.isdir(path):
            return os.path.realpath(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"repository {text!r} ({origin}): {error}") from error
    raise UsageError(f"repository {text!r} ({origin}): not a folder")


def _current_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise UsageError("the current folder no longer exists; give --repo") from None


def _around(start: str) -> str:
    """The nearest folder upwards with a marker that belongs to the owner of `start`.

    The owner counts because anybody can put a `pyproject.toml` into `/tmp`.
    """
    owner, folder = os.stat(start).st_uid, start
    while True:
        for marker in MARKERS:
            try:
                if os.lstat(os.path.join(folder, marker)).st_uid == owner:
                    return folder
            except OSError:
                continue
        if folder == os.path.dirname(folder):
            return start
        folder = os.path.dirname(folder)
