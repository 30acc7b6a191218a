import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import type { LogicalType } from "../../src/result/types.ts";
import { readCells } from "../support/canonical-cells.ts";
import { type ActualCell, type ExpectedCell, rowsDiffer } from "../support/comparator.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { type OpenedSource, openDuckDbFiles, openPostgres } from "../support/sources.ts";
import { CONSTRUCTS } from "./constructs.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

let postgres: OpenedSource;
let duckdb: OpenedSource;

beforeAll(async () => {
  [postgres, duckdb] = await Promise.all([openPostgres(), openDuckDbFiles(EXAMPLES)]);
});
afterAll(async () => {
  await Promise.all([postgres.close(), duckdb.close()]);
});

async function run(sql: string, source: DataSource, opened: OpenedSource) {
  const plan = planned(sql, manifest, { source });
  const stream = await opened.connector.query(plan, { signal: new AbortController().signal, timeoutMs: 30_000 });
  const { columns, rows } = await readCells(stream);
  return { plan, types: columns.map((column) => column.type), rows };
}

/** Kinds whose values compare with each other. */
function family(type: LogicalType): string {
  switch (type.kind) {
    case "int8":
    case "int16":
    case "int32":
    case "int64":
    case "uint8":
    case "uint16":
    case "uint32":
    case "uint64":
    case "float32":
    case "float64":
    case "decimal":
      return "number";
    case "date":
    case "timestamp":
      return type.kind;
    case "uuid":
    case "json":
    case "opaque":
      return "string";
    default:
      return type.kind;
  }
}

function asExpected(cell: ActualCell, type: LogicalType): ExpectedCell {
  if (cell === null || typeof cell === "boolean") return cell;
  if (family(type) === "number") return { decimal: String(cell) };
  if (Array.isArray(cell))
    return JSON.stringify(cell, (_key, each) => (typeof each === "bigint" ? Number(each) : each));
  return family(type) === "string" ? { text: String(cell) } : String(cell);
}

describe.each(CONSTRUCTS)("$name", ({ queries }) => {
  test("has at least three queries", () => expect(queries.length).toBeGreaterThanOrEqual(3));

  test.each(queries.map((query) => (typeof query === "string" ? { sql: query, refused: [] } : query)))(
    "$sql",
    async ({ sql, refused }) => {
      const reference = await run(sql, "postgres", postgres);
      if (refused.includes("local_file")) {
        let reason: string | undefined;
        try {
          planned(sql, manifest, { source: "local_file" });
        } catch (error) {
          if (!(error instanceof PlannerError)) throw error;
          reason = error.reason;
        }
        expect(reason).toBe("UNSUPPORTED_ON_SOURCE");
        return;
      }
      const other = await run(sql, "local_file", duckdb);
      const expected = reference.rows.map((row) => row.map((cell, index) => asExpected(cell, reference.types[index]!)));
      expect(rowsDiffer(expected, other.rows, true), other.plan.sql).toBeUndefined();
      if (reference.rows.length > 0) expect(other.types.map(family)).toEqual(reference.types.map(family));
    },
  );
});
