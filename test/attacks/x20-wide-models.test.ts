/** Models of a hundred thousand columns. The work that a misspelt name or a star makes is counted in letters and maps. */
import { expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import type { Manifest } from "../../src/planner/index.ts";
import { manifestOf, planned } from "../support/plan.ts";

const wide = (name: string, columns: number): object => ({
  name,
  tableReference: { table: name },
  columns: Array.from({ length: columns }, (_, index) => ({ name: `customer_attr_${index}`, type: "INTEGER" })),
});

const over = (models: readonly object[]): Manifest => manifestOf({ catalog: "c", schema: "s", models });

function refusal(sql: string, manifest: Manifest): PlannerError {
  try {
    planned(sql, manifest, { source: "postgres" });
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error("planned");
}

/** Calls of a method while `work` runs. */
function callsOf<T extends object>(of: T, method: keyof T & string, work: () => void): number {
  const original = of[method] as (...values: unknown[]) => unknown;
  let count = 0;
  of[method] = function (this: unknown, ...values: unknown[]) {
    count++;
    return original.apply(this, values);
  } as T[keyof T & string];
  try {
    work();
  } finally {
    of[method] = original as T[keyof T & string];
  }
  return count;
}

test("near names of one that is misspelt", () => {
  const manifest = over([wide("m", 100_000)]);
  let error: PlannerError | undefined;
  const letters = callsOf(String.prototype, "charCodeAt", () => {
    error = refusal("SELECT customer_atr_77777 FROM m", manifest);
  });
  expect(error?.reason).toBe("COLUMN_NOT_FOUND");
  expect(error?.suggestions[0]).toBe("customer_attr_77777");
  // Each letter was compared with each of every name: a hundred million.
  expect(letters).toBeLessThan(40_000_000);
});

test("a star over five models is refused before its columns are made", () => {
  const manifest = over(["a", "b", "c", "d", "e"].map((name) => wide(name, 50_000)));
  // The first call builds the manifest's caches.
  expect(refusal("SELECT * FROM a, b, c, d, e", manifest).reason).toBe("LIMIT_SIZE");
  let error: PlannerError | undefined;
  const kept = callsOf(Map.prototype, "set", () => {
    error = refusal("SELECT * FROM a, b, c, d, e", manifest);
  });
  expect(error?.reason).toBe("LIMIT_SIZE");
  expect(kept).toBeLessThan(500_000);
  expect(error?.span).toEqual({ start: 7, end: 8 });
});
