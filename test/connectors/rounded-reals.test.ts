import { expect, test } from "vitest";
import { withReals } from "../../src/connectors/rounded-reals.ts";
import type { Batch, ResultStream } from "../../src/result/types.ts";

const meant = [
  { name: "r", type: { kind: "float", bits: 32 }, nullable: true },
  { name: "d", type: { kind: "float", bits: 64 }, nullable: true },
] as const;

function stream(): ResultStream {
  async function* batches(): AsyncGenerator<Batch> {
    yield [[Math.fround(0.1), 0.1]];
  }
  const columns = meant.map(({ name }) => ({ name, type: { kind: "float64" } }) as const);
  return { columns, batches: batches(), close: async () => {} };
}

test.each(["bigquery", "snowflake"] as const)("%s: a real is shown by its own digits", (source) => {
  expect(withReals(stream(), meant, source).columns.map(({ type }) => type.kind)).toEqual(["float32", "float64"]);
});

test("a source that has reals says itself which columns are", () => {
  expect(withReals(stream(), meant, "mysql").columns.map(({ type }) => type.kind)).toEqual(["float64", "float64"]);
});
