/** Every row of docs/reference/compatibility.md, under its number, against a started service. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type MySqlTestDatabase, startMySql } from "../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, type MySqlFlavor, withoutMySql } from "../support/mysql-server.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type RunningService, startService } from "../support/service.ts";
import { COLUMN_CASES, COLUMNS, NOTES, ROW_CASES } from "./compatibility-rows.ts";

const PAGE = readFileSync(new URL("../../docs/reference/compatibility.md", import.meta.url), "utf8");

const TYPES = "id int, big bigint, price decimal(38,9), tags text[], note text, span interval";
const ROWS = `VALUES
  (1, 9007199254740993, CAST('12345678901234567890.123456789' AS decimal(38,9)), ARRAY['x','y'], 'a', INTERVAL '1 day 2 hours'),
  (2, NULL, CAST('0.1' AS decimal(38,9)), NULL, NULL, NULL),
  (3, 2, CAST('0.5' AS decimal(38,9)), ARRAY['z'], 'c', NULL)`;

/** Arrays are documents there, and there are no intervals. */
const MYSQL_TABLES = `
  CREATE TABLE facts (id int, big bigint, price decimal(38,9), tags json, note varchar(20));
  INSERT INTO facts VALUES
    (1, 9007199254740993, 12345678901234567890.123456789, '["x", "y"]', 'a'), (2, NULL, 0.1, NULL, NULL),
    (3, 2, 0.5, '["z"]', 'c');
  CREATE TABLE own (word varchar(20), at datetime, seen timestamp NULL, share float, doc json);
  SET sql_mode = '', time_zone = '+00:00';
  INSERT INTO own VALUES
    ('B', '2024-07-01 12:00:00', '2024-07-01 12:00:00', 0.1, '[1]'), ('a', '2024-07-01 12:00:00', NULL, 0.5, '{}');
  CREATE TABLE zero (at date); INSERT INTO zero VALUES ('0000-00-00')`;

const FAMILY = MYSQL_FLAVORS.filter(hasMySql);
for (const flavor of MYSQL_FLAVORS.filter((each) => !hasMySql(each))) test.skip(withoutMySql(flavor), () => {});

let service: RunningService;
let database: TestDatabase;
const family = new Map<Source, MySqlTestDatabase>();
const files = mkdtempSync(join(tmpdir(), "siskin-compatibility-"));

beforeAll(async () => {
  [service, database] = await Promise.all([startService({ FILE_ROOT: files }), startPostgres(), writeFile()]);
  const client = await database.connect();
  await client.query(`CREATE TABLE facts (${TYPES}); INSERT INTO facts ${ROWS}`);
  await client.query(`
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE TABLE moods (felt mood);
    INSERT INTO moods VALUES ('sad'), ('ok');
    CREATE TABLE parent (a int, b int, PRIMARY KEY (a, b));
    CREATE VIEW reciprocals AS SELECT 1 / a AS b FROM parent;
    CREATE TABLE child (x int, y int, FOREIGN KEY (x, y) REFERENCES parent (a, b))`);
  for (const flavor of FAMILY) {
    const server = await startMySql(flavor);
    family.set(flavor, server);
    await server.query(MYSQL_TABLES);
  }
});
afterAll(async () => {
  await service.stop();
  await database.stop();
  for (const server of family.values()) await server.stop();
  rmSync(files, { recursive: true });
});

async function writeFile(): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE facts (${TYPES})`);
  await connection.run(`INSERT INTO facts ${ROWS}`);
  await connection.run(`COPY facts TO '${join(files, "facts.parquet")}'`);
  connection.closeSync();
  instance.closeSync();
}

type Source = "postgres" | "local_file" | MySqlFlavor;
const SOURCES: readonly Source[] = ["postgres", "local_file", ...FAMILY];

const TABLES: Readonly<Record<string, object>> = {
  postgres: { schema: "public", table: "facts" },
  local_file: { table: "facts.parquet" },
  mysql: { table: "facts" },
  mariadb: { table: "facts" },
};

function facts(source: Source): Record<string, unknown> {
  const columns = Object.entries(COLUMNS).map(([name, type]) => ({ name, type }));
  // Plans alone are asked of other sources.
  return { name: "Facts", tableReference: TABLES[source] ?? { table: "facts" }, columns };
}

function connectionOf(source: Source): Record<string, unknown> {
  if (source === "local_file") return { url: "/", format: "parquet" };
  const { host, port, user, password, database: name } = family.get(source) ?? database;
  return { host, port, user, password, database: name, ...(source !== "postgres" && { sslMode: "DISABLED" }) };
}

interface Asked {
  readonly version?: "v2" | "v3";
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly connectionInfo?: Readonly<Record<string, unknown>>;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what is tested
  readonly json: any;
}

async function ask(source: Source, sql: string, asked: Asked = {}): Promise<Answered> {
  const {
    version = "v3",
    path = "/query",
    headers = {},
    connectionInfo = connectionOf(source),
    manifest = {},
    body = {},
  } = asked;
  const whole = { catalog: "c", schema: "s", models: [facts(source)], cubes: [NOTES], ...manifest };
  const manifestStr = Buffer.from(JSON.stringify(whole)).toString("base64");
  const response = await fetch(
    `${service.url}/${version}/connector/${source === "mariadb" ? "mysql" : source}${path}`,
    {
      method: "POST",
      headers,
      body: JSON.stringify({ sql, manifestStr, connectionInfo, ...body }),
    },
  );
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === "" ? undefined : JSON.parse(text),
  };
}

/** M1. */
const REFUSED_BY_FAMILY: ReadonlySet<string> = new Set(["R15", "R16"]);
const isOfFamily = (source: Source): boolean => source === "mysql" || source === "mariadb";

describe.each(Object.entries(ROW_CASES))("%s", (row, cases) => {
  const each = SOURCES.flatMap((source) => cases.map((one) => ({ source, ...one })));
  test.each(each)("$sql on $source", async ({ source, sql, data, headers }) => {
    const answer = await ask(source, sql, { headers: { ...headers } });
    if (isOfFamily(source) && REFUSED_BY_FAMILY.has(row)) {
      expect([answer.status, answer.json.metadata.reason]).toEqual([422, "UNSUPPORTED_ON_SOURCE"]);
      return;
    }
    expect(answer.text).toContain(`"data":${data}`);
    const columns = COLUMN_CASES[row];
    if (columns !== undefined) expect(answer.json.columns).toEqual(columns);
  });
});

/** Rows that are about types, and about what `*` stands for. */
const TYPE_CASES: Readonly<Record<string, (source: Source) => Promise<void>>> = {
  R23: async (source) => {
    const { json } = await ask(source, "SELECT avg(id) AS a, 1.0 / 3 AS b FROM Facts WHERE id < 3");
    const exact = {
      data: [["1.5", "0.33333333333333333333"]],
      dtypes: { a: "decimal128(38, 9)", b: "decimal128(38, 20)" },
    };
    const doubles = { data: [[1.5, 0.3333333333333333]], dtypes: { a: "double", b: "double" } };
    // M2.
    const shorter = {
      data: [["1.5", "0.33333333333333333"]],
      dtypes: { a: "decimal128(26, 16)", b: "decimal128(18, 17)" },
    };
    expect(json).toMatchObject({ postgres: exact, local_file: doubles, mysql: shorter, mariadb: shorter }[source]);
  },
  R24: async (source) => {
    const { json } = await ask(source, "SELECT CAST(0.1 AS FLOAT) AS a");
    expect(json).toMatchObject({ data: [[0.1]], dtypes: { a: "double" } });
  },
  R25: async (source) => {
    const calculated = { name: "twice", type: "INTEGER", isCalculated: true, expression: "id * 2" };
    const manifest = { models: [{ ...facts(source), columns: [{ name: "id", type: "INTEGER" }, calculated] }] };
    for (const [version, columns] of [
      ["v2", ["id"]],
      ["v3", ["id", "twice"]],
    ] as const) {
      for (const sql of [
        "SELECT * FROM Facts",
        "SELECT f.* FROM Facts f",
        "SELECT * FROM (SELECT * FROM Facts) AS s",
      ]) {
        expect((await ask(source, sql, { version, manifest })).json.columns).toEqual(columns);
      }
      const sql = "SELECT * FROM (SELECT twice FROM Facts) AS s WHERE twice = 2";
      expect((await ask(source, sql, { version, manifest })).json.data).toEqual([[2]]);
    }
  },
  R26: async (source) => {
    const half = { name: "half", type: "DOUBLE", isCalculated: true, expression: "id / 2" };
    const columns = [{ name: "id", type: "INTEGER" }, half];
    const ratio = { name: "ratio", type: "DOUBLE", expression: "max(id) / 2" };
    const cubes = [{ name: "Ratios", baseObject: "Facts", measures: [ratio] }];
    const manifest = { models: [{ ...facts(source), columns }], cubes };
    const ofColumn = await ask(source, "SELECT half FROM Facts WHERE id = 3", { manifest });
    expect(ofColumn.json).toMatchObject({ data: [[1.5]], dtypes: { half: "double" } });
    expect((await ask(source, "SELECT ratio FROM Ratios", { manifest })).json.data).toEqual([[1.5]]);
  },
  R27: async (source) => {
    const day = { name: "day", type: "DATE", isCalculated: true, expression: "DATE '2024-03-29' + id" };
    const columns = [{ name: "id", type: "INTEGER" }, day];
    const cube = {
      name: "Days",
      baseObject: "Facts",
      timeDimensions: [{ name: "day", type: "DATE", expression: "day" }],
      measures: [{ name: "n", type: "BIGINT", expression: "count(*)" }],
    };
    const manifest = { models: [{ ...facts(source), columns }], cubes: [cube] };
    for (const [end, n] of [
      ["2024-03-31", 2],
      ["2024-04-01 00:00:00", 2],
      ["2024-04-01", 3],
    ] as const) {
      const timeDimensions = [{ dimension: "day", dateRange: ["2024-01-01", end] }];
      const body = { sql: undefined, cube: { cube: "Days", measures: ["n"], timeDimensions } };
      expect((await ask(source, "", { path: "/cube", manifest, body })).json.data, end).toEqual([[n]]);
    }
  },
  R28: async (source) => {
    const [integer, decimal] = ["extract(dow FROM DATE '2024-05-06')", "YEAR(DATE '2024-05-06') / 10"];
    const { json } = await ask(source, `SELECT YEAR(DATE '2024-05-06') AS y, ${integer} AS w, ${decimal} AS d`);
    expect(json.data?.[0]?.slice(0, 2)).toEqual([2024, 1]);
    expect(Number(json.data?.[0]?.[2])).toBe(202.4);
    const integers = expect.stringMatching(/^u?int(8|16|32|64)$/);
    expect(json.dtypes).toMatchObject({ y: integers, w: integers });
  },
  R29: async (source) => {
    const sums = await ask(source, "SELECT note, sum(n) FROM Notes GROUP BY note ORDER BY note");
    expect(sums.json.data).toEqual([
      ["a", 1],
      ["c", 1],
      [null, 1],
    ]);
    const counted = await ask(source, "SELECT count(*) FROM Notes");
    expect([counted.status, counted.json.errorCode]).toEqual([422, "INVALID_SQL"]);
    expect(counted.text).toContain("count the groups");
  },
  R30: async (source) => {
    const columns = [
      { name: "a", type: "DOUBLE", expression: "id::double" },
      { name: "b", type: "VARCHAR", expression: "cast(note as string)" },
      { name: "c", type: "VARCHAR", expression: "nvl(note, 'x')" },
      { name: "id", type: "INTEGER" },
      { name: "note", type: "VARCHAR" },
    ];
    const manifest = { models: [{ ...facts(source), columns }] };
    const { json } = await ask(source, "SELECT a, b, c FROM Facts WHERE id < 3 ORDER BY id", { manifest });
    expect(json).toMatchObject({
      data: [
        [1, "a", "a"],
        [2, null, "x"],
      ],
      dtypes: { a: "double" },
    });
  },
};

describe.each(Object.entries(TYPE_CASES))("%s", (_row, check) => {
  test.each(SOURCES)("on %s", check);
});

const OWN_COLUMNS = [
  ["word", "VARCHAR"],
  ["at", "DATETIME"],
  ["seen", "TIMESTAMP"],
  ["share", "FLOAT"],
  ["doc", "JSON"],
].map(([name, type]) => ({ name, type }));
const OWN = {
  models: [
    { name: "Own", tableReference: { table: "own" }, columns: OWN_COLUMNS },
    { name: "Zero", tableReference: { table: "zero" }, columns: [{ name: "at", type: "DATE" }] },
  ],
};

/** Where MySQL and MariaDB answer otherwise than the other sources. */
const FAMILY_CASES: Readonly<Record<string, (source: Source) => Promise<void>>> = {
  M1: async () => {
    // Each is asked where its own row is.
    expect([...REFUSED_BY_FAMILY].filter((row) => ROW_CASES[row] === undefined)).toEqual([]);
  },
  M2: async (source) => {
    expect((await ask(source, "SELECT sum(id) / 7.0 AS a FROM Facts")).json.data).toEqual([["0.8571428571428571"]]);
  },
  M3: async (source) => {
    expect((await ask(source, "SELECT 1 / 0 AS a, 1 % 0 AS b")).json.data).toEqual([[null, null]]);
    expect((await ask("postgres", "SELECT 1 / 0 AS a")).status).toBe(422);
  },
  M4: async (source) => {
    const sql = "SELECT word FROM Own ORDER BY word";
    const usual = await ask(source, sql, { manifest: OWN });
    expect(usual.json.data).toEqual([["a"], ["B"]]);
    expect((await ask(source, sql, { manifest: OWN, path: "/explain" })).text).toContain("COLLATION_DEPENDENT");
    const strict = await ask(source, sql, { manifest: OWN, headers: { "x-strict": "true" } });
    expect(strict.json.data).toEqual([["B"], ["a"]]);
  },
  M5: async (source) => {
    const sql = "SELECT word FROM Own WHERE word IN ('b', 'a ', 'A') OR word = 'b'";
    expect((await ask(source, sql, { manifest: OWN })).json.data).toEqual([]);
  },
  M6: async (source) => {
    const { status, json } = await ask(source, "SELECT CAST(note AS INTEGER) AS a FROM Facts");
    expect([status, json.message]).toEqual([422, expect.stringMatching(/^A value cannot be read/)]);
  },
  M7: async (source) => {
    const { json } = await ask(source, "SELECT at, seen, share FROM Own WHERE word = 'B'", { manifest: OWN });
    expect(json.dtypes).toEqual({ at: "timestamp[us]", seen: "timestamp[us, tz=UTC]", share: "float" });
  },
  M8: async (source) => {
    const { status, json } = await ask(source, "SELECT at FROM Zero", { manifest: OWN });
    expect([status, json.message]).toEqual([422, expect.stringContaining("0000-00-00")]);
  },
  M9: async (source) => {
    const { status, json } = await ask(source, "SELECT doc FROM Own ORDER BY doc", { manifest: OWN });
    expect([status, json.metadata.reason]).toEqual([422, "UNSUPPORTED_ON_SOURCE"]);
  },
  M10: async (source) => {
    const on = (query: string): string =>
      `SELECT f.id, l.n FROM Facts f CROSS JOIN LATERAL (${query}) AS l WHERE f.id = 1`;
    expect((await ask(source, on("SELECT f.id + 1 AS n"))).json.data).toEqual([[1, 2]]);
    const sets = await ask(source, on("SELECT f.id AS n UNION SELECT f.id"));
    expect(sets.status).toBe(source === "mysql" ? 200 : 422);
  },
  M11: async (source) => {
    const sql = "SELECT EXTRACT(WEEK FROM DATE '2024-12-30') AS a, EXTRACT(WEEK FROM DATE '2021-01-03') AS b";
    for (const each of [source, "postgres"] as const) expect((await ask(each, sql)).json.data).toEqual([[1, 53]]);
  },
};

describe.each(Object.entries(FAMILY_CASES))("%s", (_row, check) => {
  if (FAMILY.length > 0) test.each(FAMILY)("on %s", check);
  else test.skip(withoutMySql("mysql"), () => {});
});

const ERROR_CASES: Readonly<Record<string, () => Promise<void>>> = {
  E1: async () => {
    for (const path of ["/query", "/query?limit=5"]) {
      const { status, json } = await ask("postgres", "SELEC 1", { path });
      expect([status, json.errorCode, json.phase]).toEqual([422, "INVALID_SQL", "SQL_PARSING"]);
      expect(json.metadata).toMatchObject({ position: { line: 1, column: 1 }, hint: "Did you mean SELECT?" });
    }
  },
  E2: async () => {
    for (const sql of [
      "SELECT 1; SELECT 2",
      "DELETE FROM Facts",
      "INSERT INTO Facts (id) VALUES (1)",
      "CREATE TABLE x AS SELECT 1",
    ]) {
      const { status, json } = await ask("postgres", sql);
      expect([status, json.errorCode, json.phase]).toEqual([422, "INVALID_SQL", "SQL_PARSING"]);
    }
  },
  E3: async () => {
    const { status, json } = await ask("postgres", "SELECT * FROM pg_tables");
    expect([status, json.metadata.reason]).toEqual([422, "MODEL_NOT_FOUND"]);
  },
  E4: async () => {
    const { status, headers } = await ask("postgres", "SELECT nosuch(id) AS a FROM Facts", { path: "/dry-plan" });
    expect([status, JSON.parse(headers.get("x-warnings") ?? "")]).toMatchObject([200, [{ code: "UNKNOWN_FUNCTION" }]]);
    for (const [source, call] of [
      ["clickhouse", "toStartOfHour(id)"],
      ["snowflake", "get_path(note, 'a')"],
    ] as const) {
      const listed = await ask(source as Source, `SELECT ${call} AS a FROM Facts`, { path: "/dry-plan" });
      expect([listed.status, listed.headers.get("x-warnings")]).toEqual([200, null]);
      const unknown = await ask(source as Source, "SELECT nosuch(id) AS a FROM Facts", { path: "/dry-plan" });
      expect([unknown.status, unknown.json.metadata.reason]).toEqual([422, "FUNCTION_NOT_FOUND"]);
    }
  },
  E5: async () => {
    const { status, text } = await ask("postgres", "SELECT 1", {
      connectionInfo: { host: "127.0.0.1", password: "hunter2" },
    });
    expect(status).toBe(422);
    for (const field of ["port", "database", "user"]) expect(text).toContain(`connectionInfo.${field}`);
    expect(text).not.toContain("hunter2");
  },
  E6: async () => {
    const { status, json } = await ask("postgres", "SELECT 1", { headers: { "x-wren-timezone": "Nope/Zone" } });
    expect([status, json.detail[0].loc]).toEqual([422, ["header", "x-wren-timezone"]]);
  },
  E7: async () => {
    const { status, json } = await ask("postgres", "SELECT 1", { headers: { "x-wren-db-statement_timeout": "abc" } });
    expect([status, json.detail[0].loc]).toEqual([422, ["header", "x-wren-db-statement_timeout"]]);
  },
  E8: async () => {
    const { status, json } = await ask("postgres", "SELECT 1", { path: "/query?limit=-1" });
    expect([status, json.detail[0].loc]).toEqual([422, ["query", "limit"]]);
  },
  E9: async () => {
    const model = facts("postgres");
    for (const manifest of [{ layoutVersion: 99 }, { models: [model, model] }]) {
      const { status, json } = await ask("postgres", "SELECT id FROM Facts", { manifest });
      expect([status, json.errorCode]).toEqual([422, "INVALID_MDL"]);
    }
  },
  E10: async () => {
    const wrong = { ...facts("postgres"), name: "Wrong", columns: [{ name: "a", type: 1 }] };
    const manifest = { models: [facts("postgres"), wrong] };
    expect((await ask("postgres", "SELECT id FROM Facts WHERE id = 1", { manifest })).json.data).toEqual([[1]]);
    expect((await ask("postgres", "SELECT a FROM Wrong", { manifest })).json.errorCode).toBe("INVALID_MDL");
  },
  E11: async () => {
    for (const call of ["pg_sleep(0)", "current_setting('port')", "read_text('x')"]) {
      for (const source of SOURCES) {
        const { status, json } = await ask(source, `SELECT ${call} AS a FROM Facts`);
        expect([status, json.metadata.reason]).toEqual([422, "FUNCTION_NOT_ALLOWED"]);
      }
    }
  },
  E12: async () => {
    const { status, json } = await ask("postgres", "SELECT note FROM Facts UNION ALL SELECT id FROM Facts");
    expect([status, json.metadata.reason]).toEqual([422, "TYPE_MISMATCH"]);
  },
  E13: async () => {
    const url = new URL(database.url);
    url.pathname += "/public";
    const { status, json } = await ask("postgres", "SELECT 1", { connectionInfo: { connectionUrl: url.href } });
    expect([status, json.errorCode, json.message]).toEqual([
      422,
      "GET_CONNECTION_ERROR",
      expect.stringContaining('/public" does not exist'),
    ]);
  },
  E14: async () => {
    const rowLevelAccessControl = [{ name: "own", requiredProperties: [], condition: "id = 1" }];
    const manifest = { models: [{ ...facts("postgres"), rowLevelAccessControl }] };
    const query = await ask("postgres", "SELECT id FROM Facts", { manifest });
    const path = "/validate/manifest_is_valid";
    const check = await ask("postgres", "", { manifest, path, body: { sql: undefined, parameters: {} } });
    expect([query.status, query.json.errorCode, check.status]).toEqual([422, "INVALID_MDL", 422]);
    expect(query.json.message).toContain('Did you mean "rowLevelAccessControls"');
  },
  E15: async () => {
    const columns = [
      { name: "id", type: "INTEGER" },
      { name: "note", type: "VARCHARX" },
    ];
    const manifest = { models: [{ ...facts("postgres"), columns, primarykey: "id" }], cubes: [] };
    const { status, headers } = await ask("postgres", "SELECT id FROM Facts", { manifest });
    expect([status, codesIn(headers)]).toEqual([200, ["UNKNOWN_MEMBER", "UNKNOWN_MEMBER"]]);
    const strict = await ask("postgres", "SELECT id FROM Facts", { manifest, headers: { "x-strict": "true" } });
    const path = "/validate/manifest_is_valid";
    const check = await ask("postgres", "", { manifest, path, body: { sql: undefined, parameters: {} } });
    expect([strict.status, check.status]).toEqual([422, 422]);
  },
  E16: async () => {
    const unknown = await ask("postgres", "SELECT 1", {
      connectionInfo: { ...connectionOf("postgres"), pasword: "x" },
    });
    expect([unknown.status, codesIn(unknown.headers)]).toEqual([200, ["UNKNOWN_OPTION"]]);
    for (const tls of [{ sslmode: "verify-full" }, { ssl_required: true }]) {
      const { status } = await ask("postgres", "SELECT 1", { connectionInfo: { ...connectionOf("postgres"), ...tls } });
      expect(status).toBe(422);
    }
  },
  E17: async () => {
    for (const [path, body] of [
      ["/query?limt=3", {}],
      ["/query", { limit: 3 }],
      ["/query", { sessionProperties: { nobody: "1" } }],
      ["/query", { columnDtypes: { nobody: "int64" } }],
    ] as const) {
      const { status, headers } = await ask("postgres", "SELECT id FROM Facts", { path, body });
      expect([path, status, codesIn(headers)]).toEqual([path, 200, ["UNKNOWN_OPTION"]]);
      const strict = { path, body, headers: { "x-strict": "true" } };
      expect((await ask("postgres", "SELECT id FROM Facts", strict)).status).toBe(422);
    }
  },
  E18: async () => {
    const changes = [
      { models: [{ ...facts("postgres"), columns: 5 }] },
      { models: [{ ...facts("postgres"), columns: [{ name: "id" }] }] },
      {
        models: [facts("postgres")],
        relationships: [{ name: "r", models: ["Facts", "Facts"], joinType: "X", condition: "1 = 1" }],
      },
    ];
    for (const manifest of changes) {
      const { status, json } = await ask("postgres", "SELECT 1", { manifest, path: "/dry-plan" });
      expect([status, json.errorCode]).toEqual([422, "INVALID_MDL"]);
    }
  },
  E19: async () => {
    writeFileSync(join(files, "codes.csv"), "id,code\n1,1.50\n2,1.5\n3,x\n");
    const over = (type: string) => ({
      connectionInfo: { url: "/", format: "csv" },
      manifest: {
        models: [
          {
            name: "Codes",
            tableReference: { table: "codes.csv" },
            columns: ["code", "more"].map((name) => ({ name, type })),
          },
        ],
        cubes: [],
      },
    });
    const { json } = await ask("local_file", "SELECT code FROM Codes ORDER BY code", over("VARCHAR"));
    expect(json.data).toEqual([["1.5"], ["1.50"], ["x"]]);
    const lacking = await ask("local_file", "SELECT code, more FROM Codes", over("VARCHAR"));
    expect([lacking.status, lacking.json.message]).toEqual([
      422,
      expect.stringMatching(/^The file "codes\.csv" has no column "more"/),
    ]);
    const wrong = await ask("local_file", "SELECT code FROM Codes", over("DOUBLE"));
    expect([wrong.status, wrong.json.message]).toEqual([
      422,
      expect.stringMatching(/^Line 4 of "codes\.csv": "x" in the column "code" is no DOUBLE\./),
    ]);
  },
  E20: async () => {
    const sql = (column: string) => `SELECT ${column} FROM Facts f JOIN Facts g ON f.id = g.big`;
    const asked = { path: "/dry-plan", manifest: { models: [facts("postgres")] } };
    for (const source of ["clickhouse" as Source, "postgres"] as const) {
      const { status, json } = await ask(source, sql("id"), asked);
      expect([status, json.metadata.reason]).toEqual([422, "AMBIGUOUS_COLUMN"]);
      expect((await ask(source, sql("f.id"), asked)).status).toBe(200);
    }
  },
  E21: async () => {
    const columns = [
      { name: "id", type: "INTEGER" },
      { name: "place", type: "STRUCT<a INTEGER>" },
    ];
    const manifest = { models: [{ ...facts("postgres"), columns }], cubes: [] };
    const asked = { manifest, path: "/dry-plan" };
    const { status, headers } = await ask("bigquery" as Source, "SELECT * FROM Facts", asked);
    expect([status, codesIn(headers)]).toEqual([200, ["COLUMN_LEFT_OUT"]]);
    const strict = await ask("bigquery" as Source, "SELECT * FROM Facts", {
      ...asked,
      headers: { "x-strict": "true" },
    });
    expect(strict.status).toBe(422);
  },
  E22: async () => {
    const hiding = async (value: unknown, path = "/dry-plan") => {
      const manifest = { models: [{ ...facts("postgres"), properties: { hidden: value } }] };
      const { status, json } = await ask("postgres", "SELECT id FROM Facts", { manifest, path });
      return [status, json?.errorCode];
    };
    expect(await hiding(true)).toEqual([422, "INVALID_MDL"]);
    expect((await hiding(false))[0]).toBe(200);
  },
  E23: async () => {
    const asked = async (sql: string, parameters: unknown) => {
      const { status, json } = await ask("postgres", sql, { body: { parameters } });
      return [status, json.data ?? json.metadata.reason];
    };
    const sql = "SELECT id FROM Facts WHERE note = $1 OR id = $2 ORDER BY id";
    expect(await asked(sql, ["a", 3])).toEqual([200, [[1], [3]]]);
    expect(await asked(sql, ["a"])).toEqual([422, "PARAMETER_INVALID"]);
    expect(await asked("SELECT id FROM Facts", [1])).toEqual([422, "PARAMETER_INVALID"]);
  },
};

function codesIn(headers: Headers): readonly string[] {
  const warnings = JSON.parse(headers.get("x-warnings") ?? "[]") as readonly { readonly code: string }[];
  return warnings.map(({ code }) => code);
}

describe("errors", () => {
  test.each(Object.entries(ERROR_CASES))("%s", (_row, check) => check());
});

const ORDERS = { name: "Orders", tableReference: { table: "orders" }, columns: [{ name: "id", type: "INTEGER" }] };
const SUBSTITUTED = '"c"."s"."Orders" AS "orders"';

/** `model-substitute` without a connection. */
function substitute(source: string, sql: string, models: readonly object[] = [ORDERS]): Promise<Answered> {
  const manifest = { models };
  return ask(source as Source, sql, { path: "/model-substitute", manifest, body: { connectionInfo: undefined } });
}

async function analysis(sql: string, init: { readonly version?: string } = {}): Promise<Answered["json"]> {
  const manifestStr = Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models: [ORDERS] })).toString("base64");
  const response = await fetch(`${service.url}/${init.version ?? "v2"}/analysis/sql`, {
    method: "POST",
    body: JSON.stringify({ sql, manifestStr }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

const OPERATION_CASES: Readonly<Record<string, () => Promise<void>>> = {
  O1: async () => {
    const sql = "SELECT id::text /* why */, now(), date_trunc('day', x) FROM orders AS o(id, x)";
    const { json } = await substitute("postgres", sql);
    expect(json).toBe(sql.replace("orders AS o", '"c"."s"."Orders" AS "o"'));
  },
  O2: async () => {
    const { status, json } = await substitute("postgres", "SELECT nosuch FROM orders");
    expect([status, json]).toEqual([200, `SELECT nosuch FROM ${SUBSTITUTED}`]);
    const checked = await ask("postgres", "SELECT nosuch FROM facts", {
      path: "/model-substitute",
      headers: { "x-user-schema": "public" },
    });
    expect([checked.status, checked.json.metadata.reason]).toEqual([422, "COLUMN_NOT_FOUND"]);
    const accepted = await ask("postgres", "SELECT id FROM public.facts;", { path: "/model-substitute" });
    expect([accepted.status, accepted.json]).toEqual([200, 'SELECT id FROM "c"."s"."Facts" AS "facts"']);
  },
  O3: async () => {
    const mysql = await substitute("mysql", 'SELECT `a`, "b" FROM `orders`');
    expect(mysql.json).toBe(`SELECT "a", 'b' FROM ${SUBSTITUTED}`);
    expect((await substitute("mssql", "SELECT [a] FROM [orders]")).json).toBe(`SELECT "a" FROM ${SUBSTITUTED}`);
  },
  O4: async () => {
    const other = { ...ORDERS, name: "Other", tableReference: { table: "ORDERS" } };
    expect((await substitute("postgres", "SELECT 1 FROM orders", [other, ORDERS])).json).toContain('"Orders"');
    expect((await substitute("postgres", "SELECT 1 FROM Orders", [other, ORDERS])).json.metadata.reason).toBe(
      "AMBIGUOUS_MODEL",
    );
  },
  O5: async () => {
    const model = { ...ORDERS, tableReference: { schema: "public", table: "orders" } };
    const sql = "SELECT public.orders.id FROM public.orders, generate_series(1, 2)";
    expect((await substitute("postgres", sql, [model])).json).toBe(
      `SELECT "orders".id FROM ${SUBSTITUTED}, generate_series(1, 2)`,
    );
  },
  O6: async () => {
    for (const sql of ["SELEC 1", "INSERT INTO orders VALUES (1)"]) {
      const { status, json } = await substitute("postgres", sql);
      expect([status, json.errorCode, json.phase]).toEqual([422, "INVALID_SQL", "SQL_SUBSTITUTE"]);
    }
  },
  O7: async () => {
    for (const source of ["canner", "local_file", "s3_file", "minio_file", "gcs_file"]) {
      expect((await substitute(source, "SELECT 1 FROM orders")).json).toBe(`SELECT 1 FROM ${SUBSTITUTED}`);
    }
  },
  O8: async () => {
    const relationship = (condition: string): object => ({
      models: ["Facts", "Again"].map((name) => ({ ...facts("postgres"), name })),
      relationships: [{ name: "r", models: ["Facts", "Again"], joinType: "MANY_TO_ONE", condition }],
    });
    // `note` is NULL once, which is no key.
    for (const condition of ['"Facts"."note" = Again.note', "Facts.id = Again.id AND Facts.note = Again.note"]) {
      const { status } = await ask("postgres", "", {
        path: "/validate/relationship_is_valid",
        manifest: { ...relationship(condition) },
        body: { parameters: { relationshipName: "r" } },
      });
      expect(status).toBe(204);
    }
  },
  O9: async () => {
    const [{ filter }] = await analysis("SELECT 1 FROM Orders WHERE a AND b AND c");
    expect(filter).toMatchObject({ left: { left: { node: "a" }, right: { node: "b" } }, right: { node: "c" } });
  },
  O10: async () => {
    for (const from of [
      "CROSS JOIN Orders b",
      "NATURAL JOIN Orders b",
      ", Orders b",
      ", unnest(x) u",
      ", (VALUES (1)) v",
    ]) {
      const [{ relation }] = await analysis(`SELECT 1 FROM Orders a ${from}`);
      expect(relation).toMatchObject({ left: { tableName: "Orders" }, right: { type: "TABLE" } });
    }
    expect(
      (await analysis("SELECT 1 UNION SELECT 2 ORDER BY 1")).map((each: { sortings: [] }) => each.sortings.length),
    ).toEqual([0, 1]);
  },
  O11: async () => {
    expect(await analysis("SELECT 1", { version: "v3" })).toHaveLength(1);
    expect((await ask("postgres", "SELECT id FROM Facts", { path: "/explain" })).json.reads).toMatchObject([
      { model: "Facts" },
    ]);
  },
  O12: async () => {
    const records = await described("v3", "functions");
    const named = (name: string): unknown[] => records.filter((each: { name: string }) => each.name === name);
    expect(records.every((each: { description: string }) => each.description.length > 0)).toBe(true);
    expect(named("div")).toEqual(await described("v3", "function/div"));
    expect(named("div")).toMatchObject([{ return_type: "Decimal(38, 10)", description: "trunc(x/y)" }]);
    expect(named("extract")).toMatchObject([{ param_types: "text,timestamp", return_type: "numeric" }]);
    expect(named("pg_sleep")).toEqual([]);
  },
  O13: async () => {
    for (const path of ["functions", "function/div", "knowledge"]) {
      expect(await described("v2", path)).toEqual(await described("v3", path));
    }
  },
  O14: async () => {
    const { text_to_sql_rule, instructions } = await described("v3", "knowledge");
    expect(text_to_sql_rule).toContain("WITH RECURSIVE");
    expect(Object.keys(instructions)).toEqual(
      expect.arrayContaining(["calculated_field", "calculated_field_instructions", "json_field_instructions"]),
    );
  },
  O15: async () => {
    const asked = async (value: string) => {
      const headers = { "x-wren-variable-nobody_reads": value };
      const { status, headers: answered } = await ask("postgres", "SELECT count(*) AS o15 FROM Facts", {
        path: "/query?cacheEnable=true",
        headers,
      });
      return [status, answered.get("x-cache-hit")];
    };
    expect(await asked("1")).toEqual([200, "false"]);
    await vi.waitFor(async () => expect(await asked("2")).toEqual([200, "true"]), { timeout: 20_000 });
  },
};

// biome-ignore lint/suspicious/noExplicitAny: JSON of several shapes, matched by the tests.
async function described(version: "v2" | "v3", path: string): Promise<any> {
  return (await fetch(`${service.url}/${version}/connector/postgres/${path}`)).json();
}

describe("other operations", () => {
  test.each(Object.entries(OPERATION_CASES))("%s", (_row, check) => check());
});

async function metadata(version: "v2" | "v3", kind: string): Promise<unknown> {
  const response = await fetch(`${service.url}/${version}/connector/postgres/metadata/${kind}`, {
    method: "POST",
    body: JSON.stringify({ connectionInfo: connectionOf("postgres") }),
  });
  return response.json();
}

const SPECIFICATION_CASES: Readonly<Record<string, () => Promise<void>>> = {
  S1: async () => {
    expect(await metadata("v2", "tables")).toMatchObject({ tables: expect.any(Array) });
    expect(await metadata("v3", "tables")).toEqual(expect.any(Array));
  },
  S2: async () => {
    const constraints = (await metadata("v3", "constraints")) as Record<string, string>[];
    expect(
      constraints.map((each) => [each["constraintType"], each["constraintColumn"], each["constraintedColumn"]]),
    ).toEqual([
      ["FOREIGN KEY", "x", "a"],
      ["FOREIGN KEY", "y", "b"],
    ]);
    const tables = (await metadata("v3", "tables")) as { name: string; primaryKey: string }[];
    expect(tables.find(({ name }) => name.endsWith("parent"))?.primaryKey).toBe("a,b");
  },
  S3: async () => {
    const path = "/query?is_fallback=true";
    const answer = await ask("postgres", "SELECT 1 AS a", { path, headers: { "x-wren-fallback_disable": "false" } });
    expect(answer.json.data).toEqual([[1]]);
  },
  S4: async () => {
    const { status, json } = await ask("postgres", "SELECT 1", {
      body: { connectionInfo: undefined, connectionFilePath: "shop.json" },
    });
    expect([status, json.errorCode]).toEqual([422, "INVALID_CONNECTION_INFO"]);
  },
  S5: async () => {
    const response = await fetch(`${service.url}/config`, { method: "PATCH", body: "{}" });
    expect(response.status).toBe(405);
  },
  S6: async () => {
    const connectionInfo = { connectionUrl: "awsathena://key:hunter2@athena.eu-west-1.amazonaws.com/default" };
    for (const source of ["athena", "databricks", "redshift", "spark"]) {
      const { status, text } = await ask(source as Source, "SELECT 1", { connectionInfo });
      expect(status).toBe(422);
      expect(text).toContain("connectionInfo.");
      expect(text).not.toContain("hunter2");
    }
  },
  S7: async () => {
    const connectionInfo = {
      serverHostname: "dbc-1.cloud.databricks.com",
      httpPath: "/sql/protocolv1/o/1/0123-456789-abc",
      accessToken: "hunter2",
    };
    const { status, text } = await ask("databricks" as Source, "SELECT 1", { connectionInfo });
    expect(status).toBe(422);
    expect(text).toContain("/sql/1.0/warehouses/");
    expect(text).not.toContain("hunter2");
  },
  S8: async () => {
    const server = { host: "127.0.0.1", port: 1, database: "d", user: "u" };
    const athena = await ask("athena" as Source, "SELECT 1", { connectionInfo: { s3_staging_dir: "s3://bucket/" } });
    const oracle = await ask("oracle" as Source, "SELECT 1", { connectionInfo: server });
    const redshift = await ask("redshift" as Source, "SELECT 1", { connectionInfo: server });
    expect([athena.status, oracle.status, redshift.status]).toEqual([422, 422, 422]);
    expect(athena.text).not.toContain("region_name");
    expect(oracle.json.message).toContain("has no password");
    expect(redshift.text).toContain("connectionInfo.password");
  },
  S9: async () => {
    const tables = (await metadata("v3", "tables")) as { name: string; columns: { type: string }[] }[];
    const columns = tables.find(({ name }) => name.endsWith("moods"))?.columns ?? [];
    expect(columns.map(({ type }) => type)).toEqual(["ENUM"]);
    const moods = { name: "Moods", tableReference: { table: "moods" }, columns: [{ name: "felt", type: "ENUM" }] };
    const { json } = await ask("postgres", "SELECT felt, upper(felt) FROM Moods WHERE felt <> 'none' ORDER BY felt", {
      manifest: { models: [moods] },
    });
    expect(json.data).toEqual([
      ["ok", "OK"],
      ["sad", "SAD"],
    ]);
  },
  S10: async () => {
    const columns = ["a", "b"].map((name) => ({ name, type: "INTEGER" }));
    const parent = { name: "Parent", tableReference: { table: "parent" }, primaryKey: "a,b", columns };
    const { status } = await ask("postgres", "SELECT a, b FROM Parent", { manifest: { models: [parent] } });
    expect(status).toBe(200);
  },
  S11: async () => {
    const columns = [{ name: "id", type: "INTEGER" }];
    const rule = { name: "own", requiredProperties: [], condition: "id = 1" };
    const models = [
      { name: "Free", tableReference: { table: "facts" }, columns },
      { name: "Ruled", tableReference: { table: "facts" }, columns, rowLevelAccessControls: [rule] },
    ];
    for (const [sql, guarantee] of [
      ["SELECT id FROM Free", "none"],
      ["SELECT id FROM Ruled", "plain"],
      ["SELECT 1 / id AS a FROM Ruled", "fenced"],
    ] as const) {
      const { status, headers } = await ask("postgres", sql, { manifest: { models } });
      expect([status, headers.get("x-row-rules")]).toEqual([200, guarantee]);
    }
    const config = await (await fetch(`${service.url}/config`)).json();
    expect(config).toMatchObject({
      row_rules: { postgres: ["plain", "fenced"], mysql: ["fenced"], snowflake: ["plain"], athena: [] },
    });
  },
  S12: async () => {
    const tables = (await metadata("v3", "tables")) as readonly {
      readonly name: string;
      readonly readMayFail?: true;
    }[];
    expect(tables.filter(({ readMayFail }) => readMayFail === true).map(({ name }) => name)).toEqual([
      "public.reciprocals",
    ]);
    expect(tables.filter((table) => "readMayFail" in table)).toHaveLength(1);
  },
};

describe("the specification", () => {
  test.each(Object.entries(SPECIFICATION_CASES))("%s", (_row, check) => check());
});

test("the page and this file have the same rows", () => {
  const numbers = [...PAGE.matchAll(/^\| ([RMEOS]\d+) \|/gm)].map(([, number]) => number);
  expect(numbers).toEqual(
    [ROW_CASES, TYPE_CASES, FAMILY_CASES, ERROR_CASES, OPERATION_CASES, SPECIFICATION_CASES].flatMap(Object.keys),
  );
});
