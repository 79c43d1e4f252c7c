#!/usr/bin/env bash
# Prometheus' rules of a fleet, by Prometheus' own tester. Skipped where neither Debian's package nor the one that 'tools/fleet up'
# fetches is there.
# usage: rules_test.sh DEPENDENCIES_FOLDER
set -euo pipefail
promtool=$(command -v promtool) || promtool=$1/prometheus/usr/bin/promtool
[ -x "$promtool" ] || { echo "SKIPPED: there is no promtool; 'tools/fleet up' fetches it" && exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sed 's|@TARGET@|127.0.0.1:8480|' config/fleet/prometheus.yml >"$scratch/prometheus.yml"
cp config/fleet/rules.yml "$scratch/"
"$promtool" check config "$scratch/prometheus.yml"
sed "s|@RULES@|$scratch/rules.yml|" tests/fleet/rules_test.yml >"$scratch/test.yml"
"$promtool" test rules "$scratch/test.yml"
