/**
 * System limits of a process. DuckDB counts only its buffers; strings that functions make, nested values and V8's heap
 * are outside that count, and only the system sees them.
 */

const UNITS: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9 };

/** A process that has done nothing has 690 MB of writable addresses, 45 MB of them in use (Node 24, DuckDB 1.4, x64). */
const RUNTIME_BYTES = 700e6;
/** Rows in flight, and the engine's memory beyond its own limit: 48 MB for each file whose JSON columns it detects. */
const BESIDE_BYTES = 800e6;
/** The stack and the allocator's store of a thread. */
const THREAD_BYTES = 16e6;

/** Bytes of data (RLIMIT_DATA) for an engine of `memory` (`1GB`). Addresses (RLIMIT_AS) tell nothing: V8 reserves 10 GB. */
function dataLimit({ memory, threads }: { readonly memory: string; readonly threads: number }): number {
  const [, amount = "0", unit = ""] = /^(\d+)(KB|MB|GB)$/.exec(memory) ?? [];
  return Number(amount) * (UNITS[unit] ?? 1) + RUNTIME_BYTES + BESIDE_BYTES + threads * THREAD_BYTES;
}

/**
 * A command that runs another one under its limits: Node cannot set limits for a child process, a shell can. If the
 * shell cannot either, the command runs without limits and reports that when it is ready.
 */
export function limited(
  settings: { readonly memory: string; readonly threads: number },
  command: readonly string[],
): { readonly program: string; readonly args: readonly string[] } {
  const script = [
    "ulimit -c 0",
    'ulimit -d "$1"',
    // When the machine runs out of memory, the system should kill this process and not the sidecar.
    "echo 1000 > /proc/self/oom_score_adj",
  ];
  const kibibytes = String(Math.ceil(dataLimit(settings) / 1024));
  const shell = `{ ${script.join("; ")}; } 2>/dev/null; shift; exec "$@"`;
  return { program: "/bin/sh", args: ["-c", shell, "sh", kibibytes, ...command] };
}
