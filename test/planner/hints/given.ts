/** The hints that the planner gives for the constructs of the record and for the statements of `written-out.ts`, each with the sources that give it. */
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { constructsFor } from "../../sent-sql/statements.ts";
import { planned } from "../../support/plan.ts";
import { PLANNED_SOURCES, type StatementGroup } from "../../support/statements.ts";
import { ordersOn } from "../describe/orders.ts";
import { WRITTEN_OUT } from "./written-out.ts";

/** The refusal of the statement on the source, if the source does not support it. */
export function refusalOf(
  sql: string,
  source: DataSource,
  manifest: StatementGroup["manifest"] = ordersOn(source),
): PlannerError | undefined {
  try {
    planned(sql, manifest, { source, options: { unknownFunctions: "refuse" } });
    return undefined;
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    return error;
  }
}

export interface Given {
  /** The sources that give the hint. */
  readonly sources: Set<DataSource>;
  /** The first statement that it was given for. */
  readonly sql: string;
}

/** Hints of what a source does not support, which the same statement's text does not show. */
export function givenHints(): ReadonlyMap<string, Given> {
  const hints = new Map<string, Given>();
  for (const source of PLANNED_SOURCES) {
    const orders = ordersOn(source);
    const asked = { name: "asked", manifest: orders, statements: WRITTEN_OUT.map((each) => each.asked) };
    for (const { manifest, statements } of [...constructsFor(source), asked]) {
      for (const sql of statements) {
        const refusal = refusalOf(sql, source, manifest);
        if (refusal?.reason !== "UNSUPPORTED_ON_SOURCE" || refusal.hint === undefined) continue;
        const given = hints.get(refusal.hint) ?? { sources: new Set(), sql };
        given.sources.add(source);
        hints.set(refusal.hint, given);
      }
    }
  }
  return hints;
}

/** Whether a hint holds SQL: a call, an operator, a quoted text or a word in capitals. Names of settings and documents are none. */
export const holdsSql = (hint: string): boolean =>
  SQL.test(hint.replace(/\bROW_RULES=\w+|\bUTC\b|model's own SQL/g, ""));

const SQL = /\w\(|[=<>|]|->|'[^' ]|\b[A-Z]{2,}\b/;
