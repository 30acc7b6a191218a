/**
 * The limit of V8's heap in a process of workerd, which takes V8's flags from its configuration alone: a second configuration, which
 * imports the services and sockets of the first.
 */
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * MiB of each half of the young generation. Buffers of bodies and answers lie outside of the heap and are freed when their small objects
 * are collected. With V8's own 16 MiB a process under mixed questions had 216 MiB after six minutes and 275 after twenty, and still grew;
 * with 2 MiB it had 176 after six and hardly grew (`npm run soak:memory`).
 */
const YOUNG_MIB = 2;

/**
 * V8 lets a small heap pass its limit by 32 MiB and more before it collects it as a whole; with `--optimize-for-size` it collects at the
 * limit. Four callers who asked PostgreSQL without a pause, 50 answers a second, took 267 to 400 MiB without it, and 264 to 277 with it,
 * at as many answers a second. Plans take 12 % longer. The flag would halve the young generation, so it stands before that size.
 */
const COLLECTS_AT_LIMIT = "--optimize-for-size";

/**
 * Per cent by which the old generation may grow before V8 collects it again. V8's own factor let it grow from 30 to 80 MiB and more
 * between two collections, while the buffers that its garbage held stayed allocated, too. Twenty minutes of mixed questions took 260 MiB
 * (median of the second half) with V8's factor and 237 with this one (`npm run soak:memory`). Answers take as long as before: 2,400
 * plans over HTTP took 0.99 of the time.
 */
const GROWTH_PERCENT = 15;

/** Lets a configuration import files by their absolute paths. */
export const IMPORTS = "--import-path=/";

/**
 * Writes a configuration into `directory` and returns its path; it has the name of `configuration`, an absolute path. A process that
 * needs more than `heapMib` MiB in one of its Workers ends.
 */
export function withLimitedHeap(configuration: string, heapMib: number, directory: string): string {
  const file = join(directory, basename(configuration));
  writeFileSync(
    file,
    `using Workerd = import "/workerd/workerd.capnp";
using Unlimited = import ${JSON.stringify(configuration)};

const config :Workerd.Config = (
  v8Flags = ["${COLLECTS_AT_LIMIT}", "--max-old-space-size=${heapMib}", "--max-semi-space-size=${YOUNG_MIB}", "--heap-growing-percent=${GROWTH_PERCENT}", "--compact-on-every-full-gc"],
  services = Unlimited.services,
  sockets = Unlimited.sockets,
);
`,
  );
  return file;
}
