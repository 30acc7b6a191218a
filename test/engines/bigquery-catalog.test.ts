/**
 * Metadata queries of the BigQuery connector, and its error positions, on the reference evaluator of GoogleSQL: the
 * views are test tables with the names and types of Google's documentation.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bigQueryFailure } from "../../src/connectors/bigquery/failures.ts";
import { readBigQueryCatalog } from "../../src/connectors/catalog/bigquery.ts";
import type { CatalogRequest } from "../../src/connectors/catalog/types.ts";
import { parseBigQueryConnection } from "../../src/connectors/connection/bigquery.ts";
import { makeAccount } from "../connectors/bigquery/rest.ts";
import { patient } from "../connectors/contract.ts";
import { type GoogleSqlServer, hasGoogleSql, startGoogleSql, WITHOUT_GOOGLESQL } from "../support/googlesql-server.ts";

type Cell = string | number | null;
const text = (...names: readonly string[]) => names.map((name) => ({ name, type: { type_kind: "TYPE_STRING" } }));
const number = (...names: readonly string[]) => names.map((name) => ({ name, type: { type_kind: "TYPE_INT64" } }));

/** https://cloud.google.com/bigquery/docs/information-schema-intro: columns that are asked for, and rows. */
const VIEWS: Readonly<Record<string, readonly [columns: readonly object[], rows: readonly (readonly Cell[])[]]>> = {
  COLUMNS: [
    [...text("table_name", "column_name", "is_nullable", "data_type"), ...number("ordinal_position")],
    [
      ["orders", "id", "NO", "INT64", 1],
      ["orders", "address", "YES", "STRUCT<city STRING>", 2],
      ["orders", "place", "YES", "GEOGRAPHY", 3],
      ["orders", "days", "YES", "RANGE<DATE>", 4],
      ["shops", "id", "NO", "INT64", 1],
      ["shops", "country", "NO", "STRING", 2],
    ],
  ],
  COLUMN_FIELD_PATHS: [
    text("table_name", "column_name", "field_path", "data_type", "description"),
    [
      ["orders", "id", "id", "INT64", "key"],
      ["orders", "address", "address", "STRUCT<city STRING>", null],
      ["orders", "address", "address.city", "STRING", null],
      ["orders", "place", "place", "GEOGRAPHY", null],
      ["orders", "days", "days", "RANGE<DATE>", null],
      ["shops", "id", "id", "INT64", null],
      ["shops", "country", "country", "STRING", null],
    ],
  ],
  TABLES: [
    text("table_name", "table_type"),
    [
      ["orders", "BASE TABLE"],
      ["shops", "EXTERNAL"],
    ],
  ],
  TABLE_OPTIONS: [
    text("table_name", "option_name", "option_value"),
    [
      ["orders", "description", '"all orders"'],
      ["orders", "labels", "[]"],
    ],
  ],
  TABLE_CONSTRAINTS: [
    text("constraint_name", "table_name", "constraint_type"),
    [
      ["shops.pk$", "shops", "PRIMARY KEY"],
      ["orders.fk$1", "orders", "FOREIGN KEY"],
    ],
  ],
  KEY_COLUMN_USAGE: [
    [
      ...text("constraint_name", "table_name", "column_name"),
      ...number("ordinal_position", "position_in_unique_constraint"),
    ],
    [
      ["shops.pk$", "shops", "country", 1, null],
      ["shops.pk$", "shops", "id", 2, null],
      ["orders.fk$1", "orders", "shop", 1, 2],
      ["orders.fk$1", "orders", "shop_country", 2, 1],
    ],
  ],
  CONSTRAINT_COLUMN_USAGE: [
    text("constraint_name", "table_name", "column_name"),
    [
      ["shops.pk$", "shops", "country"],
      ["shops.pk$", "shops", "id"],
      ["orders.fk$1", "shops", "country"],
      ["orders.fk$1", "shops", "id"],
    ],
  ],
};

interface Content {
  readonly table_data: { readonly row?: readonly { readonly cell: readonly Readonly<Record<string, string>>[] }[] };
}

const cellOf = (value: Cell): object =>
  value === null ? {} : typeof value === "number" ? { int64_value: value } : { string_value: value };
const valueOf = (cell: Readonly<Record<string, string>>) => {
  const { value, int64_value, string_value } = cell;
  return value === undefined ? null : value === "int64_value" ? BigInt(int64_value ?? "") : (string_value ?? null);
};

describe.skipIf(!hasGoogleSql())(hasGoogleSql() ? "on GoogleSQL's evaluator" : WITHOUT_GOOGLESQL, () => {
  let server: GoogleSqlServer;
  let options: object;
  let functions: object;
  beforeAll(async () => {
    server = await startGoogleSql();
    const language_options = await server.call("GetLanguageOptions", { maximum_features: true });
    options = { language_options, error_message_mode: "ERROR_MESSAGE_ONE_LINE" };
    functions = { builtin_function_options: { language_options } };
  });
  afterAll(() => server?.stop());

  const tables = Object.entries(VIEWS).map(([name, [column]], index) => ({
    name,
    serialization_id: index + 1,
    column,
  }));
  const content = Object.fromEntries(
    Object.entries(VIEWS).map(([name, [, rows]]) => [
      name,
      { table_data: { row: rows.map((row) => ({ cell: row.map(cellOf) })) } },
    ]),
  );

  const read = <K extends CatalogRequest["kind"]>(kind: K) => {
    const fields = { project_id: "acme", dataset_id: "sales", credentials: makeAccount().credentials };
    const source = {
      connection: parseBigQueryConnection(fields).info,
      list: async () => ({}),
      async query({ sql }: { readonly sql: string }) {
        // Names of three parts are analysed; content is of tables without.
        const view = { name: "INFORMATION_SCHEMA", table: tables };
        const nested = {
          name: "db",
          ...functions,
          catalog: [{ name: "acme", catalog: [{ name: "sales", catalog: [view] }] }],
        };
        await server.call("Analyze", { sql_statement: sql, options, simple_catalog: nested });
        const { content: told } = await server.call("EvaluateQuery", {
          sql: sql.replaceAll("`acme`.`sales`.INFORMATION_SCHEMA.", ""),
          options,
          simple_catalog: { name: "db", ...functions, table: tables },
          table_content: content,
        });
        const rows = ((told as Content).table_data.row ?? []).map(({ cell }) => cell.map(valueOf));
        async function* batches() {
          yield rows;
        }
        return { columns: [], batches: batches(), close: async () => undefined };
      },
    };
    return readBigQueryCatalog<K>(source, { kind, filter: {} } as Extract<CatalogRequest, { kind: K }>, patient());
  };

  it("tables have their columns by name, without types that have no counterpart", async () => {
    const column = (name: string, type: string, column_order: number, change: object = {}) => ({
      name,
      type,
      notNull: false,
      description: null,
      properties: { column_order },
      nestedColumns: null,
      ...change,
    });
    const found = await read("tables");
    expect(found[0]).not.toHaveProperty("readMayFail");
    expect(found).toMatchObject([
      {
        name: "orders",
        description: "all orders",
        columns: [
          column("address", "STRUCT<city STRING>", 2, { nestedColumns: [column("address.city", "STRING", 2)] }),
          column("id", "INT64", 1, { notNull: true, description: "key" }),
        ],
      },
      {
        name: "shops",
        description: null,
        // An external table.
        readMayFail: true,
        columns: [column("country", "STRING", 2, { notNull: true }), column("id", "INT64", 1, { notNull: true })],
      },
    ]);
  });

  it("keys of several columns are told pair by pair, by their place in the key that they refer to", async () => {
    const pairs = await read("constraints");
    expect(pairs.map(({ constraintColumn, constraintedColumn }) => [constraintColumn, constraintedColumn])).toEqual([
      ["shop", "id"],
      ["shop_country", "country"],
    ]);
  });

  it.each([
    "SELECT missing",
    "/* é */ SELECT missing",
    "/* 𝒳 é */ SELECT missing",
    "\tSELECT missing",
    "SELECT\t1,\tmissing",
    "SELECT 1,\r\n missing",
    "SELECT 1,\r missing",
    "SELECT 1,\n\n  missing",
  ])("a name that is wrong in %j is found where it stands", async (sql) => {
    const request = { sql_statement: sql, options, simple_catalog: { name: "db", ...functions } };
    const told = await server.call("Analyze", request).catch((error: Error) => error.message);
    const [, place] = /\[at (\d+:\d+)\]/.exec(String(told)) ?? [];
    // BigQuery writes it behind `at`.
    const error = { reason: "invalidQuery", message: `Unrecognized name: missing at [${place}]` };
    expect(bigQueryFailure(error, sql, false).position).toBe(sql.indexOf("missing"));
  });
});
