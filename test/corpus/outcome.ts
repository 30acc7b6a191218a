/** The outcome of a corpus query on an engine. */
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { parseQuery } from "../../src/planner/syntax/parser.ts";
import { inTurns, oneByOne } from "../engines/turns.ts";
import { type Answer, ask, judgeAgainst, type Verdict } from "../parity/judge.ts";
import type { CorpusEngine, LoadedEngine } from "./engine.ts";
import { CORPUS_ENGINES, openEngines } from "./engines.ts";
import type { CorpusQuery } from "./queries.ts";
import { openReference, type Reference } from "./reference.ts";
import { CORPUS } from "./schemas.ts";
import type { CorpusSchema } from "./tables.ts";

async function corpusVerdict(
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
 * the text of the expression (docs/reference/compatibility.md, docs/decisions/0003-names-of-columns.md#decision).
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

/** A schema's rows on every engine. Each question is asked once, whoever wants its verdict. */
export interface OpenedSchema {
  readonly engines: readonly LoadedEngine[];
  verdict(query: CorpusQuery, loaded: LoadedEngine): Promise<Verdict>;
  /** Asks the slow engines `queries`, several at once. */
  askSlowEngines(queries: readonly CorpusQuery[]): Promise<void>;
  close(): Promise<void>;
}

const AT_ONCE = 6;

export async function openSchema(
  schema: CorpusSchema,
  asked: readonly CorpusEngine[] = CORPUS_ENGINES,
): Promise<OpenedSchema> {
  const reference = await openReference(schema);
  const engines = await openEngines(schema, reference.database, asked);
  const inOrder = oneByOne();
  const answers = new Map<string, ReturnType<Reference["answer"]>>();
  const verdicts = new Map<string, Promise<Verdict>>();
  /** PostgreSQL's connections take one statement after another. */
  const expected = ({ id, sql }: CorpusQuery): ReturnType<Reference["answer"]> => {
    const answer = answers.get(id) ?? inOrder(() => reference.answer(sql));
    answers.set(id, answer);
    return answer;
  };
  const verdict: OpenedSchema["verdict"] = (query, loaded) => {
    const key = `${loaded.engine.label} ${query.id}`;
    const known = verdicts.get(key) ?? expected(query).then((answer) => corpusVerdict(query, answer, loaded));
    verdicts.set(key, known);
    return known;
  };
  return {
    engines,
    verdict,
    askSlowEngines: async (queries) => {
      for (const loaded of engines.filter(({ engine }) => engine.isSlow))
        await inTurns(AT_ONCE, queries, async (query) => {
          // The next request for it gets the error.
          await verdict(query, loaded).catch(() => undefined);
        });
    },
    close: async () => {
      for (const engine of engines) await engine.close();
      await reference.close();
    },
  };
}

export interface CorpusOutcome {
  readonly schema: string;
  readonly query: CorpusQuery;
  readonly engine: CorpusEngine;
  readonly verdict: Verdict;
}

/** Every query on these engines, one schema after the other. */
export async function* corpusOutcomes(asked: readonly CorpusEngine[]): AsyncGenerator<CorpusOutcome> {
  for (const { schema, queries } of CORPUS) {
    const opened = await openSchema(schema, asked);
    await opened.askSlowEngines(queries);
    for (const query of queries) {
      const verdicts = await Promise.all(opened.engines.map((loaded) => opened.verdict(query, loaded)));
      for (const [index, { engine }] of opened.engines.entries())
        yield { schema: schema.name, query, engine, verdict: verdicts[index]! };
    }
    await opened.close();
  }
}
