/**
 * The barriers of `ROW_RULES=besteffort` under the attacks of `fences.test.ts`, on engines that run here, in place of their proven
 * fences. It shows nothing about the sources that are sent these forms; a form that leaks here would not be offered on their kind.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { type BarrierName, withBarriers } from "./fences/barriers.ts";
import { describeFence } from "./fences/describe.ts";
import { openDuckDbEngine, openPostgresEngine } from "./fences/engines.ts";
import { openMySqlEngine } from "./fences/mysql-engines.ts";

/** The whole list is attacked by `npm run barriers`. */
const FORMS = [
  "ranked",
  "ranked and limited",
  "ranked, guarded, a condition inside",
  "ranked and limited, guarded, a condition inside",
  "copied in order",
] as const satisfies readonly BarrierName[];

describe.each(FORMS)("PostgreSQL: %s", (fence) => {
  describeFence({
    open: () => withBarriers(openPostgresEngine(400)),
    fence,
    predicates: ["cast to integer", "division", "regular expression"],
    modes: ["defaults", "merge joins"],
    leaks: [{ fence: "none", rule: "OR" }],
  });
});

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    // MySQL refuses a window in the order of a constant.
    describe.each(flavor === "mysql" ? (["ranked and limited", "copied in order"] as const) : FORMS)("%s", (fence) => {
      describeFence({
        open: () => withBarriers(openMySqlEngine(flavor, 40)),
        fence,
        predicates: ["overflow"],
        modes: ["defaults"],
        leaks: [],
      });
    });
  });
}

const directory = mkdtempSync(join(tmpdir(), "siskin-barriers-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe.each(FORMS)("DuckDB, which computes functions over dictionaries: %s", (fence) => {
  describeFence({
    open: () => withBarriers(openDuckDbEngine(400, mkdtempSync(join(directory, "file-")))),
    fence,
    predicates: ["cast to integer", "json access"],
    modes: ["Parquet"],
    rules: ["literal", "IN (subquery)", "to-many column"],
    leaks: [{ fence: "none", rule: "literal" }],
  });
});
