import { describe, expect, test } from "vitest";
import { isNullable } from "../../../../src/planner/binding/nullability.ts";
import { INPUT_LANGUAGE } from "../../../../src/planner/dialects/input.ts";
import { isInexactDecimal } from "../../../../src/planner/lowering/numbers/inexact.ts";
import {
  byCount,
  byTemplate,
  isSpelled,
  spelled,
  sql,
  words,
} from "../../../../src/planner/lowering/templates/template.ts";
import { binary, call, integer, text, typed } from "../../../../src/planner/syntax/build.ts";
import { printExpression } from "../../../../src/planner/syntax/printer.ts";
import type { Call, Expression, Template } from "../../../../src/planner/syntax/tree.ts";
import { forEachChild } from "../../../../src/planner/syntax/walk.ts";
import { BIGINT, BOOLEAN, INTEGER, NUMERIC, TEXT } from "../../../../src/planner/types.ts";

const AT = { span: { start: 7, end: 9 } };
const column = (name: string): Expression => ({
  kind: "column",
  parts: [{ name, quoted: false, span: AT.span }],
  ...AT,
  type: INTEGER,
});
const A = column("a");
const SUM = binary(A, "+", column("b"), typed(INTEGER, AT));
const EITHER: Expression = { kind: "logical", operator: "or", operands: [A, column("b")], ...AT, type: BOOLEAN };

const printed = (template: Template, ...parts: readonly Expression[]): string =>
  printExpression(spelled(template, parts, AT), INPUT_LANGUAGE);

describe("the target's own words", () => {
  test.each<[string, readonly Expression[], string]>([
    ["toYear($1)", [SUM], "toYear(a + b)"],
    ["f($2, $1)", [A, SUM], "f(a + b, a)"],
    ["f($*)", [A, SUM, text("x", AT)], "f(a, a + b, 'x')"],
    ["f($*)", [], "f()"],
    ["now64(6, 'UTC')", [], "now64(6, 'UTC')"],
    ["$1 * 2", [SUM], "(a + b) * 2"],
    ["$1 = 0 OR $1 > 9", [EITHER], "(a OR b) = 0 OR (a OR b) > 9"],
    ["$1 = 0", [integer(-12, AT)], "-12 = 0"],
    ["f(1 -$1)", [integer(-12, AT)], "f(1 -(-12))"],
    ["$1::text", [integer(-12, AT)], "(-12)::text"],
    ["f([$1], $2)", [EITHER, EITHER], "f([a OR b], a OR b)"],
    ["regexp($1, '[.]?0+$', '')", [A], "regexp(a, '[.]?0+$', '')"],
  ])("%s", (template, parts, expected) => {
    expect(printed(words(template), ...parts)).toBe(expected);
  });

  test("a template that is nothing but its part binds as the part does", () => {
    const node = binary(spelled(words("$1"), [SUM], AT), "*", integer(2, AT), typed(INTEGER, AT));
    expect(printExpression(node, INPUT_LANGUAGE)).toBe("(a + b) * 2");
  });

  test("a part that is not given is an error, and no text", () => {
    expect(() => printed(words("f($1, $2)"), A)).toThrow(TypeError);
  });
});

describe("SQL that the dialect prints", () => {
  test.each<[string, readonly Expression[], string]>([
    ["CASE WHEN $1 > 0 THEN ln($1) END", [SUM], "CASE WHEN a + b > 0 THEN ln(a + b) END"],
    ["$1 % 7", [SUM], "(a + b) % 7"],
    ["CAST($1 AS text)", [A], "CAST(a AS TEXT)"],
    ["$1 AND $2", [EITHER, A], "(a OR b) AND a"],
  ])("%s", (template, parts, expected) => {
    expect(printed(sql(template), ...parts)).toBe(expected);
  });

  test("binds as its outermost operator does", () => {
    const node = binary(spelled(sql("$1 + 1"), [A], AT), "*", integer(2, AT), typed(INTEGER, AT));
    expect(printExpression(node, INPUT_LANGUAGE)).toBe("(a + 1) * 2");
  });

  test("a part that is not given is an error, and no name", () => {
    expect(() => printed(sql("f($1, $2)"), A)).toThrow(TypeError);
  });
});

describe("facts", () => {
  test("the type is declared, or that of the node that is replaced", () => {
    expect(spelled(words("f($1)", { type: BIGINT }), [A], A).type).toBe(BIGINT);
    expect(spelled(words("f($1)"), [A], typed(TEXT, A)).type).toBe(TEXT);
  });

  const sure = text("x", AT);
  test.each([
    ["strict", A, true],
    ["strict", sure, false],
    ["possible", sure, true],
    ["unknown", sure, true],
    ["never", A, false],
  ] as const)("%s of %o can be NULL: %s", (nulls, part, expected) => {
    expect(isNullable(spelled(words("f($1)", { nulls }), [part], AT))).toBe(expected);
  });

  test.each<[Template, number | undefined, readonly number[]]>([
    [words("f($1, $2, $1)"), 2, [0]],
    [words("f($1, $1, $1)"), 1, [0, 0]],
    [words("f($*)"), undefined, []],
    [sql("coalesce($2, $1) || $2"), 2, [1]],
    [sql("1"), 0, []],
  ])("$text", (template, arity, repeated) => {
    expect([template.arity, template.repeated]).toEqual([arity, repeated]);
  });

  test("each part is one child, however often its text occurs", () => {
    const found: unknown[] = [];
    forEachChild(spelled(words("f($1, $1, $2)"), [A, SUM], AT), (child) => found.push(child));
    expect(found).toEqual([A, SUM]);
  });

  test("a template is recognised by itself, and not by its text", () => {
    const [one, other] = [words("f($1)"), words("f($1)")];
    const node = spelled(one, [A], AT);
    expect([isSpelled(node, one), isSpelled(node, other), isSpelled(A, one)]).toEqual([true, false, false]);
  });
});

describe("a rule that is a template", () => {
  const plain = call("f", [A, SUM], typed(TEXT, AT));

  test("takes the arguments of a call as parts, with its type and position", () => {
    const node = byTemplate(words("g($2, $1)"), plain);
    expect([printExpression(node, INPUT_LANGUAGE), node.type, node.span]).toEqual(["g(a + b, a)", TEXT, AT.span]);
  });

  test.each<[string, Template, Call, string]>([
    ["another number of arguments", words("g($1)"), plain, "f with 2 arguments"],
    ["DISTINCT", words("g($1, $2)"), { ...plain, distinct: true }, "f with DISTINCT, ORDER BY, FILTER or OVER"],
    ["FILTER", words("g($*)"), { ...plain, filter: A }, "f with DISTINCT, ORDER BY, FILTER or OVER"],
  ])("refuses %s, which its text would leave out", (_, template, node, message) => {
    expect(() => byTemplate(template, node)).toThrow(message);
  });

  test("is chosen by the number of arguments", () => {
    const choose = byCount(words("one($1)"), words("two($1, $2)"));
    expect(printExpression(choose(plain), INPUT_LANGUAGE)).toBe("two(a, a + b)");
    expect(() => choose(call("f", [A, A, A], typed(TEXT, AT)))).toThrow("f with 3 arguments");
  });

  test("says whether the target computes a decimal as a double", () => {
    const of = (scale: "computed" | 2): Expression => spelled(words("g($1)", { scale }), [A], typed(NUMERIC, AT));
    expect([isInexactDecimal(of("computed")), isInexactDecimal(of(2))]).toEqual([true, false]);
  });
});
