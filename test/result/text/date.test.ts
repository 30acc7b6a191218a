import { describe, expect, test } from "vitest";
import { civilDate, epochDays } from "../../../src/result/text/calendar.ts";
import { dateText, parseDate } from "../../../src/result/text/date.ts";

describe("dates as text and back", () => {
  test.each([
    [0, "1970-01-01"],
    [-1, "1969-12-31"],
    [9_497, "1996-01-02"],
    [19_723, "2024-01-01"],
    [11_016, "2000-02-29"],
    [-25_509, "1900-02-28"],
    [-25_508, "1900-03-01"],
    [2_932_896, "9999-12-31"],
    [2_932_897, "10000-01-01"],
    [2_145_042_905, "5874897-12-31"],
    [-719_162, "0001-01-01"],
    [-719_163, "0001-12-31 BC"],
    [-735_160, "0044-03-15 BC"],
    [-2_440_588, "4714-11-24 BC"],
    [Number.POSITIVE_INFINITY, "infinity"],
    [Number.NEGATIVE_INFINITY, "-infinity"],
  ])("%s is %s", (days, text) => {
    expect(dateText(days)).toBe(text);
    expect(parseDate(text)).toBe(days);
  });

  test("the calendar agrees with Date over its whole range", () => {
    for (let days = -100_000_000; days <= 100_000_000; days += 9_973) {
      const date = new Date(days * 86_400_000);
      const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
      expect(civilDate(days)).toEqual(civil);
      expect(epochDays(civil.year, civil.month, civil.day)).toBe(days);
    }
  });
});

test.each([
  "",
  "2024-1-1",
  "2024-02-30",
  "2023-02-29",
  "1900-02-29",
  "2024-04-31",
  "2024-12-32",
  "024-01-01",
  "12345678-01-01",
  "2024/01/01",
  "2024-01-01BC",
  "２０２４-01-01",
  "2024-13-01",
  "2024-00-10",
  "2024-01-00",
  "0000-01-01",
  "-0044-03-15",
  "2024-01-01 00:00:00",
  "2024-01-01 AD",
  "Infinity",
])("%j is no date", (text) => {
  expect(parseDate(text)).toBeUndefined();
});

test("DuckDB's spelling of years before 1 is read", () => {
  expect(parseDate("0044-03-15 (BC)")).toBe(-735_160);
});
