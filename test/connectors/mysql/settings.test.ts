import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { appliedSettings, checkApplied } from "../../../src/connectors/mysql/session-settings.ts";
import { variantOf } from "../../../src/connectors/mysql/variant.ts";
import { type MySqlTestDatabase, startMySql } from "../../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { ODD_SETTINGS, openFromNode } from "./fixture.ts";

const NAMES = [
  "time_zone",
  "sql_mode",
  "character_set_client",
  "character_set_connection",
  "character_set_results",
  "collation_connection",
  "autocommit",
  "lc_time_names",
  "default_week_format",
  "group_concat_max_len",
  "net_write_timeout",
];

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let database: MySqlTestDatabase;
    let connector: Connector;
    beforeAll(async () => {
      database = await startMySql(flavor, { options: ODD_SETTINGS });
      connector = await openFromNode({ connectionUrl: database.url });
    });
    afterAll(async () => {
      await connector?.close();
      await database?.stop();
    });

    const told = async (names: readonly string[], session: readonly { name: string; value: string }[] = []) => {
      const sql = `SELECT ${names.map((name) => `CAST(@@SESSION.${name} AS CHAR)`).join(", ")}`;
      const [row = []] = await drain(await connector.query({ ...plain(sql), session }, patient()));
      return Object.fromEntries(names.map((name, index) => [name, row[index]]));
    };

    it("what every statement relies on is set, whatever the server is set to", async () => {
      expect(await told(NAMES)).toMatchObject({
        time_zone: "+00:00",
        sql_mode: "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
        character_set_client: "utf8mb4",
        character_set_connection: "utf8mb4",
        character_set_results: "utf8mb4",
        collation_connection: "utf8mb4_bin",
        lc_time_names: "en_US",
        default_week_format: "0",
        autocommit: expect.stringMatching(/^(1|ON)$/),
        net_write_timeout: "61",
      });
      const limits =
        flavor === "mariadb" ? ["tx_read_only", "max_statement_time"] : ["transaction_read_only", "max_execution_time"];
      const [readOnly, limit] = Object.values(await told(limits));
      expect([readOnly, Number(limit)]).toEqual(flavor === "mariadb" ? ["ON", 60] : ["1", 60_000]);
    });

    it("temporary tables are on disk for a plan for MySQL alone", async () => {
      const { big_tables: set } = await told(["big_tables"], [{ name: "big_tables", value: "1" }]);
      expect(set).toMatch(flavor === "mysql" ? /^(1|ON)$/ : /^(0|OFF)$/);
    });

    // A thousand steps are the default of both: MySQL raises, and MariaDB ends with the rows that there are.
    it("recursion has as many steps as it takes", async () => {
      const series =
        "WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT count(*), max(n) FROM s";
      expect(await drain(await connector.query(plain(series), patient()))).toEqual([
        [20_000n, flavor === "mysql" ? 20_000n : 20_000],
      ]);
    });

    it("recursion without an end is an error, by its steps or its time", async () => {
      const endless =
        "WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT (n + 1) % 1000000 FROM s) SELECT count(*) FROM s";
      // A separate connection: a statement cancelled before the server ends it closes its connection.
      const other = await openFromNode({ connectionUrl: database.url });
      const asked = other.query(plain(endless), { ...patient(), timeoutMs: 1000 }).then(drain);
      expect(["SOURCE_ERROR", "STATEMENT_TIMEOUT"]).toContain((await failureOf(asked)).reason);
      await other.close();
    });

    it("what a plan's meaning depends on is set for it, and for the next one no more", async () => {
      const session = [
        { name: "sql_mode", value: "ANSI_QUOTES,ONLY_FULL_GROUP_BY,NO_BACKSLASH_ESCAPES" },
        { name: "group_concat_max_len", value: "1048576" },
        { name: "div_precision_increment", value: "10" },
        { name: "time_zone", value: "+02:00" },
      ];
      const names = session.map(({ name }) => name);
      expect(await told(names, session)).toEqual(Object.fromEntries(session.map(({ name, value }) => [name, value])));
      expect(await told(["time_zone"])).toEqual({ time_zone: "+00:00" });
    });

    it.each(["transaction_read_only", "tx_read_only", "autocommit", "max_execution_time"])(
      "a plan that names %s is not heard",
      async (name) => {
        const session = [{ name, value: "0" }];
        const failure = await failureOf(
          connector.query({ ...plain("INSERT INTO nothing VALUES (1)"), session }, patient()).then(drain),
        );
        expect(failure.message).not.toContain("sql_mode");
        expect(await told(["autocommit"], session)).toEqual({ autocommit: expect.stringMatching(/^(1|ON)$/) });
      },
    );

    it.each([
      ["a mode that is not one", { name: "sql_mode", value: "NO_SUCH_MODE" }],
      ["a variable that is not one", { name: "no_such_variable", value: "1" }],
      ["a name with more in it", { name: "sql_mode = '', time_zone", value: "x" }],
      ["a value with a quote", { name: "time_zone", value: "'; DROP TABLE t" }],
    ])("%s is refused, never ignored", async (_name, setting) => {
      const other = await openFromNode({ connectionUrl: database.url });
      const failure = await failureOf(other.query({ ...plain("SELECT 1"), session: [setting] }, patient()));
      expect(["SOURCE_ERROR", "SOURCE_INVALID_SQL"]).toContain(failure.reason);
      await other.close();
    });
  });
}

describe("settings that something in between swallows", () => {
  const variant = variantOf("8.0.40");
  const applied = appliedSettings([{ name: "sql_mode", value: "ANSI_QUOTES,STRICT_ALL_TABLES" }], variant, 1000);
  const row = (sqlMode: string): string[] => [
    "7",
    ...applied.settings.map(({ name, value }) => (name === "sql_mode" ? sqlMode : value)),
  ];

  it.each(["ANSI_QUOTES,STRICT_ALL_TABLES", "STRICT_ALL_TABLES,ANSI_QUOTES", "ansi_quotes,strict_all_tables,ANSI"])(
    "%s is what was asked for",
    (told) => expect(() => checkApplied(applied, row(told))).not.toThrow(),
  );

  it.each(["ANSI_QUOTES", "", "STRICT_TRANS_TABLES"])("%j is not", (told) => {
    expect(() => checkApplied(applied, row(told))).toThrow("does not take sql_mode");
  });
});

it.each([
  ["8.0.40", "transaction_read_only", "max_execution_time"],
  ["9.7.4", "transaction_read_only", "max_execution_time"],
  ["10.6.20-MariaDB", "tx_read_only", "max_statement_time"],
  ["11.0.6-MariaDB", "tx_read_only", "max_statement_time"],
  ["11.1.2-MariaDB", "transaction_read_only", "max_statement_time"],
  ["12.0.1-MariaDB", "transaction_read_only", "max_statement_time"],
])("%s reads only by %s, and keeps the time by %s", (version, readOnly, limit) => {
  const names = appliedSettings([], variantOf(version), 1000).settings.map(({ name }) => name);
  expect(names.filter((name) => /read_only|_time$/.test(name))).toEqual([readOnly, limit]);
});

describe("versions", () => {
  it.each([
    ["8.0.40", "mysql", [8, 0, 40]],
    ["9.7.4", "mysql", [9, 7, 4]],
    ["8.0.mysql_aurora.3.05.2", "mysql", [8, 0, 0]],
    ["8.0.30-Vitess", "mysql", [8, 0, 30]],
    ["5.5.5-10.11.19-MariaDB-0+deb12u1", "mariadb", [10, 11, 19]],
    ["11.4.2-MariaDB", "mariadb", [11, 4, 2]],
  ])("%s", (text, product, version) => expect(variantOf(text)).toMatchObject({ product, version }));

  it.each([
    ["8.0.40", true],
    ["8.0.36-28", true],
    ["8.0.40-0ubuntu0.24.04.1", true],
    ["8.0.mysql_aurora.3.05.2", true],
    ["5.5.5-10.11.19-MariaDB-0+deb12u1", true],
    ["8.0.30-Vitess", false],
    ["8.0.11-TiDB-v8.5.0", false],
    ["8.0.33-OceanBase_CE-v4.3", false],
  ])("%s is MySQL or MariaDB itself: %s", (text, isItself) => expect(variantOf(text).isItself).toBe(isItself));

  it.each(["5.7.44-log", "5.5.5-10.5.27-MariaDB", "", "garbage"])("%j is too old", (text) => {
    expect(() => variantOf(text)).toThrow("is not supported");
  });
});
