import { describe, expect, it } from "vitest";
import { checkSingleQuery } from "../../../sidecar/mssql/single-query.ts";

describe("one query", () => {
  it.each([
    "SELECT 1",
    " \n\tselect 1 ;  ",
    "(SELECT 1) UNION ALL (SELECT 2)",
    "WITH x AS (SELECT 1 AS n) SELECT n FROM x",
    "-- DROP TABLE t\nSELECT 1 -- DELETE FROM t",
    "/* DROP /* nested; */ TABLE t; */ SELECT 1",
    "SELECT 'it''s; DROP TABLE t' AS \"INSERT\", [DELETE ]] FROM] FROM [update]",
    "SELECT x.[drop], N'真; EXEC' FROM t AS x",
    "SELECT @@VERSION, created, updates, inserted_at, #drop FROM t",
    "SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT 3 ROWS ONLY",
    "SELECT a FROM t INNER MERGE JOIN u ON t.a = u.a OPTION (MERGE JOIN, MAXRECURSION 0)",
    "SELECT a FROM t OPTION (USE HINT ('FORCE_LEGACY_CARDINALITY_ESTIMATION'))",
    "SELECT a FROM t FOR XML PATH",
    "SELECT CASE WHEN a = 1 THEN 2 END FROM t",
    "SELECT IIF(a = 1, 2, 3), [set].value FROM t",
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
    "EXEC sp_who",
    "sp_who",
    "; SELECT 1",
    "SELECT 1; SELECT 2",
    "SELECT 1;;",
    "SELECT 1; DROP TABLE t",
    "SELECT 1 DROP TABLE t",
    "SELECT 1\nGO\nDROP TABLE t",
    "SELECT 1 AS a EXEC sp_who",
    "SELECT 1/**/execute('DROP TABLE t')",
    "SELECT * INTO t2 FROM t",
    "WITH x AS (SELECT 1 AS n) INSERT INTO t SELECT n FROM x",
    "WITH x AS (SELECT 1 AS n) DELETE FROM x",
    "WITH x AS (SELECT 1 AS n) UPDATE x SET n = 2",
    "WITH x AS (SELECT 1 AS n) MERGE t USING x ON 1 = 1 WHEN MATCHED THEN DELETE",
    "SELECT 1 MERGE t USING u ON 1 = 1",
    "SELECT 1 'a' SET DATEFIRST 7",
    "SELECT 1 USE master",
    "SELECT 1 SHUTDOWN",
    "SELECT 1 BEGIN TRANSACTION",
    "SELECT 1 COMMIT",
    "SELECT 1 WAITFOR DELAY '1:00'",
    "SELECT 1 KILL 53",
    "SELECT 1 IF 1 = 1 SELECT 2",
    "SELECT 1 DECLARE @x INT",
    "SELECT 1 REVERT",
    "SELECT * FROM OPENROWSET(BULK '/etc/passwd', SINGLE_CLOB) AS x",
    "SELECT * FROM openquery(other, 'DROP TABLE t')",
    "SELECT * FROM OPENDATASOURCE('x', 'y').a.b.c",
    // Words that look quoted but are not.
    "SELECT '' DROP TABLE t --'",
    'SELECT "" DROP TABLE t --"',
    "SELECT 1 AS [a]]b] DROP TABLE t --]",
    "SELECT '\\' DROP TABLE t --'",
    "SELECT 1 /* a /* b */ */ DROP TABLE t",
  ])("%j", (sql) => {
    expect(() => checkSingleQuery(sql)).toThrow("Only queries are run, one at a time.");
  });
});
