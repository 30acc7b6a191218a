/**
 * `npm run barriers`: attacks the forms of best effort at 51 positions on the engines that run here, with their proven fences taken
 * away, and writes docs/evidence/best-effort.md. With names of engines (`npm run barriers postgres`) theirs alone.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeEvidence } from "../../support/evidence.ts";
import { atAllPositions, type BarrierName } from "./barriers.ts";
import { openClickHouseEngine } from "./clickhouse-engine.ts";
import { type Engine, openDuckDbEngine, openPostgresEngine } from "./engines.ts";
import { Controls, measure } from "./measure.ts";
import { openMySqlEngine } from "./mysql-engines.ts";
import { RULES, type RuleName } from "./shapes.ts";
import { openSparkEngine } from "./spark-engine.ts";
import { openTrinoEngine } from "./trino-engine.ts";

const PAGE = new URL("../../../docs/evidence/best-effort.md", import.meta.url);
const ALL = Object.keys(RULES) as RuleName[];

interface Run {
  readonly open: () => Promise<Engine>;
  readonly modes: readonly string[];
  readonly forms: readonly BarrierName[];
  readonly predicates: readonly string[];
  readonly rules?: readonly RuleName[];
  /** Positions that the engine refuses over some form. */
  readonly lacking?: readonly string[];
}

const RANKED = ["ranked", "ranked, guarded", "ranked, guarded, a condition inside"] as const;
const LIMITED = [
  "ranked and limited",
  "ranked and limited, guarded",
  "ranked and limited, guarded, a condition inside",
] as const;
const COPIED = ["copied in order", "copied in order, a condition inside"] as const;

const directory = mkdtempSync(join(tmpdir(), "siskin-barriers-"));
const RUNS: Readonly<Record<string, Run>> = {
  postgres: {
    open: () => openPostgresEngine(400),
    modes: ["defaults", "nested loops"],
    forms: [...RANKED, ...LIMITED, "numbered and limited", ...COPIED],
    predicates: ["cast to integer", "division", "overflow", "regular expression"],
  },
  mysql: {
    open: () => openMySqlEngine("mysql", 40),
    modes: ["defaults"],
    // MySQL refuses a window in the order of a constant.
    forms: [...LIMITED, ...COPIED, "LIMIT, OFFSET 0"],
    // MySQL knows no column in HAVING that a derived table computes.
    lacking: ["HAVING"],
    predicates: ["overflow", "exponential", "json path"],
  },
  mariadb: {
    open: () => openMySqlEngine("mariadb", 40),
    modes: ["defaults"],
    forms: [...RANKED, ...LIMITED, ...COPIED, "ROWNUM, guarded, a condition inside", "LIMIT, OFFSET 0"],
    predicates: ["overflow", "exponential", "json path"],
  },
  clickhouse: {
    open: () => openClickHouseEngine(40),
    modes: ["defaults", "dictionaries"],
    forms: ["copied"],
    predicates: ["cast to integer", "decode"],
  },
  trino: {
    open: () => openTrinoEngine(40),
    modes: ["defaults"],
    forms: ["numbered and limited", "copied in order, a condition inside"],
    predicates: ["cast to integer"],
  },
  duckdb: {
    open: () => openDuckDbEngine(400, directory),
    modes: ["defaults", "Parquet"],
    forms: [...RANKED, ...LIMITED, ...COPIED],
    predicates: ["cast to integer", "json access", "character code"],
  },
  spark: {
    open: () => openSparkEngine(20),
    modes: ["defaults"],
    forms: ["number as it comes", "number as it comes, a condition inside"],
    // Spark casts the constant that the column is compared with, over any rows.
    lacking: ["text of an excluded row"],
    predicates: ["cast to integer"],
    rules: ["literal", "IN (subquery)", "to-many column"],
  },
};

const chosen = process.argv.slice(2);
try {
  for (const [name, run] of Object.entries(RUNS)) {
    if (chosen.length === 0 || chosen.includes(name)) writeEvidence(PAGE, "npm run barriers", name, await tables(run));
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function tables({ open, modes, forms, predicates, rules = ALL, lacking = [] }: Run): Promise<readonly string[]> {
  const engine = await atAllPositions(open());
  const lines: string[] = [];
  try {
    for (const mode of modes) {
      await engine.use(mode);
      const controls = new Controls(engine);
      const positions = Object.keys(engine.shapes.positions).filter((each) => !lacking.includes(each));
      if (lines.length > 0) lines.push("");
      lines.push(`**${engine.version}, ${mode}**: ${predicates.join(", ")}`, "");
      lines.push(
        `| Form | ${rules.join(" | ")} | attacks for each rule |`,
        `|---|${rules.map(() => "---:").join("|")}|---:|`,
      );
      for (const form of ["none", ...forms]) {
        const cells = [];
        for (const rule of rules) cells.push(await measure(engine, form, rule, controls, { predicates, positions }));
        const wrong = cells.flatMap((cell) => cell.wrong);
        if (wrong.length > 0) throw new Error(`${engine.version}, ${mode}, ${form}: wrong rows: ${wrong.join(", ")}`);
        const leaks = cells.flatMap((cell) => cell.leaks);
        if (form !== "none" && leaks.length > 0) process.stderr.write(`${form}:\n${leaks.slice(0, 20).join("\n")}\n`);
        const line = `| ${form} | ${cells.map((cell) => cell.leaks.length || "·").join(" | ")} | ${cells[0]?.statements} |`;
        process.stderr.write(`${line}\n`);
        lines.push(line);
      }
    }
  } finally {
    await engine.close();
  }
  return lines;
}
