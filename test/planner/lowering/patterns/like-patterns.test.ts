import { describe, expect, test } from "vitest";
import type { DataSource } from "../../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ s: "VARCHAR", p: "VARCHAR" });

/** Sources without ILIKE, which compare both sides in lower case. */
describe.each<DataSource>(["clickhouse", "mssql", "mysql", "redshift", "spark", "trino"])("on %s", (source) => {
  const sqlOf = (condition: string): string => planned(`SELECT s FROM t WHERE ${condition}`, manifest, { source }).sql;

  // In lower case its pattern would have other escapes.
  test.each(["s ILIKE p ESCAPE 'a'", "s ILIKE p ESCAPE 'A'", "s NOT ILIKE p ESCAPE 'É'"])(
    "%s is refused",
    (condition) => {
      expect(() => sqlOf(condition)).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE" }));
    },
  );
});

test.each<DataSource>(["spark", "trino"])("a computed pattern keeps a sign as its ESCAPE on %s", (source) => {
  expect(planned("SELECT s FROM t WHERE s ILIKE p ESCAPE '!'", manifest, { source }).sql).toMatch(
    /lower\(\S+\) LIKE lower\(\S+\) ESCAPE '!'/i,
  );
});
