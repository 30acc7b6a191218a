/** Plans one statement over the table `t` and prints `planned` or the reason of the refusal: `plan-one.ts SOURCE SQL`. */
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../support/plan.ts";

const [, , source, sql] = process.argv;
const manifest = manifestOfTable({ i: "INTEGER", d: "DECIMAL(10,2)", s: "VARCHAR", at: "DATETIME", day: "DATE" });

try {
  planned(sql ?? "", manifest, { source: source as DataSource });
  process.stdout.write("planned\n");
} catch (error) {
  if (!(error instanceof PlannerError)) throw error;
  process.stdout.write(`${error.reason}\n`);
}
