/**
 * `npm run parity` writes docs/evidence/parity.md: what every query gives on every engine that can be run here. The results of a target are
 * kept in `.siskin/parity`: `npm run parity -- --only duckdb mysql` runs these targets alone, and the page is written when all have a result.
 * `npm run parity -- --page` runs none.
 */
import { writeFileSync } from "node:fs";
import { CONSTRUCTS } from "./constructs.ts";
import { corpusSection } from "./corpus-section.ts";
import { counts, type KeptTarget, keep, kept, summary } from "./kept.ts";
import { runTarget, TARGETS, type Target } from "./target-run.ts";
import { unexecutedSections } from "./unexecuted-sections.ts";

const OUTCOMES = ["right", "refused", "engine error", "wrong"] as const;

function wanted([mode, ...words]: readonly string[]): readonly Target[] {
  if (mode === "--page") return [];
  if (mode === undefined) return TARGETS;
  const targets = TARGETS.filter((target) => words.includes(target));
  if (targets.length === 0 || targets.length < words.length) throw new Error(`Targets: ${TARGETS.join(", ")}.`);
  return targets;
}

for (const target of wanted(process.argv.slice(2))) {
  console.error(`${target} …`);
  keep(target, await runTarget(target));
}
const missing = TARGETS.filter((target) => kept(target) === undefined);
if (missing.length > 0) console.error(`The page needs these, too: npm run parity -- --only ${missing.join(" ")}`);
else
  writeFileSync(
    new URL("../../docs/evidence/parity.md", import.meta.url),
    await page(TARGETS.flatMap((each) => kept(each) ?? [])),
  );

async function page(engines: readonly KeptTarget[]): Promise<string> {
  const lines = [
    "# Parity",
    "",
    "The same SQL over the same data on every engine. Written by `npm run parity`; the tests in `test/parity` and",
    "`test/engines` hold every line of it. *Right*: the expected rows. *Refused*: a typed error that names the construct.",
    "*Wrong* is the only unforgivable outcome.",
    "",
    `Engines run here: ${engines.map(({ version, day, commit }) => `${version} (${day}, commit ${commit})`).join("; ")}.`,
    "Texts on MySQL and MariaDB are put in the order of their code points (`x-strict`): their own collations have another.",
    "ClickHouse is the engine of chdb behind an HTTP front of ours. Athena and Canner: *not executed*; what they are sent is read back",
    "on Trino (`test/engines/trino-members.test.ts`), and Databricks' on Spark (`test/engines/spark-databricks.test.ts`). SQL Server,",
    "Redshift, Snowflake, Oracle and Doris: planned, *not executed*, see below; Snowflake's statements run on an emulation and on Databend",
    "as well (`emulated.test.ts` and `databend.test.ts` in `test/engines/snowflake`), and what Doris has in common with MySQL on that",
    "(`test/engines/doris/on-mysql.test.ts`). BigQuery's dialect runs on Google's reference evaluator of its language, not on BigQuery.",
    "Files of S3, MinIO and GCS are DuckDB's to plan for, and asked in suites of their own, in the sidecar and in the files Worker's WASM:",
    "analyst queries and TPC (`test/engines/buckets.test.ts`, `buckets-wasm.test.ts`), and every construct (`buckets-constructs.test.ts`), of",
    "which the Worker leaves six queries to the sidecar.",
    "`npm run parity -- --source …` asks an account of one's own ([sources](../reference/sources.md)),",
    "and random queries and statements have a page of their own ([generated](generated.md)).",
    "",
    "## Sixty analyst queries",
    "",
    "Against the rows committed in `test/cases/analyst-queries.json`.",
    "",
    `| engine | ${OUTCOMES.join(" | ")} |`,
    `|---|${OUTCOMES.map(() => "---").join("|")}|`,
    ...engines.map(({ label, analyst }) => `| ${label} | ${counts(analyst).join(" | ")} |`),
    "",
    "On Trino a recursion of more steps than the server allows (`max_recursion_depth`, 10) is its error (Q25).",
    "Spark 4.0 refuses it.",
    "",
    "| statements of, and read back on | right | refused | engine error | wrong |",
    "|---|---|---|---|---|",
    "| Athena, on Trino | 59 | 0 | 1 | 0 |",
    "| Canner, on Trino | 59 | 0 | 1 | 0 |",
    "| Databricks, on Spark | 58 | 2 | 0 | 0 |",
    "",
    "TPC-H and TPC-DS through plain models: the rows of each engine against PostgreSQL's answer to its own plan, and PostgreSQL's and",
    "DuckDB's against the original text. `npm run test:engines` asks a part of them, and all with `TPC_EVERY=1` (`test/engines/tpc-*.test.ts`),",
    "where an outcome that is not *right* fails.",
    "",
    "| engine | TPC-H, right of 22 | TPC-DS, right of 99 |",
    "|---|---|---|",
    "| PostgreSQL, DuckDB | 22 | 99 |",
    "| MySQL, MariaDB | 22 | 99 |",
    "| Trino | 22 | 99 |",
    "| ClickHouse | 22 | 99 |",
    "| Spark | 22 | 99 |",
    "| GoogleSQL's evaluator, over samples | 20 | 91 |",
    "",
    "Of the evaluator, which knows no joins but loops, what takes minutes is planned and not asked.",
    "",
    ...corpusSection(engines),
    ...(await unexecutedSections()),
    "## Construct by construct",
    "",
    "PostgreSQL is the reference: its answer to the planned SQL against every other engine's. A construct with fewer than",
    "three queries is *unproven*.",
    "",
    `| construct | queries | ${engines.map((engine) => engine.label).join(" | ")} |`,
    `|---|---|${engines.map(() => "---").join("|")}|`,
  ];
  for (const [name, queries] of Object.entries(CONSTRUCTS)) {
    const cells = engines.map(({ constructs }) => summary(constructs[name] ?? []));
    const count = Object.keys(queries).length;
    const shown = count < 3 ? `${count}, *unproven*` : String(count);
    lines.push(`| ${name.replaceAll("|", "\\|")} | ${shown} | ${cells.join(" | ")} |`);
  }
  return `${lines.join("\n")}\n`;
}
