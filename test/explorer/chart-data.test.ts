import { describe, expect, test } from "vitest";
import { type ChartKind, chartOf, momentOf } from "../../src/explorer/chart-data.ts";

const column = (name: string, type: string) => ({ name, type });
const DAY = column("day", "date32[day]");
const AREA = column("area", "string");
const KIND = column("kind", "string");
const SUM = column("sum", "decimal128(38, 2)");
const COUNT = column("count", "int64");

function chart(columns: Parameters<typeof chartOf>[0], rows: Parameters<typeof chartOf>[1], wanted?: ChartKind) {
  const choice = chartOf(columns, rows, wanted);
  if ("why" in choice) return choice.why;
  const { kind, kinds, series } = choice.chart;
  return { kind, kinds, series: series.map(({ name, points }) => [name, points.map(({ text }) => text)]) };
}

describe("the chart of an answer", () => {
  test.each<
    [what: string, columns: Parameters<typeof chartOf>[0], rows: Parameters<typeof chartOf>[1], expected: unknown]
  >([
    [
      "a time and a number",
      [DAY, SUM],
      [
        ["2024-02-01", "2.50"],
        ["2024-01-01", "1.10"],
      ],
      { kind: "line", kinds: ["line", "bars"], series: [["sum", ["1.10", "2.50"]]] },
    ],
    [
      "a time, a text and a number",
      [DAY, AREA, SUM],
      [
        ["2024-01-01", "n", "1"],
        ["2024-01-01", null, "2"],
        ["2024-02-01", "n", "3"],
      ],
      {
        kind: "line",
        kinds: ["line", "bars", "stacked"],
        series: [
          ["n", ["1", "3"]],
          ["NULL", ["2"]],
        ],
      },
    ],
    [
      "a text and a number",
      [AREA, SUM],
      [
        ["n", "1"],
        ["s", "-2"],
      ],
      { kind: "bars", kinds: ["bars"], series: [["sum", ["1", "-2"]]] },
    ],
    [
      "a text and two numbers",
      [AREA, SUM, COUNT],
      [["n", "1", 5]],
      {
        kind: "bars",
        kinds: ["bars", "stacked"],
        series: [
          ["sum", ["1"]],
          ["count", ["5"]],
        ],
      },
    ],
    [
      "two texts and a number",
      [AREA, KIND, SUM],
      [
        ["n", "a", "1"],
        ["n", "b", "2"],
        ["s", "a", "3"],
      ],
      {
        kind: "bars",
        kinds: ["bars", "stacked"],
        series: [
          ["a", ["1", "3"]],
          ["b", ["2"]],
        ],
      },
    ],
    [
      "one number",
      [SUM],
      [["123456789.01"]],
      { kind: "number", kinds: ["number"], series: [["sum", ["123456789.01"]]] },
    ],
    ["no rows", [AREA, SUM], [], "The answer has no rows."],
    ["no number", [AREA], [["n"]], "No column is a number."],
    [
      "one time in all rows",
      [DAY, SUM],
      [
        ["2024-01-01", "1"],
        ["2024-01-01", "2"],
      ],
      "The times of the rows do not differ.",
    ],
    [
      "a text that occurs twice",
      [AREA, SUM],
      [
        ["n", "1"],
        ["n", "2"],
      ],
      "Several rows have the same area.",
    ],
    [
      "three texts",
      [AREA, KIND, column("c", "string"), SUM],
      [["a", "b", "c", "1"]],
      "A chart needs one time or one or two texts beside its numbers.",
    ],
    ["51 texts", [AREA, SUM], Array.from({ length: 51 }, (_, row) => [`${row}`, "1"]), "More than 50 values of area."],
    [
      "nine series",
      [DAY, AREA, SUM],
      Array.from({ length: 18 }, (_, row) => [`2024-01-0${1 + (row % 2)}`, `${row % 9}`, "1"]),
      "More than 8 series.",
    ],
  ])("%s", (_, columns, rows, expected) => {
    expect(chart(columns, rows)).toEqual(expected);
  });

  test("is stacked where somebody wants it, and no value is below zero", () => {
    const columns = [AREA, KIND, SUM];
    expect(
      chart(
        columns,
        [
          ["n", "a", "1"],
          ["n", "b", "2"],
        ],
        "stacked",
      ),
    ).toMatchObject({ kind: "stacked" });
    expect(
      chart(
        columns,
        [
          ["n", "a", "1"],
          ["n", "b", "-2"],
        ],
        "stacked",
      ),
    ).toMatchObject({ kind: "bars" });
  });
});

test.each([
  ["2024-07-01", "2024-07-01T00:00:00.000Z"],
  ["2024-07-01 19:59:59.000000", "2024-07-01T19:59:59.000Z"],
  ["2024-07-01 19:59:59.000000 -04:00", "2024-07-01T23:59:59.000Z"],
])("the moment of %s", (text, expected) => {
  expect(new Date(momentOf(text)).toISOString()).toBe(expected);
});

test.each(["infinity", "", "x", null, 5])("%s is no moment", (value) => {
  expect(momentOf(value)).toBeNaN();
});
