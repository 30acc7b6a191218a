import { describe, expect, test } from "vitest";
import {
  epochMilliseconds,
  parseMicroseconds,
  parseTimestamp,
  timestampText,
  timestampWriter,
} from "../../../src/result/text/timestamp.ts";
import { openZone } from "../../../src/result/text/zone.ts";
import type { TimeUnit } from "../../../src/result/types.ts";

const LAST_SECOND = 1_704_153_599n; // 2024-01-01 23:59:59

describe("timestampText", () => {
  test.each<[bigint, TimeUnit, string]>([
    [LAST_SECOND, "s", "2024-01-01 23:59:59.000000"],
    [LAST_SECOND * 1000n + 5n, "ms", "2024-01-01 23:59:59.005000"],
    [LAST_SECOND * 1_000_000n + 123_456n, "us", "2024-01-01 23:59:59.123456"],
    [LAST_SECOND * 1_000_000_000n + 123_456_000n, "ns", "2024-01-01 23:59:59.123456"],
    [LAST_SECOND * 1_000_000_000n + 123_456_789n, "ns", "2024-01-01 23:59:59.123456789"],
    [0n, "us", "1970-01-01 00:00:00.000000"],
    [-1n, "us", "1969-12-31 23:59:59.999999"],
    [-1n, "ns", "1969-12-31 23:59:59.999999999"],
    [-1n, "s", "1969-12-31 23:59:59.000000"],
    // The edges of PostgreSQL's range.
    [-210_866_803_200_000_000n, "us", "4714-11-24 00:00:00.000000 BC"],
    [9_224_318_015_999_999_999n, "us", "294276-12-31 23:59:59.999999"],
    [-62_135_596_800_000_000n, "us", "0001-01-01 00:00:00.000000"],
    [-62_135_596_800_000_001n, "us", "0001-12-31 23:59:59.999999 BC"],
    [9_007_199_254_740_993n, "us", "2255-06-05 23:47:34.740993"],
  ])("%s %s", (value, unit, text) => {
    expect(timestampText(value, unit)).toBe(text);
  });

  test.each<[string, string, string]>([
    ["2024-01-01T23:59:59Z", "UTC", "2024-01-01 23:59:59.000000 +00:00"],
    ["2024-07-01T23:59:59Z", "America/New_York", "2024-07-01 19:59:59.000000 -04:00"],
    ["2024-11-03T05:30:00Z", "America/New_York", "2024-11-03 01:30:00.000000 -04:00"],
    ["2024-11-03T06:30:00Z", "America/New_York", "2024-11-03 01:30:00.000000 -05:00"],
    ["2024-03-10T06:59:59Z", "America/New_York", "2024-03-10 01:59:59.000000 -05:00"],
    ["2024-03-10T07:00:00Z", "America/New_York", "2024-03-10 03:00:00.000000 -04:00"],
    ["2024-01-01T20:00:00Z", "+05:30", "2024-01-02 01:30:00.000000 +05:30"],
    ["1883-11-18T16:00:00Z", "America/New_York", "1883-11-18 11:03:58.000000 -04:56:02"],
  ])("%s in %s", (instant, zone, text) => {
    expect(timestampText(BigInt(Date.parse(instant)), "ms", openZone(zone))).toBe(text);
  });

  test("before year 1 with a zone, the era comes last, as PostgreSQL writes it", () => {
    expect(timestampText(-62_135_596_800_001n, "ms", openZone("UTC"))).toBe("0001-12-31 23:59:59.999000 +00:00 BC");
  });

  test("a column's writer shows every day right, whatever it showed before", () => {
    const write = timestampWriter("s");
    const day = 86_400n;
    expect([0n, day, 0n, -1n, day * 365n].map(write)).toEqual([
      "1970-01-01 00:00:00.000000",
      "1970-01-02 00:00:00.000000",
      "1970-01-01 00:00:00.000000",
      "1969-12-31 23:59:59.000000",
      "1971-01-01 00:00:00.000000",
    ]);
  });
});

describe("epochMilliseconds", () => {
  test.each<[bigint, TimeUnit, string]>([
    [LAST_SECOND, "s", "1704153599000"],
    [1_704_153_599_123n, "ms", "1704153599123"],
    [1_704_153_599_123_999n, "us", "1704153599123"],
    [1_704_153_599_123_999_999n, "ns", "1704153599123"],
    [-1n, "us", "-1"],
    [-1000n, "us", "-1"],
    [-1001n, "us", "-2"],
    [-1n, "ns", "-1"],
    [9_007_199_254_740_991n, "us", "9007199254740"],
    [9_224_318_015_999_999_999n, "us", "9224318015999999"],
    [-9_224_318_015_999_999_999n, "us", "-9224318016000000"],
    [-9_224_318_015_999_999_000n, "us", "-9224318015999999"],
  ])("%s %s is %s", (value, unit, text) => {
    expect(epochMilliseconds(value, unit)).toBe(text);
  });
});

describe("parseTimestamp", () => {
  const LOCAL = LAST_SECOND * 1_000_000_000n;
  test.each<[string, bigint, number | undefined]>([
    ["2024-01-01 23:59:59", LOCAL, undefined],
    ["2024-01-01T23:59:59", LOCAL, undefined],
    ["2024-01-01T23:59:59Z", LOCAL, 0],
    ["2024-01-01 23:59:59 UTC", LOCAL, 0],
    ["2024-01-01 23:59:59.000000 +00:00", LOCAL, 0],
    ["2024-01-01 23:59:59+02", LOCAL, 7200],
    ["2024-01-01 23:59:59.5-0330", LOCAL + 500_000_000n, -12_600],
    ["2024-01-01 23:59:59.123456789", LOCAL + 123_456_789n, undefined],
    ["2024-01-01 23:59:59-04:56:02", LOCAL, -17_762],
    ["2024-01-01", LOCAL - 86_399_000_000_000n, undefined],
    ["1970-01-01 00:00", 0n, undefined],
    ["0001-12-31 23:59:59.999999 BC", -62_135_596_800_000_001_000n, undefined],
    ["0001-12-31 23:59:59.999999 +00:00 BC", -62_135_596_800_000_001_000n, 0],
  ])("%s", (text, localNanoseconds, offset) => {
    expect(parseTimestamp(text)).toEqual({ localNanoseconds, offset });
  });

  test.each(["", "yesterday", "2024-01-01 25:00:00", "2024-02-30 00:00:00", "infinity", "20240101", "2024-01-01 10"])(
    "%j is none",
    (text) => {
      expect(parseTimestamp(text)).toBeUndefined();
    },
  );
});

describe("parseMicroseconds", () => {
  test.each<[string, bigint]>([
    ["1970-01-01 00:00:00", 0n],
    ["1970-01-01 00:00:00.000001", 1n],
    ["1969-12-31 23:59:59.999999", -1n],
    ["2024-01-01 23:59:59+02", (LAST_SECOND - 7200n) * 1_000_000n],
    ["2024-01-01 23:59:59+00", LAST_SECOND * 1_000_000n],
    ["1892-04-01 12:00:00-00:01:15", -2_453_543_925n * 1_000_000n],
    ["294276-12-31 23:59:59.999999", 9_224_318_015_999_999_999n],
    ["4713-01-01 00:00:00 BC", -210_863_520_000n * 1_000_000n],
    ["2024-01-01", (LAST_SECOND - 86_399n) * 1_000_000n],
  ])("%s", (text, microseconds) => {
    expect(parseMicroseconds(text)).toBe(microseconds);
  });

  test.each([
    "",
    "infinity",
    "2024-02-30 00:00:00",
    "2024-01-01 00:00:00.0000001",
    " 2024-01-01",
    "2024-01-01 00:00:00 -05+00",
    "2024-01-01T",
    "2024-01-01 +1",
  ])("%j is none", (text) => {
    expect(parseMicroseconds(text)).toBeUndefined();
  });
});
