/** What becomes of a query of the corpus on an engine. */
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { parseQuery } from "../../src/planner/syntax/parser.ts";
import { type Answer, ask, judgeAgainst, type Verdict } from "../parity/judge.ts";
import { type CorpusEngine, type LoadedEngine, openEngines } from "./engines.ts";
import type { CorpusQuery } from "./queries.ts";
import { openReference } from "./reference.ts";
import { CORPUS } from "./schemas.ts";

export async function corpusVerdict(
  { sql }: CorpusQuery,
  reference: { readonly answer: Answer; readonly ordered: boolean },
  loaded: LoadedEngine,
): Promise<Verdict> {
  const answer = await ask(sql, loaded.manifest, loaded.engine.source, loaded, loaded.engine.settings);
  if ("outcome" in answer) return answer;
  const verdict = judgeAgainst(reference.answer, answer, { ordered: reference.ordered, json: "value" });
  if (verdict.outcome !== "right") return verdict;
  const expected = reference.answer.names;
  const unnamed = unnamedColumns(sql);
  const named = answer.names.every((name, index) => name === expected[index] || unnamed.has(index));
  return named
    ? verdict
    : { outcome: "wrong", detail: `columns ${answer.names.join(", ")} instead of ${expected.join(", ")}` };
}

/**
 * Columns that are neither plain nor have an alias: PostgreSQL calls them by a function in them or `?column?`, the wire by
 * the text of the expression (docs/compatibility.md R17, docs/decisions.md S91).
 */
function unnamedColumns(sql: string): ReadonlySet<number> {
  let { body } = parseQuery(sql, { limits: DEFAULT_LIMITS });
  while (body.kind === "set" || body.kind === "nested") body = body.kind === "set" ? body.left : body.query.body;
  const items = body.kind === "select" ? body.items : [];
  // Behind a star nobody knows which place an item has.
  const counted = items.some((item) => item.kind === "star")
    ? items.slice(
        0,
        items.findIndex(({ kind }) => kind === "star"),
      )
    : items;
  return new Set(
    counted.flatMap((item, index) =>
      item.kind === "item" && item.alias === undefined && item.expression.kind !== "column" ? [index] : [],
    ),
  );
}

export interface CorpusOutcome {
  readonly schema: string;
  readonly query: CorpusQuery;
  readonly engine: CorpusEngine;
  readonly verdict: Verdict;
}

/** Every query on every engine, one schema after the other. */
export async function* corpusOutcomes(): AsyncGenerator<CorpusOutcome> {
  for (const { schema, queries } of CORPUS) {
    const reference = await openReference(schema);
    const engines = await openEngines(schema, reference.database);
    for (const query of queries) {
      const expected = await reference.answer(query.sql);
      const verdicts = await Promise.all(engines.map((loaded) => corpusVerdict(query, expected, loaded)));
      for (const [index, loaded] of engines.entries())
        yield { schema: schema.name, query, engine: loaded.engine, verdict: verdicts[index]! };
    }
    for (const engine of engines) await engine.close();
    await reference.close();
  }
}
