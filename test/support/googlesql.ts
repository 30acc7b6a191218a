/**
 * Statements of BigQuery's dialect on GoogleSQL's reference evaluator, over tables handed to it. It is no BigQuery: no jobs, no
 * datasets, no limits of BigQuery's planner. Of the language's features those are on that BigQuery has.
 */
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Connector } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Batch, Row } from "../../src/result/types.ts";
import { type GoogleSqlServer, googleSqlVersion, startGoogleSql } from "./googlesql-server.ts";
import { canonicalValue, type GoogleSqlType, keptType, logicalType } from "./googlesql-values.ts";
import type { OpenedSource } from "./sources.ts";
import { TPCH_TABLES } from "./tpch.ts";

/**
 * Features of the evaluator that BigQuery's SQL lacks
 * (https://cloud.google.com/bigquery/docs/reference/standard-sql/introduction).
 */
const NOT_IN_BIGQUERY: ReadonlySet<string> = new Set([
  "FEATURE_TIMESTAMP_NANOS",
  "FEATURE_GROUP_BY_ROLLUP",
  "FEATURE_V_1_1_ARRAY_EQUALITY",
  "FEATURE_V_1_2_GROUP_BY_ARRAY",
  "FEATURE_V_1_3_ARRAY_ORDERING",
  "FEATURE_V_1_3_CONCAT_MIXED_TYPES",
  "FEATURE_V_1_3_UNNEST_AND_FLATTEN_ARRAYS",
  "FEATURE_V_1_3_TYPEOF_FUNCTION",
  "FEATURE_V_1_4_ARRAY_AGGREGATION_FUNCTIONS",
  "FEATURE_V_1_4_ARRAY_FIND_FUNCTIONS",
  "FEATURE_V_1_4_BARE_ARRAY_ACCESS",
  "FEATURE_V_1_4_FIRST_AND_LAST_N",
  "FEATURE_V_1_4_NULLIFZERO_ZEROIFNULL",
  "FEATURE_V_1_4_PI_FUNCTIONS",
  "FEATURE_V_1_4_STRUCT_POSITIONAL_ACCESSOR",
  "FEATURE_V_1_4_WITH_EXPRESSION",
]);

export interface ParquetTable {
  readonly name: string;
  readonly file: string;
  /** Which rows; all without it. */
  readonly where?: string;
  /** All without it. */
  readonly columns?: readonly string[];
}

const TPCH = fileURLToPath(new URL("../../examples/tpch/", import.meta.url));

/** With the TPC-H tables of `examples/tpch`. */
export const openGoogleSqlTpch = (): Promise<OpenedSource> =>
  openGoogleSql(TPCH_TABLES.map((name) => ({ name, file: `${TPCH}${name}.parquet` })));

export async function openGoogleSql(tables: readonly ParquetTable[]): Promise<OpenedSource> {
  const server = await startGoogleSql();
  try {
    const connector = await connect(server, tables);
    return { connector, close: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function connect(server: GoogleSqlServer, tables: readonly ParquetTable[]): Promise<Connector> {
  const all = await server.call("GetLanguageOptions", { maximum_features: true });
  const features = (all["enabled_language_features"] as readonly string[]).filter((name) => !NOT_IN_BIGQUERY.has(name));
  // Only BigQuery's types, by its names.
  const language_options = { ...all, enabled_language_features: features, product_mode: "PRODUCT_EXTERNAL" };
  const options = { language_options, default_timezone: "UTC" };
  const builtin_function_options = { language_options };
  const read = await readTables(tables);
  const registered = await server.call("RegisterCatalog", {
    simple_catalog: { name: "db", builtin_function_options, table: read.map(({ table }) => table) },
    table_content: Object.fromEntries(read.map(({ table, row }) => [table.name, { table_data: { row } }])),
  });
  const catalog = { registered_catalog_id: registered["registered_id"] };
  const absent = async (): Promise<never> => {
    throw new Error("the evaluator answers queries alone");
  };
  return {
    capabilities: { streaming: "whole", cancels: false, errorPositions: false },
    query: async ({ sql }) => {
      const answer = await server.call("EvaluateQuery", { sql, options, ...catalog }).catch((error: Error) => {
        throw new ConnectorFailure("SOURCE_ERROR", error.message);
      });
      const { prepared, content } = answer as unknown as Answer;
      const types = prepared.columns.map(({ type }) => type);
      const rows: Row[] = (content.table_data?.row ?? []).map(({ cell }) =>
        cell.map((each, index) => canonicalValue(each, types[index] ?? { type_kind: "" })),
      );
      const columns = prepared.columns.map(({ name, type }) => ({ name, type: logicalType(type) }));
      return { columns, batches: once(rows), close: async () => {} };
    },
    dryRun: absent,
    catalog: (async ({ kind }) => (kind === "version" ? googleSqlVersion() : absent())) as Connector["catalog"],
    close: async () => {},
  };
}

interface Answer {
  readonly prepared: { readonly columns: readonly { readonly name: string; readonly type: GoogleSqlType }[] };
  readonly content: {
    readonly table_data: { readonly row: readonly { readonly cell: readonly Readonly<Record<string, unknown>>[] }[] };
  };
}

async function* once(rows: Batch): AsyncIterableIterator<Batch> {
  yield rows;
}

async function readTables(tables: readonly ParquetTable[]) {
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    await duckdb.run("SET TimeZone = 'UTC'");
    const read = [];
    for (const [index, { name, file, where = "true", columns: wanted }] of tables.entries()) {
      const named = wanted === undefined ? "*" : wanted.map((column) => `"${column}"`).join(", ");
      const described = (await duckdb.runAndReadAll(`DESCRIBE SELECT ${named} FROM '${file}'`)).getRowsJson();
      const columns = described.map(([column, type]) => ({ name: String(column), ...keptType(String(type)) }));
      const texts = columns.map((column) => `"${column.name}"::varchar`);
      const rows = (
        await duckdb.runAndReadAll(`SELECT ${texts.join(", ")} FROM '${file}' WHERE ${where}`)
      ).getRowsJson();
      read.push({
        table: {
          name,
          serialization_id: index + 1,
          column: columns.map((column) => ({ name: column.name, type: column.type })),
        },
        row: rows.map((row) => ({
          cell: row.map((text, at) => (text === null ? {} : (columns[at]?.cell(String(text)) ?? {}))),
        })),
      });
    }
    return read;
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
}
