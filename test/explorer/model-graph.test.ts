import { describe, expect, test } from "vitest";
import { layoutOf } from "../../src/explorer/graph/layout.ts";
import { edgesBetween, edgesOf, sentenceOf } from "../../src/explorer/graph/model-graph.ts";

const model = (name: string, ...paths: readonly (readonly [name: string, model: string, joinType: string])[]) => ({
  name,
  columns: [],
  paths: paths.map(([path, to, joinType]) => ({ name: path, model: to, joinType })),
});

const MODELS = [
  model("orders", ["customer", "customers", "MANY_TO_ONE"], ["payer", "customers", "MANY_TO_ONE"]),
  model("customers", ["orders", "orders", "ONE_TO_MANY"], ["boss", "customers", "MANY_TO_ONE"]),
  model("nations", ["hidden", "rulers", "ONE_TO_ONE"], ["odd", "orders", "SOMEHOW"]),
];

describe("the model graph", () => {
  test("has one line for both directions of a relationship, and none to what the caller may not see", () => {
    expect(edgesOf(MODELS).map(sentenceOf)).toEqual([
      "orders to customers by customer and orders: many to one",
      "orders to customers by payer: many to one",
      "customers to customers by boss: many to one",
      "nations to orders by odd",
    ]);
  });

  test("lights the lines between the models that a column reads", () => {
    const lit = edgesBetween(edgesOf(MODELS), new Set(["orders", "nations"]));
    expect([...lit].map(sentenceOf)).toEqual(["nations to orders by odd"]);
  });

  test("places all models within the drawing, without overlaps, and each line between its models", () => {
    const names = MODELS.map(({ name }) => name);
    const { width, height, nodes, edges } = layoutOf(names, edgesOf(MODELS));
    expect(nodes.map(({ name }) => name)).toEqual(names);
    for (const { x, y, width: wide, height: high } of nodes) {
      expect(x >= 0 && y >= 0 && x + wide <= width && y + high <= height).toBe(true);
    }
    const overlaps = nodes.filter((a) =>
      nodes.some(
        (b) => a !== b && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
      ),
    );
    expect(overlaps).toEqual([]);
    expect(edges.map(({ edge, points }) => [sentenceOf(edge), points.length > 1])).toEqual([
      ["orders to customers by customer and orders: many to one", true],
      ["orders to customers by payer: many to one", true],
      ["nations to orders by odd", true],
    ]);
  });

  test.each([[[]], [["__proto__", "constructor", "<img onerror>", "\u202Etxet"]]])("is drawn of %j", (names) => {
    expect(layoutOf(names, []).nodes.map(({ name }) => name)).toEqual(names);
  });
});
