/**
 * `npm run harmless`: asks PostgreSQL 14 to 18 and DuckDB what they compute without failing, and writes what the dialects
 * read, what the tests hold them to, and the table of docs/reference/access-rules.md. Needs `npm run engines`.
 */
import { writeFileSync } from "node:fs";
import { hasPostgres, POSTGRES_VERSIONS } from "../../support/postgres-server.ts";
import { type AskedEngine, ask, openDuckDb, openPostgres } from "./engines.ts";
import { harmlessOf, kindsOf, letterOf, moduleOf, OUTCOME, type Outcome, readOutcome } from "./outcome.ts";
import { writePage } from "./page.ts";
import { PROBES } from "./probes.ts";

const ROOT = new URL("../../../", import.meta.url);
const DIALECTS = new URL("src/planner/dialects/", ROOT);

const missing = POSTGRES_VERSIONS.filter((version) => !hasPostgres(version));
if (missing.length > 0) throw new Error(`PostgreSQL ${missing.join(", ")} is not here: npm run engines`);

const engines: readonly (readonly [string, () => Promise<AskedEngine>])[] = [
  ...POSTGRES_VERSIONS.map((version) => [`PostgreSQL ${version}`, () => openPostgres(version)] as const),
  ["DuckDB 1.4", openDuckDb],
];
/** `npm run harmless -- abs "extract year"` asks for these alone, and keeps what is known of the others. */
const only = new Set(process.argv.slice(2));
const asked = PROBES.filter(({ what }) => only.size === 0 || only.has(what));
const answers: Record<string, Record<string, string>> = only.size === 0 ? {} : { ...readOutcome().answers };
for (const { what } of asked) delete answers[what];
for (const [name, open] of engines) {
  const engine = await open();
  const began = Date.now();
  for (const probe of asked) {
    const kinds = kindsOf(probe);
    const own = answers[probe.what] ?? {};
    answers[probe.what] = { ...own, [kinds]: (own[kinds] ?? "") + letterOf(await ask(engine, probe)) };
  }
  await engine.close();
  process.stderr.write(`${name}: ${asked.length} probes, ${Math.round((Date.now() - began) / 1000)} s\n`);
}
// In the order of the probes, whatever was asked last.
const told = [...new Set(PROBES.map(({ what }) => what))].flatMap((what) => {
  const signatures = Object.entries(answers[what] ?? {}).filter(([, letters]) => /[^-]/.test(letters));
  return signatures.length === 0 ? [] : [[what, Object.fromEntries(signatures)] as const];
});
const outcome: Outcome = { engines: engines.map(([name]) => name), answers: Object.fromEntries(told) };
const rows = told.map(([what, signatures]) => `    ${JSON.stringify(what)}: ${JSON.stringify(signatures)}`);
writeFileSync(
  OUTCOME,
  `{\n  "engines": ${JSON.stringify(outcome.engines)},\n  "answers": {\n${rows.join(",\n")}\n  }\n}\n`,
);
for (const [dialect, engine, name] of [
  ["postgres", "PostgreSQL 14 to 18", "POSTGRES_COMPUTED"],
  ["duckdb", "DuckDB 1.4", "DUCKDB_COMPUTED"],
] as const) {
  const computed = harmlessOf(outcome, (each) => each.toLowerCase().startsWith(dialect));
  const doc = `Computed by ${engine} over every value of a type (\`access/harmless.ts\`).`;
  writeFileSync(new URL(`${dialect}/harmless.ts`, DIALECTS), moduleOf(name, doc, computed));
}
writePage(outcome);
