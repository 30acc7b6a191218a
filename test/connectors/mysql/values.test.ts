/**
 * Values of every type, exactly, on servers whose own settings are all different from what the connector needs, so that a
 * test fails when one of them is not set for the session.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { LogicalType, Value } from "../../../src/result/types.ts";
import { type MySqlTestDatabase, startMySql } from "../../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, type MySqlFlavor, withoutMySql } from "../../support/mysql-server.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { ODD_SETTINGS, openFromNode } from "./fixture.ts";

type Case = readonly [declared: string, written: string, type: LogicalType, value: Value];

const string: LogicalType = { kind: "string" };
const day = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 86_400_000;
const micros = (text: string): bigint => BigInt(Date.parse(`${text}Z`)) * 1000n;
const decimal = (precision: number, scale: number): LogicalType => ({ kind: "decimal", precision, scale });
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const naive: LogicalType = { kind: "timestamp", unit: "us", zone: undefined };
const moment: LogicalType = { kind: "timestamp", unit: "us", zone: "UTC" };
const time: LogicalType = { kind: "time", unit: "ns" };
const HOUR = 3_600_000_000_000;

/** Columns of a table: what they are declared as, what is written, and what comes. */
const CASES: readonly Case[] = [
  ["tinyint", "-128", { kind: "int8" }, -128],
  ["tinyint(1)", "127", { kind: "int8" }, 127],
  ["tinyint unsigned", "255", { kind: "uint8" }, 255],
  ["smallint", "-32768", { kind: "int16" }, -32_768],
  ["smallint unsigned", "65535", { kind: "uint16" }, 65_535],
  ["mediumint", "-8388608", { kind: "int32" }, -8_388_608],
  ["mediumint unsigned zerofill", "16777215", { kind: "uint32" }, 16_777_215],
  ["int", "-2147483648", { kind: "int32" }, -2_147_483_648],
  ["int unsigned", "4294967295", { kind: "uint32" }, 4_294_967_295],
  ["bigint", "-9223372036854775808", { kind: "int64" }, -9_223_372_036_854_775_808n],
  ["bigint unsigned", "18446744073709551615", { kind: "uint64" }, 18_446_744_073_709_551_615n],
  // Six digits are all that a text of it has.
  ["float", "16777217", { kind: "float32" }, 16_777_216],
  ["float", "0.1", { kind: "float32" }, Math.fround(0.1)],
  ["double", "1.7976931348623157e308", { kind: "float64" }, Number.MAX_VALUE],
  ["double", "0.1", { kind: "float64" }, 0.1],
  [
    "decimal(65, 30)",
    "12345678901234567890123456789012345.123456789012345678901234567890",
    decimal(65, 30),
    "12345678901234567890123456789012345.123456789012345678901234567890",
  ],
  ["decimal(5, 2)", "-0.5", decimal(5, 2), "-0.50"],
  ["decimal(3)", "7", decimal(3, 0), "7"],
  ["bit(1)", "b'1'", { kind: "int8" }, 1],
  ["bit(8)", "b'11111111'", { kind: "int16" }, 255],
  ["bit(64)", "18446744073709551615", { kind: "uint64" }, 18_446_744_073_709_551_615n],
  ["year", "2155", { kind: "uint16" }, 2155],
  ["year", "0", { kind: "uint16" }, 0],
  ["date", "'9999-12-31'", { kind: "date" }, day("9999-12-31")],
  ["date", "'1000-01-01'", { kind: "date" }, day("1000-01-01")],
  ["datetime(6)", "'9999-12-31 23:59:59.123456'", naive, micros("9999-12-31T23:59:59.123") + 456n],
  ["datetime", "'2024-02-29 00:00:00'", naive, micros("2024-02-29T00:00:00")],
  ["timestamp(3) NULL", "'2024-07-01 12:34:56.789'", moment, micros("2024-07-01T12:34:56.789")],
  ["time", "'838:59:59'", time, 838 * HOUR + 3_599_000_000_000],
  ["time(6)", "'-00:00:00.000001'", time, -1000],
  ["time", "'00:00:00'", time, 0],
  ["char(5)", "'ab'", string, "ab"],
  ["varchar(20)", "'a\\0b'", string, "a\0b"],
  ["varchar(20) CHARACTER SET latin1", "'Grüße'", string, "Grüße"],
  // No UTF-8: bytes of another character set, also one that means nothing in it.
  ["varchar(20) CHARACTER SET latin1", "x'8081c328ff'", string, "€\u0081Ã(ÿ"],
  ["varchar(20) CHARACTER SET sjis", "x'93fa967b'", string, "日本"],
  ["varchar(20) CHARACTER SET ucs2", "x'00e965e5'", string, "é日"],
  ["varchar(20) CHARACTER SET binary", "x'c328ff'", { kind: "binary" }, bytes(0xc3, 0x28, 0xff)],
  ["text CHARACTER SET utf8mb3", "'é'", string, "é"],
  ["varchar(20) CHARACTER SET utf8mb4", "'𝒳 é'", string, "𝒳 é"],
  ["text", "''", string, ""],
  ["longtext CHARACTER SET utf8mb4", "repeat('ü', 100000)", string, "ü".repeat(100_000)],
  ["enum('a', 'ö') CHARACTER SET utf8mb4", "'ö'", string, "ö"],
  ["set('a', 'b', 'c')", "'c,a'", string, "a,c"],
  ["binary(3)", "'a'", { kind: "binary" }, bytes(0x61, 0, 0)],
  ["varbinary(10)", "x'00ff'", { kind: "binary" }, bytes(0, 255)],
  ["blob", "''", { kind: "binary" }, bytes()],
  ["json", `'{"b": 1, "a": 12345678901234567890}'`, { kind: "json" }, ""],
];

/** A server's own ways. */
const OWN: Readonly<Record<MySqlFlavor, readonly Case[]>> = {
  mysql: [
    ["vector(3)", "STRING_TO_VECTOR('[1,0.5,-2]')", { kind: "list", element: { kind: "float32" } }, [1, 0.5, -2]],
  ],
  mariadb: [
    ["uuid", "'123e4567-e89b-12d3-a456-426655440000'", { kind: "uuid" }, "123e4567-e89b-12d3-a456-426655440000"],
    ["inet6", "'2001:db8::1'", string, "2001:db8::1"],
  ],
};

const JSON_TEXTS: Readonly<Record<MySqlFlavor, string>> = {
  mysql: '{"a": 12345678901234567890, "b": 1}',
  mariadb: '{"b": 1, "a": 12345678901234567890}',
};

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let database: MySqlTestDatabase;
    let connector: Connector;
    const ask = async (sql: string) => {
      const result = await connector.query(plain(sql), patient());
      return { columns: result.columns, rows: await drain(result) };
    };

    beforeAll(async () => {
      database = await startMySql(flavor, { options: ODD_SETTINGS });
      await database.query("SET SESSION autocommit = 1");
      connector = await openFromNode({ connectionUrl: database.url });
    });
    afterAll(async () => {
      await connector?.close();
      await database?.stop();
    });

    it.each([...CASES, ...OWN[flavor]])("%s: %s", async (declared, written, type, value) => {
      await database.query(`
        SET NAMES utf8mb4; SET SESSION time_zone = '+00:00'; DROP TABLE IF EXISTS t;
        CREATE TABLE t (id int, v ${declared}); INSERT INTO t VALUES (1, ${written}), (2, NULL)`);
      const { columns, rows } = await ask("SELECT v FROM t ORDER BY id");
      expect(columns).toEqual([{ name: "v", type }]);
      expect(rows).toEqual([[type.kind === "json" ? JSON_TEXTS[flavor] : value], [null]]);
    });

    it.each([
      ["zero", "'0000-00-00'", "the zero date 0000-00-00"],
      ["without a day", "'2024-02-00'", "a date whose month or day is zero"],
      ["that no month has", "'2024-02-31'", "a day that its month does not have"],
    ])("a date %s is refused, and not made another or NULL", async (_name, written, what) => {
      await database.query(`
        SET SESSION sql_mode = 'ALLOW_INVALID_DATES'; DROP TABLE IF EXISTS t;
        CREATE TABLE t (v date, w datetime); INSERT INTO t VALUES (${written}, ${written})`);
      for (const column of ["v", "w"]) {
        const other = await openFromNode({ connectionUrl: database.url });
        const failure = await failureOf(other.query(plain(`SELECT ${column} FROM t`), patient()).then(drain));
        expect([failure.reason, failure.message]).toEqual([
          "SOURCE_ERROR",
          `Column "${column}" holds a value that cannot be represented: ${what}.`,
        ]);
        const cast = await other.close().then(() => ask(`SELECT CAST(${column} AS CHAR) AS c FROM t`));
        expect(String(cast.rows[0]?.[0])).toContain(written.slice(1, -1));
      }
    });

    it("a geometry is refused with what to do", async () => {
      const failure = await failureOf(ask("SELECT ST_GeomFromText('POINT(1 2)') AS g"));
      expect([failure.reason, failure.hint]).toEqual(["SOURCE_ERROR", "Select its text: ST_AsText(column)."]);
    });

    it("names with odd characters come as they are", async () => {
      const { columns } = await ask('SELECT 1 AS `a``b"c ö€`, 2 AS `select`');
      expect(columns.map(({ name }) => name)).toEqual(['a`b"c ö€', "select"]);
    });

    it("a row of many columns keeps its NULLs apart", async () => {
      const expressions = Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? "NULL" : String(i)));
      const { rows } = await ask(`SELECT ${expressions.map((text, i) => `${text} AS c${i}`).join(", ")}`);
      expect(rows[0]?.map((value) => (value === null ? "NULL" : String(value)))).toEqual(expressions);
    });

    it.each([0xff_ff_ff - 1, 17_000_000, 2 * 0xff_ff_ff - 1])(
      "a statement of %i bytes goes in several packets",
      async (size) => {
        const [before, after] = ["SELECT length('", "')"];
        // The command's own byte is counted as well.
        const length = size - before.length - after.length;
        expect((await ask(before + "x".repeat(length) + after)).rows.map((row) => row.map(Number))).toEqual([[length]]);
      },
    );

    it("long values come whole, and those that do not fit are refused", async () => {
      const { rows } = await ask("SELECT repeat('ab', 4000000) AS x");
      expect(rows[0]?.[0]).toBe("ab".repeat(4_000_000));
      const other = await openFromNode({ connectionUrl: database.url });
      const failure = await failureOf(
        other.query(plain("SELECT repeat('a', 12000000) AS x, repeat('b', 12000000) AS y"), patient()).then(drain),
      );
      expect([failure.reason, failure.message]).toEqual(["SOURCE_ERROR", "A row is larger than the 16 MiB that fit."]);
      await other.close();
    });
  });
}
