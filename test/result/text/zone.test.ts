import { describe, expect, test } from "vitest";
import { isKnownZone, offsetText, openZone } from "../../../src/result/text/zone.ts";
import { seededRandom } from "../streams.ts";

const HOUR = 3600;

function offset(zone: string, instant: string | number): number {
  const second = typeof instant === "number" ? instant : Date.parse(instant) / 1000;
  return openZone(zone)?.offsetAt(second) ?? Number.NaN;
}

describe("which names are zones", () => {
  test.each([
    "UTC",
    "utc",
    "Etc/UTC",
    "GMT",
    "America/New_York",
    "america/new_york",
    "US/Pacific",
    "Asia/Kathmandu",
    "America/Argentina/Buenos_Aires",
    "Etc/GMT+5",
    "EST5EDT",
    "+02:00",
    "-0330",
    "+14",
    "-00:00",
  ])("%s", (name) => {
    expect(isKnownZone(name)).toBe(true);
  });

  test.each([
    "",
    " ",
    "Nope/Zone",
    "UTC+2",
    "GMT+2",
    "Z",
    "2:00",
    "+2",
    "+24:00",
    "+02:60",
    "+02:00:30",
    "America/New_York'",
    "America/New York",
    "../../etc/passwd",
    "UTC\n",
    "Ä",
  ])("%j is none", (name) => {
    expect(isKnownZone(name)).toBe(false);
  });

  test("a fixed offset has one spelling, a name the caller's", () => {
    expect(["+0230", "+02", "-05:00", "us/pacific", "utc"].map((name) => openZone(name)?.name)).toEqual([
      "+02:30",
      "+02:00",
      "-05:00",
      "us/pacific",
      "utc",
    ]);
  });
});

describe("offsets", () => {
  test.each<[string, string | number, number]>([
    ["UTC", "2024-07-01T00:00:00Z", 0],
    ["+05:30", "1800-01-01T00:00:00Z", 5.5 * HOUR],
    ["-0330", "2024-07-01T00:00:00Z", -3.5 * HOUR],
    ["America/New_York", "2024-01-15T00:00:00Z", -5 * HOUR],
    ["America/New_York", "2024-07-15T00:00:00Z", -4 * HOUR],
    // The second before and the second of each change.
    ["America/New_York", "2024-03-10T06:59:59Z", -5 * HOUR],
    ["America/New_York", "2024-03-10T07:00:00Z", -4 * HOUR],
    ["America/New_York", "2024-11-03T05:59:59Z", -4 * HOUR],
    ["America/New_York", "2024-11-03T06:00:00Z", -5 * HOUR],
    ["Australia/Lord_Howe", "2024-04-06T14:59:59Z", 11 * HOUR],
    ["Australia/Lord_Howe", "2024-04-06T15:00:00Z", 10.5 * HOUR],
    ["Asia/Kathmandu", "2024-01-01T00:00:00Z", 5.75 * HOUR],
    // Samoa left out a day: 24 hours forward.
    ["Pacific/Apia", "2011-12-30T09:59:59Z", -10 * HOUR],
    ["Pacific/Apia", "2011-12-30T10:00:00Z", 14 * HOUR],
    // Local mean time, with seconds, until noon of 18 November 1883.
    ["America/New_York", "1883-11-18T16:59:59Z", -(4 * HOUR + 56 * 60 + 2)],
    ["America/New_York", "1883-11-18T17:00:00Z", -5 * HOUR],
    ["Africa/Monrovia", "1960-01-01T00:00:00Z", -(44 * 60 + 30)],
    // Beyond what Date can say.
    ["America/New_York", -1e13, -(4 * HOUR + 56 * 60 + 2)],
    ["America/New_York", Date.parse("2024-07-15T00:00:00Z") / 1000 + 800 * 12_622_780_800, -4 * HOUR],
    ["America/New_York", Date.parse("2024-01-15T00:00:00Z") / 1000 + 800 * 12_622_780_800, -5 * HOUR],
    ["America/New_York", 8_640_000_000_000, -4 * HOUR],
  ])("%s at %s", (zone, instant, expected) => {
    expect(offset(zone, instant)).toBe(expected);
  });

  test("cached offsets are those that the platform gives instant by instant", () => {
    const random = seededRandom(7);
    for (const name of ["Europe/Berlin", "America/Sao_Paulo", "Africa/Casablanca", "Asia/Tehran", "Europe/Dublin"]) {
      const zone = openZone(name);
      const format = new Intl.DateTimeFormat("en-US", {
        timeZone: name,
        era: "short",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
        hourCycle: "h23",
      });
      for (let round = 0; round < 400; round++) {
        const second = Math.floor(-3e9 + random() * 6e9);
        const parts = new Map(format.formatToParts(second * 1000).map((part) => [part.type, Number(part.value)]));
        const [year, month, day, hour, minute, seconds] = (
          ["year", "month", "day", "hour", "minute", "second"] as const
        ).map((part) => parts.get(part) ?? Number.NaN);
        const local = Date.UTC(year!, month! - 1, day!, hour!, minute!, seconds!) / 1000;
        expect(zone?.offsetAt(second)).toBe(local - second);
      }
    }
  });
});

test.each([
  [0, "+00:00"],
  [-4 * HOUR, "-04:00"],
  [5.75 * HOUR, "+05:45"],
  [14 * HOUR, "+14:00"],
  [-(4 * HOUR + 56 * 60 + 2), "-04:56:02"],
  [-30, "-00:00:30"],
])("%s seconds are written %s", (seconds, text) => {
  expect(offsetText(seconds)).toBe(text);
});
