import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf } from "../support/plan.ts";
import { type OpenedSource, openDuckDbFiles, openPostgres } from "../support/sources.ts";
import { ANALYST_QUERIES } from "./analyst.ts";
import { ask, judgeRows } from "./judge.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

test("there are sixty", () => expect(ANALYST_QUERIES).toHaveLength(60));

describe.each([
  ["local_file", (): Promise<OpenedSource> => openDuckDbFiles(EXAMPLES)],
  ["postgres", (): Promise<OpenedSource> => openPostgres()],
] as const)("analyst queries on %s", (source, open) => {
  let opened: OpenedSource;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  const manifest = manifestOf(plainManifest(source));

  test.each(ANALYST_QUERIES)("$id $title", async ({ sql, ordered, expected }) => {
    const answer = await ask(sql, manifest, source, opened);
    expect("outcome" in answer ? answer : judgeRows(answer, expected, ordered)).toEqual({ outcome: "right" });
  });
});
