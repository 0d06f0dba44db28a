#!/usr/bin/env bash
# Installs the peers of the sandbox benchmark beside it, as far as this machine allows.
# What cannot be installed is reported by the benchmark as "not installed".
set -u
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(dirname "$(dirname "$here")")"

have() { command -v "$1" >/dev/null 2>&1; }

if ! { have bwrap && have socat && have rg; }; then
    if [ "$(id -u)" = 0 ] && have apt-get; then
        apt-get install -y -q bubblewrap socat ripgrep || echo "apt-get failed" >&2
    else
        echo "bubblewrap, socat and ripgrep: ask whoever runs this machine" >&2
    fi
fi

if have npm; then
    mkdir -p "$root/benchmarks/.peers"
    (cd "$root/benchmarks/.peers" && npm install --no-fund --no-audit @anthropic-ai/sandbox-runtime) ||
        echo "npm could not install srt" >&2
else
    echo "srt needs npm" >&2
fi

"$root/.venv/bin/python" -m pip install -q sandlock || echo "pip could not install sandlock" >&2
