/**
 * Objects that JavaScript holds in workerd and in the sidecar when all garbage has been collected. Resident memory tells little of
 * leaks: an engine that has room leaves garbage lie, and what it gave back its allocator keeps.
 */
import { setTimeout as after } from "node:timers/promises";
import { type Inspector, inspect } from "../support/inspector.ts";
import type { SoakedService } from "./service.ts";

const NUDGE_MS = 100;
const PATIENCE_MS = 10_000;

/** MiB, buffers included. */
export interface LiveHeaps {
  readonly apiHeap: number;
  readonly sidecarHeap: number;
}

/** Collects the garbage of both. Rejects while one of them restarts. */
export async function liveHeaps({ url, inspectors }: Pick<SoakedService, "url" | "inspectors">): Promise<LiveHeaps> {
  const { api, sidecar } = inspectors();
  const opened: Inspector[] = [];
  const looked = new AbortController();
  try {
    const seen = Promise.all(
      [api, sidecar].map(async (address) => {
        const inspector = await inspect(address);
        opened.push(inspector);
        return liveIn(inspector);
      }),
    );
    seen.catch(() => undefined);
    const [apiHeap = 0, sidecarHeap = 0] = await Promise.race([seen, keepBusy(url, looked.signal)]);
    return { apiHeap, sidecarHeap };
  } finally {
    looked.abort();
    // A process that is debugged ends only when the debugger leaves: an open connection would delay a restart.
    for (const inspector of opened) inspector.close();
  }
}

async function liveIn(inspector: Inspector): Promise<number> {
  // Objects freed by a first collection keep others alive by finalizers.
  await inspector.collectGarbage();
  await inspector.collectGarbage();
  const { used, buffers } = await inspector.heap();
  return Math.round((10 * (used + buffers)) / 1_048_576) / 10;
}

/** An isolate of workerd does what its inspector says when it next runs: without a request that may be never. */
async function keepBusy(url: string, looked: AbortSignal): Promise<never> {
  const signal = AbortSignal.any([looked, AbortSignal.timeout(PATIENCE_MS)]);
  for (;;) {
    await after(NUDGE_MS, undefined, { signal });
    await fetch(`${url}/health`, { signal }).then((response) => response.text());
  }
}
