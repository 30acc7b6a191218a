/** Functions that each source's own list names: a caller may call them, and no list names what reads anything but its arguments. */

import { describe, expect, test } from "vitest";
import { PLAIN_SOURCES } from "../../../src/planner/access/plain-sources.ts";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { findFunction } from "../../../src/planner/functions/catalogue.ts";
import { isForbidden } from "../../../src/planner/functions/safety.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const columns = [
  { name: "x", type: "VARCHAR" },
  { name: "d", type: "DATE" },
];
const manifestWith = (rowLevelAccessControls: readonly object[]) =>
  manifestOf({
    catalog: "c",
    schema: "s",
    models: [{ name: "t", tableReference: { table: "t" }, columns, rowLevelAccessControls }],
  });
const OPEN = manifestWith([]);
const RULED = manifestWith([{ name: "own", requiredProperties: [], condition: "x = 'a'" }]);

function outcome(sql: string, source: DataSource, manifest = OPEN): string {
  try {
    const { sql: printed, warnings } = planned(sql, manifest, { source });
    return warnings[0]?.code ?? printed;
  } catch (error) {
    if (error instanceof PlannerError) return error.reason;
    throw error;
  }
}

const LISTS: readonly DataSource[] = [
  "athena",
  "bigquery",
  "canner",
  "clickhouse",
  "databricks",
  "doris",
  "duckdb",
  "mssql",
  "mysql",
  "oracle",
  "redshift",
  "snowflake",
  "spark",
  "trino",
];

describe.each(LISTS)("the list of %s", (source) => {
  const { unlisted } = targetOf(source);
  const names = [...(unlisted.pure?.() ?? [])].map(([lower, { name }]) => [lower, name] as const);

  test("has names that are spelt as themselves", () => {
    expect(names.length).toBeGreaterThan(20);
    for (const [lower, name] of names) expect([lower, /^[A-Za-z_]\w*$/.test(name)]).toEqual([name.toLowerCase(), true]);
  });

  test("names nothing that is forbidden, and nothing that changes with time or chance", () => {
    const unwanted = names.filter(([lower]) => isForbidden(lower, unlisted.forbidden) || UNWANTED.test(lower));
    expect(unwanted).toEqual([]);
  });

  test("names nothing that the catalogue knows as another value", () => {
    const known = names.filter(([lower]) => findFunction(lower)?.safety === "random");
    expect(known).toEqual([]);
  });
});

/** Sources without a proven fence, on which a function of the source's own may fail over a row that a rule excludes. */
const UNFENCED: readonly string[] = [...PLAIN_SOURCES, "athena", "canner"];

/** Parts of names that read files, addresses, sessions or other tables, wait, or raise on purpose. */
const UNWANTED =
  /sleep|benchmark|^url$|^file|^s3|http|dict(?!inct)|joinget|current|session|user|^host|version|setting|secret|system|getddl|get_ddl|rand|uuid_short|throw|raise|^error$|lock|load|openrowset|openquery|invoke|java_|reflect|utl_|dbms|sys_context|keyring|audit|extractvalue|updatexml|nextval|sequence_next/;

describe.each([
  ["clickhouse", "todate(x)", 'SELECT toDate("t"."x")'],
  ["clickhouse", "TOSTARTOFFIFTEENMINUTES(d)", 'SELECT toStartOfFifteenMinutes("t"."d")'],
  ["clickhouse", "uniqExact(x)", 'SELECT uniqExact("t"."x")'],
  ["clickhouse", "JSONExtractString(x, 'a')", `SELECT JSONExtractString("t"."x", 'a')`],
  ["clickhouse", "hex(x)", 'SELECT hex("t"."x")'],
  ["bigquery", "timestamp_millis(1)", "SELECT timestamp_millis(1)"],
  ["bigquery", "json_object('a', x)", "SELECT json_object('a', "],
  ["snowflake", "array_construct(x, x)", "SELECT array_construct("],
  ["snowflake", "get_path(x, 'a.b')", "SELECT get_path("],
  ["databricks", "get_json_object(x, '$.a')", "SELECT get_json_object("],
  ["spark", "named_struct('a', x)", "SELECT named_struct("],
  ["mssql", "eomonth(d)", "SELECT eomonth("],
  ["oracle", "months_between(d, d)", "SELECT months_between("],
  ["redshift", "convert_timezone('UTC', d)", "SELECT convert_timezone("],
  ["doris", "month_floor(d)", "SELECT month_floor("],
  ["duckdb", "dayname(d)", "SELECT dayname("],
  ["local_file", "jaro_winkler_similarity(x, 'a')", "SELECT jaro_winkler_similarity("],
  ["trino", "url_extract_host(x)", "SELECT url_extract_host("],
  ["athena", "url_extract_host(x)", "SELECT url_extract_host("],
  ["mysql", "find_in_set('a', x)", "SELECT find_in_set("],
] as const)("on %s", (source, call, printed) => {
  test(`${call} is sent on without a warning`, () =>
    expect(outcome(`SELECT ${call} FROM t`, source)).toContain(printed));

  test(`${call} is planned under a row rule where a fence is proven, and refused elsewhere`, () => {
    const called = outcome(`SELECT ${call} FROM t`, source, RULED);
    if (UNFENCED.includes(source)) expect(called).toBe("UNSUPPORTED_ON_SOURCE");
    else expect(called).toContain(printed);
  });

  test("a function that is on no list is refused, or passes with a warning where no rule is active", () => {
    const passes = ["trino", "athena"].includes(source);
    expect(outcome("SELECT frobnicate(x) FROM t", source)).toBe(passes ? "UNKNOWN_FUNCTION" : "FUNCTION_NOT_FOUND");
    expect(outcome("SELECT frobnicate(x) FROM t", source, RULED)).not.toMatch(/^SELECT|^UNKNOWN/);
  });
});

test("a misspelt function of a list is named with the near one", () => {
  const failure = (() => {
    try {
      return planned("SELECT toStartOfMonht(d) FROM t", OPEN, { source: "clickhouse" });
    } catch (error) {
      return error;
    }
  })();
  expect(failure).toMatchObject({ suggestions: expect.arrayContaining(["toStartOfMonth"]) });
});
