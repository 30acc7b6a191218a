/**
 * `npm run generated` writes docs/generated.md: random queries, and random statements of the constructs that engines differ in, on
 * every engine that can be run here, against PostgreSQL's answer to the text as it is. `GENERATED` sets how many of both are asked,
 * `GENERATED_SEED` the first seed, names of engines as words (`npm run generated spark trino`) which. Ends with 1 when one is wrong.
 */
import { writeFileSync } from "node:fs";
import { inTurns, oneByOne } from "../../engines/turns.ts";
import { manifestOf } from "../../support/plan.ts";
import { randomQuery } from "../../support/random-query.ts";
import { type Engine, openEngines, versionOf } from "../engines.ts";
import { type Answer, ask, askAsWritten, judgeAgainst, type Verdict } from "../judge.ts";
import { randomStatement, SUBJECTS } from "./statements.ts";

const COUNT = Number(process.env["GENERATED"] ?? 2_000);
/** Behind the seeds of the tests. */
const FIRST = Number(process.env["GENERATED_SEED"] ?? 2_100_001);
/** A statement on Spark or Trino waits more than it computes. */
const AT_ONCE = 4;
const OUTCOMES = ["right", "refused", "engine error", "wrong"] as const;
const WITHOUT_TABLES = manifestOf({ catalog: "c", schema: "s", models: [] });
/** What is raised by the plan itself, since a row's value shows it alone. */
const RAISED = /A text cannot be read/;

interface Asked {
  readonly name: string;
  readonly sql: string;
  readonly ordered: boolean;
}

const seeds = Array.from({ length: COUNT }, (_, index) => FIRST + index);
const KINDS: Readonly<Record<string, readonly Asked[]>> = {
  queries: seeds.map((seed) => ({ name: `query ${seed}`, sql: randomQuery(seed), ordered: true })),
  statements: seeds.map((seed, index) => {
    const subject = SUBJECTS[index % SUBJECTS.length] ?? "";
    return { name: `${subject} ${seed}`, ...randomStatement(subject, seed) };
  }),
};

const { postgres, duckdb, others, close } = await openEngines();
const wanted = process.argv.slice(2);
const engines = [duckdb, ...others].filter(({ source }) => wanted.length === 0 || wanted.includes(source));
/** Its connection takes one statement after another. */
const inOrder = oneByOne();

/** Undefined where PostgreSQL has no answer, for then there is none to compare with. */
async function verdictOf({ sql, ordered }: Asked, { source, opened, settings }: Engine): Promise<Verdict | undefined> {
  const original: Answer | Exclude<Verdict, { outcome: "right" }> = await inOrder(() =>
    askAsWritten(sql, postgres.opened),
  );
  if ("outcome" in original) return undefined;
  const answer = await ask(sql, WITHOUT_TABLES, source, opened, settings);
  if (!("outcome" in answer)) return judgeAgainst(original, answer, { ordered, json: "value" });
  return RAISED.test(answer.detail) ? { outcome: "refused", detail: answer.detail } : answer;
}

const rows: string[] = [];
const faults: string[] = [];
for (const engine of engines) {
  for (const [kind, all] of Object.entries(KINDS)) {
    const counts = { right: 0, refused: 0, "engine error": 0, wrong: 0 };
    await inTurns(AT_ONCE, all, async (asked) => {
      const verdict = await verdictOf(asked, engine);
      if (verdict === undefined) return;
      counts[verdict.outcome]++;
      if (verdict.outcome === "right" || verdict.outcome === "refused") return;
      faults.push(`- ${engine.label}, ${asked.name}, ${verdict.outcome}: ${verdict.detail.replaceAll(/\s+/g, " ")}`);
      process.stderr.write(`${faults.at(-1)}\n`);
    });
    rows.push(`| ${engine.label} | ${kind} | ${OUTCOMES.map((outcome) => counts[outcome]).join(" | ")} |`);
    process.stderr.write(`${rows.at(-1)}\n`);
  }
}

const versions = await Promise.all([postgres, ...others].map(versionOf));
const page = [
  "# Generated statements",
  "",
  "Random queries over rows that they bring themselves (`test/support/random-query.ts`), and random statements of the constructs that",
  "engines differ in (`test/parity/random`), against PostgreSQL's answer to the text as it is; what PostgreSQL raises is not counted.",
  `Written by \`npm run generated\`: ${COUNT.toLocaleString("en-US")} of both from seed ${FIRST.toLocaleString("en-US")} on. The tests ask fewer, of other seeds, and`,
  "`npm run properties:long` has queries through models, rules and cubes.",
  "",
  `Versions: ${versions.join("; ")}.`,
  "",
  `| engine | generated | ${OUTCOMES.join(" | ")} |`,
  `|---|---|${OUTCOMES.map(() => "---").join("|")}|`,
  ...rows,
  "",
  faults.length === 0 ? "No fault." : "## Faults",
  ...(faults.length === 0 ? [] : ["", ...faults]),
];
if (wanted.length === 0) writeFileSync(new URL("../../../docs/generated.md", import.meta.url), `${page.join("\n")}\n`);
else process.stdout.write(`${page.join("\n")}\n`);
await close();
process.exitCode = faults.some((fault) => fault.includes(", wrong: ")) ? 1 : 0;
