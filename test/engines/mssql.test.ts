/**
 * What is planned for SQL Server, on which nothing can be run here: sqlglot, which shares no code with the planner, reads each
 * statement as T-SQL and says it for DuckDB, whose rows are compared with those of the analyst queries. That shows slips of
 * structure, and not what only the server knows (collations, lengths of decimals, what it refuses).
 * `npm run engines` installs sqlglot; without it this is reported as not run.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { ANALYST_QUERIES } from "../parity/analyst.ts";
import { askAsWritten, judgeRows } from "../parity/judge.ts";
import { plainManifest } from "../support/analyst.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { type OpenedSource, openDuckDbFiles } from "../support/sources.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const PYTHON = fileURLToPath(new URL("../../.siskin/readers/bin/python", import.meta.url));
const READ_BACK = fileURLToPath(new URL("mssql/read_back.py", import.meta.url));

/** A TIMESTAMP is the version of a row there. */
const manifest = manifestOf(
  JSON.parse(
    JSON.stringify(plainManifest("local_file"))
      .replaceAll('"TIMESTAMP"', '"DATETIME2"')
      .replaceAll('"tpch/', `"${EXAMPLES}/tpch/`),
  ),
);

/** What this target refuses of the sixty, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  Q13: "arrays",
  Q15: "regular expressions",
  Q16: "regular expressions",
  Q18: "a percentile of groups",
  Q25: "a common table that names itself",
  Q27: "operators of json",
  Q31: "an age",
  Q32: "a function that makes rows",
  Q35: "a RANGE frame with a distance",
  Q36: "a float as a number of any length",
  Q37: "nth_value",
  Q45: "split_part",
  Q51: "to_date",
  Q52: "arrays",
  Q53: "a regression or correlation",
};

/** As T-SQL divides whole numbers; sqlglot does not know which are. */
const WHOLE_QUOTIENTS = [{ name: "integer_division", value: "true" }];

const PLANNED = ANALYST_QUERIES.filter(({ id }) => !Object.hasOwn(REFUSED, id));

test.each(Object.entries(REFUSED))("%s is refused: %s", (id, reason) => {
  const sql = ANALYST_QUERIES.find((each) => each.id === id)?.sql ?? "";
  expect(() => planned(sql, manifest, { source: "mssql" })).toThrow(PlannerError);
  expect(() => planned(sql, manifest, { source: "mssql" })).toThrow(`this source cannot say ${reason}`);
});

describe.skipIf(!hasReader())("read back by sqlglot", () => {
  let opened: OpenedSource;
  const texts = new Map<string, string>();

  beforeAll(async () => {
    opened = await openDuckDbFiles(EXAMPLES);
    const statements = PLANNED.map(({ sql }) => planned(sql, manifest, { source: "mssql" }).sql);
    const input = JSON.stringify(statements);
    const answers = JSON.parse(execFileSync(PYTHON, [READ_BACK], { input, encoding: "utf8" })) as readonly string[];
    PLANNED.forEach(({ id }, index) => {
      texts.set(id, answers[index] ?? "");
    });
  });
  afterAll(() => opened?.close());

  test.each(PLANNED)("$id $title", async ({ id, ordered, expected }) => {
    const answer = await askAsWritten(texts.get(id) ?? "", opened, WHOLE_QUOTIENTS);
    expect("outcome" in answer ? answer : judgeRows(answer, expected, ordered)).toEqual({ outcome: "right" });
  });
});

function hasReader(): boolean {
  if (!existsSync(PYTHON)) return false;
  try {
    execFileSync(PYTHON, ["-c", "import sqlglot"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
