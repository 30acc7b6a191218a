/**
 * A private directory for the sidecar's files, removed with the process. A killed process leaves its directory, which
 * the next sidecar on the same machine removes.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** The machine is named, too: containers that share a file system do not see each other's processes. */
const prefixOf = (pid: number | ""): string => `siskin-sidecar-${hostname()}-${pid}`;

/** An absolute path. `parent` defaults to the system's temporary directory. */
export function privateDirectory(parent = tmpdir()): string {
  removeLeftovers(parent);
  return mkdtempSync(join(parent, `${prefixOf(process.pid)}-`));
}

function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefixOf(""))) continue;
    const [, pid] = /^(\d+)-[^-]+$/.exec(name.slice(prefixOf("").length)) ?? [];
    if (pid === undefined || lives(Number(pid))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // The directory belongs to another user's sidecar.
    }
  }
}

/** In a container that was started again, the process before had the same number. */
function lives(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code !== "ESRCH";
  }
}
