/** Counts what leaks: statements that fail over a ruled model and do not over a table of its visible rows alone. */
import type { Engine } from "./engines.ts";
import { type Relation, RULES, type Rule, type RuleName } from "./shapes.ts";

export interface Measured {
  readonly statements: number;
  /** `predicate in position: error` */
  readonly leaks: readonly string[];
  /** Statements that succeed with other rows than they should have. */
  readonly wrong: readonly string[];
}

export interface Selection {
  readonly predicates?: readonly string[];
  readonly positions?: readonly string[];
}

/** Runs every chosen predicate in every chosen position over the model with this rule behind this fence. */
export async function measure(
  engine: Engine,
  fence: string,
  ruleName: RuleName,
  controls: Controls,
  {
    predicates = Object.keys(engine.shapes.predicates),
    positions = Object.keys(engine.shapes.positions),
  }: Selection = {},
): Promise<Measured> {
  const rule: Rule = RULES[ruleName];
  const relation: Relation = (alias, calculated) =>
    `${known(engine.shapes.fences, fence)(rule, calculated)} AS ${alias}`;
  const measured = { statements: 0, leaks: [] as string[], wrong: [] as string[] };
  const pairs = predicates.flatMap((predicate) => positions.map((position) => [predicate, position] as const));
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let pair = pairs[next++]; pair !== undefined; pair = pairs[next++]) {
      const [predicate, position] = pair;
      const expected = await controls.rows(rule.control, predicate, position);
      if (expected === undefined) continue;
      measured.statements++;
      try {
        const rows = await engine.rows(statementOf(engine, position, predicate, relation));
        if (rows !== expected) measured.wrong.push(`${predicate} in ${position}`);
      } catch (error) {
        if (engine.isStatic(error)) throw error;
        measured.leaks.push(`${predicate} in ${position}: ${(error as Error).message.split("\n")[0]}`);
      }
    }
  };
  await Promise.all(Array.from({ length: engine.atOnce ?? 1 }, worker));
  return measured;
}

/** The result of every statement over the visible rows alone, computed once; `undefined` where the engine cannot run it. */
export class Controls {
  readonly #engine: Engine;
  readonly #known = new Map<string, string | undefined>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async rows(table: Rule["control"], predicate: string, position: string): Promise<string | undefined> {
    const key = `${table}/${predicate}/${position}`;
    if (!this.#known.has(key)) {
      const relation: Relation = (alias, calculated) =>
        `(SELECT m.*${calculated === undefined ? "" : `, (${calculated}) AS q`} FROM ${table} AS m) AS ${alias}`;
      this.#known.set(key, await this.#tried(statementOf(this.#engine, position, predicate, relation)));
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

function statementOf({ shapes }: Engine, position: string, predicate: string, relation: Relation): string {
  return known(shapes.positions, position)(relation, known(shapes.predicates, predicate));
}

function known<T>(shapes: Readonly<Record<string, T>>, name: string): T {
  const shape = shapes[name];
  if (shape === undefined) throw new Error(`no shape is called ${name}`);
  return shape;
}
