/** Another source's SQL as DuckDB's: by sqlglot, which `npm run engines` installs and which shares no code with the planner. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { hasModule, PYTHON } from "./readers.ts";

/** Integer division as on the sources; sqlglot does not know which operands are integers. */
export const WHOLE_QUOTIENTS = [{ name: "integer_division", value: "true" }];

export const hasReader = (): boolean => hasModule("sqlglot");

/** One text for each statement, by a script of the source's. */
export function readBack(script: URL, statements: readonly string[]): readonly string[] {
  const input = JSON.stringify(statements);
  return JSON.parse(execFileSync(PYTHON, [fileURLToPath(script)], { input, encoding: "utf8", maxBuffer: 1 << 26 }));
}
