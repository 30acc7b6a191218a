/** Another source's SQL as DuckDB's: by sqlglot, which `npm run engines` installs and which shares no code with the planner. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { hasModule, PYTHON } from "./readers.ts";

/** Integer division as on the sources; sqlglot does not know which operands are integers. */
export const WHOLE_QUOTIENTS = [{ name: "integer_division", value: "true" }];

export const hasReader = (): boolean => hasModule("sqlglot");

/** One text for each statement, by a script of the source's; rows are numbered as DuckDB numbers them rightly (`quirks/streamed-windows.ts`). */
export function readBack(script: URL, statements: readonly string[]): readonly string[] {
  const input = JSON.stringify(statements);
  const output = execFileSync(PYTHON, [fileURLToPath(script)], { input, encoding: "utf8", maxBuffer: 1 << 26 });
  const texts = JSON.parse(output) as readonly string[];
  return texts.map((text) =>
    text.replaceAll(
      "ROW_NUMBER() OVER ()",
      "ROW_NUMBER() OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE GROUP)",
    ),
  );
}
