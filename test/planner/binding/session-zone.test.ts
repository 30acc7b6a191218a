/** One clock: what a statement in another session zone than UTC is sent as, and what is refused (docs/decisions/0011-time-zones.md). */
import { describe, expect, test } from "vitest";
import { sessionZone } from "../../../src/planner/binding/zoned-values.ts";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { manifestOf, type PlanSettings, planned } from "../../support/plan.ts";

const MANIFEST = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "e",
      tableReference: { table: "e" },
      primaryKey: "id",
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "t", type: "TIMESTAMPTZ" },
        { name: "l", type: "TIMESTAMP" },
        { name: "d", type: "DATE" },
        { name: "utc_day", type: "DATE", isCalculated: true, expression: "CAST(t AS date)" },
      ],
      rowLevelAccessControls: [
        { name: "r", requiredProperties: [], condition: "CAST(t AS date) > DATE '2024-01-01' OR id > 0" },
      ],
    },
  ],
});

const berlin = (sql: string, settings: PlanSettings = {}) =>
  planned(sql, MANIFEST, { source: "postgres", timeZone: "Europe/Berlin", ...settings });
const shown = (expression: string, settings?: PlanSettings): string =>
  /^SELECT (.*) AS a\b/s.exec(berlin(`SELECT ${expression} AS a FROM e`, settings).sql)?.[1] ?? "";

const IN_BERLIN = "AT TIME ZONE 'Europe/Berlin'";

describe("PostgreSQL", () => {
  test.each([
    ["date_trunc('day', t)", "date_trunc('day', e.t, 'Europe/Berlin')"],
    ["date_trunc('hour', t)", "date_trunc('hour', e.t, 'Europe/Berlin')"],
    ["date_trunc('second', t)", "date_trunc('second', e.t)"],
    ["date_trunc('day', l)", "date_trunc('day', e.l)"],
    ["date_trunc('day', l, 'UTC')", `date_trunc('day', e.l ${IN_BERLIN}, 'UTC')`],
    ["extract(hour FROM t)", `CAST(extract(HOUR FROM e.t ${IN_BERLIN}) AS bigint)`],
    ["extract(epoch FROM t)", "extract(EPOCH FROM e.t)"],
    ["t::date", `CAST(e.t ${IN_BERLIN} AS date)`],
    ["l::timestamptz", `CAST(e.l ${IN_BERLIN} AS timestamp with time zone)`],
    ["d::timestamptz", `CAST(CAST(e.d AS timestamp) ${IN_BERLIN} AS timestamp with time zone)`],
    ["l::date", "CAST(e.l AS date)"],
    ["to_char(t, 'YYYY')", `to_char(e.t ${IN_BERLIN}, 'YYYY')`],
    ["t < d", `e.t < CAST(e.d AS timestamp) ${IN_BERLIN}`],
    ["t < now()", "e.t < now()"],
    ["t + INTERVAL '1 day'", `(e.t ${IN_BERLIN} + INTERVAL '1 days') ${IN_BERLIN}`],
    ["t + INTERVAL '2 hours'", "e.t + INTERVAL '02:00:00'"],
    ["current_date", `CAST(now() ${IN_BERLIN} AS date)`],
    ["min(t)", "min(e.t)"],
    ["to_timestamp(0)", "to_timestamp(0)"],
  ])("%s", (expression, sent) => expect(shown(expression).toLowerCase()).toBe(sent.toLowerCase()));

  test("a fixed offset is east of UTC", () => {
    expect(shown("t::date", { timeZone: "+05:30" })).toBe("CAST(e.t AT TIME ZONE 'UTC' + INTERVAL '05:30:00' AS DATE)");
    expect(shown("l::timestamptz", { timeZone: "-0330" })).toContain("e.l - INTERVAL '-03:30:00'");
  });
});

test.each([
  ["UTC", "UTC"],
  ["etc/utc", "UTC"],
  ["GMT", "UTC"],
  ["+00:00", "UTC"],
  ["+02", "+02:00"],
  ["-0330", "-03:30"],
  ["EST", "-05:00"],
  ["europe/berlin", "Europe/Berlin"],
])("the zone %s is %s", (name, zone) => expect(sessionZone(name)).toBe(zone));

test("the name of a zone that is an abbreviation as well is refused where it would be one", () => {
  const of = (sql: string) => () => berlin(sql, { timeZone: "CET" });
  expect(of("SELECT t::date AS a FROM e")).toThrow("the session zone CET");
  expect(of("SELECT t AS a FROM e")).not.toThrow();
});

describe("refused, where the statement depends on the zone", () => {
  test.each([
    ["id::text::timestamptz", "a text that is read as an instant"],
    ["to_char(t, 'HH24 TZ')", "a format that may show the zone"],
    ["t + (l - d)", "an instant and a computed interval"],
    ["ARRAY[t]::text[]", "a cast of arrays or rows of instants"],
    ["md5(t)", "md5 of instants"],
    ["count(*) OVER (ORDER BY t RANGE INTERVAL '1 day' PRECEDING)", "a RANGE frame of days or months"],
  ])("%s", (expression, message) => {
    const sql = `SELECT ${expression} AS a FROM e`;
    expect(() => berlin(sql)).toThrow(message);
    expect(() => berlin(sql)).toThrow(expect.objectContaining({ reason: "TIME_ZONE_UNSUPPORTED" }));
    expect(() => berlin(sql, { timeZone: "UTC" })).not.toThrow();
  });

  test.each([
    "SELECT t FROM e UNION SELECT l FROM e",
    "SELECT * FROM (VALUES (now()), (localtimestamp)) AS v(x)",
    "SELECT id FROM e WHERE t IN (SELECT l FROM e)",
  ])("%s", (sql) => expect(() => berlin(sql)).toThrow("a column of instants beside one of local times"));

  test("a source without named zones says that the zone is the reason", () => {
    const on = (timeZone: string) => () => berlin("SELECT now()::date AS a", { source: "mssql", timeZone });
    expect(on("Europe/Berlin")).toThrow(PlannerError);
    expect(on("Europe/Berlin")).toThrow(expect.objectContaining({ reason: "TIME_ZONE_UNSUPPORTED" }));
    expect(on("UTC")).not.toThrow();
    expect(on("+02:00")).not.toThrow();
  });
});

describe("the manifest stays in UTC", () => {
  test("its rules", () => {
    const of = (timeZone: string) => berlin("SELECT id FROM e", { timeZone });
    expect(of("Europe/Berlin").sql).toBe(of("UTC").sql);
    expect(of("Europe/Berlin").warnings).toEqual([]);
  });

  test("its columns, with a warning", () => {
    const { sql, warnings } = berlin("SELECT utc_day FROM e");
    expect(sql).not.toContain("Berlin");
    expect(warnings).toMatchObject([{ code: "MANIFEST_TIME_ZONE" }]);
    expect(berlin("SELECT utc_day FROM e", { timeZone: "UTC" }).warnings).toEqual([]);
  });
});

describe("functions that the catalogue lacks", () => {
  const of = (call: string) =>
    planned(`SELECT ${call} AS a`, manifestOf({ catalog: "c", schema: "s", models: [] }), {
      source: "postgres",
      timeZone: "Europe/Berlin",
    });

  test("over an instant are a warning", () => {
    expect(of("mystery(now())").warnings.map(({ code }) => code)).toEqual(["UNKNOWN_FUNCTION", "TIME_ZONE_MIXED"]);
  });

  test("that read the session's zone are refused", () => {
    expect(() => of("make_timestamptz(2024, 1, 1, 0, 0, 0)")).toThrow("make_timestamptz in another session zone");
    expect(() => of("make_timestamptz(2024, 1, 1, 0, 0, 0, 'UTC')")).not.toThrow();
  });
});
