/** The connector of Spark on a real one, by the sidecar's dial; `test/sidecar/spark` has fakes of its protocol. */
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeDial } from "../../sidecar/dial.ts";
import { openSpark } from "../../sidecar/spark/connector.ts";
import { parseSparkConnection } from "../../src/connectors/connection/spark.ts";
import type { Connector, Statement } from "../../src/connectors/connector.ts";
import { type ContractFixture, describeConnector, drain, failureOf, patient, plain } from "../connectors/contract.ts";
import { connectorIn, SECRET, startSidecar } from "../sidecar/process.ts";
import { running, runOnSpark } from "../support/spark-jobs.ts";
import { hasSpark, startSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { startWorker } from "../support/worker.ts";

/** The server would put the name of its application in its place. */
const SUBSTITUTED = `$\{spark.app.name}`;

async function open(): Promise<Connector> {
  const { host, port } = await startSpark();
  const { info } = parseSparkConnection({ host, port });
  const { signal } = new AbortController();
  return openSpark(info, { dial: nodeDial([host]), connectTimeoutMs: 10_000 }, { signal });
}

async function rowsOf(sql: string, change: Partial<Statement> = {}) {
  const connector = await open();
  try {
    const result = await connector.query({ ...plain(sql), ...change }, patient());
    return { types: result.columns.map(({ type }) => type), rows: await drain(result) };
  } finally {
    await connector.close();
  }
}

/** `table` is written to by who may not. */
async function fixture(table: string, opens: () => Promise<Connector>): Promise<ContractFixture> {
  await runOnSpark(`CREATE TABLE ${table} (a int) USING parquet`);
  return {
    statements: {
      numbers: (count) => `SELECT CAST(id + 1 AS int) AS n FROM range(0, ${count}) ORDER BY n`,
      // A partition at a time is sent, and the server keeps all that nobody has pulled yet.
      endless: "SELECT id FROM range(0, 20000000, 1, 20000)",
      stuck: "SELECT count(*) FROM range(0, 1000000000000) AS t",
      nulls: "SELECT 1, 'a', CAST(NULL AS int), CAST(NULL AS string)",
      sameNames: "SELECT 1 AS x, 2 AS x",
      syntaxError: "SELECT 1 FROM (",
      unknownTable: "SELECT 1 FROM missing_thing",
      failsWhenRun: "SELECT 1 / (id - 1) FROM range(3)",
      // The grammar has it in one statement with queries.
      writes: `WITH x AS (SELECT 1 AS a) INSERT INTO ${table} SELECT a FROM x`,
    },
    open: opens,
    running,
    effects: async () => Number((await rowsOf(`SELECT count(*) FROM ${table}`)).rows[0]?.[0]),
    close: async () => {},
  };
}

describe.skipIf(!hasSpark())(hasSpark() ? "a real Spark" : WITHOUT_SPARK, () => {
  describeConnector("Spark Connect", () => fixture("written", open));

  describeConnector("Spark in the sidecar", async () => {
    const { host, port } = await startSpark();
    const sidecar = await startSidecar({ ALLOWED_HOSTS: host });
    const connectors = await fixture("written_by_sidecar", () => connectorIn(sidecar, "spark", { host, port }));
    return { ...connectors, close: () => sidecar.stop() };
  });

  it("answers metadata and queries by the whole service", async () => {
    const { host, port } = await startSpark();
    const sidecar = await startSidecar({ ALLOWED_HOSTS: host });
    const worker = await startWorker({ AUTH: "none", SIDECAR_URL: sidecar.url, SIDECAR_SECRET: SECRET });
    onTestFinished(() => sidecar.stop());
    await runOnSpark("CREATE TABLE IF NOT EXISTS shown (a int) USING parquet");
    const ask = (path: string, body: object) =>
      worker.post(`/v3/connector/spark/${path}`, { connectionInfo: { host, port }, ...body });
    const tables = await ask("metadata/tables", { filterInfo: { table: "shown" } });
    expect(await tables.json()).toMatchObject([
      { name: "spark_catalog.default.shown", columns: [{ type: "INTEGER" }] },
    ]);
    await runOnSpark("INSERT OVERWRITE shown VALUES (7), (NULL)");
    const models = [{ name: "shown", tableReference: { table: "shown" }, columns: [{ name: "a", type: "INTEGER" }] }];
    const manifestStr = Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models })).toString("base64");
    const answer = await ask("query", { manifestStr, sql: "SELECT a / 2 AS half FROM shown ORDER BY 1" });
    expect(await answer.json()).toMatchObject({ columns: ["half"], data: [[3], [null]] });
  });

  it("reads every type exactly", async () => {
    const { types, rows } = await rowsOf(`SELECT true, -1Y, 2S, 3, 9007199254740993L, -9223372036854775808L,
      float('1.1'), float('NaN'), 1e0 / 3, double('-Infinity'), double('-0.0'),
      CAST('-12345678901234567890123456789012345678' AS decimal(38)), CAST(-0.05 AS decimal(38, 2)), 1.50BD,
      'x', '\uFEFFé𝒳', X'00ff', X'',
      date'-0044-03-15', date'12345-01-01', timestamp'9999-12-31 23:59:59.999999', timestamp'1969-12-31 23:59:59.999999',
      timestamp'2020-06-10 15:55:23.38 Europe/Berlin', timestamp_ntz'-0001-01-01 00:00:00.123456',
      interval '-1-2' year to month, interval '-1 02:00:00.000001' day to second, make_interval(1, 2, 3, 4, 5, 6, -7.5),
      array(1, null), array(array('a'), array()), map('b', 1.5BD, 'a', null), map(9007199254740993L, array(1)),
      named_struct('a', 1, 'b', 'x'), CAST(null AS struct<a: int>), null, array(), CAST(null AS array<string>)`);
    const day = (...parts: [number, number, number]) => {
      const date = new Date(0);
      date.setUTCFullYear(...parts);
      return date.getTime() / 86_400_000;
    };
    expect(rows).toEqual([
      [
        ...[true, -1, 2, 3, 9007199254740993n, -9223372036854775808n],
        ...[Math.fround(1.1), Number.NaN, 1 / 3, Number.NEGATIVE_INFINITY, -0],
        ...["-12345678901234567890123456789012345678", "-0.05", "1.50"],
        ...["x", "\uFEFFé𝒳", Uint8Array.of(0, 255), new Uint8Array()],
        ...[day(-44, 2, 15), day(12345, 0, 1), 253402300799999999n, -1n],
        ...[1591797323380000n, BigInt(day(-1, 0, 1)) * 86_400_000_000n + 123456n],
        ...[
          { months: -14, days: 0, microseconds: 0n },
          { months: 0, days: -1, microseconds: -7_200_000_001n },
          { months: 14, days: 25, microseconds: 18_352_500_000n },
        ],
        ...[
          [1, null],
          [["a"], []],
          [
            ["b", "1.5"],
            ["a", null],
          ],
          [[9007199254740993n, [1]]],
        ],
        ...[[1, "x"], null, null, [], null],
      ],
    ]);
    expect(types.map(({ kind }) => kind).join(" ")).toBe(
      "boolean int8 int16 int32 int64 int64 float32 float32 float64 float64 float64 decimal decimal decimal string string " +
        "binary binary date date timestamp timestamp timestamp timestamp interval interval interval list list map map " +
        "struct struct null list list",
    );
    expect(types.filter(({ kind }) => kind === "timestamp")).toEqual([
      ...Array.from({ length: 3 }, () => ({ kind: "timestamp", unit: "us", zone: "UTC" })),
      { kind: "timestamp", unit: "us", zone: undefined },
    ]);
  });

  it("reads a VARIANT as the engine writes it", async () => {
    const values = [
      `parse_json(r'{"b": [1, -200, 70000, 9007199254740993, 1.50, 0.00, "x\\n\\"é𝒳", true, false, null], "a": {}, "": []}')`,
      `parse_json('"${"long ".repeat(20)}"')`,
      `parse_json('[${Array.from({ length: 300 }, (_, i) => i).join()}]')`,
      `parse_json('{${Array.from({ length: 300 }, (_, i) => `"k${i}": ${i}`).join()}}')`,
      "parse_json('12345678901234567890123456789012345678')",
      "to_variant_object(named_struct('d', date'2020-01-02', 't', timestamp'2020-01-02 03:04:05.6', 'n', timestamp_ntz'2020-01-02 03:04:00', 'b', X'00ff', 'f', float('0.5')))",
      "CAST(double('NaN') AS variant)",
    ];
    const { types, rows } = await rowsOf(
      values.map((value, index) => `SELECT ${index} AS i, ${value} AS v, to_json(${value}) AS j`).join(" UNION ALL ") +
        " ORDER BY i",
    );
    expect(types[1]).toEqual({ kind: "json" });
    expect(rows.map(([, ours]) => ours)).toEqual(rows.map(([, , engines]) => engines));
  });

  it.each([
    ["CAST(X'ff' AS string)", "a text that is not UTF-8"],
    ["array(CAST(X'c3' AS string))", "a text that is not UTF-8"],
  ])("tells the column of a value that has no form: %s", async (value, problem) => {
    const failure = await failureOf(rowsOf(`SELECT 1 AS a, ${value} AS b`));
    expect([failure.reason, failure.message]).toEqual([
      "SOURCE_ERROR",
      `Column "b" holds a value that cannot be represented: ${problem}.`,
    ]);
  });

  it("runs a statement in a session of its own, with its settings", async () => {
    const session = [{ name: "spark.sql.mapKeyDedupPolicy", value: "LAST_WIN" }];
    const { rows } = await rowsOf(`SELECT map('a', 1, 'a', 2), current_timezone(), '${SUBSTITUTED}'`, { session });
    expect(rows).toEqual([[[["a", 2]], "UTC", SUBSTITUTED]]);
    await failureOf(rowsOf("SELECT map('a', 1, 'a', 2)"));
    const substitute = [{ name: "spark.sql.variable.substitute", value: "true" }];
    expect((await rowsOf(`SELECT '${SUBSTITUTED}'`, { session: substitute })).rows).toEqual([[SUBSTITUTED]]);
    const none = [{ name: "spark.sql.shuffle.partitions", value: "none" }];
    expect((await failureOf(rowsOf("SELECT 1", { session: none }))).reason).toBe("SOURCE_ERROR");
  });

  it.each([
    "CREATE TABLE made AS SELECT 1 AS x",
    "INSERT INTO written VALUES (1)",
    "FROM range(1) INSERT INTO written SELECT id",
    "WITH x AS (SELECT 1 AS a) INSERT INTO written SELECT a FROM x",
    "DROP TABLE written",
    "SET spark.sql.ansi.enabled=false",
    "SHOW TABLES",
    "SELECT 1; DROP TABLE written",
    "SELECT 1); DROP TABLE written; --",
    "SELECT 1) INSERT INTO written (SELECT 1",
    "BEGIN DROP TABLE written; END",
    "EXPLAIN SELECT 1",
    "CACHE TABLE written",
    "ADD JAR '/tmp/x.jar'",
  ])("neither runs nor checks %s", async (sql) => {
    expect((await failureOf(rowsOf(sql))).reason).toBe("SOURCE_INVALID_SQL");
    const connector = await open();
    expect((await failureOf(connector.dryRun(plain(sql), patient()))).reason).toBe("SOURCE_INVALID_SQL");
    await connector.close();
    expect((await rowsOf("SELECT count(*) FROM written")).rows).toEqual([[0n]]);
  });

  it.each<[string, string, string, string, string | undefined]>([
    [
      "SELECT 1,\n  /* 𝒳 */ nothing FROM range(1)",
      "SOURCE_INVALID_SQL",
      "UNRESOLVED_COLUMN.WITH_SUGGESTION",
      "[UNRESOLVED_COLUMN",
      "nothing",
    ],
    ["SELECT 1 +\n/* 𝒳 */ , 2", "SOURCE_INVALID_SQL", "PARSE_SYNTAX_ERROR", "[PARSE_SYNTAX_ERROR]", ", 2"],
    ["SELECT no_such_function(1)", "SOURCE_INVALID_SQL", "UNRESOLVED_ROUTINE", "[UNRESOLVED_ROUTINE]", "no_such"],
    ["SELECT id, 10 / (id - 1) FROM range(3)", "SOURCE_ERROR", "DIVIDE_BY_ZERO", "[DIVIDE_BY_ZERO]", "10 /"],
    [
      "SELECT CAST(s AS int) FROM VALUES ('x'), ('y') AS t(s)",
      "SOURCE_ERROR",
      "CAST_INVALID_INPUT",
      "[CAST_INVALID_INPUT]",
      "CAST",
    ],
    ["SELECT raise_error('boom')", "SOURCE_ERROR", "USER_RAISED_EXCEPTION", "[USER_RAISED_EXCEPTION] boom", undefined],
  ])("tells what is wrong and where: %s", async (sql, reason, engineCode, message, at) => {
    const failure = await failureOf(rowsOf(sql));
    expect(failure).toMatchObject({ reason, engineCode });
    expect(failure.message.slice(0, message.length)).toBe(message);
    expect(failure.message).not.toMatch(/== SQL|\n\S*Project|line \d/);
    expect(failure.position).toBe(at === undefined ? undefined : sql.lastIndexOf(at));
  });

  it("lists schemas and tables while others create and drop theirs", async () => {
    await runOnSpark("CREATE DATABASE `2024`", "CREATE TABLE `2024`.kept (id int) USING parquet");
    const connector = await open();
    let isOver = false;
    const churn = async (name: string): Promise<void> => {
      while (!isOver) await runOnSpark(`CREATE DATABASE ${name}`, `DROP DATABASE ${name} CASCADE`);
    };
    const churning = Promise.all(["passing_1", "passing_2", "passing_3"].map(churn));
    const filter = { schema: "2024" };
    const names: string[][] = [];
    for (let listing = 0; listing < 5; listing++) {
      const tables = await connector.catalog({ kind: "tables", filter, limit: undefined }, patient());
      names.push(tables.map(({ name }) => name));
    }
    isOver = true;
    await churning;
    expect(names).toEqual(names.map(() => ["spark_catalog.2024.kept"]));
    await runOnSpark("DROP DATABASE `2024` CASCADE");
  });

  it("reads the catalogue, whatever its names are", async () => {
    await runOnSpark(
      "CREATE DATABASE odd_db",
      "CREATE TABLE odd_db.odd_table (`a.``b` int COMMENT 'first', s string, d decimal(10,2), t timestamp, n timestamp_ntz, m map<string, int>, v array<int>, i interval day to second, p bigint) USING parquet PARTITIONED BY (p) COMMENT 'odd'",
      "CREATE VIEW odd_db.a_view AS SELECT 1 AS one",
    );
    const connector = await open();
    const catalog = (kind: "tables", filter: object, limit?: number) =>
      connector.catalog({ kind, filter, limit }, patient());
    const all = await catalog("tables", { schema: "odd*" });
    expect(all.map(({ name }) => name)).toEqual(["spark_catalog.odd_db.a_view", "spark_catalog.odd_db.odd_table"]);
    // A view computes its columns when it is read.
    expect(all.map(({ readMayFail }) => readMayFail)).toEqual([true, undefined]);
    expect(all[1]).toEqual({
      name: "spark_catalog.odd_db.odd_table",
      description: "odd",
      properties: { catalog: "spark_catalog", schema: "odd_db", table: "odd_table", path: null },
      columns: [
        ["a.`b", "INTEGER", "first"],
        ["s", "VARCHAR", null],
        ["d", "DECIMAL", null],
        ["t", "TIMESTAMP", null],
        ["n", "TIMESTAMP", null],
        ["m", "UNKNOWN", null],
        ["v", "UNKNOWN", null],
        ["i", "INTERVAL", null],
        ["p", "BIGINT", null],
      ].map(([name, type, description]) => ({
        ...{ name, type, notNull: false, description, properties: null, nestedColumns: null },
      })),
      primaryKey: "",
    });
    expect((await catalog("tables", { schema: "odd*" }, 1)).map(({ name }) => name)).toEqual([all[0]?.name]);
    expect(await catalog("tables", { catalog: "other" })).toEqual([]);
    expect(await connector.catalog({ kind: "version" }, patient())).toMatch(/^4\.0\.1 /);
    const schemas = await connector.catalog({ kind: "schemas", filter: {}, limit: undefined }, patient());
    // Other suites have theirs on this server at the same time.
    const ours = schemas.map((catalog) => ({
      ...catalog,
      schemas: catalog.schemas.filter((schema) => ["default", "odd_db", "information_schema", "sys"].includes(schema)),
    }));
    expect(ours).toEqual([{ name: "spark_catalog", schemas: ["default", "odd_db"] }]);
    expect(await connector.catalog({ kind: "constraints", filter: {}, limit: undefined }, patient())).toEqual([]);
    await connector.close();
    await runOnSpark("DROP DATABASE odd_db CASCADE");
  });

  it("has nothing left of a statement two seconds after its caller has gone, or its time", async () => {
    const connector = await open();
    for (const [marker, end] of [
      ["gone_1", (controller: AbortController) => controller.abort(new Error("gone"))],
      ["gone_2", undefined],
    ] as const) {
      const controller = new AbortController();
      const statement = plain(`SELECT count(*) FROM range(0, 1000000000000) /* ${marker} */`);
      const timeoutMs = end === undefined ? 4000 : 90_000;
      const failing = failureOf(connector.query(statement, { signal: controller.signal, timeoutMs }));
      await expect.poll(() => running(marker), { timeout: 60_000, interval: 20 }).toBe(1);
      end?.(controller);
      await failing;
      await expect.poll(() => running(marker), { timeout: 30_000, interval: 20 }).toBe(0);
    }
    await connector.close();
  });
});
