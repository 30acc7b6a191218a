/**
 * Functions that the catalogue does not have, while no rule is active (docs/decisions/0019-functions.md#decision): what may be sent
 * on to PostgreSQL with a warning, and what never is. On DuckDB nothing is: its functions plan texts of SQL, tell of tables and
 * settings, and end its process (`json_structure` of 50,000 nested objects).
 */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { FORBIDDEN_FUNCTIONS } from "../../src/planner/dialects/forbidden.ts";
import { findFunction } from "../../src/planner/functions/catalogue.ts";
import { isForbidden } from "../../src/planner/functions/safety.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { manifestOf, planned } from "../support/plan.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [{ name: "t", tableReference: { schema: "sales", table: "t" }, columns: [{ name: "x", type: "VARCHAR" }] }],
});

/** Without a source it is the input language that is printed. */
function outcome(sql: string, source: DataSource | undefined): string {
  try {
    const [warning] = planned(sql, manifest, { source }).warnings;
    return warning?.code ?? "planned";
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    expect(error.span && sql.slice(error.span.start, error.span.end)).toContain("(");
    return error.reason;
  }
}

describe.each([
  // PostgreSQL's own functions pass on PostgreSQL as before, and are refused by name on others.
  ["jsonb_path_query_first(x, '$.a')", "UNKNOWN_FUNCTION", "UNSUPPORTED_ON_SOURCE"],
  ["pg_catalog.tsvector_to_array(x)", "UNKNOWN_FUNCTION", "UNSUPPORTED_ON_SOURCE"],
  ["websearch_to_tsquery(x)", "UNKNOWN_FUNCTION", "UNSUPPORTED_ON_SOURCE"],
  ["erf(1)", "UNKNOWN_FUNCTION", "UNSUPPORTED_ON_SOURCE"],
  // An unknown function may be the database's own.
  ["frobnicate(x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
  ["sales.frobnicate(x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
  ["SALES.frobnicate(x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
  ["s.frobnicate(x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
  ["soundex(x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
  // A function of another schema.
  ["other.frobnicate(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ["pg_catalog.frobnicate(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ["pg_temp.upper(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ["aws_s3.query_export_to_s3(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ["aws_lambda.invoke(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ["duckdb.raw_query(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ["sales.query_export_to_s3(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ["sales.dblink_exec(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  // Known as bad wherever they are.
  ["run_command_on_workers(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ["bt_page_items(x, 1)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ["regclassin(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ["regclass(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ["to_regclass(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  // DuckDB's own, of which some plan SQL, tell of the file system, or end the process.
  ["json_serialize_plan('SELECT 1')", "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
  ["stats(x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
  ["json_structure(x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
  ["json_transform(x, x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
  ["from_json(x, x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
  ["main.abs(1)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ['"abs.abs"(1)', "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
  ['s."abs"(1)', "UNKNOWN_FUNCTION", "FUNCTION_NOT_FOUND"],
] as const)("%s", (call, onPostgres, onDuckDb) => {
  test("on PostgreSQL", () => expect(outcome(`SELECT ${call} FROM t`, "postgres")).toBe(onPostgres));
  test("on DuckDB", () => expect(outcome(`SELECT ${call} FROM t`, "duckdb")).toBe(onDuckDb));
});

describe("words that are a dangerous function on one source alone", () => {
  test.each<[call: string, postgres: string, input: string]>([
    ["view(x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_ALLOWED"],
    ["merge(x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_ALLOWED"],
    ["input(x)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_ALLOWED"],
    ["sleep(1)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_ALLOWED"],
    ["reflect('java.lang.System', 'exit', 1)", "UNKNOWN_FUNCTION", "FUNCTION_NOT_ALLOWED"],
    ["java_method('java.lang.System', 'getenv')", "UNKNOWN_FUNCTION", "FUNCTION_NOT_ALLOWED"],
    ["SECRET('a', 'b')", "UNKNOWN_FUNCTION", "FUNCTION_NOT_ALLOWED"],
    ["query('select 1')", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
    ["sales.invoke(x)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
    ["unschedule(1)", "FUNCTION_NOT_ALLOWED", "FUNCTION_NOT_ALLOWED"],
  ])("%s", (call, postgres, input) => {
    expect(outcome(`SELECT ${call} FROM t`, "postgres")).toBe(postgres);
    expect(outcome(`SELECT ${call} FROM t`, undefined)).toBe(input);
  });

  test.each(["columns('x')", "glob(x)", "query('select 1')", "QUERY_TABLE('t')", "summary(x)"])(
    "%s on DuckDB",
    (call) => expect(outcome(`SELECT ${call} FROM t`, "duckdb")).toBe("FUNCTION_NOT_ALLOWED"),
  );

  test("no function of the catalogue is one, nor what is refused everywhere", () => {
    for (const names of Object.values(FORBIDDEN_FUNCTIONS)) {
      for (const name of names) {
        expect(findFunction(name), name).toBeUndefined();
        expect(isForbidden(name, new Set()), name).toBe(false);
        expect(name).toBe(name.toLowerCase());
      }
    }
  });
});
