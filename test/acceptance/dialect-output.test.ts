/** The cases that are about the text for one source. */
import { describe, expect, test } from "vitest";
import { DIALECT_CASES, planOf } from "./cases.ts";

/** Cases of sources that nothing is planned for yet; they join when it is. */
const AWAITED: Readonly<Record<string, readonly string[]>> = {
  oracle: ["Q05"],
};

const isAwaited = ({ dataSource }: { dataSource: string }): boolean => Object.hasOwn(AWAITED, dataSource);

describe("printed", () => {
  test.each(DIALECT_CASES.filter((each) => !isAwaited(each)))("$id on $dataSource: $title", (each) => {
    const { sql } = planOf(each, { source: each.dataSource });
    for (const text of each.planAssertions.must) expect(sql).toMatch(new RegExp(text));
    for (const text of each.planAssertions.mustNot) expect(sql).not.toMatch(new RegExp(text));
  });
});

describe("awaited", () => {
  test.each(Object.entries(AWAITED))("%s: %j", (source, ids) => {
    const cases = DIALECT_CASES.filter(({ dataSource }) => dataSource === source);
    expect(cases.map(({ id }) => id)).toEqual(ids);
    for (const each of cases) {
      expect(() => planOf(each, { source: each.dataSource })).toThrow(
        expect.objectContaining({ reason: "NOT_IMPLEMENTED" }),
      );
    }
  });
});
