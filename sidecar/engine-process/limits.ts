/**
 * What the system holds a process to. DuckDB counts what it takes from its buffers; strings that a function makes, nested
 * values and what V8 holds are outside of that count, and only the system sees them.
 */

const UNITS: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9 };

/** A process that has done nothing has 690 MB of writable addresses, 45 MB of them in use (Node 24, DuckDB 1.4, x64). */
const RUNTIME_BYTES = 700e6;
/** Rows on their way out, and what the engine takes beside its own limit: 48 MB for each file by which it tells columns of JSON. */
const BESIDE_BYTES = 800e6;
/** The stack and the allocator's store of a thread. */
const THREAD_BYTES = 16e6;

/** Bytes of data (RLIMIT_DATA) for an engine of `memory` (`1GB`). Addresses (RLIMIT_AS) tell nothing: V8 reserves 10 GB. */
function dataLimit({ memory, threads }: { readonly memory: string; readonly threads: number }): number {
  const [, amount = "0", unit = ""] = /^(\d+)(KB|MB|GB)$/.exec(memory) ?? [];
  return Number(amount) * (UNITS[unit] ?? 1) + RUNTIME_BYTES + BESIDE_BYTES + threads * THREAD_BYTES;
}

/**
 * A command that runs another one under its limits: Node cannot set them for a process that it starts, a shell can. Where
 * it cannot either, the command runs without, and says so when it is ready.
 */
export function limited(
  settings: { readonly memory: string; readonly threads: number },
  command: readonly string[],
): { readonly program: string; readonly args: readonly string[] } {
  const script = [
    "ulimit -c 0",
    'ulimit -d "$1"',
    // When the machine's memory runs out, the system is to take it from here and not from the sidecar.
    "echo 1000 > /proc/self/oom_score_adj",
  ];
  const kibibytes = String(Math.ceil(dataLimit(settings) / 1024));
  const shell = `{ ${script.join("; ")}; } 2>/dev/null; shift; exec "$@"`;
  return { program: "/bin/sh", args: ["-c", shell, "sh", kibibytes, ...command] };
}
