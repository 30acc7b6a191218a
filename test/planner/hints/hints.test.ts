/** A hint that holds SQL is right: that SQL is planned on each source that gives the hint. */
import { describe, expect, test } from "vitest";
import { givenHints, holdsSql, refusalOf } from "./given.ts";
import { WITHOUT_STATEMENT, WRITTEN_OUT } from "./written-out.ts";

const GIVEN = givenHints();

test("every hint that holds SQL is written out as a statement", () => {
  const known = new Set([...WRITTEN_OUT.map(({ hint }) => hint), ...Object.keys(WITHOUT_STATEMENT)]);
  const unknown = [...GIVEN].filter(([hint]) => holdsSql(hint) && !known.has(hint));
  expect(unknown.map(([hint, { sources, sql }]) => `${hint} (${[...sources].join(", ")}: ${sql})`)).toEqual([]);
});

test("no hint is excused that the planner does not give", () => {
  expect(Object.keys(WITHOUT_STATEMENT).filter((hint) => !GIVEN.has(hint))).toEqual([]);
});

describe("what a hint says to write is planned where it is given", () => {
  test.each(WRITTEN_OUT.map((each) => [each.hint, each] as const))("%s", (hint, { asked, instead }) => {
    const sources = [...(GIVEN.get(hint)?.sources ?? [])];
    expect(sources, `gives the hint: ${asked}`).not.toEqual([]);
    const refused = sources.flatMap((source) =>
      instead.flatMap((sql) => {
        const refusal = refusalOf(sql, source);
        return refusal === undefined ? [] : [`${source}: ${sql}: ${refusal.message} ${refusal.hint ?? ""}`];
      }),
    );
    expect(refused).toEqual([]);
  });
});
