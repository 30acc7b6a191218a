import { expect, test } from "vitest";
import {
  binary,
  call,
  comparison,
  concatenation,
  inPlaceOf,
  text,
  typed,
  unbound,
} from "../../../src/planner/syntax/build.ts";
import { BOOLEAN, INTEGER, TEXT } from "../../../src/planner/types.ts";

const span = { start: 3, end: 5 };
const node = call("length", [text("a", { span })], { span, type: INTEGER });

test("a node is not a place: it would lend its type with its span", () => {
  // @ts-expect-error: which type is meant must be said
  call("lower", [node], node);
  // @ts-expect-error: nor may it be hidden in a copy
  binary(node, "+", node, { ...node, type: TEXT });
  // @ts-expect-error: and a type may not be left out
  call("lower", [node], { span });
  expect(call("lower", [node], typed(TEXT, node))).toMatchObject({ span, type: TEXT });
});

test("places say where their type comes from", () => {
  expect(inPlaceOf(node)).toEqual({ span, type: INTEGER });
  expect(typed(TEXT, node)).toEqual({ span, type: TEXT });
  expect("type" in call("lower", [node], unbound(node))).toBe(false);
});

test("builders know the type of what they build", () => {
  expect(comparison(node, "<", node, node).type).toEqual(BOOLEAN);
  expect(concatenation(node, node, node).type).toEqual(TEXT);
});
