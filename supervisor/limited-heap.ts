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
  v8Flags = ["--max-old-space-size=${heapMib}", "--max-semi-space-size=${YOUNG_MIB}"],
  services = Unlimited.services,
  sockets = Unlimited.sockets,
);
`,
  );
  return file;
}
