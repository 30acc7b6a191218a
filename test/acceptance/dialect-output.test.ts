/** The cases that are about the text for one source. */
import { describe, expect, test } from "vitest";
import { DIALECT_CASES, planOf } from "./cases.ts";

describe("printed", () => {
  test.each(DIALECT_CASES)("$id on $dataSource: $title", (each) => {
    const { sql } = planOf(each, { source: each.dataSource });
    for (const text of each.planAssertions.must) expect(sql).toMatch(new RegExp(text));
    for (const text of each.planAssertions.mustNot) expect(sql).not.toMatch(new RegExp(text));
  });
});
