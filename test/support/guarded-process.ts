/** Servers that must not outlive the test process, however that ends. */
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";

/**
 * A shell script that runs `home command…` until its standard input ends: with the test process the server and its directory
 * go too. The signal is the server's own for leaving at once, since nothing of it needs to be written.
 */
export function guardedScript(signal: "QUIT" | "KILL"): string {
  return `
home="$1"; shift
exec 3<&0
"$@" 3<&- & server=$!
{ read -r _ <&3; touch "$home/over"; kill -${signal} "$server"; } 2>/dev/null & guard=$!
wait "$server"; status=$?
kill "$guard" 2>/dev/null
if [ -e "$home/over" ]; then cd /; rm -rf "$home"; fi
exit "$status"`;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Ends a server that runs under `guardedScript`, and then removes what it had. */
export async function stopGuarded(server: ChildProcess, remove: () => void): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    const exited = new Promise((resolve) => server.once("exit", resolve));
    server.stdin?.end();
    await exited;
  }
  remove();
}
