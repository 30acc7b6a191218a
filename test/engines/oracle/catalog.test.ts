/** The connector's queries on Oracle's catalogue, checked by both grammars: no server is available to verify them. */
import { describe, expect, it } from "vitest";
import { ORACLE_CATALOG } from "../../../src/connectors/catalog/oracle.ts";
import { ORACLE_GRAMMAR } from "./grammar.ts";

const { tables, columns, primaryKeys, foreignKeys, schemas, version } = ORACLE_CATALOG;
const QUERIES = Object.entries({ tables, columns, primaryKeys, foreignKeys, schemas, version });

describe.skipIf(!ORACLE_GRAMMAR.isThere())("the catalogue's queries", () => {
  const judge = ORACLE_GRAMMAR.isThere() ? ORACLE_GRAMMAR.open() : () => [];
  it.each(QUERIES)("%s is one query of Oracle's", (_name, sql = "") => {
    expect(judge([sql])).toEqual([undefined]);
  });

  it.each(["SELECT p.product FROM product_component_version AS p", "SELECT 1; SELECT 2 FROM dual"])(
    "which %s is not",
    (sql) => {
      expect(judge([sql])).not.toEqual([undefined]);
    },
  );
});
