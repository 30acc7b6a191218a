/**
 * Generated files, Parquet, CSV and JSON in turn, and generated queries over them: DuckDB's WASM answers cell by cell as native
 * DuckDB does, or leaves them to it, and fails where that one fails. `DIFFERENTIAL=500` asks all queries of all 300 files.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeWith } from "../../sidecar/duckdb/fixtures.ts";
import { type BothEngines, difference, openBoth, outcomeOf } from "./both-engines.ts";
import { generatedFile } from "./generated-parquet.ts";
import { generatedQuery } from "./generated-queries.ts";

const FILES = 300;
const COUNT = Number(process.env["DIFFERENTIAL"] ?? 25);
/** A first seed behind those of the other tests. */
const FIRST = 10_000;

/** Formats of ten files: seven of Parquet, with the encodings and compressions of `generatedFile`. */
const FORMATS: ReadonlyMap<number, readonly [extension: string, options: readonly string[]]> = new Map([
  [7, ["csv", ["FORMAT csv", "HEADER"]]],
  [8, ["csv.zst", ["FORMAT csv", "HEADER", "COMPRESSION zstd"]]],
  [9, ["ndjson.gz", ["FORMAT json", "COMPRESSION gzip"]]],
]);

interface Asked {
  readonly path: string;
  readonly columns: readonly string[];
  copy(root: string): string;
}

function fileOf(number: number): Asked {
  const file = generatedFile(FIRST + number);
  const [extension, options] = FORMATS.get(number % 10) ?? [];
  if (extension === undefined || options === undefined) return file;
  const path = `generated/f ${number}%.${extension}`;
  return { ...file, path, copy: (root) => file.copyTo(root, path, options) };
}

/** Neighbouring queries are of different files, and all files come up. */
const QUESTIONS = Array.from({ length: COUNT }, (_, index) => {
  const file = fileOf((index * 7) % FILES);
  const columns = file.columns.map((name) => `"${name.replaceAll('"', '""')}"`);
  return { file, sql: generatedQuery(FIRST + index, `"${file.path}"`, columns) };
});

let both: BothEngines;
beforeAll(async () => {
  both = await openBoth({});
  mkdirSync(join(both.ground.root, "generated"));
  const files = new Map(QUESTIONS.map(({ file }) => [file.path, file]));
  await makeWith([...files.values()].map((file) => file.copy(both.ground.root)));
}, 300_000);
afterAll(() => both.close());

it(`${COUNT} queries`, { timeout: 60_000 + 2_000 * COUNT }, async () => {
  const outcomes = new Map<string, number>();
  const differences: string[] = [];
  for (const { file, sql } of QUESTIONS) {
    const theirs = await outcomeOf(both.native, file.path, { sql });
    const ours = await outcomeOf(both.wasm, file.path, { sql });
    const came = outcomeName(ours, theirs);
    outcomes.set(came, (outcomes.get(came) ?? 0) + 1);
    if (came === "different") differences.push(`${sql}\n${difference(ours, theirs)}`);
  }
  expect(differences).toEqual([]);
  expect(outcomes.get("equal")).toBeGreaterThan(COUNT * 0.8);
  if (process.env["DIFFERENTIAL"] !== undefined) process.stdout.write(`${JSON.stringify([...outcomes])}\n`);
});

type Outcome = Awaited<ReturnType<typeof outcomeOf>>;

function outcomeName(ours: Outcome, theirs: Outcome): string {
  if ("reason" in ours && ours.reason === "NEEDS_SIDECAR") return "left to native DuckDB";
  if ("reason" in ours && "reason" in theirs) return ours.reason === theirs.reason ? "failing in both" : "different";
  return difference(ours, theirs) === "none" ? "equal" : "different";
}
