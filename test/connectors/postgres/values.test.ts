import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { depthOfArray } from "../../../src/connectors/postgres/arrays.ts";
import type { LogicalType, Value } from "../../../src/result/types.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { openFromNode, type PostgresFixture, startPostgresFixture } from "./fixture.ts";

let fixture: PostgresFixture;
let connector: Connector;

beforeAll(async () => {
  fixture = await startPostgresFixture();
  await fixture.observer.query(`
    CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
    CREATE TYPE pair AS (a integer, b text);
    CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
    CREATE DOMAIN price AS numeric(10, 2);
    CREATE TYPE floats AS RANGE (subtype = float8);`);
  connector = await fixture.open();
});
afterAll(async () => {
  await connector?.close();
  await fixture?.close();
});

async function evaluate(expression: string): Promise<{ type: LogicalType | undefined; value: Value | undefined }> {
  const result = await connector.query(plain(`SELECT ${expression}`), patient());
  const [row] = await drain(result);
  return { type: result.columns[0]?.type, value: row?.[0] };
}

const micros = (iso: string): bigint => BigInt(Date.parse(iso)) * 1000n;
const day = (iso: string): number => Date.parse(iso) / 86_400_000;
const kind = (
  name: "int64" | "string" | "float64" | "decimal" | "date" | "json" | "uuid" | "binary" | "interval",
): LogicalType => ({
  kind: name,
});
const NAIVE: LogicalType = { kind: "timestamp", unit: "us", zone: undefined };
const ZONED: LogicalType = { kind: "timestamp", unit: "us", zone: "UTC" };
const TIME: LogicalType = { kind: "time", unit: "ns" };
const list = (element: LogicalType): LogicalType => ({ kind: "list", element });

describe("every type, exactly", () => {
  it.each<[string, LogicalType, Value]>([
    ["true", { kind: "boolean" }, true],
    ["false", { kind: "boolean" }, false],
    ["(-32768)::int2", { kind: "int16" }, -32768],
    ["2147483647", { kind: "int32" }, 2147483647],
    ["9223372036854775807", kind("int64"), 9223372036854775807n],
    ["(-9223372036854775808)::int8", kind("int64"), -9223372036854775808n],
    ["4294967295::oid", kind("int64"), 4294967295n],
    ["1.1::real", { kind: "float32" }, 1.100000023841858],
    ["3.4028235e38::real", { kind: "float32" }, 3.4028234663852886e38],
    ["'NaN'::real", { kind: "float32" }, Number.NaN],
    ["0.1::float8 + 0.2::float8", kind("float64"), 0.30000000000000004],
    ["2.2250738585072014e-308::float8", kind("float64"), 2.2250738585072014e-308],
    ["'NaN'::float8", kind("float64"), Number.NaN],
    ["'Infinity'::float8", kind("float64"), Number.POSITIVE_INFINITY],
    ["'-Infinity'::float8", kind("float64"), Number.NEGATIVE_INFINITY],
    ["'-0'::float8", kind("float64"), -0],
    ["12.50", kind("decimal"), "12.50"],
    ["12.5::numeric(12, 4)", { kind: "decimal", precision: 12, scale: 4 }, "12.5000"],
    ["1::numeric(1000, 500)", { kind: "decimal", precision: 1000, scale: 500 }, `1.${"0".repeat(500)}`],
    ["12345::numeric(3, -2)", { kind: "decimal", precision: 5, scale: 0 }, "12300"],
    ["0.00012::numeric(2, 5)", { kind: "decimal", precision: 5, scale: 5 }, "0.00012"],
    ["123456789012345678901234567890.123456789", kind("decimal"), "123456789012345678901234567890.123456789"],
    ["1e-20::numeric", kind("decimal"), "0.00000000000000000001"],
    ["'NaN'::numeric", kind("decimal"), "NaN"],
    ["'Infinity'::numeric", kind("decimal"), "Infinity"],
    ["'-Infinity'::numeric", kind("decimal"), "-Infinity"],
    ["1.5::price", { kind: "decimal", precision: 10, scale: 2 }, "1.50"],
    ["'$1,234.56'::money", { kind: "decimal", precision: 19, scale: 2 }, "1234.56"],
    ["'-92233720368547758.08'::money", { kind: "decimal", precision: 19, scale: 2 }, "-92233720368547758.08"],
    ["''", kind("string"), ""],
    ["E'tab\\t quote'' back\\\\ 𝒳 é'", kind("string"), "tab\t quote' back\\ 𝒳 é"],
    ["'abc'::varchar(10)", kind("string"), "abc"],
    ["'abc'::char(5)", kind("string"), "abc  "],
    [`'x'::"char"`, kind("string"), "x"],
    ["'some_name'::name", kind("string"), "some_name"],
    ["'<a>1</a>'::xml", kind("string"), "<a>1</a>"],
    ["B'0101'", kind("string"), "0101"],
    ["'0101'::varbit(8)", kind("string"), "0101"],
    ['\'{"b": 1,  "a": [1.10]}\'::json', kind("json"), '{"b": 1,  "a": [1.10]}'],
    ['\'{"b": 1, "a": [1.10]}\'::jsonb', kind("json"), '{"a": [1.10], "b": 1}'],
    ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid", kind("uuid"), "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    ["'abc'::bytea", kind("binary"), new Uint8Array([0x61, 0x62, 0x63])],
    ["decode('00ff7f80', 'hex')", kind("binary"), new Uint8Array([0, 255, 127, 128])],
    ["''::bytea", kind("binary"), new Uint8Array()],
    ["date '1996-01-02'", kind("date"), day("1996-01-02")],
    ["date '1969-12-31'", kind("date"), -1],
    ["date '1900-02-28' + 1", kind("date"), day("1900-03-01")],
    ["date '2000-02-29'", kind("date"), day("2000-02-29")],
    ["date '0001-01-01'", kind("date"), day("0001-01-01")],
    ["date '0001-12-31 BC'", kind("date"), day("0000-12-31")],
    ["date '4713-01-01 BC'", kind("date"), day("-004712-01-01")],
    ["date '5874897-12-31'", kind("date"), 2145042905],
    ["date 'infinity'", kind("date"), Number.POSITIVE_INFINITY],
    ["date '-infinity'", kind("date"), Number.NEGATIVE_INFINITY],
    ["date '01/02/2024'", kind("date"), day("2024-01-02")],
    ["time '12:34:56'", TIME, 45_296_000_000_000],
    ["time '01:02:03.000004'", TIME, 3_723_000_004_000],
    ["time '24:00'", TIME, 86_400_000_000_000],
    ["timetz '12:34:56.5-04:30'", kind("string"), "12:34:56.5-04:30"],
    ["timestamp '2024-01-01 23:59:59'", NAIVE, micros("2024-01-01T23:59:59Z")],
    ["timestamp '2024-01-01 23:59:59.1'", NAIVE, micros("2024-01-01T23:59:59Z") + 100_000n],
    ["timestamp '1969-12-31 23:59:59.999999'", NAIVE, -1n],
    ["timestamp '0044-03-15 12:00:00.000001 BC'", NAIVE, micros("-000043-03-15T12:00:00Z") + 1n],
    ["timestamp '294276-12-31 23:59:59.999999'", NAIVE, 9224318015999999999n],
    ["timestamp '2255-06-05 23:47:34.740993'", NAIVE, 9007199254740993n],
    ["timestamp '1684-07-28 00:12:25.259007'", NAIVE, -9007199254740993n],
    ["timestamp '1684-07-28 00:12:25.259009'", NAIVE, -9007199254740991n],
    ["timestamp 'infinity'", NAIVE, "infinity"],
    ["timestamp '-infinity'", NAIVE, "-infinity"],
    ["timestamptz '2024-07-01 19:59:59 America/New_York'", ZONED, micros("2024-07-01T23:59:59Z")],
    ["timestamptz '2024-07-01 19:59:59'", ZONED, micros("2024-07-01T19:59:59Z")],
    ["timestamptz '0044-03-15 12:00:00+00 BC'", ZONED, micros("-000043-03-15T12:00:00Z")],
    ["timestamptz '-infinity'", ZONED, "-infinity"],
    ["interval '0'", kind("interval"), { months: 0, days: 0, microseconds: 0n }],
    [
      "interval '1 year 2 months 3 days 04:05:06.789'",
      kind("interval"),
      { months: 14, days: 3, microseconds: 14_706_789_000n },
    ],
    [
      "interval '-1 year -2 months +3 days -04:05:06.000001'",
      kind("interval"),
      { months: -14, days: 3, microseconds: -14_706_000_001n },
    ],
    ["interval '1 month -1 day'", kind("interval"), { months: 1, days: -1, microseconds: 0n }],
    ["interval '-1 day +02:03:00'", kind("interval"), { months: 0, days: -1, microseconds: 7_380_000_000n }],
    ["interval '2000000 hours'", kind("interval"), { months: 0, days: 0, microseconds: 7_200_000_000_000_000n }],
    ["interval '178000000 years'", kind("interval"), { months: 2_136_000_000, days: 0, microseconds: 0n }],
    ["'192.168.1.5/24'::inet", kind("string"), "192.168.1.5/24"],
    ["'10.0.0.0/8'::cidr", kind("string"), "10.0.0.0/8"],
    ["'08:00:2b:01:02:03'::macaddr", kind("string"), "08:00:2b:01:02:03"],
    ["point(1.5, 2)", kind("string"), "(1.5,2)"],
    ["box '((1,1),(0,0))'", kind("string"), "(1,1),(0,0)"],
    ["int4range(1, 5)", kind("string"), "[1,5)"],
    ["'{[1,3), [5,7)}'::int4multirange", kind("string"), "{[1,3),[5,7)}"],
    ["'[1.5,2]'::floats", kind("string"), "[1.5,2]"],
    ["'happy'::mood", kind("string"), "happy"],
    ["ROW(1, 'a b')::pair", kind("string"), '(1,"a b")'],
    ["ROW(1, NULL)", kind("string"), "(1,)"],
    ["5::positive", { kind: "int32" }, 5],
    ["to_tsvector('simple', 'a b')", kind("string"), "'a':1 'b':2"],
    ["pg_typeof(1)", kind("string"), "integer"],
    ["NULL", kind("string"), null],
    ["NULL::int8", kind("int64"), null],
  ])("%s", async (expression, type, value) => {
    expect(await evaluate(expression)).toEqual({ type, value });
  });

  it("agrees with the server's own arithmetic on 4,000 days of every era", async () => {
    const days = `SELECT d, d - date '1970-01-01', (d + time '13:14:15.000016'),
        (extract(epoch FROM (d + time '13:14:15.000016')) * 1000000)::numeric(30, 0)::text
      FROM (SELECT date '4713-01-01 BC' + i * 26000 + i % 397 AS d FROM generate_series(0, 3999) AS s(i)) AS t`;
    const rows = await drain(await connector.query(plain(days), patient()));
    expect(rows).toHaveLength(4000);
    for (const [date, expected, timestamp, microseconds] of rows) {
      expect([date, String(timestamp)]).toEqual([expected, microseconds]);
    }
  });

  it("refuses what has no canonical form, naming the column and not the value", async () => {
    const own = await fixture.open();
    const failure = await failureOf(
      own.query(plain(`SELECT interval 'infinity' AS "how long"`), patient()).then(drain),
    );
    expect(failure.reason).toBe("SOURCE_ERROR");
    expect(failure.message).toBe(
      'Column "how long" holds a value that cannot be represented: an interval without end.',
    );
    expect(failure.hint).toContain("text");
    await own.close();
  });

  it("reads money as text where its locale says neither comma nor point", async () => {
    const own = await openFromNode({ connectionUrl: fixture.database.url });
    const settings = [{ name: "lc_monetary", value: "" }];
    const result = await own.query({ ...plain("SELECT 1234.5::money"), session: settings }, patient());
    expect(result.columns[0]?.type).toEqual({ kind: "string" });
    expect(await drain(result)).toEqual([["$1,234.50"]]);
    await own.close();
  });
});

describe("arrays", () => {
  const int = { kind: "int32" } as const;
  it.each<[string, LogicalType, Value]>([
    ["ARRAY[1, 2, NULL]", list(int), [1, 2, null]],
    ["'{}'::int[]", list(int), []],
    ["NULL::int[]", list(int), null],
    [
      "ARRAY[[1, 2], [3, NULL]]",
      list(list(int)),
      [
        [1, 2],
        [3, null],
      ],
    ],
    [
      "ARRAY[[[1], [2]], [[3], [4]]]",
      list(list(list(int))),
      [
        [[1], [2]],
        [[3], [4]],
      ],
    ],
    ["'[0:1]={7,8}'::int[]", list(int), [7, 8]],
    [
      "'[-1:0][2:3]={{1,2},{3,4}}'::int[]",
      list(list(int)),
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["ARRAY[9007199254740993]", list(kind("int64")), [9007199254740993n]],
    ["ARRAY[true, false, NULL]", list({ kind: "boolean" }), [true, false, null]],
    ["ARRAY[1.10, 'NaN'::numeric]", list(kind("decimal")), ["1.10", "NaN"]],
    ["ARRAY[1.1, 2]::numeric(5, 2)[]", list({ kind: "decimal", precision: 5, scale: 2 }), ["1.10", "2.00"]],
    ["ARRAY['NaN', 1.5]::float8[]", list(kind("float64")), [Number.NaN, 1.5]],
    [
      `ARRAY['', 'NULL', NULL, 'a,b', 'say "hi"', E'back\\\\slash', '{x}', ' lead', 'é𝒳', E'line\\nend']`,
      list(kind("string")),
      ["", "NULL", null, "a,b", 'say "hi"', "back\\slash", "{x}", " lead", "é𝒳", "line\nend"],
    ],
    ["ARRAY['ab']::char(3)[]", list(kind("string")), ["ab "]],
    ["ARRAY[date '2024-01-01', 'infinity']", list(kind("date")), [day("2024-01-01"), Number.POSITIVE_INFINITY]],
    ["ARRAY[timestamp '2024-01-01 00:00']", list(NAIVE), [micros("2024-01-01T00:00:00Z")]],
    ["ARRAY[timestamptz '2024-01-01 00:00+02']", list(ZONED), [micros("2023-12-31T22:00:00Z")]],
    ["ARRAY[time '01:00']", list(TIME), [3_600_000_000_000]],
    ["ARRAY[interval '1 day']", list(kind("interval")), [{ months: 0, days: 1, microseconds: 0n }]],
    ["ARRAY['\\x6162'::bytea]", list(kind("binary")), [new Uint8Array([0x61, 0x62])]],
    [
      "ARRAY['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid]",
      list(kind("uuid")),
      ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    ],
    ['ARRAY[\'{"a": [1, "x"]}\'::jsonb]', list(kind("json")), ['{"a": [1, "x"]}']],
    ["ARRAY['$1.50'::money]", list({ kind: "decimal", precision: 19, scale: 2 }), ["1.50"]],
    ["ARRAY['10.0.0.1'::inet]", list(kind("string")), ["10.0.0.1"]],
    ["ARRAY[int4range(1, 5), NULL]", list(kind("string")), ["[1,5)", null]],
    // Types made by users have numbers that we do not know: their arrays are text too.
    ["ARRAY['sad', 'ok']::mood[]", kind("string"), "{sad,ok}"],
    ["ARRAY[box '((1,1),(0,0))']", kind("string"), "{(1,1),(0,0)}"],
  ])("%s", async (expression, type, value) => {
    expect(await evaluate(expression)).toEqual({ type, value });
  });

  it("takes the number of dimensions from the first rows that have any", async () => {
    const values = "VALUES (1, NULL::int[]), (2, '{}'), (3, ARRAY[[1, 2], [3, 4]])";
    const result = await connector.query(plain(`SELECT a FROM (${values}) AS t(i, a) ORDER BY i`), patient());
    expect(result.columns[0]?.type).toEqual(list(list({ kind: "int32" })));
    expect(await drain(result)).toEqual([
      [null],
      [[]],
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ]);
  });

  it("refuses a column that mixes them", async () => {
    const own = await fixture.open();
    const mixed = "SELECT a FROM (VALUES (ARRAY[1]), (ARRAY[[1, 2]])) AS t(a)";
    const failure = await failureOf(own.query(plain(mixed), patient()).then(drain));
    expect(failure.reason).toBe("SOURCE_ERROR");
    expect(failure.message).toContain("different numbers of dimensions");
    await own.close();
  });

  it("of an empty result are lists", async () => {
    const result = await connector.query(plain("SELECT ARRAY[1] AS a WHERE false"), patient());
    expect(result.columns).toEqual([{ name: "a", type: list({ kind: "int32" }) }]);
    expect(await drain(result)).toEqual([]);
  });

  it.each([
    ["{}", 1],
    ["{1}", 1],
    ["{{1}}", 2],
    ['{"{{"}', 1],
    ["[0:0][0:0]={{1}}", 2],
  ])("depth of %s", (text, depth) => {
    expect(depthOfArray(text)).toBe(depth);
  });
});

describe("the session that values and meaning rely on", () => {
  it.each([
    ["TimeZone", "UTC"],
    ["DateStyle", "ISO, MDY"],
    ["IntervalStyle", "postgres"],
    ["bytea_output", "hex"],
    ["extra_float_digits", "3"],
    ["standard_conforming_strings", "on"],
    ["transform_null_equals", "off"],
    ["transaction_read_only", "on"],
    ["client_encoding", "UTF8"],
    ["statement_timeout", "1min"],
    ["application_name", "siskin"],
  ])("%s is %s, whatever the database says", async (name, value) => {
    expect((await evaluate(`current_setting('${name}')`)).value).toBe(value);
  });

  it.each([
    ["interval '1 day'::text", "1 day"],
    ["(1.0::float8 / 3)::text", "0.3333333333333333"],
    ["'abc'::bytea::text", "\\x616263"],
    ["(timestamptz '2024-07-01 12:00+00')::text", "2024-07-01 12:00:00+00"],
    ["'a\\b'", "a\\b"],
    ["(NULL = NULL) IS NULL", true],
  ])("%s", async (expression, value) => {
    expect((await evaluate(expression)).value).toBe(value);
  });

  it("applies the plan's settings, and the connection's below them", async () => {
    const options = "-c search_path=pg_catalog -c work_mem=8MB";
    const own = await openFromNode({
      connectionUrl: fixture.database.url,
      kwargs: { options, application_name: "report" },
    });
    const session = [
      { name: "work_mem", value: "16MB" },
      { name: "timezone", value: "Europe/Paris" },
    ];
    const ask =
      "SELECT current_setting('search_path'), current_setting('work_mem'), current_setting('TimeZone'), current_setting('application_name')";
    expect(await drain(await own.query({ ...plain(ask), session }, patient()))).toEqual([
      ["pg_catalog", "16MB", "Europe/Paris", "report"],
    ]);
    await own.close();
  });

  it("leaves nothing behind for the next transaction of the same server connection", async () => {
    const own = await fixture.open();
    const session = [{ name: "app.secret", value: "x" }];
    await drain(await own.query({ ...plain("SELECT 1"), session }, patient()));
    expect(await drain(await own.query(plain("SELECT current_setting('app.secret', true)"), patient()))).toEqual([
      [""],
    ]);
    await own.close();
  });

  it("keeps a caller's own statement_timeout", async () => {
    const kwargs = { options: "-c statement_timeout=7s" };
    const own = await openFromNode({ connectionUrl: fixture.database.url, kwargs });
    expect(await drain(await own.query(plain("SHOW statement_timeout"), patient()))).toEqual([["7s"]]);
    await own.close();
  });

  it.each([
    ["-c search_path=pg_catalog -c role=nobody_there", "role"],
    ["-c statement_timeout=soon", "statement_timeout"],
  ])("tells that %s is the connection's fault", async (options) => {
    const own = await openFromNode({ connectionUrl: fixture.database.url, kwargs: { options } });
    const failure = await failureOf(own.query(plain("SELECT 1"), patient()).then(drain));
    expect(failure.reason).toBe("INVALID_CONNECTION");
    expect(failure.position).toBeUndefined();
    await own.close();
  });
});
