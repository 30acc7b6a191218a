import { expect, it } from "vitest";
import { needOf, needWithin } from "../../../src/connectors/files/need.ts";
import type { ScanFilter, ScanValue } from "../../../src/planner/plan.ts";

const filter = (operator: ScanFilter["operator"], ...values: ScanValue[]): ScanFilter => ({
  column: "Year",
  operator,
  values,
});
const number = (text: string): ScanValue => ({ kind: "number", text });
const text = (value: string): ScanValue => ({ kind: "text", text: value });

/** Whether rows of the object may have a say in a use with this filter. */
const CASES: readonly (readonly [key: string, filter: ScanFilter, expected: boolean])[] = [
  ["a/year=2024/x.parquet", filter("=", number("2024")), true],
  ["a/YEAR=2024/x.parquet", filter("=", number("2023")), false],
  ["a/year=02024/x.parquet", filter("=", number("2024")), true],
  ["a/year=2024/x.parquet", filter("=", number("2023"), number("2024")), true],
  ["a/year=2024/x.parquet", filter(">", number("2024")), false],
  ["a/year=2024/x.parquet", filter(">", number("2023.5")), true],
  ["a/year=x/x.parquet", filter("=", number("1")), true],
  ["a/year=2024-01-05/x.parquet", filter("<", { kind: "date", text: "2024-01-05" }), false],
  ["a/year=2024-01-05/x.parquet", filter("<=", { kind: "date", text: "2024-01-05" }), true],
  ["a/year=north/x.parquet", filter("=", text("south")), false],
  ["a/year=north/x.parquet", filter("=", text("north")), true],
  ["a/year=north/x.parquet", filter("<", text("a")), true],
  ["a/year=1/x.parquet", filter("=", text("01")), true],
  ["a/year=__HIVE_DEFAULT_PARTITION__/x.parquet", filter("=", text("north")), true],
  ["a/x/year=2024", filter("=", number("1")), true],
];

it.each(CASES)("%s, %o", (key, only, expected) => {
  const { uses } = needWithin(needOf([{ columns: ["id"], filters: [only] }]), key);
  expect(uses.length > 0).toBe(expected);
});

it("does not ask the file for what its directory says", () => {
  const filters = [filter(">", number("1")), { ...filter("=", number("2")), column: "id" }];
  expect(needWithin(needOf([{ filters }]), "year=5/x.parquet").uses).toEqual([[filters[1]]]);
  expect(needWithin(needOf([{ filters }]), "month=5/x.parquet").uses).toEqual([filters]);
});

it("needs every column where one use does not tell, and all rows where nothing is known", () => {
  expect(
    needOf([
      { columns: ["A"], filters: [] },
      { columns: ["b"], filters: [] },
    ]).columns,
  ).toEqual(new Set(["a", "b"]));
  expect(needOf([{ columns: ["a"], filters: [] }, { filters: [] }]).columns).toBeUndefined();
  expect(needOf(undefined)).toEqual({ columns: undefined, uses: [[]] });
});
