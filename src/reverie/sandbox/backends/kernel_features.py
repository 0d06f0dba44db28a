"""Ask a fresh process what the kernel lets it do; nothing of it outlives the question."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from reverie.sandbox.interpreters import own_interpreter
from reverie.sandbox.profile import INSIDE_FOLDER

_PROGRAM = (
    f"import sys; sys.path.insert(0, {INSIDE_FOLDER!r}); "
    "from inside.kernel_features import main; main()"
)
_SECONDS = 30.0
NAMES = ("user_namespace", "mounts", "proc", "seccomp", "landlock")


@dataclass(frozen=True, slots=True)
class Feature:
    """One kernel feature, tried: what went wrong, or what came of it."""

    error: str | None
    errno: int | None = None
    value: int | None = None

    @property
    def worked(self) -> bool:
        """Whether the kernel let us."""
        return self.error is None


def try_features() -> Mapping[str, Feature]:
    """Every feature by name; a process that could not be asked counts as a failure of each."""
    command = [own_interpreter().binary, "-s", "-S", "-P", "-X", "utf8", "-c", _PROGRAM]
    try:
        ran = subprocess.run(
            command, capture_output=True, timeout=_SECONDS, env={"LANG": "C.UTF-8"}, cwd="/"
        )
        found = json.loads(ran.stdout)
        return {name: Feature(**found[name]) for name in NAMES}
    except (OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
        return dict.fromkeys(NAMES, Feature(f"could not be tried: {error}"))
