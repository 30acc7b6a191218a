import { expect, test } from "vitest";
import { valuesIn } from "../../src/explorer/view-as.ts";

test.each([
  ["tenant=acme", { tenant: "acme" }],
  [" tenant = acme , region=eu", { tenant: "acme", region: "eu" }],
  ["a=b=c", { a: "b=c" }],
  ["a=", { a: "" }],
  ["", undefined],
  [" , ", undefined],
])("%j", (text, values) => {
  expect(valuesIn(text)).toEqual(values);
});
