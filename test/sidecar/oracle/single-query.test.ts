import { describe, expect, it } from "vitest";
import { checkSingleQuery } from "../../../sidecar/oracle/single-query.ts";

describe("one query", () => {
  it.each([
    "SELECT 1 FROM dual",
    " \n\tselect 1 from dual  ",
    "(SELECT 1 FROM dual) UNION ALL (SELECT 2 FROM dual)",
    "WITH x AS (SELECT 1 AS n FROM dual) SELECT n FROM x",
    "-- DROP TABLE t\nSELECT 1 FROM dual -- FOR UPDATE",
    "/* DROP TABLE t; */ SELECT 1 FROM dual",
    "SELECT 'it''s; FOR UPDATE' AS \"INSERT\" FROM dual",
    "SELECT q'[it's; FOR UPDATE]', Nq'!it's; DROP!', n'真; LOCK' FROM dual",
    "SELECT q'{}}', q'<'>', q'('()' FROM dual",
    "SELECT updated, inserted_at, t.drop$ FROM t",
    "SELECT 1.5e3d, 0xF FROM t MODEL DIMENSION BY (a) MEASURES (b) RULES ()",
    "SELECT f(x) AS function FROM t",
    "SELECT a FROM t ORDER BY a FETCH FIRST 3 ROWS WITH TIES",
  ])("%s", (sql) => {
    expect(() => checkSingleQuery(sql)).not.toThrow();
  });
});

describe("anything else is refused", () => {
  it.each([
    "",
    "-- nothing",
    "/* SELECT 1 */",
    "/* SELECT 1",
    "DROP TABLE t",
    "BEGIN NULL; END;",
    "; SELECT 1 FROM dual",
    "SELECT 1 FROM dual;",
    "SELECT 1 FROM dual; DROP TABLE t",
    "SELECT a FROM t FOR UPDATE",
    "SELECT a FROM t FOR/**/update OF a NOWAIT",
    "SELECT a INTO b FROM t",
    "WITH FUNCTION f RETURN NUMBER IS BEGIN RETURN 1; END; SELECT f FROM dual",
    "WITH /* a */ procedure p IS BEGIN NULL; END; SELECT 1 FROM dual",
    "SELECT /*+ WITH_PLSQL */ * FROM (WITH FUNCTION f RETURN NUMBER IS BEGIN RETURN 1; END; SELECT f FROM dual)",
    "WITH x AS (SELECT 1 AS n FROM dual) DELETE FROM t",
    "EXPLAIN PLAN FOR SELECT 1 FROM dual",
    "LOCK TABLE t IN EXCLUSIVE MODE",
    // Words that look quoted but are not.
    "SELECT '' FROM t FOR UPDATE --'",
    "SELECT q'[a]' FROM t FOR UPDATE --]'",
    "SELECT '\\' FROM t FOR UPDATE --'",
    "SELECT q'[a FROM t",
    "SELECT 'a FROM t",
    'SELECT "a FROM t',
    "SELECT 1 /* a /* b */ FROM t FOR UPDATE /* */",
  ])("%j", (sql) => {
    expect(() => checkSingleQuery(sql)).toThrow("Only queries are run, one at a time");
  });
});
