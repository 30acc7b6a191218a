/**
 * `npm run parity -- --source snowflake --connection connection.json [--schema NAME] [--random 20] [--report FILE]`: the parity suites
 * and the connectors' contract on an account of one's own. The file holds `connectionInfo` as in requests. It reads alone: the tables
 * of the analyst queries are asked where `--schema` says that they are, and `--tables` prints the statements that make them.
 * `parity-SOURCE.md` is the report to send in, without what the connection holds. Exits with 1 where anything was wrong.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { PlannedSource } from "../../../src/planner/dialects/targets.ts";
import { inTurns } from "../../engines/turns.ts";
import { openPostgres } from "../../support/sources.ts";
import { PLANNED_SOURCES } from "../../support/statements.ts";
import type { Verdict } from "../judge.ts";
import { type Account, openAccount, readAccount, withoutConnection } from "./account.ts";
import { ownSuites } from "./questions.ts";
import { statementsFor, TABLES } from "./tables.ts";
import { type Counted, counted, lines, type Named } from "./verdicts.ts";

/** Each of its statements has a limit of its own: longer than this only what hangs would take. */
const CONTRACT_MS = 30 * 60_000;
/** Where each statement is requests of its own: most of its time is waiting. */
const SEVERAL = 4;
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const { values } = parseArgs({
  options: {
    source: { type: "string" },
    connection: { type: "string" },
    schema: { type: "string" },
    random: { type: "string", default: "20" },
    report: { type: "string" },
    tables: { type: "boolean", default: false },
  },
});

const source = plannedSource(values.source ?? "");
if (values.tables) await printTables();
else await report(readAccount(source, wanted("connection")));

function wanted(name: "connection" | "schema"): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing`);
  return value;
}

function plannedSource(name: string): PlannedSource {
  const known = PLANNED_SOURCES.find((source) => source === name);
  if (known === undefined) throw new Error(`--source ${name}: there are ${PLANNED_SOURCES.join(", ")}`);
  return known as PlannedSource;
}

async function printTables(): Promise<void> {
  for await (const statement of statementsFor(source, wanted("schema"))) process.stdout.write(`${statement};\n`);
}

async function report(account: Account): Promise<void> {
  const { schema } = values;
  const reference = await openPostgres();
  const opened = await openAccount(account);
  const suites: Counted[] = [];
  try {
    // Other connections run one statement after another.
    const atOnce = opened.connector.capabilities.streaming === "pages" ? SEVERAL : 1;
    const asking = { account, opened, reference, schema, random: Number(values.random) };
    for (const { name, questions } of ownSuites(asking)) {
      const found: (Named | undefined)[] = [];
      await inTurns(atOnce, [...questions.entries()], async ([at, question]) => {
        const verdict = await question.verdict();
        found[at] = verdict && { name: question.name, verdict };
      });
      const verdicts = found.filter((one) => one !== undefined);
      suites.push(counted(source, name, verdicts));
      process.stderr.write(`${name}: ${verdicts.length} asked\n`);
    }
    if (schema !== undefined) suites.push(counted(source, "metadata", [await listed(schema)]));
  } finally {
    await Promise.all([opened.close(), reference.close()]);
  }
  suites.push(counted(source, "connectors' contract", contractVerdicts()));
  const text = withoutConnection(lines(account.source, opened.version, suites, schema).join("\n"), account);
  const file = values.report ?? `parity-${account.source}.md`;
  writeFileSync(file, `${text}\n`);
  process.stdout.write(`${text}\n\nWritten to ${file}.\n`);
  process.exitCode = suites.some(({ faults }) => faults.length > 0) ? 1 : 0;

  /** Whether the catalogue has the tables, each with its columns. */
  async function listed(inSchema: string): Promise<Named> {
    const options = { signal: new AbortController().signal, timeoutMs: 60_000 };
    const request = { kind: "tables", filter: {}, limit: undefined } as const;
    const records = await opened.connector.catalog(request, options);
    const missing = TABLES.filter(
      (table) =>
        !records.some(
          ({ name, columns }) =>
            name.toLowerCase().includes(inSchema.toLowerCase()) &&
            name.toLowerCase().endsWith(table) &&
            columns.length > 0,
        ),
    );
    const verdict: Verdict =
      missing.length === 0 ? { outcome: "right" } : { outcome: "wrong", detail: `not listed: ${missing.join(", ")}` };
    return { name: "tables", verdict };
  }
}

interface ContractReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
    readonly message?: string;
  }[];
}

function contractVerdicts(): readonly Named[] {
  const directory = mkdtempSync(join(tmpdir(), "siskin-parity-"));
  const file = join(directory, "contract.json");
  try {
    const env = { ...process.env, OWN_SOURCE: source, OWN_CONNECTION: resolve(wanted("connection")) };
    const words = ["run", "--config", "test/tiers/own.config.ts", "--reporter=json", `--outputFile=${file}`];
    try {
      execFileSync(join(ROOT, "node_modules/.bin/vitest"), words, {
        cwd: ROOT,
        env,
        stdio: "ignore",
        timeout: CONTRACT_MS,
      });
    } catch (error) {
      // Failures are in what it has written.
      if (!existsSync(file)) throw error;
    }
    const { testResults } = JSON.parse(readFileSync(file, "utf8")) as ContractReport;
    const judged = testResults.flatMap(({ assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "passed" || status === "failed")
        .map(({ fullName, status, failureMessages }): Named => {
          const detail = failureMessages.join(" ").split("\n")[0] ?? "";
          return {
            name: fullName,
            verdict: status === "passed" ? { outcome: "right" } : { outcome: "wrong", detail },
          };
        }),
    );
    if (judged.length === 0) throw new Error("the contract was not run");
    return judged;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
