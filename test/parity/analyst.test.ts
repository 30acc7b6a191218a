import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainManifest } from "../support/analyst.ts";
import { readCells } from "../support/canonical-cells.ts";
import { type ExpectedRows, rowsDiffer } from "../support/comparator.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { type OpenedSource, openDuckDbFiles, openPostgres } from "../support/sources.ts";

interface Analyst {
  readonly id: string;
  readonly title: string;
  readonly sql: string;
  readonly ordered: boolean;
  readonly expected: { readonly columns: readonly string[]; readonly rows: ExpectedRows };
}

const { queries } = JSON.parse(readFileSync(new URL("../cases/analyst-queries.json", import.meta.url), "utf8")) as {
  readonly queries: readonly Analyst[];
};

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

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

  test("there are sixty", () => expect(queries).toHaveLength(60));

  test.each(queries)("$id $title", async ({ sql, ordered, expected }) => {
    const plan = planned(sql, manifest, { source });
    const stream = await opened.connector.query(plan, { signal: new AbortController().signal, timeoutMs: 30_000 });
    const { rows } = await readCells(stream);
    expect(rowsDiffer(expected.rows, rows, ordered), plan.sql).toBeUndefined();
    expect(plan.columns.map((column) => column.name)).toEqual(expected.columns);
  });
});
