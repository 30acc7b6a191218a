#!/bin/sh
# Process 1 of a container: runs a command, passes signals on to it, and ends with its exit code. A process whose parent has
# died becomes a child of process 1, which has to collect it when it ends: a shell that waits does so, and Node does not.
"$@" &
child=$!
for signal in HUP INT TERM; do
  # shellcheck disable=SC2064
  trap "kill -$signal $child 2>/dev/null" "$signal"
done
# A signal ends `wait`, too: then the command still runs.
while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || exit "$code"
done
