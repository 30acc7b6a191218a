/**
 * The connector's queries on SQL Server's catalogue, checked by a grammar of T-SQL: no server is available to verify
 * them.
 */
import { describe, expect, it } from "vitest";
import { checkSingleQuery } from "../../../sidecar/mssql/single-query.ts";
import { MSSQL_CATALOG } from "../../../src/connectors/catalog/mssql.ts";
import { T_SQL } from "./grammar.ts";

const { tables, columns, primaryKeys, foreignKeys, schemas, version } = MSSQL_CATALOG;
const QUERIES = Object.entries({ tables, columns, primaryKeys, foreignKeys, schemas, version });

describe.skipIf(!T_SQL.isThere())("the catalogue's queries", () => {
  const judge = T_SQL.isThere() ? T_SQL.open() : () => [];
  it.each(QUERIES)("%s is one query of T-SQL", (_name, sql = "") => {
    expect(judge([sql])).toEqual([undefined]);
    expect(() => checkSingleQuery(sql)).not.toThrow();
  });
});
