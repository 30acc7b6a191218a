/**
 * `npm run same-numbers`: MetricFlow and Cube answer questions over models of their own, and Siskin answers them over its imports of the
 * same models. Writes docs/evidence/imports.md. The judges are installed into .siskin/imports from PyPI and npm.
 */
import { writeFileSync } from "node:fs";
import { compareCube } from "./cube.ts";
import { type Outcome, ROOT } from "./judged.ts";
import { compareMetricFlow, compareMetricFlowOnPostgres } from "./metricflow.ts";

const JUDGES: Readonly<Record<string, () => Promise<Outcome>>> = {
  "MetricFlow, DuckDB": compareMetricFlow,
  "MetricFlow, PostgreSQL 18": compareMetricFlowOnPostgres,
  "Cube's compiler, PostgreSQL 18": compareCube,
};

const outcomes: (readonly [judge: string, outcome: Outcome])[] = [];
for (const [judge, compare] of Object.entries(JUDGES)) outcomes.push([judge, await compare()]);

const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const page = `# Imported numbers

\`npm run evidence -- imports\` writes this page. MetricFlow 0.15 itself answers questions over the dbt project in \`test/same-numbers/dbt\`, on DuckDB
and on PostgreSQL. Cube's own compiler (1.7, its planner in JavaScript) writes the SQL of questions over the model in \`test/same-numbers/cube\`, and PostgreSQL answers it. Siskin
answers the same questions over \`siskin import dbt\` and \`siskin import cube\`. The rows come from a seed; some orders have no customer, no amount or no status.

${table(
  ["Judge", "Questions", "Rows of the judge", "Equal", "Equal but for listed rows", "Different"],
  outcomes.map(([judge, { questions, rows, equal, different }]) => [
    ...[judge, questions, rows, equal, questions - equal - different.length, different.length],
  ]),
)}

Numbers are equal within 1e-9 of their size. Rows that differ with a reason:

${table(
  ["Judge", "Reason", "Questions"],
  outcomes.flatMap(([judge, { explained }]) => [...explained].map(([reason, count]) => [judge, reason, count])),
)}

Different answers:

${table(
  ["Judge", "Question", "Difference"],
  outcomes.flatMap(([judge, { different }]) => different.map(({ question, reason }) => [judge, question, reason])),
)}

Refused or left out by the imports:

${table(
  ["Judge", "Object", "Reason"],
  outcomes.flatMap(([judge, { refused }]) => refused.map(({ object, reason }) => [judge, object, reason])),
)}
`;
writeFileSync(`${ROOT}docs/evidence/imports.md`, page);
for (const [judge, { questions, equal, different }] of outcomes) {
  console.log(`${judge}: ${equal} of ${questions} equal, ${different.length} different`);
}
process.exit(outcomes.some(([, { different }]) => different.length > 0) ? 1 : 0);
