import { describe, expect, test } from "vitest";
import { EXHAUSTIVE, isUnit, quickUnitFiles, SMOKE, testFiles } from "./tier.ts";

describe("the tier of a test file", () => {
  test.each([
    ["test/planner/syntax/precedence.test.ts", "needs the planner alone", true],
    ["test/connectors/trino/protocol.test.ts", "speaks to a fake server in its own process", true],
    ["test/sidecar/process.test.ts", "starts the sidecar", false],
    ["test/parity/casts.test.ts", "starts DuckDB and PostgreSQL by modules of test/support", false],
    ["test/e2e/start.test.ts", "starts workerd", false],
    ["test/connectors/bigquery/workerd.test.ts", "starts miniflare", false],
  ])("%s %s: unit is %s", (file, _why, expected) => {
    expect(testFiles()).toContain(file);
    expect(isUnit(file)).toBe(expected);
  });

  test("most files are unit files", () => {
    expect(quickUnitFiles().length).toBeGreaterThan(250);
  });

  test("the lists name files that exist, once", () => {
    const listed = [...SMOKE, ...EXHAUSTIVE];
    expect(listed.filter((file) => !testFiles().includes(file))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  test("only unit files need to be called exhaustive, since the others never run in the quick tier", () => {
    expect(EXHAUSTIVE.filter((file) => !isUnit(file))).toEqual([]);
  });
});
