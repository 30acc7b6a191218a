/**
 * The SQL sent to each source and server variant for each construct, or the reason and position of the refusal: a record that shows
 * every change of SQL in a diff. Words of messages are not part of it.
 */
import { createHash } from "node:crypto";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { variantsOf } from "../../src/planner/dialects/targets.ts";
import type { DataSource, VariantRange } from "../../src/planner/plan.ts";
import { planned } from "../support/plan.ts";
import { PLANNED_SOURCES, type StatementGroup } from "../support/statements.ts";
import { dialectFor } from "./dialects/dialects.ts";
import { constructsFor, otherStatementsFor } from "./statements.ts";

export interface Recorded {
  readonly source: DataSource;
  readonly variant?: VariantRange;
  /** Its file below `test/sent-sql/record/`, without the ending. */
  readonly name: string;
}

/** Such as `mysql-8.0.14` and `mysql-8.0.14-9.0`. */
const nameOf = ({ product, from, below }: VariantRange): string =>
  [product.toLowerCase().replaceAll(/\W+/g, "-"), from.join("."), below?.join(".")].filter(Boolean).join("-");

/** Every source, and every range of servers that has a plan of its own. */
export const RECORDED: readonly Recorded[] = PLANNED_SOURCES.flatMap((source) => [
  { source, name: source },
  ...variantsOf(source).map((variant) => ({ source, variant, name: `${source}.${nameOf(variant)}` })),
]);

/** The SQL that is sent, or `! reason offset..end` with the refused part of the statement. */
function answer(sql: string, { manifest, session }: StatementGroup, { source, variant }: Recorded): string {
  try {
    return planned(sql, manifest, {
      source,
      ...(variant === undefined ? {} : { variant }),
      ...(session === undefined ? {} : { session }),
      options: { unknownFunctions: "refuse" },
    }).sql;
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    const { reason, span } = error;
    return span === undefined ? `! ${reason}` : `! ${reason} ${span.start}..${span.end}`;
  }
}

const oneLine = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

/** The SQL in full: a line of the statement, a line of what is sent. */
const inFull = (groups: readonly StatementGroup[], recorded: Recorded): string =>
  groups
    .flatMap((group) => [
      `== ${group.name}`,
      ...group.statements.map((sql) => `${oneLine(sql)}\n  ${oneLine(answer(sql, group, recorded))}`),
    ])
    .concat("")
    .join("\n");

/** Each construct of the language. */
export const constructsOf = (recorded: Recorded): string => inFull(constructsFor(recorded.source), recorded);

/** Statements over little tables for which the dialect has SQL of its own. */
export const dialectOf = (recorded: Recorded): string => inFull(dialectFor(recorded.source), recorded);

/** The other statements: a line each, with a digest of the statement and one of the SQL that is sent, or the refusal. */
export const digestsOf = (recorded: Recorded): string =>
  otherStatementsFor(recorded.source)
    .flatMap((group) => [
      `== ${group.name}`,
      ...group.statements.map((sql) => {
        const sent = answer(sql, group, recorded);
        return `${digest(sql)} ${sent.startsWith("! ") ? sent : digest(sent)}`;
      }),
    ])
    .concat("")
    .join("\n");
