/** Somebody's own account of a source, reached as the sidecar reaches it: at any host, for whoever runs this has named it. */
import { readFileSync } from "node:fs";
import { sidecarSources } from "../../../sidecar/sources.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { parseConnection, variantAt } from "../../../src/connectors/sources.ts";
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import type { OpenedSource } from "../../support/sources.ts";

const TIMEOUT_MS = 30_000;

export interface Account {
  readonly source: PlannedSource;
  /** `connectionInfo` as in requests. */
  readonly connection: Readonly<Record<string, unknown>>;
}

/** Throws a `ConnectorFailure` where the file holds no connection of the source's. */
export function readAccount(source: PlannedSource, file: string): Account {
  const connection: unknown = JSON.parse(readFileSync(file, "utf8"));
  parseConnection(source, connection);
  return { source, connection: connection as Account["connection"] };
}

export async function openConnector({ source, connection }: Account): Promise<Connector> {
  const none = { awsCredentials: undefined, pool: undefined, engines: undefined };
  const open = sidecarSources({ allowedHosts: ["*"], connectTimeoutMs: TIMEOUT_MS, ...none });
  const call = { name: "catalog", request: { kind: "version" } } as const;
  const operation = { source, connection, timeoutMs: TIMEOUT_MS, correlationId: "parity", ...call };
  const opened = await open(operation, { signal: new AbortController().signal });
  if ("query" in opened) return opened;
  throw new TypeError("files are no account");
}

export async function openAccount(account: Account): Promise<OpenedSource & { readonly version: string }> {
  const connector = await openConnector(account);
  const options = { signal: new AbortController().signal, timeoutMs: TIMEOUT_MS };
  const version = await connector.catalog({ kind: "version" }, options);
  return { connector, version, variant: variantAt(account.source, version), close: () => connector.close() };
}

/** Without what the connection holds, since a report is sent to others. */
export function withoutConnection(text: string, { connection }: Account): string {
  return textsIn(connection)
    .filter((value) => value.length > 3)
    .toSorted((a, b) => b.length - a.length)
    .reduce((clean, value) => clean.replaceAll(value, "…"), text);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.values(value).flatMap(textsIn);
}
