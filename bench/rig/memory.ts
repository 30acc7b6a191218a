/** Memory of a process and of the JavaScript heap in it, over time. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

export interface Heap {
  /** Bytes in use, garbage that has not been collected included. */
  readonly used: number;
  /** Bytes outside the heap that its objects hold: buffers. 0 where the engine does not tell. */
  readonly buffers: number;
}

export interface Inspector {
  heap(): Promise<Heap>;
  /** Resolves when it has been done. An isolate of workerd does it when it next runs, which may be never. */
  collectGarbage(): Promise<void>;
  close(): void;
}

/** Speaks the debugger's protocol. `address`: a `ws:` address, or the base of workerd's inspector, whose Worker is `worker`. */
export async function inspect(address: string, worker = ""): Promise<Inspector> {
  const url = address.startsWith("ws:") ? address : `${address.replace("http:", "ws:")}/${worker}`;
  const socket = new WebSocket(url);
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown };
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.(answer.result);
    waiting.delete(answer.id);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error(`No inspector answers at ${url}.`)), { once: true });
  });
  const call = (method: string): Promise<unknown> =>
    new Promise((resolve) => {
      const id = ++last;
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method }));
    });
  return {
    async heap() {
      const usage = (await call("Runtime.getHeapUsage")) as {
        readonly usedSize: number;
        readonly backingStorageSize?: number;
      };
      return { used: usage.usedSize, buffers: usage.backingStorageSize ?? 0 };
    },
    async collectGarbage() {
      await call("HeapProfiler.collectGarbage");
    },
    close: () => socket.close(),
  };
}

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

/** `collects`: garbage is collected before every look, so that only what is alive counts. */
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
