/**
 * How a connector in another process is asked (decisions C5): one POST per call with a JSON body, answered by a stream
 * of frames (`result/encode/frames`). The same over a service binding and over signed HTTPS.
 */
import * as z from "zod";
import type { SqlType } from "../../planner/plan.ts";
import type { CatalogRequest } from "../catalog/types.ts";
import type { Statement } from "../connector.ts";

/** Raised when one end would misunderstand the other; both ends are deployed together. */
export const PROTOCOL_VERSION = "1";
export const VERSION_HEADER = "x-siskin-protocol";
export const FRAMES_TYPE = "application/vnd.siskin.frames";

/** At least this often something is sent, be it a heartbeat: proxies cut connections that are silent for 100 s. */
export const HEARTBEAT_MS = 10_000;
/** A body larger than this is refused unread: SQL and connection are small. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

export const PATHS = { query: "/v1/query", "dry-run": "/v1/dry-run", catalog: "/v1/catalog" } as const;
export type OperationName = keyof typeof PATHS;

export function operationAt(path: string): OperationName | undefined {
  return (Object.keys(PATHS) as OperationName[]).find((name) => PATHS[name] === path);
}

interface Envelope {
  readonly source: string;
  /** `connectionInfo` in its canonical form, with its secrets in clear: this is why the way must be encrypted. */
  readonly connection: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly correlationId: string;
}

export type RemoteOperation = Envelope &
  (
    | { readonly name: "query" | "dry-run"; readonly statement: Statement }
    | { readonly name: "catalog"; readonly request: CatalogRequest }
  );

const sqlType = z.custom<SqlType>(
  (value) => typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string",
);

const envelope = {
  source: z.string().min(1),
  connection: z.record(z.string(), z.unknown()),
  timeoutMs: z.number().int().min(1).max(3_600_000),
  correlationId: z.string().min(1).max(200),
};

const statement = z.object({
  sql: z.string(),
  columns: z.array(z.object({ name: z.string(), type: sqlType, nullable: z.boolean() })),
  session: z.array(z.object({ name: z.string(), value: z.string() })),
  reads: z.array(
    z.object({
      model: z.string(),
      columns: z.array(z.string()),
      physical: z
        .object({ catalog: z.string().exactOptional(), schema: z.string().exactOptional(), table: z.string() })
        .optional()
        .transform((physical) => physical),
    }),
  ),
});

const filter = z.object({
  catalog: z.string().exactOptional(),
  schema: z.string().exactOptional(),
  table: z.string().exactOptional(),
});
const listing = { filter, limit: z.number().int().min(0).optional() };
const request = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("tables"), ...listing }),
  z.object({ kind: z.literal("constraints"), ...listing }),
  z.object({ kind: z.literal("schemas"), ...listing }),
  z.object({ kind: z.literal("version") }),
]);

const statementBody = z.object({ ...envelope, statement });
const catalogBody = z.object({ ...envelope, request });

export type Reading =
  | { readonly ok: true; readonly operation: RemoteOperation }
  /** Names members, never values. */
  | { readonly ok: false; readonly problem: string };

/** The operation that a body asks for. */
export function readOperation(name: OperationName, body: Uint8Array): Reading {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body));
  } catch {
    return { ok: false, problem: "The body is not JSON." };
  }
  const parsed = name === "catalog" ? catalogBody.safeParse(json) : statementBody.safeParse(json);
  if (!parsed.success) {
    const members = [...new Set(parsed.error.issues.map(({ path }) => path.join(".") || "body"))];
    return { ok: false, problem: `Not valid in the body: ${members.join(", ")}.` };
  }
  return { ok: true, operation: { name, ...parsed.data } as unknown as RemoteOperation };
}

export function writeOperation({ name: _, ...body }: RemoteOperation): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(body));
}
