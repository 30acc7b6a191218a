/**
 * `npm run barriers:cost`: what the forms of best effort cost over ten million rows, into docs/evidence/best-effort.md. `ROWS=…` takes
 * another number of rows. Times depend on the machine; the bytes that PostgreSQL reads do not.
 */
import { performance } from "node:perf_hooks";
import { DuckDBInstance } from "@duckdb/node-api";
import { writeEvidence } from "../../support/evidence.ts";
import { startPostgres } from "../../support/postgres.ts";

const PAGE = new URL("../../../docs/evidence/best-effort.md", import.meta.url);
const ROWS = Number(process.env["ROWS"] ?? 10_000_000);
const COLUMNS = ["id", "kind", "amount"];
const RULE = "b.tenant <> 3";

interface Form {
  readonly number?: string;
  readonly limit?: string;
  readonly guarded?: true;
}

const FORMS: Readonly<Record<string, Form>> = {
  "filter alone": {},
  ranked: { number: "row_number() OVER (ORDER BY 1)" },
  "ranked, guarded": { number: "row_number() OVER (ORDER BY 1)", guarded: true },
  "ranked and limited": { number: "row_number() OVER (ORDER BY (SELECT NULL))", limit: " LIMIT 9223372036854775807" },
  "numbered and limited": { number: "row_number() OVER ()", limit: " LIMIT 9223372036854775807" },
};

function table({ number, limit = "", guarded }: Form, beside: string): string {
  const inner = `SELECT ${COLUMNS.map((name) => `b.${name}`).join(", ")}${guarded ? `, (${RULE}) AS r` : ""}${number === undefined ? "" : `, ${number} AS n`} FROM big AS b WHERE ${RULE}${beside}${limit}`;
  const items = COLUMNS.map((name) => (guarded ? `CASE WHEN f.r THEN f.${name} END AS ${name}` : `f.${name}`));
  return `(SELECT ${items.join(", ")} FROM (${inner}) AS f${number === undefined ? "" : " WHERE f.n > 0"})`;
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

const SETUP = [
  "CREATE TABLE big (id bigint PRIMARY KEY, tenant int, kind int, amount int)",
  `INSERT INTO big SELECT i, i % 10, i % 100, i % 1000 FROM generate_series(1, ${ROWS}) AS g(i)`,
];

type Measure = (sql: string) => Promise<{ readonly milliseconds: number; readonly bytes?: number }>;

async function postgres(): Promise<readonly string[]> {
  const database = await startPostgres();
  try {
    const client = await database.connect();
    for (const sql of [...SETUP, "VACUUM ANALYZE big"]) await client.query(sql);
    const measure: Measure = async (sql) => {
      const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${sql}`);
      const [plan] = rows[0]["QUERY PLAN"];
      const { "Shared Hit Blocks": hit, "Shared Read Blocks": read } = plan.Plan;
      return { milliseconds: plan["Execution Time"], bytes: (hit + read) * 8192 };
    };
    return await tableOf("PostgreSQL 18: milliseconds, and megabytes of pages that are read", measure);
  } finally {
    await database.stop();
  }
}

async function duckdb(): Promise<readonly string[]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  for (const sql of SETUP) await connection.run(sql);
  const measure: Measure = async (sql) => {
    const start = performance.now();
    await connection.runAndReadAll(sql);
    return { milliseconds: performance.now() - start };
  };
  const lines = await tableOf("DuckDB, in memory: milliseconds", measure);
  connection.closeSync();
  instance.closeSync();
  return lines;
}

/** The lower of two times. */
async function tableOf(title: string, measure: Measure): Promise<readonly string[]> {
  const names = Object.keys(QUERIES);
  const lines = [
    `**${title}, ${ROWS} rows**`,
    "",
    `| Form | ${names.join(" | ")} |`,
    `|---|${names.map(() => "---:").join("|")}|`,
  ];
  for (const [name, form] of Object.entries(FORMS)) {
    const cells: string[] = [];
    for (const query of Object.values(QUERIES)) {
      const [first, second] = [await measure(query(form)), await measure(query(form))];
      const milliseconds = Math.min(first.milliseconds, second.milliseconds);
      const bytes = first.bytes === undefined ? "" : `, ${(first.bytes / 1e6).toFixed(1)} MB`;
      cells.push(`${Number(milliseconds.toPrecision(2))}${bytes}`);
    }
    lines.push(`| ${name} | ${cells.join(" | ")} |`);
    process.stderr.write(`${lines.at(-1)}\n`);
  }
  return lines;
}

const chosen = process.argv.slice(2);
for (const [name, run] of Object.entries({ duckdb, postgres })) {
  if (chosen.length === 0 || chosen.includes(name))
    writeEvidence(PAGE, "npm run barriers:cost", `cost-${name}`, await run());
}
