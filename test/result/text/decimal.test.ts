import { describe, expect, test } from "vitest";
import { ResultError } from "../../../src/result/failure.ts";
import { canonicalDecimal, decimalInteger, decimalNumber, decimalText } from "../../../src/result/text/decimal.ts";
import { seededRandom } from "../streams.ts";

describe("canonicalDecimal", () => {
  test.each([
    ["1", "1"],
    ["+1.50", "1.50"],
    ["-1.50", "-1.50"],
    ["007", "7"],
    ["-000.10", "-0.10"],
    [".5", "0.5"],
    ["5.", "5"],
    ["0", "0"],
    ["-0", "0"],
    ["-0.00", "0.00"],
    ["1e3", "1000"],
    ["1.23E+4", "12300"],
    ["1.2345e2", "123.45"],
    ["1.23e-6", "0.00000123"],
    ["-4.56e-3", "-0.00456"],
    ["12.5e-1", "1.25"],
    ["0e5", "0"],
    [" 42 ", "42"],
    ["NaN", "NaN"],
    ["nan", "NaN"],
    ["inf", "Infinity"],
    ["-Infinity", "-Infinity"],
    ["12345678901234567890.123456789", "12345678901234567890.123456789"],
  ])("%s is %s", (spelling, canonical) => {
    expect(canonicalDecimal(spelling)).toBe(canonical);
  });

  test.each(["", ".", "-", "1,5", "1e", "e5", "0x10", "1 2", "1e999999999", "1e200000", "--1", "one"])(
    "%j is none",
    (text) => {
      expect(canonicalDecimal(text)).toBeUndefined();
    },
  );
});

describe("decimalText", () => {
  test.each([
    ["0", "0"],
    ["0.000000000", "0"],
    ["-0.00", "0"],
    ["1", "1.0"],
    ["100", "100.0"],
    ["1.50", "1.5"],
    ["-123.450", "-123.45"],
    ["172799.490000000", "172799.49"],
    ["12300.00000", "12300.0"],
    ["0012.5", "12.5"],
    ["0.00001", "0.00001"],
    ["0.0000123", "0.0000123"],
    ["0.00000999", "9.99e-6"],
    ["0.000001", "1e-6"],
    ["-0.00000123", "-1.23e-6"],
    ["0.000000000100", "1e-10"],
    ["9999999999999990", "9999999999999990.0"],
    ["1234000000000000", "1234000000000000.0"],
    ["10000000000000000", "1e16"],
    ["-12000000000000000.00", "-1.2e16"],
    ["100000000000000000000", "1e20"],
    ["123456789012345000000", "1.23456789012345e20"],
    // Beyond 15 digits a binary64 would show other digits: exact and plain, whatever the size.
    ["9007199254740993", "9007199254740993.0"],
    ["12345678901234567890.123456789", "12345678901234567890.123456789"],
    ["12345678901234567890", "12345678901234567890.0"],
    ["0.00000012345678901234567890", "0.0000001234567890123456789"],
    ["0.333333333333333333", "0.333333333333333333"],
    ["0.00000123456789012345", "1.23456789012345e-6"],
    ["0.000001234567890123456", "0.000001234567890123456"],
    ["123456789012345000", "1.23456789012345e17"],
    ["12345678901234560", "12345678901234560.0"],
    ["NaN", null],
    ["Infinity", null],
    ["-Infinity", null],
  ])("%s shows as %s", (canonical, text) => {
    expect(decimalText(canonical)).toBe(text);
  });

  test("up to 15 digits it is what a binary64 shows", () => {
    const random = seededRandom(1);
    for (let round = 0; round < 20_000; round++) {
      const digits = String(1 + Math.floor(random() * 9)) + String(Math.floor(random() * 1e14)).slice(random() * 14);
      const canonical = canonicalDecimal(`${random() < 0.5 ? "-" : ""}${digits}e${Math.floor(random() * 60) - 40}`);
      const shown = decimalText(canonical ?? "");
      const number = Number(canonical);
      const size = Math.abs(number);
      const expected =
        size < 1e-5 || size >= 1e16
          ? number.toExponential().replace("e+", "e")
          : Number.isInteger(number)
            ? `${number}.0`
            : String(number);
      expect(shown).toBe(expected);
    }
  });

  test.each(["", "1e5", ".5", "1.", "abc", "nan", "1 "])("%j is not canonical", (text) => {
    expect(() => decimalText(text)).toThrow(ResultError);
    expect(() => decimalNumber(text)).toThrow(ResultError);
  });

  test("a numeric of PostgreSQL's largest size takes no quadratic time", () => {
    const canonical = `1${"0".repeat(131_071)}.${"0".repeat(16_382)}1`;
    expect(decimalText(canonical)).toBe(canonical);
    expect(decimalText(`${"0".repeat(131_072)}.${"0".repeat(16_383)}`)).toBe("0");
    expect(canonicalDecimal(canonical)).toBe(canonical);
  });
});

describe("decimalNumber", () => {
  test.each([
    ["172799.49", "172799.49"],
    ["12300.00000", "12300.00000"],
    ["-0.10", "-0.10"],
    ["0012.50", "12.50"],
    ["12345678901234567890.123456789", "12345678901234567890.123456789"],
    ["NaN", null],
    ["-Infinity", null],
  ])("%s is the JSON number %s", (canonical, number) => {
    expect(decimalNumber(canonical)).toBe(number);
  });
});

describe("decimalInteger", () => {
  test.each([
    ["9007199254740993", 9_007_199_254_740_993n],
    ["-12.000", -12n],
    ["12.5", undefined],
    ["NaN", undefined],
    ["1e3", undefined],
  ])("%s is %s", (canonical, integer) => {
    expect(decimalInteger(canonical)).toBe(integer);
  });
});
