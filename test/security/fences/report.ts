/**
 * `npm run fences`: the whole experiment, some minutes long; its tables replace those of docs/reference/access-rules.md. With names of
 * engines (`npm run fences mysql mariadb`) theirs alone.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeEvidence } from "../../support/evidence.ts";
import { openClickHouseEngine } from "./clickhouse-engine.ts";
import { type Engine, openDuckDbEngine, openPostgresEngine } from "./engines.ts";
import { Controls, type Measured, measure } from "./measure.ts";
import { openMySqlEngine } from "./mysql-engines.ts";
import { RULES, type RuleName } from "./shapes.ts";
import { openSparkEngine } from "./spark-engine.ts";
import { openTrinoEngine } from "./trino-engine.ts";

const PAGE = new URL("../../../docs/reference/access-rules.md", import.meta.url);
const ROWS = 400;
const RULE_NAMES = Object.keys(RULES) as RuleName[];

const directory = mkdtempSync(join(tmpdir(), "siskin-fences-"));
const ENGINES: Readonly<Record<string, () => Promise<Engine>>> = {
  postgres: () => openPostgresEngine(ROWS),
  duckdb: () => openDuckDbEngine(ROWS, directory),
  mysql: () => openMySqlEngine("mysql", ROWS),
  mariadb: () => openMySqlEngine("mariadb", ROWS),
  trino: () => openTrinoEngine(40),
  clickhouse: () => openClickHouseEngine(40),
  spark: () => openSparkEngine(40),
};

const chosen = process.argv.slice(2);
try {
  for (const [name, open] of Object.entries(ENGINES)) {
    if (chosen.length === 0 || chosen.includes(name))
      writeEvidence(PAGE, "npm run fences", name, await tables(await open()));
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function tables(engine: Engine): Promise<readonly string[]> {
  const written: string[] = [];
  try {
    for (const mode of engine.modes) {
      await engine.use(mode);
      const all = engine.thorough.includes(mode);
      const lines = await table(engine, mode, all ? Object.keys(engine.shapes.fences) : engine.serious);
      process.stderr.write(`${lines.join("\n")}\n`);
      written.push(...(written.length > 0 ? [""] : []), ...lines);
    }
  } finally {
    await engine.close();
  }
  return written;
}

/** Leaks per fence and rule, each of as many statements as the last column says. */
async function table(engine: Engine, mode: string, fences: readonly string[]): Promise<readonly string[]> {
  const controls = new Controls(engine);
  const lines = [
    `**${engine.version}, ${mode}**`,
    "",
    `| Fence | ${RULE_NAMES.join(" | ")} | of |`,
    `|---|${RULE_NAMES.map(() => "---:").join("|")}|---:|`,
  ];
  for (const fence of fences) {
    const cells: Measured[] = [];
    for (const rule of RULE_NAMES) {
      cells.push(await measure(engine, fence, rule, controls, engine.reported && { predicates: engine.reported }));
    }
    const wrong = cells.flatMap((cell) => cell.wrong);
    if (wrong.length > 0) throw new Error(`${engine.version}, ${mode}, ${fence}: wrong rows: ${wrong.join(", ")}`);
    const counts = cells.map((cell) => cell.leaks.length || "·");
    lines.push(`| ${fence} | ${counts.join(" | ")} | ${cells[0]?.statements} |`);
  }
  return lines;
}
