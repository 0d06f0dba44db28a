#!/usr/bin/env bash
# Puts Anthropic's sandbox-runtime (srt) into .venv, for the isolation tier of that name.
# Optional: whatever is missing, it says so in one line and succeeds. Nothing outside .venv changes.
set -u

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 0
version=0.0.78
folder=$PWD/.venv/lib/srt
command=$folder/node_modules/@anthropic-ai/sandbox-runtime/dist/cli.js

without() { printf 'setup: without srt (optional): %s\n' "$*" >&2; exit 0; }

[ -d .venv/bin ] || without "no .venv; run make setup"
command -v npm >/dev/null || without "npm is not installed"
for helper in bwrap:bubblewrap socat:socat rg:ripgrep; do
  command -v "${helper%:*}" >/dev/null ||
    without "${helper%:*} is missing; apt-get install bubblewrap socat ripgrep, then scripts/srt.sh"
done
if ! grep -qs "\"version\": \"$version\"" "$folder/node_modules/@anthropic-ai/sandbox-runtime/package.json"; then
  rm -rf "$folder"
  mkdir -p "$folder" || without "cannot make $folder"
  timeout 180 npm install --prefix "$folder" --silent --no-audit --no-fund --no-save \
    --fetch-retries=1 --fetch-timeout=30000 "@anthropic-ai/sandbox-runtime@$version" \
    </dev/null >/dev/null 2>&1 || { rm -rf "$folder"; without "npm could not install it"; }
fi
ln -sfn "$command" .venv/bin/srt || without "cannot link .venv/bin/srt"
chmod +x "$command"
