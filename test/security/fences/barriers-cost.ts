/**
 * `npm run barriers:cost`: what the forms of best effort cost over millions of rows, into docs/evidence/best-effort.md. With names of
 * engines theirs alone; `ROWS=…` takes another number of rows. The CPU time of the engine depends on the machine and hardly on other
 * work; the bytes depend on neither.
 */
import { loadavg } from "node:os";
import { performance } from "node:perf_hooks";
import { writeEvidence } from "../../support/evidence.ts";
import {
  type CostEngine,
  openClickHouse,
  openDuckDb,
  openMySql,
  openPostgres,
  openSpark,
  openTrino,
} from "./cost-engines.ts";
import { cpuMilliseconds } from "./cpu-time.ts";

const PAGE = new URL("../../../docs/evidence/best-effort.md", import.meta.url);
const COLUMNS = ["id", "kind", "amount"];
const RULE = "b.tenant <> 3";
const ROUNDS = 3;

interface Form {
  readonly number?: readonly [expression: string, condition: string];
  readonly limit?: string;
  readonly guarded?: true;
  readonly column?: (name: string) => string;
}

const LONGEST = " LIMIT 9223372036854775807";
const RANKED: Form = { number: ["row_number() OVER (ORDER BY 1)", "f.n > 0"] };
const LIMITED: Form = { number: ["row_number() OVER (ORDER BY (SELECT NULL))", "f.n > 0"], limit: LONGEST };
const NUMBERED: Form = { number: ["row_number() OVER ()", "f.n > 0"], limit: LONGEST };
const PLAIN = { "filter alone": {} };

const NUMBERS: Readonly<Record<string, Form>> = {
  ...PLAIN,
  ranked: RANKED,
  "ranked, guarded": { ...RANKED, guarded: true },
  "ranked and limited": LIMITED,
  "numbered and limited": NUMBERED,
};

interface Run {
  readonly title: string;
  readonly rows: number;
  readonly open: (rows: number) => Promise<CostEngine>;
  readonly forms: Readonly<Record<string, Form>>;
}

const RUNS: Readonly<Record<string, Run>> = {
  postgres: { title: "PostgreSQL 18, pages that are read", rows: 10_000_000, open: openPostgres, forms: NUMBERS },
  duckdb: { title: "DuckDB, in memory", rows: 10_000_000, open: openDuckDb, forms: NUMBERS },
  clickhouse: {
    title: "ClickHouse, MergeTree, bytes of columns that are read",
    rows: 10_000_000,
    open: openClickHouse,
    forms: {
      ...PLAIN,
      copied: { column: (name) => `any(b.${name}) OVER (ROWS BETWEEN CURRENT ROW AND CURRENT ROW)` },
    },
  },
  mysql: {
    title: "MySQL 9.7, InnoDB, pages that are asked for",
    rows: 1_000_000,
    open: openMySql,
    forms: {
      ...PLAIN,
      "LIMIT, OFFSET 0": { limit: " LIMIT 18446744073709551615 OFFSET 0" },
      "ranked and limited": LIMITED,
      "ranked and limited, guarded": { ...LIMITED, guarded: true },
    },
  },
  trino: {
    title: "Trino 476, in memory, bytes that are processed",
    rows: 1_000_000,
    open: openTrino,
    forms: { ...PLAIN, "numbered and limited": NUMBERED },
  },
  spark: {
    title: "Spark 4.0.1, Parquet, bytes of files that are read",
    rows: 10_000_000,
    open: openSpark,
    forms: { ...PLAIN, "number as it comes": { number: ["monotonically_increasing_id()", "f.n >= 0"] } },
  },
};

function table({ number, limit = "", guarded, column = (name) => `b.${name}` }: Form, beside: string): string {
  const items = COLUMNS.map((name) => `${column(name)} AS ${name}`);
  if (guarded) items.push(`(${RULE}) AS r`);
  if (number !== undefined) items.push(`${number[0]} AS n`);
  const inner = `SELECT ${items.join(", ")} FROM big AS b WHERE ${RULE}${beside}${limit}`;
  const outside = COLUMNS.map((name) => (guarded ? `CASE WHEN f.r THEN f.${name} END AS ${name}` : `f.${name}`));
  return `(SELECT ${outside.join(", ")} FROM (${inner}) AS f${number === undefined ? "" : ` WHERE ${number[1]}`})`;
}

const RANGE = "id BETWEEN 5000 AND 5100";
const QUERIES: Readonly<Record<string, (form: Form) => string>> = {
  "a group over all rows": (form) =>
    `SELECT m.kind, sum(m.amount / (m.id + 1)) AS s FROM ${table(form, "")} AS m GROUP BY m.kind`,
  "101 keys, the condition outside alone": (form) =>
    `SELECT sum(m.amount / (m.id + 1)) AS s FROM ${table(form, "")} AS m WHERE m.${RANGE}`,
  "101 keys, the condition inside too": (form) =>
    `SELECT sum(m.amount / (m.id + 1)) AS s FROM ${table(form, ` AND b.${RANGE}`)} AS m WHERE m.${RANGE}`,
};

interface Cost {
  readonly milliseconds: number;
  readonly cpu: number;
  readonly bytes: number | undefined;
}

async function measured(engine: CostEngine, sql: string): Promise<Cost> {
  const [cpu, start] = [cpuMilliseconds(), performance.now()];
  const bytes = await engine.run(sql);
  return { milliseconds: performance.now() - start, cpu: cpuMilliseconds() - cpu, bytes };
}

/** Each form once a round, so that other work on the machine meets all of them: the least of the rounds after the first. */
async function tableOf({ title, rows, open, forms }: Run): Promise<readonly string[]> {
  const engine = await open(Number(process.env["ROWS"] ?? rows));
  const names = Object.keys(QUERIES);
  const best = new Map<string, Cost>();
  const [before] = loadavg();
  try {
    for (const [query, sqlOf] of Object.entries(QUERIES)) {
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [form, definition] of Object.entries(forms)) {
          const cost = await measured(engine, sqlOf(definition));
          if (round === 0) continue;
          const key = `${form} ${query}`;
          const known = best.get(key);
          best.set(key, {
            milliseconds: Math.min(cost.milliseconds, known?.milliseconds ?? Number.POSITIVE_INFINITY),
            cpu: Math.min(cost.cpu, known?.cpu ?? Number.POSITIVE_INFINITY),
            bytes: cost.bytes,
          });
        }
      }
      process.stderr.write(`${title}: ${query}\n`);
    }
  } finally {
    await engine.close();
  }
  const short = (value: number): string => String(Number(value.toPrecision(2)));
  const cell = (cost: Cost | undefined): string => {
    if (cost === undefined) return "";
    const bytes = cost.bytes === undefined ? "" : `, ${(cost.bytes / 1e6).toFixed(1)} MB`;
    return `${short(cost.milliseconds)} (${short(cost.cpu)})${bytes}`;
  };
  const count = Number(process.env["ROWS"] ?? rows);
  return [
    `**${title}: milliseconds (milliseconds of CPU), ${count} rows; load of the machine ${before?.toFixed(0)}**`,
    "",
    `| Form | ${names.join(" | ")} |`,
    `|---|${names.map(() => "---:").join("|")}|`,
    ...Object.keys(forms).map(
      (form) => `| ${form} | ${names.map((query) => cell(best.get(`${form} ${query}`))).join(" | ")} |`,
    ),
  ];
}

const chosen = process.argv.slice(2);
for (const [name, run] of Object.entries(RUNS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const lines = await tableOf(run);
  process.stderr.write(`${lines.join("\n")}\n`);
  writeEvidence(PAGE, "npm run barriers:cost", `cost-${name}`, lines);
}
