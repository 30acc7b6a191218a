/** Times of day on targets that have no type for them, or do not compute with it: what is planned as arithmetic, and what is refused. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../../src/planner/plan.ts";
import { manifestOf, manifestOfTable, planned } from "../../../support/plan.ts";

const COLUMNS = {
  n: "INTEGER",
  w: "DOUBLE",
  s: "VARCHAR",
  d: "DATE",
  a: "TIMESTAMP",
  z: "TIMESTAMPTZ",
  c: "TIME",
  e: "TIME",
};
const manifest = manifestOfTable(COLUMNS);

/** The statement as it is sent, or why it is refused. */
function sent(sql: string, source: DataSource, of = manifest): string {
  try {
    return planned(sql, of, { source }).sql;
  } catch (error) {
    if (error instanceof PlannerError) return `refused: ${error.message.replace(/^not supported on [^:]+: /, "")}`;
    throw error;
  }
}

const NUMBERED = ["spark", "databricks", "oracle", "doris"] as const satisfies readonly DataSource[];
const TYPED = [
  "trino",
  "athena",
  "bigquery",
  "snowflake",
  "mysql",
  "mssql",
  "redshift",
] as const satisfies readonly DataSource[];

const PLANNED = [
  "SELECT c FROM t WHERE c >= '20:00' AND c <> TIME '23:59:59.999999' ORDER BY c DESC",
  "SELECT c, count(*) AS n FROM t GROUP BY c HAVING min(e) < '12:00'",
  "SELECT DISTINCT coalesce(c, e, '12:00') AS x FROM t",
  "SELECT a::time AS x, z::time AS y FROM t WHERE a::time BETWEEN c AND e",
  "SELECT extract(hour FROM c) AS h, extract(second FROM c) AS s, extract(epoch FROM c) AS x FROM t",
  "SELECT c + INTERVAL '90 minutes' AS x, c - n * INTERVAL '1 hour' AS y, c + n * INTERVAL '1 day' AS v FROM t",
  "SELECT d + c AS x, CAST(a AS timestamp) - c AS y FROM t",
  "SELECT c - e AS x, extract(epoch FROM c - e) AS y, extract(day FROM c - e) AS v FROM t WHERE c - e > INTERVAL '1 hour'",
  "SELECT to_char(c, 'HH24:MI') AS x, to_char(c, 'FMHH12:MI:SS.MS AM') AS y FROM t",
  "SELECT '10:30 PM'::time AS x, NULL::time AS y FROM t",
] as const;

describe.each([...NUMBERED, ...TYPED])("%s", (source) => {
  test.each(PLANNED)("%s", (sql) => expect(sent(sql, source)).not.toContain("refused"));

  test.each([
    [
      "SELECT c - w * INTERVAL '1 hour' AS x FROM t",
      /refused: (multiplying a compound interval|an interval of a computed)/,
    ],
    ["SELECT CAST(c AS time(2)) AS x FROM t", /refused/],
    ["SELECT extract(month FROM c) AS x FROM t", /refused|EXTRACT|extract/],
    ["SELECT c + c AS x FROM t", /refused/],
  ])("%s is refused", (sql, reason) => expect(sent(sql, source)).toMatch(reason));
});

describe.each(NUMBERED)("%s, where times are numbers", (source) => {
  test.each([
    ["SELECT array_agg(c) AS x FROM t", "refused: an array of times of day"],
    ["SELECT json_build_object('at', c) AS x FROM t", "refused: json_build_object of a time of day"],
    ["SELECT CAST(a AS timetz) AS x FROM t", "refused: a time of day with a zone"],
    ["SELECT date_trunc('hour', c) AS x FROM t", "refused: date_trunc of a time of day"],
  ])("%s", (sql, reason) => expect(sent(sql, source)).toBe(reason));

  test("a text of a time raises, which a row rule does not allow", () => {
    const ruled = manifestOf({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "t",
          tableReference: { table: "t" },
          columns: Object.entries(COLUMNS).map(([name, type]) => ({ name, type })),
          rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "n = 1" }],
        },
      ],
    });
    expect(sent("SELECT c FROM t", source, ruled)).toMatch(
      /^refused: (the text of a time of day beside row rules|an expression that can fail, in a statement over the model "t")/,
    );
  });
});

test.each<[DataSource, string, string]>([
  [
    "spark",
    "SELECT a::time AS x FROM t",
    "SELECT pmod(unix_micros(CAST(`t`.`a` AS TIMESTAMP_LTZ)), 86400000000) AS `x` FROM `t` AS `t`",
  ],
  [
    "oracle",
    "SELECT a::time AS x FROM t",
    `SELECT TO_NUMBER(TO_CHAR(CAST("t"."a" AS TIMESTAMP(6)), 'SSSSSFF6')) AS "x" FROM "t" "t"`,
  ],
  [
    "redshift",
    "SELECT a::time AS x, TIME '10:00' AS y FROM t",
    "SELECT CAST(t.a AS TIME) AS x, CAST('10:00:00' AS TIME) AS y FROM t AS t",
  ],
  [
    "doris",
    "SELECT a::time AS x FROM t",
    "SELECT (CAST(EXTRACT(HOUR FROM `t`.`a`) * 3600 + EXTRACT(MINUTE FROM `t`.`a`) * 60 + EXTRACT(SECOND FROM `t`.`a`) AS BIGINT) * 1000000 + EXTRACT(MICROSECOND FROM `t`.`a`)) AS `x` FROM `t` AS `t`",
  ],
])("%s: %s", (source, sql, said) => expect(sent(sql, source)).toBe(said));
