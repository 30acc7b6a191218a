/**
 * Files that cannot be read to their end. DuckDB's words about them quote the line it stopped at, whoever may see it: what a
 * caller under a rule is told, over HTTP and in the logs, holds none of them.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SECRET, type SidecarProcess, startSidecar } from "../sidecar/process.ts";
import { eventually } from "../support/eventually.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { CANARY } from "./access-world.ts";
import { encoded } from "./shop-over-http.ts";

/** More than DuckDB looks at before it decides on types. */
const VISIBLE = 30_000;

function lines(visible: (id: number) => string, hidden: string): string {
  return `${Array.from({ length: VISIBLE }, (_, at) => visible(at + 1)).join("\n")}\n${hidden}\n`;
}

const csv = (hidden: string): string => `id,owner,amount\n${lines((id) => `${id},ann,${id}`, hidden)}`;

/** The last line is excluded by the rule, and cannot be read. `shown`: what the error shows of it without a rule. */
const FILES: readonly (readonly [name: string, text: string, shown: RegExp])[] = [
  ["text-among-numbers.csv", csv("0,bob,CANARY-amount"), CANARY],
  ["a-value-too-many.csv", csv("0,bob,7,CANARY-more"), /Line 30002 .* has 4 values/],
  [
    "text-among-numbers.json",
    lines(
      (id) => JSON.stringify({ id, owner: "ann", amount: id }),
      JSON.stringify({ id: 0, owner: "bob", amount: "CANARY-amount" }),
    ),
    CANARY,
  ],
];

const RULE = {
  name: "own rows",
  requiredProperties: [{ name: "user", required: true }],
  condition: "owner = @user",
};

let root: string;
let sidecar: SidecarProcess;
let worker: RunningWorker;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "siskin-unreadable-"));
  for (const [name, text] of FILES) await writeFile(join(root, name), text);
  sidecar = await startSidecar({ FILE_ROOT: root });
  worker = await startWorker({ AUTH: "none", SIDECAR_URL: sidecar.url, SIDECAR_SECRET: SECRET });
});
afterAll(async () => {
  await sidecar?.stop();
  await rm(root, { recursive: true });
});

/** Head and body of the answer. */
async function ask(file: string, sql: string, rules: readonly object[], accept: string): Promise<string> {
  const manifestStr = encoded({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "sale",
        tableReference: { table: file },
        rowLevelAccessControls: rules,
        columns: [
          { name: "id", type: "BIGINT" },
          { name: "owner", type: "VARCHAR" },
          { name: "amount", type: "BIGINT" },
        ],
      },
    ],
  });
  const response = await worker.post(
    "/v3/connector/local_file/query",
    { sql, manifestStr, connectionInfo: { url: "/", format: file.split(".")[1] } },
    { accept, "x-wren-variable-user": "'ann'" },
  );
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  return `${head}\n${await response.text()}`;
}

describe.each(FILES)("%s", (file, _text, shown) => {
  test("without a rule the error names the line or its value", async () => {
    const told = await ask(file, "SELECT sum(amount) AS total FROM sale", [], "application/json");
    expect(told).toMatch(shown);
  });

  test.each([
    ["an answer of one row", "SELECT sum(amount) AS total FROM sale", "application/json"],
    ["rows as they come", "SELECT id, amount FROM sale", "application/x-ndjson"],
    ["a failing expression beside it", "SELECT id, 1 / (amount - 7) AS x FROM sale", "application/json"],
  ])("and not in those under a rule: %s", async (_what, sql, accept) => {
    const told = await ask(file, sql, [RULE], accept);
    expect(told).not.toMatch(CANARY);
    expect(told).toContain('"message":"The data source failed to run the statement');
  });
});

test("nor in the logs", async () => {
  await eventually(() => expect(worker.lines.length).toBeGreaterThanOrEqual(FILES.length * 4));
  expect([...worker.lines, ...sidecar.lines].join("\n")).not.toMatch(CANARY);
});
