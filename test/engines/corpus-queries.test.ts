/**
 * The project's own corpus: each query planned for each engine gives PostgreSQL's answer to its own text, or is refused as
 * the engine's list says (test/parity/refused). `CORPUS=webshop/orders,bank` runs those whose name begins so. ClickHouse, Trino and Spark are
 * asked a few of them, the others one in two, and all with `CORPUS` or `CORPUS_EVERY=1`; with `SHARE` one schema in so many is.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CORPUS_ENGINES } from "../corpus/engines.ts";
import { type OpenedSchema, openSchema } from "../corpus/outcome.ts";
import { CORPUS } from "../corpus/schemas.ts";
import { PENDING } from "../parity/pending.ts";
import { SHARE } from "../support/share.ts";

const WANTED = (process.env["CORPUS"] ?? "").split(",");
const isWanted = (id: string): boolean => WANTED.some((beginning) => id.startsWith(beginning));
const everyQuery = CORPUS.flatMap(({ queries }) => queries);

test("the names of the queries are unique", () => {
  expect(new Set(everyQuery.map(({ id }) => id)).size).toBe(everyQuery.length);
});

test.each(CORPUS_ENGINES)("$label: what is listed is a query", ({ source, refused, beyond = {} }) => {
  const ids = new Set(everyQuery.map(({ id }) => id));
  expect(
    [...Object.keys(refused), ...Object.keys(beyond), ...Object.keys(PENDING[source] ?? {})].filter(
      (id) => !ids.has(id),
    ),
  ).toEqual([]);
});

/** Sampling for slow engines: one query in so many for a third of the schemas; 1 runs all. */
const EVERY = Number(process.env["CORPUS_EVERY"] ?? (isWanted("") ? 8 : 1));
const schemas = CORPUS.filter((_, index) => EVERY === 1 || index % SHARE === 0);
const askedOfSlow = new Set(
  schemas
    .filter((_, index) => EVERY === 1 || index % 3 === 0)
    .flatMap(({ queries }) => queries.filter((_, index) => index % EVERY === 0)),
);

const selected = schemas
  .map(({ schema, queries }) => ({
    name: schema.name,
    schema,
    queries: queries.filter((query, index) => isWanted(query.id) && (EVERY === 1 || index % 2 === 0)),
  }))
  .filter(({ queries }) => queries.length > 0);

describe.each(selected)("$name", ({ schema, queries }) => {
  let opened: OpenedSchema;
  beforeAll(async () => {
    const slowly = queries.filter((query) => askedOfSlow.has(query));
    opened = await openSchema(
      schema,
      CORPUS_ENGINES.filter(({ isSlow }) => !isSlow || slowly.length > 0),
    );
    await opened.askSlowEngines(slowly);
  }, 900_000);
  afterAll(() => opened?.close());

  test.each(queries)("$id: $question", async (query) => {
    const asked = opened.engines.filter(({ engine }) => !engine.isSlow || askedOfSlow.has(query));
    const verdicts = await Promise.all(asked.map((loaded) => opened.verdict(query, loaded)));
    for (const [index, { engine }] of asked.entries()) {
      const { label, source, refused, beyond = {} } = engine;
      const verdict = verdicts[index];
      const refusal = refused[query.id];
      const error = beyond[query.id];
      const fault = PENDING[source]?.[query.id];
      if (refusal !== undefined) {
        const detail = expect.stringMatching(new RegExp(`^${refusal.reason}:`));
        expect(verdict, `${label}: answered, take it off the list: ${refusal.why}`).not.toEqual({ outcome: "right" });
        expect(verdict, label).toMatchObject({ outcome: "refused", detail });
      } else if (error !== undefined) {
        const detail = expect.stringContaining(error);
        expect(verdict, label).toMatchObject({ outcome: "engine error", detail });
      } else if (fault !== undefined) {
        expect(verdict, `${label}: mended, take it off the list: ${fault}`).not.toEqual({ outcome: "right" });
      } else expect(verdict, label).toEqual({ outcome: "right" });
    }
  });
});
