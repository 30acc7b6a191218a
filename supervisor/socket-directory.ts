/** A directory for Unix sockets that other users of the machine cannot enter. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux takes 107 bytes as the path of a socket, macOS 103. */
const LONGEST_DIRECTORY = 85;

/**
 * Mode 0700, as `mkdtemp` makes directories. A container whose file system is read-only has `/dev/shm` all the same. Throws
 * where nothing can be written.
 */
export function socketDirectory(parents: readonly string[] = [tmpdir(), "/tmp", "/dev/shm"]): string {
  let problem: unknown = new Error("no directory has a path that is short enough");
  for (const parent of parents) {
    if (Buffer.byteLength(parent) > LONGEST_DIRECTORY - "/siskin-XXXXXX".length) continue;
    try {
      return mkdtempSync(join(parent, "siskin-"));
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}
