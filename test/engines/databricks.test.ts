/** The connector of Databricks against a FAKE of its API whose statements a real Spark runs (`test/connectors/databricks/over-spark.ts`). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { openHere } from "../../src/connectors/open-here.ts";
import { parseConnection } from "../../src/connectors/sources.ts";
import { describeConnector, drain, failureOf, patient, plain } from "../connectors/contract.ts";
import {
  type FakeDatabricks,
  startDatabricksOverSpark,
  TOKEN,
  WAREHOUSE,
} from "../connectors/databricks/over-spark.ts";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { ask, judgeRows } from "../parity/judge.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf } from "../support/plan.ts";
import { SHARE } from "../support/share.ts";
import { openSparkTpch } from "../support/spark.ts";
import { running, runOnSpark } from "../support/spark-jobs.ts";
import { hasSpark, startSpark, WITHOUT_SPARK } from "../support/spark-server.ts";

const FIELDS = {
  serverHostname: "dbc-1.cloud.databricks.com",
  httpPath: `/sql/1.0/warehouses/${WAREHOUSE}`,
  accessToken: TOKEN,
};

/** The server would put the name of its application in its place. */
const VARIABLE = `$\{spark.app.name}`;

let databricks: FakeDatabricks;

async function open(change: object = {}): Promise<Connector> {
  return openHere(
    parseConnection("databricks", { ...FIELDS, ...change }).info,
    { fetch: databricks.fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 10_000 },
    { signal: new AbortController().signal },
  );
}

async function rowsOf(sql: string, change: object = {}) {
  const connector = await open(change);
  try {
    const result = await connector.query(plain(sql), patient());
    return { types: result.columns.map(({ type }) => type), rows: await drain(result) };
  } finally {
    await connector.close();
  }
}

describe.skipIf(!hasSpark())(hasSpark() ? "Databricks' API over Spark" : WITHOUT_SPARK, () => {
  beforeAll(async () => {
    databricks = await startDatabricksOverSpark(await startSpark());
  });
  afterAll(() => databricks?.close());

  describeConnector("Databricks by its API", async () => {
    await runOnSpark("CREATE TABLE written_by_api (a int) USING parquet");
    return {
      statements: {
        numbers: (count) => `SELECT CAST(id + 1 AS int) AS n FROM range(0, ${count}) ORDER BY n`,
        // Rows come when there are all of them.
        endless: "SELECT id FROM range(0, 100000, 1, 20)",
        stuck: "SELECT count(*) FROM range(0, 1000000000000) AS t",
        nulls: "SELECT 1, 'a', CAST(NULL AS int), CAST(NULL AS string)",
        sameNames: "SELECT 1 AS x, 2 AS x",
        syntaxError: "SELECT 1 FROM (",
        unknownTable: "SELECT 1 FROM missing_thing",
        failsWhenRun: "SELECT 1 / (id - 1) FROM range(3)",
        writes: "WITH x AS (SELECT 1 AS a) INSERT INTO written_by_api SELECT a FROM x",
      },
      open,
      running,
      effects: async () => Number((await rowsOf("SELECT count(*) FROM written_by_api")).rows[0]?.[0]),
      close: async () => {},
    };
  });

  it("reads every type, and describes it without rows as well", async () => {
    const values = `true, -1Y, 2S, 3, 9007199254740993L, float('1.1'), double('NaN'), CAST(-0.05 AS decimal(38, 2)), 1.50BD,
      'é𝒳', CAST('a' AS char(3)), X'00ff', date'-0044-03-15', timestamp'2020-06-10 15:55:23.380001 Europe/Berlin',
      timestamp_ntz'2020-06-10 15:55:23.000001', interval '-1-2' year to month, interval '1 02:00:00.000001' day to second,
      interval '3' hour, parse_json('{"b": [1, 1.50]}'), array(1, null), map('b', 1.5BD, 'a', null),
      named_struct('a b', 1, 'c', array(named_struct('d-e', date'2020-01-01'))), null`;
    const { types, rows } = await rowsOf(`SELECT ${values}`);
    expect(rows).toEqual([
      [
        ...[true, -1, 2, 3, 9007199254740993n, Math.fround(1.1), Number.NaN, "-0.05", "1.50"],
        ...["é𝒳", "a", Uint8Array.of(0, 255), Date.UTC(-44, 2, 15) / 86_400_000],
        ...[BigInt(Date.UTC(2020, 5, 10, 13, 55, 23, 380)) * 1000n + 1n],
        ...[BigInt(Date.UTC(2020, 5, 10, 15, 55, 23)) * 1000n + 1n],
        { months: -14, days: 0, microseconds: 0n },
        { months: 0, days: 1, microseconds: 7_200_000_001n },
        { months: 0, days: 0, microseconds: 10_800_000_000n },
        '{"b":[1,1.5]}',
        [1, null],
        [
          ["b", "1.5"],
          ["a", null],
        ],
        [1, [[18_262]]],
        null,
      ],
    ]);
    expect(types.map(({ kind }) => kind).join(" ")).toBe(
      "boolean int8 int16 int32 int64 float32 float64 decimal decimal string string binary date timestamp timestamp " +
        "interval interval interval json list map struct null",
    );
    expect(types[13]).toEqual({ kind: "timestamp", unit: "us", zone: "UTC" });
    expect(types[14]).toEqual({ kind: "timestamp", unit: "us", zone: undefined });
    expect(types[20]).toEqual({
      kind: "map",
      key: { kind: "string" },
      value: { kind: "decimal", precision: 2, scale: 1 },
    });
    expect(await rowsOf(`SELECT ${values} WHERE 1 = 0`)).toEqual({ types, rows: [] });
  });

  it.each<[string, string, string, string | undefined]>([
    [
      "SELECT 1,\n  /* 𝒳 */ nothing FROM range(1)",
      "SOURCE_INVALID_SQL",
      "UNRESOLVED_COLUMN.WITH_SUGGESTION",
      "nothing",
    ],
    ["SELECT 1 +\n/* 𝒳 */ , 2", "SOURCE_INVALID_SQL", "PARSE_SYNTAX_ERROR", ", 2"],
    ["SELECT no_such_function(1)", "SOURCE_INVALID_SQL", "UNRESOLVED_ROUTINE", "no_such"],
    ["SELECT id,\n 10 / (id - 1) FROM range(3)", "SOURCE_ERROR", "DIVIDE_BY_ZERO", "10 /"],
    ["SELECT CAST(s AS int) FROM VALUES ('x'), ('y') AS t(s)", "SOURCE_ERROR", "CAST_INVALID_INPUT", "CAST"],
    ["SELECT raise_error('boom')", "SOURCE_ERROR", "USER_RAISED_EXCEPTION", undefined],
  ])("tells what is wrong and where: %s", async (sql, reason, engineCode, at) => {
    const failure = await failureOf(rowsOf(sql));
    expect(failure).toMatchObject({ reason, engineCode });
    expect(failure.message.slice(0, engineCode.length + 2)).toBe(`[${engineCode}]`);
    expect(failure.message).not.toMatch(/== SQL|\n\S*Project|line \d/);
    expect(failure.position).toBe(at === undefined ? undefined : sql.lastIndexOf(at));
  });

  it.each([
    "CREATE TABLE made AS SELECT 1 AS x",
    "INSERT INTO written_by_api VALUES (1)",
    "FROM range(1) INSERT INTO written_by_api SELECT id",
    "DROP TABLE written_by_api",
    "SET spark.sql.ansi.enabled=false",
    "SELECT 1; DROP TABLE written_by_api",
    "SELECT 1); DROP TABLE written_by_api; --",
    "SELECT 1) INSERT INTO written_by_api (SELECT 1",
    "SELECT 1) AS sub LIMIT 0; DROP TABLE written_by_api; --",
    "BEGIN DROP TABLE written_by_api; END",
  ])("neither runs nor checks %s", async (sql) => {
    const connector = await open();
    expect((await failureOf(connector.query(plain(sql), patient()).then(drain))).reason).toBe("SOURCE_INVALID_SQL");
    expect((await failureOf(connector.dryRun(plain(sql), patient()))).reason).toBe("SOURCE_INVALID_SQL");
    await connector.close();
  });

  it.each<[string, string, string, RegExp]>([
    ["spark.sql.session.timeZone", "America/Los_Angeles", "SELECT 1", /another TIMEZONE than UTC/],
    ["spark.sql.ansi.enabled", "false", "SELECT 1", /another ANSI_MODE than true/],
    ["spark.sql.legacy.timeParserPolicy", "LEGACY", "SELECT 1", /another LEGACY_TIME_PARSER_POLICY/],
    ["spark.sql.variable.substitute", "true", `SELECT '${VARIABLE}'`, /puts values of its own/],
  ])("refuses a warehouse whose %s is %s", async (name, value, sql, message) => {
    const { settings } = databricks;
    databricks.settings = [...settings.filter((setting) => setting.name !== name), { name, value }];
    const failure = await failureOf(rowsOf(sql));
    expect([failure.reason, failure.message]).toEqual(["SOURCE_ERROR", expect.stringMatching(message)]);
    const connector = await open();
    expect((await failureOf(connector.dryRun(plain(sql), patient()))).message).toMatch(message);
    await connector.close();
    databricks.settings = [...settings, { name: "spark.sql.variable.substitute", value: "true" }];
    expect((await rowsOf("SELECT '$' || '{spark.app.name}'")).rows).toEqual([[VARIABLE]]);
    databricks.settings = settings;
  });

  it("takes a policy for patterns that raises where it differs for the one that is meant", async () => {
    const { settings } = databricks;
    databricks.settings = [...settings, { name: "spark.sql.legacy.timeParserPolicy", value: "EXCEPTION" }];
    expect((await rowsOf("SELECT date_format(DATE '2024-05-06', 'yyyy-MM')")).rows).toEqual([["2024-05"]]);
    databricks.settings = settings;
  });

  it("takes other names of UTC for it", async () => {
    const { settings } = databricks;
    for (const value of ["Etc/UTC", "Z", "+00:00"]) {
      databricks.settings = [...settings, { name: "spark.sql.session.timeZone", value }];
      expect((await rowsOf("SELECT timestamp'1970-01-01 00:00:01'")).rows).toEqual([[1_000_000n]]);
    }
    databricks.settings = settings;
  });

  it("is not let in with another token, nor to another warehouse", async () => {
    expect(await failureOf(rowsOf("SELECT 1", { accessToken: "another" }))).toMatchObject({
      reason: "AUTHENTICATION",
      message: "dbc-1.cloud.databricks.com answered with HTTP status 403: Invalid access token.",
    });
    expect(await failureOf(rowsOf("SELECT 1", { httpPath: "/sql/1.0/warehouses/other" }))).toMatchObject({
      reason: "AUTHENTICATION",
      hint: "Check httpPath: /sql/1.0/warehouses/{id}.",
    });
  });

  it("reads the catalogue that an information schema tells of, whatever its names are", async () => {
    const odd = "a.`b\\\\";
    const quotes = "o\\'d\"d";
    await runOnSpark(...informationSchema(odd, quotes));
    const connector = await open();
    const tables = await connector.catalog({ kind: "tables", filter: { schema: "SAL*" }, limit: undefined }, patient());
    const column = (name: string, type: string, notNull = false, description: string | null = null) => ({
      ...{ name, type, notNull, description, properties: null, nestedColumns: null },
    });
    expect(tables).toEqual([
      {
        name: "main.sales.a.`b\\",
        description: null,
        properties: { catalog: "main", schema: "sales", table: "a.`b\\", path: null },
        columns: [column("o'd\"d", "INTEGER", true), column("at", "TIMESTAMP")],
        primaryKey: "",
        readMayFail: true,
      },
      {
        name: "main.sales.lines",
        description: "of orders",
        properties: { catalog: "main", schema: "sales", table: "lines", path: null },
        columns: [
          column("order_id", "BIGINT", true, "whose"),
          column("line", "INTEGER", true),
          column("price", "DECIMAL"),
          column("tags", "array<string>"),
        ],
        primaryKey: "order_id,line",
      },
      {
        name: "main.sales.orders",
        description: null,
        properties: { catalog: "main", schema: "sales", table: "orders", path: null },
        columns: [column("id", "BIGINT", true)],
        primaryKey: "id",
      },
    ]);
    const one = await connector.catalog({ kind: "tables", filter: { table: "[lo]*" }, limit: 1 }, patient());
    expect(one).toEqual([]);
    expect(await connector.catalog({ kind: "constraints", filter: {}, limit: undefined }, patient())).toEqual([
      {
        constraintName: "lines_order_id_orders_id",
        constraintType: "FOREIGN KEY",
        constraintTable: "main.sales.lines",
        constraintColumn: "order_id",
        constraintedTable: "main.sales.orders",
        constraintedColumn: "id",
      },
    ]);
    expect(await connector.catalog({ kind: "schemas", filter: {}, limit: undefined }, patient())).toEqual([
      { name: "main", schemas: ["sales"] },
    ]);
    expect(await connector.catalog({ kind: "version" }, patient())).toBe("2025.40");
    await connector.close();
    await runOnSpark("DROP DATABASE information_schema CASCADE", "DROP FUNCTION current_version");
  });

  // All of them run on Spark by itself; here a third does, by what is planned for Databricks.
  it("answers what analysts ask", async () => {
    const tpch = manifestOf(plainManifest("spark"));
    await (await openSparkTpch()).close();
    const connector = await open();
    // Spark 4.0 has no recursion, which Databricks has.
    const queries = ANALYST_QUERIES.filter(({ id }, index) => index % (3 * SHARE) === 0 && id !== "Q25");
    const outcomes = new Map<string, string>();
    const left = [...queries];
    const inTurn = async (): Promise<void> => {
      for (let each = left.pop(); each !== undefined; each = left.pop()) {
        const answer = await ask(each.sql, tpch, "databricks", { connector, close: async () => {} });
        const verdict = "outcome" in answer ? answer : judgeRows(answer, each.expected, each.ordered);
        outcomes.set(each.id, "detail" in verdict ? `${verdict.outcome}: ${verdict.detail}` : verdict.outcome);
      }
    };
    await Promise.all([inTurn(), inTurn(), inTurn()]);
    await connector.close();
    const others = [...outcomes].filter(([, outcome]) => outcome !== "right");
    expect(others.filter(([, outcome]) => !outcome.startsWith("refused"))).toEqual([]);
    expect(others.length).toBeLessThanOrEqual(2);
  });
});

/** Relations that Databricks documents, with the columns that it documents, over values. */
function informationSchema(odd: string, quotes: string): string[] {
  const relations: Readonly<Record<string, readonly [columns: string, rows: readonly string[]]>> = {
    tables: [
      "table_catalog, table_schema, table_name, comment, table_type, data_source_format",
      [
        "'main', 'information_schema', 'tables', NULL, 'VIEW', NULL",
        "'main', 'sales', 'orders', NULL, 'MANAGED', 'DELTA'",
        "'main', 'sales', 'lines', 'of orders', 'EXTERNAL', 'DELTA'",
        `'main', 'sales', '${odd}', NULL, 'VIEW', NULL`,
      ],
    ],
    columns: [
      "table_catalog, table_schema, table_name, column_name, ordinal_position, full_data_type, is_nullable, comment",
      [
        "'main', 'information_schema', 'tables', 'comment', 1, 'string', 'YES', NULL",
        "'main', 'sales', 'lines', 'tags', 4, 'array<string>', 'YES', NULL",
        "'main', 'sales', 'lines', 'order_id', 1, 'bigint', 'NO', 'whose'",
        "'main', 'sales', 'lines', 'line', 2, 'int', 'NO', NULL",
        "'main', 'sales', 'lines', 'price', 3, 'decimal(10,2)', 'YES', NULL",
        "'main', 'sales', 'orders', 'id', 1, 'bigint', 'NO', NULL",
        `'main', 'sales', '${odd}', '${quotes}', 1, 'int', 'NO', NULL`,
        `'main', 'sales', '${odd}', 'at', 2, 'timestamp_ntz', 'YES', NULL`,
      ],
    ],
    table_constraints: [
      "constraint_catalog, constraint_schema, constraint_name, constraint_type",
      [
        "'main', 'sales', 'lines_pk', 'PRIMARY KEY'",
        "'main', 'sales', 'orders_pk', 'PRIMARY KEY'",
        "'main', 'sales', 'lines_fk', 'FOREIGN KEY'",
      ],
    ],
    key_column_usage: [
      "constraint_catalog, constraint_schema, constraint_name, table_catalog, table_schema, table_name, column_name, ordinal_position, position_in_unique_constraint",
      [
        "'main', 'sales', 'lines_pk', 'main', 'sales', 'lines', 'line', 2, NULL",
        "'main', 'sales', 'lines_pk', 'main', 'sales', 'lines', 'order_id', 1, NULL",
        "'main', 'sales', 'orders_pk', 'main', 'sales', 'orders', 'id', 1, NULL",
        "'main', 'sales', 'lines_fk', 'main', 'sales', 'lines', 'order_id', 1, 1",
      ],
    ],
    referential_constraints: [
      "constraint_catalog, constraint_schema, constraint_name, unique_constraint_catalog, unique_constraint_schema, unique_constraint_name",
      ["'main', 'sales', 'lines_fk', 'main', 'sales', 'orders_pk'"],
    ],
    schemata: ["catalog_name, schema_name", ["'main', 'information_schema'", "'main', 'sales'"]],
  };
  return [
    "CREATE DATABASE information_schema",
    ...Object.entries(relations).map(
      ([name, [columns, rows]]) =>
        `CREATE VIEW information_schema.${name} AS SELECT * FROM VALUES ${rows.map((row) => `(${row})`).join(", ")} AS v(${columns})`,
    ),
    "CREATE FUNCTION current_version() RETURNS STRUCT<dbsql_version: STRING> RETURN named_struct('dbsql_version', '2025.40')",
  ];
}
