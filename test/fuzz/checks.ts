/**
 * Invariants for every input: a plan or a typed error, an error with a position in the text and a hint, a plan whose
 * SQL parses again. These checks do not know the right answer; other suites do.
 */
import type { PlannerError } from "../../src/planner/diagnostics.ts";
import { INPUT_LANGUAGE } from "../../src/planner/dialects/input.ts";
import { targetOf, variantsOf } from "../../src/planner/dialects/targets.ts";
import { type Outcome, plan } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource, Plan, VariantRange } from "../../src/planner/plan.ts";
import { parseQuery } from "../../src/planner/syntax/parser.ts";
import { type PrintDialect, print } from "../../src/planner/syntax/printer.ts";
import { ERRORS } from "../../src/service/errors.ts";
import { PLANNED_SOURCES } from "../support/statements.ts";
import type { FuzzInput } from "./inputs.ts";

interface FuzzTarget {
  /** `undefined` is the input language. */
  readonly source: DataSource | undefined;
  readonly variant?: VariantRange;
}

/** Targets for every input. */
const ALWAYS: readonly FuzzTarget[] = [{ source: "postgres" }, { source: "duckdb" }, { source: undefined }];

/** Each input gets one of these targets: three targets cover shared code, and errors of one dialect show soon. */
const IN_TURN: readonly FuzzTarget[] = PLANNED_SOURCES.filter(
  (source) => !ALWAYS.some((each) => each.source === source),
).flatMap((source): readonly FuzzTarget[] => [
  { source },
  ...variantsOf(source).map((variant): FuzzTarget => ({ source, variant })),
]);

/** `FUZZ_TARGETS=all`: every input is planned for every dialect and variant. */
const EVERYWHERE = process.env["FUZZ_TARGETS"] === "all";

/** Settings of an input go by its seed's last bits: turns of targets are slower than those. */
export const targetsOf = ({ seed }: Pick<FuzzInput, "seed">): readonly FuzzTarget[] =>
  EVERYWHERE ? [...ALWAYS, ...IN_TURN] : [...ALWAYS, IN_TURN[Math.floor(seed / 4) % IN_TURN.length] as FuzzTarget];

export interface Verdict {
  /** `planned`, or the reason of the refusal, per target. */
  readonly outcomes: readonly string[];
  /** The SQL per target, where there is one. */
  readonly plans: readonly (Plan | undefined)[];
  /** Milliseconds of the target that took longest. */
  readonly milliseconds: number;
  /** Violations, one sentence each. */
  readonly faults: readonly string[];
}

/** Planning for one target; a fault of the planner is thrown. */
function planFor(input: FuzzInput, { source, variant }: FuzzTarget): Outcome<Plan> {
  const { outcome } = input.manifest;
  if (!outcome.ok) return outcome;
  return plan({
    sql: input.sql,
    manifest: outcome.value,
    source,
    ...(variant && { variant }),
    session: new Map(),
    ...(input.limit === undefined ? {} : { limit: input.limit }),
    ...(input.textOrder && { textOrder: input.textOrder }),
    ...(input.timeZone === undefined ? {} : { timeZone: input.timeZone }),
    options: { limits: DEFAULT_LIMITS, unknownFunctions: input.unknownFunctions, accessControl: "standard" },
  });
}

/** `now` is the clock that planning is measured by, in milliseconds. */
export function judge(input: FuzzInput, now: () => number = () => performance.now()): Verdict {
  const faults: string[] = [];
  const outcomes: string[] = [];
  const plans: (Plan | undefined)[] = [];
  let milliseconds = 0;
  for (const target of targetsOf(input)) {
    const { source, variant } = target;
    const complain = (problem: string): void => {
      faults.push(`${source ?? "input"}${variant === undefined ? "" : ` ${JSON.stringify(variant)}`}: ${problem}`);
    };
    const start = now();
    let outcome: Outcome<Plan>;
    try {
      outcome = planFor(input, target);
    } catch (error) {
      milliseconds = Math.max(milliseconds, now() - start);
      complain(`threw ${error instanceof Error ? `${error.name}: ${error.message.slice(0, 200)}` : String(error)}`);
      outcomes.push("threw");
      plans.push(undefined);
      continue;
    }
    milliseconds = Math.max(milliseconds, now() - start);
    outcomes.push(outcome.ok ? "planned" : outcome.error.reason);
    plans.push(outcome.ok ? outcome.value : undefined);
    if (outcome.ok) checkPlan(outcome.value, source, input, complain);
    else checkError(outcome.error, input, complain);
  }
  return { outcomes, plans, milliseconds, faults };
}

/** Reasons that may concern the manifest or the session instead of the caller's text. */
const WITHOUT_PLACE = /^(MANIFEST_|SESSION_PROPERTY_|NOT_IMPLEMENTED$|FANOUT$)/;

function checkError(error: PlannerError, { sql, manifest }: FuzzInput, complain: (problem: string) => void): void {
  const { reason, message, span, hint, suggestions } = error;
  if (!Object.hasOwn(ERRORS, reason)) complain(`unknown reason ${reason}`);
  if (message === "") complain("an empty message");
  const said = [message, hint ?? "", ...suggestions].join("\n");
  for (const trace of ["undefined", "[object", "NaN", "() =>"]) {
    const quoted = sql.includes(trace) || manifest.text.includes(trace) || sql.toLowerCase().includes(trace.trim());
    if (said.includes(trace) && !quoted) complain(`a message with "${trace}": ${said}`);
  }
  if (!said.isWellFormed()) complain("a message with half a surrogate pair");
  if (said.length > 6_000) complain(`a message of ${said.length} characters`);
  if (hint !== undefined && !/[.?]$/.test(hint)) complain(`a hint that is no sentence: ${hint}`);
  if (suggestions.some((suggestion) => suggestion === "")) complain("an empty suggestion");
  if (span === undefined) {
    if (!WITHOUT_PLACE.test(reason)) complain(`${reason} without a place: ${message}`);
  } else if (!(span.start >= 0 && span.start <= span.end && span.end <= sql.length)) {
    complain(`${reason} at ${span.start} to ${span.end} of ${sql.length}: ${message}`);
  }
  // Errors in the manifest go to its author; all others may reach the end user.
  if (!reason.startsWith("MANIFEST_")) {
    const folded = said.toLowerCase();
    const leaked = manifest.hidden.find(
      (name) => folded.includes(name.toLowerCase()) && !sql.toLowerCase().includes(name.toLowerCase()),
    );
    if (leaked !== undefined) complain(`tells the hidden name "${leaked}": ${said}`);
  }
}

function checkPlan(
  found: Plan,
  source: DataSource | undefined,
  { sql, manifest }: FuzzInput,
  complain: (problem: string) => void,
): void {
  if (found.sql === "" || !found.sql.isWellFormed() || found.sql.includes("\0")) complain("SQL that cannot be sent");
  const { nodes, steps } = found.cost;
  if (nodes > DEFAULT_LIMITS.nodes || steps > DEFAULT_LIMITS.steps) complain(`${nodes} nodes and ${steps} steps`);
  if (found.columns.length === 0) complain(`no columns: ${found.sql}`);
  checkOrigins(found, sql, complain);
  for (const { span, message, hint } of found.warnings) {
    if (span !== undefined && !(span.start >= 0 && span.start <= span.end && span.end <= sql.length)) {
      complain(`a warning outside of the text: ${message}`);
    }
    if (hint !== undefined && !/[.?]$/.test(hint)) complain(`a warning's hint that is no sentence: ${hint}`);
  }
  if ((source === undefined || source === "postgres") && manifest.native !== "broken") {
    checkReads(
      found.sql,
      source === undefined ? INPUT_LANGUAGE : targetOf("postgres").print,
      manifest.native === "yes",
      complain,
    );
  }
}

/** The printed SQL reads again, and prints as the same text; native text of a modeller need only do so from then on. */
function checkReads(sql: string, dialect: PrintDialect, native: boolean, complain: (problem: string) => void): void {
  const limits = { ...DEFAULT_LIMITS, depth: 2 * DEFAULT_LIMITS.depth, sqlLength: 32 * 1024 * 1024 };
  try {
    const again = print(parseQuery(sql, { limits }), dialect, { limits });
    if (again === sql) return;
    const last = native ? print(parseQuery(again, { limits }), dialect, { limits }) : sql;
    if (again !== last) complain(`printed\n  ${sql}\nreads as\n  ${again}`);
  } catch (error) {
    complain(`printed ${sql}\n  which does not read again: ${String(error)}`);
  }
}

function checkOrigins({ sql, origins }: Plan, text: string, complain: (problem: string) => void): void {
  if (origins.length % 3 !== 0) complain("origins that are no triples");
  let before = -1;
  for (let i = 0; i < origins.length; i += 3) {
    const [offset = -1, start = -1, end = -1] = [origins[i], origins[i + 1], origins[i + 2]];
    if (offset <= before || offset >= sql.length) complain(`origin ${offset} after ${before}, of ${sql.length}`);
    if (start < 0 || start > end || end > text.length) complain(`origin ${start} to ${end} of ${text.length}`);
    before = offset;
  }
}
