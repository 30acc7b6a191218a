import { describe, expect, it } from "vitest";
import { checkVariant, isWithin } from "../../src/connectors/variants.ts";

const FROM_8_0_14 = { product: "mysql", from: [8, 0, 14] };
const BELOW_9_6 = { ...FROM_8_0_14, below: [9, 6] };

describe("a server is within a range of its product", () => {
  it.each([
    ["mysql", [8, 0, 14], FROM_8_0_14, true],
    ["mysql", [8, 0, 13], FROM_8_0_14, false],
    ["mysql", [8, 4], FROM_8_0_14, true],
    ["mysql", [8], FROM_8_0_14, false],
    ["mysql", [10], FROM_8_0_14, true],
    ["mysql", [9, 5, 99], BELOW_9_6, true],
    ["mysql", [9, 6], BELOW_9_6, false],
    ["mysql", [9, 6, 0], BELOW_9_6, false],
    ["mysql", [10, 0, 0], BELOW_9_6, false],
    ["mariadb", [10, 11, 19], FROM_8_0_14, false],
    ["mysql", [], FROM_8_0_14, false],
  ])("%s %j in %j: %s", (product, version, range, expected) => {
    expect(isWithin({ product, version }, range)).toBe(expected);
  });
});

describe("a statement", () => {
  it("that was planned for all servers runs on any", () => {
    expect(() => checkVariant({}, undefined)).not.toThrow();
    expect(() => checkVariant({}, { product: "mysql", version: [8, 0, 0] })).not.toThrow();
  });

  it.each([undefined, { product: "mariadb", version: [11, 4, 2] }, { product: "mysql", version: [8, 0, 13] }])(
    "that was planned for others does not run on %j",
    (met) => {
      expect(() => checkVariant({ variant: FROM_8_0_14 }, met)).toThrow(
        expect.objectContaining({ reason: "ANOTHER_VARIANT" }),
      );
    },
  );
});
