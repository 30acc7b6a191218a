/**
 * `npm run barriers:planned`: attacks the forms of best effort as the planner prints them, on the engines that run here with their proven
 * fences taken away, and writes docs/evidence/best-effort.md. With names of engines theirs alone.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DataSource } from "../../../src/planner/plan.ts";
import { writeEvidence } from "../../support/evidence.ts";
import { openClickHouseEngine } from "./clickhouse-engine.ts";
import { type Engine, openDuckDbEngine, openPostgresEngine } from "./engines.ts";
import { openMySqlEngine } from "./mysql-engines.ts";
import {
  measurePlanned,
  PLANNED_RULES,
  type PlannedForm,
  type PlannedPredicate,
  type PlannedRule,
} from "./planned-forms.ts";
import { openSparkEngine } from "./spark-engine.ts";
import { openTrinoEngine } from "./trino-engine.ts";

const PAGE = new URL("../../../docs/evidence/best-effort.md", import.meta.url);
const ALL = Object.keys(PLANNED_RULES) as PlannedRule[];

interface Run {
  readonly open: () => Promise<Engine>;
  readonly source: DataSource;
  readonly forms: Readonly<Record<string, PlannedForm>>;
  readonly predicates: readonly PlannedPredicate[];
}

const NONE = { none: "none" } as const;
const NUMBERED: Readonly<Record<string, PlannedForm>> = {
  ...NONE,
  ranked: { barrier: "ranked" },
  "ranked, guarded": { barrier: "ranked", guardsColumns: true },
  "ranked and limited, guarded": { barrier: "ranked and limited", guardsColumns: true },
  "numbered and limited": { barrier: "numbered" },
};
const EVERY: readonly PlannedPredicate[] = ["cast to integer", "division", "square root", "logarithm"];

const directory = mkdtempSync(join(tmpdir(), "siskin-planned-"));
const RUNS: Readonly<Record<string, Run>> = {
  postgres: { open: () => openPostgresEngine(60), source: "postgres", forms: NUMBERED, predicates: EVERY },
  duckdb: { open: () => openDuckDbEngine(60, directory), source: "duckdb", forms: NUMBERED, predicates: EVERY },
  mysql: {
    open: () => openMySqlEngine("mysql", 20),
    source: "mysql",
    forms: {
      ...NONE,
      "ranked and limited, guarded": { barrier: "ranked and limited", guardsColumns: true },
      "LIMIT, OFFSET 0": { barrier: "offset" },
    },
    predicates: EVERY,
  },
  mariadb: {
    open: () => openMySqlEngine("mariadb", 20),
    source: "mysql",
    forms: { ...NONE, "LIMIT, OFFSET 0": { barrier: "offset" } },
    predicates: EVERY,
  },
  clickhouse: {
    open: () => openClickHouseEngine(20),
    source: "clickhouse",
    forms: { ...NONE, copied: { barrier: "copied" } },
    predicates: ["cast to integer", "division"],
  },
  trino: {
    open: () => openTrinoEngine(20),
    source: "trino",
    forms: { ...NONE, "numbered and limited": { barrier: "numbered" } },
    predicates: ["cast to integer"],
  },
  spark: {
    open: () => openSparkEngine(20),
    source: "spark",
    forms: { ...NONE, "number as it comes": { barrier: "volatile" } },
    predicates: ["cast to integer"],
  },
};

const chosen = process.argv.slice(2);
try {
  for (const [name, run] of Object.entries(RUNS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    writeEvidence(PAGE, "npm run barriers:planned", `planned-${name}`, await table(run));
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function table({ open, source, forms, predicates }: Run): Promise<readonly string[]> {
  const engine = await open();
  try {
    await engine.use("defaults");
    const lines = [
      `**${engine.version}, as the planner prints it**: ${predicates.join(", ")}`,
      "",
      `| Form | ${ALL.join(" | ")} | armed attacks, all rules |`,
      `|---|${ALL.map(() => "---:").join("|")}|---:|`,
    ];
    for (const [name, form] of Object.entries(forms)) {
      const cells = [];
      for (const rule of ALL) cells.push(await measurePlanned(engine, source, form, rule, predicates));
      const wrong = cells.flatMap((cell) => cell.wrong);
      if (wrong.length > 0) throw new Error(`${engine.version}, ${name}: wrong rows: ${wrong.join(", ")}`);
      const leaks = cells.flatMap((cell) => cell.leaks);
      if (form !== "none" && leaks.length > 0) process.stderr.write(`${name}:\n${leaks.slice(0, 20).join("\n")}\n`);
      const armed = cells.reduce((sum, cell) => sum + cell.armed, 0);
      const line = `| ${name} | ${cells.map((cell) => cell.leaks.length || "·").join(" | ")} | ${armed} |`;
      process.stderr.write(`${line}\n`);
      lines.push(line);
    }
    return lines;
  } finally {
    await engine.close();
  }
}
