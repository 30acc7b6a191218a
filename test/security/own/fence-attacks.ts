/**
 * The experiment of `test/security/fences` through the planner, for any source: every predicate at every position under every rule.
 * An attack is armed if it fails over the whole table and not over the rows that the rule leaves; then it has to give the same rows
 * over the ruled model as over those rows.
 */
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import type { Manifest } from "../../../src/planner/index.ts";
import { type Plan, statementOf } from "../../../src/planner/plan.ts";
import { readCells } from "../../support/canonical-cells.ts";
import { manifestOf, plannedOn } from "../../support/plan.ts";
import type { OpenedSource } from "../../support/sources.ts";
import { unordered } from "../fences/engines.ts";
import { POSITIONS, PREDICATES, type Relation } from "../fences/shapes.ts";
import { ATTACK_TABLES, attackTable } from "./account-tables.ts";

interface AttackRule {
  readonly condition: string;
  readonly control: "visible" | "nothing";
}

/** The rules of `fences/shapes.ts` as a manifest writes them. */
const RULES: Readonly<Record<string, AttackRule>> = {
  literal: { condition: "owner = 'a'", control: "visible" },
  expression: { condition: "lower(owner) = 'a' AND upper(lower(upper(owner))) = 'A'", control: "visible" },
  "IN (subquery)": {
    condition: "owner IN (SELECT g.holder FROM grants g WHERE g.member = 'me')",
    control: "visible",
  },
  EXISTS: {
    condition: "EXISTS (SELECT 1 FROM grants g WHERE g.holder = owner AND g.member = 'me')",
    control: "visible",
  },
  "to-many column": { condition: "allowances > 0", control: "visible" },
  OR: {
    condition: "owner = 'zz' OR owner IN (SELECT g.holder FROM grants g WHERE g.member = 'me')",
    control: "visible",
  },
  "always false": { condition: "owner = 'nobody'", control: "nothing" },
};

export interface AttackCounts {
  armed: number;
  /** The planner refuses the statement over the ruled model. */
  refused: number;
  /** By guarantee of the plan. */
  readonly held: Map<string, number>;
  /** Not armed, or not in the source's grammar. */
  harmless: number;
  readonly leaks: Leak[];
}

interface Leak {
  readonly rule: string;
  readonly sql: string;
  readonly detail: string;
}

export interface Attacking {
  readonly source: PlannedSource;
  readonly opened: OpenedSource;
  readonly schema: string | undefined;
  /** One statement of so many is asked. */
  readonly share: number;
  readonly tampering: (plan: Plan) => Plan;
}

export async function attack({ source, opened, schema, share, tampering }: Attacking): Promise<AttackCounts> {
  const manifest = attackManifest(schema);
  const counts: AttackCounts = { armed: 0, refused: 0, held: new Map(), harmless: 0, leaks: [] };
  const options = { bestEffort: new Set([source]) };
  const plan = (sql: string): Plan | undefined => {
    try {
      return plannedOn(opened.variant, sql, manifest, { source, options });
    } catch {
      return undefined;
    }
  };
  const run = async (planned: Plan): Promise<{ rows?: string; error?: string }> => {
    const call = { signal: new AbortController().signal, timeoutMs: 60_000 };
    try {
      const { rows } = await readCells(await opened.connector.query(statementOf(planned), call));
      // MySQL's integers have the width that the plan gives them.
      return { rows: unordered(rows.map((row) => row.map(String))) };
    } catch (error) {
      return { error: (error as Error).message.split("\n")[0] ?? "" };
    }
  };
  const runOver = async (table: string, write: (relation: Relation) => string) => {
    const planned = plan(write(relationOf(table)));
    return planned === undefined ? undefined : await run(planned);
  };
  const pairs = Object.values(PREDICATES.postgres).flatMap((predicate) =>
    Object.values(POSITIONS).map(
      (position) =>
        (relation: Relation): string =>
          position(relation, predicate),
    ),
  );
  for (const [at, write] of pairs.entries()) {
    if (at % share !== 0) continue;
    const bare = await runOver("secrets", write);
    if (bare?.error === undefined) {
      counts.harmless++;
      continue;
    }
    const controls = new Map<string, string | undefined>();
    for (const [rule, { control }] of Object.entries(RULES)) {
      if (!controls.has(control)) controls.set(control, (await runOver(control, write))?.rows);
      const wanted = controls.get(control);
      if (wanted === undefined) continue;
      counts.armed++;
      const sql = write(relationOf(modelOf(rule)));
      const ruled = plan(sql);
      if (ruled === undefined) {
        counts.refused++;
        continue;
      }
      const { rows, error } = await run(tampering(ruled));
      if (rows === wanted) counts.held.set(ruled.rowRules, (counts.held.get(ruled.rowRules) ?? 0) + 1);
      else counts.leaks.push({ rule, sql, detail: error ?? "other rows than those that the rule leaves" });
    }
  }
  return counts;
}

const relationOf =
  (model: string): Relation =>
  (alias, calculated) =>
    calculated === undefined
      ? `${model} AS ${alias}`
      : `(SELECT m.*, (${calculated}) AS q FROM ${model} AS m) AS ${alias}`;

const modelOf = (rule: string): string => `ruled_${rule.replaceAll(/\W+/g, "_").toLowerCase()}`;

function attackManifest(schema: string | undefined): Manifest {
  const at = (table: string): object => ({
    tableReference: { ...(schema !== undefined && { schema }), table: attackTable(table) },
  });
  const [secrets] = ATTACK_TABLES;
  const ruled = Object.entries(RULES).map(([rule, { condition }]) => ({
    name: modelOf(rule),
    ...at("secrets"),
    primaryKey: "id",
    rowLevelAccessControls: [{ name: rule, requiredProperties: [], condition }],
    columns: [
      ...(secrets?.columns ?? []),
      ...(rule === "to-many column"
        ? [
            { name: "mine", type: "mine", relationship: "secrets_mine", isHidden: true },
            { name: "allowances", type: "BIGINT", isCalculated: true, expression: "count(mine.id)", isHidden: true },
          ]
        : []),
    ],
  }));
  return manifestOf({
    catalog: "attacks",
    schema: "public",
    models: [
      ...ATTACK_TABLES.map(({ name, columns }) => ({
        name,
        ...at(name),
        columns,
        ...(name === "mine" && { primaryKey: "id" }),
      })),
      ...ruled,
    ],
    relationships: [
      {
        name: "secrets_mine",
        models: ["mine", modelOf("to-many column")],
        joinType: "MANY_TO_ONE",
        condition: `mine.holder = ${modelOf("to-many column")}.owner`,
      },
    ],
  });
}
