/** Values of every type, as Oracle's driver reads them from the bytes of a FAKE database (`test/support/tns-server.ts`). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector, Statement } from "../../../src/connectors/connector.ts";
import type { LogicalType, Value } from "../../../src/result/types.ts";
import { drain, failureOf, patient, plain } from "../../connectors/contract.ts";
import {
  clr,
  type FakeColumn,
  hex,
  long,
  moment,
  NULL,
  NULL_LONG,
  national,
  number,
  text,
  u8,
  u32,
  ub,
} from "../../support/tns-messages.ts";
import { type FakeOracle, startFakeOracle } from "../../support/tns-server.ts";
import { connectionTo, open } from "./fixture.ts";

type Column = Omit<FakeColumn, "name">;

const NUMBER = (precision: number, scale: number): Column => ({ type: 2, precision, scale });
const BARE = NUMBER(0, -127);
const VARCHAR: Column = { type: 1, form: 1, size: 4000 };
const NVARCHAR: Column = { type: 1, form: 2, size: 4000 };
const DATE: Column = { type: 12, size: 7 };
const TIMESTAMP: Column = { type: 180, scale: 9, size: 11 };
const TIMESTAMP_TZ: Column = { type: 181, scale: 9, size: 13 };
const TIMESTAMP_LTZ: Column = { type: 231, scale: 9, size: 11 };
const [CLOB, NCLOB, BLOB, JSON_TYPE] = [112, 112, 113, 119].map((type, at) => ({
  type,
  form: [1, 2, 0, 0][at] ?? 0,
  size: 4000,
})) as [Column, Column, Column, Column];

const decimal = (precision: number, scale: number): LogicalType => ({ kind: "decimal", precision, scale });
const [INT32, INT64, STRING, BINARY, INTERVAL] = (["int32", "int64", "string", "binary", "interval"] as const).map(
  (kind) => ({ kind }),
) as [LogicalType, LogicalType, LogicalType, LogicalType, LogicalType];
const AT = (unit: "s" | "ns", zone?: string): LogicalType => ({ kind: "timestamp", unit, zone });
const nanoseconds = (iso: string, more = 0): bigint => BigInt(Date.parse(iso)) * 1_000_000n + BigInt(more);

/** IEEE's bits, with the sign's inverted, and all of them below 0: so bytes are in the numbers' order. */
function binary(bytes: Buffer): Buffer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return clr(Buffer.from(bytes.map((byte, at) => (isNegative ? byte ^ 0xff : at === 0 ? byte | 0x80 : byte))));
}
const float = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return binary(bytes);
};
const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return binary(bytes);
};
const MIDDLE = 0x80000000;
const yearsAndMonths = (years: number, months: number): Buffer =>
  clr(Buffer.concat([u32(MIDDLE + years), u8(months + 60)]));
const daysAndTime = (days: number, hours: number, minutes: number, seconds: number, fraction: number): Buffer =>
  clr(Buffer.concat([u32(MIDDLE + days), u8(hours + 60, minutes + 60, seconds + 60), u32(MIDDLE + fraction)]));
/** A row's place: object, file, block, row. */
const rowId = Buffer.concat([u8(1), ub(71_341), ub(4), u8(0), ub(171), ub(2)]);

const A_MILLION = "x".repeat(1_000_000);
const BYTES = hex("00 ff 7f 80");

const CASES: readonly (readonly [name: string, column: Column, sent: Buffer, type: LogicalType, value: Value])[] = [
  ["NUMBER(9)", NUMBER(9, 0), number("-999999999"), INT32, -999_999_999],
  ["NUMBER(10)", NUMBER(10, 0), number("1234567890"), INT64, 1_234_567_890n],
  ["NUMBER(18)", NUMBER(18, 0), number("-999999999999999999"), INT64, -999_999_999_999_999_999n],
  ["INTEGER", NUMBER(38, 0), number("9223372036854775807"), INT64, 9_223_372_036_854_775_807n],
  ["NUMBER(5, -2)", NUMBER(5, -2), number("1234500"), INT32, 1_234_500],
  ["NUMBER(10, 2)", NUMBER(10, 2), number("12345678.12"), decimal(10, 2), "12345678.12"],
  ["NUMBER(10, 2) of one", NUMBER(10, 2), number("1"), decimal(10, 2), "1.00"],
  ["NUMBER(10, 2) of less", NUMBER(10, 2), number("-0.5"), decimal(10, 2), "-0.50"],
  ["NUMBER(38, 9)", NUMBER(38, 9), number("0.000000001"), decimal(38, 9), "0.000000001"],
  ["NUMBER(2, 5)", NUMBER(2, 5), number("0.00099"), decimal(5, 5), "0.00099"],
  [
    "NUMBER(38, 2)",
    NUMBER(38, 2),
    number("123456789012345678901234567890123456.78"),
    decimal(38, 2),
    "123456789012345678901234567890123456.78",
  ],
  ["NUMBER", BARE, number("0.1"), { kind: "decimal" }, "0.1"],
  ["NUMBER of zero", BARE, number("0"), { kind: "decimal" }, "0"],
  ["NUMBER of a hundred", BARE, number("-100"), { kind: "decimal" }, "-100"],
  ["NUMBER of 40 digits", BARE, number(`1${"0".repeat(39)}`), { kind: "decimal" }, `1${"0".repeat(39)}`],
  ["FLOAT(126)", NUMBER(126, -127), number("2.5"), { kind: "decimal" }, "2.5"],
  ["BINARY_FLOAT", { type: 100, size: 4 }, float(0.1), { kind: "float32" }, Math.fround(0.1)],
  ["BINARY_DOUBLE", { type: 101, size: 8 }, double(-0.1), { kind: "float64" }, -0.1],
  ["BINARY_DOUBLE, infinite", { type: 101, size: 8 }, double(-1 / 0), { kind: "float64" }, Number.NEGATIVE_INFINITY],
  ["BINARY_DOUBLE, no number", { type: 101, size: 8 }, double(Number.NaN), { kind: "float64" }, Number.NaN],
  ["BOOLEAN", { type: 252, size: 4 }, clr(hex("01 01")), { kind: "boolean" }, true],
  ["BOOLEAN, false", { type: 252, size: 4 }, clr(hex("00")), { kind: "boolean" }, false],
  ["VARCHAR2", VARCHAR, text("Köln 真 𝒳"), STRING, "Köln 真 𝒳"],
  ["CHAR", { type: 96, form: 1, size: 4 }, text("a   "), STRING, "a   "],
  ["NVARCHAR2", NVARCHAR, national("Köln 真 𝒳"), STRING, "Köln 真 𝒳"],
  ["NCHAR", { type: 96, form: 2, size: 8 }, national("é "), STRING, "é "],
  ["LONG", { type: 8, size: 0 }, long(Buffer.from("é".repeat(40_000))), STRING, "é".repeat(40_000)],
  ["CLOB", CLOB, long(Buffer.from(A_MILLION)), STRING, A_MILLION],
  ["NCLOB", NCLOB, long(Buffer.from("真", "utf16le").swap16()), STRING, "真"],
  ["RAW", { type: 23, size: 16 }, clr(BYTES), BINARY, BYTES.toString("hex")],
  ["LONG RAW", { type: 24, size: 0 }, long(BYTES), BINARY, BYTES.toString("hex")],
  ["BLOB", BLOB, long(Buffer.alloc(100_000, 7)), BINARY, "07".repeat(100_000)],
  ["JSON", JSON_TYPE, long(Buffer.from('{"a":12345678901234567890}')), { kind: "json" }, '{"a":12345678901234567890}'],
  ["ROWID", { type: 11, size: 10 }, rowId, STRING, "AAARatAAEAAAACrAAC"],
  ["DATE", DATE, moment([2024, 2, 29, 23, 59, 58]), AT("s"), nanoseconds("2024-02-29T23:59:58Z") / 1_000_000_000n],
  ["DATE, the first", DATE, moment([-4712, 1, 1]), AT("s"), BigInt(Date.UTC(-4711, 0, 1) / 1000)],
  ["DATE, the last", DATE, moment([9999, 12, 31, 23, 59, 59]), AT("s"), 253_402_300_799n],
  [
    "TIMESTAMP",
    TIMESTAMP,
    moment([2024, 2, 29, 10, 0, 0], 123_456_789),
    AT("ns"),
    nanoseconds("2024-02-29T10:00:00Z", 123_456_789),
  ],
  ["TIMESTAMP without a fraction", TIMESTAMP, moment([1969, 12, 31, 23, 59, 59]), AT("ns"), -1_000_000_000n],
  [
    "TIMESTAMP WITH TIME ZONE",
    TIMESTAMP_TZ,
    moment([2024, 2, 29, 10, 0, 0], 1, [5, 30]),
    AT("ns", "UTC"),
    nanoseconds("2024-02-29T10:00:00Z", 1),
  ],
  [
    "TIMESTAMP WITH LOCAL TIME ZONE",
    TIMESTAMP_LTZ,
    moment([2024, 2, 29, 10, 0, 0], 999_999_999),
    AT("ns", "UTC"),
    nanoseconds("2024-02-29T08:00:00Z", 999_999_999),
  ],
  [
    "INTERVAL YEAR TO MONTH",
    { type: 182, size: 5 },
    yearsAndMonths(-1, -2),
    INTERVAL,
    {
      months: -14,
      days: 0,
      microseconds: 0n,
    },
  ],
  [
    "INTERVAL DAY TO SECOND",
    { type: 183, size: 11 },
    daysAndTime(5, 4, 3, 2, 1000),
    INTERVAL,
    {
      months: 0,
      days: 5,
      microseconds: 14_582_000_001n,
    },
  ],
  [
    "INTERVAL DAY TO SECOND, back",
    { type: 183, size: 11 },
    daysAndTime(0, 0, 0, -1, -500_000_000),
    INTERVAL,
    {
      months: 0,
      days: 0,
      microseconds: -1_500_000n,
    },
  ],
];

const INTEGER_MEANT = [{ name: "v", type: { kind: "integer", bits: 64 }, nullable: true }] as const;
const DECIMAL_MEANT = [{ name: "v", type: { kind: "decimal" }, nullable: true }] as const;
const FLOAT_MEANT = [{ name: "v", type: { kind: "float", bits: 64 }, nullable: true }] as const;

const meant = (type: Statement["columns"][number]["type"]): Statement["columns"] => [
  { name: "v", type, nullable: true },
];
const [BOOLEAN_MEANT, DATE_MEANT] = [meant({ kind: "boolean" }), meant({ kind: "date" })];

const TEXTS_MEANT = meant({ kind: "array", element: { kind: "text" } });
const NUMBERS_MEANT = meant({ kind: "array", element: { kind: "integer", bits: 32 } });
const TEXTS: LogicalType = { kind: "list", element: { kind: "string" } };
const NUMBERS: LogicalType = { kind: "list", element: { kind: "int32" } };

const MEANT: readonly (readonly [string, Column, Buffer, Statement["columns"], LogicalType, Value])[] = [
  ["a bare one as an integer", BARE, number("7"), INTEGER_MEANT, INT64, 7n],
  ["a long one as a decimal", NUMBER(38, 0), number("9".repeat(38)), DECIMAL_MEANT, decimal(38, 0), "9".repeat(38)],
  ["one as true", NUMBER(1, 0), number("1"), BOOLEAN_MEANT, { kind: "boolean" }, true],
  ["zero as false", BARE, number("0"), BOOLEAN_MEANT, { kind: "boolean" }, false],
  ["a DATE as a day", DATE, moment([1969, 12, 31]), DATE_MEANT, { kind: "date" }, -1],
  ["a text as JSON", VARCHAR, text("{}"), meant({ kind: "json" }), { kind: "json" }, "{}"],
  ["a VARCHAR2 as a list", VARCHAR, text('["x", null, "q\\"\\/", ""]'), TEXTS_MEANT, TEXTS, ["x", null, 'q"/', ""]],
  ["a CLOB as a list", CLOB, long(Buffer.from("[1,null,-2]")), NUMBERS_MEANT, NUMBERS, [1, null, -2]],
  ["JSON as a list", JSON_TYPE, long(Buffer.from("[]")), NUMBERS_MEANT, NUMBERS, []],
  [
    "a TIMESTAMP as an instant",
    TIMESTAMP,
    moment([1970, 1, 1], 5),
    meant({ kind: "timestamp", zoned: true }),
    AT("ns", "UTC"),
    5n,
  ],
  ["a bare one as a double", BARE, number("0.1"), FLOAT_MEANT, { kind: "float64" }, 0.1],
];

const BROKEN: readonly (readonly [string, Column, Buffer, Statement["columns"], string])[] = [
  ["a number beyond 64 bits", NUMBER(38, 0), number("9223372036854775808"), [], "a number of more than 64 bits"],
  ["a fraction where an integer is meant", BARE, number("1.5"), INTEGER_MEANT, "a number with a fraction"],
  ["two as a truth value", BARE, number("2"), BOOLEAN_MEANT, "a number that is neither 1 nor 0"],
  ["a time of day as a day", DATE, moment([2024, 1, 1, 0, 0, 1]), DATE_MEANT, "a time of day, where a day is meant"],
  ["a leap day of Caesar's", DATE, moment([1500, 2, 29]), [], "a day that is in no calendar"],
  ["a moment cut short", TIMESTAMP, clr(u8(120, 124, 2)), [], "a moment that is cut short"],
  ["an hour that is none", DATE, moment([2024, 1, 1, 24, 0, 0]), [], "a time that is no time of day"],
  [
    "nanoseconds of an interval",
    { type: 183, size: 11 },
    daysAndTime(0, 0, 0, 0, 1),
    [],
    "an interval of less than a microsecond",
  ],
  ["an object as a list", VARCHAR, text("{}"), TEXTS_MEANT, "an array"],
  ["a text in a list of numbers", VARCHAR, text('["1"]'), NUMBERS_MEANT, "an element"],
  ["half a pair", NVARCHAR, clr(hex("d8 35")), [], "text that is not Unicode"],
];

const REFUSED: readonly (readonly [string, Column, string])[] = [
  ["VECTOR", { type: 127, size: 100 }, "VECTOR_SERIALIZE"],
  ["BFILE", { type: 114, size: 100 }, "Files of the server"],
  ["CURSOR", { type: 102, size: 4 }, "cursors"],
];

/** Bytes as digits: a comparison of arrays that fails writes each of them down. */
const shown = (value: Value | undefined): Value | undefined =>
  value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;

const isLong = ({ type }: Column): boolean => [8, 24, 112, 113, 119].includes(type);

describe.each([12, 24])("values of Oracle, in version %i of the protocol", (fieldVersion) => {
  let server: FakeOracle;
  let connector: Connector;
  let next: { readonly column: Column; readonly rows: readonly Buffer[] };
  beforeAll(async () => {
    server = await startFakeOracle(
      (sql) => {
        if (/^BEGIN /.test(sql)) return undefined;
        const { column, rows } = next;
        return { columns: [{ name: "V", ...column }], rows: () => rows.map((value) => [value]) };
      },
      { fieldVersion, databaseZone: 120 },
    );
    connector = await open(connectionTo(server));
  });
  afterAll(async () => {
    await connector?.close();
    await server?.close();
  });

  const ask = (column: Column, rows: readonly Buffer[], columns: Statement["columns"] = []) => {
    next = { column, rows };
    return connector.query({ ...plain("SELECT v FROM t"), columns }, patient());
  };

  it.each(CASES)("%s", async (_name, column, sent, type, value) => {
    const result = await ask(column, [sent, isLong(column) ? NULL_LONG : NULL]);
    expect(result.columns).toEqual([{ name: "V", type }]);
    const rows = await drain(result);
    expect(rows.map((row) => row.map(shown))).toEqual([[value], [null]]);
  });

  it.each(MEANT)("%s", async (_name, column, sent, columns, type, value) => {
    const result = await ask(column, [sent], columns);
    expect(result.columns).toEqual([{ name: "V", type }]);
    expect(await drain(result)).toEqual([[value]]);
  });

  it.each(BROKEN)("%s is an error that says what to write", async (_name, column, sent, columns, message) => {
    const failure = await failureOf(ask(column, [sent], columns).then(drain));
    expect(failure).toMatchObject({
      reason: "SOURCE_ERROR",
      message: expect.stringContaining(`Column "V" holds a value that cannot be represented: ${message}`),
      hint: "Cast the column to VARCHAR2 (by TO_CHAR).",
    });
    expect(await drain(await ask(BARE, [number("1")]))).toEqual([["1"]]);
  });

  it.each(REFUSED)("%s is refused", async (name, column, hint) => {
    const failure = await failureOf(ask(column, []));
    expect(failure).toMatchObject({
      reason: "SOURCE_ERROR",
      message: `Column "V" is of the type ${name}, which has no exact form.`,
      hint: expect.stringContaining(hint),
    });
  });
});

describe("moments of a database whose zone is a region", () => {
  it("are refused where they are local to it, and read where not", async () => {
    const rows = new Map<string, readonly [Column, Buffer]>([
      ["SELECT l FROM t", [TIMESTAMP_LTZ, moment([2024, 1, 1], 0)]],
      ["SELECT z FROM t", [TIMESTAMP_TZ, moment([2024, 1, 1], 0, [0, 0])]],
    ]);
    const server = await startFakeOracle(
      (sql) => {
        const [column, value] = rows.get(sql) ?? [];
        if (column === undefined || value === undefined) return undefined;
        return { columns: [{ name: "V", ...column }], rows: () => [[value]] };
      },
      { databaseZone: "Europe/Berlin" },
    );
    const connector = await open(connectionTo(server));
    const failure = await failureOf(connector.query(plain("SELECT l FROM t"), patient()).then(drain));
    expect(failure.message).toContain("a database that is a region");
    const instant = await drain(await connector.query(plain("SELECT z FROM t"), patient()));
    expect(instant).toEqual([[nanoseconds("2024-01-01T00:00:00Z")]]);
    await connector.close();
    await server.close();
  });
});
