/** Casts per target: every kind of type that is wanted has its row, and what a row does not mention is refused. */
import { describe, expect, test } from "vitest";
import { type Casts, castRule, castRules, castsOfAllKinds } from "../../../src/planner/lowering/casts.ts";
import { cast, typed, unbound } from "../../../src/planner/syntax/build.ts";
import type { Cast, Expression } from "../../../src/planner/syntax/tree.ts";
import { BOOLEAN, DATE, INTEGER, JSON_TYPE, NULL_TYPE, type SqlType, TEXT, UUID } from "../../../src/planner/types.ts";

const nothing = castsOfAllKinds({ refused: "nothing" });
const rewrite = (node: Cast): Expression => node.operand;
const casts = castRules({
  ...{
    decimal: {},
    float: {},
    binary: {},
    uuid: {},
    time: {},
    timestamp: {},
    interval: {},
    array: {},
    row: {},
    opaque: {},
  },
  text: { "null integer": "same", "*": rewrite },
  integer: { "null integer": "same", text: { refused: "numbers of texts", hint: "Keep them apart." } },
  boolean: { boolean: rewrite },
  date: { "null text date": "same" },
  json: { refused: "json" },
});

const at = { span: { start: 0, end: 1 } };

function rule(from: SqlType, to: SqlType): unknown {
  const operand: Expression = { kind: "null", ...at, type: from };
  return castRule(casts, cast(operand, "t", typed(to, at)));
}

test("a table without a kind, or with one that is none, does not compile", () => {
  // @ts-expect-error: every kind is missing
  castRules({});
  const { boolean: _, ...others } = nothing;
  // @ts-expect-error: one is missing
  castRules(others);
  const rows = { ...Object.fromEntries(Object.keys(nothing).map((kind) => [kind, {}])) } as Record<keyof Casts, object>;
  // @ts-expect-error: there is no such kind
  castRules({ ...rows, boolean: { "text number": "same" } });
  expect(Object.keys(nothing)).toHaveLength(15);
});

describe("a cast", () => {
  test.each<[string, SqlType, SqlType, unknown]>([
    ["is as it is", INTEGER, TEXT, "same"],
    ["of NULL has its own claim", NULL_TYPE, INTEGER, "same"],
    ["is rewritten", BOOLEAN, BOOLEAN, rewrite],
    ["is one of all the others", DATE, TEXT, rewrite],
    ["is refused for a reason", TEXT, INTEGER, { refused: "numbers of texts", hint: "Keep them apart." }],
    ["is refused with all to its type", TEXT, JSON_TYPE, { refused: "json" }],
    ["is refused where nobody said anything", BOOLEAN, DATE, { refused: "a cast from boolean to date" }],
    ["is refused where nothing is cast to it", TEXT, UUID, { refused: "a cast from text to uuid" }],
  ])("%s", (_, from, to, expected) => expect(rule(from, to)).toEqual(expected));

  test("of what has no type is one of what nobody knows", () => {
    const operand: Expression = { kind: "null", ...at };
    expect(castRule(casts, cast(operand, "t", unbound(at)))).toEqual({ refused: "a cast from opaque to opaque" });
  });
});
