import { expect, test } from "vitest";
import { parseTimeOfDay, timeText } from "../../../src/result/text/time.ts";
import type { TimeUnit } from "../../../src/result/types.ts";

test.each<[number, TimeUnit, string]>([
  [0, "s", "00:00:00"],
  [45_296, "s", "12:34:56"],
  [86_400, "s", "24:00:00"],
  [3_723_456, "ms", "01:02:03.456000"],
  [45_296_000, "ms", "12:34:56"],
  [3_723_456_000, "us", "01:02:03.456000"],
  [1, "us", "00:00:00.000001"],
  [3_723_456_000_000, "ns", "01:02:03.456000"],
  [3_723_456_000_001, "ns", "01:02:03.456000001"],
  [86_399_999_999_999, "ns", "23:59:59.999999999"],
  [-3_020_399_000_000, "us", "-838:59:59"],
])("%s %s is %s", (value, unit, text) => {
  expect(timeText(value, unit)).toBe(text);
});

test.each([
  ["00:00", 0],
  ["12:34:56", 45_296_000_000_000],
  ["01:02:03.456", 3_723_456_000_000],
  ["23:59:59.999999999", 86_399_999_999_999],
  ["24:00:00", 86_400_000_000_000],
  ["24:00:01", undefined],
  ["12:60:00", undefined],
  ["12:00:60", undefined],
  ["1:02:03", undefined],
  ["12:00:00.", undefined],
  ["12:00:00.1234567890", undefined],
  ["12:00:00,5", undefined],
  ["12:00:", undefined],
  ["12-00", undefined],
  ["12:00-00", undefined],
  ["-1:00:00", undefined],
  ["noon", undefined],
])("%s is %s nanoseconds", (text, nanoseconds) => {
  expect(parseTimeOfDay(text)).toBe(nanoseconds);
});
