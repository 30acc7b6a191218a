/** Counts what leaks: statements that fail over a ruled model and do not over a table of its visible rows alone. */
import type { Engine } from "./engines.ts";
import {
  FENCES,
  type FenceName,
  POSITIONS,
  type PositionName,
  PREDICATES,
  type Relation,
  RULES,
  type Rule,
  type RuleName,
} from "./shapes.ts";

export interface Measured {
  readonly statements: number;
  /** `predicate in position: error` */
  readonly leaks: readonly string[];
  /** Statements that succeed with other rows than they should have. */
  readonly wrong: readonly string[];
}

export interface Selection {
  readonly predicates?: readonly string[];
  readonly positions?: readonly PositionName[];
}

/** Runs every chosen predicate in every chosen position over the model with this rule behind this fence. */
export async function measure(
  engine: Engine,
  fence: FenceName,
  ruleName: RuleName,
  controls: Controls,
  {
    predicates = Object.keys(PREDICATES[engine.name]),
    positions = Object.keys(POSITIONS) as PositionName[],
  }: Selection = {},
): Promise<Measured> {
  const rule: Rule = RULES[ruleName];
  const relation: Relation = (alias, calculated) => `${FENCES[fence](rule, calculated)} AS ${alias}`;
  const measured = { statements: 0, leaks: [] as string[], wrong: [] as string[] };
  for (const predicate of predicates) {
    for (const position of positions) {
      const expected = await controls.rows(rule.control, predicate, position);
      if (expected === undefined) continue;
      measured.statements++;
      try {
        const rows = await engine.rows(POSITIONS[position](relation, PREDICATES[engine.name][predicate] ?? "true"));
        if (rows !== expected) measured.wrong.push(`${predicate} in ${position}`);
      } catch (error) {
        if (engine.isStatic(error)) throw error;
        measured.leaks.push(`${predicate} in ${position}: ${(error as Error).message.split("\n")[0]}`);
      }
    }
  }
  return measured;
}

/** What every statement gives over the visible rows alone, computed once; `undefined` where the engine cannot say it. */
export class Controls {
  readonly #engine: Engine;
  readonly #known = new Map<string, string | undefined>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async rows(table: Rule["control"], predicate: string, position: PositionName): Promise<string | undefined> {
    const key = `${table}/${predicate}/${position}`;
    if (!this.#known.has(key)) {
      const expression = PREDICATES[this.#engine.name][predicate] ?? "true";
      const relation: Relation = (alias, calculated) =>
        `(SELECT m.*${calculated === undefined ? "" : `, (${calculated}) AS q`} FROM ${table} AS m) AS ${alias}`;
      this.#known.set(key, await this.#tried(POSITIONS[position](relation, expression)));
    }
    return this.#known.get(key);
  }

  async #tried(sql: string): Promise<string | undefined> {
    try {
      return await this.#engine.rows(sql);
    } catch (error) {
      // A position the engine does not have (DuckDB has no FILTER in some places, say). Anything else is a bad fixture.
      if (this.#engine.isStatic(error)) return undefined;
      throw error;
    }
  }
}
