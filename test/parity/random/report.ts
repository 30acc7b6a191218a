/**
 * `npm run generated`: random queries, and random statements of the constructs that engines differ in, on every engine that can
 * be run here, one engine after the other, against PostgreSQL's answer to the text as it is; its tables replace those of
 * docs/evidence/generated.md. With names of engines (`npm run generated spark trino`) theirs alone. `GENERATED` sets how many of both are
 * asked, `GENERATED_SEED` the first seed. Ends with 1 when one is wrong.
 */
import { version as duckDbVersion } from "@duckdb/node-api";
import { inTurns, oneByOne } from "../../engines/turns.ts";
import { writeEvidence } from "../../support/evidence.ts";
import { manifestOf } from "../../support/plan.ts";
import { randomQuery } from "../../support/random-query.ts";
import { type Engine, OTHER_ENGINES, openEngines, versionOf } from "../engines.ts";
import { ask, askAsWritten, judgeAgainst, raisedAsRefused, type Verdict } from "../judge.ts";
import { randomStatement, SUBJECTS } from "./statements.ts";

const PAGE = new URL("../../../docs/evidence/generated.md", import.meta.url);
const COUNT = Number(process.env["GENERATED"] ?? 2_000);
/** Behind the seeds of the tests. */
const FIRST = Number(process.env["GENERATED_SEED"] ?? 2_100_001);
/** A statement on Spark or Trino waits more than it computes. */
const AT_ONCE = 4;
const OUTCOMES = ["right", "refused", "engine error", "wrong"] as const;
const WITHOUT_TABLES = manifestOf({ catalog: "c", schema: "s", models: [] });

/** An engine, and how its statements wait for each other. */
interface Asking extends Engine {
  readonly version: string;
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

async function asking(engine: Engine, version?: string): Promise<Asking> {
  const inTurn = engine.inOrder ? oneByOne() : <T>(work: () => Promise<T>): Promise<T> => work();
  return { ...engine, version: version ?? (await versionOf(engine)), inTurn };
}

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

/** Undefined where PostgreSQL has no answer, for then there is none to compare with. */
async function verdictOf({ sql, ordered }: Asked, postgres: Asking, engine: Asking): Promise<Verdict | undefined> {
  const original = await postgres.inTurn(() => askAsWritten(sql, postgres.opened));
  if ("outcome" in original) return undefined;
  const { source, opened, settings } = engine;
  const answer = raisedAsRefused(await engine.inTurn(() => ask(sql, WITHOUT_TABLES, source, opened, settings)));
  return "outcome" in answer ? answer : judgeAgainst(original, answer, { ordered, json: "value" });
}

async function tableOf(postgres: Asking, engine: Asking): Promise<readonly string[]> {
  const rows: string[] = [];
  const faults: string[] = [];
  for (const [kind, all] of Object.entries(KINDS)) {
    const counts = { right: 0, refused: 0, "engine error": 0, wrong: 0 };
    await inTurns(AT_ONCE, all, async (asked) => {
      const verdict = await verdictOf(asked, postgres, engine);
      if (verdict === undefined) return;
      counts[verdict.outcome]++;
      if (verdict.outcome === "right" || verdict.outcome === "refused") return;
      faults.push(`- ${asked.name}, ${verdict.outcome}: ${verdict.detail.replaceAll(/\s+/g, " ")}`);
      process.stderr.write(`${faults.at(-1)}\n`);
      if (verdict.outcome === "wrong") process.exitCode = 1;
    });
    rows.push(`| ${kind} | ${OUTCOMES.map((outcome) => counts[outcome]).join(" | ")} |`);
    process.stderr.write(`${engine.label} ${rows.at(-1)}\n`);
  }
  return [
    `**${engine.label} ${engine.version}**, ${COUNT.toLocaleString("en-US")} of both from seed ${FIRST.toLocaleString("en-US")} on; ${postgres.version}`,
    "",
    `| generated | ${OUTCOMES.join(" | ")} |`,
    `|---|${OUTCOMES.map(() => "---:").join("|")}|`,
    ...rows,
    ...(faults.length > 0 ? ["", ...faults.sort()] : []),
  ];
}

const named = process.argv.slice(2);
for (const name of ["duckdb", ...OTHER_ENGINES] as const) {
  if (named.length > 0 && !named.includes(name)) continue;
  const { postgres, duckdb, others, close } = await openEngines(name === "duckdb" ? [] : [name]);
  try {
    const version = name === "duckdb" ? duckDbVersion() : undefined;
    const engine = await asking(others[0] ?? duckdb, version);
    writeEvidence(PAGE, "npm run generated", name, await tableOf(await asking(postgres), engine));
  } finally {
    await close();
  }
}
