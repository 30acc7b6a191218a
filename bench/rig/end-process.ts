/** Ends a process that we started. */
import type { ChildProcess } from "node:child_process";

const PATIENCE_MS = 5_000;

/** Sends SIGTERM, then SIGKILL if needed, and resolves when the process has ended. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const patience = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await exited;
  clearTimeout(patience);
}
