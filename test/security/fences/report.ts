/** `npm run fences`: the whole experiment, some minutes long; its tables replace those of docs/access-rules.md. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, openDuckDbEngine, openPostgresEngine } from "./engines.ts";
import { Controls, type Measured, measure } from "./measure.ts";
import { FENCES, type FenceName, RULES, type RuleName } from "./shapes.ts";

const PAGE = new URL("../../../docs/access-rules.md", import.meta.url);
const START = "<!-- evidence: npm run fences -->";
const END = "<!-- end of evidence -->";
const ROWS = 400;
const ALL = Object.keys(FENCES) as FenceName[];
const RULE_NAMES = Object.keys(RULES) as RuleName[];

/** The fences to try under each way of planning: all where the engine plans as it likes, the serious ones elsewhere. */
const POSTGRES_SERIOUS: readonly FenceName[] = ["none", "OFFSET 0", "MATERIALIZED"];
const DUCKDB_SERIOUS: readonly FenceName[] = ["none", "OFFSET 0", "MATERIALIZED, OFFSET 0"];

const directory = mkdtempSync(join(tmpdir(), "siskin-fences-"));
const written: string[] = [];
try {
  for (const open of [() => openPostgresEngine(ROWS), () => openDuckDbEngine(ROWS, directory)]) {
    const engine = await open();
    const serious = engine.name === "postgres" ? POSTGRES_SERIOUS : DUCKDB_SERIOUS;
    for (const mode of engine.modes) {
      await engine.use(mode);
      const fences = mode === "defaults" || mode === "Parquet" ? ALL : serious;
      written.push(await table(engine, mode, fences));
      process.stderr.write(`${written.at(-1)}\n`);
    }
    await engine.close();
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
const page = readFileSync(PAGE, "utf8");
const [before = "", rest = ""] = page.split(START);
writeFileSync(PAGE, `${before}${START}\n\n${written.join("\n\n")}\n\n${END}${rest.split(END)[1] ?? ""}`);

/** Leaks per fence and rule, each of as many statements as the last column says. */
async function table(engine: Engine, mode: string, fences: readonly FenceName[]): Promise<string> {
  const controls = new Controls(engine);
  const lines = [
    `**${engine.version}, ${mode}**`,
    "",
    `| Fence | ${RULE_NAMES.join(" | ")} | of |`,
    `|---|${RULE_NAMES.map(() => "---:").join("|")}|---:|`,
  ];
  for (const fence of fences) {
    const cells: Measured[] = [];
    for (const rule of RULE_NAMES) cells.push(await measure(engine, fence, rule, controls));
    const wrong = cells.flatMap((cell) => cell.wrong);
    if (wrong.length > 0) throw new Error(`${engine.version}, ${mode}, ${fence}: wrong rows: ${wrong.join(", ")}`);
    const counts = cells.map((cell) => cell.leaks.length || "·");
    lines.push(`| ${fence} | ${counts.join(" | ")} | ${cells[0]?.statements} |`);
  }
  return lines.join("\n");
}
