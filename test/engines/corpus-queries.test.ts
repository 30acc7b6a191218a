/**
 * The project's own corpus: each query planned for each engine gives PostgreSQL's answer to its own text, or is refused as
 * the engine's list says (test/parity/refused). `CORPUS=webshop/orders` runs those whose name begins so.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CORPUS_ENGINES, type LoadedEngine, openEngines } from "../corpus/engines.ts";
import { corpusVerdict } from "../corpus/outcome.ts";
import { openReference, type Reference } from "../corpus/reference.ts";
import { CORPUS } from "../corpus/schemas.ts";
import { PENDING } from "../parity/pending.ts";

const WANTED = process.env["CORPUS"] ?? "";
const everyQuery = CORPUS.flatMap(({ queries }) => queries);

test("the names of the queries are unique", () => {
  expect(new Set(everyQuery.map(({ id }) => id)).size).toBe(everyQuery.length);
});

test.each(CORPUS_ENGINES)("$label: what is listed is a query", ({ source, refused }) => {
  const ids = new Set(everyQuery.map(({ id }) => id));
  expect([...Object.keys(refused), ...Object.keys(PENDING[source] ?? {})].filter((id) => !ids.has(id))).toEqual([]);
});

const selected = CORPUS.map(({ schema, queries }) => ({
  name: schema.name,
  schema,
  queries: queries.filter(({ id }) => id.startsWith(WANTED)),
})).filter(({ queries }) => queries.length > 0);

describe.each(selected)("$name", ({ schema, queries }) => {
  let reference: Reference;
  let engines: readonly LoadedEngine[];
  beforeAll(async () => {
    reference = await openReference(schema);
    engines = await openEngines(schema, reference.database);
  });
  afterAll(async () => {
    for (const engine of engines ?? []) await engine.close();
    await reference?.close();
  });

  test.each(queries)("$id: $question", async (query) => {
    const expected = await reference.answer(query.sql);
    const verdicts = await Promise.all(engines.map((loaded) => corpusVerdict(query, expected, loaded)));
    for (const [index, { engine }] of engines.entries()) {
      const { label, source, refused } = engine;
      const verdict = verdicts[index];
      const refusal = refused[query.id];
      const fault = PENDING[source]?.[query.id];
      if (refusal !== undefined) {
        const detail = expect.stringMatching(new RegExp(`^${refusal.reason}:`));
        expect(verdict, `${label}: answered, take it off the list: ${refusal.why}`).not.toEqual({ outcome: "right" });
        expect(verdict, label).toMatchObject({ outcome: "refused", detail });
      } else if (fault !== undefined) {
        expect(verdict, `${label}: mended, take it off the list: ${fault}`).not.toEqual({ outcome: "right" });
      } else expect(verdict, label).toEqual({ outcome: "right" });
    }
  });
});
