/** docs/reference/connections.md: an example of `connectionInfo` for each source, which is read without a warning. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { connectionShapes, parseConnection } from "../../src/connectors/sources.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { makeAccount } from "../connectors/bigquery/rest.ts";
import { blocksOf } from "../support/documents.ts";

const page = readFileSync(new URL("../../docs/reference/connections.md", import.meta.url), "utf8");
const block = blocksOf(page).find(({ text }) => text.includes('"gcs_file": {'));
const examples = Object.entries(JSON.parse(block?.text ?? "{}")) as [DataSource, Record<string, unknown>][];

test("each source has an example", () => {
  expect(examples.map(([source]) => source).sort()).toEqual(Object.keys(connectionShapes()).sort());
});

test.each(examples)("%s", (source, example) => {
  // The page cannot hold a private key.
  const given = source === "bigquery" ? { ...example, credentials: makeAccount().credentials } : example;
  expect(parseConnection(source, given).warnings).toEqual([]);
});
