/** ANY and ALL of a query by its least or greatest value. The engines run it: `test/parity/constructs.ts`, "ANY and ALL of a query". */
import { describe, expect, test } from "vitest";
import type { DataSource } from "../../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const MANIFEST = manifestOfTable({ n: "INTEGER", s: "VARCHAR", w: "DOUBLE" });

const sent = (source: DataSource, condition: string): string =>
  planned(`SELECT n FROM t WHERE ${condition}`, MANIFEST, { source }).sql;

describe.each<DataSource>(["bigquery", "redshift", "doris", "spark"])("%s", (source) => {
  test.each([
    ["n > ALL (SELECT u.n FROM t AS u)", "max("],
    ["n >= ANY (SELECT u.n FROM t AS u)", "min("],
    ["n < ALL (SELECT u.n FROM t AS u)", "min("],
    ["n <= ANY (SELECT u.n FROM t AS u)", "max("],
  ])("%s", (condition, deciding) => {
    const sql = sent(source, condition).toLowerCase();
    expect(sql).toContain(`select ${deciding}`);
    // Without rows, and with a NULL among them.
    expect(sql).toContain("select count(*)");
    expect(sql).toContain("then null");
  });
});

describe.each<DataSource>(["bigquery", "redshift", "doris"])("%s refuses", (source) => {
  test.each([
    "n > ALL (SELECT u.n FROM t AS u WHERE u.s = t.s)",
    "s > ALL (SELECT u.s FROM t AS u)",
    "w > ALL (SELECT u.w FROM t AS u)",
  ])("%s", (condition) => {
    expect(() => sent(source, condition)).toThrow("> ALL of a query");
  });
});
