/** The SQL that Cube's own compiler writes for PostgreSQL, run there, and Siskin over its import of the same model. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import type { JudgedAnswer } from "./difference.ts";
import { compared, HOME, imported, type Outcome, type Question, ROOT } from "./judged.ts";
import { fillPostgres } from "./postgres-rows.ts";
import type { Axis } from "./shop.ts";

const CUBE = join(HOME, "cube");
const PACKAGE = "@cubejs-backend/schema-compiler@1.7.43";
const MODEL = join(ROOT, "test/same-numbers/cube/shop.yml");

const MEASURES = [
  ...["count", "revenue", "net", "average", "least", "most", "buyers", "amounts", "paid_revenue", "large_paid"],
  ...["value_of_order", "count_share", "paid_share", "spread"],
];

interface CubeAxis extends Axis {
  /** A member of a query in Cube's words. */
  readonly asked: string | { readonly dimension: string; readonly granularity: string };
}

interface CubeQuestion extends Question {
  readonly axes: readonly CubeAxis[];
}

const plain = (asked: string, ours: string): CubeAxis => ({ theirs: asked.replace(".", "__"), ours, asked });
const time = (dimension: string, ours: string, granularity: string): CubeAxis => ({
  theirs: `${dimension.replace(".", "__")}_${granularity}`,
  ours: { dimension: ours, granularity },
  asked: { dimension, granularity },
});

const STATUS = plain("orders.status", "status");
const REGION = plain("customers.region", "customers__region");
const MONTH = time("orders.ordered_at", "ordered_at", "month");
const LARGE = plain("orders.is_large", "is_large");
const GROUPINGS: readonly (readonly CubeAxis[])[] = [
  [],
  [STATUS],
  [LARGE],
  [REGION],
  [MONTH],
  [plain("orders.size", "size")],
  [plain("orders.customer", "customer")],
  [time("orders.ordered_at", "ordered_at", "day")],
  [time("orders.ordered_at", "ordered_at", "week")],
  [time("orders.ordered_at", "ordered_at", "year")],
  [time("customers.joined_at", "customers__joined_at", "quarter")],
  [STATUS, REGION],
  [STATUS, MONTH],
  [REGION, LARGE, time("customers.joined_at", "customers__joined_at", "month")],
];

export async function compareCube(): Promise<Outcome> {
  if (!existsSync(join(CUBE, "node_modules/@cubejs-backend/schema-compiler"))) {
    mkdirSync(CUBE, { recursive: true });
    writeFileSync(join(CUBE, "package.json"), '{"private": true}\n');
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE], {
      cwd: CUBE,
      stdio: "inherit",
    });
  }
  const database = await startPostgres();
  try {
    await fillPostgres(database);
    const client = await database.connect();
    await client.query(
      "CREATE VIEW fct_orders AS TABLE stored_orders; CREATE VIEW dim_customers AS TABLE stored_customers",
    );
    rmSync(join(HOME, "cube-project"), { recursive: true, force: true });
    const refused = await imported(["cube", MODEL, "cube-project", "--source", "postgres"]);
    const questions = MEASURES.flatMap((measure) => GROUPINGS.map((axes) => ({ measure, axes })));
    const environment = { DATABASE_URL: database.url };
    return await compared(
      questions,
      await theirAnswers(questions, database),
      { directory: "cube-project", environment },
      refused,
    );
  } finally {
    await database.stop();
  }
}

async function theirAnswers(
  questions: readonly CubeQuestion[],
  database: TestDatabase,
): Promise<readonly JudgedAnswer[]> {
  const asked = questions.map(({ measure, axes }) => ({
    measures: [`orders.${measure}`],
    dimensions: axes.flatMap((axis) => (typeof axis.asked === "string" ? [axis.asked] : [])),
    timeDimensions: axes.flatMap((axis) => (typeof axis.asked === "string" ? [] : [axis.asked])),
  }));
  const judge = join(ROOT, "test/same-numbers/cube-judge.cjs");
  const settings = {
    input: JSON.stringify(asked),
    maxBuffer: 1 << 28,
    env: { ...process.env, CUBEJS_TESSERACT_SQL_PLANNER: "false" },
  };
  const output = execFileSync(process.execPath, [judge, CUBE, MODEL], settings).toString();
  const statements = JSON.parse(output.slice(output.indexOf("[{"))) as readonly {
    sql?: string;
    parameters?: unknown[];
    error?: string;
  }[];
  const client = await database.connect();
  await client.query("SET TIME ZONE 'UTC'");
  const answers: JudgedAnswer[] = [];
  for (const { sql, parameters, error } of statements) {
    if (sql === undefined) {
      answers.push({ error: error ?? "no statement" });
      continue;
    }
    const { fields, rows } = await client.query<unknown[]>({
      text: sql,
      values: parameters ?? [],
      rowMode: "array",
      types: TEXTS,
    });
    answers.push({ columns: fields.map(({ name }) => name), rows: rows as (string | null)[][] });
  }
  return answers;
}

/** Values as PostgreSQL writes them. */
const TEXTS = { getTypeParser: () => (text: string) => (text === "t" ? "true" : text === "f" ? "false" : text) };
