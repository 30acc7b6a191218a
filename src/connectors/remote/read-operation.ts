/** Parses an operation at the far end, and rejects a body with an unexpected structure. */
import * as z from "zod/mini";
import type { SqlType } from "../../planner/plan.ts";
import { MOST_OF_CALLER, type OperationName, type RemoteOperation } from "./protocol.ts";

const sqlType = z.custom<SqlType>(
  (value) => typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string",
);

const envelope = {
  source: z.string().check(z.minLength(1)),
  // The connection parser of the source reads its members.
  connection: z.custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  ),
  timeoutMs: z.int().check(z.minimum(1), z.maximum(3_600_000)),
  correlationId: z.string().check(z.minLength(1), z.maxLength(200)),
  caller: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(MOST_OF_CALLER))),
  isolation: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(200))),
};

/** Components of a version number. */
const version = z.array(z.int().check(z.minimum(0)));

const value = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("boolean"), value: z.boolean() }),
  z.object({ kind: z.enum(["number", "text", "date", "timestamp"]), text: z.string() }),
]);
const filters = z.array(
  z.object({ column: z.string(), operator: z.enum(["=", "<", "<=", ">", ">="]), values: z.array(value) }),
);
const scan = z.object({
  columns: z.exactOptional(z.array(z.string())),
  filters,
  ruleFilters: z.exactOptional(filters),
});

const statement = z.object({
  sql: z.string(),
  columns: z.array(z.object({ name: z.string(), type: sqlType, nullable: z.boolean() })),
  session: z.array(z.object({ name: z.string(), value: z.string(), ofCaller: z.exactOptional(z.literal(true)) })),
  reads: z.array(
    z.object({
      model: z.string(),
      columns: z.array(z.string()),
      physical: z.pipe(
        z.optional(
          z.object({
            catalog: z.exactOptional(z.string()),
            schema: z.exactOptional(z.string()),
            table: z.string(),
          }),
        ),
        z.transform((physical) => physical),
      ),
      declared: z.exactOptional(z.array(z.object({ name: z.string(), type: sqlType }))),
      infersOthers: z.exactOptional(z.literal(true)),
      csv: z.exactOptional(z.unknown()),
      scans: z.exactOptional(z.array(scan)),
    }),
  ),
  fenced: z.exactOptional(z.union([z.literal(true), z.literal("unproven")])),
  joinsMayFilter: z.exactOptional(z.literal(true)),
  variant: z.exactOptional(z.object({ product: z.string(), from: version, below: z.exactOptional(version) })),
});

const filter = z.object({
  catalog: z.exactOptional(z.string()),
  schema: z.exactOptional(z.string()),
  table: z.exactOptional(z.string()),
  projects: z.exactOptional(z.array(z.object({ projectId: z.string(), datasetIds: z.array(z.string()) }))),
});
const listing = { filter, limit: z.optional(z.int().check(z.minimum(0))) };
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

/** Parses the operation in a body. */
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
