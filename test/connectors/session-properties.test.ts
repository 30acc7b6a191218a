/** Which settings of a source a connection may give the values of session properties, and the statements that set them. */
import { describe, expect, test } from "vitest";
import { appliedSettings, checkApplied } from "../../sidecar/mssql/session-settings.ts";
import {
  checkApplied as checkOracle,
  appliedSettings as oracleSettings,
} from "../../sidecar/oracle/session-settings.ts";
import { customSetting } from "../../src/connectors/clickhouse/settings.ts";
import { checkReported, textsOf } from "../../src/connectors/mysql/session-settings.ts";
import { settingsStatement } from "../../src/connectors/postgres/session.ts";
import { redshiftSettings } from "../../src/connectors/redshift/settings.ts";
import { passedProperties } from "../../src/connectors/session-properties.ts";
import type { DataSource, SessionSetting } from "../../src/planner/plan.ts";

const HOSTILE = "o'cid'); DROP TABLE t; -- \\ \u{1F600} \n";

const ofCaller = (name: string, value = HOSTILE): SessionSetting => ({ name, value, ofCaller: true });

describe("the member sessionSettings", () => {
  test.each<[DataSource, string]>([
    ["postgres", "app.tenant"],
    ["redshift", "app.tenant"],
    ["mysql", "@tenant"],
    ["mssql", "tenant"],
    ["oracle", "CLIENT_IDENTIFIER"],
    ["clickhouse", "SQL_tenant"],
    ["snowflake", "QUERY_TAG"],
  ])("%s: %s", (source, setting) => {
    expect(passedProperties(source, { Tenant: setting })).toEqual([{ property: "tenant", setting }]);
    expect(passedProperties(source, undefined)).toEqual([]);
  });

  test.each<[DataSource, unknown]>([
    // Settings of the server, of the dialect or of the service.
    ["postgres", { tenant: "role" }],
    ["postgres", { tenant: "row_security" }],
    ["postgres", { tenant: "statement_timeout" }],
    ["postgres", { tenant: "app.x', 'y" }],
    ["redshift", { tenant: "session_authorization" }],
    ["redshift", { tenant: "app.a.b" }],
    ["mysql", { tenant: "sql_mode" }],
    ["mysql", { tenant: "@@session.sql_mode" }],
    ["mysql", { tenant: "@a, @@sql_mode" }],
    ["mssql", { tenant: "a' ; DROP" }],
    ["oracle", { tenant: "NLS_SORT" }],
    ["clickhouse", { tenant: "readonly" }],
    ["clickhouse", { tenant: "max_execution_time" }],
    ["snowflake", { tenant: "TIMEZONE" }],
    // Sources without a way.
    ["bigquery", { tenant: "x" }],
    ["duckdb", { tenant: "x" }],
    ["trino", { tenant: "x" }],
    // Forms.
    ["postgres", "app.tenant"],
    ["postgres", ["app.tenant"]],
    ["postgres", { tenant: 1 }],
    ["postgres", { tenant: "app.tenant", TENANT: "app.other" }],
    ["postgres", { tenant: "app.tenant", other: "App.Tenant" }],
    ["postgres", { "a b": "app.tenant" }],
    ["postgres", Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`p${at}`, `app.p${at}`]))],
  ])("%s refuses %j", (source, raw) => {
    expect(() => passedProperties(source, raw)).toThrow(/sessionSettings/);
  });
});

test("PostgreSQL: a parameter of set_config, for the transaction alone", () => {
  const { sql, values } = settingsStatement([], [ofCaller("app.tenant")], 1000);
  expect(sql).toMatch(/^SELECT (?:pg_catalog\.set_config\(\$\d+, \$\d+, true\), )+/);
  expect(values).toContain(HOSTILE);
  expect(sql).not.toContain("DROP");
});

test("Redshift: a parameter of set_config, for the transaction alone", () => {
  const { begin, sql, values } = redshiftSettings([], [ofCaller("app.tenant")], 1000);
  expect(begin).toMatch(/^BEGIN/);
  expect(sql).toMatch(/^SELECT (?:pg_catalog\.set_config\(\$\d+, \$\d+, true\)(?:, )?)+$/);
  expect(values.slice(values.indexOf("app.tenant")).slice(0, 2)).toEqual(["app.tenant", HOSTILE]);
});

test("MySQL: a user variable, written by its bytes and read back exactly", () => {
  const { set, readBack, settings } = textsOf([ofCaller("@tenant")]);
  expect(set).toMatch(/^SET @tenant = CONVERT\(X'[0-9a-f]+' USING utf8mb4\)$/i);
  expect(readBack).toBe("SELECT CONNECTION_ID(), @tenant");
  expect(() => checkReported(settings, [HOSTILE])).not.toThrow();
  for (const other of [null, "", HOSTILE.toUpperCase()])
    expect(() => checkReported(settings, [other])).toThrow(/@tenant/);
});

test("SQL Server: a key of SESSION_CONTEXT that nothing changes until the session is reset", () => {
  const wanted = appliedSettings([ofCaller("tenant")]);
  expect(wanted.batch).toContain(
    `IF SESSION_CONTEXT(N'tenant') IS NULL EXEC sys.sp_set_session_context @key = N'tenant', @value = N'${HOSTILE.replaceAll("'", "''")}', @read_only = 1;`,
  );
  const plain = appliedSettings([]);
  const row = [0 | 8 | 16 | 32 | 64 | 256 | 4096, "us_english", 1, 2147483647, -1, 3, "16", 160];
  expect(checkApplied(plain, row)).toEqual({ edition: 3, major: 16, compatibility: 160 });
  expect(checkApplied(wanted, [...row, HOSTILE])).toEqual({ edition: 3, major: 16, compatibility: 160 });
  for (const other of [null, "", "ann"]) expect(() => checkApplied(wanted, [...row, other])).toThrow(/SESSION_CONTEXT/);
  expect(() => appliedSettings([ofCaller("tenant", "x".repeat(4001))])).toThrow(/no room/);
});

test("Oracle: the client identifier", () => {
  const wanted = oracleSettings([ofCaller("CLIENT_IDENTIFIER")]);
  expect(wanted.block).toContain(`DBMS_SESSION.SET_IDENTIFIER('${HOSTILE.replaceAll("'", "''")}'); END;`);
  const rows = wanted.settings.map(({ name, value }) => [name, value]);
  expect(() => checkOracle(wanted, [...rows, ["CLIENT_IDENTIFIER", HOSTILE]])).not.toThrow();
  for (const other of [null, "ann"])
    expect(() => checkOracle(wanted, [...rows, ["CLIENT_IDENTIFIER", other]])).toThrow(/CLIENT_IDENTIFIER/);
  expect(() => oracleSettings([ofCaller("CLIENT_IDENTIFIER", "ä".repeat(33))])).toThrow(/64 bytes/);
});

test("ClickHouse: a literal of the SETTINGS clause", () => {
  expect(customSetting(ofCaller("SQL_tenant", "o'cid\\' OR 1"))).toBe("SQL_tenant = 'o\\'cid\\\\\\' OR 1'");
});
