import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exampleRequest } from "../../scripts/example.ts";

test("examples/tpch/question.json holds the manifest beside it: npm run example writes it", () => {
  const file = readFileSync(new URL("../../examples/tpch/question.json", import.meta.url), "utf8");
  expect(file).toBe(exampleRequest());
});
