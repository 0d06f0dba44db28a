"""Starts the machine's own pip or uv: they fetch and lay out wheels, and run nothing foreign.

Both are told to take wheels alone, so that no package is built here, and lay them into an
environment in which nothing is installed yet, so that nothing of it is run when it starts. The
index is the one that the user has configured. They run outside of the repository: a configuration
that lies in it is not read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from reverie.environment.pythons import BasePython
from reverie.errors import OutOfTime, ProgramFailed
from reverie.sandbox.interpreters import own_interpreter

MOST_SECONDS = 900.0
_TOLD = 600
_NO_WHEEL = (
    re.compile(r"No matching distribution found for ([A-Za-z0-9][\w.-]*)"),
    re.compile(r"Wheels are required for `([A-Za-z0-9][\w.-]*)`"),
    re.compile(r"Because ([A-Za-z0-9][\w.-]*?)[<>=!~]\S+ has no usable wheels"),
)
_PINS = (
    re.compile(r"The user requested \(constraint\) ([A-Za-z0-9][\w.-]*?)=="),
    re.compile(r"No matching distribution found for ([A-Za-z0-9][\w.-]*?)=="),
    re.compile(r"there is no version of ([A-Za-z0-9][\w.-]*?)=="),
)
"""How pip and uv name what a constraint asks for in vain."""
_SOURCE_LINK = re.compile(
    r"(?P<url>(?:https?|file)://\S+?\.(?:tar\.gz|zip|tar\.bz2))(?P<hash>#\S+)?"
)


@dataclass(frozen=True, slots=True)
class Installed:
    """What became of an installation; without a failure everything is there."""

    failure: str | None = None
    needs_source: str | None = None
    """A distribution that has no wheel for this Python."""
    pins: tuple[str, ...] = ()
    """Of the constraints: names whose version is not to be had, or does not fit the others."""


@dataclass(frozen=True, slots=True)
class Installer:
    """A program that installs wheels into environments."""

    name: str
    command: tuple[str, ...]
    environ: Mapping[str, str]
    ends_at: float | None = None
    """By `time.monotonic`: what still runs then is ended, and told by `OutOfTime`."""

    def install(
        self,
        python: str,
        requirements: Sequence[str],
        constraints: Sequence[str],
        wheels: Path,
        scratch: Path,
    ) -> Installed:
        """Lay wheels into the empty environment of `python`. `wheels`: a folder of built ones."""
        if not requirements:
            return Installed()
        words = [*requirements, "--find-links", str(wheels)]
        if constraints:
            file = scratch / "constraints.txt"
            file.write_text("\n".join(constraints) + "\n", "utf-8")
            words += ["--constraint", str(file)]
        ended = self._run([*self._install_words(python), *words], scratch)
        if ended.returncode == 0:
            return Installed()
        text = f"{ended.stdout}\n{ended.stderr}"
        return Installed(_reason(text), _without_wheel(text), _pins_in_the_way(text, constraints))

    def _install_words(self, python: str) -> list[str]:
        if self.name == "uv":
            return ["pip", "install", "--python", python, "--only-binary", ":all:", "--quiet",
                    "--no-progress", "--link-mode", "copy"]  # fmt: skip
        # Not quiet: which version of a constraint stands in the way is no error to pip.
        return ["--python", python, "install", "--only-binary", ":all:", "--no-input",
                "--progress-bar", "off", "--disable-pip-version-check",
                "--no-warn-script-location", "--no-compile"]  # fmt: skip

    def source_links(self, name: str, scratch: Path) -> list[str]:
        """Addresses of source archives that the index has of a distribution, oldest first."""
        words = ["-vv", "download", "--only-binary", ":all:", "--no-deps", "--no-input",
                 "--disable-pip-version-check", "--dest", str(scratch), name]  # fmt: skip
        ended = self._run(words, scratch)
        found = _SOURCE_LINK.finditer(f"{ended.stdout}\n{ended.stderr}")
        wanted = canonicalize_name(name)
        links = dict.fromkeys(f"{each['url']}{each['hash'] or ''}" for each in found)
        return [link for link in links if _names(link, wanted)]

    def _run(self, words: Sequence[str], scratch: Path) -> subprocess.CompletedProcess[str]:
        seconds = MOST_SECONDS
        if self.ends_at is not None:
            seconds = max(min(seconds, self.ends_at - time.monotonic()), 0.0)
        try:
            return subprocess.run(
                [*self.command, *words],
                cwd=scratch,
                env=dict(self.environ),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            if self.ends_at is not None and time.monotonic() >= self.ends_at:
                raise OutOfTime("the time was over before the environment was made") from error
            raise ProgramFailed(self.name, str(error)) from error


def find_installer(base: BasePython, environ: Mapping[str, str]) -> Installer | None:
    """uv where it is there, else pip of the interpreter, else Reverie's own."""
    uv = shutil.which("uv", path=environ.get("PATH"))
    if uv is not None:
        return Installer("uv", (uv,), _environment(environ))
    return find_pip(base, environ)


def find_pip(base: BasePython, environ: Mapping[str, str]) -> Installer | None:
    """A pip that this machine has; None where there is none."""
    for python in (base.binary, own_interpreter().executable):
        prefix = Path(python).parent.parent
        if any(prefix.glob("lib/python3*/site-packages/pip/__main__.py")):
            return Installer("pip", (python, "-I", "-m", "pip"), _environment(environ))
    return None


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The user's, for the index and its certificates, without what leads Python elsewhere."""
    left_out = ("PYTHON", "VIRTUAL_ENV", "CONDA", "PIP_TARGET", "PIP_PREFIX", "PIP_USER",
                "PIP_REQUIRE_VIRTUALENV", "UV_PROJECT")  # fmt: skip
    return {name: value for name, value in environ.items() if not name.startswith(left_out)}


def _names(link: str, wanted: str) -> bool:
    file = os.path.basename(link.partition("#")[0])
    stem = re.sub(r"\.(tar\.gz|zip|tar\.bz2)$", "", file)
    return canonicalize_name(stem.rpartition("-")[0]) == wanted


def _without_wheel(text: str) -> str | None:
    flat = " ".join(text.split())
    found = next((match for each in _NO_WHEEL if (match := each.search(flat))), None)
    return None if found is None else canonicalize_name(found[1].rstrip(".-"))


def _pins_in_the_way(text: str, constraints: Sequence[str]) -> tuple[str, ...]:
    flat = " ".join(text.split())
    named = {canonicalize_name(found[1]) for each in _PINS for found in each.finditer(flat)}
    pinned = (canonicalize_name(each.partition("==")[0]) for each in constraints)
    return tuple(name for name in pinned if name in named)


def _reason(text: str) -> str:
    lines = [each.strip() for each in text.splitlines() if each.strip()]
    telling = [each for each in lines if each.startswith(("ERROR", "error:", "cause:"))]
    return " ".join(telling or lines[-2:])[:_TOLD] or "no reason given"
