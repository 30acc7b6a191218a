/** Plans a query for a source, runs it there, and says what came of it: the four outcomes of docs/evidence/parity.md. */
import type { Statement } from "../../src/connectors/connector.ts";
import { withTimes } from "../../src/connectors/numbered-times.ts";
import { withReals } from "../../src/connectors/rounded-reals.ts";
import { withIntervals } from "../../src/connectors/time-lengths.ts";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { Manifest } from "../../src/planner/index.ts";
import { type DataSource, type Plan, type SessionSetting, statementOf } from "../../src/planner/plan.ts";
import type { Column, LogicalType } from "../../src/result/types.ts";
import { readCells } from "../support/canonical-cells.ts";
import {
  type ActualCell,
  type ActualRows,
  type ExpectedCell,
  type ExpectedRows,
  listText,
  rowsDiffer,
} from "../support/comparator.ts";
import { type PlanSettings, plannedOn } from "../support/plan.ts";
import type { OpenedSource } from "../support/sources.ts";

/** Some statements of TPC-DS take Trino half a minute to plan. */
const PATIENCE_MS = 110_000;

/** *wrong* is the only unforgivable one. */
export type Verdict =
  | { readonly outcome: "right" }
  | { readonly outcome: "refused" | "engine error" | "wrong"; readonly detail: string };

/** A refusal or failure instead of an answer. */
export type NoAnswer = Exclude<Verdict, { outcome: "right" }>;

export interface Answer {
  readonly columns: readonly Column[];
  readonly names: readonly string[];
  readonly rows: ActualRows;
}

const RIGHT: Verdict = { outcome: "right" };

/** The answer, or a refusal or failure as a verdict. */
export async function ask(
  sql: string,
  manifest: Manifest,
  source: DataSource,
  opened: OpenedSource,
  settings: PlanSettings = {},
): Promise<Answer | NoAnswer> {
  return askPlan(() => plannedOn(opened.variant, sql, manifest, { source, ...settings }), source, opened);
}

/** The answer to what `make` plans. */
export async function askPlan(make: () => Plan, source: DataSource, opened: OpenedSource): Promise<Answer | NoAnswer> {
  try {
    const plan = make();
    const stream = await opened.connector.query(statementOf(plan), {
      signal: new AbortController().signal,
      timeoutMs: PATIENCE_MS,
      isolation: "tests",
    });
    const numbers = withIntervals(withReals(stream, plan.columns, source), plan.columns);
    const { columns, rows } = await readCells(withTimes(numbers, plan.columns));
    return { columns, rows, names: plan.columns.map((column) => column.name) };
  } catch (error) {
    if (error instanceof PlannerError) return { outcome: "refused", detail: `${error.reason}: ${error.message}` };
    const detail = error instanceof Error ? error.message : String(error);
    // A fault that only a row's value shows is raised by the plan itself.
    return detail.includes("not supported on")
      ? { outcome: "refused", detail: `UNSUPPORTED_ON_SOURCE: ${detail}` }
      : { outcome: "engine error", detail };
  }
}

/** MySQL has one error for all that its plans raise (`src/connectors/mysql/failures.ts`). */
const RAISED =
  /A text (?:cannot be read|is no date)|An array of no values|A date or time beyond|The text of a json object, array|A value cannot be read as the type|keys are not searched in a JSON array/;

/** For a statement that PostgreSQL answers: an error that the plan raises over a row's value counts as a rejection. */
export const raisedAsRefused = (answer: Answer | NoAnswer): Answer | NoAnswer =>
  "outcome" in answer && RAISED.test(answer.detail) ? { outcome: "refused", detail: answer.detail } : answer;

/** The engine's own answer to the text, with nothing planned. Numbers become what a plan means by them if its columns are given. */
export async function askAsWritten(
  sql: string,
  opened: OpenedSource,
  settings: readonly SessionSetting[] = [],
  tables: readonly string[] = [],
  meant: Statement["columns"] = [],
): Promise<Answer | NoAnswer> {
  const reads = tables.map((table) => ({ model: table, columns: [], physical: { table } }));
  const statement = { sql, columns: [], session: [{ name: "TimeZone", value: "UTC" }, ...settings], reads };
  try {
    const stream = await opened.connector.query(statement, {
      signal: new AbortController().signal,
      timeoutMs: PATIENCE_MS,
      isolation: "tests",
    });
    const { columns, rows } = await readCells(withTimes(withIntervals(stream, meant), meant));
    return { columns, rows, names: columns.map((column) => column.name) };
  } catch (error) {
    return { outcome: "engine error", detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Against committed rows and names. */
export function judgeRows(
  answer: Answer,
  expected: { readonly columns: readonly string[]; readonly rows: ExpectedRows },
  ordered: boolean,
): Verdict {
  const difference = rowsDiffer(expected.rows, answer.rows, ordered);
  if (difference !== undefined) return { outcome: "wrong", detail: difference };
  if (answer.names.join("\n") === expected.columns.join("\n")) return RIGHT;
  return { outcome: "wrong", detail: `columns ${answer.names.join(", ")}` };
}

/** How two answers are compared: rows in order, unless the query leaves it open; JSON as it is written, or by its value. */
export interface Comparison {
  readonly ordered: boolean;
  readonly json: "text" | "value";
}

/** Against another engine's answer to the same query. */
export function judgeAgainst(
  reference: Answer,
  answer: Answer,
  { ordered, json }: Comparison = { ordered: true, json: "text" },
): Verdict {
  const types = reference.columns.map((column) => column.type);
  const expected = reference.rows.map((row) =>
    row.map((cell, index) => {
      const type = types[index];
      return type?.kind === "json" && json === "value" && cell !== null
        ? { jsonb: String(cell) }
        : asExpected(cell, type);
    }),
  );
  const difference = rowsDiffer(expected, answer.rows, ordered);
  if (difference !== undefined) return { outcome: "wrong", detail: difference };
  const [own, other] = [answer.columns.map((column) => family(column.type)), types.map(family)];
  if (answer.rows.length === 0 || own.join() === other.join()) return RIGHT;
  return { outcome: "wrong", detail: `types ${own.join(", ")} instead of ${other.join(", ")}` };
}

/** Beside whatever came of it on the other engine: what raises there has to raise here too, or be refused. */
export function judgeBeside(reference: Answer | NoAnswer, answer: Answer | NoAnswer, comparison?: Comparison): Verdict {
  if (!("outcome" in reference)) return "outcome" in answer ? answer : judgeAgainst(reference, answer, comparison);
  if (!("outcome" in answer)) return reference;
  return answer.outcome === reference.outcome ? RIGHT : answer;
}

/** Kinds whose values compare with each other. */
function family(type: LogicalType): string {
  switch (type.kind) {
    case "int8":
    case "int16":
    case "int32":
    case "int64":
    case "uint8":
    case "uint16":
    case "uint32":
    case "uint64":
    case "float32":
    case "float64":
    case "decimal":
      return "number";
    case "uuid":
    case "json":
    case "opaque":
      return "string";
    default:
      return type.kind;
  }
}

function asExpected(cell: ActualCell, type: LogicalType | undefined): ExpectedCell {
  if (type === undefined || cell === null || typeof cell === "boolean") return cell as ExpectedCell;
  if (family(type) === "number") return { decimal: String(cell) };
  if (Array.isArray(cell)) return listText(cell);
  return family(type) === "string" ? { text: String(cell) } : String(cell);
}
