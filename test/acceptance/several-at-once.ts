/**
 * The cases on an engine whose statements are mostly waited for: several are asked at once, before they are judged one by one. With
 * `SHARE` they are shared out (`test/support/share.ts`).
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statementOf } from "../../src/planner/plan.ts";
import { inTurns } from "../engines/turns.ts";
import { readCells } from "../support/canonical-cells.ts";
import { shareFor } from "../support/share.ts";
import type { OpenedSource } from "../support/sources.ts";
import { type Engine, planOf, problemWith, QUERY_CASES } from "./cases.ts";

const AT_ONCE = 6;
const PATIENCE_MS = 60_000;

export interface OpenedCases extends OpenedSource {
  readonly engine: Omit<Engine, "run">;
}

/** `refused`: ids of cases. */
export function askCases(
  source: "spark" | "trino",
  refused: readonly string[],
  open: () => Promise<OpenedCases>,
): void {
  const cases = shareFor(source, QUERY_CASES);
  let opened: OpenedCases;
  let engine: Engine;
  /** By the case's id; what is thrown counts as a problem. */
  const problems = new Map<string, string | undefined>();
  const answered = new Set<string>();

  beforeAll(async () => {
    opened = await open();
    engine = { ...opened.engine, run: () => Promise.reject(new Error("not run")) };
    const asked = cases.filter((each) => !refused.includes(each.id));
    await inTurns(AT_ONCE, asked, async (each) => {
      const own: Engine = {
        ...engine,
        run: async (plan) => {
          const options = { signal: new AbortController().signal, timeoutMs: PATIENCE_MS };
          const { rows } = await readCells(await opened.connector.query(statementOf(plan), options));
          answered.add(each.id);
          return rows;
        },
      };
      const problem = problemWith(each, own);
      problems.set(each.id, await problem.catch((error: Error) => `${error.message}\n${planOf(each, engine).sql}`));
    });
  });

  afterAll(() => opened?.close());

  describe.each([...new Set(cases.map(({ topic }) => topic))])("%s", (topic) => {
    test.each(cases.filter((each) => each.topic === topic))("$id $title", (each) => {
      if (refused.includes(each.id)) {
        expect(() => planOf(each, engine)).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE" }));
        return;
      }
      expect(problems.get(each.id)).toBeUndefined();
      if (each.expected.type === "rows") expect(answered).toContain(each.id);
    });
  });

  test("of a hundred cases that have rows ninety-five and more are answered", () => {
    const withRows = cases.filter((each) => each.expected.type === "rows");
    expect(withRows.filter(({ id }) => answered.has(id)).length / withRows.length).toBeGreaterThanOrEqual(0.95);
  });
}
