/**
 * What JavaScript holds in workerd and in the sidecar when all garbage has been collected. Resident memory tells little of
 * leaks: an engine that has room leaves garbage lie, and what it gave back its allocator keeps.
 */
import { setTimeout as after } from "node:timers/promises";
import { type Inspector, inspect } from "../support/inspector.ts";
import type { SoakedService } from "./service.ts";

const NUDGE_MS = 100;

/** MiB, buffers included. */
export interface LiveHeaps {
  readonly apiHeap: number;
  readonly sidecarHeap: number;
}

export class Heaps {
  readonly #service: Pick<SoakedService, "url" | "inspectors">;
  readonly #open = new Map<string, Inspector>();

  constructor(service: Pick<SoakedService, "url" | "inspectors">) {
    this.#service = service;
  }

  /** Collects the garbage of both. Rejects while one of them restarts. */
  async live(): Promise<LiveHeaps> {
    const { api, sidecar } = this.#service.inspectors();
    const looked = new AbortController();
    try {
      const seen = Promise.all([this.#liveAt(api), this.#liveAt(sidecar)]);
      const [apiHeap, sidecarHeap] = await Promise.race([seen, this.#busy(looked.signal)]);
      return { apiHeap, sidecarHeap };
    } finally {
      looked.abort();
    }
  }

  /** An isolate of workerd does what the inspector says when it next runs: without a request that may be never. */
  async #busy(looked: AbortSignal): Promise<never> {
    for (;;) {
      await after(NUDGE_MS, undefined, { signal: looked });
      await fetch(`${this.#service.url}/health`, { signal: looked }).then((response) => response.text());
    }
  }

  close(): void {
    for (const inspector of this.#open.values()) inspector.close();
  }

  async #liveAt(address: string): Promise<number> {
    const inspector = this.#open.get(address) ?? (await inspect(address));
    this.#open.set(address, inspector);
    // What a first collection frees holds on to more, by finalizers.
    await inspector.collectGarbage();
    await inspector.collectGarbage();
    const { used, buffers } = await inspector.heap();
    return Math.round((10 * (used + buffers)) / 1_048_576) / 10;
  }
}
