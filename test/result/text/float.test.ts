import { expect, test } from "vitest";
import { floatNumber } from "../../../src/result/text/float.ts";

test.each([
  [0, "0.0"],
  [-0, "-0.0"],
  [1, "1.0"],
  [-12300, "-12300.0"],
  [0.5, "0.5"],
  [1.0036585365853659, "1.0036585365853659"],
  [0.00001, "0.00001"],
  [0.000001, "1e-6"],
  [5e-324, "5e-324"],
  [1e15, "1000000000000000.0"],
  [1e16, "1e16"],
  [1.5e300, "1.5e300"],
  [Number.MAX_VALUE, "1.7976931348623157e308"],
  [Number.NaN, null],
  [Number.POSITIVE_INFINITY, null],
  [Number.NEGATIVE_INFINITY, null],
])("%s is %s", (value, text) => {
  expect(floatNumber(value)).toBe(text);
  if (text !== null) expect(JSON.parse(text)).toBe(value);
});
