/**
 * `npm run properties:long` checks 200,000 cases and writes docs/evidence/properties.md; `PROPERTY_CASES` and `PROPERTY_SEED` set
 * another number and another first seed. Ends with 1 when something does not match.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { version as duckDbVersion } from "@duckdb/node-api";
import { startPostgres } from "../support/postgres.ts";
import { PostgresTwin } from "./postgres.ts";
import { casesOf, runSeeds } from "./run.ts";
import { summary } from "./summary.ts";

const CASES = Number(process.env["PROPERTY_CASES"] ?? 200_000);
const FIRST = Number(process.env["PROPERTY_SEED"] ?? 1_000_000);

let said = 0;
const database = await startPostgres();
const client = await database.connect();
const { rows: versions } = await client.query<{ server_version: string }>("SHOW server_version");
const run = await runSeeds(
  FIRST,
  (cases, seeds) => {
    if (cases >= said + 10_000) {
      said = cases;
      console.log(`${cases} cases, ${seeds} seeds`);
    }
    return cases >= CASES;
  },
  new PostgresTwin(client),
);
await database.stop();
const lines = [
  "# Properties",
  "",
  "Random schemas, data, models, rules and queries, each compared with an oracle that knows nothing of the planner:",
  "tables of plain rows, filtered beforehand where rules hold, with correlated subqueries for calculated columns.",
  "`test/properties` says how. Written by `npm run properties:long`; `npm run test:all` checks 3,000 cases of other seeds.",
  "",
  `Run on ${new Date().toISOString().slice(0, 10)} with DuckDB ${duckDbVersion()}, PostgreSQL ${versions[0]?.server_version} and Node ${process.versions.node}.`,
  "",
  ...summary(run),
  "",
  "`PRIMARY_KEY_REQUIRED`: an aggregate over own columns, or over a condition that is no equality, in a model that declares",
  "no key. `FANOUT`: a single value over a relationship that is declared to lead to many, and is not compared by a key.",
  "A refusal for any other reason counts as a mismatch.",
  "",
];
console.log(lines.join("\n"));
for (const { seed, property, detail } of run.tally.mismatches) console.log(`seed ${seed}: ${property}\n${detail}\n`);
if (casesOf(run.tally) >= CASES && run.tally.mismatches.length === 0) {
  writeFileSync(fileURLToPath(new URL("../../docs/evidence/properties.md", import.meta.url)), lines.join("\n"));
} else process.exitCode = 1;
