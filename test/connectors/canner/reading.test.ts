/** Timestamps with a zone's name behind them in columns that are described as timestamps, which PostgreSQL never sends. */
import { expect, it } from "vitest";
import { readingOf } from "../../../src/connectors/canner/reading.ts";
import { readField } from "../../../src/connectors/postgres/rows.ts";
import type { LogicalType } from "../../../src/result/types.ts";

const TIMESTAMP = { name: "x", dataTypeID: 1114, dataTypeModifier: -1 };
const INSTANT: LogicalType = { kind: "timestamp", unit: "us", zone: "UTC" };
const CLOCK: LogicalType = { kind: "timestamp", unit: "us", zone: undefined };

function column(...texts: (string | null)[]) {
  const { needsSample, readColumns } = readingOf({ columns: [] });
  expect(needsSample([TIMESTAMP])).toBe(true);
  const sample = texts.map((text) => [text]);
  return readColumns([TIMESTAMP], { monetaryLocale: "" }, sample)[0]!;
}

it.each<[texts: (string | null)[], type: LogicalType]>([
  [["2024-01-01 23:59:59.000000"], CLOCK],
  [[null, "2024-01-01 00:00:00"], CLOCK],
  [["0044-03-15 12:00:00 BC"], CLOCK],
  [["infinity"], CLOCK],
  [[null, "2024-01-01 23:59:59.000000 UTC"], INSTANT],
  [["2024-01-01 23:59:59 Europe/Berlin"], INSTANT],
  [["2024-01-01 23:59:59+05:30"], INSTANT],
  [["2024-01-01 23:59:59 -08"], INSTANT],
  [[null], CLOCK],
])("first rows %j", (texts, type) => {
  expect(column(...texts).type).toEqual(type);
});

it("a zone behind rows without one is refused, and one that is missing as well", () => {
  const clock = column("2024-01-01 00:00:00");
  expect(readField("2024-01-02 00:00:00", clock)).toBe(1_704_153_600_000_000n);
  expect(() => readField("2024-01-02 00:00:00 UTC", clock)).toThrow(
    expect.objectContaining({ reason: "SOURCE_ERROR" }),
  );
  const instant = column("2024-01-01 00:00:00 UTC");
  expect(readField("2024-01-02 00:00:00 Asia/Tokyo", instant)).toBe(1_704_121_200_000_000n);
  expect(() => readField("2024-01-02 00:00:00", instant)).toThrow(expect.objectContaining({ reason: "SOURCE_ERROR" }));
});
