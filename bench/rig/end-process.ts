/** Ends a process that we started. */
import type { ChildProcess } from "node:child_process";

const PATIENCE_MS = 5_000;

/** Resolves when it has ended: asked first, killed when it does not listen. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const patience = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await exited;
  clearTimeout(patience);
}
