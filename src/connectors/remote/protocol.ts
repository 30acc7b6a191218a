/**
 * The protocol to a connector in another process (docs/decisions/0027-one-connector-for-both.md): one POST per call with a JSON
 * body, answered by a stream of frames (`result/encode/frames`). It is the same over a service binding and over signed HTTPS.
 */
import type { CatalogRequest } from "../catalog/types.ts";
import type { Statement } from "../connector.ts";

/** Increase it for incompatible changes; both ends are deployed together. */
export const PROTOCOL_VERSION = "4";
export const VERSION_HEADER = "x-siskin-protocol";
export const FRAMES_TYPE = "application/vnd.siskin.frames";

/** Maximum interval between frames, heartbeats included: proxies cut connections that are silent for 100 s. */
export const HEARTBEAT_MS = 10_000;
/** A larger body is rejected unread: SQL and connection are small. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

export const PATHS = { query: "/v1/query", "dry-run": "/v1/dry-run", catalog: "/v1/catalog" } as const;
export type OperationName = keyof typeof PATHS;

export function operationAt(path: string): OperationName | undefined {
  return (Object.keys(PATHS) as OperationName[]).find((name) => PATHS[name] === path);
}

/** Maximum length of the caller's name that is sent: callers with the same beginning share their slots. */
export const MOST_OF_CALLER = 200;

interface Envelope {
  readonly source: string;
  /** `connectionInfo` in its canonical form, with secrets in clear text: the transport must be encrypted. */
  readonly connection: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly correlationId: string;
  /** See `OpenOptions`. */
  readonly caller?: string;
  /** See `CallOptions`. */
  readonly isolation?: string;
}

/** An operation of a connector. */
export type ConnectorCall =
  | { readonly name: "query" | "dry-run"; readonly statement: Statement }
  | { readonly name: "catalog"; readonly request: CatalogRequest };

export type RemoteOperation = Envelope & ConnectorCall;

export function writeOperation({ name: _, ...body }: RemoteOperation): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(body));
}
