/** Settings of a session, read back; and users whose profiles restrict them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OF_EVERY_STATEMENT } from "../../../src/connectors/clickhouse/settings.ts";
import type { SessionSetting } from "../../../src/planner/plan.ts";
import { type ClickHouseTestDatabase, startClickHouse } from "../../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../../support/clickhouse-server.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { openOn, rowsOf } from "./fixture.ts";

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
  let database: ClickHouseTestDatabase;
  beforeAll(async () => {
    database = await startClickHouse();
    await database.query("CREATE TABLE t (n Int32) ENGINE = MergeTree ORDER BY n COMMENT 'a table'");
  });
  afterAll(() => database?.stop());

  async function inSession(session: readonly SessionSetting[], sql: string, change: object = {}) {
    const connector = await openOn(database, change);
    try {
      return await drain(await connector.query({ ...plain(sql), session }, patient()));
    } finally {
      await connector.close();
    }
  }

  it("has what every statement has", async () => {
    for (const { name, value } of OF_EVERY_STATEMENT) {
      const [[read]] = (await rowsOf(database, `SELECT toString(getSetting('${name}'))`)).rows as [[string]];
      expect([name, read]).toEqual([name, value === "0" ? expect.stringMatching(/^(?:0|false)$/) : expect.anything()]);
      if (!["0", "1"].includes(value)) expect(read).toBe(value);
      else expect(["1", "true"].includes(read)).toBe(value === "1");
    }
  });

  it("reads the clause with a caller's setting, and knows none of custom prefixes", async () => {
    const session: readonly SessionSetting[] = [{ name: "SQL_tenant", value: "o'cid", ofCaller: true }];
    const failure = await failureOf(inSession(session, "SELECT n FROM t ORDER BY n LIMIT 1"));
    expect(failure).toMatchObject({ engineCode: "115" });
    expect(failure.message).toContain("SQL_tenant");
  });

  it("has no setting of its own whose name a caller's property could have", async () => {
    const sql = "SELECT name FROM system.settings WHERE startsWith(name, 'SQL_') OR startsWith(name, 'custom_')";
    expect((await rowsOf(database, sql)).rows).toEqual([]);
    expect((await rowsOf(database, "SELECT count() > 500 FROM system.settings")).rows).toEqual([[1]]);
  });

  it("has what the plan asks for, and what the connection may", async () => {
    const session = [{ name: "join_use_nulls", value: "1" }];
    const sql = "SELECT toString(getSetting('join_use_nulls')), toString(getSetting('max_threads'))";
    const rows = await inSession(session, sql, { settings: { max_threads: 1 } });
    expect(rows).toEqual([["true", "1"]]);
    expect((await rowsOf(database, sql)).rows[0]?.[0]).toBe("false");
  });

  it("has the statement's time, unless the connection has one", async () => {
    const sql = "SELECT toString(getSetting('max_execution_time'))";
    expect((await rowsOf(database, sql)).rows).toEqual([["60"]]);
    expect((await rowsOf(database, sql, { settings: { max_execution_time: 7 } })).rows).toEqual([["7"]]);
  });

  it("that is unknown to the server fails the statement", async () => {
    const failure = await failureOf(inSession([{ name: "no_such_setting", value: "1" }], "SELECT 1"));
    expect(failure).toMatchObject({ reason: "SOURCE_INVALID_SQL", engineCode: "115" });
  });

  it.each([
    "INSERT INTO t VALUES (1)",
    "CREATE TABLE u (n Int8) ENGINE = Memory",
    "DROP TABLE t",
    "ALTER TABLE t DELETE WHERE 1",
    "SELECT 1 SETTINGS readonly = 0",
    "SYSTEM DROP MARK CACHE",
  ])("does not write: %s", async (sql) => {
    expect((await failureOf(rowsOf(database, sql))).reason).toMatch(/^SOURCE_/);
  });

  it.each(["SELECT 1 FORMAT JSON", "SELECT 1 INTO OUTFILE '/tmp/siskin-outfile'", "SHOW TABLES FORMAT Null"])(
    "answers in one format: %s fails",
    async (sql) => {
      await failureOf(rowsOf(database, sql));
    },
  );

  describe("of a user whose profile would change answers", () => {
    it.each<[user: string, sql: string, rows: readonly (readonly unknown[])[]]>([
      ["contrary", "SELECT count() FROM t WHERE n > 100", [[0n]]],
      ["generous", "SELECT 1 AS k, count() FROM t WHERE n > 100 GROUP BY 1", []],
      ["contrary", "SELECT toString(toDateTime64('2024-02-29 00:00:00', 6))", [["2024-02-29 00:00:00.000000"]]],
      ["contrary", "SELECT toString(getSetting('distributed_product_mode'))", [["deny"]]],
    ])("%s: %s", async (user, sql, rows) => {
      expect(await inSession([], sql, { user })).toEqual(rows);
    });

    it("but where nothing hangs on it, that is in force", async () => {
      const sql = "SELECT toString(getSetting('transform_null_in'))";
      expect(await inSession([], sql, { user: "contrary" })).toEqual([["true"]]);
    });
  });

  describe("of a user with readonly = 2", () => {
    it("is set", async () => {
      const session = [{ name: "join_use_nulls", value: "1" }];
      const sql = "SELECT toString(getSetting('join_use_nulls'))";
      expect(await inSession(session, sql, { user: "restricted" })).toEqual([["true"]]);
    });
  });

  describe("of a user with readonly = 1", () => {
    const user = { user: "reader" };

    it("cannot be set, which refuses what needs it, with the fix", async () => {
      const failure = await failureOf(inSession([{ name: "join_use_nulls", value: "1" }], "SELECT 1", user));
      expect(failure).toMatchObject({ reason: "SOURCE_ERROR", engineCode: "164" });
      expect(failure.hint).toContain("readonly=1");
    });

    it("is not needed by metadata", async () => {
      const connector = await openOn(database, user);
      const filter = { schema: database.database };
      const tables = await connector.catalog({ kind: "tables", filter, limit: undefined }, patient());
      expect(tables.map(({ name }) => name)).toEqual([`${database.database}.t`]);
      expect(await connector.catalog({ kind: "version" }, patient())).toBe("26.7.2.1");
      await connector.close();
    });

    it("lets a JSON column not be read, which would come in another form", async () => {
      const failure = await failureOf(rowsOf(database, `SELECT '{"a":1}'::JSON AS j`, user));
      expect(failure.message).toBe('Column "j" has type JSON, which is not supported on ClickHouse.');
    });
  });

  it.each<[string, object, string]>([
    ["a wrong password", { password: "wrong" }, "516"],
    ["an unknown user", { user: "nobody" }, "516"],
    ["an unknown database", { database: "nowhere" }, "81"],
  ])("%s is no way in", async (_, change, engineCode) => {
    const failure = await failureOf(rowsOf(database, "SELECT 1", change));
    expect(failure).toMatchObject({ reason: "AUTHENTICATION", engineCode });
    expect(failure.message).not.toContain(database.password);
  });
});
