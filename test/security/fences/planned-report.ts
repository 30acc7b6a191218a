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
  /** Ways to plan or to store rows, by their names in the engine's list. */
  readonly modes: readonly string[];
}

const NONE = { none: "none" } as const;
const NUMBERED: Readonly<Record<string, PlannedForm>> = {
  ...NONE,
  ranked: { barrier: "ranked" },
  "ranked, guarded": { barrier: "ranked", guardsColumns: true },
  "numbered and limited": { barrier: "numbered" },
  // SQL Server's form; its dialect alone prints ORDER BY (SELECT NULL) in the window.
  "numbered and limited, guarded": { barrier: "ranked and limited", guardsColumns: true },
};
const ARITHMETIC: readonly PlannedPredicate[] = ["cast to integer", "division", "square root", "logarithm"];

const directory = mkdtempSync(join(tmpdir(), "siskin-planned-"));
const RUNS: Readonly<Record<string, Run>> = {
  postgres: {
    open: () => openPostgresEngine(60),
    source: "postgres",
    forms: NUMBERED,
    predicates: ARITHMETIC,
    modes: ["defaults", "nested loops"],
  },
  duckdb: {
    open: () => openDuckDbEngine(60, directory),
    source: "duckdb",
    forms: NUMBERED,
    predicates: ["cast to integer", "square root", "character code"],
    modes: ["defaults", "Parquet"],
  },
  mysql: {
    open: () => openMySqlEngine("mysql", 20),
    source: "mysql",
    forms: {
      ...NONE,
      "numbered and limited, guarded": { barrier: "ranked and limited", guardsColumns: true },
      "LIMIT, OFFSET 0": { barrier: "offset" },
    },
    predicates: ARITHMETIC,
    modes: ["defaults"],
  },
  mariadb: {
    open: () => openMySqlEngine("mariadb", 20),
    source: "mysql",
    forms: { ...NONE, "LIMIT, OFFSET 0": { barrier: "offset" } },
    predicates: ARITHMETIC,
    modes: ["defaults"],
  },
  clickhouse: {
    open: () => openClickHouseEngine(20),
    source: "clickhouse",
    forms: { ...NONE, copied: { barrier: "copied" } },
    predicates: ["cast to integer", "division", "repeated text"],
    modes: ["defaults", "dictionaries", "keys, indexes and projections"],
  },
  trino: {
    open: () => openTrinoEngine(20),
    source: "trino",
    forms: { ...NONE, "numbered and limited": { barrier: "numbered" } },
    predicates: ["cast to integer"],
    modes: ["defaults"],
  },
  spark: {
    open: () => openSparkEngine(20),
    source: "spark",
    forms: { ...NONE, "number as it comes": { barrier: "volatile" } },
    predicates: ["cast to integer"],
    modes: ["defaults"],
  },
};

const chosen = process.argv.slice(2);
try {
  for (const [name, run] of Object.entries(RUNS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    writeEvidence(PAGE, "npm run barriers:planned", `planned-${name}`, await tables(run));
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function tables({ open, source, forms, predicates, modes }: Run): Promise<readonly string[]> {
  const engine = await open();
  const lines: string[] = [];
  try {
    for (const mode of modes) {
      await engine.use(mode);
      if (lines.length > 0) lines.push("");
      lines.push(
        `**${engine.version}, ${mode}, as the planner prints it**: ${predicates.join(", ")}`,
        "",
        `| Form | ${ALL.join(" | ")} | armed attacks, all rules |`,
        `|---|${ALL.map(() => "---:").join("|")}|---:|`,
      );
      for (const [name, form] of Object.entries(forms)) {
        const cells = [];
        for (const rule of ALL) cells.push(await measurePlanned(engine, source, form, rule, predicates));
        const wrong = cells.flatMap((cell) => cell.wrong);
        if (wrong.length > 0)
          throw new Error(`${engine.version}, ${mode}, ${name}: wrong rows: ${wrong.slice(0, 20).join(", ")}`);
        const leaks = cells.flatMap((cell) => cell.leaks);
        if (form !== "none" && leaks.length > 0) process.stderr.write(`${name}:\n${leaks.slice(0, 20).join("\n")}\n`);
        const armed = cells.reduce((sum, cell) => sum + cell.armed, 0);
        const line = `| ${name} | ${cells.map((cell) => cell.leaks.length || "·").join(" | ")} | ${armed} |`;
        process.stderr.write(`${mode} ${line}\n`);
        lines.push(line);
      }
    }
  } finally {
    await engine.close();
  }
  return lines;
}
