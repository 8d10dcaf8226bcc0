# Builds the lastbit of this checkout, for the scripts of the actions, which
# source it. The program is $lastbit.
lastbit=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/lastbit-action
GOFLAGS='' GOWORK=off go build -C "$(dirname "${BASH_SOURCE[0]}")/.." -o "$lastbit" ./cmd/lastbit
