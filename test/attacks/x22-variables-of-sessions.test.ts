/** No text of a caller or a manifest assigns variables, writes files or runs comments on MySQL, MariaDB and Doris. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { manifestOf, planned } from "../support/plan.ts";

const SOURCES: readonly DataSource[] = ["mysql", "doris"];

function reasonOf(run: () => { readonly sql: string }): string {
  try {
    return `planned: ${run().sql}`;
  } catch (error) {
    if (error instanceof PlannerError) return error.reason;
    throw error;
  }
}

const withExpression = (expression: string) =>
  manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "t",
        tableReference: { table: "t" },
        columns: [
          { name: "made", type: "VARCHAR", expression },
          { name: "note", type: "VARCHAR" },
        ],
      },
    ],
  });
const withQuery = (refSql: string) =>
  manifestOf({
    catalog: "c",
    schema: "s",
    models: [{ name: "t", refSql, columns: [{ name: "note", type: "VARCHAR" }] }],
  });

describe.each(SOURCES)("%s", (source) => {
  test.each([
    "@x := note",
    "@x:=note",
    "(@x /* c */ := note)",
    "concat(note, @`x` := note)",
    "concat(note, @'x' := note)",
    "@x",
    "coalesce(@x, note)",
    "(SELECT note INTO @x FROM t)",
    "(SELECT note FROM t INTO OUTFILE '/tmp/x')",
    "(SELECT note FROM t INTO DUMPFILE '/tmp/x')",
    "/*! note */ 1",
    "/*!80000 @x := note */ 1",
    "note; SET @x = 1",
  ])("an expression of a manifest: %s", (expression) => {
    expect(reasonOf(() => planned("SELECT made FROM t", withExpression(expression), { source }))).toBe(
      "MANIFEST_EXPRESSION",
    );
  });

  test.each([
    "SELECT @x := note AS note FROM t",
    "SELECT note FROM t WHERE (@n := @n + 1) > 0",
    "SELECT note FROM t INTO @x",
    "SELECT note INTO @x FROM t",
    "SELECT note FROM t INTO OUTFILE '/tmp/x'",
    "SELECT note FROM t PROCEDURE ANALYSE()",
    "SELECT note FROM t, (SELECT @n := 0) v",
    "SELECT /*! STRAIGHT_JOIN */ note FROM t",
  ])("a refSql: %s", (refSql) => {
    expect(reasonOf(() => planned("SELECT note FROM t", withQuery(refSql), { source }))).toBe("MANIFEST_EXPRESSION");
  });

  test.each(["SELECT /*+ SET_VAR(sql_mode = '') */ note FROM t", "SELECT /*M! SQL_NO_CACHE */ note FROM t"])(
    "hints are left out: %s",
    (refSql) => {
      expect(planned("SELECT note FROM t", withQuery(refSql), { source }).sql).not.toMatch(/SET_VAR|SQL_NO_CACHE/);
    },
  );

  test.each(["`into`", "t.into", "`a@b`", "'@x := 1'", "concat('a', ':=', note)", "@@max_allowed_packet"])(
    "what is no variable of the session is carried over: %s",
    (expression) => {
      expect(planned("SELECT made FROM t", withExpression(expression), { source }).sql).toContain(expression);
    },
  );

  test.each([
    "SELECT @x := note FROM t",
    "SELECT (@x := note) FROM t",
    "SELECT @x FROM t",
    "SELECT @@version FROM t",
    "SELECT note INTO @x FROM t",
    "SELECT note FROM t INTO OUTFILE '/tmp/x'",
    "SELECT find_in_set(x := note, note) FROM t",
    "SELECT concat(x := note) FROM t",
  ])("a caller's statement: %s", (sql) => {
    expect(reasonOf(() => planned(sql, withQuery("SELECT note FROM t"), { source }))).not.toMatch(/^planned/);
  });

  test.each(["SELECT /*! @x := */ note FROM t", "SELECT /*+ SET_VAR(sql_mode = '') */ note FROM t"])(
    "comments of a caller's statement are left out: %s",
    (sql) => {
      expect(reasonOf(() => planned(sql, withQuery("SELECT note FROM t"), { source }))).not.toMatch(/@x|SET_VAR/);
    },
  );
});
