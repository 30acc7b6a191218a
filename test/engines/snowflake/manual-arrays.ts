/**
 * Snowflake's functions of arrays as its manual describes them, as macros of DuckDB over lists: statements planned for Snowflake run on
 * it once FLATTEN and ARRAY_AGG are written in DuckDB's words. It shows that the parts of a plan fit together, and is *not* Snowflake.
 * https://docs.snowflake.com/en/sql-reference/functions-semistructured
 */
import { DuckDBInstance } from "@duckdb/node-api";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { listOf, readList } from "../../../src/connectors/snowflake/lists.ts";
import type { Column, Row, Value } from "../../../src/result/types.ts";
import type { OpenedSource } from "../../support/sources.ts";

/** Indexes are counted from 0, NULLs are equal, and a NULL among the arguments gives NULL. */
const MACROS: readonly string[] = [
  "sf_array_size(a) AS len(a)",
  "sf_get(a, i) AS a[i + 1]",
  "sf_to_variant(x) AS x",
  "sf_array_compact(a) AS list_filter(a, lambda x: x IS NOT NULL)",
  "sf_array_contains(v, a) AS list_contains(a, v)",
  "sf_arrays_overlap(a, b) AS list_has_any(a, b)",
  "sf_array_cat(a, b) AS CASE WHEN a IS NOT NULL AND b IS NOT NULL THEN list_concat(a, b) END",
  "sf_array_slice(a, f, t) AS CASE WHEN a IS NOT NULL THEN list_slice(a, f + 1, t) END",
  "sf_array_position(v, a) AS nullif(list_position(a, v), 0) - 1",
  "sf_array_generate_range(f, t) AS range(f, t)",
  "sf_array_to_string(a, s) AS CASE WHEN a IS NOT NULL THEN coalesce(array_to_string(a, s), '') END",
  "sf_split(x, s) AS string_split(x, s)",
];

const NAMES = /\b(ARRAY_(?!AGG)\w+|ARRAYS_OVERLAP|GET|SPLIT|TO_VARIANT)\(/gi;
const COLLECTED =
  /CASE WHEN count\((.+?)\) > 0 THEN ARRAY_AGG\((DISTINCT )?\1\)(?: WITHIN GROUP \((.+?NULLS \w+)\))? END/g;
const JOINED = /listagg\((.+?), ('.*?')\) WITHIN GROUP \((.+?NULLS \w+)\)/g;

function inDuckDb(sql: string): string {
  const gathered = sql.replace(COLLECTED, (_, value: string, distinct = "", order = "") => {
    return `(array_agg(${distinct}${value} ${order}) FILTER (WHERE ${value} IS NOT NULL))`;
  });
  let flat = gathered.replace(JOINED, "string_agg($1, $2 $3)");
  for (let at = flat.indexOf(FLATTEN); at >= 0; at = flat.indexOf(FLATTEN)) {
    const end = closing(flat, at + FLATTEN.length);
    const input = flat.slice(at + FLATTEN.length, end);
    const rows = `(SELECT unnest(_i) AS "VALUE", generate_subscripts(_i, 1) - 1 AS "INDEX" FROM (SELECT ${input} AS _i))`;
    flat = flat.slice(0, at) + rows + flat.slice(end + 1);
  }
  return flat.replaceAll("ARRAY_CONSTRUCT(", "list_value(").replace(NAMES, "sf_$1(");
}

const FLATTEN = "FLATTEN(INPUT => ";

/** The parenthesis that closes the one before `from`. */
function closing(sql: string, from: number): number {
  let depth = 1;
  for (let at = from; at < sql.length; at++) {
    if (sql[at] === "(") depth++;
    if (sql[at] === ")" && --depth === 0) return at;
  }
  throw new Error(`no end: ${sql}`);
}

export async function openManualArrays(tables: readonly string[]): Promise<OpenedSource> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  for (const macro of MACROS) await connection.run(`CREATE MACRO ${macro}`);
  for (const table of tables) await connection.run(inDuckDb(table));
  const connector: Pick<Connector, "query"> = {
    query: async ({ sql, columns: meant }) => {
      const reader = await connection.runAndReadAll(inDuckDb(sql)).catch((error: unknown) => {
        throw new ConnectorFailure("SOURCE_ERROR", `${String(error)}: ${inDuckDb(sql)}`);
      });
      const columns = meant.map(({ name, type }): Column => {
        if (type.kind === "integer") return { name, type: { kind: "int64" } };
        return { name, type: listOf(type) ?? { kind: type.kind === "boolean" ? "boolean" : "string" } };
      });
      const rows = reader.getRowsJson().map((row): Row => row.map((json, index) => valueOf(json, columns[index])));
      return { columns, batches: [rows] } as never;
    },
  };
  return {
    connector: connector as Connector,
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function valueOf(json: unknown, column: Column | undefined): Value {
  if (json === null || column === undefined) return null;
  const { type } = column;
  if (type.kind === "int64") return BigInt(String(json));
  if (type.kind !== "list") return json as Value;
  // Long numbers are texts there.
  const isText = type.element.kind === "string";
  const elements = (json as readonly unknown[]).map((each) =>
    !isText && typeof each === "string" ? each : JSON.stringify(each),
  );
  return readList(`[${elements.join(", ")}]`, type);
}
