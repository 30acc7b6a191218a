/**
 * Names of control characters, of lone surrogates, empty and very long ones, on every dialect: a plan that holds the name letter by
 * letter, or a typed refusal. The error of a server that quotes such a name back is a typed failure, too.
 */
import { describe, expect, test } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { statementFailure } from "../../src/connectors/mysql/failures.ts";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { manifestOf, planned } from "../support/plan.ts";

const SOURCES: readonly DataSource[] = [
  "athena",
  "bigquery",
  "canner",
  "clickhouse",
  "databricks",
  "doris",
  "duckdb",
  "local_file",
  "mssql",
  "mysql",
  "oracle",
  "postgres",
  "redshift",
  "snowflake",
  "spark",
  "trino",
];

const CONTROLS = Array.from({ length: 0xa0 }, (_, code) => code)
  .filter((code) => code < 0x20 || code >= 0x7f)
  .map((code) => String.fromCharCode(code));
const NAMES: readonly (readonly [what: string, name: string])[] = [
  ...CONTROLS.map((name) => [`U+${name.charCodeAt(0).toString(16).padStart(4, "0")}`, name] as const),
  ["line breaks", "a\r\nb"],
  ["U+2028", "\u2028"],
  ["U+FEFF", "\ufeff"],
  ["U+202E", "\u202eabc"],
  ["a lone high surrogate", "a\ud800"],
  ["a lone low surrogate", "\udc00a"],
  ["quotes of all kinds", "\"'`][\\"],
  ["300 letters", "n".repeat(300)],
  ["100,000 letters", "n".repeat(100_000)],
  ["300 letters of four bytes", "😀".repeat(300)],
];

const columns = [{ name: "x", type: "INTEGER" }];
const plain = manifestOf({
  catalog: "c",
  schema: "s",
  models: [{ name: "t", tableReference: { table: "t" }, columns }],
});
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const statementsOf = (name: string): readonly string[] => [
  `SELECT ${quoted(name)}.x FROM t`,
  `SELECT ${quoted(name)}.x FROM t AS ${quoted(name)}`,
  `SELECT q.${quoted(name)} FROM (SELECT x AS ${quoted(name)} FROM t) q`,
  `WITH ${quoted(name)} AS (SELECT x FROM t) SELECT x FROM ${quoted(name)}`,
  `SELECT x FROM ${quoted(name)}`,
  `SELECT ${quoted(name)}(x) FROM t`,
];

/** How the statement ends: planned, or a typed refusal. Anything else is thrown on. */
function outcome(run: () => unknown): "planned" | "refused" {
  try {
    run();
    return "planned";
  } catch (error) {
    if (error instanceof PlannerError) return "refused";
    throw error;
  }
}

describe.each(SOURCES)("%s", (source) => {
  test.each(NAMES)("%s in a caller's statement", (_what, name) => {
    const others = name.length === 1 && name > "\n" && name !== "\u007f" ? [] : statementsOf(name);
    for (const sql of [`SELECT x.${quoted(name)} FROM t x`, `SELECT x AS ${quoted(name)} FROM t`, ...others]) {
      expect(["planned", "refused"]).toContain(outcome(() => planned(sql, plain, { source })));
    }
  });

  test.each(NAMES)("%s as the name of a column and a table of the source", (_what, name) => {
    const manifest = () =>
      manifestOf({
        catalog: "c",
        schema: "s",
        models: [{ name: "t", tableReference: { table: name }, columns: [{ name, type: "INTEGER" }] }],
      });
    expect(["planned", "refused"]).toContain(
      outcome(() => planned(`SELECT ${quoted(name)} FROM t`, manifest(), { source })),
    );
  });

  test("empty names are refused", () => {
    for (const sql of ['SELECT "" FROM t', 'SELECT x AS "" FROM t', 'SELECT x FROM t AS ""', 'SELECT x FROM ""']) {
      expect(["planned", "refused"]).toContain(outcome(() => planned(sql, plain, { source })));
    }
  });
});

describe("MySQL's and MariaDB's errors that quote a name", () => {
  const MESSAGES: readonly (readonly [number: number, state: string, message: (name: string) => string])[] = [
    [1054, "42S22", (name) => `Unknown column 'x.${name}' in 'field list'`],
    [1054, "42S22", (name) => `Unknown column '${name}' in 'SELECT'`],
    [1052, "23000", (name) => `Column '${name}' in field list is ambiguous`],
    [1146, "42S02", (name) => `Table 'db.${name}' doesn't exist`],
    [1305, "42000", (name) => `FUNCTION db.${name} does not exist`],
    [1064, "42000", (name) => `You have an error in your SQL syntax; check the manual near '${name}' at line 1`],
  ];
  test.each(NAMES)("%s", (_what, name) => {
    for (const [number, state, message] of MESSAGES) {
      const told = (): unknown =>
        statementFailure({ number, state, message: message(name) }, `SELECT x.\`${name}\` FROM t x`);
      expect(told).not.toThrow();
      expect(told()).toBeInstanceOf(ConnectorFailure);
    }
  });
});
