import type { CallOptions, Connector, Statement } from "../../../src/connectors/connector.ts";
import { SIDECAR } from "../../../src/connectors/node-sidecar/node-sidecar.ts";
import { type RemoteOptions, remoteConnector, type Transport } from "../../../src/connectors/remote/client.ts";
import { type RemoteEnd, type RemoteHostOptions, remoteResponse } from "../../../src/connectors/remote/host.ts";
import { operationAt } from "../../../src/connectors/remote/protocol.ts";
import { readOperation } from "../../../src/connectors/remote/read-operation.ts";
import type { Batch, Column } from "../../../src/result/types.ts";

export const STATEMENT: Statement = { sql: "SELECT 1", columns: [], session: [], reads: [] };
const COLUMNS: readonly Column[] = [{ name: "n", type: { kind: "int32" } }];

export function calling(options: Partial<CallOptions> = {}): CallOptions {
  return { signal: new AbortController().signal, timeoutMs: 10_000, ...options };
}

/** A source that is scripted, and that remembers what was done to it. */
export class FakeConnector implements Connector {
  readonly capabilities = { streaming: "rows", cancels: true, errorPositions: true } as const;
  pulls = 0;
  closes = 0;
  streamCloses = 0;
  signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
  statement: Statement | undefined;
  /** The result of the next pull; undefined is the end. */
  next: (pull: number) => Promise<Batch | undefined> | Batch | undefined = () => undefined;
  begin: () => Promise<void> = async () => undefined;
  readonly columns: readonly Column[] = COLUMNS;

  async query(statement: Statement, { signal, timeoutMs }: CallOptions) {
    this.statement = statement;
    this.signal = signal;
    this.timeoutMs = timeoutMs;
    await this.begin();
    const connector = this;
    const batches: AsyncIterableIterator<Batch> = {
      [Symbol.asyncIterator]: () => batches,
      async next() {
        const batch = await connector.next(connector.pulls++);
        return batch === undefined ? { done: true, value: undefined } : { done: false, value: batch };
      },
    };
    return {
      columns: this.columns,
      batches,
      close: async () => {
        this.streamCloses++;
      },
    };
  }

  async dryRun(statement: Statement, { signal }: CallOptions) {
    this.statement = statement;
    this.signal = signal;
    await this.begin();
    return { bytes: 12345678901234567890n };
  }

  async catalog(): Promise<never> {
    await this.begin();
    return [{ name: "a", schemas: ["b"] }] as never;
  }

  async close() {
    this.closes++;
  }
}

/** A host in this process behind the protocol's bytes: what a service binding is. */
export function binding(open: RemoteHostOptions["open"], options: Partial<RemoteHostOptions> = {}): Transport {
  return async (path, body, signal) => {
    const name = operationAt(path);
    const reading = name === undefined ? undefined : readOperation(name, body);
    if (reading === undefined || !reading.ok) throw new Error(`not an operation: ${reading?.problem ?? path}`);
    return remoteResponse(reading.operation, signal, { open, ...options });
  };
}

export function client(transport: Transport, options: Partial<RemoteOptions> = {}): Connector {
  return remoteConnector({
    transport,
    peer: SIDECAR,
    source: "postgres",
    connection: { host: "db", password: "hunter2" },
    correlationId: "a correlation id",
    capabilities: { streaming: "rows", cancels: true, errorPositions: true },
    connectTimeoutMs: 5000,
    ...options,
  });
}

/** A connector on a host with a client in front, and what the host told about the end of its calls. */
export function pair(
  fake = new FakeConnector(),
  options: { host?: Partial<RemoteHostOptions>; client?: Partial<RemoteOptions> } = {},
): { fake: FakeConnector; connector: Connector; ends: RemoteEnd[] } {
  const ends: RemoteEnd[] = [];
  const transport = binding(async () => fake, { onEnd: (end) => ends.push(end), ...options.host });
  return { fake, connector: client(transport, options.client), ends };
}
