/** Cubes of the manifest: what is wrong with one is told to who needs it, by object and place, and to nobody else. */
import { describe, expect, test } from "vitest";
import { manifestOf, planned, plannedCube } from "../../support/plan.ts";
import { refusal, shopWith } from "./shop.ts";

const member = (name: string, expression: unknown) => ({ name, expression, type: "" });

/** A cube over `sale` with a measure that is right and one of the given text. */
const withMeasure = (expression: string, others: readonly unknown[] = []) => ({
  name: "c",
  baseObject: "sale",
  dimensions: [member("state", "state")],
  measures: [member("n", "count(*)"), member("m", expression), ...others],
});
const withDimension = (expression: string) => ({
  name: "c",
  baseObject: "sale",
  dimensions: [member("d", expression)],
  measures: [member("n", "count(*)")],
});

const OF_MEASURE: readonly (readonly [expression: string, reason: string, message: string])[] = [
  ["sum(", "MANIFEST_EXPRESSION", 'measure "m" of cube "c": '],
  [
    "sum(nope)",
    "MANIFEST_EXPRESSION",
    'measure "m" of cube "c": "nope" is not known (at character 5 of its expression)',
  ],
  ["sum(sale.nope)", "MANIFEST_EXPRESSION", "at character 5 of its expression"],
  ["sum(customer.nope)", "MANIFEST_EXPRESSION", 'has no column "nope"'],
  ["sum(n)", "MANIFEST_EXPRESSION", '"n" is not known'],
  [
    "qty + 1",
    "MANIFEST_EXPRESSION",
    'column "qty" is neither grouped nor aggregated (at character 1 of its expression)',
  ],
  ["count(*) + qty", "MANIFEST_EXPRESSION", "at character 12 of its expression"],
  ["1 + 1", "MANIFEST_EXPRESSION", "it holds no aggregate function"],
  ["sum(qty) OVER ()", "MANIFEST_EXPRESSION", "a window function is not allowed in a cube's measure"],
  ["sum(sum(qty))", "MANIFEST_EXPRESSION", "an aggregate function is not allowed in an aggregate's argument"],
  ["sum((SELECT 1))", "MANIFEST_EXPRESSION", "a subquery is not allowed in a member of a cube"],
  ["sum(state)", "MANIFEST_EXPRESSION", "sum takes numbers, not text (at character 5 of its expression)"],
  ["m + 1", "MANIFEST_CYCLE", "m → m"],
  ["n / other", "MANIFEST_CYCLE", "m → other → m"],
  ["count(customer.sales.id)", "FANOUT", "customer.sales"],
];

describe("a measure that is wrong", () => {
  test.each(OF_MEASURE)("%s", (expression, reason, message) => {
    const manifest = shopWith([withMeasure(expression, [member("other", "m * 2")])]);
    const inSql = refusal(() => planned("SELECT state, m FROM c", manifest));
    expect(inSql.reason).toBe(reason);
    if (reason !== "FANOUT") expect(inSql.message).toContain(message);
    expect(inSql.span).toEqual({ start: 14, end: 15 });
    const structured = refusal(() => plannedCube({ cube: "c", measures: ["m"] }, manifest));
    expect([structured.reason, structured.message]).toEqual([reason, `cube.measures[0]: ${inSql.message}`]);
  });

  test.each(OF_MEASURE)("is no concern of others: %s", (expression) => {
    const manifest = shopWith([withMeasure(expression)]);
    expect(planned("SELECT state, n FROM c", manifest).sql).toContain("count(*)");
    expect(planned("SELECT * EXCEPT (m) FROM c", manifest).columns.map(({ name }) => name)).toEqual(["state", "n"]);
    expect(planned("SELECT n FROM sales", manifest).sql).toContain("count(*)");
  });

  test("is named when another measure needs it", () => {
    const manifest = shopWith([withMeasure("sum(nope)", [member("other", "n + m")])]);
    expect(refusal(() => planned("SELECT other FROM c", manifest)).message).toContain('measure "m" of cube "c"');
  });

  test("near names of hidden columns are not told", () => {
    const error = refusal(() => planned("SELECT m FROM c", shopWith([withMeasure("sum(sale.cots)")])));
    expect([error.message.includes("cost"), error.hint, error.suggestions]).toEqual([false, undefined, []]);
  });
});

test.each([
  ["1", "a dimension is computed from columns"],
  ["'x'", "a dimension is computed from columns"],
  ["qty * random()", "cannot be another value each time"],
  ["count(*)", "an aggregate function is not allowed in a cube's dimension"],
  ["rank() OVER (ORDER BY qty)", "a window function is not allowed in a cube's dimension"],
  ["customer.sales.qty", "leads from one"],
  ["n", "is not known"],
])("a dimension that is wrong: %s", (expression, message) => {
  const manifest = shopWith([withDimension(expression)]);
  expect(refusal(() => planned("SELECT d FROM c", manifest)).message).toMatch(
    new RegExp(`^dimension "d" of cube "c": .*${message}`),
  );
  expect(planned("SELECT n FROM c", manifest).sql).toContain("count(*)");
});

const WHOLE: readonly (readonly [
  about: string,
  cube: Readonly<Record<string, unknown>>,
  reason: string,
  message: string,
])[] = [
  ["without a base", { baseObject: "nope" }, "MANIFEST_SOURCE", '"nope", which is neither a model nor a view'],
  ["over a cube", { baseObject: "sales" }, "MANIFEST_SOURCE", '"sales", which is neither a model nor a view'],
  [
    "with two members of one name",
    { measures: [member("state", "count(*)")] },
    "MANIFEST_DUPLICATE",
    'cube "c" names "state" more than once',
  ],
  [
    "with a level that is a measure",
    { hierarchies: { h: ["state", "n"] } },
    "MANIFEST_SCHEMA",
    'cube "c": level "n" of hierarchy "h"',
  ],
  ["with a level that is not there", { hierarchies: { h: ["x"] } }, "MANIFEST_SCHEMA", 'level "x"'],
  [
    "with hierarchies of another shape",
    { hierarchies: { h: "x" } },
    "MANIFEST_SCHEMA",
    "hierarchies.h must be an array",
  ],
  [
    "with a measure of another shape",
    { measures: [{ name: "n" }] },
    "MANIFEST_SCHEMA",
    "measures[0].expression is missing",
  ],
  ["named like a model", { name: "nation" }, "MANIFEST_DUPLICATE", 'names "nation" more than once'],
];

test.each(WHOLE)("a cube %s", (_about, changes, reason, message) => {
  const cube = {
    name: "c",
    baseObject: "sale",
    dimensions: [member("state", "state")],
    measures: [member("n", "count(*)")],
  };
  const manifest = shopWith([{ ...cube, ...changes }]);
  const name = "name" in changes ? changes["name"] : "c";
  for (const ask of [
    () => planned(`SELECT state FROM ${name}`, manifest),
    () => plannedCube({ cube: name, dimensions: ["state"] }, manifest),
  ]) {
    const error = refusal(ask);
    expect([error.reason, error.message]).toEqual([reason, expect.stringContaining(message)]);
  }
  // The rest of the manifest is none the worse for it.
  expect(planned("SELECT n FROM big", manifest).sql).toContain("count(*)");
});

test("a cube over a view over the cube", () => {
  const manifest = manifestOf({
    catalog: "c",
    schema: "s",
    models: [],
    views: [{ name: "v", statement: "SELECT n FROM k" }],
    cubes: [{ name: "k", baseObject: "v", measures: [member("n", "count(*)")] }],
  });
  for (const sql of ["SELECT n FROM k", "SELECT * FROM v"]) {
    expect(refusal(() => planned(sql, manifest)).reason).toBe("MANIFEST_CYCLE");
  }
});

test("measures of measures have limits", () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, index) =>
      member(`m${index}`, index === 0 ? "count(*)" : `m${index - 1} + m${index - 1}`),
    );
  const cube = (length: number) => ({ name: "c", baseObject: "sale", measures: chain(length) });
  expect(planned("SELECT m9 FROM c", shopWith([cube(10)])).sql.match(/count/g)).toHaveLength(512);
  expect(refusal(() => planned("SELECT m29 FROM c", shopWith([cube(30)]))).reason).toBe("LIMIT_SIZE");
  const straight = Array.from({ length: 600 }, (_, index) =>
    member(`m${index}`, index === 599 ? "count(*)" : `m${index + 1} + 0`),
  );
  const long = shopWith([{ name: "c", baseObject: "sale", measures: straight }]);
  expect(refusal(() => planned("SELECT m0 FROM c", long)).reason).toBe("LIMIT_DEPTH");
});

test("aggregates under other names are aggregates", () => {
  const manifest = shopWith([withMeasure("count_if(qty > 1) + n")]);
  expect(planned("SELECT m FROM c", manifest).sql).toContain("count(*)");
});
