"""An agent's command line: a task in a file, a copy of the repository to work in, and nothing else.

The agent is a person's own program and does what it likes with its copy; only the difference that
it leaves there counts, and that is judged like everybody's.
"""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from reverie.errors import ConfigError

_KEPT = (
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "SSL_CERT_DIR",
    "SSL_CERT_FILE", "TERM", "TMPDIR", "TZ", "USER", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
    "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY",
)  # fmt: skip
_PASSED_ON = ("REVERIE_GUARD_", "REVERIE_SANDBOX_", "REVERIE_EQUIVALENCE_", "REVERIE_MUTATION_")
"""Settings of the judge: whoever checks its work asks the judge that will rule on it."""


def agent_command(template: str, task: Path, worktree: Path, *, is_agent: bool = True) -> list[str]:
    """The command of a template, its places filled in; no shell reads it."""
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise ConfigError(f"models.agent_command: {error}") from error
    if not words:
        raise ConfigError("models.agent_command: no program is named")
    if is_agent and not any("{task}" in word for word in words):
        raise ConfigError("models.agent_command: it has no {task} in it")
    return [
        word.replace("{task}", str(task)).replace("{worktree}", str(worktree)) for word in words
    ]


def agent_environment(
    environ: Mapping[str, str], key_variable: str, programs: Sequence[str] = ()
) -> dict[str, str]:
    """What an agent finds in its environment: what programs need, the judge's settings, its key.

    `programs` are folders that are looked into first.
    """
    kept = {name: environ[name] for name in (*_KEPT, key_variable) if name and name in environ}
    judging = {name: environ[name] for name in environ if name.startswith(_PASSED_ON)}
    folders = kept.get("PATH", "/usr/local/bin:/usr/bin:/bin").split(":")
    paths = [*programs, *(each for each in folders if each.startswith("/"))]
    return {**kept, **judging, "PATH": ":".join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
