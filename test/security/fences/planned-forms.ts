/**
 * The forms of best effort as the planner prints them: a statement over a model with a row rule, planned by an engine's own dialect with
 * another form in the place of its proven fence, and attacked on the engine.
 */
import { bindWholeQuery } from "../../../src/planner/binding/query.ts";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { planningContext } from "../../../src/planner/expand/context.ts";
import type { BestEffort, Fence } from "../../../src/planner/expand/expansion-target.ts";
import { expandModels } from "../../../src/planner/expand/statement.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { lowerQuery } from "../../../src/planner/lowering/lower.ts";
import type { Manifest } from "../../../src/planner/manifest/manifest.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { withinBudget } from "../../../src/planner/plan-budget.ts";
import { Parameters } from "../../../src/planner/syntax/parameters.ts";
import { parseQuery, parseTypeName } from "../../../src/planner/syntax/parser.ts";
import { print } from "../../../src/planner/syntax/printer.ts";
import { withTypedNulls } from "../../../src/planner/untyped-nulls.ts";
import { manifestOf } from "../../support/plan.ts";
import type { Engine } from "./engines.ts";
import { MORE_POSITIONS } from "./more-positions.ts";
import { POSITIONS, type Position } from "./shapes.ts";

/** A form in the place of the fence; `none`: the rule is a filter and nothing else. */
export type PlannedForm = BestEffort | "none";

/** In the input language: true or false for visible rows, and an error for every excluded one. */
export const PLANNED_PREDICATES = {
  "cast to integer": "CAST(m.v AS integer) > 0",
  division: "10 / m.n > 0",
  "square root": "sqrt(m.f) >= 0",
  logarithm: "ln(m.f) >= 0",
  "character code": "chr(m.len) <> ''",
  "repeated text": "repeat('x', m.len) <> ''",
} as const;
export type PlannedPredicate = keyof typeof PLANNED_PREDICATES;

const MINE = "SELECT g.owner FROM grants AS g WHERE g.member = 'me'";
const OWNED = "secrets.owner = grants.owner";
const SHARES = "sum(CASE WHEN shared.member = 'me' THEN 1 ELSE 0 END)";
export const PLANNED_RULES = {
  literal: "owner = 'a'",
  expression: "lower(owner) = 'a' AND upper(owner) = 'A'",
  "IN (subquery)": `owner IN (${MINE})`,
  EXISTS: "EXISTS (SELECT 1 FROM grants AS g WHERE g.owner = secrets.owner AND g.member = 'me')",
  "scalar subquery": "owner = (SELECT min(g.owner) FROM grants AS g WHERE g.member = 'me')",
  "to-one column": "granted.member = 'me'",
  "to-many column": "shares > 0",
  OR: `owner = 'zz' OR owner IN (${MINE})`,
  "always false": "owner = 'nobody'",
} as const;
export type PlannedRule = keyof typeof PLANNED_RULES;

const ALL_POSITIONS: Readonly<Record<string, Position>> = { ...POSITIONS, ...MORE_POSITIONS };

const column = (name: string, type: string): object => ({ name, type });

function models(table: string, predicate: PlannedPredicate, rule: PlannedRule | undefined): Manifest {
  const expression = PLANNED_PREDICATES[predicate].replaceAll("m.", "");
  const texts = ["owner", "v", "d", "j", "re", "enc", "pat"].map((name) => column(name, "VARCHAR"));
  const numbers = ["id", "n", "big", "len"].map((name) => column(name, "INTEGER"));
  const calculated = { ...column("q", "BOOLEAN"), isCalculated: true, expression };
  const related = [
    { ...column("granted", "grants"), relationship: "one" },
    { ...column("shared", "grants"), relationship: "many" },
    { ...column("shares", "BIGINT"), isCalculated: true, expression: SHARES },
  ];
  const rules = rule && [{ name: "own", requiredProperties: [], condition: PLANNED_RULES[rule] }];
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "secrets",
        tableReference: { table },
        primaryKey: "id",
        columns: [...numbers, ...texts, column("f", "DOUBLE"), calculated, ...related],
        ...(rules && { rowLevelAccessControls: rules }),
      },
      {
        name: "other",
        tableReference: { table: "other" },
        columns: [column("oid", "INTEGER"), column("k", "INTEGER"), column("w", "VARCHAR")],
      },
      {
        name: "grants",
        tableReference: { table: "grants" },
        primaryKey: "owner",
        columns: [column("owner", "VARCHAR"), column("member", "VARCHAR")],
      },
    ],
    relationships: [
      { name: "one", models: ["secrets", "grants"], joinType: "MANY_TO_ONE", condition: OWNED },
      { name: "many", models: ["secrets", "grants"], joinType: "ONE_TO_MANY", condition: OWNED },
    ],
  });
}

/** The printed statement; `undefined` where the dialect refuses it. */
function printed(sql: string, manifest: Manifest, source: DataSource, form: PlannedForm): string | undefined {
  const target = targetOf(source);
  const fence: Fence =
    form === "none"
      ? { ...target.fence, whenRaising: "none", otherwise: "none" }
      : { ...target.fence, whenRaising: "refuse", otherwise: "refuse", pushes: false, bestEffort: form };
  const limits = DEFAULT_LIMITS;
  try {
    return withinBudget(limits, () => {
      const context = planningContext(
        manifest.readBy(target.typeNames),
        {
          limits,
          unknownFunctions: "warn",
          unlisted: target.unlisted,
          timeZone: "UTC",
          stars: "every column",
          conceals: false,
        },
        { session: new Map(), accessControl: "standard" },
      );
      const parameters = new Parameters([], limits, (text) => parseTypeName(text, limits));
      const bound = withTypedNulls(bindWholeQuery(parseQuery(sql, { limits, parameters }), context), context);
      const mode = { bestEffort: true, doubted: true, unproven: false };
      const formed = { ...target, fence };
      const lowered = lowerQuery(expandModels(bound.query, context, formed, mode), context, formed);
      return print(lowered, target.print, { origins: [], sourceTexts: [], limits });
    });
  } catch (error) {
    if (error instanceof PlannerError) return undefined;
    throw error;
  }
}

export interface PlannedMeasure {
  /** Statements that fail over the bare table and not over its visible rows. */
  readonly armed: number;
  readonly leaks: readonly string[];
  readonly wrong: readonly string[];
}

/** Runs the conditions at every position over the model with this rule, in the form that the planner prints. */
export async function measurePlanned(
  engine: Engine,
  source: DataSource,
  form: PlannedForm,
  rule: PlannedRule,
  predicates: readonly PlannedPredicate[],
): Promise<PlannedMeasure> {
  const measured = { armed: 0, leaks: [] as string[], wrong: [] as string[] };
  const control = rule === "always false" ? "nothing" : "visible";
  const pairs = predicates.flatMap((predicate) => Object.keys(ALL_POSITIONS).map((at) => [predicate, at] as const));
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let pair = pairs[next++]; pair !== undefined; pair = pairs[next++]) {
      const [predicate, position] = pair;
      const sql = ALL_POSITIONS[position]?.((alias) => `secrets AS ${alias}`, PLANNED_PREDICATES[predicate]) ?? "";
      const planned = (table: string, by?: PlannedRule) => printed(sql, models(table, predicate, by), source, form);
      const [bare, safe, ruled] = [planned("secrets"), planned(control), planned("secrets", rule)];
      if (bare === undefined || safe === undefined || ruled === undefined) continue;
      const expected = await engine.rows(safe).catch(() => undefined);
      if (expected === undefined) continue;
      const fails = await engine.rows(bare).then(
        () => false,
        () => true,
      );
      if (!fails) continue;
      measured.armed++;
      try {
        if ((await engine.rows(ruled)) !== expected) measured.wrong.push(`${predicate} in ${position}`);
      } catch (error) {
        measured.leaks.push(`${predicate} in ${position}: ${(error as Error).message.split("\n")[0]}`);
      }
    }
  };
  await Promise.all(Array.from({ length: engine.atOnce ?? 1 }, worker));
  return measured;
}
