/** Both ends of the service binding in this process: what the platform puts between them is not there. */
import { serveBinding } from "../../../src/connectors/bound-worker/far-end.ts";
import { boundWorker, CONNECTORS } from "../../../src/connectors/bound-worker/near-end.ts";
import type { ConnectorHost } from "../../../src/connectors/host.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import type { OpenConnector } from "../../../src/connectors/sources.ts";

export interface Pair {
  readonly open: OpenConnector;
  /** Log lines of the far end. */
  readonly lines: readonly string[];
  /** Resolves when all that the far end goes on with after its answers has ended. */
  readonly idle: () => Promise<unknown>;
}

export function pairOver({ connectTimeoutMs, ...lent }: ConnectorHost, bindings: object = {}): Pair {
  const lines: string[] = [];
  const deferred: Promise<unknown>[] = [];
  const open = boundWorker({
    peer: CONNECTORS,
    connectTimeoutMs,
    fetch: async (input, init) =>
      serveBinding(new Request(input, init), {
        open: (info, { signal, connectTimeoutMs: within }) =>
          openHere(info, { ...lent, connectTimeoutMs: within }, { signal }),
        bindings: { ...bindings },
        log: (line) => void lines.push(line),
        defer: (work) => void deferred.push(work),
      }),
  });
  return {
    lines,
    open,
    idle: () => Promise.all(deferred),
  };
}
