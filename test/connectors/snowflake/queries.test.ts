import { describe, expect, it } from "vitest";
import { assertQuery } from "../../../src/connectors/snowflake/queries.ts";

describe("a procedure", () => {
  it.each([
    "WITH p AS PROCEDURE () RETURNS INT AS 'x' CALL p()",
    "WITH p as\n\tprocedure () CALL p()",
    "WITH p AS/**/PROCEDURE () CALL p()",
    "WITH p AS /* a */ /* b */ PROCEDURE () CALL p()",
    "WITH p AS -- a\nPROCEDURE () CALL p()",
    "WITH p AS // a\n  PROCEDURE () CALL p()",
    "WITH p AS --\nPROCEDURE () CALL p()",
    "WITH p AS -- a\n/* b */\n-- c\n\nPROCEDURE () CALL p()",
    "SELECT '/*', q.* FROM (WITH p AS PROCEDURE () CALL p()) q -- '*/'",
    "SELECT '/*' AS a FROM p AS /*x*/ PROCEDURE, '*/'",
  ])("is refused: %s", (sql) => {
    expect(() => assertQuery(sql)).toThrow(expect.objectContaining({ reason: "SOURCE_INVALID_SQL" }));
  });
});

describe("a query", () => {
  it.each([
    "SELECT 'procedure' AS a",
    'SELECT "PROCEDURE" AS "a" FROM t',
    "SELECT a AS procedures FROM t",
    "SELECT has procedure FROM t",
    "SELECT 1\nPROCEDURE",
  ])("is sent: %s", (sql) => {
    expect(() => assertQuery(sql)).not.toThrow();
  });
});
