import { expect, it } from "vitest";
import { withoutParameters } from "../../../src/connectors/catalog/type-text.ts";

it.each([
  ["varchar(20)", "varchar"],
  ["timestamp(3) with time zone", "timestamp with time zone"],
  ["decimal(10,2)", "decimal"],
  ["a(b)(c)", "a(c)"],
  ["a(b(c)d)", "ad)"],
  ["date", "date"],
  ["a(b", "a(b"],
  ["a)b(c", "a)b(c"],
])("%s is %s without parameters", (type, name) => {
  expect(withoutParameters(type)).toBe(name);
});
