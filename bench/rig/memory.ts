/** Memory of a process and of the JavaScript heap in it, over time. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Heap, Inspector } from "../../test/support/inspector.ts";

/** Resident bytes of a process. Linux only. */
function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}

export interface Sample extends Heap {
  /** Milliseconds since the sampling began. */
  readonly at: number;
  readonly resident: number;
}

export interface Sampling {
  /** Ends the sampling and gives what was seen. */
  stop(): Promise<readonly Sample[]>;
}

/** `collects`: collects garbage before every measurement, so that only live objects count. */
export function sample(pid: number, inspector: Inspector, everyMs: number, collects = false): Sampling {
  const samples: Sample[] = [];
  const stopping = new AbortController();
  const started = performance.now();
  const stopped = once(stopping.signal, "abort");
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      if (collects) await Promise.race([inspector.collectGarbage(), stopped]);
      const heap = await inspector.heap();
      samples.push({ at: performance.now() - started, resident: residentBytes(pid), ...heap });
      await setTimeout(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return samples;
    },
  };
}
