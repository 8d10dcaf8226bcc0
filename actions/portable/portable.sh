#!/usr/bin/env bash
# Builds the lastbit of this checkout, and examines the PACKAGES of the module
# in the working folder. Places in the BASELINE are left out.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
lastbit=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/lastbit-portable
GOFLAGS='' GOWORK=off go build -C "$source" -o "$lastbit" ./cmd/lastbit
read -ra packages <<<"${PACKAGES:-./...}"
known=()
if [[ -n ${BASELINE:-} ]]; then
  known=(--baseline "$BASELINE")
fi
exec "$lastbit" portable --format github "${known[@]}" -- "${packages[@]}"
