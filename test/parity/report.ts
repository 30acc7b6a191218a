/** `npm run parity` writes docs/evidence/parity.md: what every query gives on every engine that can be run here. */
import { writeFileSync } from "node:fs";
import { version as duckDbVersion } from "@duckdb/node-api";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf } from "../support/plan.ts";
import { ANALYST_QUERIES } from "./analyst.ts";
import { CONSTRUCTS } from "./constructs.ts";
import { corpusSection } from "./corpus-section.ts";
import { type Engine, openEngines, versionOf } from "./engines.ts";
import { type Answer, ask, judgeAgainst, judgeRows, type NoAnswer, type Verdict } from "./judge.ts";
import { unexecutedSections } from "./unexecuted-sections.ts";

const OUTCOMES = ["right", "refused", "engine error", "wrong"] as const;

async function analystVerdicts(engine: Engine): Promise<readonly Verdict[]> {
  const manifest = manifestOf(plainManifest(engine.source));
  const verdicts: Verdict[] = [];
  for (const { sql, ordered, expected } of ANALYST_QUERIES) {
    const answer = await ask(sql, manifest, engine.source, engine.opened, engine.settings);
    verdicts.push("outcome" in answer ? answer : judgeRows(answer, expected, ordered));
  }
  return verdicts;
}

/** Verdicts of all engines, which run in parallel. */
async function constructVerdicts(
  queries: readonly string[],
  engines: readonly Engine[],
  reference: Engine,
): Promise<readonly (readonly Verdict[])[]> {
  const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
  const expected: (Answer | NoAnswer)[] = [];
  for (const sql of queries) expected.push(await ask(sql, manifest, reference.source, reference.opened));
  const verdictsOf = async (engine: Engine): Promise<readonly Verdict[]> => {
    const verdicts: Verdict[] = [];
    for (const [index, sql] of queries.entries()) {
      const meant = expected[index] as Answer | NoAnswer;
      const answer =
        engine === reference ? meant : await ask(sql, manifest, engine.source, engine.opened, engine.settings);
      if ("outcome" in meant) verdicts.push(meant);
      else verdicts.push("outcome" in answer ? answer : judgeAgainst(meant, answer));
    }
    return verdicts;
  };
  return Promise.all(engines.map(verdictsOf));
}

const count = (verdicts: readonly Verdict[], outcome: Verdict["outcome"]): number =>
  verdicts.filter((verdict) => verdict.outcome === outcome).length;

/** `3 right`, or `2 right, 1 refused`. */
function summary(verdicts: readonly Verdict[]): string {
  return OUTCOMES.map((outcome) => [count(verdicts, outcome), outcome] as const)
    .filter(([number]) => number > 0)
    .map(([number, outcome]) => `${number} ${outcome}`)
    .join(", ");
}

const { postgres, duckdb, others, close } = await openEngines();
const engines = [postgres, duckdb, ...others];
const versions = await Promise.all(others.map(async (engine) => `${engine.label} ${await versionOf(engine)}`));

const analyst = await Promise.all(engines.map(async (engine) => [engine, await analystVerdicts(engine)] as const));
const lines = [
  "# Parity",
  "",
  "The same SQL over the same data on every engine. Written by `npm run parity`; the tests in `test/parity` and",
  "`test/engines` hold every line of it. *Right*: the expected rows. *Refused*: a typed error that names the construct.",
  "*Wrong* is the only unforgivable outcome.",
  "",
  `Engines run here: ${[await versionOf(postgres), `DuckDB ${duckDbVersion()}`, ...versions].join("; ")}.`,
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
  ...analyst.map(
    ([engine, verdicts]) => `| ${engine.label} | ${OUTCOMES.map((outcome) => count(verdicts, outcome)).join(" | ")} |`,
  ),
  "",
  "On Trino a recursion of more steps than the server allows (`max_recursion_depth`, 10) is its error (Q25).",
  "Spark 4.0 refuses it, and ClickHouse Q12, which is LATERAL.",
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
  ...(await corpusSection(summary)),
  ...(await unexecutedSections()),
  "## Construct by construct",
  "",
  "PostgreSQL is the reference: its answer to the planned SQL against every other engine's. A construct with fewer than",
  "three queries is *unproven*.",
  "",
  `| construct | queries | ${engines.map((engine) => engine.label).join(" | ")} |`,
  `|---|---|${engines.map(() => "---").join("|")}|`,
];
for (const { name, queries } of CONSTRUCTS) {
  const cells = (await constructVerdicts(queries, engines, postgres)).map(summary);
  const shown = queries.length < 3 ? `${queries.length}, *unproven*` : String(queries.length);
  lines.push(`| ${name.replaceAll("|", "\\|")} | ${shown} | ${cells.join(" | ")} |`);
}
writeFileSync(new URL("../../docs/evidence/parity.md", import.meta.url), `${lines.join("\n")}\n`);
await close();
