import { expect, it } from "vitest";
import { type FileNeed, SCHEMA } from "../../../src/connectors/files/need.ts";
import { areNeeded } from "../../../src/connectors/files/passed-over.ts";

const of2024: FileNeed = {
  columns: undefined,
  uses: [[{ column: "year", operator: "=", values: [{ kind: "number", text: "2024" }] }]],
};
const everything: FileNeed = { columns: undefined, uses: [[]] };
/** Forty years, of which 2024 is the last. */
const files = Array.from({ length: 40 }, (_, n) => ({ name: `y/year=${1985 + n}/f.csv`, size: n < 2 ? 0 : 1 }));

it.each<[string, Parameters<typeof areNeeded>[1], FileNeed, boolean, readonly number[]]>([
  ["those that tell the columns, and those that a condition leaves", "csv", of2024, false, [...range(0, 12), 39]],
  ["more of JSON", "json", of2024, false, [...range(0, 18), 39]],
  ["one that tells which columns are there, where they are declared", "csv", of2024, true, [0, 1, 2, 39]],
  ["those that tell the columns, where no row is asked for", "csv", SCHEMA, false, range(0, 12)],
  ["all, where nothing is known of what is needed", "csv", everything, false, range(0, 40)],
])("are needed: %s", (_, format, need, isDeclared, expected) => {
  const needed = areNeeded(files, format, need, isDeclared);
  // An empty file proves nothing.
  expect(needed.flatMap((is, index) => (is ? [index] : []))).toEqual(expected);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
