import { expect, test } from "vitest";
import { intervalText } from "../../../src/result/text/interval.ts";

const SECOND = 1_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

test.each<[number, number, bigint, string]>([
  [14, 3, 0n, "14 mons 3 days"],
  [0, 0, HOUR + 30n * MINUTE, "1 hours 30 mins"],
  [0, -5, 0n, "-5 days"],
  [0, 1, 2n * HOUR + 3n * MINUTE + 4_500_000n, "1 days 2 hours 3 mins 4.500000000 secs"],
  [0, 0, 100_000n, "0.100000000 secs"],
  [112, 100, HOUR, "112 mons 100 days 1 hours"],
  [0, 10_484, 8n * HOUR + 54n * MINUTE + 14_400_000n, "10484 days 8 hours 54 mins 14.400000000 secs"],
  [0, 0, 0n, "0 secs"],
  [0, 0, 5n * SECOND, "5.000000000 secs"],
  [-1, 1, -HOUR - 30n * MINUTE - 1n, "-1 mons 1 days -1 hours -30 mins -0.000001000 secs"],
  [0, 0, -500_000n, "-0.500000000 secs"],
  [0, 0, 9_223_372_036_854_775_807n, "2562047788 hours 54.775807000 secs"],
])("%s months %s days %s microseconds is %s", (months, days, microseconds, text) => {
  expect(intervalText({ months, days, microseconds })).toBe(text);
});
